//! Symbolic sets: described, not enumerated. Membership and cardinality are computed from the description; the
//! elements are produced one at a time, and the explicit form is kept once somebody needs it.

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::order::same_set;
use super::set::{SetBuilder, Step, too_big};
use super::{Domain, Fault, FaultKind, FnBuilder, MAX_ELEMENTS, Outcome, SetRef, Value, nesting, tick};

/// Decides membership by evaluating a predicate.
pub type Membership = Arc<dyn Fn(&Value) -> Outcome<bool> + Send + Sync>;

/// The description of a set.
#[derive(Clone)]
pub enum Symbolic {
    /// `Nat`.
    Nat,
    /// `Int`.
    Int,
    /// `Real`; of its elements only the integers are values here.
    Real,
    /// `STRING`.
    Strings,
    /// Everything (`Any` of the module `TLC`).
    Any,
    /// An interval whose ends need 64 bits.
    Range(i64, i64),
    /// `SUBSET S`.
    Subset(Value),
    /// `[S -> T]`.
    Functions(Value, Value),
    /// `[a : S, b : T]`: the names sorted, and the sets in that order.
    Records(SetRef, Vec<Value>),
    /// `S \X T`.
    Product(Vec<Value>),
    /// `Seq(S)`.
    Seq(Value),
    /// `S \cup T`.
    Cup(Value, Value),
    /// `S \cap T`.
    Cap(Value, Value),
    /// `S \ T`.
    Minus(Value, Value),
    /// `UNION` of these.
    Union(Vec<Value>),
    /// `{x \in S : P}` of a set that cannot be enumerated.
    Filter(Value, Membership),
    /// The bags over a set.
    Bags(Value),
}

/// A symbolic set and, once computed, its elements.
pub struct Lazy {
    /// The description.
    pub kind: Symbolic,
    forced: OnceLock<Option<Value>>,
    /// How many levels the sets have that it is made of, and one more.
    pub(super) nesting: u32,
}

impl std::fmt::Debug for Lazy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Lazy({})", self.kind.rank())
    }
}

impl Symbolic {
    /// Whether the set is certainly finite.
    pub fn is_finite(&self) -> bool {
        let finite = |v: &Value| v.is_finite_set().unwrap_or(true);
        match self {
            Self::Nat | Self::Int | Self::Real | Self::Strings | Self::Any | Self::Bags(_) => false,
            Self::Range(..) => true,
            Self::Subset(s) | Self::Filter(s, _) | Self::Minus(s, _) => finite(s),
            Self::Functions(s, t) => finite(s) && finite(t),
            Self::Records(_, sets) | Self::Product(sets) => sets.iter().all(finite),
            Self::Seq(s) => s.is_empty_set("Seq").unwrap_or(false),
            Self::Cup(a, b) => finite(a) && finite(b),
            Self::Cap(a, b) => finite(a) || finite(b),
            Self::Union(parts) => parts.iter().all(finite),
        }
    }
}

impl Value {
    /// Whether a set certainly has no more elements than this.
    pub fn is_at_most(&self, most: i64) -> bool {
        match self {
            Self::Lazy(lazy) => matches!(lazy.bound(), Ok(Self::Int(size)) if size <= most),
            set => set.at_least() <= most as f64,
        }
    }

    /// A number of elements that a set has at least.
    pub fn at_least(&self) -> f64 {
        match self {
            Self::Set(set) => set.slice.len() as f64,
            Self::Interval(ends) => ends.size() as f64,
            Self::Lazy(lazy) => lazy.kind.at_least(),
            _ => 0.0,
        }
    }
}

