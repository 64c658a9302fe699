//! A list that grows while others read it, and whose elements never move.
//!
//! It is cut into segments, which are made when one of their elements is first asked for. They get larger as the list
//! does: a small list takes little memory, a large one has few segments, and at most one part in 64 of it is not in
//! use yet.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The logarithm of the elements of the first segments.
const FIRST_LOG2: u32 = if cfg!(test) { 2 } else { 12 };
/// The logarithm of how many segments have the same size.
const SAME_LOG2: u32 = 6;

/// See the module.
pub(crate) struct Segments<T> {
    all: Box<[OnceLock<Box<[T]>>]>,
    /// How many elements there is room for.
    room: AtomicUsize,
}

impl<T: Default> Segments<T> {
    pub(crate) fn new() -> Segments<T> {
        let (last, ..) = place(u32::MAX);
        Segments { all: (0..=last).map(|_| OnceLock::new()).collect(), room: AtomicUsize::new(0) }
    }

    /// An element, which is the default one if nobody has changed it yet.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> &T {
        let (segment, size, at) = place(number);
        let elements = match self.all[segment].get() {
            Some(elements) => elements,
            None => self.make(segment, size),
        };
        &elements[at]
    }

    #[cold]
    fn make(&self, segment: usize, size: usize) -> &[T] {
        self.all[segment].get_or_init(|| {
            self.room.fetch_add(size, Ordering::Relaxed);
            (0..size).map(|_| T::default()).collect()
        })
    }

    /// Bytes held by the list.
    pub(crate) fn bytes(&self) -> usize {
        self.room.load(Ordering::Relaxed) * size_of::<T>() + size_of_val(&*self.all)
    }
}

/// The segment of an element, the size of that segment, and the place in it.
#[inline]
fn place(number: u32) -> (usize, usize, usize) {
    // As in a floating-point number, the leading bits give the size, those behind them the segment, and the others
    // the place.
    let least = FIRST_LOG2 + SAME_LOG2;
    let number = u64::from(number) + (1 << least);
    let size_log2 = number.ilog2() - SAME_LOG2;
    let same = (size_log2 - FIRST_LOG2) << SAME_LOG2;
    let segment = same as usize + (number >> size_log2) as usize - (1 << SAME_LOG2);
    (segment, 1 << size_log2, (number & ((1 << size_log2) - 1)) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn each_element_has_one_place() {
        let mut expected = (0, 0);
        for number in 0..1_000_000 {
            let (segment, size, at) = place(number);
            assert_eq!((segment, at), expected);
            expected = if at + 1 == size { (segment + 1, 0) } else { (segment, at + 1) };
        }
        let (last, size, at) = place(u32::MAX);
        assert!(last < 2048 && at < size);
    }

    #[test]
    fn elements_stay_and_little_is_made_in_advance() {
        let list = Segments::<AtomicU32>::new();
        let empty = list.bytes();
        for number in 0..100_000 {
            list.get(number).store(number + 1, Ordering::Relaxed);
        }
        assert!((0..100_000).all(|number| list.get(number).load(Ordering::Relaxed) == number + 1));
        let bytes = list.bytes() - empty;
        assert!((400_000..400_000 / 60 * 61).contains(&bytes), "{bytes}");
    }
}
