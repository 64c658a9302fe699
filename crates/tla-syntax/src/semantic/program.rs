//! The resolved program: what a compiler of TLA+ starts from.
//!
//! Nothing has to be looked up by name any more. Everything lives in arenas of the [`Program`] and is named by
//! an index:
//!
//! - **Definitions** ([`DefId`]) are all operators with a body: those of modules, of `LET`, and `LAMBDA`s.
//!   Operators of standard modules are definitions too; those the evaluator provides have no body
//!   ([`Definition::body`] is `None`) and are told by [`Definition::origin`] and [`Definition::base_name`].
//! - **Locals** ([`LocalId`]) are parameters and bound variables. Each binder has its own, so there is no
//!   shadowing; a definition's free ones are its [`Definition::captures`].
//! - **Instances are expanded**: `I!Op` is a definition of its own, whose body is that of `Op` with every
//!   declared constant and variable of the instantiated module replaced by [`ExprKind::Subst`]. The parameters
//!   of a parametrised instance, `I(x)!Op(y)`, come first among the parameters of the definition. Only what is
//!   referred to is expanded.
//!
//! # Substitution, primes and ENABLED
//! A [`Substitution`] stands for `x <- e`. Its value is `e`, under a prime it is `e'`. Within `ENABLED A` (and so
//! within `WF` and `SF`) a primed *variable* of the instantiated module is, by the definition of TLA+, a variable
//! of its own that is quantified over, not `e'`; [`Substitution::variable`] says which ones are variables.

use locus_source::Place;
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::ops::Range;

use crate::pluscal::LabeledStep;

locus_source::ids! {
    /// An expression of [`Program::exprs`].
    ExprId(pub u32);
    /// A definition of [`Program::defs`].
    DefId(pub u32);
    /// A parameter or bound variable of [`Program::locals`].
    LocalId(pub u32);
    /// A declared constant of [`Program::constants`].
    ConstId(pub u32);
    /// A declared variable of [`Program::variables`].
    VarId(pub u32);
    /// A substitution of [`Program::substs`].
    SubstId(pub u32);
    /// A module of [`Program::modules`].
    ModuleId(pub u32);
    /// A string of [`Program::names`]: the name of something, a string value or a field.
    Name(pub u32);
}

/// Strings, each once.
#[derive(Clone, Debug, Default)]
pub struct Names {
    texts: Vec<Box<str>>,
    ids: FxHashMap<Box<str>, Name>,
}

impl Names {
    /// The id of `text`, new or old.
    pub fn intern(&mut self, text: &str) -> Name {
        if let Some(&name) = self.ids.get(text) {
            return name;
        }
        let name = Name(self.texts.len() as u32);
        self.texts.push(text.into());
        self.ids.insert(text.into(), name);
        name
    }

    /// The id of `text`, if it has one.
    pub fn find(&self, text: &str) -> Option<Name> {
        self.ids.get(text).copied()
    }

    /// The text of an id.
    pub fn text(&self, name: Name) -> &str {
        &self.texts[name.index()]
    }
}

/// A whole specification, resolved.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Every expression.
    pub exprs: Vec<Expr>,
    /// Every definition.
    pub defs: Vec<Definition>,
    /// Every parameter and bound variable.
    pub locals: Vec<Local>,
    /// Every declared constant, of the root module and of others.
    pub constants: Vec<Constant>,
    /// Every declared variable, of the root module and of others.
    pub variables: Vec<Variable>,
    /// Every substitution of an instance.
    pub substs: Vec<Substitution>,
    /// Every module read.
    pub modules: Vec<Module>,
    /// The module that is checked.
    pub root: Option<ModuleId>,
    /// The constants of the root module and of what it extends, in order of declaration.
    pub root_constants: Vec<ConstId>,
    /// The state: variables of the root module and of what it extends, in order of declaration.
    pub root_variables: Vec<VarId>,
    /// The assumptions of the root module and of what it extends, in order.
    pub assumptions: Vec<Assumption>,
    /// The steps of the algorithms that modules are translations of.
    pub algorithm: Vec<LabeledStep>,
    /// All names and strings.
    pub names: Names,
}

impl Program {
    /// An expression.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    /// A definition.
    pub fn def(&self, id: DefId) -> &Definition {
        &self.defs[id.index()]
    }

    /// A parameter or bound variable.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.index()]
    }

    /// A substitution.
    pub fn subst(&self, id: SubstId) -> &Substitution {
        &self.substs[id.index()]
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        self.names.text(name)
    }
}

/// A module that was read.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its name.
    pub name: Name,
    /// Where it stands.
    pub place: Place,
    /// Whether it is one of the standard modules that come with the checker.
    pub standard: bool,
}

/// How much of a behaviour an expression speaks of. Ordered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Level {
    /// Of none: the same in every state.
    #[default]
    Constant,
    /// Of one state.
    State,
    /// Of two states.
    Action,
    /// Of the whole behaviour.
    Temporal,
}

