//! Equality, the total order that normalises sets, and the 64-bit hash that fingerprints are made of.
//!
//! The order follows TLC where TLC has one (sets and functions by size, then element by element; model values before
//! everything else), because `CHOOSE` takes the first element that fits. Values of unlike kind are simply unequal.

use std::cmp::Ordering;
use std::sync::atomic::Ordering::Relaxed;

use super::{Domain, Ends, FnRef, Outcome, SetRef, Symbolic, Value, nesting};

const RANK_OF_FUNCTIONS: u8 = 6;

const K0: u64 = 0x9E37_79B9_7F4A_7C15;
const K1: u64 = 0xD6E8_FEB8_6659_FD93;

/// Mixes `word` into `hash`: a folded multiplication, so that every bit of both reaches every bit of the result.
#[inline]
pub fn mix(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ K0 ^ word.rotate_left(23)) * u128::from(word ^ K1 ^ hash.rotate_left(41));
    (product as u64) ^ ((product >> 64) as u64) ^ word.wrapping_mul(K0)
}

impl Value {
    /// Compares with a function that is not built, and has a domain other than the empty one.
    #[inline]
    pub(super) fn compare_with_parts(&self, domain: &Domain, values: &[Self]) -> Ordering {
        match self {
            Self::Fn(f) => compare_parts((&f.header.header.domain, &f.slice), (domain, values)),
            other => other.rank().cmp(&RANK_OF_FUNCTIONS),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Unset => 0,
            Self::Model(_) => 1,
            Self::Bool(_) => 2,
            Self::Int(_) | Self::Big(_) => 3,
            Self::Str(_) => 4,
            Self::Set(_) | Self::Interval(..) | Self::Lazy(_) => 5,
            Self::Fn(_) => RANK_OF_FUNCTIONS,
            Self::Failed(_) => 7,
            Self::Operator(_) => 8,
        }
    }

    /// A 64-bit hash: equal values have equal hashes. Kept with sets and functions once computed.
    #[inline]
    pub fn hash64(&self) -> u64 {
        match self {
            Self::Bool(b) => mix(2, *b as u64),
            Self::Int(i) => mix(3, *i as u64),
            Self::Str(s) => mix(4, s.0),
            Self::Model(s) => mix(1, s.0),
            Self::Fn(f) => match f.header.header.hash.load(Relaxed) {
                0 => hash_function(f),
                known => known,
            },
            Self::Set(s) => match s.header.header.hash.load(Relaxed) {
                0 => hash_set(s),
                known => known,
            },
            other => other.hash_rare(),
        }
    }

    #[cold]
    fn hash_rare(&self) -> u64 {
        match self {
            Self::Interval(ends) => {
                let hash = ends.all().fold(mix(5, ends.size() as u64), |h, i| mix(h, Self::Int(i).hash64()));
                hash.max(1)
            }
            Self::Big(b) => b.iter_u64_digits().fold(mix(7, b.sign() as u64), mix),
            Self::Lazy(lazy) => match lazy.forced() {
                Some(set) => set.hash64(),
                None => mix(8, lazy.kind.rank()),
            },
            _ => 0,
        }
    }

