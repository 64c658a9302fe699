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
pub(crate) type Slot = u32;
/// The number of a variable in the state.
pub(crate) type Var = u32;

/// An expression.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) place: Place,
}

/// An operator of a standard module on one value.
pub(crate) type Unary = fn(&Context, &Value) -> Outcome<Value>;
/// An operator of a standard module on two values.
pub(crate) type Binary = fn(&Context, &Value, &Value) -> Outcome<Value>;
/// An operator of a standard module on values.
pub(crate) type Native = fn(&mut Context, &[Value]) -> Outcome<Value>;
/// An operator of a standard module that takes operators.
pub(crate) type NativeOver = fn(&mut Context, &[Value], &[Lambda]) -> Outcome<Value>;

/// What an expression does.
#[derive(Debug)]
pub(crate) enum Kind {
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
    Not(Box<Node>),
    And(Box<[Node]>),
    Or(Box<[Node]>),
    Implies(Box<[Node; 2]>),
    Equiv(Box<[Node; 2]>),
    Equal(Box<[Node; 2]>),
    Unequal(Box<[Node; 2]>),
    In(Box<[Node; 2]>),
    NotIn(Box<[Node; 2]>),
    Subset(Box<[Node; 2]>),
    Cup(Box<[Node; 2]>),
    Cap(Box<[Node; 2]>),
    Minus(Box<[Node; 2]>),
    PowerSet(Box<Node>),
    Union(Box<Node>),
    Domain(Box<Node>),
    If(Box<[Node; 3]>),
    Case(Box<[(Node, Node)]>, Option<Box<Node>>),
    /// `\A` (true) or `\E`.
    Quantifier(bool, Box<Loop>),
    Choose(Box<Bind>, Box<Node>),
    /// `CHOOSE` without a set.
    ChooseUnbounded,
    SetOf(Box<[Node]>),
    Filter(Arc<(Bind, Node)>),
    Map(Box<Loop>),
    Function(Arc<FunctionNode>),
    FunctionSet(Box<[Node; 2]>),
    /// The names of the fields, sorted, and the values.
    Record(Arc<Cell>, Box<[Node]>),
    RecordSet(SetRef, Box<[Node]>),
    Except(Box<Node>, Box<[Change]>),
    Index(Box<[Node; 2]>),
    Field(Box<Node>, FieldName),
    Tuple(Box<[Node]>),
    Times(Box<[Node]>),
    Arithmetic(Arithmetic, Box<[Node; 2]>),
    /// `<`, `<=`, `>`, `>=` as the orderings that make it true.
    Compare(Comparison, Box<[Node; 2]>),
    Range(Box<[Node; 2]>),
    Negate(Box<Node>),
    /// An operator of a standard module on one value, and on two.
    Unary(Unary, Box<Node>),
    Binary(Binary, Box<[Node; 2]>),
    Native(Native, Box<[Node]>),
    NativeOver(NativeOver, Box<[Node]>, Box<[Lambda]>),
    Call(Arc<Code>, Box<[Node]>),
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

/// What is done before an expression or action is evaluated.
#[derive(Debug, Default)]
pub(crate) struct Entry {
    /// The slots of lazy definitions that are forgotten.
    pub(crate) reset: Box<[Slot]>,
    /// Where the evaluation is counted.
    pub(crate) point: Option<PointId>,
}

impl From<Box<[Slot]>> for Entry {
    fn from(reset: Box<[Slot]>) -> Self {
        Self { reset, point: None }
    }
}

/// The name of a field, and where it was found first. Most records that come to one place of a specification have the
/// same fields. It does not change again, so that workers do not wait for each other.
#[derive(Debug)]
pub(crate) struct FieldName {
    pub(crate) name: Symbol,
    place: AtomicU32,
}

impl FieldName {
    pub(crate) fn new(name: Symbol) -> Self {
        Self { name, place: AtomicU32::new(u32::MAX) }
    }

    /// The value of the field in a record, if it has it.
    #[inline]
    pub(crate) fn of<'a>(&self, record: &'a Value) -> Option<&'a Value> {
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
pub(crate) enum Comparison {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Comparison {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
        }
    }

