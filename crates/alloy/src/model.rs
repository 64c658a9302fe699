//! A model whose names and types are resolved.
//!
//! [`World`] owns what modules declare: signatures, fields, functions, facts, assertions, commands. Expressions are
//! immutable trees with shared parts. While types are checked, a node may still be a choice between meanings, or an
//! unfinished call; what the checker stores in a [`World`] has neither.

use std::sync::Arc;

use locus_source::{FileId, Finding, Place};

use crate::ast::{self, BinOp, CommandKind, ListOp, Mult, Quant, UnOp};
use crate::types::{Hierarchy, SigId, Type};

locus_source::ids! {
    /// A field, as an index into the model's fields.
    FieldId(pub u32);
    /// A predicate or function, as an index into the model's.
    FuncId(pub u32);
    /// A module, as an index into the model's.
    ModuleId(pub u32);
}

/// A variable: a parameter, or bound by a quantifier or `let`.
#[derive(Debug)]
pub struct Var {
    /// Different for every variable of a model.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Where it is declared.
    pub place: Place,
}

/// A shared expression.
pub type E = Arc<Expr>;

/// Findings about a part of an expression; most have none.
pub type Errors = Option<Arc<Vec<Finding>>>;

/// An expression with its type.
#[derive(Debug)]
pub struct Expr {
    /// The kind of expression.
    pub kind: Kind,
    /// Its type: the values that it can have.
    pub ty: Type,
    /// Where it stands.
    pub place: Place,
    /// Whether it is a multiplicity: 1 for `some e` and its like, 2 for an arrow with multiplicities.
    pub mult: u8,
    /// How far-fetched this reading of the names in it is.
    pub(crate) weight: u32,
    /// How many nodes it has, those that are shared as often as they occur.
    pub(crate) size: u64,
    /// The errors in it.
    pub(crate) errors: Errors,
}

impl Expr {
    pub(crate) fn new(kind: Kind, ty: Type, place: Place, mult: u8, weight: u32, errors: Errors) -> E {
        let mut size = 1_u64;
        kind.each_part(&mut |part| size = size.saturating_add(part.size));
        Arc::new(Self { kind, ty, place, mult, weight, size, errors })
    }
}

/// A declaration in a quantifier or in parameters.
#[derive(Clone, Debug)]
pub struct Decl {
    /// The variables.
    pub vars: Vec<Arc<Var>>,
    /// The set that they range over.
    pub bound: E,
    /// Where `disj` stands, if it does.
    pub disjoint: Option<Place>,
}

/// The kinds of expressions.
#[derive(Debug, Clone)]
pub enum Kind {
    /// A signature.
    Sig(SigId),
    /// A field: a relation whose first column is its signature.
    Field(FieldId),
    /// A variable.
    Var(Arc<Var>),
    /// A number.
    Number(i64),
    /// A string.
    Text(Arc<str>),
    /// `iden`
    Iden,
    /// `fun/min`
    IntMin,
    /// `fun/max`
    IntMax,
    /// `fun/next`
    IntNext,
    /// An operator and its operand.
    Unary(UnOp, E),
    /// An operator between its operands.
    Binary(BinOp, E, E),
    /// An operator and its operands.
    List(ListOp, Vec<E>),
    /// One or the other.
    IfElse(E, E, E),
    /// A named value.
    Let(Arc<Var>, E, E),
    /// A quantified formula, sum or comprehension.
    Quant(Quant, Vec<Decl>, E),
    /// A call with all its arguments.
    Call(FuncId, Vec<E>),
    /// Several readings of a name, each with its declaration. Only while types are checked.
    Choice(Vec<(E, Declared)>),
    /// A call whose arguments are not all there, or do not fit. Only while types are checked.
    PartialCall(FuncId, Vec<E>),
    /// A macro whose arguments are not all there. Only while types are checked.
    PartialMacro(Arc<MacroDef>, Vec<E>),
    /// Something wrong. In a model without errors, a body, fact or goal that cannot be analysed yet.
    Bad,
}

