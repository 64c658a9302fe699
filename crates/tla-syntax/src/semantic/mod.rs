//! From trees to a program: modules loaded, names resolved, instances expanded, levels checked.
//!
//! Out of scope: values. See [`Program`] for the form that the evaluator compiles.

mod captures;
mod exprs;
mod labels;
mod levels;
mod loader;
mod names;
mod program;
mod proofs;
mod reading;
mod resolver;
mod scope;
mod select;
mod specification;
mod units;
mod visit;

pub use loader::{ModuleLoader, NoModules, StandardModules};
pub use program::{
    Arg, Assumption, Bound, Builtin, Case, ConstId, Constant, DefId, DefKind, Definition, Expr, ExprId,
    ExprKind, Field, Level, Local, LocalId, LocalKind, Module, ModuleId, Name, Names, OpRef, Program, Step,
    SubstId, SubstValue, Substitution, Update, VarId, Variable,
};
pub use reading::names_as_read;
pub use scope::Entity;
pub use specification::{Loaded, Specification};
pub use visit::Part;
