//! Trees of decisions beside evaluation, and what they take over from other workers.

use super::*;

/// The reads of an imaginary action in a state, one after the other, and its result: which bits it reads depends on
/// what it has read before.
fn evaluate(state: &[u32], action: u32) -> (Vec<(u32, u32)>, Leaf) {
    let masks = [0xF, 0xF0, 0x3FF00, 0x7000_0000];
    let (mut reads, mut seen) = (Vec::new(), u64::from(action));
    while reads.len() < 6 && !(seen ^ (seen >> 17)).is_multiple_of(4) {
        let (word, mask) = ((seen % 3) as u32, masks[(seen >> 2) as usize % masks.len()]);
        reads.push((word, mask));
        let value = u64::from(state[word as usize] & mask);
        seen = (seen ^ value).wrapping_mul(0x2545_F491_4F6C_DD1D).rotate_left(23);
    }
    (reads, (seen % 2) as Leaf)
}

#[test]
fn a_word_may_have_all_its_bits() {
    let mut memo = Memo::new();
    let region = memo.region(None);
    for (word, leaf) in [(1, TRUE), (u32::MAX, FALSE), (0, TRUE)] {
        memo.keep(region, &[(0, u32::MAX)], &[word], leaf);
    }
    let found = [0, 1, u32::MAX, 2].map(|word| memo.find(region, &[word]));
    assert_eq!(found, [Some(TRUE), Some(TRUE), Some(FALSE), None]);
}

/// A message that a part with this number is true in a state, of which it depends on the first word.
fn true_message(number: u32, state: &[u32]) -> Messages {
    let mut messages = Messages::default();
    messages.push((number, Content::Leaf(TRUE), 0), (&[(0, u32::MAX)], state), std::iter::empty());
    messages
}

#[test]
fn what_is_of_no_use_is_not_wanted_any_more() {
    let mut memo = Memo::new();
    let [_, useful] = [3, 4].map(|number| memo.region(Some(number)));
    let mut answers = Messages::default();
    for word in 0..2 * LEAST_HEARD {
        memo.hear(&true_message(3, &[word]), &mut answers);
        memo.hear(&true_message(4, &[word]), &mut answers);
        if word % (SHARE_OF_USED / 2) == 0 {
            // However often it is of use, it counts once.
            assert_eq!([(); 3].map(|()| memo.find(useful, &[word])), [Some(TRUE); 3]);
        }
        assert_eq!(answers.is_empty(), word + 1 < LEAST_HEARD, "{word}");
    }
    assert!((0..answers.len()).all(|index| answers.get(index).number == 3));
    let mut other = Memo::new();
    let [unwanted, wanted] = [3, 4].map(|number| other.region(Some(number)));
    other.hear(&answers, &mut Messages::default());
    assert_eq!((other.wanted(unwanted), other.wanted(wanted)), (None, Some(4)));
    // What is begun anew may be of use again.
    assert!(other.forget(unwanted, 1));
    assert_eq!(other.wanted(unwanted), Some(3));
}

#[test]
fn what_comes_before_it_can_be_kept_waits() {
    let mut memo = Memo::new();
    for word in [5, 6] {
        memo.hear(&true_message(9, &[word]), &mut Messages::default());
    }
    let other = memo.region(Some(8));
    assert_eq!(memo.find(other, &[5]), None);
    let region = memo.region(Some(9));
    assert_eq!([5, 6, 7].map(|word| memo.find(region, &[word])), [Some(TRUE), Some(TRUE), None]);
}

#[test]
fn what_was_found_out_with_fewer_elements_is_not_heard() {
    let mut memo = Memo::new();
    let region = memo.region(Some(0));
    memo.keep(region, &[(0, u32::MAX)], &[1], TRUE);
    let mut later = Messages::default();
    later.push((0, Content::Leaf(FALSE), 7), (&[(0, u32::MAX)], &[2]), std::iter::empty());
    memo.hear(&later, &mut Messages::default());
    // What was known before is forgotten, as the other worker has done.
    assert_eq!(
        ([1, 2].map(|word| memo.find(region, &[word])), memo.elements(region)),
        ([None, Some(FALSE)], 7)
    );
    memo.hear(&true_message(0, &[3]), &mut Messages::default());
    assert_eq!(memo.find(region, &[3]), None);
}

#[test]
fn what_is_known_is_what_evaluation_says() {
    let mut memo = Memo::new();
    let (mut other, mut messages) = (Memo::new(), Messages::default());
    let mut random = 7_u64;
    let mut next = move || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as u32
    };
    let regions: Vec<u32> = (0..8).map(|number| memo.region(Some(number))).collect();
    (0..8).for_each(|number| _ = other.region(Some(number)));
    let (mut known, mut ruled_out) = (0, 0);
    for round in 0..20_000 {
        if round % 100 == 0 {
            other.hear(&std::mem::take(&mut messages), &mut Messages::default());
        }
        let state = [next() & 0x7003_FF33, next() & 0x1001_0111, next() & 0x3000_0F01];
        for &region in &regions {
            let (reads, leaf) = evaluate(&state, region);
            if let Some(look) = memo.never(region, &state) {
                assert_eq!(
                    (leaf, (state[look.word as usize] & look.mask) >> look.shift),
                    (FALSE, look.value)
                );
                ruled_out += 1;
            }
            let found = memo.find(region, &state);
            assert!(found.is_none_or(|found| found == leaf), "{state:?} {reads:?}");
            known += usize::from(found.is_some());
            let mut path = Reads::default();
            assert_eq!(memo.path(region, &state, &mut path), found);
            memo.keep(region, &reads, &state, leaf);
            assert_eq!(memo.find(region, &state), Some(leaf));
            // What another one has heard of it is the same.
            let heard = other.find(region, &state);
            assert!(heard.is_none_or(|heard| heard == leaf), "{state:?} {reads:?}");
            if found.is_none() {
                messages.push((region, Content::Leaf(leaf), 0), (&reads, &state), std::iter::empty());
            }
        }
    }
    assert!(known > 40_000 && ruled_out > 100, "{known} were known, {ruled_out} by one look");
}
