//! A model held against the table: everything that is wrong with it, each at its place.

use locus_source::Finding;
use locus_source::words::{did_you_mean_word, short};

use super::{Fields, Number, Shape, Text, shapes};
use crate::report::Report;
use crate::rules;
use crate::values::datum::{Content, Datum};

/// Says what is wrong with a model.
pub(crate) fn validate(model: &Datum, report: &mut Report) {
    let shapes = shapes();
    let top = shapes.last().expect("the table has lines");
    Validator { shapes, path: Vec::new(), report }.value(model, top);
}

struct Validator<'v, 'r> {
    shapes: &'static [Shape],
    path: Vec<&'v str>,
    report: &'r mut Report,
}

impl<'v> Validator<'v, '_> {
    fn here(&self) -> String {
        super::here(self.path.iter().copied())
    }

    fn value(&mut self, value: &'v Datum, shape: &Shape) {
        if shape.anything {
            return;
        }
        match &value.content {
            Content::Null if shape.null => {}
            Content::Bool(_) if shape.boolean => {}
            Content::Int(number) if let Some(bounds) = &shape.number => self.number(value, *number, bounds),
            Content::Uint(_) | Content::Float(_) if shape.number.as_ref().is_some_and(|n| !n.whole) => {}
            Content::Uint(_) if shape.number.is_some() => {}
            // A whole number with a point is an integer to a JSON schema.
            Content::Float(float) if shape.number.is_some() && float.fract() == 0.0 => {}
            Content::Str(text) if let Some(form) = &shape.string => self.string(value, text, form),
            Content::List(items) if let Some(list) = &shape.list => {
                let item_shape = &self.shapes[list.item];
                for item in items {
                    self.value(item, item_shape);
                }
                if list.is_set {
                    self.set(items);
                }
            }
            Content::Map(_) if let Some(fields) = &shape.map => self.map(value, fields),
            _ => self.wrong_type(value, shape),
        }
    }

    fn wrong_type(&mut self, value: &Datum, shape: &Shape) {
        let message = format!("{} must be {}, not {}", self.here(), shape.expected(), value.kind());
        let finding = Finding::new(&rules::WRONG_TYPE, value.place, message);
        let finding = match &value.content {
            Content::Time(_) => finding.help("put it in quotes, so that YAML does not take it for a date"),
            Content::Bool(_) | Content::Int(_) | Content::Float(_) if shape.string.is_some() => {
                finding.help("put it in quotes")
            }
            Content::Str(_) if shape.list.is_some() => finding.help("write a list: put `- ` before the item"),
            Content::Null if shape.map.is_some() || shape.list.is_some() => {
                finding.help("give it a value, or remove the key")
            }
            _ => finding,
        };
        self.report.add(finding);
    }

    fn number(&mut self, value: &Datum, number: i64, bounds: &Number) {
        let message = match (bounds.least, bounds.most) {
            (Some(least), _) if number < least => format!("{} must be at least {least}", self.here()),
            (_, Some(most)) if number > most => format!("{} must be at most {most}", self.here()),
            _ => return,
        };
        self.report.say(&rules::NOT_ALLOWED, value.place, format!("{message}, and it is {number}"));
    }

    fn string(&mut self, value: &Datum, text: &str, form: &Text) {
        if !form.one_of.is_empty() && !form.one_of.contains(&text) {
            let words: Vec<_> = form.one_of.iter().map(|word| format!("`{word}`")).collect();
            let message = format!("{} must be {}, not `{}`", self.here(), words.join(" or "), short(text));
            let finding = Finding::new(&rules::NOT_ALLOWED, value.place, message);
            self.report.add(did_you_mean_word(finding, text, form.one_of.iter().copied()));
        }
        let fits = match form.form {
            Some("container_name") => text.as_bytes().windows(2).any(|pair| {
                pair[0].is_ascii_alphanumeric()
                    && (pair[1].is_ascii_alphanumeric() || b"_.-".contains(&pair[1]))
            }),
            Some("pull_policy") => is_pull_policy(text),
            _ => true,
        };
        if !fits {
            let expected = match form.form {
                Some("container_name") => "at least two letters, digits, `_`, `.` or `-`",
                _ => "`always`, `never`, `missing`, `build`, `daily`, `weekly` or `every_` with a duration",
            };
            let message = format!("{} must be {expected}, not `{}`", self.here(), short(text));
            self.report.say(&rules::NOT_ALLOWED, value.place, message);
        }
    }

    fn set(&mut self, items: &[Datum]) {
        // Most lists are short; long ones of strings are compared by sorting.
        let mut order: Vec<usize> = (0..items.len()).collect();
        if items.len() > 16 && items.iter().all(|item| item.as_str().is_some()) {
            order.sort_by_key(|&at| (items[at].as_str(), at));
            for pair in order.windows(2) {
                if items[pair[0]] == items[pair[1]] {
                    self.twice(&items[pair[0]], &items[pair[1]]);
                }
            }
            return;
        }
        for (at, item) in items.iter().enumerate() {
            if let Some(first) = items[..at].iter().find(|first| *first == item) {
                self.twice(first, item);
            }
        }
    }

    fn twice(&mut self, first: &Datum, again: &Datum) {
        let message = format!("{} has `{}` twice", self.here(), short(&again.print()));
        let finding = Finding::new(&rules::REPEATED, again.place, message).also(first.place, "first here");
        self.report.add(finding.help("remove one of the two"));
    }

    fn map(&mut self, value: &'v Datum, fields: &Fields) {
        let Some(map) = value.as_map() else { return };
        for (key, entry) in &map.0 {
            let of_key = fields.key(key).into_iter();
            let of_pattern = fields.patterns.iter().filter(|(pattern, _)| pattern.matches(key));
            for line in of_key.chain(of_pattern.map(|(_, line)| *line)) {
                self.path.push(key);
                self.value(&entry.value, &self.shapes[line]);
                self.path.pop();
            }
        }
        for (key, _, required) in &fields.keys {
            if *required && !map.has(key) {
                let message = format!("{} must have a key `{key}`", self.here());
                self.report.say(&rules::MISSING_KEY, value.place, message);
            }
        }
    }
}

/// Whether one of the policies is somewhere in the text, which is all that the schema asks for.
fn is_pull_policy(text: &str) -> bool {
    let words = ["always", "never", "build", "if_not_present", "missing", "refresh", "daily", "weekly"];
    let every = text.match_indices("every_").any(|(at, every)| {
        let rest = &text[at + every.len()..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        digits > 0 && rest.as_bytes().get(digits).is_some_and(|b| b"wdhms".contains(b))
    });
    every || words.iter().any(|word| text.contains(word))
}
