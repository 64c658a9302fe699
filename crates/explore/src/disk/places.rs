//! All states by fingerprint, in little memory: nine bytes for each.
//!
//! Mixed fingerprints are sorted, and a state is its place among them. Since they are spread evenly, their leading
//! bits say nearly where one is.

use crate::fingerprint_set::{mix, unmix};

/// States for each entry of the directory, about.
const CLOSE: usize = 4;

/// See the module.
pub(crate) struct Places {
    mixed: Vec<u64>,
    /// Where those with certain leading bits begin; one more at the end.
    first: Vec<u32>,
    shift: u32,
}

impl Places {
    /// The places of so many fingerprints in any order. None if one is there twice.
    pub(crate) fn new(mut fingerprints: Vec<u64>) -> Option<Places> {
        for fingerprint in &mut fingerprints {
            *fingerprint = mix(*fingerprint);
        }
        let mut mixed = fingerprints;
        mixed.sort_unstable();
        if mixed.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        let bits = (mixed.len() / CLOSE).max(2).ilog2();
        let shift = 64 - bits;
        let mut first = Vec::with_capacity((1 << bits) + 1);
        for (place, &one) in mixed.iter().enumerate() {
            while first.len() <= (one >> shift) as usize {
                first.push(place as u32);
            }
        }
        first.resize((1 << bits) + 1, mixed.len() as u32);
        Some(Places { mixed, first, shift })
    }

    /// The place of a fingerprint, if it is there.
    #[inline]
    pub(crate) fn find(&self, fingerprint: u64) -> Option<u32> {
        let mixed = mix(fingerprint);
        let bits = (mixed >> self.shift) as usize;
        let (begin, end) = (self.first[bits], self.first[bits + 1]);
        let close = &self.mixed[begin as usize..end as usize];
        close.iter().position(|&other| other == mixed).map(|at| begin + at as u32)
    }

    /// The fingerprint at a place.
    pub(crate) fn fingerprint(&self, place: u32) -> u64 {
        unmix(self.mixed[place as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_found_and_nothing_else() {
        for count in [0, 1, 2, 3, 8, 100, 5000] {
            let all: Vec<u64> = (0..count).map(|i| i * 3).collect();
            let places = Places::new(all).unwrap();
            let mut seen = vec![false; count as usize];
            for fingerprint in 0..count * 3 {
                let place = places.find(fingerprint);
                assert_eq!(place.is_some(), fingerprint % 3 == 0, "{fingerprint} of {count}");
                if let Some(place) = place {
                    assert!(!std::mem::replace(&mut seen[place as usize], true));
                    assert_eq!(places.fingerprint(place), fingerprint);
                }
            }
        }
        assert!(Places::new(vec![4, 5, 4]).is_none());
    }
}
