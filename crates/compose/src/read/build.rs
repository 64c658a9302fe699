//! From YAML trees to values, with the tags that Compose knows: `!reset` removes what an earlier file says,
//! `!override` replaces it as a whole.

use locus_source::tree::Style;
use locus_source::words::short;
use locus_source::{Finding, Node};

use crate::report::Report;
use crate::rules;
use crate::values::datum::{Content, Datum, Entry, Map};
use crate::values::scalar::scalar;

/// Paths at which a document resets what comes before it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Resets(Vec<Vec<String>>);

/// The value of a document and what it resets.
pub(crate) fn build(root: Node<'_>, report: &mut Report) -> (Datum, Resets) {
    let mut builder = Builder { resets: Resets::default(), path: Vec::new(), report };
    let value = builder.node(root).unwrap_or_else(|| Datum::new(Content::Null, root.use_place()));
    (value, builder.resets)
}

impl Resets {
    /// Removes from a model what is to be reset. Items of lists stay, as they do for Compose.
    pub(crate) fn apply(&self, model: &mut Datum) {
        for path in &self.0 {
            let Some((last, parents)) = path.split_last() else { continue };
            let parent = parents.iter().try_fold(&mut *model, |value, key| value.as_map_mut()?.get_mut(key));
            if let Some(map) = parent.and_then(Datum::as_map_mut) {
                map.remove(last);
            }
        }
    }
}

struct Builder<'r> {
    resets: Resets,
    path: Vec<String>,
    report: &'r mut Report,
}

impl Builder<'_> {
    /// The value of a node; nothing for one that is reset.
    fn node(&mut self, node: Node<'_>) -> Option<Datum> {
        match node.tag() {
            Some(("!reset", _)) => {
                self.resets.0.push(self.path.clone());
                return None;
            }
            Some(("!override", _)) => self.resets.0.push(self.path.clone()),
            _ => {}
        }
        let place = node.use_place();
        if node.is_mapping() {
            return Some(Datum::new(Content::Map(self.mapping(node)), place));
        }
        if node.is_sequence() {
            let mut items = Vec::new();
            for (index, item) in node.items().enumerate() {
                self.path.push(index.to_string());
                items.extend(self.node(item));
                self.path.pop();
            }
            return Some(Datum::new(Content::List(items), place));
        }
        let content = match node.tag() {
            Some(("!override", _)) => Content::Str(node.raw().to_owned()),
            _ => scalar(node).unwrap_or_else(|message| {
                self.report.say(&rules::WRONG_TYPE, place, message);
                Content::Str(node.raw().to_owned())
            }),
        };
        Some(Datum::new(content, place))
    }

    /// The entries of a mapping: its own, then those of its merge keys that it does not have.
    fn mapping(&mut self, node: Node<'_>) -> Map {
        let mut map = Map::default();
        let mut merged = Vec::new();
        for entry in node.written_entries() {
            if is_merge(entry.key) {
                merged.push(entry.value);
                continue;
            }
            let Some(key) = self.key(entry.key) else { continue };
            self.path.push(key);
            let value = self.node(entry.value);
            let key = self.path.pop().unwrap_or_default();
            if let Some(value) = value {
                map.0.insert(key, Entry { key: entry.key.use_place(), value });
            }
        }
        for value in merged {
            let sources: Vec<_> = if value.is_mapping() { vec![value] } else { value.items().collect() };
            for source in sources {
                for (key, entry) in self.mapping(source).0 {
                    map.0.entry(key).or_insert(entry);
                }
            }
        }
        map
    }

    fn key(&mut self, node: Node<'_>) -> Option<String> {
        if node.is_scalar() && matches!(scalar(node), Ok(Content::Str(_))) {
            return Some(node.raw().to_owned());
        }
        let what = if node.is_scalar() {
            format!("the key `{}` is {}, not a string", short(node.raw()), node.kind_name())
        } else {
            format!("{} cannot be a key", node.kind_name())
        };
        let finding = Finding::new(&rules::KEY_TYPE, node.use_place(), what);
        self.report.add(finding.help("put it in quotes"));
        None
    }
}

fn is_merge(key: Node<'_>) -> bool {
    let plain = key.style() == Style::Plain;
    key.raw() == "<<" && key.tag().map_or(plain, |(tag, _)| tag == "!!merge")
}