/// An operator with a body, or one that the evaluator provides.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name as written from the outside, such as `I!Op`.
    pub name: Name,
    /// The name in the module it comes from, such as `Op`. Symbols in canonical form, as `\cup`.
    pub base_name: Name,
    /// The module whose text holds the definition.
    pub origin: ModuleId,
    /// The sort of the definition.
    pub kind: DefKind,
    /// The parameters, those of its instance first.
    pub params: Vec<LocalId>,
    /// How many of the parameters are those of its instance.
    pub instance_params: usize,
    /// The body; none where the evaluator provides the operator.
    pub body: Option<ExprId>,
    /// Whether it was declared `RECURSIVE`.
    pub recursive: bool,
    /// Locals of the surroundings that the body (or a substitution or definition it refers to) uses. Always
    /// empty for definitions of a module.
    pub captures: Vec<LocalId>,
    /// The level of the body when the arguments are constants.
    pub level: Level,
    /// The whole definition.
    pub place: Place,
    /// The name within it.
    pub name_place: Place,
}

/// The sort of a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefKind {
    /// Of a module.
    Module,
    /// Of a `LET`.
    Let,
    /// A `LAMBDA`.
    Lambda,
    /// A named assumption or theorem.
    Statement,
}

/// A parameter or bound variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name.
    pub name: Name,
    /// How many arguments it takes; 0 unless it is an operator.
    pub arity: u32,
    /// The construct that binds it.
    pub kind: LocalKind,
    /// Where it is bound.
    pub place: Place,
}

/// The construct that binds a local.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalKind {
    /// A definition, a `LAMBDA` or a parametrised instance.
    Parameter,
    /// A quantifier, `CHOOSE`, set or function.
    Bound,
    /// `\AA` or `\EE`: a variable over a behaviour.
    Temporal,
    /// `EXCEPT`: the old value, `@`.
    At,
    /// `f[x \in S] == …`: the function itself.
    This,
}

/// A declared constant.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name.
    pub name: Name,
    /// How many arguments it takes.
    pub arity: u32,
    /// The module that declares it.
    pub module: ModuleId,
    /// Where.
    pub place: Place,
}

/// A declared variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// The module that declares it.
    pub module: ModuleId,
    /// Where.
    pub place: Place,
}

/// The substitution for a declared constant or variable of an instantiated module.
#[derive(Clone, Debug)]
pub struct Substitution {
    /// The name in the instantiated module.
    pub name: Name,
    /// Whether it is declared there as a variable.
    pub variable: bool,
    /// The highest level that what stands for it may have.
    pub highest: Level,
    /// The value that stands for it, in terms of the instantiating module.
    pub value: SubstValue,
    /// Where the substitution is written: `x <- e`, or the whole `INSTANCE` if implied.
    pub place: Place,
    /// The expressions of the instance: those for which it stands.
    pub within: Range<u32>,
}

impl Substitution {
    /// Whether an expression is part of the instance, or of one within it.
    pub fn is_around(&self, expr: ExprId) -> bool {
        self.within.contains(&(expr.index() as u32))
    }
}

/// The right-hand side of a substitution.
#[derive(Clone, Debug)]
pub enum SubstValue {
    /// An expression.
    Expr(ExprId),
    /// An operator, for a constant that takes arguments.
    Op(OpRef),
}

/// `ASSUME`.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// Whether it is an `AXIOM`, which is taken for granted.
    pub axiom: bool,
    /// The assumed formula.
    pub body: ExprId,
    /// The whole of it.
    pub place: Place,
}

/// An expression with its place and level.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The kind of expression.
    pub kind: ExprKind,
    /// Where it stands.
    pub place: Place,
    /// Its level, when parameters and bound variables are taken for constants.
    pub level: Level,
}

/// An argument of an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arg {
    /// An expression.
    Expr(ExprId),
    /// An operator, where the parameter is one.
    Op(OpRef),
}

/// An operator that is not applied but handed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpRef {
    /// A definition, or a `LAMBDA`.
    Def(DefId),
    /// A declared constant operator.
    Constant(ConstId),
    /// A parameter of the surroundings.
    Local(LocalId),
    /// An operator that an instance substitutes.
    Subst(SubstId),
    /// An operator of the language.
    Builtin(Builtin),
}

/// Variables bound together.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The variables. Without `tuple`, each ranges over the set on its own.
    pub locals: Vec<LocalId>,
    /// Whether they take apart the elements of the set, as in `<<x, y>> \in S`.
    pub tuple: bool,
    /// The set, unless unbounded. Does not see the variables of any bound of the same construct.
    pub set: Option<ExprId>,
}

/// One arm of a `CASE`.
#[derive(Clone, Debug)]
pub struct Case {
    /// The condition.
    pub condition: ExprId,
    /// The value.
    pub value: ExprId,
}

/// A field and its value or set.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name of the field.
    pub name: Name,
    /// Its value or set.
    pub value: ExprId,
}

/// One change of an `EXCEPT`.
#[derive(Clone, Debug)]
pub struct Update {
    /// The way to the place that changes.
    pub path: Vec<Step>,
    /// Stands for the old value within `value`, if `value` uses it.
    pub at: Option<LocalId>,
    /// The new value.
    pub value: ExprId,
    /// The whole of it.
    pub place: Place,
}

