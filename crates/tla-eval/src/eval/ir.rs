//! The intermediate form that is evaluated: no names, every local has a slot.
//!
//! All slots of a compiled specification live in one flat frame ([`super::Context::slots`]). Operators are expanded
//! where they are applied, so that each use has slots of its own; an operator that is recursive is a [`Code`],
//! whose range of slots is set aside and restored around each call. There are two kinds of trees: [`Node`]s give a
//! value, [`Act`]s give the ways in which the variables of the next (or initial) state can get their values.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use locus_source::Place;

use crate::value::{Arithmetic, Fault, FaultKind, Outcome, SetRef, Symbol, Value};

use super::Context;
use super::coverage::PointId;

/// The number of a slot in the frame.
pub type Slot = u32;
/// The number of a variable in the state.
pub type Var = u32;

/// The number of an expression: no other expression of a specification has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(u32);

/// The number of an action, or a part of one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ActId(u32);

/// A number that was not given before. A specification has far fewer parts than there are
/// numbers, and gets them one soon after the other, so that two parts of it have different ones even where numbers
/// begin again.
pub(crate) fn new_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// An expression.
#[derive(Debug)]
pub struct Node {
    /// Its effect.
    pub kind: Kind,
    /// Where it is in the text.
    pub place: Place,
    /// Its number.
    pub id: NodeId,
}

impl Node {
    /// An expression with a number of its own.
    pub fn new(kind: Kind, place: Place) -> Self {
        Self { kind, place, id: NodeId(new_number()) }
    }
}

/// An operator of a standard module on one value.
pub type Unary = fn(&Context, &Value) -> Outcome<Value>;
/// An operator of a standard module on two values.
pub type Binary = fn(&Context, &Value, &Value) -> Outcome<Value>;
/// An operator of a standard module on values.
pub type Native = fn(&mut Context, &[Value]) -> Outcome<Value>;
/// An operator of a standard module that takes operators.
pub type NativeOver = fn(&mut Context, &[Value], &[Lambda]) -> Outcome<Value>;

/// The operation of an expression.
#[derive(Debug)]
pub enum Kind {
    /// A literal.
    Const(Value),
    /// The same in every state: evaluated when first needed.
    Cell(Arc<Cell>),
    /// A variable.
    Var(Var),
    /// A variable in the next state.
    Primed(Var),
    /// A bound variable.
    Slot(Slot),
    /// A parameter of a recursive operator: may hold a failed evaluation.
    Param(Slot),
    /// A definition or argument that is evaluated at most once while its slot is not reset.
    Lazy(Slot, Arc<Node>),
    /// A definition or argument that is evaluated each time it is used.
    ByName(Arc<Node>),
    /// Does what an entry asks for, then evaluates.
    Scope(Entry, Box<Node>),
    /// `~ e`.
    Not(Box<Node>),
    /// A conjunction, from left to right.
    And(Box<[Node]>),
    /// A disjunction, from left to right.
    Or(Box<[Node]>),
    /// `a => b`.
    Implies(Box<[Node; 2]>),
    /// `a <=> b`.
    Equiv(Box<[Node; 2]>),
    /// `a = b`.
    Equal(Box<[Node; 2]>),
    /// `a # b`.
    Unequal(Box<[Node; 2]>),
    /// `a \in b`.
    In(Box<[Node; 2]>),
    /// `a \notin b`.
    NotIn(Box<[Node; 2]>),
    /// `a \subseteq b`.
    Subset(Box<[Node; 2]>),
    /// `a \cup b`.
    Cup(Box<[Node; 2]>),
    /// `a \cap b`.
    Cap(Box<[Node; 2]>),
    /// `a \ b`.
    Minus(Box<[Node; 2]>),
    /// `SUBSET e`.
    PowerSet(Box<Node>),
    /// `UNION e`.
    Union(Box<Node>),
    /// `DOMAIN e`.
    Domain(Box<Node>),
    /// `IF a THEN b ELSE c`.
    If(Box<[Node; 3]>),
    /// `CASE` with its arms and `OTHER`.
    Case(Box<[(Node, Node)]>, Option<Box<Node>>),
    /// `\A` (true) or `\E`.
    Quantifier(bool, Box<Loop>),
    /// `CHOOSE x \in S : p`.
    Choose(Box<Bind>, Box<Node>),
    /// `CHOOSE` without a set.
    ChooseUnbounded,
    /// `{a, b}`.
    SetOf(Box<[Node]>),
    /// `{x \in S : p}`.
    Filter(Arc<(Bind, Node)>),
    /// `{e : x \in S}`.
    Map(Box<Loop>),
    /// `[x \in S |-> e]`.
    Function(Arc<FunctionNode>),
    /// `[S -> T]`.
    FunctionSet(Box<[Node; 2]>),
    /// The names of the fields, sorted, and the values.
    Record(Arc<Cell>, Box<[Node]>),
    /// `[a : S, b : T]`: the names of the fields, and the sets.
    RecordSet(SetRef, Box<[Node]>),
    /// `[f EXCEPT ...]`.
    Except(Box<Node>, Box<[Change]>),
    /// `f[e]`.
    Index(Box<[Node; 2]>),
    /// `r.a`.
    Field(Box<Node>, FieldName),
    /// `<<a, b>>`.
    Tuple(Box<[Node]>),
    /// `S \X T`.
    Times(Box<[Node]>),
    /// An operation on integers.
    Arithmetic(Arithmetic, Box<[Node; 2]>),
    /// `<`, `<=`, `>`, `>=` as the orderings that make it true.
    Compare(Comparison, Box<[Node; 2]>),
    /// `a .. b`.
    Range(Box<[Node; 2]>),
    /// `-e`.
    Negate(Box<Node>),
    /// An operator of a standard module on one value, and on two.
    Unary(Unary, Box<Node>),
    /// An operator of a standard module on two values.
    Binary(Binary, Box<[Node; 2]>),
    /// An operator of a standard module on values.
    Native(Native, Box<[Node]>),
    /// An operator of a standard module on values and operators.
    NativeOver(NativeOver, Box<[Node]>, Box<[Lambda]>),
    /// A recursive operator with its arguments.
    Call(Arc<Code>, Box<[Node]>),
    /// `ENABLED` of an action.
    Enabled(Box<Act>),
    /// `UNCHANGED` of variables.
    Unchanged(Box<[Var]>),
    /// Evaluates in the next state, its own next state being unknown.
    InNext(Box<Node>),
    /// A shadow variable of `ENABLED`: the next value of an instantiated module's variable.
    Shadow(Slot),
    /// Two actions one after the other, as a relation between this state and the next.
    Composed(Box<(Act, Node)>),
    /// Something that is not a value of a state or step; says what.
    Refuse(Box<str>),
}

