//! The syntax tree: a file as it was written, every node with its span.
//!
//! Names are not resolved here and nothing has a type. Long chains of `+`, `and` and `or` are flat lists, so that
//! the depth of a tree is what a reader would call its nesting.

use std::sync::Arc;

use locus_source::Span;

/// A name as written, with its path: `x`, `this/x`, `ord/first`, `@x`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The text, without spaces.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// How many tuples a column of an arrow has for each of the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mult {
    /// Any number: `set`, or nothing said.
    Set,
    /// At most one.
    Lone,
    /// Exactly one.
    One,
    /// At least one.
    Some,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnOp {
    /// `!`
    Not,
    /// `no e`
    No,
    /// `some e`
    Some,
    /// `lone e`
    Lone,
    /// `one e`
    One,
    /// `some` in a declaration
    SomeOf,
    /// `lone` in a declaration
    LoneOf,
    /// `one` in a declaration
    OneOf,
    /// `set` in a declaration
    SetOf,
    /// a field declared by `=`
    ExactlyOf,
    /// `~e`
    Transpose,
    /// `^e`
    Closure,
    /// `*e`
    ReflexiveClosure,
    /// `#e`
    Cardinality,
    /// `int[e]`, `sum[e]`: the sum of a set of integers
    Sum,
    /// `e'`
    Prime,
    /// `always`
    Always,
    /// `eventually`
    Eventually,
    /// `after`
    After,
    /// `before`
    Before,
    /// `historically`
    Historically,
    /// `once`
    Once,
}

impl UnOp {
    /// Whether it asks about other moments than the one in which it is said.
    pub fn is_temporal(self) -> bool {
        matches!(self, Self::Prime) || (self.is_connective() && self != Self::Not)
    }

    /// Whether it makes a formula of a formula.
    pub fn is_connective(self) -> bool {
        matches!(
            self,
            Self::Not
                | Self::Always
                | Self::Eventually
                | Self::After
                | Self::Before
                | Self::Historically
                | Self::Once
        )
    }
}

impl BinOp {
    /// Whether it asks about other moments than the one in which it is said.
    pub fn is_temporal(self) -> bool {
        matches!(self, Self::Until | Self::Since | Self::Triggered | Self::Releases)
    }
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinOp {
    /// `<=>`
    Iff,
    /// `=>`
    Implies,
    /// `in`
    In,
    /// `!in`
    NotIn,
    /// `=`
    Equals,
    /// `!=`
    NotEquals,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `!<`
    NotLess,
    /// `!<=`
    NotLessEqual,
    /// `!>`
    NotGreater,
    /// `!>=`
    NotGreaterEqual,
    /// `<<`
    ShiftLeft,
    /// `>>>`
    ShiftRight,
    /// `>>`
    ShiftArithmetic,
    /// `-` of sets
    Minus,
    /// `fun/add`
    IntPlus,
    /// `fun/sub`
    IntMinus,
    /// `fun/mul`
    Mul,
    /// `fun/div`
    Div,
    /// `fun/rem`
    Rem,
    /// `++`
    Override,
    /// `&`
    Intersect,
    /// `->`, with what is said of its left and of its right
    Arrow(Mult, Mult),
    /// `seq e`: sequences of `e`
    SeqArrow,
    /// `<:`
    Domain,
    /// `:>`
    Range,
    /// `.`, and boxes: the argument is on the left
    Join,
    /// `until`
    Until,
    /// `since`
    Since,
    /// `triggered`
    Triggered,
    /// `releases`
    Releases,
}

/// Operators with any number of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListOp {
    /// `and`, and the formulas of a block
    And,
    /// `or`
    Or,
    /// `+`
    Union,
    /// `disj[…]`
    Disjoint,
    /// `pred/totalOrder[elem, first, next]`
    TotalOrder,
}

/// Quantifiers and their kin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quant {
    /// `all`
    All,
    /// `no`
    No,
    /// `lone`
    Lone,
    /// `one`
    One,
    /// `some`
    Some,
    /// `sum`
    Sum,
    /// `{ x: e | f }`
    Comprehension,
}

/// A declaration `disj x, y: disj bound`.
#[derive(Clone, Debug, PartialEq)]
pub struct Decl {
    /// `private`
    pub private: Option<Span>,
    /// `var`
    pub var: Option<Span>,
    /// `disj` before the names: their values have nothing in common
    pub disjoint: Option<Span>,
    /// `disj` before the bound: the values of different atoms have nothing in common
    pub disjoint_range: Option<Span>,
    /// The names.
    pub names: Vec<Name>,
    /// The set that they range over.
    pub bound: Expr,
    /// The documentation comment before it.
    pub doc: Option<Span>,
}

/// An expression or formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The kind of expression.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
    /// How many nodes lie above each other in it.
    pub depth: u16,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A name; also `this`, `univ`, `none`, `iden`, `Int`, `String`, `seq/Int`.
    Name(String),
    /// A number.
    Number(i64),
    /// A string, without its quotes.
    Text(String),
    /// `fun/min`
    IntMin,
    /// `fun/max`
    IntMax,
    /// `fun/next`
    IntNext,
    /// An operator and its operand.
    Unary(UnOp, Box<Expr>),
    /// An operator between its operands.
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// An operator and any number of operands.
    List(ListOp, Vec<Expr>),
    /// `target[args]`
    Box(Box<Expr>, Vec<Expr>),
    /// `{ … }`: all of these
    Block(Vec<Expr>),
    /// `c => a else b`
    IfElse(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `let name = value | body`
    Let(Name, Box<Expr>, Box<Expr>),
    /// A quantified formula, a sum or a comprehension.
    Quant(Quant, Vec<Decl>, Box<Expr>),
}

