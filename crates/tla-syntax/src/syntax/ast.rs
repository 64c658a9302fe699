//! The tree of a module, as written: nothing resolved, nothing simplified, a place on every node.

use locus_source::Span;

/// A name where it stands. Operator symbols are spelt in their canonical form (`\cup`, not `\union` or `∪`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name.
    pub text: Box<str>,
    /// Where it stands.
    pub span: Span,
}

/// A module, from its first dashes to its `====`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its name.
    pub name: Ident,
    /// The modules behind `EXTENDS`.
    pub extends: Vec<Ident>,
    /// Its units in order.
    pub units: Vec<Unit>,
    /// The whole of it.
    pub span: Span,
}

/// One declaration, definition or statement of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The kind of unit.
    pub kind: UnitKind,
    /// Where `LOCAL` stands, if it does.
    pub local: Option<Span>,
    /// The whole of it.
    pub span: Span,
}

/// The kind of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnitKind {
    /// `CONSTANT N, Op(_)`.
    Constants(Vec<Declaration>),
    /// `VARIABLES x, y`.
    Variables(Vec<Ident>),
    /// `RECURSIVE F(_)`.
    Recursive(Vec<Declaration>),
    /// `Op(x) == …`, `f[x \in S] == …`, `I(x) == INSTANCE M`.
    Definition(Definition),
    /// `INSTANCE M WITH …`.
    Instance(Instance),
    /// `ASSUME name == P`.
    Assumption {
        /// Whether it says `AXIOM`: that is for proofs, and not checked.
        axiom: bool,
        /// Its name, if it has one.
        name: Option<Ident>,
        /// The assumed statement.
        body: Statement,
    },
    /// `THEOREM name == P`.
    Theorem {
        /// Its name, if it has one.
        name: Option<Ident>,
        /// The claimed statement.
        body: Statement,
        /// Its proof, if there is one.
        proof: Option<Proof>,
    },
    /// A module within the module.
    Module(Module),
    /// `USE` or `HIDE`, which only concern proofs.
    UseOrHide(Facts),
}

/// The claim of a theorem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// A formula.
    Formula(Expr),
    /// `ASSUME … PROVE …`, which no checker evaluates.
    AssumeProve(Box<AssumeProve>),
}

/// `ASSUME … PROVE …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssumeProve {
    /// The assumptions.
    pub assumptions: Vec<Hypothesis>,
    /// The formula that is claimed under them.
    pub goal: Expr,
    /// The whole of it.
    pub span: Span,
}

/// One of the things that are assumed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hypothesis {
    /// A formula.
    Formula(Expr),
    /// Something to be proved in turn.
    AssumeProve(Box<AssumeProve>),
    /// `NEW x \in S`: a name for what is left open.
    New {
        /// The name.
        declaration: Declaration,
        /// The set it is an element of, if that is said.
        set: Option<Expr>,
    },
}

/// A proof. It proves nothing to a checker, but what it names has to be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// `OBVIOUS` or `OMITTED`.
    Nothing,
    /// `BY …`.
    By(Facts),
    /// Steps up to a `QED`.
    Steps(Vec<ProofStep>),
}

/// The facts behind `BY`, `USE` and `HIDE`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Whether they follow `HIDE`.
    pub hidden: bool,
    /// Theorems, assumptions, steps and formulas.
    pub facts: Vec<Fact>,
    /// Behind `DEF`: definitions.
    pub definitions: Vec<Fact>,
}

/// Something that a proof uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// `MODULE M`.
    Module(Ident),
    /// A formula, or a name.
    Expr(Expr),
}

/// A step of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofStep {
    /// Its name as others refer to it, `<1>2`, if it has one.
    pub name: Option<Ident>,
    /// The kind of step.
    pub kind: StepKind,
    /// Its own proof, if there is one.
    pub proof: Option<Proof>,
}

