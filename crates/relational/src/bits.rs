//! Integers as circuits.
//!
//! An integer is either a row of bits in two's complement, or a count in unary, where literal `k` says "more than
//! `k`". Counts stay unary as long as they are only compared: a solver sees through that, and not through adders.

use crate::ast::{Compare, IntOp};
use crate::circuit::{Circuit, Lit};
use crate::ints::{IntMode, middle, shift_bits};

/// The most literals that are counted in unary when the bound is not a small constant.
const UNARY_LIMIT: usize = 96;

#[derive(Clone, Debug)]
enum Digits {
    /// Lowest first; the last one is the sign.
    Binary(Vec<Lit>),
    /// Literal `k` is "more than `k`"; each implies those before it.
    Unary(Vec<Lit>),
}

/// An integer whose value depends on the inputs of a circuit.
#[derive(Clone, Debug)]
pub(crate) struct Int {
    digits: Digits,
    /// Whether something on the way here did not fit.
    pub(crate) overflow: Lit,
}

impl Int {
    pub(crate) fn constant(value: i64, mode: IntMode) -> Self {
        let (value, overflow) = mode.fit(i128::from(value));
        Self { digits: Digits::Binary(constant_bits(value)), overflow: overflow.into() }
    }

    fn constant_value(&self) -> Option<i64> {
        let Digits::Binary(bits) = &self.digits else { return None };
        let mut value = 0i64;
        for (i, &bit) in bits.iter().enumerate() {
            if !bit.is_constant() || i >= 64 {
                return None;
            }
            if bit == Lit::TRUE {
                value |= if i + 1 == bits.len() { -1 << i } else { 1 << i };
            }
        }
        Some(value)
    }

    /// How many of these are true.
    pub(crate) fn count(lits: &[Lit], mode: IntMode, circuit: &mut Circuit) -> Self {
        if mode == IntMode::Prevent(1) && !lits.is_empty() {
            return Self::constant(1, mode);
        }
        let sure = lits.iter().filter(|&&lit| lit == Lit::TRUE).count();
        let open: Vec<Lit> = lits.iter().copied().filter(|lit| !lit.is_constant()).collect();
        if open.is_empty() {
            return Self::constant(i64::try_from(sure).unwrap_or(i64::MAX), mode);
        }
        if open.len() <= UNARY_LIMIT && lits.len() as i128 <= i128::from(mode.max()) {
            let mut unary = vec![Lit::TRUE; sure];
            unary.extend(totalize(&open, open.len(), circuit));
            return Self { digits: Digits::Unary(unary), overflow: Lit::FALSE };
        }
        let mut terms: Vec<Vec<Lit>> = open.iter().map(|&lit| vec![lit, Lit::FALSE]).collect();
        terms.push(constant_bits(sure as i64));
        let sum = add_all(terms, circuit);
        fit(sum, Lit::FALSE, mode, circuit)
    }

    /// Whether the number of true literals compares with a constant; the cheap way, which needs only as many digits
    /// as the constant is large.
    pub(crate) fn count_against(
        lits: &[Lit],
        compare: Compare,
        constant: i64,
        flipped: bool,
        circuit: &mut Circuit,
    ) -> Lit {
        let sure = lits.iter().filter(|&&lit| lit == Lit::TRUE).count();
        let open: Vec<Lit> = lits.iter().copied().filter(|lit| !lit.is_constant()).collect();
        let cap = usize::try_from(constant).map_or(0, |c| (c + 1).saturating_sub(sure)).min(open.len());
        let mut unary = vec![Lit::TRUE; sure];
        unary.extend(totalize(&open, cap, circuit));
        unary_against(&unary, compare, constant, flipped, circuit)
    }