    /// Whether two values are equal.
    #[inline]
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Str(a), Self::Str(b)) | (Self::Model(a), Self::Model(b)) => a == b,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Fn(a), Self::Fn(b)) => same_function(a, b),
            (Self::Set(a), Self::Set(b)) => same_set(a, b),
            (Self::Set(set), Self::Interval(ends)) | (Self::Interval(ends), Self::Set(set)) => {
                is_interval(set, *ends)
            }
            (a, b) => a.rank() == b.rank() && a.compare(b) == Ordering::Equal,
        }
    }

    /// The total order of values.
    pub fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a.cmp(b),
            (Self::Str(a), Self::Str(b)) | (Self::Model(a), Self::Model(b)) => a.cmp(b),
            (Self::Bool(a), Self::Bool(b)) => a.cmp(b),
            (Self::Fn(a), Self::Fn(b)) => compare_functions(a, b),
            (Self::Set(a), Self::Set(b)) => compare_sets(a, b),
            (a, b) => match a.rank().cmp(&b.rank()) {
                Ordering::Equal => a.compare_rare(b),
                unequal => unequal,
            },
        }
    }

    /// A set that cannot be enumerated comes after one that has been. They are unequal if it has more elements; if that
    /// is not known, nothing is.
    fn beyond(&self, other: &Self) -> Ordering {
        if self.at_least() <= other.at_least() {
            nesting::compared(nesting::Doubt::Sets);
        }
        Ordering::Greater
    }

    #[cold]
    fn compare_rare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Int(_) | Self::Big(_), Self::Int(_) | Self::Big(_)) => {
                self.compare_numbers(other, "=").expect("both are integers")
            }
            (Self::Interval(a), Self::Interval(b)) => {
                a.size().cmp(&b.size()).then_with(|| a.first().cmp(&b.first()))
            }
            (Self::Lazy(a), Self::Lazy(b)) if std::sync::Arc::ptr_eq(a, b) => Ordering::Equal,
            (Self::Lazy(a), Self::Lazy(b)) if a.kind.same_shape(&b.kind) => Ordering::Equal,
            (Self::Lazy(a), b) => match a.forced() {
                Some(set) => set.compare(b),
                None => match b {
                    Self::Lazy(b) => {
                        if let Some(b) = b.forced() {
                            return self.beyond(b);
                        }
                        if !a.kind.is_named() || !b.kind.is_named() {
                            nesting::compared(nesting::Doubt::Sets);
                        }
                        a.kind.rank().cmp(&b.kind.rank()).then(Ordering::Less)
                    }
                    b => self.beyond(b),
                },
            },
            (a, Self::Lazy(_)) => other.compare(a).reverse(),
            (Self::Interval(ends), Self::Set(set)) => {
                (ends.size() as usize).cmp(&set.slice.len()).then_with(|| {
                    let mut orders = ends.all().zip(&set.slice).map(|(i, v)| Self::Int(i).compare(v));
                    orders.find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
                })
            }
            (Self::Set(_), Self::Interval(..)) => other.compare_rare(self).reverse(),
            (Self::Operator(a), Self::Operator(b)) => {
                let order = std::sync::Arc::as_ptr(a).cmp(&std::sync::Arc::as_ptr(b));
                if order.is_ne() {
                    nesting::compared(nesting::Doubt::Functions);
                }
                order
            }
            _ => Ordering::Equal,
        }
    }
}

/// Equality, except that what cannot be enumerated is not compared on a guess.
#[inline]
pub fn equal(a: &Value, b: &Value) -> Outcome<bool> {
    let same = a.same(b);
    if !same && (matches!(a, Value::Lazy(_) | Value::Operator(_)) || matches!(b, Value::Lazy(_))) {
        nesting::check()?;
    }
    Ok(same)
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.same(other)
    }
}

impl Eq for Value {}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        self.compare(other)
    }
}

impl std::hash::Hash for Value {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash64());
    }
}

fn hash_set(set: &SetRef) -> u64 {
    let hash = set.slice.iter().fold(mix(5, set.slice.len() as u64), |h, v| mix(h, v.hash64())).max(1);
    set.header.header.hash.store(hash, Relaxed);
    hash
}

fn hash_function(f: &FnRef) -> u64 {
    let domain = match &f.header.header.domain {
        Domain::Seq => mix(6, 1),
        Domain::From(lo) => mix(6, *lo as u64),
        Domain::Keys(keys) => match keys.header.header.hash.load(Relaxed) {
            0 => hash_set(keys),
            known => known,
        },
    };
    let hash = f.slice.iter().fold(mix(domain, f.slice.len() as u64), |h, v| mix(h, v.hash64())).max(1);
    f.header.header.hash.store(hash, Relaxed);
    hash
}

/// Two hashes that are both known and differ settle that the values differ.
#[inline]
fn hashes_differ(a: u64, b: u64) -> bool {
    a != 0 && b != 0 && a != b
}

#[inline]
pub(super) fn same_set(a: &SetRef, b: &SetRef) -> bool {
    std::ptr::eq(a.slice.as_ptr(), b.slice.as_ptr())
        || (a.slice.len() == b.slice.len()
            && !hashes_differ(a.header.header.hash.load(Relaxed), b.header.header.hash.load(Relaxed))
            && a.slice.iter().zip(&b.slice).all(|(x, y)| x.same(y)))
}

#[inline]
fn same_function(a: &FnRef, b: &FnRef) -> bool {
    std::ptr::eq(a.slice.as_ptr(), b.slice.as_ptr())
        || (a.slice.len() == b.slice.len()
            && !hashes_differ(a.header.header.hash.load(Relaxed), b.header.header.hash.load(Relaxed))
            && same_domain(a, b)
            && a.slice.iter().zip(&b.slice).all(|(x, y)| x.same(y)))
}

