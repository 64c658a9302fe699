//! Sets: building them, membership, enumeration and the set operators.

use std::ops::ControlFlow;

use super::function::Inserted;
use super::{Domain, Ends, Fault, FaultKind, Lazy, Meta, Outcome, SetRef, Symbolic, Value, nesting};
use triomphe::ThinArc;

/// The answer of a callback to an enumeration: continue or stop.
pub type Step = Outcome<ControlFlow<()>>;

/// The most elements a set may have when it is enumerated into memory.
pub const MAX_ELEMENTS: usize = 1 << 24;

/// Collects elements in any order, with duplicates, into a set.
#[derive(Default)]
pub struct SetBuilder {
    elements: Vec<Value>,
    unsorted: bool,
}

impl SetBuilder {
    /// A set in the making, with room for so many elements.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { elements: Vec::with_capacity(capacity), unsorted: false }
    }

    /// Adds an element.
    #[inline]
    pub fn push(&mut self, value: Value) -> Outcome<()> {
        if let Some(last) = self.elements.last()
            && !self.unsorted
        {
            match last.compare(&value) {
                std::cmp::Ordering::Less => {}
                std::cmp::Ordering::Equal => return Ok(()),
                std::cmp::Ordering::Greater => self.unsorted = true,
            }
        }
        if self.elements.len() >= MAX_ELEMENTS {
            return Err(too_big(&format!("more than {MAX_ELEMENTS}")));
        }
        self.elements.push(value);
        Ok(())
    }

    /// The set.
    pub fn finish(mut self) -> Value {
        if self.unsorted {
            self.elements.sort_unstable();
            self.elements.dedup();
        }
        Value::from_sorted(self.elements)
    }
}

#[cold]
#[expect(clippy::unnecessary_box_returns, reason = "faults travel boxed")]
pub(crate) fn too_big(figure: &str) -> Box<Fault> {
    Fault::kind(FaultKind::Limit("a set has too many elements to be enumerated", figure.to_owned()))
}

impl Value {
    /// The empty set.
    pub fn empty_set() -> Self {
        Self::from_sorted(Vec::new())
    }

    /// A set of these values, in any order.
    pub fn set_of(elements: impl IntoIterator<Item = Self>) -> Self {
        let mut elements: Vec<Self> = elements.into_iter().collect();
        elements.sort_unstable();
        elements.dedup();
        Self::from_sorted(elements)
    }

    /// A set of elements that are already sorted and unlike.
    pub fn from_sorted(elements: Vec<Self>) -> Self {
        let nesting = nesting::around(&elements);
        if !nesting::admits(nesting) {
            return Self::empty_set();
        }
        let meta = Meta { nesting, ..Meta::default() };
        Self::Set(ThinArc::from_header_and_iter(meta, elements.into_iter()))
    }

    /// `{FALSE, TRUE}`.
    pub fn booleans() -> Self {
        Self::from_sorted(vec![Self::FALSE, Self::TRUE])
    }

    /// `lo..hi`.
    pub fn interval(lo: i64, hi: i64) -> Self {
        if hi < lo {
            return Self::empty_set();
        }
        match (i32::try_from(lo), i32::try_from(hi)) {
            (Ok(lo), Ok(hi)) => Self::Interval(Ends::new(lo, hi)),
            _ => Symbolic::Range(lo, hi).into(),
        }
    }

    /// This set in explicit form; a fault if it is infinite, too big, or not a set.
    pub fn explicit(&self, operator: &'static str) -> Outcome<SetRef> {
        match self {
            Self::Set(set) => Ok(set.clone()),
            Self::Interval(ends) => {
                if ends.size() > MAX_ELEMENTS as i64 {
                    return Err(too_big(&ends.size().to_string()));
                }
                let elements: Vec<Self> = ends.all().map(Self::Int).collect();
                let meta = Meta { nesting: 1, ..Meta::default() };
                Ok(ThinArc::from_header_and_iter(meta, elements.into_iter()))
            }
            Self::Lazy(lazy) => match lazy.force()? {
                Self::Set(set) => Ok(set.clone()),
                other => other.explicit(operator),
            },
            other => Err(Fault::wrong(operator, "a set", other)),
        }
    }

    /// A symbolic set that is finite in explicit form; everything else as it is.
    pub fn settled(self) -> Outcome<Self> {
        match &self {
            Self::Lazy(lazy) if lazy.kind.is_finite() => Ok(Self::Set(self.explicit("a state")?)),
            _ => Ok(self),
        }
    }

    /// Whether `element` is in this set.
    #[inline]
    pub fn contains(&self, element: &Self) -> Outcome<bool> {
        match self {
            Self::Set(set) => Ok(find(&set.slice, element).is_ok()),
            Self::Interval(ends) => Ok(matches!(element, Self::Int(i) if ends.all().contains(i))),
            Self::Lazy(lazy) => lazy.contains(element),
            other => Err(Fault::wrong("\\in", "a set on its right", other)),
        }
    }