impl Kind {
    /// Shows what an expression directly consists of.
    pub fn each_part(&self, see: &mut dyn FnMut(&E)) {
        match self {
            Self::Sig(_)
            | Self::Field(_)
            | Self::Var(_)
            | Self::Number(_)
            | Self::Text(_)
            | Self::Iden
            | Self::IntMin
            | Self::IntMax
            | Self::IntNext
            | Self::Bad => {}
            Self::Unary(_, a) => see(a),
            Self::Binary(_, a, b) | Self::Let(_, a, b) => {
                see(a);
                see(b);
            }
            Self::IfElse(a, b, c) => {
                see(a);
                see(b);
                see(c);
            }
            Self::List(_, parts)
            | Self::Call(_, parts)
            | Self::PartialCall(_, parts)
            | Self::PartialMacro(_, parts) => {
                for part in parts {
                    see(part);
                }
            }
            Self::Quant(_, decls, body) => {
                for decl in decls {
                    see(&decl.bound);
                }
                see(body);
            }
            Self::Choice(readings) => {
                for (reading, _) in readings {
                    see(reading);
                }
            }
        }
    }
}

/// The declaration that a name can stand for.
#[derive(Debug, Clone, Copy)]
pub enum Declared {
    /// A signature.
    Sig(SigId),
    /// A predicate or function.
    Func(FuncId),
    /// A predicate or function whose first argument is `this`.
    FuncOfThis(FuncId),
    /// A field.
    Field(FieldId),
}

/// A macro.
#[derive(Debug)]
pub struct MacroDef {
    /// As it was written.
    pub ast: ast::Macro,
    /// Where its names are looked up.
    pub module: ModuleId,
}

/// The signatures that a signature is part of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parent {
    /// It extends this one, or `univ`.
    Prim(SigId),
    /// It is a subset of the union of these; `true` if it is all of it.
    Subset(Vec<SigId>, bool),
}

/// Fields declared together.
#[derive(Clone, Debug)]
pub struct FieldDecl {
    /// The fields.
    pub fields: Vec<FieldId>,
    /// The bound of the values of each for an atom of the signature; may mention `this`.
    pub bound: E,
    /// Where `disj` stands before the names.
    pub disjoint: Option<Place>,
    /// Where `disj` stands before the bound.
    pub disjoint_range: Option<Place>,
}

/// A signature.
#[derive(Debug)]
pub struct Sig {
    /// Its name alone.
    pub name: String,
    /// Its name with that of its module: `this/A`, `ord/Ord`.
    pub label: String,
    /// Where it is declared; none for a built-in one.
    pub place: Option<Place>,
    /// The paragraph of its module that declares it; none for a built-in one, a parameter, and those of enumerations.
    pub(crate) paragraph: Option<usize>,
    /// Its module.
    pub module: ModuleId,
    /// The signatures that it is part of.
    pub parent: Parent,
    /// The signatures that extend it.
    pub children: Vec<SigId>,
    /// `abstract`
    pub is_abstract: bool,
    /// `one`, `lone` or `some`, and where it says so.
    pub mult: Option<(Mult, Place)>,
    /// `private`
    pub private: bool,
    /// Whether it is an enumeration.
    pub is_enum: bool,
    /// `var`
    pub is_variable: bool,
    /// Its type as an expression.
    pub ty: Type,
    /// Its fields.
    pub decls: Vec<FieldDecl>,
    /// The facts appended to it; may mention `this`.
    pub facts: Vec<E>,
    /// The `this` of fields and facts.
    pub this: Arc<Var>,
    /// Its documentation comment.
    pub doc: Option<Place>,
}

impl Sig {
    /// Whether it has this multiplicity.
    pub fn is(&self, mult: Mult) -> bool {
        self.mult.is_some_and(|(m, _)| m == mult)
    }

