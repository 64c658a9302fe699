//! Integers: 64 bits while they fit, unbounded when they do not.

use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

use super::{Fault, Outcome, Value};

/// The arithmetic operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `\div`.
    Divide,
    /// `%`.
    Modulo,
    /// `^`.
    Power,
}

impl Arithmetic {
    /// Its symbol.
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "\\div",
            Self::Modulo => "%",
            Self::Power => "^",
        }
    }

    /// Applies the operator.
    #[inline]
    pub fn apply(self, left: &Value, right: &Value) -> Outcome<Value> {
        if let (Value::Int(a), Value::Int(b)) = (left, right) {
            let small = match self {
                Self::Add => a.checked_add(*b),
                Self::Subtract => a.checked_sub(*b),
                Self::Multiply => a.checked_mul(*b),
                Self::Divide if *b != 0 => floor_div(*a, *b),
                Self::Modulo if *b > 0 => Some(a.rem_euclid(*b)),
                _ => None,
            };
            if let Some(small) = small {
                return Ok(Value::Int(small));
            }
        }
        self.apply_big(left, right)
    }

    #[cold]
    fn apply_big(self, left: &Value, right: &Value) -> Outcome<Value> {
        let a = left.to_big(self.name())?;
        let b = right.to_big(self.name())?;
        Ok(Value::from_big(match self {
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide => {
                if b.is_zero() {
                    return Err(Fault::other("division by zero"));
                }
                let (quotient, remainder) = (&a / &b, &a % &b);
                if !remainder.is_zero() && (remainder.is_negative() != b.is_negative()) {
                    quotient - 1
                } else {
                    quotient
                }
            }
            Self::Modulo => {
                if !b.is_positive() {
                    return Err(Fault::wrong("%", "a positive number on its right", right));
                }
                let remainder = &a % &b;
                if remainder.is_negative() { remainder + b } else { remainder }
            }
            Self::Power => {
                let Some(exponent) = b.to_u32().filter(|e| *e <= 100_000) else {
                    return Err(Fault::wrong("^", "an exponent from 0 to 100000", right));
                };
                if exponent == 0 && a.is_zero() {
                    return Err(Fault::other("0^0 has no value"));
                }
                a.pow(exponent)
            }
        }))
    }
}

fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && ((a < 0) != (b < 0)) { quotient - 1 } else { quotient })
}

impl Value {
    /// The integer in its smallest form.
    pub fn from_big(big: BigInt) -> Self {
        match big.to_i64() {
            Some(small) => Self::Int(small),
            None => Self::Big(Arc::new(big)),
        }
    }

    /// The integer, or a fault naming `operator`.
    pub fn to_big(&self, operator: &'static str) -> Outcome<BigInt> {
        match self {
            Self::Int(i) => Ok(BigInt::from(*i)),
            Self::Big(b) => Ok((**b).clone()),
            other => Err(Fault::wrong(operator, "integers", other)),
        }
    }

    /// The integer if it fits in 64 bits, or a fault naming `operator`.
    #[inline]
    pub fn to_int(&self, operator: &'static str) -> Outcome<i64> {
        match self {
            Self::Int(i) => Ok(*i),
            other => Err(Fault::wrong(operator, "an integer", other)),
        }
    }

    /// `-self`.
    pub fn negated(&self) -> Outcome<Self> {
        match self {
            Self::Int(i) if *i != i64::MIN => Ok(Self::Int(-i)),
            other => Ok(Self::from_big(-other.to_big("-")?)),
        }
    }

    /// Compares two integers.
    #[inline]
    pub fn compare_numbers(&self, other: &Self, operator: &'static str) -> Outcome<std::cmp::Ordering> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => Ok(a.cmp(b)),
            (a, b) => Ok(a.to_big(operator)?.cmp(&b.to_big(operator)?)),
        }
    }
}
