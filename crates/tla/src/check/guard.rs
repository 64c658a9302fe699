//! Whoever asked for a time limit, or may ask to stop, gets an answer even if a single evaluation takes for ever.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::value::heed;

/// How long the search itself may take to notice.
const GRACE: Duration = Duration::from_millis(500);
/// How often to look.
const EVERY: Duration = Duration::from_millis(50);

/// Runs `work`, and ends the evaluations in it that go on for too long after the time is up, or after it was asked to
/// stop.
pub(super) fn guarded<T>(
    time: Option<Duration>,
    stop: Option<&AtomicBool>,
    work: impl FnOnce(&Arc<AtomicBool>) -> T,
) -> T {
    let flag = Arc::new(AtomicBool::new(false));
    if time.is_none() && stop.is_none() {
        return work(&flag);
    }
    std::thread::scope(|scope| {
        let (ended, waiting) = channel::<()>();
        let raised = &flag;
        scope.spawn(move || {
            let start = Instant::now();
            // A time so long that the clock does not know it is no limit.
            let mut due = time.and_then(|time| start.checked_add(time)?.checked_add(GRACE));
            while waiting.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                    let soon = Instant::now() + GRACE;
                    due = Some(due.map_or(soon, |due| due.min(soon)));
                }
                if due.is_some_and(|due| Instant::now() >= due) {
                    raised.store(true, Ordering::Relaxed);
                    return;
                }
            }
        });
        heed(Some(&flag));
        let result = work(&flag);
        heed(None);
        drop(ended);
        result
    })
}
