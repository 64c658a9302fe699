//! Values of a Compose model: what YAML said, changed step by step as Compose changes it, each with the place that
//! it came from.

use std::collections::BTreeMap;

use locus_source::Place;

/// A value and where it is written.
#[derive(Clone, Debug)]
pub struct Value {
    /// What it is.
    pub datum: Datum,
    /// Where it is written; for what Compose adds by itself, the place of what it was added to.
    pub place: Place,
}

/// What a value is. Numbers are those of Go's reader of YAML.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
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
    List(Vec<Value>),
    /// Values by key.
    Map(Map),
}

/// A value under a key.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where the key is written.
    pub key: Place,
    /// The value.
    pub value: Value,
}

/// Values by key, in the order of the keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map(pub BTreeMap<String, Entry>);

/// Values are the same if they say the same, wherever they are written.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.datum == other.datum
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Value {
    /// A value at a place.
    pub fn new(datum: Datum, place: Place) -> Self {
        Self { datum, place }
    }

    /// A text at a place.
    pub fn text(text: impl Into<String>, place: Place) -> Self {
        Self::new(Datum::Str(text.into()), place)
    }

    /// A map at a place with some entries, all at that place.
    pub(crate) fn map<const N: usize>(place: Place, entries: [(&str, Datum); N]) -> Self {
        let mut map = Map::default();
        for (key, datum) in entries {
            map.put(key, Self::new(datum, place));
        }
        Self::new(Datum::Map(map), place)
    }

    /// The text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.datum {
            Datum::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The map, if it is one.
    pub fn as_map(&self) -> Option<&Map> {
        match &self.datum {
            Datum::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub(crate) fn as_map_mut(&mut self) -> Option<&mut Map> {
        match &mut self.datum {
            Datum::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The list, if it is one.
    pub fn as_list(&self) -> Option<&[Value]> {
        match &self.datum {
            Datum::List(items) => Some(items),
            _ => None,
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self.datum {
            Datum::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The whole number, if it is one.
    pub fn as_i64(&self) -> Option<i64> {
        match self.datum {
            Datum::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Whether it is nothing.
    pub fn is_null(&self) -> bool {
        self.datum == Datum::Null
    }

    /// The value of a key, if this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map()?.get(key)
    }

    /// The value at the end of several keys.
    pub fn at(&self, keys: &[&str]) -> Option<&Value> {
        keys.iter().try_fold(self, |value, key| value.get(key))
    }

    /// What it is, with its article, in the words of the Compose Specification.
    pub fn kind(&self) -> &'static str {
        match self.datum {
            Datum::Null => "null",
            Datum::Bool(_) => "a boolean",
            Datum::Int(_) | Datum::Uint(_) => "an integer",
            Datum::Float(_) => "a number",
            Datum::Time(_) => "a date",
            Datum::Str(_) => "a string",
            Datum::List(_) => "a list",
            Datum::Map(_) => "a mapping",
        }
    }

    /// The value as Go prints it: what Compose makes of numbers and truth values where it wants a string.
    pub fn print(&self) -> String {
        match &self.datum {
            Datum::Null => "<nil>".to_owned(),
            Datum::Bool(value) => value.to_string(),
            Datum::Int(value) => value.to_string(),
            Datum::Uint(value) => value.to_string(),
            Datum::Float(value) => print_float(*value),
            Datum::Time(text) | Datum::Str(text) => text.clone(),
            Datum::List(items) => {
                let items: Vec<_> = items.iter().map(Value::print).collect();
                format!("[{}]", items.join(" "))
            }
            Datum::Map(map) => {
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
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key).map(|entry| &entry.value)
    }

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
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
    pub(crate) fn put(&mut self, key: &str, value: Value) {
        if let Some(entry) = self.0.get_mut(key) {
            entry.value = value;
        } else {
            let place = value.place;
            self.0.insert(key.to_owned(), Entry { key: place, value });
        }
    }

    /// Sets a key that is not there yet.
    pub(crate) fn put_default(&mut self, key: &str, datum: Datum, place: Place) {
        if !self.has(key) {
            self.put(key, Value::new(datum, place));
        }
    }

    pub(crate) fn remove(&mut self, key: &str) -> Option<Value> {
        self.0.remove(key).map(|entry| entry.value)
    }

    /// Keys and values, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(key, entry)| (key.as_str(), &entry.value))
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut Value)> {
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
