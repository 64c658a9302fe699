//! Lists of definitions: `a.B`, `a.B(1,x)`, `a.B(name=>1)`, with commas between them.

use std::ops::Range;

/// A definition that is named, with values for its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Reference<'t> {
    pub(crate) name: &'t str,
    /// The bytes of its name in the list.
    pub(crate) range: Range<usize>,
    /// All of it, with the values.
    pub(crate) written: &'t str,
    pub(crate) values: Vec<Value<'t>>,
}

/// A value for an argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Value<'t> {
    /// The name of the argument; none if it is told by the order.
    pub(crate) name: Option<&'t str>,
    pub(crate) text: &'t str,
    pub(crate) range: Range<usize>,
}

/// A fault of a list, and the bytes at which it is.
pub(crate) type Fault = (&'static str, Range<usize>);

/// The definitions of a list.
pub(crate) fn references(list: &str) -> Result<Vec<Reference<'_>>, Fault> {
    pieces(list, 0..list.len())?.into_iter().map(|range| reference(list, range)).collect()
}

/// Whether a list is the path of a component that is shared, and no definition.
pub(crate) fn is_path(list: &str) -> bool {
    let name = list.split('(').next().unwrap_or(list);
    name.contains('/')
}

fn reference(list: &str, range: Range<usize>) -> Result<Reference<'_>, Fault> {
    let range = trimmed(list, range);
    let text = &list[range.clone()];
    let open = text.find('(').map_or(range.end, |at| range.start + at);
    let name = trimmed(list, range.start..open);
    if name.is_empty() {
        return Err(("the name of a definition is missing", range));
    }
    if let Some(at) = list[name.clone()].find(|c: char| c.is_whitespace() || c == ')') {
        return Err(("this is not the name of a definition", name.start + at..name.end));
    }
    let mut values = Vec::new();
    if open < range.end {
        if !text.ends_with(')') {
            return Err(("the values in parentheses are not followed by `)`", range));
        }
        let inside = open + 1..range.end - 1;
        if !list[inside.clone()].trim().is_empty() {
            for piece in pieces(list, inside)? {
                values.push(value(list, piece)?);
            }
        }
    }
    if values.iter().any(|one: &Value<'_>| one.name.is_some()) && values.iter().any(|one| one.name.is_none())
    {
        return Err(("some of the values have a name and others have none", range));
    }
    Ok(Reference { name: &list[name.clone()], range: name, written: text, values })
}

fn value(list: &str, range: Range<usize>) -> Result<Value<'_>, Fault> {
    let text = &list[range.clone()];
    let Some((name, _)) = text.split_once("=>") else {
        let range = trimmed(list, range);
        return Ok(Value { name: None, text: &list[range.clone()], range });
    };
    let start = range.start + name.len() + 2;
    if name.trim().is_empty() {
        return Err(("the name of an argument is missing", range));
    }
    let range = trimmed(list, start..range.end);
    Ok(Value { name: Some(name.trim()), text: &list[range.clone()], range })
}

/// The parts of a list between the commas that are in no parentheses.
fn pieces(list: &str, range: Range<usize>) -> Result<Vec<Range<usize>>, Fault> {
    let mut all = Vec::new();
    let mut depth = 0_usize;
    let mut start = range.start;
    for (at, byte) in list.as_bytes()[range.clone()].iter().enumerate() {
        let at = range.start + at;
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth = depth.checked_sub(1).ok_or(("this `)` closes nothing", at..at + 1))?;
            }
            b',' if depth == 0 => {
                all.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    if depth > 0 {
        return Err(("a `(` is never closed", range));
    }
    all.push(start..range.end);
    Ok(all)
}

fn trimmed(list: &str, range: Range<usize>) -> Range<usize> {
    let text = &list[range.clone()];
    let start = range.start + (text.len() - text.trim_start().len());
    start..start + text.trim().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(list: &str) -> Result<String, Fault> {
        let all = references(list)?;
        let value = |one: &Value<'_>| {
            format!("{}{}", one.name.map(|n| format!("{n}=")).unwrap_or_default(), one.text)
        };
        let one = |one: &Reference<'_>| {
            format!("{}[{}]", one.name, one.values.iter().map(value).collect::<Vec<_>>().join("|"))
        };
        Ok(all.iter().map(one).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn lists_are_taken_apart_outside_of_parentheses() {
        assert_eq!(shown("a.B").unwrap(), "a.B[]");
        assert_eq!(shown(" a.B( 1, x ) , c").unwrap(), "a.B[1|x] c[]");
        assert_eq!(shown("A(b.C(1,2),d)").unwrap(), "A[b.C(1,2)|d]");
        assert_eq!(shown("A(x=>1, y => 2)").unwrap(), "A[x=1|y=2]");
        assert_eq!(shown("A(->,1)").unwrap(), "A[->|1]");
        assert_eq!(shown("A(())").unwrap(), "A[()]");
        for wrong in ["", "a,", "A(", "A)", "A(1)x", "A B", "A(x=>1,2)", "A(=>1)", "(1)"] {
            assert!(shown(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_path_is_no_definition() {
        assert!(is_path("a/b") && is_path("./a") && !is_path("a.b") && !is_path("A(x/y)"));
    }
}
