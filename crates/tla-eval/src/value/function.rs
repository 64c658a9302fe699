//! Functions, and with them sequences, tuples and records: one layout with three kinds of domain.

use std::sync::atomic::AtomicU64;

use triomphe::{Arc, ThinArc};

use super::order::{equal, same_domain, same_set};
use super::set::find;
use super::{Domain, Fault, FaultKind, FnMeta, FnRef, Outcome, SetRef, Symbol, Value, nesting};

/// Collects the values of a function whose domain is known.
pub struct FnBuilder {
    domain: Domain,
    values: Vec<Value>,
}

impl Domain {
    /// The canonical form of a domain.
    pub fn of(keys: &SetRef) -> Self {
        let (Some(Value::Int(first)), Some(Value::Int(last))) = (keys.slice.first(), keys.slice.last())
        else {
            return if keys.slice.is_empty() { Self::Seq } else { Self::Keys(keys.clone()) };
        };
        // The keys are sorted and unlike, and small integers stand together, so the span tells all.
        if last - first + 1 == keys.slice.len() as i64 {
            return if *first == 1 { Self::Seq } else { Self::From(*first) };
        }
        Self::Keys(keys.clone())
    }

    /// The levels of the deepest key.
    fn nesting(&self) -> u32 {
        match self {
            Self::Seq | Self::From(_) => 0,
            Self::Keys(keys) => keys.header.header.nesting - 1,
        }
    }

    /// Whether two functions with as many values have the same domain, if these are theirs.
    pub fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Seq, Self::Seq) => true,
            (Self::From(a), Self::From(b)) => a == b,
            (Self::Keys(a), Self::Keys(b)) => same_set(a, b),
            _ => false,
        }
    }

    /// The element of the domain at a place.
    pub fn key(&self, at: usize) -> Value {
        match self {
            Self::Seq => Value::Int(at as i64 + 1),
            Self::From(first) => Value::Int(first + at as i64),
            Self::Keys(keys) => keys.slice[at].clone(),
        }
    }

    /// The set of the first `count` elements of the domain, which are all.
    pub fn set(&self, count: usize) -> Value {
        match self {
            _ if count == 0 => Value::empty_set(),
            Self::Seq => Value::interval(1, count as i64),
            Self::From(first) => Value::interval(*first, first + count as i64 - 1),
            Self::Keys(keys) => Value::Set(keys.clone()),
        }
    }

    fn of_interval(lo: i64) -> Self {
        if lo == 1 { Self::Seq } else { Self::From(lo) }
    }
}

impl FnBuilder {
    /// A function over `domain`, which must be a finite set.
    pub fn over(domain: &Value) -> Outcome<Self> {
        Ok(match domain {
            Value::Interval(ends) => Self {
                domain: Domain::of_interval(ends.first()),
                values: Vec::with_capacity(ends.size().min(1 << 16) as usize),
            },
            other => {
                let keys = other.explicit("[x \\in S |-> e]")?;
                Self { domain: Domain::of(&keys), values: Vec::with_capacity(keys.slice.len()) }
            }
        })
    }

    /// Adds the value of the next argument.
    #[inline]
    pub fn push(&mut self, value: Value) {
        self.values.push(value);
    }

    /// The function.
    pub fn finish(self) -> Value {
        Self::finish_with(self.domain, self.values)
    }

    /// A function from a canonical domain and as many values.
    pub fn finish_with<V>(domain: Domain, values: V) -> Value
    where
        V: AsRef<[Value]> + IntoIterator<Item = Value, IntoIter: ExactSizeIterator>,
    {
        let domain = if values.as_ref().is_empty() { Domain::Seq } else { domain };
        let nesting = nesting::around(values.as_ref()).max(domain.nesting() + 1);
        if !nesting::admits(nesting) {
            return Value::seq(Vec::new());
        }
        let meta = FnMeta { hash: AtomicU64::new(0), nesting, domain };
        Value::Fn(ThinArc::from_header_and_iter(meta, values.into_iter()))
    }
}

