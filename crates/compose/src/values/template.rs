//! Interpolation of a string: `$A`, `${A}`, `${A:-b}`, `${A-b}`, `${A:?m}`, `${A?m}`, `${A:+b}`, `${A+b}`, nested,
//! and `$$` for a dollar sign.
//!
//! Compose does this with a regular expression that is greedy to the last brace of a line, and looks for the brace
//! that closes afterwards. This is the same by hand, so that it takes the same strings.

/// Where values come from.
pub(crate) trait Lookup {
    /// The value of a variable, if it is set.
    fn value(&self, name: &str) -> Option<String>;
    /// Told of each variable that is not set and becomes an empty string.
    fn unset(&mut self, name: &str);
}

/// Why a string cannot be interpolated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TemplateError {
    /// It is not a template: `${` without what must follow.
    Format,
    /// A variable that must have a value has none; with the message that the string gives.
    Missing { name: String, message: String },
    /// Variables in defaults of variables, too deep.
    Deep,
    /// It is too long with the values of its variables.
    Long,
}

/// How deep defaults may be nested.
const DEEPEST: usize = 64;

/// The most bytes of a string with the values of its variables. A variable that is made of itself twice, line after
/// line, doubles.
const LONGEST: usize = 1 << 20;

/// How many bytes strings have that were made of others with variables.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Made(usize);

impl Made {
    /// Counts a string that was made of another one; whether there are no more bytes than this by now.
    pub(crate) fn has_room(&mut self, template: &str, made: &str, most: usize) -> bool {
        self.0 += if template.contains('$') { made.len() } else { 0 };
        self.0 <= most
    }
}

/// The string with the values of its variables.
pub(crate) fn substitute(template: &str, lookup: &mut dyn Lookup) -> Result<String, TemplateError> {
    if !template.contains('$') {
        return Ok(template.to_owned());
    }
    expand(template, lookup, 0)
}

fn expand(template: &str, lookup: &mut dyn Lookup, depth: usize) -> Result<String, TemplateError> {
    if depth > DEEPEST {
        return Err(TemplateError::Deep);
    }
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    let mut line = Line::default();
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        if let Some(next) = after.strip_prefix('$') {
            out.push('$');
            rest = next;
        } else if let Some(inside) = after.strip_prefix('{') {
            let braced = braced(template, inside, &mut line).ok_or(TemplateError::Format)?;
            // The pattern ends at the last brace of the line; what is after the closing one is read on its own.
            let whole = up_to_closing(&after[..braced + 2]);
            let inside = &whole[1..whole.len() - 1];
            let name = name_length(inside);
            if name == 0 || inside.len() > name && !is_operator(&inside[name..]) {
                return Err(TemplateError::Format);
            }
            out.push_str(&braced_value(&inside[..name], &inside[name..], lookup, depth)?);
            rest = &after[whole.len()..];
        } else {
            let name = name_length(after);
            if name == 0 {
                out.push('$');
            } else {
                out.push_str(&plain_value(&after[..name], lookup));
            }
            rest = &after[name..];
        }
        if out.len() > LONGEST {
            return Err(TemplateError::Long);
        }
    }
    out.push_str(rest);
    Ok(out)
}

/// The length of a name at the start.
fn name_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    match bytes.first() {
        Some(b) if b.is_ascii_alphabetic() || *b == b'_' => {
            bytes.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count()
        }
        _ => 0,
    }
}

fn is_operator(text: &str) -> bool {
    text.strip_prefix(':').unwrap_or(text).starts_with(['-', '+', '?'])
}

/// Where a line of a template ends, and where its last closing brace is.
#[derive(Default)]
struct Line {
    end: usize,
    brace: Option<usize>,
}

impl Line {
    /// The last closing brace of the line, from a place in the template on. Places only go up.
    fn last_brace(&mut self, template: &str, from: usize) -> Option<usize> {
        if from >= self.end {
            self.end = template[from..].find('\n').map_or(template.len(), |at| from + at);
            self.brace = template[from..self.end].rfind('}').map(|at| from + at);
        }
        self.brace.filter(|at| *at >= from)
    }
}

/// The length of what stands between `${` and the brace that the pattern ends at: the next one after a name alone,
/// and the last one of the line after an operator. `inside` is the rest of the template.
fn braced(template: &str, inside: &str, line: &mut Line) -> Option<usize> {
    let name = name_length(inside);
    if name == 0 {
        return None;
    }
    let rest = &inside[name..];
    if rest.starts_with('}') {
        return Some(name);
    }
    if !is_operator(rest) {
        return None;
    }
    let start = template.len() - inside.len();
    line.last_brace(template, start + name).map(|brace| brace - start)
}

