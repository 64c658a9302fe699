//! Keys that a mapping cannot have: each is said, and then taken for the key that is meant, or left out, so that it
//! does not hide what else is wrong.

use locus_source::words::{did_you_mean_word, short};
use locus_source::{Finding, Place, words};

use super::{Fields, Shape, shapes};
use crate::report::Report;
use crate::rules;
use crate::values::datum::{Content, Datum};

/// Keys that were heeded already when the keys of a model are looked at.
const TOO_LATE: [&str; 2] = ["extends", "include"];

/// Says which keys are unknown, and corrects them.
pub(crate) fn correct(model: &mut Datum, report: &mut Report) {
    let shapes = shapes();
    let top = shapes.last().expect("the table has lines");
    Corrector { shapes, path: Vec::new(), report }.value(model, top);
}

struct Corrector<'r> {
    shapes: &'static [Shape],
    path: Vec<String>,
    report: &'r mut Report,
}

impl Corrector<'_> {
    fn value(&mut self, value: &mut Datum, shape: &Shape) {
        if shape.anything {
            return;
        }
        match &mut value.content {
            Content::List(items) => {
                let Some(list) = &shape.list else { return };
                for item in items {
                    self.value(item, &self.shapes[list.item]);
                }
            }
            Content::Map(_) => {
                if let Some(fields) = &shape.map {
                    self.map(value, fields);
                }
            }
            _ => {}
        }
    }

    fn map(&mut self, value: &mut Datum, fields: &Fields) {
        let Some(map) = value.as_map_mut() else { return };
        let is_unknown = |key: &&String| {
            fields.closed
                && fields.key(key).is_none()
                && !fields.patterns.iter().any(|(pattern, _)| pattern.matches(key))
        };
        let unknown: Vec<String> = map.0.keys().filter(is_unknown).cloned().collect();
        for key in unknown {
            let Some(entry) = map.0.remove(&key) else { continue };
            let names = fields.keys.iter().map(|one| (one.0, one.0));
            let meant = words::nearest(&key, names);
            self.unknown(&key, entry.key, fields, meant);
            if let Some(meant) = meant.filter(|meant| !map.has(meant)) {
                map.0.insert(meant.to_owned(), entry);
            }
        }
        for (key, entry) in &mut map.0 {
            let of_key = fields.key(key).into_iter();
            let of_pattern = fields.patterns.iter().filter(|(pattern, _)| pattern.matches(key));
            let lines: Vec<usize> = of_key.chain(of_pattern.map(|(_, line)| *line)).collect();
            self.path.push(key.clone());
            for line in lines {
                self.value(&mut entry.value, &self.shapes[line]);
            }
            self.path.pop();
        }
    }

    fn unknown(&mut self, key: &str, place: Place, fields: &Fields, meant: Option<&str>) {
        let here = super::here(self.path.iter().map(String::as_str));
        if fields.keys.is_empty() {
            let message = format!("`{}` is not a name that {here} can have", short(key));
            let help = "names have letters, digits, `.`, `_` and `-`";
            self.report.add(Finding::new(&rules::UNKNOWN_KEY, place, message).help(help));
            return;
        }
        let message = format!("{here} has no key `{}`", short(key));
        let finding = Finding::new(&rules::UNKNOWN_KEY, place, message);
        let finding = did_you_mean_word(finding, key, fields.keys.iter().map(|key| key.0));
        if meant.is_some_and(|meant| TOO_LATE.contains(&meant)) {
            self.report.add(finding);
        } else {
            self.report.add_and_go_on(finding);
        }
    }
}
