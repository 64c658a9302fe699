//! Text for people, in which nothing from outside can steer the terminal.
//!
//! This is the one way to standard output and standard error for text that is not data: what is added here is made
//! visible by [`locus_source::render::visible`], and only this module and the renderer of findings write escapes.

use std::fmt::Write;

use locus_language::{Piece, Tone};
use locus_source::render::{self, Style, visible};
use locus_source::{Finding, Sources};

/// A text that is safe to write to a terminal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    text: String,
    style: Style,
}

impl Page {
    pub(crate) fn new(style: Style) -> Self {
        Self { text: String::new(), style }
    }

    /// Adds text from anywhere.
    pub(crate) fn text(&mut self, text: &str) {
        self.text.push_str(&visible(text));
    }

    /// Adds a line from anywhere: a name with line breaks in it cannot pass for several.
    pub(crate) fn line(&mut self, text: &str) {
        self.text(&text.replace('\n', "␤"));
        self.text.push('\n');
    }

    /// Adds lines from anywhere, and ends the last.
    pub(crate) fn lines(&mut self, text: &str) {
        self.text(text);
        self.text.push('\n');
    }

    /// Adds text from anywhere in a style of ours.
    pub(crate) fn styled(&mut self, style: anstyle::Style, text: &str) {
        let style = if self.style.colour { style } else { anstyle::Style::new() };
        let _ = write!(self.text, "{style}{}{style:#}", visible(text));
    }

    /// Adds pieces of text, without asides if quiet.
    pub(crate) fn pieces(&mut self, pieces: &[Piece], quiet: bool) {
        for piece in pieces {
            match piece.tone {
                Tone::Aside if quiet => {}
                Tone::Plain | Tone::Aside => self.text(&piece.text),
                Tone::Strong => self.styled(anstyle::Style::new().bold(), &piece.text),
                Tone::Changed => self.styled(anstyle::AnsiColor::Green.on_default(), &piece.text),
            }
        }
    }

    /// Adds a finding, drawn with its places.
    pub(crate) fn finding(&mut self, finding: &Finding, sources: &Sources) {
        self.text.push_str(&render::human(finding, sources, self.style));
        self.text.push_str("\n\n");
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_escapes_are_written() {
        let mut page = Page::new(Style { colour: true, width: 80 });
        page.line("a\u{1b}[2J\u{9b}1mb\tc\r\u{202e}d");
        page.pieces(&[Piece { tone: Tone::Strong, text: "x\u{1b}]0;t\u{7}".to_owned() }], false);
        page.line("e\nf");
        page.lines("g\nh");
        assert_eq!(page.as_str(), "a␛[2J\u{fffd}1mb\tc␍\u{fffd}d\n\u{1b}[1mx␛]0;t␇\u{1b}[0me␤f\ng\nh\n");
        let mut plain = Page::new(Style::default());
        plain.pieces(&[Piece { tone: Tone::Changed, text: "x\u{1b}".to_owned() }], true);
        assert_eq!(plain.as_str(), "x␛");
    }
}