/// The operation of `EXCEPT` on the value that it finds.
pub(crate) type Override<'a> = dyn FnMut(Value) -> Outcome<Value> + 'a;

impl Value {
    /// A sequence.
    pub fn seq(items: Vec<Self>) -> Self {
        FnBuilder::finish_with(Domain::Seq, items)
    }

    /// A sequence of copies of these.
    pub fn seq_from(items: &[Self]) -> Self {
        let nesting = nesting::around(items);
        if !nesting::admits(nesting) {
            return Self::seq(Vec::new());
        }
        let meta = FnMeta { hash: AtomicU64::new(0), nesting, domain: Domain::Seq };
        Self::Fn(ThinArc::from_header_and_iter(meta, items.iter().cloned()))
    }

    /// A sequence with one more item.
    pub fn appended(items: &[Self], item: &Self) -> Self {
        let nesting = nesting::around(items).max(item.nesting() + 1);
        if !nesting::admits(nesting) {
            return Self::seq(Vec::new());
        }
        let meta = FnMeta { hash: AtomicU64::new(0), nesting, domain: Domain::Seq };
        Self::Fn(ThinArc::from_header_and_iter(meta, Inserted::new(items, items.len(), item)))
    }

    /// A record whose field names are given sorted.
    pub fn record<V>(keys: SetRef, values: V) -> Self
    where
        V: AsRef<[Self]> + IntoIterator<Item = Self, IntoIter: ExactSizeIterator>,
    {
        FnBuilder::finish_with(Domain::Keys(keys), values)
    }

    /// A function from pairs in any order; of two pairs with one key, the first counts.
    pub fn function_of(mut pairs: Vec<(Self, Self)>) -> Self {
        pairs.sort_by(|a, b| a.0.compare(&b.0));
        pairs.dedup_by(|b, a| a.0.same(&b.0));
        let (keys, values): (Vec<Self>, Vec<Self>) = pairs.into_iter().unzip();
        let Self::Set(keys) = Self::from_sorted(keys) else { unreachable!("from_sorted gives a set") };
        FnBuilder::finish_with(Domain::of(&keys), values)
    }

    /// The items, if this is a sequence or tuple.
    #[inline]
    pub fn as_seq(&self) -> Option<&[Self]> {
        match self {
            Self::Fn(f) if matches!(f.header.header.domain, Domain::Seq) => Some(&f.slice),
            _ => None,
        }
    }

    /// The items, or a fault naming `operator`.
    #[inline]
    pub fn items(&self, operator: &'static str) -> Outcome<&[Self]> {
        self.as_seq().ok_or_else(|| Fault::wrong(operator, "a sequence", self))
    }

    /// Keys and values, if this is a function.
    pub fn pairs(&self) -> Option<Vec<(Self, Self)>> {
        let Self::Fn(f) = self else { return None };
        Some((0..f.slice.len()).map(|i| (key_at(f, i), f.slice[i].clone())).collect())
    }

    /// The domain of a function, and its values in the order of the domain.
    #[inline]
    pub fn parts(&self) -> Option<(&Domain, &[Self])> {
        match self {
            Self::Fn(f) => Some((&f.header.header.domain, &f.slice)),
            _ => None,
        }
    }

    /// The values of a function in the order of its domain.
    pub fn values(&self, operator: &'static str) -> Outcome<&[Self]> {
        match self {
            Self::Fn(f) => Ok(&f.slice),
            other => Err(Fault::wrong(operator, "a function", other)),
        }
    }

    /// `DOMAIN self` of a function; the empty set for anything else.
    #[must_use]
    pub fn domain(&self) -> Self {
        match self {
            Self::Fn(f) => f.header.header.domain.set(f.slice.len()),
            _ => Self::empty_set(),
        }
    }

