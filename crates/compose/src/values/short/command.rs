//! Commands given as one string, split into words as the library does that Compose uses: quotes and backslashes as in
//! a shell, but no shell.

/// The words of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) words: Vec<String>,
    /// All that stands after the sign at which the splitting stops, with that sign, if there is one.
    pub(crate) cut: Option<String>,
}

/// Splits a command; nothing if a quote or a bracket is not closed.
pub(crate) fn split(line: &str) -> Option<Words> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut started = false;
    let (mut escaped, mut double, mut single, mut back, mut dollar) = (false, false, false, false, false);
    let mut cut = None;
    for (at, c) in line.char_indices() {
        if escaped {
            word.push(c);
            escaped = false;
            started = true;
            continue;
        }
        if c == '\\' {
            if single {
                word.push(c);
            } else {
                escaped = true;
            }
            continue;
        }
        let quoted = single || double || back || dollar;
        if matches!(c, ' ' | '\t' | '\r' | '\n') {
            if quoted {
                word.push(c);
            } else if started {
                words.push(std::mem::take(&mut word));
                started = false;
            }
            continue;
        }
        match c {
            '`' if !single && !double && !dollar => back = !back,
            ')' if !single && !double && !back => dollar = !dollar,
            '(' if !single && !double && !back => {
                if dollar || !word.ends_with('$') {
                    return None;
                }
                dollar = true;
                word.push('(');
                continue;
            }
            '"' if !single && !dollar => {
                started |= double;
                double = !double;
                continue;
            }
            '\'' if !double && !dollar => {
                started |= single;
                single = !single;
                continue;
            }
            ';' | '&' | '|' | '<' | '>' if !quoted => {
                if c == '>' && word.starts_with(|c: char| c.is_ascii_digit()) {
                    started = false;
                }
                cut = Some(line[at..].to_owned());
                break;
            }
            _ => {}
        }
        started = true;
        word.push(c);
    }
    if started {
        words.push(word);
    }
    let closed = !(escaped || single || double || back || dollar);
    closed.then_some(Words { words, cut })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_compose_splits_them() {
        let of = |line: &str| split(line).map(|words| words.words.join("|"));
        assert_eq!(of("a \"b c\" 'd e' f\\ g").as_deref(), Some("a|b c|d e|f g"));
        assert_eq!(of("a && b").as_deref(), Some("a"));
        assert_eq!(of("a '' b").as_deref(), Some("a||b"));
        assert_eq!(of("echo $(date now)").as_deref(), Some("echo|$(date now)"));
        assert_eq!(of("echo 2>&1").as_deref(), Some("echo"));
        assert_eq!(of("").as_deref(), Some(""));
        assert_eq!(of("a 'b"), None);
        assert_eq!(of("f(x)"), None);
        assert_eq!(split("a; b").and_then(|words| words.cut).as_deref(), Some("; b"));
    }
}