    /// The sum of some constants, each if its literal is true. When no two are, each bit is a choice.
    pub(crate) fn sum_of(
        terms: &[(Lit, i64)],
        exclusive: bool,
        mode: IntMode,
        circuit: &mut Circuit,
    ) -> Self {
        if exclusive && !terms.is_empty() {
            let rows: Vec<Vec<Lit>> = terms.iter().map(|term| constant_bits(term.1)).collect();
            let width = rows.iter().map(Vec::len).max().unwrap_or(1);
            let sum = (0..width)
                .map(|i| {
                    let set = terms.iter().zip(&rows).filter(|(_, row)| bit(row, i) == Lit::TRUE);
                    circuit.or(set.map(|(term, _)| term.0))
                })
                .collect();
            return fit(sum, Lit::FALSE, mode, circuit);
        }
        let terms = terms
            .iter()
            .map(|&(lit, value)| constant_bits(value).into_iter().map(|bit| circuit.and2(bit, lit)).collect())
            .collect();
        let sum = add_all(terms, circuit);
        fit(sum, Lit::FALSE, mode, circuit)
    }

    /// The same of different constants in ascending order, with every partial sum in the width; see [`IntMode`].
    pub(crate) fn sum_by_halves(terms: &[(Lit, i64)], mode: IntMode, circuit: &mut Circuit) -> Self {
        Self::halves(terms, mode.min(), mode.max(), mode, circuit)
    }

    fn halves(terms: &[(Lit, i64)], low: i64, high: i64, mode: IntMode, circuit: &mut Circuit) -> Self {
        match terms {
            [] => Self::constant(0, mode),
            [(lit, value)] => {
                let bits = constant_bits(*value).into_iter().map(|bit| circuit.and2(bit, *lit)).collect();
                fit(bits, Lit::FALSE, mode, circuit)
            }
            _ => {
                let middle = middle(low, high);
                let (left, right) = terms.split_at(terms.partition_point(|term| term.1 <= middle));
                let left = Self::halves(left, low, middle, mode, circuit);
                let right = Self::halves(right, middle + 1, high, mode, circuit);
                left.apply(IntOp::Add, &right, mode, circuit)
            }
        }
    }

    /// The sum of some integers, each if its literal is true. Where overflow is prevented, every partial sum is in the
    /// width; see [`IntMode`].
    pub(crate) fn sum_over(terms: &[(Lit, Int)], mode: IntMode, circuit: &mut Circuit) -> Self {
        if mode.prevents_overflow() {
            return Self::sum_in_pairs(terms, mode, circuit);
        }
        let mut overflow = Lit::FALSE;
        let mut rows = Vec::with_capacity(terms.len());
        for (lit, int) in terms {
            let lost = circuit.and2(*lit, int.overflow);
            overflow = circuit.or2(overflow, lost);
            let bits = int.bits(circuit);
            rows.push(bits.into_iter().map(|bit| circuit.and2(bit, *lit)).collect());
        }
        let sum = add_all(rows, circuit);
        fit(sum, overflow, mode, circuit)
    }

    fn sum_in_pairs(terms: &[(Lit, Int)], mode: IntMode, circuit: &mut Circuit) -> Self {
        let zero = Self::constant(0, mode);
        let mut sums: Vec<Self> =
            terms.iter().map(|(lit, int)| Self::choose(*lit, int, &zero, circuit)).collect();
        while sums.len() > 1 {
            let pairs = sums.chunks(2).map(|pair| match pair {
                [a, b] => a.apply(IntOp::Add, b, mode, circuit),
                _ => pair[0].clone(),
            });
            sums = pairs.collect();
        }
        sums.pop().unwrap_or(zero)
    }

    pub(crate) fn with_overflow(mut self, overflow: Lit, circuit: &mut Circuit) -> Self {
        self.overflow = circuit.or2(self.overflow, overflow);
        self
    }

    pub(crate) fn bits(&self, circuit: &mut Circuit) -> Vec<Lit> {
        match &self.digits {
            Digits::Binary(bits) => bits.clone(),
            Digits::Unary(unary) => {
                let width = (usize::BITS - unary.len().leading_zeros()) as usize;
                let mut bits = Vec::with_capacity(width + 1);
                for i in 0..width {
                    // Bit i is set for counts in blocks of 2^i, every second block.
                    let block = 1 << i;
                    let mut low = block;
                    let mut parts = Vec::new();
                    while low <= unary.len() {
                        let above = unary.get(low + block - 1).copied().unwrap_or(Lit::FALSE);
                        parts.push(circuit.and2(unary[low - 1], !above));
                        low += 2 * block;
                    }
                    bits.push(circuit.or(parts));
                }
                bits.push(Lit::FALSE);
                bits
            }
        }
    }