    /// Whether the domain of this function is the set `s`.
    pub fn domain_equals(&self, s: &Self) -> Outcome<bool> {
        let Self::Fn(f) = self else { return Ok(false) };
        match (&f.header.header.domain, s) {
            (Domain::Keys(keys), Self::Set(set)) => Ok(same_set(keys, set)),
            (Domain::Keys(_), Self::Interval(..)) => Ok(false),
            (Domain::Seq | Domain::From(_), Self::Interval(ends)) => {
                let first = if let Domain::From(first) = f.header.header.domain { first } else { 1 };
                Ok(ends.size() == f.slice.len() as i64 && first == ends.first())
            }
            (_, s) if s.is_a_set() => equal(&self.domain(), s),
            (_, s) => Err(Fault::wrong("[S -> T]", "a set", s)),
        }
    }

    /// The place of `argument` among the values of the function.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "measured: functions are applied everywhere, mostly to small numbers"
    )]
    fn position(f: &FnRef, argument: &Self) -> Option<usize> {
        match (&f.header.header.domain, argument) {
            (Domain::Seq, Self::Int(i)) => within(i.wrapping_sub(1), f),
            (Domain::From(lo), Self::Int(i)) => within(i.wrapping_sub(*lo), f),
            (Domain::Keys(keys), argument) => {
                // Names that were written down together have numbers without gaps.
                if let (Self::Model(name), Some(Self::Model(first))) = (argument, keys.slice.first()) {
                    let guess = name.0.wrapping_sub(first.0) as usize;
                    if matches!(keys.slice.get(guess), Some(Self::Model(found)) if found == name) {
                        return Some(guess);
                    }
                }
                Self::position_of_key(keys, argument)
            }
            _ => None,
        }
    }

    #[inline(never)]
    fn position_of_key(keys: &SetRef, argument: &Self) -> Option<usize> {
        match argument {
            Self::Str(s) if keys.slice.len() <= 12 => {
                keys.slice.iter().position(|k| matches!(k, Self::Str(t) if t == s))
            }
            Self::Model(s) if keys.slice.len() <= 12 => {
                keys.slice.iter().position(|k| matches!(k, Self::Model(t) if t == s))
            }
            argument => find(&keys.slice, argument).ok(),
        }
    }

    /// `self[argument]`.
    #[inline]
    pub fn apply(&self, argument: &Self) -> Outcome<&Self> {
        match self {
            Self::Fn(f) => match Self::position(f, argument) {
                Some(at) => Ok(&f.slice[at]),
                None => {
                    Err(Fault::kind(FaultKind::Domain { function: self.clone(), argument: argument.clone() }))
                }
            },
            other => Err(Fault::wrong("function application", "a function", other)),
        }
    }

    /// The place of an argument among the values of a function, and the value there.
    pub fn find(&self, argument: &Self) -> Option<(usize, &Self)> {
        match self {
            Self::Fn(f) => Self::position(f, argument).map(|at| (at, &f.slice[at])),
            _ => None,
        }
    }

    /// Whether this is the function `base` with `value` at a place that it has.
    pub fn equals_with(&self, base: &Self, at: usize, value: &Self) -> Outcome<bool> {
        let (Self::Fn(f), Self::Fn(g)) = (self, base) else { return Ok(false) };
        Ok(same_domain(f, g)
            && equal(&f.slice[at], value)?
            && f.slice.iter().zip(&g.slice).enumerate().all(|(i, (a, b))| i == at || a.same(b)))
    }

    /// The field of a record, if it is one that has it, and its place, which is looked for first at `guess`.
    #[inline]
    pub fn field(&self, name: Symbol, guess: usize) -> Option<(usize, &Self)> {
        let Self::Fn(f) = self else { return None };
        let Domain::Keys(keys) = &f.header.header.domain else { return None };
        let at = match keys.slice.get(guess) {
            Some(Self::Str(found)) if *found == name => guess,
            _ => Self::position_of_key(keys, &Self::Str(name))?,
        };
        Some((at, &f.slice[at]))
    }

    /// `self[argument]` if the argument is in the domain.
    pub fn get(&self, argument: &Self) -> Option<&Self> {
        match self {
            Self::Fn(f) => Self::position(f, argument).map(|at| &f.slice[at]),
            _ => None,
        }
    }

    /// `[self EXCEPT ![argument] = change(old)]`: without effect outside of the domain, as the language has it.
    /// Changes in place if nobody else holds the function.
    pub fn except(self, argument: &Self, change: &mut Override<'_>) -> Outcome<Self> {
        let Self::Fn(mut f) = self else { return Err(Fault::wrong("EXCEPT", "a function", &self)) };
        let Some(at) = Self::position(&f, argument) else { return Ok(Self::Fn(f)) };
        let old = f.slice[at].clone();
        let unique = f.with_arc_mut(|arc| match Arc::get_mut(arc) {
            Some(inner) => {
                // The slot gives up its value so that a nested change may be in place too.
                inner.slice_mut()[at] = Self::Unset;
                true
            }
            None => false,
        });
        let new = change(old)?;
        // What goes may have been the deepest; then the figure is too large, but never larger than it once was.
        let nesting = f.header.header.nesting.max(new.nesting() + 1);
        if !nesting::admits(nesting) {
            return Ok(Self::seq(Vec::new()));
        }
        if unique {
            f.with_arc_mut(|arc| {
                if let Some(inner) = Arc::get_mut(arc) {
                    inner.slice_mut()[at] = new;
                    *inner.header_mut().hash.get_mut() = 0;
                    inner.header_mut().nesting = nesting;
                }
            });
            return Ok(Self::Fn(f));
        }
        let meta = FnMeta { hash: AtomicU64::new(0), nesting, domain: f.header.header.domain.clone() };
        let values = Replaced { values: f.slice.iter(), until: at, new };
        Ok(Self::Fn(ThinArc::from_header_and_iter(meta, values)))
    }

    /// The same at the end of a way through functions, all of which have what is asked of them.
    pub fn except_at(self, way: &[Self], change: &mut Override<'_>) -> Outcome<Self> {
        match way.split_first() {
            None => change(self),
            Some((first, rest)) => self.except(first, &mut |old| old.except_at(rest, change)),
        }
    }
}

