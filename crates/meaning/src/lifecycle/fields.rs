//! Reading the entries of a lifecycle, each of which has one form.

use std::sync::Arc;

use locus_graph::{Name, Value};

/// The entries of a record, which are taken one by one; what is left has no meaning.
pub(super) struct Fields<'v> {
    entries: Vec<(&'v str, &'v Value)>,
    /// The faults, each as the rest of a sentence about the lifecycle.
    pub(super) faults: Vec<String>,
}

impl<'v> Fields<'v> {
    /// Those of a value that is to be a record; `what` names it.
    pub(super) fn of(value: &'v Value, what: &str) -> Self {
        match value {
            Value::Record(fields) => {
                let entries = fields.iter().map(|(key, value)| (&**key, value)).collect();
                Self { entries, faults: Vec::new() }
            }
            _ => Self { entries: Vec::new(), faults: vec![format!("has {what} that is no mapping")] },
        }
    }

    pub(super) fn take(&mut self, key: &str) -> Option<&'v Value> {
        let at = self.entries.iter().position(|(own, _)| *own == key)?;
        Some(self.entries.swap_remove(at).1)
    }

    fn wrong<T>(&mut self, key: &str, wanted: &str) -> Option<T> {
        self.faults.push(format!("has a `{key}` that is no {wanted}"));
        None
    }

    /// A text.
    pub(super) fn text(&mut self, key: &str) -> Option<Arc<str>> {
        match self.take(key)? {
            Value::Text(text) => Some(Arc::clone(text)),
            _ => self.wrong(key, "text"),
        }
    }

    /// A number from zero on.
    pub(super) fn number(&mut self, key: &str) -> Option<u32> {
        match self.take(key)? {
            Value::Int(number) if u32::try_from(*number).is_ok() => Some(*number as u32),
            _ => self.wrong(key, "number"),
        }
    }

    /// Whether something is so; if nothing is said, it is not.
    pub(super) fn flag(&mut self, key: &str) -> bool {
        match self.take(key) {
            None => false,
            Some(Value::Bool(flag)) => *flag,
            Some(_) => self.wrong(key, "truth value").unwrap_or_default(),
        }
    }

    /// A list.
    pub(super) fn list(&mut self, key: &str) -> Option<&'v [Value]> {
        match self.take(key)? {
            Value::List(items) => Some(items),
            _ => self.wrong(key, "list"),
        }
    }

    /// A list of texts.
    pub(super) fn texts(&mut self, key: &str) -> Option<Vec<Arc<str>>> {
        let items = self.list(key)?;
        let texts = items.iter().map(|item| match item {
            Value::Text(text) => Some(Arc::clone(text)),
            _ => None,
        });
        texts.collect::<Option<Vec<_>>>().or_else(|| self.wrong(key, "list of texts"))
    }

    /// The name of a location.
    pub(super) fn name(&mut self, key: &str) -> Option<Name> {
        match self.take(key)? {
            Value::Name(name) => Some(*name),
            _ => self.wrong(key, "name of a location, such as {$name: web}"),
        }
    }

    /// Says what is left.
    pub(super) fn finish(mut self) -> Vec<String> {
        for (key, _) in self.entries {
            self.faults.push(format!("has an entry `{key}`, which means nothing there"));
        }
        self.faults
    }
}