impl Symbolic {
    /// A number of elements that the set has at least: infinity for one that is infinite, 0 where nothing is known.
    fn at_least(&self) -> f64 {
        match self {
            Self::Nat | Self::Int | Self::Real | Self::Strings | Self::Any => f64::INFINITY,
            Self::Range(lo, hi) => (*hi as f64 - *lo as f64 + 1.0).max(0.0),
            Self::Subset(s) => s.at_least().exp2(),
            Self::Functions(s, t) => match t.at_least() {
                0.0 => 0.0,
                some => some.powf(s.at_least()),
            },
            Self::Records(_, sets) | Self::Product(sets) if sets.iter().any(|set| set.at_least() == 0.0) => {
                0.0
            }
            Self::Records(_, sets) | Self::Product(sets) => sets.iter().map(Value::at_least).product(),
            Self::Seq(s) | Self::Bags(s) if s.at_least() > 0.0 => f64::INFINITY,
            Self::Seq(_) | Self::Bags(_) => 1.0,
            Self::Cup(a, b) => a.at_least().max(b.at_least()),
            Self::Minus(a, b) if b.is_finite_set().unwrap_or(false) && a.at_least() == f64::INFINITY => {
                f64::INFINITY
            }
            Self::Minus(..) | Self::Cap(..) | Self::Filter(..) => 0.0,
            Self::Union(parts) => parts.iter().map(Value::at_least).fold(0.0, f64::max),
        }
    }

    /// Whether this is one of the sets that the language has a name for: no two of them are equal.
    pub(super) fn is_named(&self) -> bool {
        matches!(self, Self::Nat | Self::Int | Self::Strings)
    }
}

impl Lazy {
    /// A set that is not laid out yet.
    pub fn new(kind: Symbolic) -> Self {
        let nesting = match &kind {
            Symbolic::Nat
            | Symbolic::Int
            | Symbolic::Real
            | Symbolic::Strings
            | Symbolic::Any
            | Symbolic::Range(..) => 1,
            Symbolic::Subset(set) | Symbolic::Seq(set) | Symbolic::Filter(set, _) | Symbolic::Bags(set) => {
                nesting::around([set])
            }
            Symbolic::Functions(a, b) | Symbolic::Cup(a, b) | Symbolic::Cap(a, b) | Symbolic::Minus(a, b) => {
                nesting::around([a, b])
            }
            Symbolic::Records(_, sets) | Symbolic::Product(sets) | Symbolic::Union(sets) => {
                nesting::around(sets)
            }
        };
        if !nesting::admits(nesting) {
            return Self { kind: Symbolic::Nat, forced: OnceLock::new(), nesting: 1 };
        }
        Self { kind, forced: OnceLock::new(), nesting }
    }

    /// The explicit form if the set is finite and of bearable size.
    pub fn forced(&self) -> Option<&Value> {
        self.forced.get_or_init(|| self.enumerate().ok()).as_ref()
    }

    /// The explicit form, or a fault that says why there is none.
    pub fn force(&self) -> Outcome<&Value> {
        match self.forced() {
            Some(set) => Ok(set),
            None => {
                Err(self.enumerate().err().unwrap_or_else(|| Fault::other("the set cannot be enumerated")))
            }
        }
    }

    /// The explicit form if the set is so small that its text lists the elements. The figures are those of TLC.
    pub(super) fn listed(&self) -> Option<&Value> {
        let most = match &self.kind {
            Symbolic::Range(..) => return None,
            Symbolic::Subset(_) => 64,
            _ => 2000,
        };
        let is_small = self.kind.is_finite() && matches!(self.bound(), Ok(Value::Int(size)) if size <= most);
        if is_small { self.forced() } else { None }
    }

