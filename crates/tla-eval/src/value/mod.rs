//! Values: what TLA+ expressions evaluate to.
//!
//! A [`Value`] is 16 bytes, cheap to clone, and has a total order that is used to normalise sets. Every value has
//! one representation wherever that is affordable: a function whose domain is `1..n` is always laid out as a
//! sequence, so `<<1, 2>>` and `[i \in 1..2 |-> i]` are the same thing in memory. Sets are explicit (sorted,
//! without duplicates), intervals, or symbolic ([`lazy`]); those three are compared by their elements.
//!
//! Nothing here knows about expressions, states or modules.

mod copy;
mod fault;
mod function;
mod given;
mod lazy;
mod means;
mod names;
mod nesting;
mod number;
mod order;
mod permuted;
mod print;
mod sample;
mod set;
mod size;
mod stored;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use num_bigint::BigInt;
use triomphe::ThinArc;

pub use copy::Copier;
pub use fault::{Fault, FaultKind, Outcome};
pub use function::FnBuilder;
pub use lazy::each_subset_of_size;
pub use lazy::{Lazy, Membership, Symbolic};
pub use means::{Means, Memory, Outside};
pub use means::{heed, outside, room, tick, with_few_steps};
pub use names::{Names, Symbol};
pub use nesting::check as check_nesting;
pub use number::Arithmetic;
pub use order::{equal, mix};
pub use permuted::{Permutations, PermutedHashes};
pub use print::MAX_TEXT;
pub use print::Shown;
pub use set::{MAX_ELEMENTS, SetBuilder, Step};
pub use stored::next_word;

/// A TLA+ value.
///
/// Whatever it is, it is a word that says what, and a word more. As long as each variant has one word or none, a value
/// moves in two registers, and not by way of memory; measured, that is a tenth of the time of a check.
#[derive(Clone, Debug)]
pub enum Value {
    /// No value: a variable or slot that has not been given one. Never part of another value.
    Unset,
    /// `TRUE` or `FALSE`.
    Bool(Truth),
    /// An integer that fits in 64 bits.
    Int(i64),
    /// A string.
    Str(Symbol),
    /// A model value: equal only to itself.
    Model(Symbol),
    /// The set of integers between two.
    Interval(Ends),
    /// A set with its elements sorted and without duplicates.
    Set(SetRef),
    /// A set that is described and not (yet) enumerated.
    Lazy(Arc<Lazy>),
    /// A function, sequence, tuple or record.
    Fn(FnRef),
    /// An integer that does not fit in 64 bits.
    Big(Arc<BigInt>),
    /// An evaluation that failed; reported when the value is used.
    Failed(Arc<Fault>),
    /// An operator passed as an argument to a recursive operator.
    Operator(Arc<Box<dyn std::any::Any + Send + Sync>>),
}

/// A truth value in a whole word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u64)]
pub enum Truth {
    /// `FALSE`.
    False,
    /// `TRUE`.
    True,
}

impl From<bool> for Truth {
    #[inline]
    fn from(truth: bool) -> Self {
        if truth { Self::True } else { Self::False }
    }
}

impl From<Truth> for bool {
    #[inline]
    fn from(truth: Truth) -> Self {
        truth == Truth::True
    }
}

/// The first and the last integer of a set without gaps, in one word. Such a set is not empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ends(u64);

impl Ends {
    /// Both ends; the last is not before the first.
    #[inline]
    pub fn new(first: i32, last: i32) -> Self {
        Self(u64::from(first.cast_unsigned()) << 32 | u64::from(last.cast_unsigned()))
    }

    /// The first integer.
    #[inline]
    pub fn first(self) -> i64 {
        i64::from(((self.0 >> 32) as u32).cast_signed())
    }

    /// The last integer.
    #[inline]
    pub fn last(self) -> i64 {
        i64::from((self.0 as u32).cast_signed())
    }

    /// How many there are.
    #[inline]
    pub fn size(self) -> i64 {
        self.last() - self.first() + 1
    }

    /// All of them, in order.
    #[inline]
    pub fn all(self) -> std::ops::RangeInclusive<i64> {
        self.first()..=self.last()
    }
}

