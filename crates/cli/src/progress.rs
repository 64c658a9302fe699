//! Progress, for whoever watches a terminal and waits for more than a second.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use locus_source::render::visible;

use crate::terminal::Terminal;

/// How long we keep silent.
const SILENCE: Duration = Duration::from_secs(1);

/// A count of things done out of a known number.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    done: AtomicU64,
    started: Instant,
}

impl Progress {
    /// Progress on `total` things called `what`. Shown only on a terminal and not when quiet.
    pub(crate) fn new(total: usize, what: &'static str, terminal: &Terminal, quiet: bool) -> Self {
        let bar = (terminal.is_watched() && !quiet && total > 1).then(|| {
            let bar = ProgressBar::hidden();
            bar.set_length(total as u64);
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} [{elapsed}]");
            bar.set_style(style.expect("the template is valid"));
            bar.set_message(what);
            bar
        });
        Self { bar, done: AtomicU64::new(0), started: Instant::now() }
    }

    /// One more is done.
    pub(crate) fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let Some(bar) = &self.bar else { return };
        if self.started.elapsed() >= SILENCE {
            if bar.is_hidden() {
                bar.set_draw_target(indicatif::ProgressDrawTarget::stderr());
            }
            bar.set_position(done);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A handle that receives progress, from any thread.
#[derive(Clone)]
pub(crate) struct Tell(Arc<Ticker>);

impl std::fmt::Debug for Tell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tell")
    }
}

impl Tell {
    /// Shows a line on a terminal, unless quiet.
    pub(crate) fn new(terminal: &Terminal, quiet: bool) -> Self {
        Self(Arc::new(Ticker::new(terminal, quiet)))
    }

    /// Says how far things are.
    pub(crate) fn tell(&self, text: &str) {
        self.0.tell(text);
    }
}

/// A line about something of unknown length, told anew from time to time.
struct Ticker {
    bar: Option<ProgressBar>,
}

impl Ticker {
    /// A line that is shown only on a terminal and not when quiet. Who tells is silent for the first second.
    fn new(terminal: &Terminal, quiet: bool) -> Self {
        let bar = (terminal.is_watched() && !quiet).then(|| {
            let bar = ProgressBar::hidden();
            bar.set_style(ProgressStyle::with_template("{msg} [{elapsed}]").expect("the template is valid"));
            bar
        });
        Self { bar }
    }

    fn tell(&self, text: &str) {
        let Some(bar) = &self.bar else { return };
        if bar.is_hidden() {
            bar.set_draw_target(indicatif::ProgressDrawTarget::stderr());
        }
        bar.set_message(visible(text).into_owned());
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