/// The actions before an expression or action is evaluated.
#[derive(Debug, Default)]
pub struct Entry {
    /// The slots of lazy definitions that are forgotten.
    pub reset: Box<[Slot]>,
    /// Where the evaluation is counted.
    pub point: Option<PointId>,
}

impl From<Box<[Slot]>> for Entry {
    fn from(reset: Box<[Slot]>) -> Self {
        Self { reset, point: None }
    }
}

/// The name of a field, and where it was found first. Most records that come to one place of a specification have the
/// same fields. It does not change again, so that workers do not wait for each other.
#[derive(Debug)]
pub struct FieldName {
    /// The name.
    pub name: Symbol,
    place: AtomicU32,
}

impl FieldName {
    /// A name that was not found yet.
    pub fn new(name: Symbol) -> Self {
        Self { name, place: AtomicU32::new(u32::MAX) }
    }

    /// The value of the field in a record, if it has it.
    #[inline]
    pub fn of<'a>(&self, record: &'a Value) -> Option<&'a Value> {
        let guess = self.place.load(Ordering::Relaxed);
        let (at, value) = record.field(self.name, guess as usize)?;
        if guess == u32::MAX {
            self.place.store(at as u32, Ordering::Relaxed);
        }
        Some(value)
    }
}

/// A comparison of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// `<`.
    Less,
    /// `<=`.
    LessEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterEqual,
}

impl Comparison {
    /// Its symbol.
    pub fn name(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
        }
    }

    /// Whether it is true of two numbers in this order.
    #[inline]
    pub fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Self::Less => order.is_lt(),
            Self::LessEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterEqual => order.is_ge(),
        }
    }
}

/// A constant expression and, once evaluated, its value.
#[derive(Debug)]
pub struct Cell {
    /// Its number among the cells of the specification.
    pub number: u32,
    /// The expression.
    pub node: Node,
    /// Its value, once it is known.
    pub value: OnceLock<Outcome<Value>>,
    /// Whether the value is left to chance, so that evaluating it once more would give another one.
    pub by_chance: bool,
}

/// Variables bound over one set.
#[derive(Debug)]
pub struct Bind {
    /// The variables that an element is bound to.
    pub pattern: Pattern,
    /// The set.
    pub set: Node,
}

/// The variables that take an element of a set.
#[derive(Debug)]
pub enum Pattern {
    /// A variable.
    One(Slot),
    /// Variables for the components of a tuple.
    Tuple(Box<[Slot]>),
}

/// Nested iteration: the sets do not see the variables.
#[derive(Debug)]
pub struct Loop {
    /// The bounds.
    pub binds: Box<[Bind]>,
    /// The body.
    pub body: Node,
    /// For messages: the name of each slot.
    pub names: Box<[(Slot, Box<str>)]>,
}

/// `[x \in S |-> e]`.
#[derive(Debug)]
pub struct FunctionNode {
    /// The bounds.
    pub binds: Box<[Bind]>,
    /// The body.
    pub body: Node,
    /// The slot of the function itself, if it is recursive.
    pub this: Option<Slot>,
    /// The slots that the body uses, from the first to the one after the last.
    pub range: (Slot, Slot),
    /// The slots of the surroundings that the body uses.
    pub free: Box<[Slot]>,
    /// Where it is in the text.
    pub place: Place,
}

/// One change of an `EXCEPT`.
#[derive(Debug)]
pub struct Change {
    /// The arguments that lead to the part that changes.
    pub path: Box<[Node]>,
    /// The slot of `@`, the old value, if it is used.
    pub at: Option<Slot>,
    /// The new value.
    pub value: Node,
}

