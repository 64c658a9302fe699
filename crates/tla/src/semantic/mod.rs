//! From trees to a program: modules loaded, names resolved, instances expanded, levels checked.
//!
//! What does not live here: values. See [`Program`] for the form that the evaluator compiles.

mod loader;
mod program;

pub use loader::{Loader, NoModules, StandardModules};
pub use program::{
    Arg, Assumption, Bound, Builtin, Case, ConstId, Constant, DefId, DefKind, Definition, Expr, ExprId,
    ExprKind, Field, Level, Local, LocalId, LocalKind, Module, ModuleId, Name, Names, OpRef, Program, Step,
    SubstId, SubstValue, Substitution, Update, VarId, Variable,
};