    /// Compares two integers. Where the comparison stands negated, it is built so that its negation is simple.
    pub(crate) fn compare(&self, compare: Compare, other: &Int, negated: bool, circuit: &mut Circuit) -> Lit {
        match (&self.digits, &other.digits) {
            (Digits::Unary(a), Digits::Unary(b)) if compare == Compare::Eq && negated => {
                return equal_unary_to_refute(a, b, circuit);
            }
            (Digits::Unary(a), Digits::Unary(b)) => return compare_unary(a, compare, b, circuit),
            (Digits::Unary(a), _) => {
                if let Some(constant) = other.constant_value() {
                    return unary_against(a, compare, constant, false, circuit);
                }
            }
            (_, Digits::Unary(b)) => {
                if let Some(constant) = self.constant_value() {
                    return unary_against(b, compare, constant, true, circuit);
                }
            }
            _ => {}
        }
        let (a, b) = (self.bits(circuit), other.bits(circuit));
        match compare {
            Compare::Eq => equal(&a, &b, circuit),
            Compare::Lt => less(&a, &b, false, circuit),
            Compare::Le => less(&a, &b, true, circuit),
        }
    }

    /// Whether this is a certain number.
    pub(crate) fn is(&self, value: i64, circuit: &mut Circuit) -> Lit {
        match &self.digits {
            Digits::Unary(unary) => unary_against(unary, Compare::Eq, value, false, circuit),
            Digits::Binary(bits) => equal(bits, &constant_bits(value), circuit),
        }
    }

    pub(crate) fn choose(condition: Lit, then: &Int, other: &Int, circuit: &mut Circuit) -> Int {
        let (a, b) = (then.bits(circuit), other.bits(circuit));
        let width = a.len().max(b.len());
        let bits = (0..width).map(|i| circuit.ite(condition, bit(&a, i), bit(&b, i))).collect();
        let overflow = circuit.ite(condition, then.overflow, other.overflow);
        Int { digits: Digits::Binary(bits), overflow }
    }

    pub(crate) fn apply(&self, op: IntOp, other: &Int, mode: IntMode, circuit: &mut Circuit) -> Int {
        let before = circuit.or2(self.overflow, other.overflow);
        let (a, b) = (self.bits(circuit), other.bits(circuit));
        match op {
            IntOp::Add => fit(add(&a, &b, Lit::FALSE, circuit), before, mode, circuit),
            IntOp::Sub => {
                let negated: Vec<Lit> = b.iter().map(|&bit| !bit).collect();
                let difference = fit(add(&a, &negated, Lit::TRUE, circuit), before, mode, circuit);
                if mode != IntMode::Prevent(1) {
                    return difference;
                }
                // As in `IntMode::apply`: whether something is taken, or nothing is taken away.
                let (some, other) = (circuit.or(a), circuit.or(b));
                let carry = circuit.or2(some, !other);
                let overflow = circuit.or2(before, carry);
                Int { overflow, ..difference }
            }
            IntOp::Mul => fit(multiply(&a, &b, circuit), before, mode, circuit),
            IntOp::Div | IntOp::Rem => divide(&a, &b, op == IntOp::Div, before, mode, circuit),
            IntOp::Shl | IntOp::Shr | IntOp::Sha => shift(&a, &b, op, before, mode, circuit),
        }
    }
}

/// The shortest row of bits for a number.
fn constant_bits(value: i64) -> Vec<Lit> {
    let magnitude = if value < 0 { !value } else { value };
    let width = 64 - magnitude.leading_zeros() + 1;
    (0..width).map(|i| Lit::from(value >> i.min(63) & 1 == 1)).collect()
}

