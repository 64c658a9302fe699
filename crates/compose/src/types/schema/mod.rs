//! The structure that the Compose Specification allows: types of values, keys of mappings.
//!
//! The facts are in `compose.txt`, which `tools/compose-schema.py` makes from the official JSON schema. Each line says
//! what a value may be, in words between blanks; lines are named by their number, counted from 0, and the last one is
//! the whole file. The words:
//!
//! - `anything`, `null`, `bool`, `int`, `num`, `str`: types; `int:0..100` has bounds, `str=a|b` lists the strings, and
//!   `str~container_name` is a string of a form
//! - `list:N` and `set:N`: a list whose items are as line N says; a set has no item twice
//! - `map` and `map!`: a mapping, whose keys follow; with `!` it has no others
//! - `.key:N` and `.key*:N`: a key with values as line N says; with `*` it must be there
//! - `/x-:N`, `/name:N`, `/any:N` and `/lower:N`: all keys of a form

mod unknown;
mod validate;

use std::sync::OnceLock;

use locus_source::words::short;

pub(crate) use unknown::correct;
pub(crate) use validate::validate;

static TEXT: &str = include_str!("compose.txt");

/// All that a value may be.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    anything: bool,
    null: bool,
    boolean: bool,
    number: Option<Number>,
    string: Option<Text>,
    list: Option<List>,
    map: Option<Fields>,
}

#[derive(Debug)]
struct Number {
    whole: bool,
    least: Option<i64>,
    most: Option<i64>,
}

#[derive(Debug, Default)]
struct Text {
    one_of: Vec<&'static str>,
    form: Option<&'static str>,
}

#[derive(Debug)]
struct List {
    item: usize,
    is_set: bool,
}

#[derive(Debug)]
struct Fields {
    closed: bool,
    /// By name, sorted: the shape, and whether the key must be there.
    keys: Vec<(&'static str, usize, bool)>,
    patterns: Vec<(Pattern, usize)>,
}

/// A path of keys in backticks, for messages.
fn here<'k>(path: impl Iterator<Item = &'k str>) -> String {
    let path: Vec<&str> = path.collect();
    if path.is_empty() { "the file".to_owned() } else { format!("`{}`", short(&path.join("."))) }
}

/// A form of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pattern {
    Extension,
    Name,
    Any,
    Lower,
}

impl Pattern {
    fn matches(self, key: &str) -> bool {
        let name = |b: u8| b.is_ascii_alphanumeric() || b"._-".contains(&b);
        match self {
            Self::Extension => key.starts_with("x-"),
            Self::Name => !key.is_empty() && key.bytes().all(name),
            Self::Any => !key.is_empty(),
            Self::Lower => !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase()),
        }
    }
}

impl Fields {
    fn key(&self, name: &str) -> Option<usize> {
        let at = self.keys.binary_search_by(|(key, ..)| (*key).cmp(name)).ok()?;
        Some(self.keys[at].1)
    }
}

fn shapes() -> &'static [Shape] {
    static SHAPES: OnceLock<Vec<Shape>> = OnceLock::new();
    SHAPES.get_or_init(|| TEXT.lines().map(shape).collect())
}

fn shape(line: &'static str) -> Shape {
    let mut shape = Shape::default();
    for word in line.split(' ') {
        let number = |text: &str| text.parse().expect("lines are named by numbers");
        if let Some((key, line)) = word.strip_prefix('.').and_then(|rest| rest.rsplit_once(':')) {
            let fields = shape.map.as_mut().expect("keys follow their mapping");
            let required = key.ends_with('*');
            fields.keys.push((key.trim_end_matches('*'), number(line), required));
        } else if let Some((form, line)) = word.strip_prefix('/').and_then(|rest| rest.rsplit_once(':')) {
            let pattern = match form {
                "x-" => Pattern::Extension,
                "name" => Pattern::Name,
                "any" => Pattern::Any,
                _ => Pattern::Lower,
            };
            let fields = shape.map.as_mut().expect("keys follow their mapping");
            fields.patterns.push((pattern, number(line)));
        } else {
            shape.add_type(word);
        }
    }
    shape
}

impl Shape {
    fn add_type(&mut self, word: &'static str) {
        let (name, rest) = match word.find([':', '=', '~']) {
            Some(at) => word.split_at(at),
            None => (word, ""),
        };
        let number = |text: &str| text.get(1..).and_then(|text| text.parse().ok()).expect("a line");
        match name {
            "anything" => self.anything = true,
            "null" => self.null = true,
            "bool" => self.boolean = true,
            "int" | "num" => {
                let (least, most) = rest.trim_start_matches(':').split_once("..").unwrap_or_default();
                let bounds = (least.parse().ok(), most.parse().ok());
                self.number = Some(Number { whole: name == "int", least: bounds.0, most: bounds.1 });
            }
            "str" => {
                let one_of = rest.strip_prefix('=').map(|words| words.split('|').collect());
                let form = rest.strip_prefix('~');
                self.string = Some(Text { one_of: one_of.unwrap_or_default(), form });
            }
            "list" | "set" => self.list = Some(List { item: number(rest), is_set: name == "set" }),
            _ => {
                let closed = name == "map!";
                self.map = Some(Fields { closed, keys: Vec::new(), patterns: Vec::new() });
            }
        }
    }

    /// All that it may be, in words.
    fn expected(&self) -> String {
        let mut kinds = Vec::new();
        if self.map.is_some() {
            kinds.push("a mapping");
        }
        if self.list.is_some() {
            kinds.push("a list");
        }
        if self.string.is_some() {
            kinds.push("a string");
        }
        if let Some(number) = &self.number {
            kinds.push(if number.whole { "an integer" } else { "a number" });
        }
        if self.boolean {
            kinds.push("a boolean");
        }
        match kinds.split_last() {
            None => "null".to_owned(),
            Some((last, [])) => (*last).to_owned(),
            Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read() {
        let shapes = shapes();
        let top = shapes.last().and_then(|shape| shape.map.as_ref()).expect("a file is a mapping");
        let services = &shapes[top.key("services").expect("a file has services")];
        let service = &shapes[services.map.as_ref().expect("a mapping").patterns[0].1];
        let service = service.map.as_ref().expect("a service is a mapping");
        assert!(service.closed);
        assert_eq!(service.keys.len(), 92, "keys of a service in the schema of compose-go 2.9.1");
        assert!(service.keys.is_sorted_by_key(|key| key.0));
        for shape in shapes {
            let Some(fields) = &shape.map else { continue };
            assert!(fields.keys.iter().all(|key| key.1 < shapes.len()));
        }
    }
}
