//! Bounds on the processor time of work in tests, which a machine that is busy with something else does not change.

use std::time::Duration;

/// Does some work, in no more processor time of this thread than `most`.
///
/// Systems that do not tell it as Linux does have no bound.
pub(crate) fn within<T>(most: Duration, work: impl FnOnce() -> T) -> T {
    let before = used();
    let result = work();
    if let (Some(before), Some(after)) = (before, used()) {
        let took = after.saturating_sub(before);
        assert!(took <= most, "it took {took:?} of processor time, and may take {most:?}");
    }
    result
}

/// The processor time that this thread has used.
fn used() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/thread-self/stat").ok()?;
    // The name of the thread, in parentheses, may hold anything. Of what follows it, the 12th and 13th are the time
    // that the thread has used and that the kernel has used for it, in hundredths of seconds.
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut times = after_name.split_whitespace().skip(11).map_while(|field| field.parse::<u64>().ok());
    Some(Duration::from_millis(10 * (times.next()? + times.next()?)))
}