/// A bit of a row that goes on with its sign.
fn bit(bits: &[Lit], i: usize) -> Lit {
    bits[i.min(bits.len() - 1)]
}

/// Brings exact bits into the width of the mode.
fn fit(mut bits: Vec<Lit>, before: Lit, mode: IntMode, circuit: &mut Circuit) -> Int {
    let width = (mode.bits() as usize).max(1);
    let mut overflow = before;
    if mode.bits() == 0 {
        // No bit at all: every integer is 0.
        overflow = circuit.or(bits.iter().copied().chain([before]));
        bits = vec![Lit::FALSE];
    } else if bits.len() > width {
        let sign = bits[width - 1];
        for &bit in &bits[width..] {
            let differs = circuit.xor(bit, sign);
            overflow = circuit.or2(overflow, differs);
        }
        bits.truncate(width);
    }
    while bits.len() > 1 && bits[bits.len() - 1] == bits[bits.len() - 2] {
        bits.pop();
    }
    Int { digits: Digits::Binary(bits), overflow }
}

/// The exact sum, one bit wider than the operands.
fn add(a: &[Lit], b: &[Lit], mut carry: Lit, circuit: &mut Circuit) -> Vec<Lit> {
    let width = a.len().max(b.len()) + 1;
    let mut sum = Vec::with_capacity(width);
    for i in 0..width {
        let (digit, next) = circuit.full_adder(bit(a, i), bit(b, i), carry);
        sum.push(digit);
        carry = next;
    }
    while sum.len() > 1 && sum[sum.len() - 1] == sum[sum.len() - 2] {
        sum.pop();
    }
    sum
}

/// The exact sum of many, as a balanced tree.
fn add_all(mut terms: Vec<Vec<Lit>>, circuit: &mut Circuit) -> Vec<Lit> {
    while terms.len() > 1 {
        let mut next = Vec::with_capacity(terms.len().div_ceil(2));
        for pair in terms.chunks(2) {
            next.push(match pair {
                [a, b] => add(a, b, Lit::FALSE, circuit),
                _ => pair[0].clone(),
            });
        }
        terms = next;
    }
    terms.pop().unwrap_or_else(|| vec![Lit::FALSE])
}

/// The exact product: partial products added, that of the sign subtracted.
fn multiply(a: &[Lit], b: &[Lit], circuit: &mut Circuit) -> Vec<Lit> {
    let width = a.len() + b.len();
    let mut sum = vec![Lit::FALSE];
    for (i, &digit) in a.iter().enumerate() {
        let sign = i + 1 == a.len();
        let partial: Vec<Lit> = (0..width)
            .map(|j| if j < i { Lit::FALSE } else { circuit.and2(digit, bit(b, j - i)) })
            .map(|lit| if sign { !lit } else { lit })
            .collect();
        sum = add(&sum, &partial, sign.into(), circuit);
        sum.truncate(width);
    }
    sum
}

/// The magnitude of a row in a number of bits, without sign.
fn magnitude(bits: &[Lit], width: usize, circuit: &mut Circuit) -> Vec<Lit> {
    let sign = bits[bits.len() - 1];
    let mut carry = sign;
    (0..width)
        .map(|i| {
            let flipped = circuit.xor(bit(bits, i), sign);
            let digit = circuit.xor(flipped, carry);
            carry = circuit.and2(flipped, carry);
            digit
        })
        .collect()
}

/// A row without sign, negated if a literal says so; one bit wider, for the sign.
fn negate_if(bits: &[Lit], negative: Lit, circuit: &mut Circuit) -> Vec<Lit> {
    let mut carry = negative;
    let mut out: Vec<Lit> = bits
        .iter()
        .map(|&b| {
            let flipped = circuit.xor(b, negative);
            let digit = circuit.xor(flipped, carry);
            carry = circuit.and2(flipped, carry);
            digit
        })
        .collect();
    let flipped = circuit.xor(Lit::FALSE, negative);
    out.push(circuit.xor(flipped, carry));
    out
}

