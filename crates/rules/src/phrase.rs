//! Sentences with gaps: `{p} has the address {p.address}`.

use std::fmt;

/// A variable, and fields to follow from its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    pub(crate) variable: String,
    pub(crate) fields: Vec<String>,
}

impl Path {
    pub(crate) fn read(text: &str) -> Self {
        let mut parts = text.split('.').map(str::to_owned);
        Self { variable: parts.next().unwrap_or_default(), fields: parts.collect() }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.variable)?;
        self.fields.iter().try_for_each(|field| write!(f, ".{field}"))
    }
}

/// A sentence with gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Phrase(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Gap(Path),
}

impl Phrase {
    /// Reads a sentence. A brace that is not closed is text, and so are braces around anything that is not a path:
    /// people write YAML in help.
    pub(crate) fn read(text: &str) -> Self {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((gap, behind)) = after.split_once('}') else { break };
            rest = behind;
            if !is_path(gap.trim()) {
                pieces.push(Piece::Text(format!("{before}{{{gap}}}")));
                continue;
            }
            if !before.is_empty() {
                pieces.push(Piece::Text(before.to_owned()));
            }
            pieces.push(Piece::Gap(Path::read(gap.trim())));
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        Self(pieces)
    }

    /// Returns the paths that are to be filled in.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Text(_) => None,
            Piece::Gap(path) => Some(path),
        })
    }

    /// The sentence, with `fill` for each gap.
    pub(crate) fn fill(&self, fill: impl Fn(&Path) -> String) -> String {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Gap(path) => fill(path),
        });
        pieces.collect()
    }
}

/// Whether a text is a variable with fields after it.
fn is_path(text: &str) -> bool {
    text.split('.').all(|name| {
        name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '\''))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_filled_and_the_rest_is_kept() {
        let show = |path: &Path| format!("<{}|{}>", path.variable, path.fields.join("|"));
        assert_eq!(Phrase::read("a {p} b {p.f.g}").fill(show), "a <p|> b <p|f|g>");
        assert_eq!(Phrase::read("{p}").fill(show), "<p|>");
        assert_eq!(Phrase::read("no gap { here").fill(show), "no gap { here");
        assert_eq!(Phrase::read("").fill(show), "");
        assert_eq!(Phrase::read("say {a: b}, {} or { p }").fill(show), "say {a: b}, {} or <p|>");
    }
}
