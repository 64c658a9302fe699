//! The derivation of types: the types of all files as trees, so that chains of any length take no stack, and asking
//! whether a type derives from another takes no time.
//!
//! Out of scope: which type a name means ([`crate::types::names`]).

/// A type derives from others in no more steps than this.
pub(crate) const MOST_STEPS: usize = 1_000;

/// The parent of a type: nothing, another type by its number, or something that is not known.
type Parent = Option<Result<usize, ()>>;

/// Types by number.
pub(crate) struct Ancestry {
    parents: Vec<Option<usize>>,
    /// The types whose parent is left out since it would close a circle.
    closes_circle: Vec<bool>,
    /// The types whose parent is left out since it derives from too many others.
    too_deep: Vec<bool>,
    /// Whether all that a type derives from is known.
    whole: Vec<bool>,
    /// When a walk through all trees comes to a type, and when it has seen all that derive from it.
    spans: Vec<(u32, u32)>,
}

impl Ancestry {
    pub(crate) fn new(given: &[Parent]) -> Self {
        let (mut parents, closes_circle) = without_circles(given);
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); given.len()];
        for (at, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent {
                children[*parent].push(at);
            }
        }
        let mut whole: Vec<bool> = given.iter().map(|parent| !matches!(parent, Some(Err(())))).collect();
        let mut too_deep = vec![false; given.len()];
        let mut spans = vec![(0, 0); given.len()];
        let mut clock = 0;
        let mut roots: Vec<usize> = (0..given.len()).filter(|&at| parents[at].is_none()).collect();
        while let Some(root) = roots.pop() {
            // Each type with the number of steps from the root, and whether all that derives from it was seen.
            let mut left = vec![(root, 0, false)];
            while let Some((at, steps, seen)) = left.pop() {
                if seen {
                    spans[at].1 = clock;
                    continue;
                }
                clock += 1;
                spans[at].0 = clock;
                left.push((at, steps, true));
                for &child in &children[at] {
                    if steps == MOST_STEPS {
                        (parents[child], too_deep[child], whole[child]) = (None, true, false);
                        roots.push(child);
                    } else {
                        whole[child] &= whole[at];
                        left.push((child, steps + 1, false));
                    }
                }
            }
        }
        Self { parents, closes_circle, too_deep, whole, spans }
    }

    /// Whether a type derives from so many others that its parent is left out.
    pub(crate) fn is_too_deep(&self, at: usize) -> bool {
        self.too_deep[at]
    }

    pub(crate) fn parent(&self, at: usize) -> Option<usize> {
        self.parents[at]
    }

    pub(crate) fn closes_circle(&self, at: usize) -> bool {
        self.closes_circle[at]
    }

    pub(crate) fn is_whole(&self, at: usize) -> bool {
        self.whole[at]
    }

    /// Whether a type derives from another, or is it.
    pub(crate) fn is_below(&self, at: usize, other: usize) -> bool {
        (self.spans[other].0..=self.spans[other].1).contains(&self.spans[at].0)
    }
}

/// The parents, without the one of each circle that leads back to the type where it was entered.
fn without_circles(given: &[Parent]) -> (Vec<Option<usize>>, Vec<bool>) {
    let mut parents: Vec<Option<usize>> = given.iter().map(|parent| parent.and_then(Result::ok)).collect();
    let mut closes_circle = vec![false; given.len()];
    // By which walk a type was seen.
    let mut seen: Vec<Option<usize>> = vec![None; given.len()];
    for start in 0..given.len() {
        let mut at = start;
        while seen[at].is_none() {
            seen[at] = Some(start);
            let Some(parent) = parents[at] else { break };
            if seen[parent] == Some(start) {
                parents[at] = None;
                closes_circle[at] = true;
                break;
            }
            at = parent;
        }
    }
    (parents, closes_circle)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A naive second definition: following the parents.
    fn is_below(parents: &[Option<usize>], at: usize, other: usize) -> bool {
        std::iter::successors(Some(at), |&one| parents[one]).any(|one| one == other)
    }

    #[test]
    fn random_forests_and_circles_are_as_following_the_parents_says() {
        let mut state = 7_u64;
        let mut below = |limit: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % limit
        };
        for _ in 0..300 {
            let count = 1 + below(8);
            let given: Vec<Parent> = (0..count)
                .map(|_| match below(6) {
                    0 => None,
                    1 => Some(Err(())),
                    _ => Some(Ok(below(count))),
                })
                .collect();
            let ancestry = Ancestry::new(&given);
            for at in 0..count {
                for other in 0..count {
                    assert_eq!(ancestry.is_below(at, other), is_below(&ancestry.parents, at, other));
                }
                let line = std::iter::successors(Some(at), |&one| ancestry.parent(one));
                let whole = line.clone().all(|one| given[one] != Some(Err(())));
                assert_eq!(ancestry.is_whole(at), whole);
                let last = line.last().unwrap_or(at);
                assert_eq!(ancestry.closes_circle(last), matches!(given[last], Some(Ok(_))));
            }
        }
    }
}