/// Division of magnitudes, bit by bit from the top, then the signs.
fn divide(a: &[Lit], b: &[Lit], quotient: bool, before: Lit, mode: IntMode, circuit: &mut Circuit) -> Int {
    let width = a.len().max(b.len());
    let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
    let (dividend, divisor) = (magnitude(a, width, circuit), magnitude(b, width, circuit));
    let mut rest = vec![Lit::FALSE; width + 1];
    let mut result = vec![Lit::FALSE; width];
    for i in (0..width).rev() {
        rest.insert(0, dividend[i]);
        rest.truncate(width + 1);
        // rest - divisor, with one more bit that says "negative".
        let mut carry = Lit::TRUE;
        let mut reduced = Vec::with_capacity(width + 1);
        for (j, &digit) in rest.iter().enumerate() {
            let subtract = divisor.get(j).map_or(Lit::TRUE, |&d| !d);
            let (sum, next) = circuit.full_adder(digit, subtract, carry);
            reduced.push(sum);
            carry = next;
        }
        result[i] = carry;
        for (digit, less) in rest.iter_mut().zip(reduced) {
            *digit = circuit.ite(carry, less, *digit);
        }
    }
    let zero = !circuit.or(b.iter().copied());
    let overflow = circuit.or2(before, zero);
    if quotient {
        let negative = circuit.xor(sign_a, sign_b);
        let exact = negate_if(&result, negative, circuit);
        let nonzero = circuit.or(a.iter().copied());
        // Against the sign of the dividend: all ones for a positive one, a lone one for a negative one.
        let positive = circuit.and2(nonzero, !sign_a);
        let by_zero = |i: usize| if i == 0 { nonzero } else { positive };
        let exact: Vec<Lit> =
            exact.iter().enumerate().map(|(i, &digit)| circuit.ite(zero, by_zero(i), digit)).collect();
        fit(exact, overflow, mode, circuit)
    } else {
        rest.truncate(width);
        let exact = negate_if(&rest, sign_a, circuit);
        let exact: Vec<Lit> = (0..exact.len()).map(|i| circuit.ite(zero, bit(a, i), exact[i])).collect();
        fit(exact, overflow, mode, circuit)
    }
}

fn shift(a: &[Lit], b: &[Lit], op: IntOp, before: Lit, mode: IntMode, circuit: &mut Circuit) -> Int {
    let width = (mode.bits() as usize).max(1);
    let amount: Vec<Lit> = (0..shift_bits(mode.bits()) as usize).map(|i| bit(b, i)).collect();
    // To the left, bits that leave the width must be seen to tell an overflow.
    let wide = if op == IntOp::Shl { width + (1 << amount.len()) } else { width };
    let mut bits: Vec<Lit> = (0..wide).map(|i| bit(a, i)).collect();
    let fill = if op == IntOp::Sha { bits[wide - 1] } else { Lit::FALSE };
    for (i, &by) in amount.iter().enumerate() {
        let step = 1usize << i;
        bits = (0..wide)
            .map(|j| {
                let from = if op == IntOp::Shl {
                    j.checked_sub(step).map_or(Lit::FALSE, |k| bits[k])
                } else {
                    bits.get(j + step).copied().unwrap_or(fill)
                };
                circuit.ite(by, from, bits[j])
            })
            .collect();
    }
    let shifted = fit(bits, before, mode, circuit);
    if op != IntOp::Shl {
        return shifted;
    }
    let beyond = circuit.or((amount.len()..width).map(|i| bit(b, i)));
    let left = shifted.bits(circuit);
    let nonzero = circuit.or(left);
    let lost = circuit.and2(beyond, nonzero);
    shifted.with_overflow(lost, circuit)
}

fn equal(a: &[Lit], b: &[Lit], circuit: &mut Circuit) -> Lit {
    let width = a.len().max(b.len());
    let same: Vec<Lit> = (0..width).map(|i| circuit.iff(bit(a, i), bit(b, i))).collect();
    circuit.and(same)
}

