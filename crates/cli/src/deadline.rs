//! Limits on time, for what does not look at the clock by itself.
//!
//! The engines (Alloy, TLA+) have a limit on each question, and answer what they can within it. Everything else is left
//! to a thread of its own: what is not finished in time is not answered, which is exit code 2, and the threads end with
//! the process.

use std::process::exit;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{OnceLock, mpsc};
use std::thread::Builder;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};

use crate::Outcome;
use crate::quantities::in_words;
use crate::terminal::Terminal;

/// The stack of a thread: that of the main one.
const STACK: usize = 8 << 20;

/// Does something, unless it takes longer than this.
///
/// # Errors
/// If it did: the sentence names the limit.
pub(crate) fn within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> anyhow::Result<T> {
    let began = Instant::now();
    let (sender, receiver) = mpsc::channel();
    let done = move || {
        let result = work();
        // An answer that was already waiting may be late all the same: the receiver takes what lies there first.
        let _ = sender.send((result, began.elapsed()));
    };
    Builder::new().stack_size(STACK).spawn(done).context("no thread can be started")?;
    match receiver.recv_timeout(limit) {
        Ok((result, took)) if took < limit => Ok(result),
        Ok(_) | Err(mpsc::RecvTimeoutError::Timeout) => Err(too_long(limit)),
        Err(mpsc::RecvTimeoutError::Disconnected) => Err(anyhow!("the thread that did it has ended")),
    }
}

/// The least time that there is for reading a file that an engine is then asked about, however short the limit on its
/// questions is.
pub(crate) const READING: Duration = Duration::from_secs(1);

enum Told<T> {
    Begun(Duration),
    Done(T, Duration),
}

/// Does something whose first part, up to the call of what it is given, may not take longer than this. The rest looks
/// at the clock by itself.
///
/// # Errors
/// If it did: the sentence names the limit.
pub(crate) fn begun_within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce(&dyn Fn()) -> T + Send + 'static,
) -> anyhow::Result<T> {
    let start = Instant::now();
    let (sender, receiver) = mpsc::channel();
    let done = move || {
        let begun = || drop(sender.send(Told::Begun(start.elapsed())));
        let result = work(&begun);
        // Nothing is left to receive what comes too late.
        let _ = sender.send(Told::Done(result, start.elapsed()));
    };
    Builder::new().stack_size(STACK).spawn(done).context("no thread can be started")?;
    let first = receiver.recv_timeout(limit);
    if let Ok(Told::Begun(took) | Told::Done(_, took)) = &first
        && *took >= limit
    {
        return Err(too_long(limit));
    }
    let mut told = first;
    while let Ok(Told::Begun(_)) = told {
        told = receiver.recv().map_err(|_| mpsc::RecvTimeoutError::Disconnected);
    }
    match told {
        Ok(Told::Done(result, _)) => Ok(result),
        Err(mpsc::RecvTimeoutError::Timeout) => Err(too_long(limit)),
        Ok(Told::Begun(_)) | Err(mpsc::RecvTimeoutError::Disconnected) => {
            Err(anyhow!("the thread that did it has ended"))
        }
    }
}

/// Does a part of a command that does not look at the clock, and ends the process if it takes longer than this. Nothing
/// may have been begun that others would have to end.
///
/// # Errors
/// If it took longer after all, or there can be no watch.
#[allow(clippy::exit, reason = "the command is in the midst of something that does not look at the clock")]
pub(crate) fn guarded<T>(
    limit: Option<Duration>,
    terminal: &Terminal,
    work: impl FnOnce() -> T,
) -> anyhow::Result<T> {
    let Some(limit) = limit else { return Ok(work()) };
    let began = Instant::now();
    let (done, ended) = mpsc::channel::<()>();
    let terminal = terminal.clone();
    let watch = move || {
        if ended.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout) {
            terminal.error(&too_long(limit));
            exit(Outcome::CouldNotRun as i32);
        }
    };
    Builder::new().spawn(watch).context("no thread can be started")?;
    let result = work();
    drop(done);
    if began.elapsed() >= limit { Err(too_long(limit)) } else { Ok(result) }
}

fn too_long(limit: Duration) -> anyhow::Error {
    anyhow!("there was no answer within {}; allow more with --timeout", in_words(limit))
}

const RUNNING: u8 = 0;
const ANSWERED: u8 = 1;
const OVER: u8 = 2;

/// When the time of the command is over.
static END: OnceLock<Instant> = OnceLock::new();

/// How far the command is.
static STATE: AtomicU8 = AtomicU8::new(RUNNING);

/// Ends the process when a command has not begun to write its answer by then.
#[allow(clippy::exit, reason = "the command is in the midst of something that does not look at the clock")]
pub(crate) fn watch(limit: Option<Duration>, terminal: &Terminal) -> anyhow::Result<()> {
    let Some(limit) = limit else { return Ok(()) };
    if let Some(end) = Instant::now().checked_add(limit) {
        END.get_or_init(|| end);
    }
    let terminal = terminal.clone();
    let over = move || {
        std::thread::sleep(limit);
        if STATE.compare_exchange(RUNNING, OVER, Ordering::SeqCst, Ordering::SeqCst).is_ok() {
            terminal.error(&too_long(limit));
            exit(Outcome::CouldNotRun as i32);
        }
    };
    Builder::new().spawn(over).context("no thread can be started")?;
    Ok(())
}

/// Says that the answer is there and is being written: it is not cut off.
pub(crate) fn answered() {
    let is_late = END.get().is_some_and(|end| Instant::now() >= *end);
    if !is_late && STATE.compare_exchange(RUNNING, ANSWERED, Ordering::SeqCst, Ordering::SeqCst).is_ok() {
        return;
    }
    while STATE.load(Ordering::SeqCst) != ANSWERED {
        // The process is about to end; an answer that comes too late would contradict it.
        std::thread::park();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_too_long_is_not_waited_for() {
        assert_eq!(within(Duration::from_mins(1), || 1).unwrap(), 1);
        assert!(within(Duration::ZERO, || 1).is_err(), "no time at all is too little for anything");
        assert!(begun_within(Duration::ZERO, |_| 1).is_err());
        let slow = within(Duration::from_millis(10), || std::thread::sleep(Duration::from_mins(10)));
        let why = slow.unwrap_err().to_string();
        assert_eq!(why, "there was no answer within 10 ms; allow more with --timeout");
        let broken = within(Duration::from_mins(1), || panic!("on purpose"));
        assert!(broken.is_err());
    }

    #[test]
    fn only_the_first_part_is_bounded() {
        let (limit, longer) = (Duration::from_millis(200), Duration::from_millis(300));
        let begun = begun_within(limit, move |begun| {
            begun();
            std::thread::sleep(longer);
            1
        });
        assert_eq!(begun.unwrap(), 1);
        assert_eq!(begun_within(Duration::from_mins(1), |_| 2).unwrap(), 2);
        let slow = begun_within(Duration::from_millis(10), |_| std::thread::sleep(Duration::from_mins(10)));
        assert_eq!(
            slow.unwrap_err().to_string(),
            "there was no answer within 10 ms; allow more with --timeout"
        );
        assert!(begun_within(Duration::from_mins(1), |_| panic!("on purpose")).is_err());
    }
}