/// The kind of a step of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// `QED`.
    Qed,
    /// `DEFINE …`.
    Define(Vec<Unit>),
    /// `USE …` or `HIDE …`.
    UseOrHide(Facts),
    /// `INSTANCE …`.
    Instance(Instance),
    /// `HAVE e`, `CASE e`, and `WITNESS e, …`.
    Exprs(Vec<Expr>),
    /// `TAKE x \in S`.
    Take(Vec<Bound>),
    /// `PICK x \in S : P`.
    Pick(Vec<Bound>, Expr),
    /// A claim, or with `SUFFICES` (true) a statement that will be proved instead.
    Assert(bool, Statement),
}

/// A declared operator: its name and how many arguments it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The name; for `_+_` the symbol.
    pub name: Ident,
    /// How many arguments it takes.
    pub arity: u32,
}

/// The definition of an operator, a function or an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name; for `a + b == …` the symbol, for a prefix minus `-.`.
    pub name: Ident,
    /// The parameters. For a function none: its arguments are in the body.
    pub params: Vec<Declaration>,
    /// The body.
    pub body: DefinitionBody,
    /// The whole of it.
    pub span: Span,
}

/// The body of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DefinitionBody {
    /// `== e`.
    Operator(Expr),
    /// `f[x \in S] == e`.
    Function {
        /// The arguments.
        bounds: Vec<Bound>,
        /// The value.
        value: Expr,
    },
    /// `== INSTANCE M WITH …`.
    Instance(Instance),
}

/// `INSTANCE M WITH a <- e`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The module.
    pub module: Ident,
    /// The substitutions behind `WITH`.
    pub substitutions: Vec<Substitution>,
    /// From `INSTANCE` to the end.
    pub span: Span,
}

/// `name <- value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Substitution {
    /// A constant or variable of the instantiated module.
    pub name: Ident,
    /// The value that stands for it: an expression, or an operator where `name` is one.
    pub value: Expr,
}

/// Variables bound together: `x, y \in S`, `<<x, y>> \in S`, or `x, y` without a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The variables.
    pub names: Vec<Ident>,
    /// Whether they stand in `<<…>>`, and so take apart one element.
    pub tuple: bool,
    /// The set, unless unbounded.
    pub set: Option<Expr>,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// The kind of expression.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// A part of a compound name, or the whole of a simple one: `Op(x)` in `Inst(y)!Op(x)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePart {
    /// The name, or the selector.
    pub name: PartName,
    /// The arguments, in the order written.
    pub args: Vec<Expr>,
    /// The whole of the part.
    pub span: Span,
}

/// The part of a name between two `!`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartName {
    /// A name or an operator symbol.
    Name(Ident),
    /// A subexpression selector: a number, `<<`, `>>`, `@`, `:` or arguments alone.
    Selector(Span),
}