    fn enumerate(&self) -> Outcome<Value> {
        match self.bound() {
            Ok(Value::Int(size)) if size > MAX_ELEMENTS as i64 => return Err(too_big(&size.to_string())),
            Ok(Value::Big(size)) => return Err(too_big(&size.to_string())),
            _ => {}
        }
        let mut builder = SetBuilder::default();
        let _ = self.each(&mut |v| {
            builder.push(v)?;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(builder.finish())
    }

    fn infinite<T>(&self) -> Outcome<T> {
        Err(Fault::kind(FaultKind::Infinite(self.kind.clone().into())))
    }

    /// Whether `element` is in the set.
    pub fn contains(&self, element: &Value) -> Outcome<bool> {
        match &self.kind {
            Symbolic::Nat => Ok(match element {
                Value::Int(i) => *i >= 0,
                Value::Big(b) => b.sign() == num_bigint::Sign::Plus,
                _ => false,
            }),
            Symbolic::Int | Symbolic::Real => Ok(matches!(element, Value::Int(_) | Value::Big(_))),
            Symbolic::Strings => Ok(matches!(element, Value::Str(_))),
            Symbolic::Any => Ok(true),
            Symbolic::Range(lo, hi) => Ok(matches!(element, Value::Int(i) if i >= lo && i <= hi)),
            Symbolic::Subset(s) => {
                if element.is_a_set() {
                    element.is_subset(s)
                } else {
                    Ok(false)
                }
            }
            Symbolic::Functions(s, t) => {
                if matches!(element, Value::Operator(_)) && !s.is_finite_set()? {
                    let message =
                        "whether a function with an infinite domain is in [S -> T] cannot be decided";
                    return Err(Fault::other(message));
                }
                let Value::Fn(f) = element else { return Ok(false) };
                if !element.domain_equals(s)? {
                    return Ok(false);
                }
                all(f.slice.iter().map(|v| t.contains(v)))
            }
            Symbolic::Records(keys, sets) => {
                let Value::Fn(f) = element else { return Ok(false) };
                let Domain::Keys(domain) = &f.header.header.domain else { return Ok(false) };
                if !same_set(domain, keys) {
                    return Ok(false);
                }
                all(f.slice.iter().zip(sets).map(|(v, set)| set.contains(v)))
            }
            Symbolic::Product(sets) => {
                let Some(items) = element.as_seq() else { return Ok(false) };
                if items.len() != sets.len() {
                    return Ok(false);
                }
                all(items.iter().zip(sets).map(|(v, set)| set.contains(v)))
            }
            Symbolic::Seq(s) => {
                let Some(items) = element.as_seq() else { return Ok(false) };
                all(items.iter().map(|v| s.contains(v)))
            }
            Symbolic::Cup(a, b) => Ok(a.contains(element)? || b.contains(element)?),
            Symbolic::Cap(a, b) => Ok(a.contains(element)? && b.contains(element)?),
            Symbolic::Minus(a, b) => Ok(a.contains(element)? && !b.contains(element)?),
            Symbolic::Union(parts) => {
                for part in parts {
                    if part.contains(element)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Symbolic::Filter(s, predicate) => Ok(s.contains(element)? && predicate(element)?),
            Symbolic::Bags(s) => {
                let Value::Fn(f) = element else { return Ok(false) };
                Ok(element.domain().is_subset(s)? && f.slice.iter().all(|v| matches!(v, Value::Int(1..))))
            }
        }
    }

    /// The cardinality, or for sets whose elements must be looked at, an upper bound.
    pub(super) fn bound(&self) -> Outcome<Value> {
        let size = |v: &Value| -> Outcome<BigInt> {
            match v {
                Value::Lazy(lazy) => lazy.bound()?.to_big("Cardinality"),
                v => v.cardinality()?.to_big("Cardinality"),
            }
        };
        Ok(Value::from_big(match &self.kind {
            Symbolic::Range(lo, hi) => BigInt::from(*hi) - BigInt::from(*lo) + 1,
            Symbolic::Subset(s) => {
                let n = size(s)?
                    .to_u32()
                    .filter(|n| *n <= 100_000)
                    .ok_or_else(|| too_big("2^(more than 100000)"))?;
                BigInt::from(2).pow(n)
            }
            Symbolic::Functions(s, t) => {
                let n = size(s)?.to_u32().filter(|n| *n <= 100_000).ok_or_else(|| too_big("a power"))?;
                size(t)?.pow(n)
            }
            Symbolic::Records(_, sets) | Symbolic::Product(sets) => {
                let mut product = BigInt::from(1);
                for set in sets {
                    product *= size(set)?;
                }
                product
            }
            Symbolic::Cup(a, b) => size(a)? + size(b)?,
            Symbolic::Cap(a, b) => size(a).or_else(|_| size(b))?,
            Symbolic::Minus(a, _) | Symbolic::Filter(a, _) => size(a)?,
            Symbolic::Union(parts) => {
                let mut sum = BigInt::from(0);
                for part in parts {
                    sum += size(part)?;
                }
                sum
            }
            Symbolic::Seq(s) if s.is_empty_set("Seq")? => BigInt::from(1),
            _ => return self.infinite(),
        }))
    }

    pub(crate) fn cardinality(&self) -> Outcome<Value> {
        match &self.kind {
            Symbolic::Cup(..)
            | Symbolic::Cap(..)
            | Symbolic::Minus(..)
            | Symbolic::Union(_)
            | Symbolic::Filter(..) => {
                if self.kind.is_finite() {
                    self.force()?.cardinality()
                } else {
                    self.infinite()
                }
            }
            _ => self.bound(),
        }
    }

    /// Calls `step` for each element.
    pub fn each(&self, step: &mut dyn FnMut(Value) -> Step) -> Step {
        self.each_taken(&mut |_| true, step)
    }

    /// Calls `step` for each element that is taken, by its place among all. Of functions, records and tuples, no others
    /// are made.
    pub fn each_taken(
        &self,
        takes: &mut dyn FnMut(u64) -> bool,
        step: &mut dyn FnMut(Value) -> Step,
    ) -> Step {
        let mut place = 0;
        let mut step_of_all = |value: Value| {
            place += 1;
            if takes(place - 1) { step(value) } else { Ok(ControlFlow::Continue(())) }
        };
        if let Some(Some(set)) = self.forced.get() {
            return set.each("enumeration", &mut step_of_all);
        }
        let factors = match &self.kind {
            Symbolic::Functions(s, t) => {
                let keys = s.explicit("[S -> T]")?;
                let choices = t.explicit("[S -> T]")?;
                Some((Domain::of(&keys), vec![choices; keys.slice.len()]))
            }
            Symbolic::Records(keys, sets) => {
                let sets = sets.iter().map(|s| s.explicit("[a : S]")).collect::<Outcome<Vec<_>>>()?;
                Some((Domain::Keys(keys.clone()), sets))
            }
            Symbolic::Product(sets) => {
                let sets = sets.iter().map(|s| s.explicit("\\X")).collect::<Outcome<Vec<_>>>()?;
                Some((Domain::Seq, sets))
            }
            _ => None,
        };
        let Some((domain, sets)) = factors else { return self.each_built(&mut step_of_all) };
        let factors: Vec<&[Value]> = sets.iter().map(|s| &s.slice[..]).collect();
        each_choice(&factors, takes, &mut |values| step(FnBuilder::finish_with(domain.clone(), values)))
    }

    /// Calls `step` for each element of a set that has no factors.
    fn each_built(&self, step: &mut dyn FnMut(Value) -> Step) -> Step {
        match &self.kind {
            Symbolic::Range(lo, hi) => {
                for i in *lo..=*hi {
                    tick(1)?;
                    if step(Value::Int(i))?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(ControlFlow::Continue(()))
            }
            Symbolic::Subset(s) => each_subset(&s.explicit("SUBSET")?.slice, step),
            Symbolic::Cup(a, b) if self.kind.is_finite() => {
                let mut builder = SetBuilder::default();
                for part in [a, b] {
                    let _ = part.each("\\cup", &mut |v| {
                        builder.push(v)?;
                        Ok(ControlFlow::Continue(()))
                    })?;
                }
                builder.finish().each("\\cup", step)
            }
            Symbolic::Union(parts) if self.kind.is_finite() => {
                let mut builder = SetBuilder::default();
                for part in parts {
                    let _ = part.each("UNION", &mut |v| {
                        builder.push(v)?;
                        Ok(ControlFlow::Continue(()))
                    })?;
                }
                builder.finish().each("UNION", step)
            }
            Symbolic::Cap(a, b) if self.kind.is_finite() => {
                let (finite, other) = if a.is_finite_set()? { (a, b) } else { (b, a) };
                finite.each("\\cap", &mut |v| {
                    if other.contains(&v)? { step(v) } else { Ok(ControlFlow::Continue(())) }
                })
            }
            Symbolic::Minus(a, b) => a.each("\\", &mut |v| {
                if b.contains(&v)? { Ok(ControlFlow::Continue(())) } else { step(v) }
            }),
            Symbolic::Filter(s, predicate) => s.each("{x \\in S : P}", &mut |v| {
                if predicate(&v)? { step(v) } else { Ok(ControlFlow::Continue(())) }
            }),
            Symbolic::Seq(s) if s.is_empty_set("Seq")? => step(Value::seq(Vec::new())),
            _ => self.infinite(),
        }
    }
}

fn all(results: impl Iterator<Item = Outcome<bool>>) -> Outcome<bool> {
    for result in results {
        if !result? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Subsets in normalised order: by size, then lexicographically.
fn each_subset(elements: &[Value], step: &mut dyn FnMut(Value) -> Step) -> Step {
    for size in 0..=elements.len() {
        if each_subset_of_size(elements, size, step)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// The subsets of one size, lexicographically.
pub fn each_subset_of_size(elements: &[Value], size: usize, step: &mut dyn FnMut(Value) -> Step) -> Step {
    if size > elements.len() {
        return Ok(ControlFlow::Continue(()));
    }
    let mut indices: Vec<usize> = (0..size).collect();
    loop {
        tick(1)?;
        let subset = Value::from_sorted(indices.iter().map(|&i| elements[i].clone()).collect());
        if step(subset)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let Some(at) = (0..size).rev().find(|&i| indices[i] < elements.len() - size + i) else {
            return Ok(ControlFlow::Continue(()));
        };
        indices[at] += 1;
        for i in at + 1..size {
            indices[i] = indices[i - 1] + 1;
        }
    }
}

/// Every choice of one value from each factor that is taken by its place, the last factor changing fastest.
fn each_choice(
    factors: &[&[Value]],
    takes: &mut dyn FnMut(u64) -> bool,
    step: &mut dyn FnMut(Vec<Value>) -> Step,
) -> Step {
    if factors.iter().any(|f| f.is_empty()) {
        return Ok(ControlFlow::Continue(()));
    }
    let mut indices = vec![0; factors.len()];
    for place in 0.. {
        tick(1)?;
        if takes(place) {
            let values = indices.iter().zip(factors).map(|(&i, f)| f[i].clone()).collect();
            if step(values)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        let Some(at) = (0..factors.len()).rev().find(|&i| indices[i] + 1 < factors[i].len()) else {
            return Ok(ControlFlow::Continue(()));
        };
        indices[at] += 1;
        indices[at + 1..].fill(0);
    }
    Ok(ControlFlow::Continue(()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(numbers: &[i64]) -> Value {
        Value::from_sorted(numbers.iter().map(|number| Value::Int(*number)).collect())
    }

    /// The elements that are taken, in the order in which they come.
    fn taken(lazy: &Lazy, mut takes: impl FnMut(u64) -> bool) -> Vec<Value> {
        let mut found = Vec::new();
        let result = lazy.each_taken(&mut takes, &mut |value| {
            found.push(value);
            Ok(ControlFlow::Continue(()))
        });
        assert!(result.is_ok());
        found
    }

    /// Workers divide a set by the places of its elements, and one of them may have built it meanwhile.
    #[test]
    fn elements_come_in_the_same_order_whether_the_set_is_built_or_not() {
        let (small, large) = (set(&[1, 5]), set(&[-3, 0, 2, 7, 40]));
        let lazy = |kind| Value::Lazy(Arc::new(Lazy::new(kind)));
        let names = large.explicit("names").expect("a set");
        let sets = |count: usize| {
            vec![small.clone(), large.clone(), set(&[0, 1]), small.clone(), large.clone()][..count].to_vec()
        };
        let kinds = [
            Symbolic::Range(1 << 40, (1 << 40) + 9),
            Symbolic::Subset(large.clone()),
            Symbolic::Functions(large.clone(), small.clone()),
            Symbolic::Functions(small.clone(), lazy(Symbolic::Subset(small.clone()))),
            Symbolic::Records(names, sets(5)),
            Symbolic::Product(sets(3)),
            Symbolic::Cup(large.clone(), small.clone()),
            Symbolic::Cap(large.clone(), set(&[0, 7, 8])),
            Symbolic::Minus(lazy(Symbolic::Product(sets(2))), Value::from_sorted(Vec::new())),
            Symbolic::Union(vec![large.clone(), small.clone(), set(&[6])]),
        ];
        for kind in kinds {
            let lazy = Lazy::new(kind);
            let all = taken(&lazy, |_| true);
            let shares = |lazy: &Lazy| [0, 1].map(|share| taken(lazy, |place| place / 3 % 2 == share));
            let divided = shares(&lazy);
            let mut together = divided.concat();
            together.sort();
            assert!(all.is_sorted(), "{lazy:?}");
            assert_eq!(together, all, "{lazy:?}");
            assert!(lazy.force().is_ok() && lazy.forced.get().is_some());
            assert_eq!((taken(&lazy, |_| true), shares(&lazy)), (all, divided), "{lazy:?}");
        }
    }
}