    /// Whether a record with these fields is in this set, if that can be said without building it.
    pub fn contains_record(&self, names: &SetRef, values: &[Self]) -> Option<bool> {
        let Self::Set(set) = self else { return None };
        let domain = Domain::Keys(names.clone());
        Some(set.slice.binary_search_by(|candidate| candidate.compare_with_parts(&domain, values)).is_ok())
    }

    /// Calls `step` for each element, in normalised order where the set has one.
    pub fn each(
        &self,
        operator: &'static str,
        step: &mut dyn FnMut(Self) -> Step,
    ) -> Outcome<ControlFlow<()>> {
        match self {
            Self::Set(set) => {
                for element in &set.slice {
                    if step(element.clone())?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(ControlFlow::Continue(()))
            }
            Self::Interval(ends) => {
                for i in ends.all() {
                    if step(Self::Int(i))?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(ControlFlow::Continue(()))
            }
            Self::Lazy(lazy) => lazy.each(step),
            other => Err(Fault::wrong(operator, "a set", other)),
        }
    }

    /// Calls `step` for each element that is taken, by its place among all. Others are not made if that can be avoided.
    pub fn each_taken(
        &self,
        operator: &'static str,
        takes: &mut dyn FnMut(u64) -> bool,
        step: &mut dyn FnMut(Self) -> Step,
    ) -> Step {
        if let Self::Lazy(lazy) = self {
            return lazy.each_taken(takes, step);
        }
        let mut place = 0;
        self.each(operator, &mut |element| {
            place += 1;
            if takes(place - 1) { step(element) } else { Ok(ControlFlow::Continue(())) }
        })
    }

    /// The number of elements.
    pub fn cardinality(&self) -> Outcome<Self> {
        match self {
            Self::Set(set) => Ok(Self::Int(set.slice.len() as i64)),
            Self::Interval(ends) => Ok(Self::Int(ends.size())),
            Self::Lazy(lazy) => lazy.cardinality(),
            other => Err(Fault::wrong("Cardinality", "a set", other)),
        }
    }

    /// The most elements that the set may have, if that can be told without going through them.
    pub fn size_at_most(&self) -> Option<u64> {
        match self {
            Self::Set(set) => Some(set.slice.len() as u64),
            Self::Interval(ends) => u64::try_from(ends.size()).ok(),
            Self::Lazy(lazy) => match lazy.bound().ok()? {
                Self::Int(size) => u64::try_from(size).ok(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether the set has no elements.
    pub fn is_empty_set(&self, operator: &'static str) -> Outcome<bool> {
        match self {
            Self::Set(set) => Ok(set.slice.is_empty()),
            Self::Interval(_) => Ok(false),
            Self::Lazy(lazy) if !lazy.kind.is_finite() => Ok(false),
            Self::Lazy(_) => {
                let mut empty = true;
                let _ = self.each(operator, &mut |_| {
                    empty = false;
                    Ok(ControlFlow::Break(()))
                })?;
                Ok(empty)
            }
            other => Err(Fault::wrong(operator, "a set", other)),
        }
    }

    /// Whether the set is finite.
    pub fn is_finite_set(&self) -> Outcome<bool> {
        match self {
            Self::Set(_) | Self::Interval(..) => Ok(true),
            Self::Lazy(lazy) => Ok(lazy.kind.is_finite()),
            other => Err(Fault::wrong("IsFiniteSet", "a set", other)),
        }
    }

    /// `self \cup other`.
    pub fn union(&self, other: &Self) -> Outcome<Self> {
        if let (Self::Set(a), Self::Set(b)) = (self, other) {
            if b.slice.is_empty() {
                return Ok(self.clone());
            }
            if a.slice.is_empty() {
                return Ok(other.clone());
            }
            if let [only] = &b.slice {
                return Ok(self.with(a, only));
            }
            return Ok(merge(&a.slice, &b.slice));
        }
        match (self, other) {
            (Self::Lazy(_), b) if b.is_a_set() => Ok(Symbolic::Cup(self.clone(), b.clone()).into()),
            (a, Self::Lazy(_)) if a.is_a_set() => Ok(Symbolic::Cup(a.clone(), other.clone()).into()),
            (a, b) => Ok(merge(&a.explicit("\\cup")?.slice, &b.explicit("\\cup")?.slice)),
        }
    }

    /// `self \cup {element}`.
    pub fn union_with(&self, element: Self) -> Outcome<Self> {
        match self {
            Self::Set(set) if !set.slice.is_empty() => Ok(self.with(set, &element)),
            _ => self.union(&Self::from_sorted(vec![element])),
        }
    }

    /// This set, which is `set`, with an element.
    fn with(&self, set: &SetRef, element: &Self) -> Self {
        match find(&set.slice, element) {
            Ok(_) => self.clone(),
            Err(at) => insert(set, at, element),
        }
    }

    /// `self \cap other`.
    pub fn intersection(&self, other: &Self) -> Outcome<Self> {
        match (self, other) {
            (Self::Lazy(_), Self::Lazy(_)) => Ok(Symbolic::Cap(self.clone(), other.clone()).into()),
            (Self::Lazy(_), _) => other.filtered("\\cap", |v| self.contains(v)),
            _ => {
                if !other.is_a_set() {
                    return Err(Fault::wrong("\\cap", "sets", other));
                }
                self.filtered("\\cap", |v| other.contains(v))
            }
        }
    }

    /// `self \ other`.
    pub fn difference(&self, other: &Self) -> Outcome<Self> {
        if !other.is_a_set() {
            return Err(Fault::wrong("\\", "sets", other));
        }
        if matches!(self, Self::Lazy(_)) {
            return Ok(Symbolic::Minus(self.clone(), other.clone()).into());
        }
        self.filtered("\\", |v| Ok(!other.contains(v)?))
    }

    fn filtered(&self, operator: &'static str, keep: impl Fn(&Self) -> Outcome<bool>) -> Outcome<Self> {
        let set = self.explicit(operator)?;
        let mut kept = Vec::with_capacity(set.slice.len());
        for element in &set.slice {
            if keep(element)? {
                kept.push(element.clone());
            }
        }
        if kept.len() == set.slice.len() {
            return Ok(Self::Set(set));
        }
        Ok(Self::from_sorted(kept))
    }

    /// `self \subseteq other`.
    pub fn is_subset(&self, other: &Self) -> Outcome<bool> {
        if !other.is_a_set() {
            return Err(Fault::wrong("\\subseteq", "sets", other));
        }
        if let (Self::Set(a), Self::Set(b)) = (self, other)
            && a.slice.len() > b.slice.len()
        {
            return Ok(false);
        }
        if let (Self::Lazy(a), Self::Lazy(b)) = (self, other) {
            match (&a.kind, &b.kind) {
                (Symbolic::Subset(a), Symbolic::Subset(b)) | (Symbolic::Seq(a), Symbolic::Seq(b)) => {
                    return a.is_subset(b);
                }
                (Symbolic::Nat, Symbolic::Nat | Symbolic::Int | Symbolic::Real)
                | (Symbolic::Int, Symbolic::Int | Symbolic::Real) => return Ok(true),
                _ => {}
            }
        }
        let mut all = true;
        let _ = self.each("\\subseteq", &mut |v| {
            all = other.contains(&v)?;
            Ok(if all { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        })?;
        Ok(all)
    }

    /// `UNION self`.
    pub fn big_union(&self) -> Outcome<Self> {
        let mut lazy = false;
        let mut parts = Vec::new();
        let _ = self.each("UNION", &mut |part| {
            lazy |= matches!(&part, Self::Lazy(l) if !l.kind.is_finite());
            parts.push(part);
            Ok(ControlFlow::Continue(()))
        })?;
        if lazy {
            return Ok(Symbolic::Union(parts).into());
        }
        let mut builder = SetBuilder::default();
        for part in parts {
            let _ = part.each("UNION", &mut |v| {
                builder.push(v)?;
                Ok(ControlFlow::Continue(()))
            })?;
        }
        Ok(builder.finish())
    }
}

/// The place of `element` in a sorted slice: linear for few elements, by halves for many.
#[inline]
pub(crate) fn find(sorted: &[Value], element: &Value) -> Result<usize, usize> {
    if sorted.len() <= 8 {
        for (i, candidate) in sorted.iter().enumerate() {
            match candidate.compare(element) {
                std::cmp::Ordering::Less => {}
                std::cmp::Ordering::Equal => return Ok(i),
                std::cmp::Ordering::Greater => return Err(i),
            }
        }
        return Err(sorted.len());
    }
    sorted.binary_search_by(|candidate| candidate.compare(element))
}

fn insert(set: &SetRef, at: usize, element: &Value) -> Value {
    let nesting = set.header.header.nesting.max(element.nesting() + 1);
    if !nesting::admits(nesting) {
        return Value::empty_set();
    }
    let meta = Meta { nesting, ..Meta::default() };
    Value::Set(ThinArc::from_header_and_iter(meta, Inserted::new(&set.slice, at, element)))
}

fn merge(a: &[Value], b: &[Value]) -> Value {
    let mut elements = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].compare(&b[j]) {
            std::cmp::Ordering::Less => {
                elements.push(a[i].clone());
                i += 1;
            }
            std::cmp::Ordering::Greater => {
                elements.push(b[j].clone());
                j += 1;
            }
            std::cmp::Ordering::Equal => {
                elements.push(a[i].clone());
                i += 1;
                j += 1;
            }
        }
    }
    elements.extend_from_slice(&a[i..]);
    elements.extend_from_slice(&b[j..]);
    Value::from_sorted(elements)
}

impl From<Symbolic> for Value {
    fn from(kind: Symbolic) -> Self {
        Self::Lazy(std::sync::Arc::new(Lazy::new(kind)))
    }
}