/// A place in a function, if it has it.
#[inline]
fn within(at: i64, f: &FnRef) -> Option<usize> {
    // What is below zero is beyond any length when it is taken as unsigned.
    ((at as usize) < f.slice.len()).then_some(at as usize)
}

/// The values of a function, one of them replaced.
struct Replaced<'a> {
    values: std::slice::Iter<'a, Value>,
    /// How many come before the new one.
    until: usize,
    new: Value,
}

impl Iterator for Replaced<'_> {
    type Item = Value;

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "measured: functions are copied at every step")]
    fn next(&mut self) -> Option<Value> {
        let old = self.values.next()?;
        let is_new = self.until == 0;
        self.until = self.until.wrapping_sub(1);
        Some(if is_new { std::mem::replace(&mut self.new, Value::Unset) } else { old.clone() })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.values.size_hint()
    }
}

impl ExactSizeIterator for Replaced<'_> {}

/// Copies of values with a new one between them.
pub(super) struct Inserted<'a> {
    before: std::slice::Iter<'a, Value>,
    new: Option<Value>,
    after: std::slice::Iter<'a, Value>,
}

impl<'a> Inserted<'a> {
    pub(super) fn new(values: &'a [Value], at: usize, new: &Value) -> Self {
        let (before, after) = values.split_at(at);
        Inserted { before: before.iter(), new: Some(new.clone()), after: after.iter() }
    }
}

impl Iterator for Inserted<'_> {
    type Item = Value;

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "measured: sets and sequences are copied at every step")]
    fn next(&mut self) -> Option<Value> {
        match self.before.next() {
            Some(value) => Some(value.clone()),
            None => self.new.take().or_else(|| self.after.next().cloned()),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let size = self.before.len() + usize::from(self.new.is_some()) + self.after.len();
        (size, Some(size))
    }
}

impl ExactSizeIterator for Inserted<'_> {}

/// The key of the value at `i`.
pub(crate) fn key_at(f: &FnRef, i: usize) -> Value {
    f.header.header.domain.key(i)
}