    /// Whether it is no subset signature.
    pub fn is_prim(&self) -> bool {
        matches!(self.parent, Parent::Prim(_))
    }
}

/// A field.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// The signature that has it.
    pub sig: SigId,
    /// Where it is declared.
    pub place: Place,
    /// `private`
    pub private: bool,
    /// `var`
    pub is_variable: bool,
    /// Its type, with the signature in front.
    pub ty: Type,
    /// Its documentation comment.
    pub doc: Option<Place>,
}

/// A predicate or function.
#[derive(Debug)]
pub struct Func {
    /// Its name.
    pub name: String,
    /// Its name with that of its module.
    pub label: String,
    /// Its module.
    pub module: ModuleId,
    /// Where its name is declared.
    pub place: Place,
    /// Whether it is a predicate.
    pub is_pred: bool,
    /// `private`
    pub private: bool,
    /// Its parameters.
    pub decls: Vec<Decl>,
    /// The bound of the result of a function.
    pub returns: Option<E>,
    /// Its body.
    pub body: E,
    /// Its documentation comment.
    pub doc: Option<Place>,
}

impl Func {
    /// The parameters one by one.
    pub fn params(&self) -> impl Iterator<Item = &Arc<Var>> {
        self.decls.iter().flat_map(|decl| &decl.vars)
    }

    /// How many parameters there are.
    pub fn count(&self) -> usize {
        self.decls.iter().map(|decl| decl.vars.len()).sum()
    }
}

/// A fact or an assertion.
#[derive(Debug)]
pub struct Statement {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its module.
    pub module: ModuleId,
    /// Where it is declared.
    pub place: Place,
    /// Its formula.
    pub body: E,
    /// Its documentation comment.
    pub doc: Option<Place>,
}

/// `but exactly 3 A`
#[derive(Clone, Debug)]
pub struct Scope {
    /// The signature.
    pub sig: SigId,
    /// How many atoms.
    pub size: i64,
    /// Whether it is exactly as many.
    pub exact: bool,
    /// Where it stands.
    pub place: Place,
}

/// A command.
#[derive(Debug)]
pub struct Command {
    /// Whether it runs or checks.
    pub kind: CommandKind,
    /// Its label, or the name of what it is about, or `run$1`.
    pub name: String,
    /// Where it stands.
    pub place: Place,
    /// The formula that it asks for beside the facts: of a check, the negation of the assertion.
    pub goal: E,
    /// `for N`
    pub overall: Option<i64>,
    /// `Int`
    pub bitwidth: Option<i64>,
    /// `seq`
    pub max_seq: Option<i64>,
    /// Where it says how many `steps` there are.
    pub steps: Option<Place>,
    /// The scopes of signatures.
    pub scopes: Vec<Scope>,
    /// `expect N`
    pub expect: Option<i64>,
    /// The predicate or function that a run is about, for the names of its arguments.
    pub func: Option<FuncId>,
}

impl Command {
    /// Returns the command that a model without commands is given: any instance.
    pub(crate) fn default_at(place: Place) -> Self {
        let truth = Kind::List(ListOp::And, Vec::new());
        Self {
            kind: CommandKind::Run,
            name: "Default".to_owned(),
            place,
            goal: Expr::new(truth, Type::formula(), place, 0, 0, None),
            overall: None,
            bitwidth: None,
            max_seq: None,
            steps: None,
            scopes: Vec::new(),
            expect: None,
            func: None,
        }
    }
}

/// A module that a module opens.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The name to use for it.
    pub alias: String,
    /// Which module.
    pub module: ModuleId,
    /// Whether only this module sees it.
    pub private: bool,
}

