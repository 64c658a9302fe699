//! Values as bytes, for states that are kept outside memory. Texts are their numbers in [`super::Names`].

use num_bigint::BigInt;

use super::{Domain, Ends, FnBuilder, Symbol, Value};

/// Values deeper than this are not written: reading them takes stack.
const MAX_DEPTH: u32 = 200;

const BOOL: u8 = 0;
const INT: u8 = 1;
const STR: u8 = 2;
const MODEL: u8 = 3;
const INTERVAL: u8 = 4;
const SET: u8 = 5;
const SEQ: u8 = 6;
const FROM: u8 = 7;
const KEYS: u8 = 8;
const BIG: u8 = 9;

impl Value {
    /// Writes a value. False if it is not all in memory, or very deep.
    pub fn store(&self, bytes: &mut Vec<u8>) -> bool {
        self.store_at(bytes, 0)
    }

    fn store_at(&self, bytes: &mut Vec<u8>, depth: u32) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        match self {
            Self::Bool(truth) => bytes.extend([BOOL, u8::from(bool::from(*truth))]),
            Self::Int(int) => word(bytes, INT, int.cast_unsigned()),
            Self::Str(symbol) => word(bytes, STR, symbol.0),
            Self::Model(symbol) => word(bytes, MODEL, symbol.0),
            Self::Interval(ends) => {
                word(bytes, INTERVAL, ends.first().cast_unsigned());
                bytes.extend(ends.last().to_le_bytes());
            }
            Self::Big(big) => {
                let digits = big.to_signed_bytes_le();
                word(bytes, BIG, digits.len() as u64);
                bytes.extend(digits);
            }
            Self::Set(set) => return list(bytes, SET, &set.slice, depth),
            Self::Fn(function) => match &function.header.header.domain {
                Domain::Seq => return list(bytes, SEQ, &function.slice, depth),
                Domain::From(first) => {
                    word(bytes, FROM, first.cast_unsigned());
                    return list(bytes, SEQ, &function.slice, depth);
                }
                Domain::Keys(keys) => {
                    bytes.push(KEYS);
                    return list(bytes, SET, &keys.slice, depth) && list(bytes, SEQ, &function.slice, depth);
                }
            },
            Self::Unset | Self::Lazy(_) | Self::Failed(_) | Self::Operator(_) => return false,
        }
        true
    }

    /// The value that was written so, at the beginning of these bytes; what follows it is left.
    pub fn restore(bytes: &mut &[u8]) -> Option<Self> {
        Self::restore_at(bytes, 0)
    }

    fn restore_at(bytes: &mut &[u8], depth: u32) -> Option<Self> {
        if depth > MAX_DEPTH {
            return None;
        }
        Some(match byte(bytes)? {
            BOOL => Self::from(byte(bytes)? != 0),
            INT => Self::Int(next_word(bytes)?.cast_signed()),
            STR => Self::Str(Symbol(next_word(bytes)?)),
            MODEL => Self::Model(Symbol(next_word(bytes)?)),
            INTERVAL => {
                let mut end = || i32::try_from(next_word(bytes)?.cast_signed()).ok();
                let (first, last) = (end()?, end()?);
                if last < first {
                    return None;
                }
                Self::Interval(Ends::new(first, last))
            }
            BIG => {
                let length = usize::try_from(next_word(bytes)?).ok()?;
                let (digits, rest) = bytes.split_at_checked(length)?;
                *bytes = rest;
                Self::from_big(BigInt::from_signed_bytes_le(digits))
            }
            SET => Self::from_sorted(items(bytes, depth)?),
            SEQ => Self::seq(items(bytes, depth)?),
            FROM => {
                let first = next_word(bytes)?.cast_signed();
                if byte(bytes)? != SEQ {
                    return None;
                }
                FnBuilder::finish_with(Domain::From(first), items(bytes, depth)?)
            }
            KEYS => {
                let Self::Set(keys) = Self::restore_at(bytes, depth + 1)? else { return None };
                if byte(bytes)? != SEQ {
                    return None;
                }
                let values = items(bytes, depth)?;
                if values.len() != keys.slice.len() {
                    return None;
                }
                FnBuilder::finish_with(Domain::Keys(keys), values)
            }
            _ => return None,
        })
    }
}

fn word(bytes: &mut Vec<u8>, kind: u8, word: u64) {
    bytes.push(kind);
    bytes.extend(word.to_le_bytes());
}

fn list(bytes: &mut Vec<u8>, kind: u8, items: &[Value], depth: u32) -> bool {
    word(bytes, kind, items.len() as u64);
    items.iter().all(|item| item.store_at(bytes, depth + 1))
}

fn byte(bytes: &mut &[u8]) -> Option<u8> {
    let (&byte, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(byte)
}

/// The next word.
pub fn next_word(bytes: &mut &[u8]) -> Option<u64> {
    let (word, rest) = bytes.split_first_chunk::<8>()?;
    *bytes = rest;
    Some(u64::from_le_bytes(*word))
}

fn items(bytes: &mut &[u8], depth: u32) -> Option<Vec<Value>> {
    let count = usize::try_from(next_word(bytes)?).ok()?;
    if count > bytes.len() {
        return None;
    }
    (0..count).map(|_| Value::restore_at(bytes, depth + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let int = Value::Int;
        let pair = Value::seq(vec![int(-1), Value::TRUE]);
        let values = [
            Value::FALSE,
            int(i64::MIN),
            Value::Str(Symbol(3)),
            Value::Model(Symbol(4)),
            Value::interval(-3, 5),
            Value::empty_set(),
            Value::set_of([int(4), pair.clone(), Value::empty_set()]),
            Value::seq(Vec::new()),
            Value::function_of(vec![(int(5), pair.clone()), (int(6), int(0))]),
            Value::function_of(vec![(Value::Str(Symbol(9)), pair.clone()), (pair, int(7))]),
            Value::from_big(BigInt::from(i64::MAX) * BigInt::from(-7)),
        ];
        for value in values {
            let mut bytes = Vec::new();
            assert!(value.store(&mut bytes));
            let mut rest = bytes.as_slice();
            let read = Value::restore(&mut rest).unwrap();
            assert!(read.same(&value) && read.hash64() == value.hash64(), "{value:?}");
            assert!(rest.is_empty());
            for length in 0..bytes.len() {
                assert!(Value::restore(&mut &bytes[..length]).is_none(), "{value:?} cut to {length}");
            }
        }
    }
}