/// One step of the way in an `EXCEPT`.
#[derive(Clone, Debug)]
pub enum Step {
    /// `[x, y]`, more than one being their tuple.
    Index(Vec<ExprId>),
    /// `.field`.
    Field(Name),
}

/// The kind of an expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer.
    Number(BigInt),
    /// A number with a decimal point, as written.
    Decimal(Name),
    /// A string.
    String(Name),
    /// A declared constant that takes no arguments.
    Constant(ConstId),
    /// A declared variable.
    Variable(VarId),
    /// A constant or variable of an instantiated module.
    Subst(SubstId),
    /// A parameter or bound variable.
    Local(LocalId),
    /// An operator of the language, with as many arguments as it takes. `And` and `Or` never occur here.
    Builtin(Builtin, Vec<ExprId>),
    /// A defined operator, with all its arguments (those of its instance first).
    Apply(DefId, Vec<Arg>),
    /// A declared constant operator.
    ApplyConstant(ConstId, Vec<Arg>),
    /// An operator that is a parameter.
    ApplyLocal(LocalId, Vec<Arg>),
    /// An operator that an instance substitutes.
    ApplySubst(SubstId, Vec<Arg>),
    /// Two or more conjuncts, whether written as a list or with infix `/\` (which is flattened); or one, of a
    /// list of one.
    And(Vec<ExprId>),
    /// Likewise of disjuncts.
    Or(Vec<ExprId>),
    /// `\A` (true) or `\E`.
    Quantifier(bool, Vec<Bound>, ExprId),
    /// `\AA` (true) or `\EE`.
    TemporalQuantifier(bool, Vec<LocalId>, ExprId),
    /// `CHOOSE`, with or without a set.
    Choose(Bound, ExprId),
    /// `{a, b}`.
    SetOf(Vec<ExprId>),
    /// `{x \in S : P}`; one variable or one tuple.
    Filter(Bound, ExprId),
    /// `{e : x \in S}`.
    Map(ExprId, Vec<Bound>),
    /// `[x \in S |-> e]`, and the body of `f[x \in S] == e`.
    Function {
        /// The arguments.
        bounds: Vec<Bound>,
        /// The value.
        body: ExprId,
        /// Stands for the function itself within its value, if it is recursive.
        this: Option<LocalId>,
    },
    /// `[S -> T]`.
    FunctionSet(ExprId, ExprId),
    /// `[a |-> 1]`.
    Record(Vec<Field>),
    /// `[a : S]`.
    RecordSet(Vec<Field>),
    /// `[f EXCEPT …]`.
    Except(ExprId, Vec<Update>),
    /// `f[x, y]`, more than one argument being their tuple.
    Index(ExprId, Vec<ExprId>),
    /// `r.field`.
    Field(ExprId, Name),
    /// `<<a, b>>`.
    Tuple(Vec<ExprId>),
    /// `A \X B \X C`.
    Times(Vec<ExprId>),
    /// `[A]_v`: action, subscript.
    Square(ExprId, ExprId),
    /// `<<A>>_v`: action, subscript.
    Angle(ExprId, ExprId),
    /// `WF_v(A)`: subscript, action.
    Weak(ExprId, ExprId),
    /// `SF_v(A)`: subscript, action.
    Strong(ExprId, ExprId),
    /// `IF`.
    If(ExprId, ExprId, ExprId),
    /// `CASE`, with the value after `OTHER`.
    Case(Vec<Case>, Option<ExprId>),
    /// `LET`. The definitions are in the arena; those listed may capture locals.
    Let(Vec<DefId>, ExprId),
    /// A labelled expression: the same value as the expression.
    Label(Name, ExprId),
}

/// Operators of the language itself, those with special syntax apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Builtin {
    /// `TRUE`.
    True,
    /// `FALSE`.
    False,
    /// `BOOLEAN`.
    Boolean,
    /// `STRING`.
    StringSet,
    /// `/\`, only as an argument.
    And,
    /// `\/`, only as an argument.
    Or,
    /// `~`.
    Not,
    /// `=>`.
    Implies,
    /// `<=>`, `\equiv`.
    Equiv,
    /// `=`.
    Eq,
    /// `/=`, `#`.
    Ne,
    /// `\in`.
    In,
    /// `\notin`.
    NotIn,
    /// `\subseteq`.
    SubsetEq,
    /// `\cup`.
    Cup,
    /// `\cap`.
    Cap,
    /// `\`.
    SetMinus,
    /// `SUBSET`.
    Subset,
    /// `UNION`.
    Union,
    /// `DOMAIN`.
    Domain,
    /// `'`.
    Prime,
    /// `ENABLED`.
    Enabled,
    /// `UNCHANGED`.
    Unchanged,
    /// `[]`.
    Always,
    /// `<>`.
    Eventually,
    /// `~>`.
    LeadsTo,
    /// `-+->`.
    PlusArrow,
    /// `\cdot`.
    Cdot,
}