/// `module name[parameters]`
#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    /// Its name.
    pub name: Name,
    /// Parameters, and whether they are `exactly`.
    pub parameters: Vec<(Name, bool)>,
}

/// `open name[arguments] as alias`
#[derive(Clone, Debug, PartialEq)]
pub struct Open {
    /// Which module.
    pub name: Name,
    /// The signatures for its parameters.
    pub arguments: Vec<Name>,
    /// The name to use for it here.
    pub alias: Option<Name>,
    /// Whether only this module sees it.
    pub private: bool,
    /// All of it.
    pub span: Span,
}

/// The signatures that a signature is part of.
#[derive(Clone, Debug, PartialEq)]
pub enum Parents {
    /// Of nothing else.
    Top,
    /// `extends`
    Extends(Name),
    /// `in A + B`
    Subset(Vec<Name>),
    /// `= A + B`
    Exactly(Vec<Name>),
}

/// Signatures declared together.
#[derive(Clone, Debug, PartialEq)]
pub struct Sig {
    /// `abstract`
    pub is_abstract: Option<Span>,
    /// `lone`, `one` or `some`
    pub mult: Option<(Mult, Span)>,
    /// `private`
    pub private: Option<Span>,
    /// `var`
    pub var: Option<Span>,
    /// Their names.
    pub names: Vec<Name>,
    /// The signatures that they are part of.
    pub parents: Parents,
    /// Their fields.
    pub fields: Vec<Decl>,
    /// The facts appended to them.
    pub fact: Option<Expr>,
    /// The documentation comment before them.
    pub doc: Option<Span>,
    /// All of it.
    pub span: Span,
}

/// `enum Name { A, B }`
#[derive(Clone, Debug, PartialEq)]
pub struct Enum {
    /// Its name.
    pub name: Name,
    /// Its members, in their order.
    pub members: Vec<Name>,
    /// `private`
    pub private: Option<Span>,
    /// The documentation comment before it.
    pub doc: Option<Span>,
    /// All of it.
    pub span: Span,
}

/// A predicate or function.
#[derive(Clone, Debug, PartialEq)]
pub struct Func {
    /// Its name.
    pub name: Name,
    /// `Sig.` before the name.
    pub receiver: Option<Name>,
    /// Its parameters.
    pub parameters: Vec<Decl>,
    /// The bound of the result of a function; a predicate has none.
    pub returns: Option<Expr>,
    /// Its body.
    pub body: Expr,
    /// `private`
    pub private: Option<Span>,
    /// The documentation comment before it.
    pub doc: Option<Span>,
    /// All of it.
    pub span: Span,
}

/// `let name[parameters] = body` outside of an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Macro {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Name>,
    /// Its body.
    pub body: Expr,
    /// `private`
    pub private: Option<Span>,
    /// All of it.
    pub span: Span,
}

/// A fact or an assertion.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// Its formula.
    pub body: Expr,
    /// The documentation comment before it.
    pub doc: Option<Span>,
    /// All of it.
    pub span: Span,
}

/// The kind of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandKind {
    /// Find an instance.
    Run,
    /// Find a counterexample.
    Check,
}

/// The paragraph or formula that a command is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// A predicate, function or assertion.
    Name(Name),
    /// A formula of its own.
    Block(Expr),
}

/// `exactly 3 A`, `2..5 A`
#[derive(Clone, Debug, PartialEq)]
pub struct Scope {
    /// Of which signature, or `Int`, `seq`, `String`, `steps`.
    pub name: Name,
    /// The number, or where a range starts.
    pub start: i64,
    /// Where a range ends; the same as `start` without one, none if it is open.
    pub end: Option<i64>,
    /// By how much it grows.
    pub increment: i64,
    /// Whether it is `exactly` that many.
    pub exact: bool,
    /// All of it.
    pub span: Span,
}

/// A command.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// Whether it runs or checks.
    pub kind: CommandKind,
    /// Its label, if it has one.
    pub label: Option<Name>,
    /// The paragraph or formula that it is about.
    pub target: Target,
    /// `for N`
    pub overall: Option<(i64, Span)>,
    /// The scopes of signatures and built-in sets.
    pub scopes: Vec<Scope>,
    /// `expect N`
    pub expect: Option<i64>,
    /// All of it.
    pub span: Span,
}

/// Everything that a file declares after its `open`s. Large ones are shared by all copies.
#[derive(Clone, Debug, PartialEq)]
pub enum Paragraph {
    /// Signatures.
    Sig(Arc<Sig>),
    /// An enumeration.
    Enum(Enum),
    /// A fact.
    Fact(Arc<Formula>),
    /// An assertion.
    Assert(Arc<Formula>),
    /// A predicate or function.
    Func(Arc<Func>),
    /// A macro.
    Macro(Macro),
    /// A command.
    Command(Command),
}

/// A whole file.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct File {
    /// `module …`
    pub module: Option<Module>,
    /// `open …`
    pub opens: Vec<Open>,
    /// The rest, in its order.
    pub paragraphs: Vec<Paragraph>,
    /// Where `seq` makes sequences, which opens `util/sequniv`.
    pub uses_seq: Option<Span>,
}
