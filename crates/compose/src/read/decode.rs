//! Values given the types of Compose's model: sizes and durations become numbers, commands words, and so on. What
//! cannot be converted is reported; what is nothing is removed.

use locus_source::Finding;
use locus_source::words::short;

use crate::read::interpolate::{number, single, truth, whole};
use crate::report::Report;
use crate::rules;
use crate::types::fields::{PROJECT, Parts, Type};
use crate::values::datum::{Content, Datum, Map};
use crate::values::short::{command, quantity};

/// Gives all parts of a model their types.
pub(crate) fn decode(model: &mut Datum, report: &mut Report) {
    let mut decoder = Decoder { path: Vec::new(), report };
    decoder.parts(model, &PROJECT);
}

struct Decoder<'r> {
    path: Vec<String>,
    report: &'r mut Report,
}

impl Decoder<'_> {
    fn wrong(&mut self, value: &Datum, wanted: &str) {
        let path = self.path.join(".");
        let message = format!("`{path}` must be {wanted}, not `{}`", short(&value.print()));
        self.report.say(&rules::UNIT, value.place, message);
    }

    fn parts(&mut self, value: &mut Datum, parts: &'static Parts) {
        let Some(map) = value.as_map_mut() else { return };
        map.0.retain(|key, entry| {
            let known = parts.fields.iter().any(|(name, _)| name == key);
            known && !entry.value.is_null() || parts.extensions && key.starts_with("x-")
        });
        for (key, entry) in &mut map.0 {
            let Some((_, kind)) = parts.fields.iter().find(|(name, _)| name == key) else { continue };
            self.path.push(key.clone());
            self.value(&mut entry.value, *kind);
            self.path.pop();
        }
    }

    fn each(&mut self, value: &mut Datum, mut change: impl FnMut(&mut Self, &mut Datum)) {
        match &mut value.content {
            Content::Map(map) => {
                for (key, entry) in &mut map.0 {
                    self.path.push(key.clone());
                    change(self, &mut entry.value);
                    self.path.pop();
                }
            }
            Content::List(items) => {
                for item in items {
                    change(self, item);
                }
            }
            _ => {}
        }
    }

    fn value(&mut self, value: &mut Datum, kind: Type) {
        match kind {
            Type::Text => self.text(value),
            Type::Flag | Type::FlagIfGiven => self.flag(value),
            Type::Whole | Type::WholeIfGiven => self.whole(value),
            Type::Count | Type::CountIfGiven => self.count(value),
            Type::Float => self.float(value),
            Type::Bytes => self.bytes(value),
            Type::Duration | Type::DurationIfGiven => self.duration(value),
            Type::Texts => self.each(value, Self::text),
            Type::TextOrTexts => {
                if let Content::Str(text) = &value.content {
                    value.content = Content::List(vec![Datum::text(text.clone(), value.place)]);
                }
                self.each(value, Self::text);
            }
            Type::TextsOrNumbers => self.each(value, |_, item| item.content = Content::Str(item.print())),
            Type::Mapping => self.mapping(value, false),
            Type::Variables => self.mapping(value, true),
            Type::Options => self.each(value, |_, item| {
                let text = if item.is_null() { String::new() } else { item.print() };
                item.content = Content::Str(text);
            }),
            Type::MultiOptions => self.each(value, |_, item| {
                let place = item.place;
                let texts = match &item.content {
                    Content::List(items) => items.iter().map(|i| Datum::text(i.print(), place)).collect(),
                    _ => vec![Datum::text(item.print(), place)],
                };
                item.content = Content::List(texts);
            }),
            Type::Hosts => self.hosts(value),
            Type::Command => self.command(value),
            Type::Test => test(value),
            Type::Ulimit => self.ulimit(value),
            Type::Mode => self.mode(value),
            Type::Devices => self.devices(value),
            Type::Ssh | Type::Files | Type::Silent => {}
            Type::Part(parts) | Type::PartIfGiven(parts) => self.parts(value, parts),
            Type::List(parts) | Type::Map(parts) => self.each(value, |this, item| this.parts(item, parts)),
            Type::Each(kind) => self.each(value, |this, item| this.value(item, *kind)),
        }
    }

    fn text(&mut self, value: &mut Datum) {
        match value.content {
            Content::Str(_) | Content::Null => {}
            Content::Int(number) => value.content = Content::Str(number.to_string()),
            _ => self.wrong(value, "a string"),
        }
    }

    fn flag(&mut self, value: &mut Datum) {
        match &value.content {
            Content::Bool(_) => {}
            Content::Str(text) => match truth(text, value.place, self.report) {
                Some(flag) => value.content = Content::Bool(flag),
                None => self.wrong(value, "`true` or `false`"),
            },
            _ => self.wrong(value, "`true` or `false`"),
        }
    }

    fn whole(&mut self, value: &mut Datum) {
        let number = match &value.content {
            Content::Int(_) => return,
            Content::Uint(number) => Some(*number as i64),
            Content::Float(number) => Some(*number as i64),
            Content::Str(text) => whole(text),
            _ => None,
        };
        match number {
            Some(number) => value.content = Content::Int(number),
            None => self.wrong(value, "a whole number"),
        }
    }

    fn count(&mut self, value: &mut Datum) {
        let number = match &value.content {
            Content::Int(number) => Some(*number),
            Content::Float(number) => Some(*number as i64),
            _ => None,
        };
        match number {
            Some(number) if number >= 0 => value.content = Content::Int(number),
            _ => self.wrong(value, "a whole number that is not negative"),
        }
    }

    fn float(&mut self, value: &mut Datum) {
        let number = match &value.content {
            Content::Int(number) => Some(*number as f64),
            Content::Uint(number) => Some(*number as f64),
            Content::Float(number) => Some(*number),
            Content::Str(text) => number(text),
            _ => None,
        };
        match number {
            Some(number) => value.content = Content::Float(single(number)),
            None => self.wrong(value, "a number"),
        }
    }

    fn bytes(&mut self, value: &mut Datum) {
        match &value.content {
            Content::Int(_) => {}
            Content::Str(text) => match quantity::bytes(text) {
                Some(bytes) => value.content = Content::Int(bytes),
                None => self.wrong(value, "a size such as `512m`"),
            },
            // Compose takes a number with a point for nothing here.
            _ => value.content = Content::Int(0),
        }
    }

    fn duration(&mut self, value: &mut Datum) {
        match quantity::duration(&value.print()) {
            Some(nanoseconds) => value.content = Content::Str(quantity::print_duration(nanoseconds)),
            None => self.wrong(value, "a duration such as `1m30s`"),
        }
    }

    /// Strings by name, given as a mapping or as a list of `NAME=VALUE`.
    fn mapping(&mut self, value: &mut Datum, nothing_stays: bool) {
        if let Content::List(items) = &value.content {
            let mut map = Map::default();
            for item in items {
                let text = item.print();
                let (name, text) = match text.split_once('=') {
                    Some((name, text)) => (name, Some(text)),
                    None => (text.as_str(), None),
                };
                if nothing_stays && name.ends_with(char::is_whitespace) {
                    let message = format!("the name of the variable `{}` ends in a blank", short(name));
                    self.report.say(&rules::SHORT_FORM, item.place, message);
                }
                let content = match text {
                    Some(text) => Content::Str(text.to_owned()),
                    None if nothing_stays => Content::Null,
                    None => Content::Str(String::new()),
                };
                map.0.remove(name);
                map.put(name, Datum::new(content, item.place));
            }
            value.content = Content::Map(map);
            return;
        }
        self.each(value, |_, item| match item.content {
            Content::Null if nothing_stays => {}
            Content::Null => item.content = Content::Str(String::new()),
            _ => item.content = Content::Str(item.print()),
        });
    }

    /// Becomes a mapping from each host to a list of addresses.
    fn hosts(&mut self, value: &mut Datum) {
        let mut hosts: Vec<(String, Datum)> = Vec::new();
        match &value.content {
            Content::Map(map) => {
                for (host, addresses) in map.iter() {
                    match &addresses.content {
                        Content::List(items) => hosts.extend(
                            items.iter().map(|item| (host.to_owned(), Datum::text(item.print(), item.place))),
                        ),
                        Content::Null => hosts.push((host.to_owned(), Datum::text("", addresses.place))),
                        _ => hosts.push((host.to_owned(), addresses.clone())),
                    }
                }
            }
            Content::List(items) => {
                for item in items {
                    let text = item.print();
                    let Some((host, addresses)) = text.split_once('=').or_else(|| text.split_once(':'))
                    else {
                        let message = format!("the extra host `{}` has no address", short(&text));
                        let finding = Finding::new(&rules::SHORT_FORM, item.place, message);
                        self.report.add(finding.help("write `NAME=ADDRESS`"));
                        continue;
                    };
                    hosts.extend(addresses.split(',').map(|a| (host.to_owned(), Datum::text(a, item.place))));
                }
            }
            _ => return,
        }
        let mut map = Map::default();
        for (host, mut address) in hosts {
            if host.is_empty() || host.contains([':', '=']) {
                let message = format!("`{}` is not the name of a host", short(&host));
                self.report.say(&rules::SHORT_FORM, address.place, message);
            }
            if let Content::Str(text) = &mut address.content
                && text.len() > 2
                && let Some(bare) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'))
            {
                *text = bare.to_owned();
            }
            let place = address.place;
            if !map.has(&host) {
                map.put(&host, Datum::new(Content::List(Vec::new()), place));
            }
            if let Some(Content::List(addresses)) = map.get_mut(&host).map(|value| &mut value.content) {
                addresses.push(address);
            }
        }
        value.content = Content::Map(map);
    }

    fn command(&mut self, value: &mut Datum) {
        let Content::Str(text) = &value.content else {
            self.each(value, Self::text);
            return;
        };
        let Some(words) = command::split(text) else {
            let message = format!("`{}` cannot be split into words: a quote or bracket is open", short(text));
            let finding = Finding::new(&rules::COMMAND, value.place, message);
            self.report.add(finding.help("write the command as a list"));
            return;
        };
        if let Some(cut) = words.cut {
            let message = format!("the command ends before `{}`, which Compose drops", short(&cut));
            let finding = Finding::new(&rules::COMMAND_CUT, value.place, message);
            self.report.add(finding.help("have a shell run it: `sh -c '…'`"));
        }
        let words = words.words.into_iter().map(|word| Datum::text(word, value.place)).collect();
        value.content = Content::List(words);
    }

    fn ulimit(&mut self, value: &mut Datum) {
        if value.as_map().is_some() {
            self.each(value, Self::whole);
        } else {
            self.whole(value);
        }
    }

    fn mode(&mut self, value: &mut Datum) {
        let mode = match &value.content {
            Content::Int(mode) => Some(*mode),
            Content::Str(text) => i64::from_str_radix(text, 8).ok(),
            _ => None,
        };
        match mode {
            Some(mode) => value.content = Content::Str(format!("0{mode:o}")),
            None => self.wrong(value, "the mode of a file in octal digits"),
        }
    }

    fn devices(&mut self, value: &mut Datum) {
        let count = match &value.content {
            Content::Int(count) => Some(*count),
            Content::Str(text) if text.to_lowercase() == "all" => Some(-1),
            Content::Str(text) => whole(text),
            _ => None,
        };
        match count {
            Some(count) => value.content = Content::Int(count),
            None => self.wrong(value, "`all` or a whole number"),
        }
    }
}

/// A string is for a shell.
fn test(value: &mut Datum) {
    if let Content::Str(text) = &value.content {
        let words = ["CMD-SHELL", text].map(|word| Datum::text(word, value.place));
        value.content = Content::List(words.into());
    }
}
