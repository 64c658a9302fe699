//! Where the comments of a text are, for languages whose readers do not keep them.

use locus_source::Span;

/// The syntax of comments in a language.
#[derive(Clone, Copy, Debug)]
pub struct CommentSyntax {
    /// The signs that start a comment to the end of the line.
    pub line: &'static [&'static str],
    /// The signs that start and end a comment that may have several lines.
    pub block: (&'static str, &'static str),
    /// Whether such comments may contain each other.
    pub nested: bool,
}

/// The comments of a text, in order. Texts in double quotes, with `\` before a quote that does not end them, have none.
pub fn comments(text: &str, syntax: &CommentSyntax) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let length = if syntax.line.iter().any(|mark| rest.starts_with(mark)) {
            let length = rest.find('\n').unwrap_or(rest.len());
            found.push(Span::new(at, at + length));
            length
        } else if rest.starts_with(syntax.block.0) {
            let length = block(rest, syntax);
            found.push(Span::new(at, at + length));
            length
        } else if let Some(inside) = rest.strip_prefix('"') {
            1 + quoted(inside)
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
        at += length;
    }
    found
}

/// The length of the comment that a text starts with.
fn block(text: &str, syntax: &CommentSyntax) -> usize {
    let (open, close) = syntax.block;
    let mut depth = 1;
    let mut at = open.len();
    while depth > 0 && at < text.len() {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(close.as_bytes()) {
            depth -= 1;
            at += close.len();
        } else if syntax.nested && rest.starts_with(open.as_bytes()) {
            depth += 1;
            at += open.len();
        } else {
            at += 1;
        }
    }
    at
}

/// The length of the rest of a text in quotes, which ends with its line if nothing else ends it.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'\n' => return at,
            b'"' if !escaped => return at + 1,
            _ => escaped = byte == b'\\' && !escaped,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TLA: CommentSyntax = CommentSyntax { line: &["\\*"], block: ("(*", "*)"), nested: true };
    const ALLOY: CommentSyntax = CommentSyntax { line: &["--", "//"], block: ("/*", "*/"), nested: false };

    fn found<'t>(text: &'t str, syntax: &CommentSyntax) -> Vec<&'t str> {
        comments(text, syntax).into_iter().map(|span| &text[span.range()]).collect()
    }

    #[test]
    fn comments_are_found_and_texts_are_not() {
        let text = "A == \"\\\\* no\" \\* yes\nB == (* one (* two *) ä *) 1 \"(*\" \\* end";
        assert_eq!(found(text, &TLA), ["\\* yes", "(* one (* two *) ä *)", "\\* end"]);
        let text = "sig A {} -- one\n// two\nfact { \"--\" = \"a\\\"//\" } /* three /* */ sig B {} /* open";
        assert_eq!(found(text, &ALLOY), ["-- one", "// two", "/* three /* */", "/* open"]);
    }
}