/// A module with its parameters bound.
#[derive(Debug)]
pub struct Module {
    /// How the root reaches it: aliases, joined by `/`; nothing for the root.
    pub path: String,
    /// Its file.
    pub file: FileId,
    /// Its syntax.
    pub ast: Arc<ast::File>,
    /// The name under which the library has it, if it comes from there.
    pub library: Option<&'static str>,
    /// Its parameters, what they are bound to, and whether that is exact.
    pub params: Vec<(String, Option<SigId>, bool)>,
    /// The modules that it opens.
    pub opens: Vec<Opened>,
    /// Its signatures.
    pub sigs: Vec<SigId>,
    /// Its predicates and functions.
    pub funcs: Vec<FuncId>,
    /// Its macros.
    pub macros: Vec<Arc<MacroDef>>,
    /// Its assertions, by index.
    pub asserts: Vec<usize>,
}

/// All that a model declares.
#[derive(Debug)]
pub struct World {
    /// Modules, the root first, in the order in which they are reached.
    pub modules: Vec<Module>,
    /// Signatures; the built-in ones first.
    pub sigs: Vec<Sig>,
    /// Which signature is below which.
    pub hierarchy: Hierarchy,
    /// Fields.
    pub fields: Vec<Field>,
    /// Predicates and functions.
    pub funcs: Vec<Func>,
    /// Facts.
    pub facts: Vec<Statement>,
    /// Assertions.
    pub asserts: Vec<Statement>,
    /// Commands of the root.
    pub commands: Vec<Command>,
    /// Signatures that a module wants to be exact.
    pub exact: Vec<SigId>,
}

impl World {
    /// A signature.
    pub fn sig(&self, sig: SigId) -> &Sig {
        &self.sigs[sig.index()]
    }

    /// A field.
    pub fn field(&self, field: FieldId) -> &Field {
        &self.fields[field.index()]
    }

    /// A predicate or function.
    pub fn func(&self, func: FuncId) -> &Func {
        &self.funcs[func.index()]
    }

    /// A module.
    pub fn module(&self, module: ModuleId) -> &Module {
        &self.modules[module.index()]
    }

    /// Whether anything in it changes: it has a `var`.
    pub fn changes(&self) -> bool {
        self.sigs.iter().any(|sig| sig.is_variable) || self.fields.iter().any(|field| field.is_variable)
    }

    /// The signatures that are not built in, in the order of modules and declarations.
    pub fn user_sigs(&self) -> impl Iterator<Item = SigId> + '_ {
        self.modules.iter().flat_map(|module| module.sigs.iter().copied())
    }

    /// A type in the words of the model.
    pub fn show_type(&self, ty: &Type) -> String {
        ty.show(|sig| self.short(sig).to_owned())
    }

    /// The name of a signature, without `this/`.
    pub fn short(&self, sig: SigId) -> &str {
        let label = &self.sig(sig).label;
        label.strip_prefix("this/").unwrap_or(label)
    }

    /// A declaration in words.
    pub(crate) fn describe(&self, declared: Declared) -> String {
        let call = |func: FuncId, this: &str| {
            let func = self.func(func);
            let what = if func.is_pred { "predicate" } else { "function" };
            format!("{what} `{this}{}`", func.name)
        };
        match declared {
            Declared::Sig(sig) => format!("signature `{}`", self.short(sig)),
            Declared::Func(func) => call(func, ""),
            Declared::FuncOfThis(func) => call(func, "this."),
            Declared::Field(field) => {
                let field = self.field(field);
                format!("field `{}` of `{}`", field.name, self.short(field.sig))
            }
        }
    }

    /// Whether a signature is this one or below it.
    pub fn is_same_or_below(&self, sig: SigId, above: SigId) -> bool {
        sig == above
            || match &self.sig(sig).parent {
                Parent::Prim(SigId::UNIV) if sig == SigId::UNIV => false,
                Parent::Prim(parent) => above == SigId::UNIV || self.is_same_or_below(*parent, above),
                Parent::Subset(parents, _) => {
                    parents.iter().any(|&parent| self.is_same_or_below(parent, above))
                }
            }
    }
}
