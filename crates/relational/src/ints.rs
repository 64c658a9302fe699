//! The meaning of integers: their width, and what happens when a result does not fit.
//!
//! Counts and sums are taken exactly and then brought into the width; so only the total can overflow, not a partial
//! sum. Where overflow is prevented it is as in Kodkod:
//!
//! - The integers of a set are added half by half, negative ones apart from the others, and a partial sum can overflow.
//! - The terms of `sum x: S | e` are added in pairs, in the order of what `S` can have within its bounds, and the
//!   sums in pairs again; there, too, a partial sum can overflow. So this depends on bounds, which no definition on
//!   an instance can say: [`crate::naive`] leaves it out.
//! - The set of an integer that did not fit is empty, and the sum of a set does not remember it.
//! - With one bit there is no 1: a count of what can have an element always overflows. That depends on bounds as well.
//!
//! Division rounds towards zero; `a / 0` is -1, 0 or 1 against the sign of `a`, and `a rem 0` is `a`, which is what
//! Kodkod's circuits give and therefore what Alloy shows. A shift uses only as many low bits of its second operand as
//! the width needs; to the left, other bits are an overflow unless the result is 0.

use crate::ast::{Compare, IntOp};

/// The integers of a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntMode {
    /// 64 bits; a result that does not fit is an error. For evaluation only.
    Exact,
    /// This many bits; results wrap around.
    Wrap(u32),
    /// This many bits, and no answer may come from an overflow: a comparison in which one happens is false, or
    /// counts for nothing when it depends on a universally quantified integer ([`crate::ExprNode::Ints`]).
    Prevent(u32),
}

impl IntMode {
    /// How wide integers are.
    pub fn bits(self) -> u32 {
        match self {
            Self::Exact => 64,
            Self::Wrap(bits) | Self::Prevent(bits) => bits,
        }
    }

    pub(crate) fn prevents_overflow(self) -> bool {
        matches!(self, Self::Prevent(_))
    }

    /// The smallest integer.
    pub fn min(self) -> i64 {
        if self.bits() == 0 { 0 } else { -1 << (self.bits() - 1) }
    }

    /// The largest integer.
    pub fn max(self) -> i64 {
        !self.min()
    }

    /// A result in this width, and whether it had to be changed to fit.
    pub(crate) fn fit(self, exact: i128) -> (i64, bool) {
        let bits = self.bits();
        let unused = 128 - bits;
        let wrapped = if bits == 0 { 0 } else { (exact << unused >> unused) as i64 };
        (wrapped, i128::from(wrapped) != exact)
    }

    /// An operation, and whether its result did not fit or was a division by zero.
    pub(crate) fn apply(self, op: IntOp, a: i64, b: i64) -> (i64, bool) {
        let (wide_a, wide_b) = (i128::from(a), i128::from(b));
        let amount = b & ((1i64 << shift_bits(self.bits())) - 1);
        match op {
            IntOp::Add => self.fit(wide_a + wide_b),
            // With one bit, Kodkod takes the carry for the overflow.
            IntOp::Sub if self == Self::Prevent(1) => (self.fit(wide_a - wide_b).0, a != 0 || b == 0),
            IntOp::Sub => self.fit(wide_a - wide_b),
            IntOp::Mul => self.fit(wide_a * wide_b),
            IntOp::Div if b == 0 => (-a.signum(), true),
            IntOp::Rem if b == 0 => (a, true),
            IntOp::Div => self.fit(wide_a / wide_b),
            IntOp::Rem => self.fit(wide_a % wide_b),
            IntOp::Shl => {
                let (shifted, lost) = self.fit(wide_a << amount);
                // By more than the width anything but zero would be gone.
                (shifted, lost || b >> shift_bits(self.bits()) != 0 && shifted != 0)
            }
            IntOp::Sha => (self.fit(wide_a >> amount).0, false),
            IntOp::Shr => {
                let unsigned = wide_a as u128 & ((1u128 << self.bits()) - 1);
                (self.fit((unsigned >> amount) as i128).0, false)
            }
        }
    }
}

/// Where the integers of a range are halved to be added up.
pub(crate) fn middle(low: i64, high: i64) -> i64 {
    low + (high - low) / 2
}

/// How many low bits of the second operand a shift of this width uses.
pub(crate) fn shift_bits(width: u32) -> u32 {
    32 - width.saturating_sub(1).leading_zeros()
}

impl Compare {
    pub(crate) fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Self::Eq => a == b,
            Self::Lt => a < b,
            Self::Le => a <= b,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_bits() {
        let mode = IntMode::Wrap(4);
        assert_eq!((mode.min(), mode.max()), (-8, 7));
        assert_eq!(mode.apply(IntOp::Add, 7, 1), (-8, true));
        assert_eq!(mode.apply(IntOp::Mul, -8, -1), (-8, true));
        assert_eq!(mode.apply(IntOp::Div, -8, -1), (-8, true));
        assert_eq!(mode.apply(IntOp::Div, -7, 2), (-3, false));
        assert_eq!(mode.apply(IntOp::Rem, -7, 2), (-1, false));
        assert_eq!(mode.apply(IntOp::Div, 5, 0), (-1, true));
        assert_eq!(mode.apply(IntOp::Rem, -5, 0), (-5, true));
        assert_eq!(mode.apply(IntOp::Shl, 1, 3), (-8, true));
        assert_eq!(mode.apply(IntOp::Shl, 1, 4), (1, true));
        assert_eq!(mode.apply(IntOp::Shl, 1, -4), (1, true));
        assert_eq!(mode.apply(IntOp::Shl, 0, 4), (0, false));
        assert_eq!(mode.apply(IntOp::Shl, -1, 3), (-8, false));
        assert_eq!(mode.apply(IntOp::Sha, -8, 2), (-2, false));
        assert_eq!(mode.apply(IntOp::Shr, -8, 2), (2, false));
        assert_eq!(mode.fit(17), (1, true));
    }

    #[test]
    fn sixty_four_bits() {
        assert_eq!(IntMode::Exact.max(), i64::MAX);
        assert_eq!(IntMode::Exact.apply(IntOp::Add, i64::MAX, 1), (i64::MIN, true));
        assert_eq!(IntMode::Exact.apply(IntOp::Shr, -1, 63), (1, false));
    }
}
