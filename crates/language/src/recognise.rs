//! How languages are told by what a text says.

/// How far into a file we look.
const LOOK: usize = 64 << 10;

/// Whether a YAML or JSON text seems to have this key at the top: a line of it starts with the key, or the text is an
/// object that has it somewhere near its start. This reads no more than the first 64 KiB and parses nothing.
pub fn has_top_level_key(text: &str, key: &str) -> bool {
    let start = &text[..text.floor_char_boundary(LOOK)];
    let is_key = |line: &str| {
        let (line, quote) = match line.chars().next() {
            Some(quote @ ('"' | '\'')) => (&line[1..], Some(quote)),
            _ => (line, None),
        };
        let rest =
            line.strip_prefix(key).map(|rest| quote.map_or(Some(rest), |quote| rest.strip_prefix(quote)));
        rest.flatten().is_some_and(|rest| rest.trim_start().starts_with(':'))
    };
    let is_object = start.trim_start().starts_with('{');
    start.lines().any(is_key) || is_object && start.contains(&format!("\"{key}\""))
}

#[cfg(test)]
mod tests {
    use super::has_top_level_key;

    #[test]
    fn a_key_at_the_top_is_seen_and_no_other() {
        for text in ["# c\nkey: 1\n", "\"key\": 1", "'key' : 1", "{ \"key\": 1 }", "{\n  \"key\": 1\n}"] {
            assert!(has_top_level_key(text, "key"), "{text}");
        }
        for text in ["x:\n  key: 1\n", "keys: 1", "[\"key\"]", "'key: 1", "key", ""] {
            assert!(!has_top_level_key(text, "key"), "{text}");
        }
    }
}
