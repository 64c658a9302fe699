//! The terminal: whether there is one, its width, its colours, and what goes where.
//!
//! Results go to standard output, everything else to standard error. Nothing is written as it came from outside: text
//! for people is a [`Page`], and data has its control characters made visible here.

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};

use locus_source::render::{Style, visible, visible_json};
use locus_source::{Finding, Sources};

use crate::args::Color;
use crate::deadline;
use crate::page::Page;

/// Columns to write for when nobody is looking at a terminal.
const DEFAULT_WIDTH: usize = 120;

/// Where output goes.
#[derive(Clone)]
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

    /// How results for people are drawn.
    pub(crate) fn style(&self) -> Style {
        Style { colour: !matches!(self.results, ColorChoice::Never), width: self.width }
    }

    /// Whether a person is watching standard error, so that progress makes sense.
    pub(crate) fn is_watched(&self) -> bool {
        self.watched
    }

    /// Writes a result for people.
    pub(crate) fn page(&self, page: &Page) -> anyhow::Result<()> {
        self.write(page.as_str())
    }

    /// Writes a result that is a text of its own, such as a picture or a module.
    pub(crate) fn text(&self, text: &str) -> anyhow::Result<()> {
        // The lines of a file from Windows end as they did.
        let lines: Vec<_> = text.split("\r\n").map(visible).collect();
        self.write(&lines.join("\r\n"))
    }

    /// Writes a result that is JSON, and ends its line.
    pub(crate) fn json(&self, json: String) -> anyhow::Result<()> {
        self.write(&(visible_json(json) + "\n"))
    }

    /// Writes to standard output. A reader that closes it early, as `head` does, changes nothing about the result.
    fn write(&self, text: &str) -> anyhow::Result<()> {
        deadline::answered();
        let mut out = AutoStream::new(io::stdout().lock(), self.results);
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            written => Ok(written?),
        }
    }

    /// Says something beside the results.
    pub(crate) fn remark(&self, text: &str) {
        let mut page = Page::new(self.remark_style());
        page.lines(text);
        self.say(&page);
    }

    /// Says that something could not be done, with its causes.
    pub(crate) fn error(&self, error: &anyhow::Error) {
        let mut text = error.to_string();
        for cause in error.chain().skip(1) {
            let cause = cause.to_string();
            if !text.contains(&cause) {
                text.push_str(": ");
                text.push_str(&cause);
            }
        }
        let mut page = Page::new(self.remark_style());
        page.styled(anstyle::AnsiColor::Red.on_default().bold(), "error");
        page.lines(&format!(": {text}"));
        self.say(&page);
    }

    fn remark_style(&self) -> Style {
        Style { colour: !matches!(self.remarks, ColorChoice::Never), width: self.width }
    }

    /// Draws a finding beside the results.
    pub(crate) fn remark_finding(&self, finding: &Finding, sources: &Sources) {
        let mut page = Page::new(self.remark_style());
        page.finding(finding, sources);
        self.say(&page);
    }

    fn say(&self, page: &Page) {
        // Nobody can be told that standard error is closed.
        let _ = AutoStream::new(io::stderr().lock(), self.remarks).write_all(page.as_str().as_bytes());
    }
}
