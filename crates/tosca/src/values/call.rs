//! Calls of functions, as they are written.
//!
//! In TOSCA 2.0 a map whose only key starts with `$` is a call, and so is a string that starts with `$`; `$$` stands
//! for a dollar sign. In the Simple Profile a map with one key is a call if the key is the name of a function.

use std::borrow::Cow;

use locus_source::Node;

use crate::read::version::Version;

/// A call.
#[derive(Clone, Copy)]
pub(crate) struct Call<'t> {
    /// Without the dollar sign and what distinguishes calls that are keys of one map.
    pub(crate) name: &'t str,
    /// The arguments; nothing if there are none.
    pub(crate) arguments: Option<Node<'t>>,
    /// The whole expression.
    pub(crate) node: Node<'t>,
}

/// The form of a node.
pub(crate) enum Form<'t> {
    Call(Call<'t>),
    /// A map with a call among other keys.
    Malformed(&'t str),
    /// Anything else.
    Plain,
}

const SIMPLE: [&str; 9] = [
    "get_input",
    "get_property",
    "get_attribute",
    "get_operation_output",
    "get_nodes_of_type",
    "get_artifact",
    "concat",
    "token",
    "join",
];

/// Whether a node is a call.
pub(crate) fn form(node: Node<'_>, version: Version) -> Form<'_> {
    if version == Version::V2_0 {
        return dollar(node);
    }
    let mut entries = node.entries();
    if let (Some(entry), None) = (entries.next(), entries.next())
        && SIMPLE.contains(&entry.key.raw())
    {
        return Form::Call(Call { name: entry.key.raw(), arguments: Some(entry.value), node });
    }
    Form::Plain
}

fn dollar(node: Node<'_>) -> Form<'_> {
    if let Some(text) = node.as_str() {
        return match function_name(text) {
            Some(name) => Form::Call(Call { name, arguments: None, node }),
            None => Form::Plain,
        };
    }
    let mut found = None;
    for entry in node.entries() {
        // A key that is the text of a whole call gives the key when it is evaluated.
        let key = entry.key.as_str().filter(|key| !key.contains([' ', '[', '{']));
        if let Some(name) = key.and_then(function_name) {
            found = Some((name, entry.value));
        }
    }
    match found {
        None => Form::Plain,
        Some((name, arguments)) if node.len() == 1 => {
            Form::Call(Call { name, arguments: Some(arguments), node })
        }
        Some((name, _)) => Form::Malformed(name),
    }
}

/// The name of the function that a text calls.
fn function_name(text: &str) -> Option<&str> {
    let name = text.strip_prefix('$')?;
    if name.starts_with('$') || name.is_empty() {
        return None;
    }
    Some(name.split('$').next().unwrap_or(name))
}

/// A text without the dollar sign that escapes another one.
pub(crate) fn unescape(text: &str, version: Version) -> Cow<'_, str> {
    if version == Version::V2_0 && text.starts_with("$$") {
        Cow::Borrowed(&text[1..])
    } else {
        Cow::Borrowed(text)
    }
}

impl<'t> Call<'t> {
    /// The arguments as a list: what is written in one, or the single one that is written without.
    pub(crate) fn list(&self) -> Vec<Node<'t>> {
        match self.arguments {
            None => Vec::new(),
            Some(list) if list.is_sequence() => list.items().collect(),
            Some(one) if one.is_null() => Vec::new(),
            Some(one) => vec![one],
        }
    }
}
