//! The terminal: whether there is one, its width, its colours, and what goes where.
//!
//! Results go to standard output, everything else to standard error.

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};

use crate::args::Color;

/// Columns to write for when nobody is looking at a terminal.
const DEFAULT_WIDTH: usize = 120;

/// Where output goes.
pub(crate) struct Terminal {
    results: ColorChoice,
    remarks: ColorChoice,
    width: usize,
    watched: bool,
}

impl Terminal {
    pub(crate) fn new(color: Color) -> Self {
        let (results, remarks) = match color {
            Color::Auto => (AutoStream::choice(&io::stdout()), AutoStream::choice(&io::stderr())),
            Color::Always => (ColorChoice::Always, ColorChoice::Always),
            Color::Never => (ColorChoice::Never, ColorChoice::Never),
        };
        let width =
            terminal_size::terminal_size().map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0).max(40));
        Self { results, remarks, width, watched: io::stderr().is_terminal() }
    }

    /// Whether results are written with colour.
    pub(crate) fn colour(&self) -> bool {
        !matches!(self.results, ColorChoice::Never)
    }

    /// Columns to fit results into.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Whether a person is watching standard error, so that progress makes sense.
    pub(crate) fn is_watched(&self) -> bool {
        self.watched
    }

    /// Writes a result.
    pub(crate) fn result(&self, text: &str) -> anyhow::Result<()> {
        let mut out = AutoStream::new(io::stdout().lock(), self.results);
        out.write_all(text.as_bytes())?;
        out.flush()?;
        Ok(())
    }

    /// Says something beside the results.
    pub(crate) fn remark(&self, text: &str) {
        // Nobody can be told that standard error is closed.
        let _ = writeln!(AutoStream::new(io::stderr().lock(), self.remarks), "{text}");
    }

    /// Says that something could not be done, with its causes.
    pub(crate) fn error(&self, error: &anyhow::Error) {
        let red = anstyle::AnsiColor::Red.on_default().bold();
        let mut text = format!("{red}error{red:#}: {error}");
        for cause in error.chain().skip(1) {
            let cause = cause.to_string();
            if !text.contains(&cause) {
                text.push_str(": ");
                text.push_str(&cause);
            }
        }
        self.remark(&text);
    }
}

/// Whether an error only says that the reader of our output has gone, as `locus … | head` does.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(broken))
}
