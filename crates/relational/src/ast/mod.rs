//! Expressions, formulas and integer expressions, as an immutable graph with shared nodes.
//!
//! An [`Ast`] owns all nodes; [`Expr`], [`Formula`] and [`IntExpr`] are small numbers into it. Nodes are built through
//! the methods of [`Ast`] (see [`build`]); a node that exists is found again, so equal things have equal numbers and
//! sharing costs nothing. There is no `let`: to use an expression twice, use its number twice, or replace a
//! variable by it ([`Ast::substitute`]).
//!
//! Variables are unique: each call of [`Ast::var`] makes a new one. The arena knows of every node which variables are
//! free in it and how deeply it nests.
//!
//! Room for time: a relation that changes would be declared as such here, and a primed expression be one more
//! node; neither exists yet.

pub mod build;
mod overflow;
mod parts;
mod show;
mod substitute;

pub(crate) use overflow::OverflowVars;
pub use parts::Node;

use crate::tuples::TupleSet;
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::Arc;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(u32);

        impl $name {
            /// Its position among its kind, counted from 0 in the order of creation.
            pub fn index(self) -> usize {
                self.0 as usize
            }

        }
    };
}

id! {
    /// A relation of an [`Ast`]: a name and an arity; its value comes from bounds or an instance.
    Relation
}
id! {
    /// A variable of an [`Ast`]: bound by a quantifier, a comprehension or a sum.
    Var
}
id! {
    /// A relational expression: its value is a set of tuples.
    Expr
}
id! {
    /// A formula: its value is true or false.
    Formula
}
id! {
    /// An integer expression.
    IntExpr
}
id! {
    /// A constant set of tuples of an [`Ast`].
    Constant
}

impl Relation {
    pub(crate) fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 relations"))
    }
}

/// A mark on a formula that means something to the caller, for instance a place in a file. Cores are sets of tags.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tag(pub u32);

/// How many tuples an expression has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mult {
    /// None.
    No,
    /// At most one.
    Lone,
    /// Exactly one.
    One,
    /// At least one.
    Some,
}

/// The range of a variable, given its domain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Range {
    /// The single tuples of the domain (of any arity): first-order.
    One,
    /// The subsets of the domain with at most one tuple.
    Lone,
    /// The subsets with at least one tuple: higher-order.
    Some,
    /// All subsets: higher-order.
    Set,
}

/// The declaration of a variable. In a list, later domains may mention earlier variables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Decl {
    /// The variable; its arity is that of the domain.
    pub var: Var,
    /// Whether it ranges over tuples or over sets of tuples.
    pub range: Range,
    /// The tuples it is made of.
    pub domain: Expr,
}

/// Which quantifier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// For all bindings.
    All,
    /// For at least one binding.
    Some,
}

/// A comparison of integers. The others are made of these by swapping and negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Compare {
    /// Equal.
    Eq,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
}

/// An operation on two integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient, rounded towards zero.
    Div,
    /// Remainder with the sign of the dividend.
    Rem,
    /// Shift to the left.
    Shl,
    /// Shift to the right that fills with zeros.
    Shr,
    /// Shift to the right that fills with the sign.
    Sha,
}

/// An expression, one level deep.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ExprNode {
    /// The value of a relation.
    Relation(Relation),
    /// The value of a variable.
    Var(Var),
    /// Every atom of the universe.
    Univ,
    /// Every integer atom of the universe. A variable declared over exactly this set is one for which overflow
    /// counts differently; see `ints`.
    Ints,
    /// Every atom of the universe paired with itself.
    Iden,
    /// A fixed set of tuples (`none` is the empty one).
    Constant(Constant),
    /// Tuples in any of these.
    Union(Arc<[Expr]>),
    /// Tuples in all of these.
    Intersection(Arc<[Expr]>),
    /// Tuples in the first only.
    Difference(Expr, Expr),
    /// Relational join, dropping the column joined on.
    Join(Expr, Expr),
    /// Cartesian product.
    Product(Expr, Expr),
    /// A binary relation, turned around.
    Transpose(Expr),
    /// Transitive closure of a binary relation.
    Closure(Expr),
    /// Transitive closure and the identity on the whole universe.
    ReflexiveClosure(Expr),
    /// `a ++ b`: tuples of `b`, and those of `a` whose first atom does not start a tuple of `b`.
    Override(Expr, Expr),
    /// `s <: r`: tuples of `r` whose first atom is in the set `s`.
    DomainRestriction(Expr, Expr),
    /// `r :> s`: tuples of `r` whose last atom is in the set `s`.
    RangeRestriction(Expr, Expr),
    /// The tuples of variables (all [`Range::One`]) for which the formula holds.
    Comprehension(Arc<[Decl]>, Formula),
    /// One or the other.
    If(Formula, Expr, Expr),
    /// The atom that stands for an integer.
    FromInt(IntExpr),
}

/// A formula, one level deep.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum FormulaNode {
    /// True or false.
    Const(bool),
    /// Subset.
    In(Expr, Expr),
    /// Same tuples.
    Equal(Expr, Expr),
    /// How many tuples.
    Mult(Mult, Expr),
    /// All of these.
    And(Arc<[Formula]>),
    /// At least one of these.
    Or(Arc<[Formula]>),
    /// Not this.
    Not(Formula),
    /// Both or neither.
    Iff(Formula, Formula),
    /// A quantified formula.
    Quantified(Quantifier, Arc<[Decl]>, Formula),
    /// A comparison of integers.
    Compare(Compare, IntExpr, IntExpr),
    /// `next` is a chain through all of `elements` (at least one) that begins at `first`. Said in one piece, so that
    /// a solver may choose the chain itself where all elements are alike.
    TotalOrder {
        /// A set: what is ordered.
        elements: Expr,
        /// A set: the first element alone.
        first: Expr,
        /// A binary relation: from each element to the next.
        next: Expr,
    },
    /// The same formula, marked.
    Tagged(Tag, Formula),
}

