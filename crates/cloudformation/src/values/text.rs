//! The pieces of the texts of `Fn::Sub`.

/// A piece of a text: as it is, or the name between `${` and `}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Piece<'t> {
    /// As it is.
    Text(&'t str),
    /// A name to be replaced.
    Name(&'t str),
}

/// The pieces of a text in order; `${!x}` is `${x}` as it is. A `${` that nothing closes is text.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        let after = &rest[start + 2..];
        let Some(end) = after.find('}') else { break };
        let name = &after[..end];
        if let Some(literal) = name.strip_prefix('!') {
            pieces.extend([
                Piece::Text(&rest[..start]),
                Piece::Text("${"),
                Piece::Text(literal),
                Piece::Text("}"),
            ]);
        } else {
            pieces.extend([Piece::Text(&rest[..start]), Piece::Name(name.trim())]);
        }
        rest = &after[end + 1..];
    }
    pieces.push(Piece::Text(rest));
    pieces.retain(|piece| *piece != Piece::Text(""));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_text() {
        use Piece::{Name, Text};
        assert_eq!(pieces("a${b}c${ d.e }"), [Text("a"), Name("b"), Text("c"), Name("d.e")]);
        assert_eq!(pieces("${!a}${b"), [Text("${"), Text("a"), Text("}"), Text("${b")]);
        assert_eq!(pieces(""), []);
    }
}