/// An explicit set.
pub type SetRef = ThinArc<Meta, Value>;
/// A function: its domain in the header, its values in the order of the domain.
pub type FnRef = ThinArc<FnMeta, Value>;

/// Data kept with the elements of a set.
#[derive(Debug, Default)]
pub struct Meta {
    hash: AtomicU64,
    nesting: u32,
}

/// Data kept with the values of a function.
#[derive(Debug)]
pub struct FnMeta {
    hash: AtomicU64,
    nesting: u32,
    domain: Domain,
}

/// The domain of a function. A domain that is `1..n` is always `Seq`, another non-empty interval always `From`.
#[derive(Clone, Debug)]
pub enum Domain {
    /// `1..n`, also for the empty function.
    Seq,
    /// The integers from this one on.
    From(i64),
    /// Any other set.
    Keys(SetRef),
}

const _: () = assert!(size_of::<Value>() == 16, "values are meant to be two words");

impl Value {
    /// `TRUE`.
    pub const TRUE: Self = Self::Bool(Truth::True);
    /// `FALSE`.
    pub const FALSE: Self = Self::Bool(Truth::False);

    /// Takes the place of another value. That one mostly owns nothing, and then there is nothing to be done about it.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "measured: a call for each value that is replaced is what this avoids"
    )]
    pub fn put(&mut self, value: Self) {
        let old = std::mem::replace(self, value);
        match old {
            Self::Unset
            | Self::Bool(_)
            | Self::Int(_)
            | Self::Str(_)
            | Self::Model(_)
            | Self::Interval(_) => std::mem::forget(old),
            old => drop(old),
        }
    }

    /// Whether this is a value at all.
    #[inline]
    pub fn is_set(&self) -> bool {
        !matches!(self, Self::Unset)
    }

    /// Whether this is a value that can be used as it is.
    #[inline]
    pub fn is_plain(&self) -> bool {
        !matches!(self, Self::Unset | Self::Operator(_) | Self::Failed(_))
    }

    /// Whether this value is compared at a glance, and with every other one.
    #[inline]
    pub fn is_simple(&self) -> bool {
        matches!(self, Self::Bool(_) | Self::Int(_) | Self::Str(_) | Self::Model(_))
    }

    /// Whether this value holds a function that is not laid out.
    pub fn holds_operator(&self) -> bool {
        match self {
            Self::Operator(_) | Self::Failed(_) => true,
            Self::Set(set) => set.slice.iter().any(Self::holds_operator),
            Self::Fn(function) => function.slice.iter().any(Self::holds_operator),
            _ => false,
        }
    }

    /// Whether two values are the same at a glance: if not, they may still be equal.
    #[inline]
    pub fn is_identical(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Set(a), Self::Set(b)) => std::ptr::eq(a.slice.as_ptr(), b.slice.as_ptr()),
            (Self::Fn(a), Self::Fn(b)) => std::ptr::eq(a.slice.as_ptr(), b.slice.as_ptr()),
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Str(a), Self::Str(b)) | (Self::Model(a), Self::Model(b)) => a == b,
            _ => false,
        }
    }

    /// The truth value, or a fault that names the operator that wanted one.
    #[inline]
    pub fn truth(&self, operator: &'static str) -> Outcome<bool> {
        match self {
            Self::Bool(truth) => Ok((*truth).into()),
            other => {
                Err(Fault::kind(FaultKind::Type { operator, expected: "a Boolean", got: other.clone() }))
            }
        }
    }

    /// A string value.
    pub fn string(names: &Names, text: &str) -> Self {
        Self::Str(names.intern(text))
    }

    /// Whether this is one of the set variants.
    pub fn is_a_set(&self) -> bool {
        matches!(self, Self::Set(_) | Self::Interval(..) | Self::Lazy(_))
    }
}

impl From<bool> for Value {
    #[inline]
    fn from(truth: bool) -> Self {
        Self::Bool(truth.into())
    }
}

impl From<i64> for Value {
    fn from(i: i64) -> Self {
        Self::Int(i)
    }
}

#[cfg(test)]
mod tests;