/// An integer expression, one level deep.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum IntNode {
    /// A number.
    Const(i64),
    /// How many tuples there are.
    Count(Expr),
    /// The sum of the integers that atoms of a set stand for; other atoms count nothing.
    Sum(Expr),
    /// The sum of an integer expression over all bindings ([`Range::One`]).
    SumOver(Arc<[Decl]>, IntExpr),
    /// Two integers combined.
    Binary(IntOp, IntExpr, IntExpr),
    /// One or the other.
    If(Formula, IntExpr, IntExpr),
}

/// The facts that the arena keeps of a node beside the node itself.
#[derive(Clone, Debug)]
struct Facts {
    /// Variables free in the node, ascending.
    free: Arc<[Var]>,
    /// One more than the deepest of its parts.
    depth: u32,
    /// Whether an integer is made into an atom somewhere in it.
    casts: bool,
}

#[derive(Clone, Debug)]
struct Table<N> {
    nodes: Vec<N>,
    facts: Vec<Facts>,
    ids: FxHashMap<N, u32>,
}

impl<N> Default for Table<N> {
    fn default() -> Self {
        Self { nodes: Vec::new(), facts: Vec::new(), ids: FxHashMap::default() }
    }
}

impl<N: Clone + Eq + Hash> Table<N> {
    fn find(&self, node: &N) -> Option<u32> {
        self.ids.get(node).copied()
    }

    fn add(&mut self, node: N, facts: Facts) -> u32 {
        let id = u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes");
        self.ids.insert(node.clone(), id);
        self.nodes.push(node);
        self.facts.push(facts);
        id
    }
}

#[derive(Clone, Debug)]
struct Symbol {
    name: String,
    arity: usize,
}

/// The owner of all nodes.
#[derive(Clone, Debug, Default)]
pub struct Ast {
    relations: Vec<Symbol>,
    vars: Vec<Symbol>,
    constants: Vec<TupleSet>,
    constant_ids: FxHashMap<TupleSet, u32>,
    exprs: Table<ExprNode>,
    /// The arity of each expression.
    arities: Vec<u32>,
    formulas: Table<FormulaNode>,
    ints: Table<IntNode>,
}

impl Ast {
    /// An arena without nodes.
    pub fn new() -> Self {
        Self::default()
    }

    /// An expression, one level deep.
    pub fn expr(&self, expr: Expr) -> &ExprNode {
        &self.exprs.nodes[expr.index()]
    }

    /// A formula, one level deep.
    pub fn formula(&self, formula: Formula) -> &FormulaNode {
        &self.formulas.nodes[formula.index()]
    }

    /// An integer expression, one level deep.
    pub fn int(&self, int: IntExpr) -> &IntNode {
        &self.ints.nodes[int.index()]
    }

    /// How many columns the value of an expression has.
    pub fn arity(&self, expr: Expr) -> usize {
        self.arities[expr.index()] as usize
    }

    /// The name of a relation.
    pub fn relation_name(&self, relation: Relation) -> &str {
        &self.relations[relation.index()].name
    }

    /// How many columns a relation has.
    pub fn relation_arity(&self, relation: Relation) -> usize {
        self.relations[relation.index()].arity
    }

    /// All relations, in the order of declaration.
    pub fn relations(&self) -> impl ExactSizeIterator<Item = Relation> + use<> {
        (0..self.relations.len() as u32).map(Relation)
    }

    /// The name of a variable.
    pub fn var_name(&self, var: Var) -> &str {
        &self.vars[var.index()].name
    }

    /// How many columns the value of a variable has.
    pub fn var_arity(&self, var: Var) -> usize {
        self.vars[var.index()].arity
    }

    /// A constant set of tuples.
    pub fn constant(&self, constant: Constant) -> &TupleSet {
        &self.constants[constant.index()]
    }

    /// The variables free in an expression, ascending.
    pub fn free_in_expr(&self, expr: Expr) -> &[Var] {
        &self.exprs.facts[expr.index()].free
    }

    /// The variables free in a formula, ascending.
    pub fn free_in_formula(&self, formula: Formula) -> &[Var] {
        &self.formulas.facts[formula.index()].free
    }

    /// The variables free in an integer expression, ascending.
    pub fn free_in_int(&self, int: IntExpr) -> &[Var] {
        &self.ints.facts[int.index()].free
    }

    /// How deeply a formula nests. Engines recurse this deep.
    pub fn depth(&self, formula: Formula) -> usize {
        self.formulas.facts[formula.index()].depth as usize
    }

    /// How deeply an expression nests.
    pub fn expr_depth(&self, expr: Expr) -> usize {
        self.exprs.facts[expr.index()].depth as usize
    }

    pub(crate) fn int_depth(&self, int: IntExpr) -> usize {
        self.ints.facts[int.index()].depth as usize
    }

    pub(crate) fn expr_count(&self) -> usize {
        self.exprs.nodes.len()
    }

    /// Whether an integer is made into an atom somewhere in an expression: only then can the expression overflow.
    pub(crate) fn casts_ints(&self, expr: Expr) -> bool {
        self.exprs.facts[expr.index()].casts
    }

    pub(crate) fn var_count(&self) -> usize {
        self.vars.len()
    }
}