/// From the lowest bit up: less so far, unless a higher bit decides. The sign counts the other way round.
fn less(a: &[Lit], b: &[Lit], or_equal: bool, circuit: &mut Circuit) -> Lit {
    let width = a.len().max(b.len());
    let mut result = Lit::from(or_equal);
    for i in 0..width {
        let (x, y) = (bit(a, i), bit(b, i));
        let (x, y) = if i + 1 == width { (y, x) } else { (x, y) };
        let differ = circuit.xor(x, y);
        result = circuit.ite(differ, y, result);
    }
    result
}

/// Unary digits of how many literals are true, up to a cap: a balanced tree of merges.
fn totalize(lits: &[Lit], cap: usize, circuit: &mut Circuit) -> Vec<Lit> {
    if cap == 0 || lits.is_empty() {
        return Vec::new();
    }
    if lits.len() == 1 {
        return vec![lits[0]];
    }
    let (left, right) = lits.split_at(lits.len() / 2);
    let (left, right) = (totalize(left, cap, circuit), totalize(right, cap, circuit));
    let digit = |row: &[Lit], i: usize| if i == 0 { Lit::TRUE } else { row[i - 1] };
    let mut out = Vec::with_capacity((left.len() + right.len()).min(cap));
    for total in 1..=(left.len() + right.len()).min(cap) {
        let mut ways = Vec::new();
        for i in total.saturating_sub(right.len())..=total.min(left.len()) {
            ways.push(circuit.and2(digit(&left, i), digit(&right, total - i)));
        }
        out.push(circuit.or(ways));
    }
    out
}

/// Compares unary digits with a constant (on the left when flipped). Digits beyond the row are false.
fn unary_against(
    unary: &[Lit],
    compare: Compare,
    constant: i64,
    flipped: bool,
    circuit: &mut Circuit,
) -> Lit {
    // "At least n".
    let at_least = |n: i64| match usize::try_from(n) {
        Err(_) | Ok(0) => Lit::TRUE,
        Ok(n) => unary.get(n - 1).copied().unwrap_or(Lit::FALSE),
    };
    if constant < 0 {
        return Lit::from(flipped && compare != Compare::Eq);
    }
    match (compare, flipped) {
        (Compare::Eq, _) => circuit.and2(at_least(constant), !at_least(constant + 1)),
        (Compare::Lt, false) => !at_least(constant),
        (Compare::Le, false) => !at_least(constant + 1),
        (Compare::Lt, true) => at_least(constant + 1),
        (Compare::Le, true) => at_least(constant),
    }
}

/// Equality of unary digits, to be refuted: "for no number are both this number" is a clause for each number, and the
/// gates that say which number it is are shared by all comparisons.
fn equal_unary_to_refute(a: &[Lit], b: &[Lit], circuit: &mut Circuit) -> Lit {
    let mut ways = Vec::with_capacity(a.len().min(b.len()) + 1);
    for number in 0..=a.len().min(b.len()) as i64 {
        let [left, right] = [a, b].map(|row| unary_against(row, Compare::Eq, number, false, circuit));
        ways.push(circuit.and2(left, right));
    }
    circuit.or(ways)
}

fn compare_unary(a: &[Lit], compare: Compare, b: &[Lit], circuit: &mut Circuit) -> Lit {
    let digit = |row: &[Lit], i: usize| row.get(i).copied().unwrap_or(Lit::FALSE);
    let width = a.len().max(b.len());
    let parts: Vec<Lit> = (0..width)
        .map(|i| match compare {
            Compare::Eq => circuit.iff(digit(a, i), digit(b, i)),
            Compare::Le => circuit.or2(!digit(a, i), digit(b, i)),
            // Some number that the one reaches and the other does not; kept negated for the conjunction below.
            Compare::Lt => !circuit.and2(!digit(a, i), digit(b, i)),
        })
        .collect();
    let all = circuit.and(parts);
    if compare == Compare::Lt { !all } else { all }
}