    #[inline]
    pub(crate) fn holds(self, order: std::cmp::Ordering) -> bool {
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
pub(crate) struct Cell {
    /// Its number among the cells of the specification.
    pub(crate) number: u32,
    pub(crate) node: Node,
    pub(crate) value: OnceLock<Outcome<Value>>,
    /// Whether the value is left to chance, so that evaluating it once more would give another one.
    pub(crate) by_chance: bool,
}

/// Variables bound over one set.
#[derive(Debug)]
pub(crate) struct Bind {
    pub(crate) pattern: Pattern,
    pub(crate) set: Node,
}

/// What takes an element of a set.
#[derive(Debug)]
pub(crate) enum Pattern {
    One(Slot),
    Tuple(Box<[Slot]>),
}

/// Nested iteration: the sets do not see the variables.
#[derive(Debug)]
pub(crate) struct Loop {
    pub(crate) binds: Box<[Bind]>,
    pub(crate) body: Node,
    /// For messages: the name of each slot.
    pub(crate) names: Box<[(Slot, Box<str>)]>,
}

/// `[x \in S |-> e]`.
#[derive(Debug)]
pub(crate) struct FunctionNode {
    pub(crate) binds: Box<[Bind]>,
    pub(crate) body: Node,
    /// The slot of the function itself, if it is recursive.
    pub(crate) this: Option<Slot>,
    /// The slots that the body uses, from the first to the one after the last.
    pub(crate) range: (Slot, Slot),
    /// The slots of the surroundings that the body uses.
    pub(crate) free: Box<[Slot]>,
    pub(crate) place: Place,
}

/// One change of an `EXCEPT`.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) path: Box<[Node]>,
    pub(crate) at: Option<Slot>,
    pub(crate) value: Node,
}

/// An operator as an argument of a native one.
#[derive(Debug)]
pub(crate) struct Lambda {
    pub(crate) params: Box<[Slot]>,
    pub(crate) body: Node,
}

/// What is known of the parameters of a recursive operator. They are values; under a prime, a value stands for itself,
/// but an argument that reads the state would not.
#[derive(Debug, Default)]
pub(crate) struct Params {
    pub(crate) slots: Box<[Slot]>,
    /// Whether one is used under a prime.
    pub(crate) primed: AtomicBool,
    /// Whether an argument reads the state somewhere.
    pub(crate) vary: AtomicBool,
}

impl Params {
    pub(crate) fn new(slots: Vec<Slot>) -> Self {
        Self { slots: slots.into(), ..Self::default() }
    }

    /// Refuses what cannot be evaluated with values for parameters.
    #[inline]
    pub(crate) fn check(&self) -> Outcome<()> {
        if self.primed.load(Ordering::Relaxed) && self.vary.load(Ordering::Relaxed) {
            let what = "a parameter of a recursive operator under a prime, where an argument reads the state";
            return Err(Fault::kind(FaultKind::Unsupported(what.to_owned())));
        }
        Ok(())
    }
}

/// A recursive operator.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) name: Box<str>,
    pub(crate) place: Place,
    pub(crate) params: Params,
    /// Set once the body is compiled.
    pub(crate) body: OnceLock<Body>,
}

/// The body of a recursive operator with the range of slots it uses.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) node: Node,
    pub(crate) range: (Slot, Slot),
}

/// A way to give variables of the next state their values.
#[derive(Debug)]
pub(crate) enum Act {
    /// Must be true.
    Guard(Node),
    /// `x' = e`.
    Assign(Var, Node),
    /// `x' \in S`.
    Among(Var, Node),
    /// The same for a shadow variable.
    AssignShadow(Slot, Node),
    AmongShadow(Slot, Node),
    /// `UNCHANGED`, and where it says so.
    Keep(Box<[Var]>, Place),
    Seq(Box<[Act]>),
    Or(Box<[Act]>),
    /// The same, if most begin by asking for a value of the same thing.
    Choice(Box<Choice>),
    Exists(Box<[Bind]>, Box<Act>),
    /// `\A` with assignments in its body, and the range of slots of the body.
    Forall(Box<[Bind]>, Box<Act>, (Slot, Slot)),
    If(Box<Node>, Box<[Act; 2]>),
    Case(Box<[(Node, Act)]>, Option<Box<Act>>, Place),
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
pub(crate) struct Choice {
    pub(crate) on: Node,
    pub(crate) keys: Box<[Option<Value>]>,
    pub(crate) acts: Box<[Act]>,
}

/// A recursive operator, or a function, whose body is an action.
#[derive(Debug)]
pub(crate) struct ActCode {
    /// The name of the operator.
    pub(crate) name: Box<str>,
    pub(crate) place: Place,
    /// The parameters of the operator.
    pub(crate) params: Params,
    /// The arguments of the function.
    pub(crate) binds: Box<[Bind]>,
    /// With the range of slots it uses; set once it is compiled.
    pub(crate) body: OnceLock<(Act, (Slot, Slot))>,
}

/// A named action.
#[derive(Debug)]
pub(crate) struct Label {
    pub(crate) name: Box<str>,
    pub(crate) place: Place,
    /// Whether it is an action, rather than what stands above actions or a part without a name.
    pub(crate) action: bool,
    /// The parameters with the nodes that give their values.
    pub(crate) params: Vec<(Box<str>, Node)>,
}