/// `{…}` up to the brace that closes the first one, or all of it if there is none.
fn up_to_closing(text: &str) -> &str {
    let bytes = text.as_bytes();
    let mut open = 0;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'}' => {
                open -= 1;
                if open == 0 {
                    return &text[..=at];
                }
            }
            // The character after an opening brace is not looked at.
            b'{' => {
                open += 1;
                at += 1;
            }
            _ => {}
        }
        at += 1;
    }
    text
}

fn plain_value(name: &str, lookup: &mut dyn Lookup) -> String {
    lookup.value(name).unwrap_or_else(|| {
        lookup.unset(name);
        String::new()
    })
}

fn braced_value(
    name: &str,
    operation: &str,
    lookup: &mut dyn Lookup,
    depth: usize,
) -> Result<String, TemplateError> {
    if operation.is_empty() {
        return Ok(plain_value(name, lookup));
    }
    let (colon, operation) = match operation.strip_prefix(':') {
        Some(rest) => (true, rest),
        None => (false, operation),
    };
    let operator = operation.as_bytes()[0];
    // Compose works the other text out even where it is not used.
    let other = expand(&operation[1..], lookup, depth + 1)?;
    let value = lookup.value(name);
    let has_value = value.as_ref().is_some_and(|value| !colon || !value.is_empty());
    match operator {
        b'-' => Ok(if has_value { value.unwrap_or_default() } else { other }),
        b'+' => Ok(if has_value { other } else { value.unwrap_or_default() }),
        _ if has_value => Ok(value.unwrap_or_default()),
        _ => Err(TemplateError::Missing { name: name.to_owned(), message: other }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Table(Vec<String>);

    impl Lookup for Table {
        fn value(&self, name: &str) -> Option<String> {
            match name {
                "FOO" => Some("foo".to_owned()),
                "EMPTY" => Some(String::new()),
                _ => None,
            }
        }
        fn unset(&mut self, name: &str) {
            self.0.push(name.to_owned());
        }
    }

    fn of(template: &str) -> Result<String, TemplateError> {
        substitute(template, &mut Table::default())
    }

    /// The results of Compose 2.40.3.
    #[test]
    fn templates_have_the_values_that_compose_gives_them() {
        let table = [
            ("$FOO-$BAR", "foo-"),
            ("${FOO}bar$$FOO", "foobar$FOO"),
            ("${BAR:-b}${EMPTY:-e}${EMPTY-e}", "be"),
            ("${BAR-b}", "b"),
            ("${FOO+x}${EMPTY+x}${BAR+x}${EMPTY:+x}", "xx"),
            ("${BAR:-${FOO}}", "foo"),
            ("${BAR:-${BAZ:-${FOO}-z}}}", "foo-z}"),
            ("${BAR:-a}b}", "ab}"),
            ("$1 $( $", "$1 $( $"),
            ("${BAR:-{\"a\": {\"b\": 1}}}", "{\"a\": {\"b\": 1}}"),
            ("${FOO:-x} ${BAR:-y}", "foo y"),
            ("${BAR:-a:-b}", "a:-b"),
        ];
        for (template, value) in table {
            assert_eq!(of(template).as_deref(), Ok(value), "{template}");
        }
        for template in ["${", "${}", "${FOO", "${1}", "${FOO!x}", "${FOO:-a\nb}"] {
            assert_eq!(of(template), Err(TemplateError::Format), "{template}");
        }
        let missing = |name: &str, message: &str| TemplateError::Missing {
            name: name.to_owned(),
            message: message.to_owned(),
        };
        assert_eq!(of("${EMPTY:?no $FOO}"), Err(missing("EMPTY", "no foo")));
        assert_eq!(of("${BAR?}"), Err(missing("BAR", "")));
        assert_eq!(of("${FOO:-${BAR?}}"), Err(missing("BAR", "")), "the default is worked out all the same");
        assert_eq!(of("${EMPTY?x}").as_deref(), Ok(""));
    }

    #[test]
    fn variables_without_a_value_are_told() {
        let mut table = Table::default();
        substitute("$A ${B} ${C:-$D} ${E:+x}", &mut table).unwrap();
        assert_eq!(table.0, ["A", "B", "D"]);
    }

    #[test]
    fn a_value_has_a_longest_length() {
        let of_length = |count: usize| of(&"$FOO.".repeat(count)).map(|text| text.len());
        assert_eq!(of_length(LONGEST / 4), Ok(LONGEST));
        assert_eq!(of_length(LONGEST / 4 + 1), Err(TemplateError::Long));
        // And each of them is looked at once, however long the line is.
        assert_eq!(of(&"${BAR:-}".repeat(1 << 18)).as_deref(), Ok(""));
    }

    #[test]
    fn nesting_has_an_end() {
        let deep = "${A:-".repeat(1000) + &"}".repeat(1000);
        assert_eq!(of(&deep), Err(TemplateError::Deep));
    }
}