/// An operator as an argument of a native one.
#[derive(Debug)]
pub struct Lambda {
    /// The slots of the parameters.
    pub params: Box<[Slot]>,
    /// The body.
    pub body: Node,
}

/// Facts about the parameters of a recursive operator. They are values; under a prime, a value stands for itself, but
/// an argument that reads the state would not.
#[derive(Debug, Default)]
pub struct Params {
    /// Their slots.
    pub slots: Box<[Slot]>,
    /// Whether one is used under a prime.
    pub primed: AtomicBool,
    /// Whether an argument reads the state somewhere.
    pub vary: AtomicBool,
}

impl Params {
    /// Parameters in these slots, of which nothing else is known yet.
    pub fn new(slots: Vec<Slot>) -> Self {
        Self { slots: slots.into(), ..Self::default() }
    }

    /// Refuses what cannot be evaluated with values for parameters.
    #[inline]
    pub fn check(&self) -> Outcome<()> {
        if self.primed.load(Ordering::Relaxed) && self.vary.load(Ordering::Relaxed) {
            let what = "a parameter of a recursive operator under a prime, where an argument reads the state";
            return Err(Fault::kind(FaultKind::Unsupported(what.to_owned())));
        }
        Ok(())
    }
}

/// A recursive operator.
#[derive(Debug)]
pub struct Code {
    /// The name.
    pub name: Box<str>,
    /// Where it is in the text.
    pub place: Place,
    /// The parameters.
    pub params: Params,
    /// Set once the body is compiled.
    pub body: OnceLock<Body>,
}

/// The body of a recursive operator with the range of slots it uses.
#[derive(Debug)]
pub struct Body {
    /// The expression.
    pub node: Node,
    /// The first slot, and the one after the last.
    pub range: (Slot, Slot),
}

/// A way to give variables of the next state their values.
#[derive(Debug)]
pub struct Act {
    /// Its effect.
    pub kind: ActKind,
    /// Its number.
    pub id: ActId,
}

impl From<ActKind> for Act {
    fn from(kind: ActKind) -> Self {
        Self { kind, id: ActId(new_number()) }
    }
}

/// The ways there are.
#[derive(Debug)]
pub enum ActKind {
    /// Must be true.
    Guard(Node),
    /// `x' = e`.
    Assign(Var, Node),
    /// `x' \in S`.
    Among(Var, Node),
    /// The same for a shadow variable.
    AssignShadow(Slot, Node),
    /// `x' \in S` for a shadow variable.
    AmongShadow(Slot, Node),
    /// `UNCHANGED`, and where it says so.
    Keep(Box<[Var]>, Place),
    /// A conjunction.
    Seq(Box<[Act]>),
    /// A disjunction.
    Or(Box<[Act]>),
    /// The same, if most begin by asking for a value of the same thing.
    Choice(Box<Choice>),
    /// `\E`.
    Exists(Box<[Bind]>, Box<Act>),
    /// `\A` with assignments in its body, and the range of slots of the body.
    Forall(Box<[Bind]>, Box<Act>, (Slot, Slot)),
    /// `IF` with its two branches.
    If(Box<Node>, Box<[Act; 2]>),
    /// `CASE` with its arms and `OTHER`, and where it is.
    Case(Box<[(Node, Act)]>, Option<Box<Act>>, Place),
    /// Does what an entry asks for, then goes on.
    Scope(Entry, Box<Act>),
    /// A branch was passed that is counted.
    Passed(PointId),
    /// A named action: the index of its [`Label`].
    Label(u32, Box<Act>),
    /// `A \cdot B`.
    Composed(Box<[Act; 2]>),
    /// A recursive operator with its arguments.
    Call(Arc<ActCode>, Box<[Node]>),
    /// A function applied to an argument.
    Apply(Arc<ActCode>, Box<Node>),
}

/// Disjuncts, of which those with a key begin with the condition that `on` has that value.
#[derive(Debug)]
pub struct Choice {
    /// The expression that is asked for.
    pub on: Node,
    /// The value that each disjunct asks for.
    pub keys: Box<[Option<Value>]>,
    /// The disjuncts.
    pub acts: Box<[Act]>,
}

/// A recursive operator, or a function, whose body is an action.
#[derive(Debug)]
pub struct ActCode {
    /// The name of the operator.
    pub name: Box<str>,
    /// Where it is in the text.
    pub place: Place,
    /// The parameters of the operator.
    pub params: Params,
    /// The arguments of the function.
    pub binds: Box<[Bind]>,
    /// With the range of slots it uses; set once it is compiled.
    pub body: OnceLock<(Act, (Slot, Slot))>,
}

/// A named action.
#[derive(Debug)]
pub struct Label {
    /// The name.
    pub name: Box<str>,
    /// Where it is in the text.
    pub place: Place,
    /// Whether it is an action, rather than what stands above actions or a part without a name.
    pub action: bool,
    /// The parameters with the nodes that give their values.
    pub params: Vec<(Box<str>, Node)>,
}
