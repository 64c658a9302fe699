//! Values by number, of which most are not there: a formula is a small part of an arena.
//!
//! Numbers are looked up as in a vector, but room is made only for those in the neighbourhood of one that has a
//! value, so that evaluating one formula does not cost as much as there are formulas.

/// How many neighbours get room together.
const PAGE: usize = 64;

type Page<T> = Box<[Option<T>; PAGE]>;

/// Values by number.
#[derive(Debug)]
pub(super) struct Sparse<T> {
    pages: Vec<Option<Page<T>>>,
}

impl<T> Default for Sparse<T> {
    fn default() -> Self {
        Self { pages: Vec::new() }
    }
}

impl<T> Sparse<T> {
    /// The value with a number.
    pub(super) fn get(&self, number: usize) -> Option<&T> {
        self.pages.get(number / PAGE)?.as_ref()?[number % PAGE].as_ref()
    }

    /// The place of the value with a number.
    pub(super) fn slot(&mut self, number: usize) -> &mut Option<T> {
        let at = number / PAGE;
        if self.pages.len() <= at {
            self.pages.resize_with(at + 1, || None);
        }
        let page = self.pages[at].get_or_insert_with(|| Box::new([const { None }; PAGE]));
        &mut page[number % PAGE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_their_numbers() {
        let mut values = Sparse::default();
        assert_eq!(values.get(1_000), None);
        *values.slot(1_000) = Some("a");
        *values.slot(0) = Some("b");
        assert_eq!((values.get(1_000), values.get(0)), (Some(&"a"), Some(&"b")));
        assert_eq!((values.get(999), values.get(1_001), values.get(10_000)), (None, None, None));
        assert_eq!(values.slot(0).take(), Some("b"));
        assert_eq!(values.get(0), None);
    }
}
