//! Values of a project as those of its meaning.

use std::borrow::Cow;
use std::sync::Arc;

use locus_schema::{Content as Value, Datum as Given, Field};

use crate::read::project::Project;
use crate::values::datum::{Content, Datum, Entry};

/// A value as an attribute of a location, if it is simple: a truth value, a whole number, a text, or a list of these.
pub(super) fn simple(datum: &Datum) -> Option<Given> {
    let value = match &datum.content {
        Content::Bool(value) => Value::Bool(*value),
        Content::Int(value) => Value::Int(*value),
        Content::Str(text) => Value::Str(text.as_str().into()),
        Content::List(items) => Value::List(items.iter().map(simple).collect::<Option<Arc<[_]>>>()?),
        _ => return None,
    };
    Some(Given::new(value, datum.place))
}

/// A value in which paths are those within the folder of the project: two versions of it may be in two folders.
pub(super) fn within(project: &Project, datum: &Datum) -> Given {
    let value = match &datum.content {
        Content::Null => Value::Null,
        Content::Bool(value) => Value::Bool(*value),
        Content::Int(value) => Value::Int(*value),
        Content::Uint(value) => Value::BigInt(value.to_string().into()),
        Content::Float(value) => Value::Float(*value),
        Content::Time(text) => Value::Str(text.as_str().into()),
        Content::Str(text) => Value::Str(path_within(project, text).into()),
        Content::List(items) => Value::List(items.iter().map(|item| within(project, item)).collect()),
        Content::Map(map) => Value::Map(map.0.iter().map(|entry| field(project, entry)).collect()),
    };
    Given::new(value, datum.place)
}

fn field(project: &Project, (key, entry): (&String, &Entry)) -> Field {
    Field { key: key.as_str().into(), place: entry.key, value: within(project, &entry.value) }
}

fn path_within<'t>(project: &Project, text: &'t str) -> Cow<'t, str> {
    match text.strip_prefix(project.folder.as_str()) {
        Some("") => Cow::Borrowed("."),
        Some(rest) if rest.starts_with('/') && project.folder.len() > 1 => Cow::Owned(format!(".{rest}")),
        _ => Cow::Borrowed(text),
    }
}