/// The kind of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A number in decimal digits, however it was written.
    Number(Box<str>),
    /// A number with a decimal point, as written.
    Decimal(Box<str>),
    /// A string, with its escapes replaced.
    String(Box<str>),
    /// A name, an operator applied, or a compound name.
    Name(Vec<NamePart>),
    /// A bare operator symbol as an argument, such as `+` in `Fold(+, S)`.
    Operator(Ident),
    /// `LAMBDA x, y : e`.
    Lambda {
        /// The parameters.
        params: Vec<Ident>,
        /// The body.
        body: Box<Expr>,
    },
    /// A prefix operator.
    Prefix {
        /// The symbol.
        op: Ident,
        /// The operand.
        arg: Box<Expr>,
    },
    /// An infix operator.
    Infix {
        /// The symbol.
        op: Ident,
        /// The left operand.
        left: Box<Expr>,
        /// The right operand.
        right: Box<Expr>,
    },
    /// A postfix operator.
    Postfix {
        /// The symbol.
        op: Ident,
        /// The operand.
        arg: Box<Expr>,
    },
    /// `A \X B \X C`: one product of three, not a product of products.
    Times(Vec<Expr>),
    /// `( e )`, kept because parentheses matter to precedence and to products.
    Paren(Box<Expr>),
    /// A list of conjuncts or disjuncts aligned by column.
    Junction {
        /// Whether by `/\`.
        and: bool,
        /// The items.
        items: Vec<Expr>,
    },
    /// `\A` or `\E` with bounds.
    Quantifier {
        /// Whether `\A`.
        forall: bool,
        /// The variables.
        bounds: Vec<Bound>,
        /// The body.
        body: Box<Expr>,
    },
    /// `\AA` or `\EE`.
    TemporalQuantifier {
        /// Whether `\AA`.
        forall: bool,
        /// The variables.
        names: Vec<Ident>,
        /// The body.
        body: Box<Expr>,
    },
    /// `CHOOSE x \in S : P`.
    Choose {
        /// The variables.
        bound: Box<Bound>,
        /// The condition.
        body: Box<Expr>,
    },
    /// `{a, b}`.
    SetOf(Vec<Expr>),
    /// `{x \in S : P}`.
    Filter {
        /// The variable.
        bound: Box<Bound>,
        /// The condition.
        body: Box<Expr>,
    },
    /// `{e : x \in S}`.
    Map {
        /// The element.
        body: Box<Expr>,
        /// The variables.
        bounds: Vec<Bound>,
    },
    /// `[x \in S |-> e]`.
    Function {
        /// The arguments.
        bounds: Vec<Bound>,
        /// The value.
        body: Box<Expr>,
    },
    /// `[S -> T]`.
    FunctionSet(Box<Expr>, Box<Expr>),
    /// `[a |-> 1]`.
    Record(Vec<(Ident, Expr)>),
    /// `[a : S]`.
    RecordSet(Vec<(Ident, Expr)>),
    /// `[f EXCEPT ![x].a = e]`.
    Except {
        /// The function.
        base: Box<Expr>,
        /// The changes, in order.
        updates: Vec<Update>,
    },
    /// `f[x, y]`.
    Apply {
        /// The function.
        function: Box<Expr>,
        /// The arguments; more than one stand for their tuple.
        args: Vec<Expr>,
    },
    /// `r.field`.
    Field {
        /// The record.
        record: Box<Expr>,
        /// The field.
        field: Ident,
    },
    /// `<<a, b>>`.
    Tuple(Vec<Expr>),
    /// `[A]_v` or `<<A>>_v`.
    ActionBox {
        /// Whether `<<A>>_v`.
        angle: bool,
        /// The action.
        action: Box<Expr>,
        /// The subscript.
        subscript: Box<Expr>,
    },
    /// `WF_v(A)` or `SF_v(A)`.
    Fairness {
        /// Whether `SF_`.
        strong: bool,
        /// The subscript.
        subscript: Box<Expr>,
        /// The action.
        action: Box<Expr>,
    },
    /// `IF p THEN a ELSE b`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `CASE p -> a [] OTHER -> b`.
    Case {
        /// Conditions and values.
        arms: Vec<(Expr, Expr)>,
        /// The value after `OTHER`.
        other: Option<Box<Expr>>,
    },
    /// `LET … IN e`.
    Let {
        /// Definitions, `RECURSIVE` declarations and instances.
        units: Vec<Unit>,
        /// The body.
        body: Box<Expr>,
    },
    /// `name(x) :: e`.
    Label {
        /// The label.
        name: Ident,
        /// Its parameters.
        params: Vec<Ident>,
        /// The expression.
        body: Box<Expr>,
    },
    /// `@` within `EXCEPT`.
    At,
    /// Something that could not be read; a finding says why.
    Error,
}

/// One change of an `EXCEPT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// The way to the place that changes.
    pub path: Vec<PathStep>,
    /// The new value.
    pub value: Expr,
    /// The whole of it.
    pub span: Span,
}

/// One step of the way in an `EXCEPT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathStep {
    /// `[x, y]`.
    Index(Vec<Expr>, Span),
    /// `.field`.
    Field(Ident),
}
