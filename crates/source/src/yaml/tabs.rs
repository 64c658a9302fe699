//! Tabs where libyaml wants spaces: before a token that may be a key, outside of brackets.
//!
//! YAML 1.2 forbids tabs only where they count as indentation, and allows them in empty lines, before comments and
//! after a dash. libyaml refuses a tab at the start of a line and after `-` or `?`, except where it goes on with a
//! plain text and stands beyond the indentation of that text's key.

use crate::Span;

/// A token: a stretch of the text between blanks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// A plain text.
    Plain,
    /// Any other text, or a comment.
    Text,
    /// A bracket that opens.
    Open,
    /// A bracket that closes.
    Close,
}

/// The tokens of a text with tabs, in order.
#[derive(Default)]
pub(super) struct Tabs {
    tokens: Vec<(Span, Token)>,
}

impl Tabs {
    pub(super) fn see(&mut self, span: Span, token: Token) {
        self.tokens.push((span, token));
    }

    /// The first tab that libyaml refuses.
    pub(super) fn refused(mut self, text: &str) -> Option<usize> {
        // Comments are reported early or late.
        self.tokens.sort_by_key(|(span, _)| *span);
        let mut tokens = self.tokens.iter().peekable();
        let mut last: Option<(Span, Token)> = None;
        let mut depth = 0usize;
        for (at, _) in text.match_indices('\t') {
            while let Some((span, token)) = tokens.next_if(|(span, _)| (span.start as usize) < at) {
                match token {
                    Token::Open => depth += 1,
                    Token::Close => depth = depth.saturating_sub(1),
                    Token::Plain | Token::Text => {}
                }
                last = Some((*span, *token));
            }
            let within = last.is_some_and(|(span, _)| (span.end as usize) > at);
            if depth == 0 && !within && starts_token(text, at) && !goes_on(text, at, last) {
                return Some(at);
            }
        }
        None
    }
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// Whether a key may follow: there are only blanks, dashes and question marks in the line before.
fn starts_token(text: &str, at: usize) -> bool {
    text[line_start(text, at)..at].bytes().all(|byte| b" \t-?".contains(&byte))
}

/// Whether a tab is read as part of the plain text before it.
fn goes_on(text: &str, at: usize, last: Option<(Span, Token)>) -> bool {
    let start = line_start(text, at);
    let Some((span, Token::Plain)) = last else { return false };
    let (begin, end) = (span.start as usize, span.end as usize);
    if end > start || !text[end..at].trim().is_empty() {
        return false;
    }
    let line = &text[line_start(text, begin)..begin];
    // The collection around the text begins at its key, or at the last dash before it.
    let indicators = line.len() - line.trim_start_matches([' ', '-', '?']).len();
    let around = if line.len() > indicators { Some(indicators) } else { line.rfind(['-', '?']) };
    around.is_none_or(|around| at - start > around)
}