/// Whether a set is an interval: its elements are sorted and unlike, so its ends and its size tell.
fn is_interval(set: &SetRef, ends: Ends) -> bool {
    let (Some(Value::Int(first)), Some(Value::Int(last))) = (set.slice.first(), set.slice.last()) else {
        return false;
    };
    set.slice.len() as i64 == ends.size() && *first == ends.first() && *last == ends.last()
}

/// Whether two functions have the same domain.
#[inline]
pub(super) fn same_domain(a: &FnRef, b: &FnRef) -> bool {
    a.slice.len() == b.slice.len()
        && match (&a.header.header.domain, &b.header.header.domain) {
            (Domain::Seq, Domain::Seq) => true,
            (Domain::From(x), Domain::From(y)) => x == y,
            (Domain::Keys(x), Domain::Keys(y)) => same_set(x, y),
            _ => false,
        }
}

fn compare_slices(a: &[Value], b: &[Value]) -> Ordering {
    for (x, y) in a.iter().zip(b) {
        let order = match (x, y) {
            (Value::Int(x), Value::Int(y)) => x.cmp(y),
            (Value::Str(x), Value::Str(y)) | (Value::Model(x), Value::Model(y)) => x.cmp(y),
            _ => x.compare(y),
        };
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

fn compare_sets(a: &SetRef, b: &SetRef) -> Ordering {
    if std::ptr::eq(a.slice.as_ptr(), b.slice.as_ptr()) {
        return Ordering::Equal;
    }
    a.slice.len().cmp(&b.slice.len()).then_with(|| compare_slices(&a.slice, &b.slice))
}

#[inline]
fn compare_functions(a: &FnRef, b: &FnRef) -> Ordering {
    if std::ptr::eq(a.slice.as_ptr(), b.slice.as_ptr()) {
        return Ordering::Equal;
    }
    compare_parts((&a.header.header.domain, &a.slice), (&b.header.header.domain, &b.slice))
}

/// Compares functions by their domains and values.
fn compare_parts((a, x): (&Domain, &[Value]), (b, y): (&Domain, &[Value])) -> Ordering {
    let sizes = x.len().cmp(&y.len());
    sizes
        .then_with(|| match (a, b) {
            (Domain::Seq, Domain::Seq) => Ordering::Equal,
            (Domain::Seq, Domain::From(y)) => 1.cmp(y),
            (Domain::From(x), Domain::Seq) => x.cmp(&1),
            (Domain::From(x), Domain::From(y)) => x.cmp(y),
            (Domain::Keys(x), Domain::Keys(y)) => compare_sets(x, y),
            (Domain::Keys(x), _) => x.slice[0].compare(&Value::Int(i64::MIN)),
            (_, Domain::Keys(y)) => Value::Int(i64::MIN).compare(&y.slice[0]),
        })
        .then_with(|| compare_slices(x, y))
}

impl Symbolic {
    /// A number for each kind of symbolic set, for the order of sets that cannot be enumerated.
    pub fn rank(&self) -> u64 {
        match self {
            Self::Nat => 0,
            Self::Int => 1,
            Self::Real => 2,
            Self::Strings => 3,
            Self::Range(..) => 4,
            Self::Subset(_) => 5,
            Self::Functions(..) => 6,
            Self::Records(..) => 7,
            Self::Product(_) => 8,
            Self::Seq(_) => 9,
            Self::Cup(..) => 10,
            Self::Cap(..) => 11,
            Self::Minus(..) => 12,
            Self::Union(_) => 13,
            Self::Filter(..) => 14,
            Self::Bags(_) => 15,
            Self::Any => 16,
        }
    }

    /// Whether two symbolic sets are described alike by equal parts, and are therefore equal.
    fn same_shape(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Nat, Self::Nat)
            | (Self::Int, Self::Int)
            | (Self::Real, Self::Real)
            | (Self::Any, Self::Any)
            | (Self::Strings, Self::Strings) => true,
            (Self::Range(a, b), Self::Range(c, d)) => a == c && b == d,
            (Self::Subset(a), Self::Subset(b)) | (Self::Seq(a), Self::Seq(b)) => a.same(b),
            (Self::Functions(a, b), Self::Functions(c, d))
            | (Self::Cup(a, b), Self::Cup(c, d))
            | (Self::Cap(a, b), Self::Cap(c, d))
            | (Self::Minus(a, b), Self::Minus(c, d)) => a.same(c) && b.same(d),
            (Self::Records(a, b), Self::Records(c, d)) => same_set(a, c) && b == d,
            (Self::Product(a), Self::Product(b)) => a == b,
            _ => false,
        }
    }
}
