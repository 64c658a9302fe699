//! How many states a search may still find, judged from the sizes of its levels.
//!
//! Levels of most models grow, ever more slowly, and shrink ever faster. On a logarithmic scale that is about a
//! parabola, which the last levels tell: their growth, and how that changes from level to level.

/// With fewer levels nothing is said.
const FEW_LEVELS: usize = 10;
/// The most levels that are looked at, and that are looked ahead.
const RECENT: usize = 6;
const AHEAD: usize = 10_000;

/// The states of the levels behind the last, if that can be told.
pub(crate) fn left(levels: &[u64]) -> Option<u64> {
    let recent = &levels[levels.len().saturating_sub(RECENT)..];
    if levels.len() < FEW_LEVELS || recent.contains(&0) {
        return None;
    }
    let growth: Vec<f64> = recent.windows(2).map(|pair| (pair[1] as f64 / pair[0] as f64).ln()).collect();
    let half = growth.len() / 2;
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let (before, after) = (mean(&growth[..half]), mean(&growth[growth.len() - half..]));
    let change = (after - before) / (growth.len() - half) as f64;
    let mut step = after + change * (half as f64 - 1.0) / 2.0;
    // Growth that does not slow down ends somewhere, and nobody knows where.
    if change >= 0.0 && step >= -0.01 {
        return None;
    }
    let (mut size, mut sum) = (recent[recent.len() - 1] as f64, 0.0);
    for _ in 0..AHEAD {
        step += change;
        size *= step.exp();
        if size < 1.0 || !size.is_finite() {
            break;
        }
        sum += size;
    }
    (size < 1.0).then_some(sum as u64)
}

#[cfg(test)]
mod tests {
    use super::left;

    #[test]
    fn levels_like_a_bell_are_continued() {
        // The layers of a cube in 40 dimensions.
        let mut levels = vec![1_u64];
        for k in 1..=40 {
            levels.push(levels[k - 1] * (41 - k as u64) / k as u64);
        }
        for seen in [16, 20, 30] {
            let rest: u64 = levels[seen..].iter().sum();
            let guess = left(&levels[..seen]).unwrap();
            assert!(guess > rest / 4 && guess < rest * 4, "after {seen}: {guess}, really {rest}");
        }
    }

    #[test]
    fn nothing_is_said_of_steady_growth() {
        let steady: Vec<u64> = (0..20).map(|level| 1 << level).collect();
        assert_eq!(left(&steady), None);
        assert_eq!(left(&[5, 6, 7]), None);
    }
}
