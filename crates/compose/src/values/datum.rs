//! Values of a Compose model: what YAML said, changed step by step as Compose changes it, each with the place that
//! it came from.
//!
//! They are not those of `locus-schema`: all of them are known, numbers are those of Go, and maps are merged and
//! changed in place.

use std::collections::BTreeMap;

use locus_source::Place;

/// A value and where it is written.
#[derive(Clone, Debug)]
pub struct Datum {
    /// All that it is.
    pub content: Content,
    /// Where it is written; for what Compose adds by itself, the place of what it was added to.
    pub place: Place,
}

/// All that a value is. Numbers are those of Go's reader of YAML.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number above the largest signed one.
    Uint(u64),
    /// Any other number.
    Float(f64),
    /// A date or time, as it is written.
    Time(String),
    /// A text.
    Str(String),
    /// Values in order.
    List(Vec<Datum>),
    /// Values by key.
    Map(Map),
}

/// A value under a key.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where the key is written.
    pub key: Place,
    /// The value.
    pub value: Datum,
}

/// Values by key, in the order of the keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map(pub BTreeMap<String, Entry>);

/// Values are the same if they say the same, wherever they are written.
impl PartialEq for Datum {
    fn eq(&self, other: &Self) -> bool {
        self.content == other.content
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Datum {
    /// A value at a place.
    pub fn new(content: Content, place: Place) -> Self {
        Self { content, place }
    }

    /// A text at a place.
    pub fn text(text: impl Into<String>, place: Place) -> Self {
        Self::new(Content::Str(text.into()), place)
    }

    /// A map at a place with some entries, all at that place.
    pub(crate) fn map<const N: usize>(place: Place, entries: [(&str, Content); N]) -> Self {
        let mut map = Map::default();
        for (key, content) in entries {
            map.put(key, Self::new(content, place));
        }
        Self::new(Content::Map(map), place)
    }

    /// The text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.content {
            Content::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The map, if it is one.
    pub fn as_map(&self) -> Option<&Map> {
        match &self.content {
            Content::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub(crate) fn as_map_mut(&mut self) -> Option<&mut Map> {
        match &mut self.content {
            Content::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The list, if it is one.
    pub fn as_list(&self) -> Option<&[Datum]> {
        match &self.content {
            Content::List(items) => Some(items),
            _ => None,
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self.content {
            Content::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The whole number, if it is one.
    pub fn as_i64(&self) -> Option<i64> {
        match self.content {
            Content::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Whether it is nothing.
    pub fn is_null(&self) -> bool {
        self.content == Content::Null
    }

    /// The value of a key, if this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Datum> {
        self.as_map()?.get(key)
    }

    /// The value at the end of several keys.
    pub fn at(&self, keys: &[&str]) -> Option<&Datum> {
        keys.iter().try_fold(self, |value, key| value.get(key))
    }

    /// All that it is, with its article, in the words of the Compose Specification.
    pub fn kind(&self) -> &'static str {
        match self.content {
            Content::Null => "null",
            Content::Bool(_) => "a boolean",
            Content::Int(_) | Content::Uint(_) => "an integer",
            Content::Float(_) => "a number",
            Content::Time(_) => "a date",
            Content::Str(_) => "a string",
            Content::List(_) => "a list",
            Content::Map(_) => "a mapping",
        }
    }

    /// The value as Go prints it: what Compose makes of numbers and truth values where it wants a string.
    pub fn print(&self) -> String {
        match &self.content {
            Content::Null => "<nil>".to_owned(),
            Content::Bool(value) => value.to_string(),
            Content::Int(value) => value.to_string(),
            Content::Uint(value) => value.to_string(),
            Content::Float(value) => print_float(*value),
            Content::Time(text) | Content::Str(text) => text.clone(),
            Content::List(items) => {
                let items: Vec<_> = items.iter().map(Datum::print).collect();
                format!("[{}]", items.join(" "))
            }
            Content::Map(map) => {
                let entries: Vec<_> =
                    map.iter().map(|(key, value)| format!("{key}:{}", value.print())).collect();
                format!("map[{}]", entries.join(" "))
            }
        }
    }
}

impl Map {
    /// One without entries.
    pub(crate) fn empty() -> &'static Self {
        static EMPTY: Map = Map(BTreeMap::new());
        &EMPTY
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Datum> {
        self.0.get(key).map(|entry| &entry.value)
    }

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Datum> {
        self.0.get_mut(key).map(|entry| &mut entry.value)
    }

    /// Where a key is written.
    pub fn key_place(&self, key: &str) -> Option<Place> {
        self.0.get(key).map(|entry| entry.key)
    }

    /// Whether there is such a key.
    pub fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// Sets a key, which keeps its place if it is there already.
    pub(crate) fn put(&mut self, key: &str, value: Datum) {
        if let Some(entry) = self.0.get_mut(key) {
            entry.value = value;
        } else {
            let place = value.place;
            self.0.insert(key.to_owned(), Entry { key: place, value });
        }
    }

    /// Sets a key that is not there yet.
    pub(crate) fn put_default(&mut self, key: &str, content: Content, place: Place) {
        if !self.has(key) {
            self.put(key, Datum::new(content, place));
        }
    }

    pub(crate) fn remove(&mut self, key: &str) -> Option<Datum> {
        self.0.remove(key).map(|entry| entry.value)
    }

    /// Keys and values, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Datum)> {
        self.0.iter().map(|(key, entry)| (key.as_str(), &entry.value))
    }

    /// The entries in the order in which they are written, so that names decide nothing. Those of several files are in
    /// the order of their names: which file was read first may depend on which of them was asked about.
    pub(crate) fn in_file_order(&self) -> Vec<(&str, &Entry)> {
        let mut all: Vec<(&str, &Entry)> = self.0.iter().map(|(key, entry)| (key.as_str(), entry)).collect();
        if all.windows(2).all(|pair| pair[0].1.key.file == pair[1].1.key.file) {
            all.sort_by_key(|(_, entry)| entry.key.span.start);
        }
        all
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut Datum)> {
        self.0.iter_mut().map(|(key, entry)| (key.as_str(), &mut entry.value))
    }

    /// The keys.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A number as Go prints it with `%v`: the shortest digits that mean it, in exponent form below 10^-4 and from 10^6 on.
pub(crate) fn print_float(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').expect("the format has an exponent");
    let exponent: i32 = exponent.parse().expect("the exponent is a number");
    if (-4..6).contains(&exponent) {
        return value.to_string();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}
