//! How much memory a value takes, for the limit of a search.

use triomphe::{Arc, HeaderSlice, ThinArc};

use super::Value;

/// The references to a value that is new: that of the state, and perhaps that of a definition it was computed for.
const NEW: usize = 2;

impl Value {
    /// The bytes behind a variable's value that this state has to account for. What it shares with other states is
    /// counted with those, but for its part of the value itself; to look into it would take as long as to build it.
    pub fn heap_bytes(&self) -> usize {
        self.bytes(NEW)
    }

    /// The bytes of a value to which there are at most so many references if it is new.
    fn bytes(&self, new: usize) -> usize {
        match self {
            Self::Set(set) => slice_bytes(set, new),
            Self::Fn(function) => slice_bytes(function, new),
            Self::Big(number) => size_of::<num_bigint::BigInt>() + number.bits() as usize / 8,
            Self::Lazy(_) => size_of::<super::Lazy>(),
            _ => 0,
        }
    }
}

fn slice_bytes<H>(slice: &ThinArc<H, Value>, new: usize) -> usize {
    let references = ThinArc::with_arc(slice, Arc::strong_count);
    // Beside header and values there are the count of references and the length.
    let own = size_of::<HeaderSlice<H, ()>>() + size_of_val(&slice.slice) + 2 * size_of::<usize>();
    if references > new {
        return own / references;
    }
    own + slice.slice.iter().map(|value| value.bytes(1)).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn what_is_new_is_counted_and_what_is_shared_is_divided() {
        let row = |n: i64| Value::seq((0..n).map(Value::Int).collect());
        let large = row(1000).heap_bytes();
        assert!((16_000..16_100).contains(&large), "{large}");
        let nested = Value::seq(vec![row(1000), row(1000)]);
        assert!(nested.heap_bytes() > 2 * large);
        let shared = row(1000);
        let holders = vec![shared.clone(); 100];
        assert!(shared.heap_bytes() < large / 50);
        let outer = Value::seq(holders);
        assert!(outer.heap_bytes() < 20_000);
    }
}
