//! Words for messages: names that fit into a line.

/// A name for a message: not longer than a line.
pub(crate) fn shorten(text: &str) -> String {
    let mut chars = text.chars();
    let short: String = chars.by_ref().take(60).flat_map(char::escape_debug).collect();
    if chars.next().is_some() { format!("{short}…") } else { short }
}
