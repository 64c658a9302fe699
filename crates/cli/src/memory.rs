//! How much memory this process holds, for limits on it.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// For how long an answer is good enough: to ask takes longer than many an evaluation.
const GOOD_FOR: Duration = Duration::from_millis(5);

static LAST: Mutex<Option<(Instant, usize)>> = Mutex::new(None);

/// The bytes that this process holds in memory; 0 where the system does not say.
pub(crate) fn used() -> usize {
    let mut last = LAST.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    match *last {
        Some((at, bytes)) if at.elapsed() < GOOD_FOR => bytes,
        _ => {
            let bytes = resident().unwrap_or(0);
            *last = Some((Instant::now(), bytes));
            bytes
        }
    }
}

/// What Linux says of this process.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: usize = line.trim().trim_end_matches("kB").trim_end().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    #[test]
    fn a_large_allocation_is_noticed() {
        let before = super::resident().unwrap();
        let large = std::hint::black_box(vec![1_u8; 64 << 20]);
        assert!(super::resident().unwrap() > before + (32 << 20));
        drop(large);
    }
}
