//! The memory of this process: how much it holds, for limits on it; and in pages of which size.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::allocator;

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

/// The resident memory of this process according to Linux.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: usize = line.trim().trim_end_matches("kB").trim_end().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// So many bytes of input make large pages worth their price.
const MUCH: usize = 1 << 20;
/// And so does a block of so many bytes, such as the table of a large search.
pub(crate) const LARGE_BLOCK: usize = 16 << 20;

static READ: AtomicUsize = AtomicUsize::new(0);

/// Takes memory in small pages until there is much to do. The allocator asks for huge ones, which the system has to
/// find and to clear: for a small file that takes longer than the check, and a search of some hundred thousand states
/// takes a third more memory and no less time. Called before anything is allocated ([`crate::allocator`]).
pub(crate) fn small_pages() {
    set_large_pages(false);
}

/// Takes memory in large pages from now on, unless it is scarce. A process that starts programs has to call it first,
/// since they inherit small ones.
pub(crate) fn large_pages() {
    READ.store(MUCH, Ordering::Relaxed);
    set_large_pages(!IS_SCARCE.load(Ordering::Relaxed));
}

/// Below this limit on memory, what large pages leave unused is a share of it that counts.
const SCARCE: usize = 1 << 30;

static IS_SCARCE: AtomicBool = AtomicBool::new(false);

/// Notes that the process may hold so many bytes at the most.
pub(crate) fn note_limit(bytes: usize) {
    if bytes < SCARCE {
        IS_SCARCE.store(true, Ordering::Relaxed);
        set_large_pages(false);
    }
}

/// Gives back what is not in use, and takes small pages again.
pub(crate) fn give_back() {
    READ.store(0, Ordering::Relaxed);
    set_large_pages(false);
    allocator::give_back();
}

/// Gives back what is not in use, and forgets how much that was.
pub(crate) fn give_back_unused() {
    allocator::give_back();
    *LAST.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = None;
}

/// Notes that so many bytes of input were read.
pub(crate) fn note_input(bytes: usize) {
    let before = READ.fetch_add(bytes, Ordering::Relaxed);
    if before < MUCH && before.saturating_add(bytes) >= MUCH {
        large_pages();
    }
}

#[cfg(target_os = "linux")]
fn set_large_pages(large: bool) {
    // Where the system refuses, pages stay as they are: slower, not wrong.
    let _ = rustix::thread::disable_transparent_huge_pages(!large);
}

#[cfg(not(target_os = "linux"))]
fn set_large_pages(_: bool) {}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    /// The variable that says that a process has this one test only.
    const ALONE: &str = "LOCUS_TEST_ALONE";

    /// One test, and in a process of its own: the size of pages is that of the process, and other tests read files in
    /// it.
    #[test]
    fn large_allocations_are_noticed_and_large_pages_come_with_much_to_do() {
        if std::env::var_os(ALONE).is_none() {
            let own = std::env::current_exe().expect("a test is a program");
            let name = "memory::tests::large_allocations_are_noticed_and_large_pages_come_with_much_to_do";
            let run = std::process::Command::new(own).args(["--exact", name]).env(ALONE, "1").output();
            let run = run.expect("it can be run");
            let said = String::from_utf8_lossy(&run.stdout);
            assert!(run.status.success() && said.contains("1 passed"), "{said}");
            return;
        }
        let are_small = || rustix::thread::transparent_huge_pages_are_disabled().unwrap();
        super::small_pages();
        super::note_input(super::MUCH / 2);
        assert!(are_small());
        super::note_input(super::MUCH / 2);
        assert!(!are_small());
        super::small_pages();
        let before = super::resident().unwrap();
        let block = std::hint::black_box(vec![1_u8; super::LARGE_BLOCK - 1]);
        assert!(are_small());
        let large = std::hint::black_box(vec![1_u8; 64 << 20]);
        assert!(!are_small());
        assert!(super::resident().unwrap() > before + (32 << 20));
        drop((block, large));
        super::note_limit(super::SCARCE);
        assert!(!are_small());
        super::note_limit(super::SCARCE - 1);
        super::note_input(super::MUCH);
        drop(std::hint::black_box(vec![1_u8; super::LARGE_BLOCK]));
        assert!(are_small(), "where memory is scarce, pages stay small");
    }
}
