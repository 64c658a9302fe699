//! The text rendering of OCCI (GFD.223): lines `Category: …`, `Link: …`, `X-OCCI-Attribute: …` and `X-OCCI-Location:
//! …`, with several values in one line separated by commas, as HTTP has them. An answer of HTTP with a status line may
//! have other headers, which are skipped.

use std::ops::Range;
use std::sync::Arc;

use locus_source::{Finding, Place, SharedReport, SourceFile, Span, words};

use super::Read;
use crate::rules;
use crate::syntax::{
    Action, Category, Content, Definition, Entity, Given, Kind, Mixin, Model, Reference, Target, Text,
    TypeUse, Value, What,
};

/// No file has more lines, and no line more values.
const MOST: usize = 100_000;

/// Reads a file.
pub(super) fn read(file: &Arc<SourceFile>, report: &SharedReport) -> Read {
    let mut reading = Reading { file, report, lines: Lines::default() };
    reading.lines();
    let model = reading.model();
    Read { model, comments: Vec::new() }
}

/// The content of the lines, by what they begin with.
#[derive(Default)]
struct Lines {
    categories: Vec<Item>,
    links: Vec<Item>,
    attributes: Vec<Given>,
    locations: Vec<Text>,
    is_wrong: bool,
}

/// A value with parameters: `value; name="text"; name=word`.
struct Item {
    place: Place,
    head: Text,
    parameters: Vec<Given>,
}

impl Item {
    fn text(&self, name: &str) -> Option<Text> {
        let one = self.parameters.iter().find(|one| one.name.text.eq_ignore_ascii_case(name))?;
        match &one.value.content {
            Content::Text(text) | Content::Number(_, text) => {
                Some(Text::new(Arc::clone(text), one.value.place))
            }
            Content::Boolean(value) => Some(Text::new(value.to_string(), one.value.place)),
            _ => None,
        }
    }
}

struct Reading<'r> {
    file: &'r Arc<SourceFile>,
    report: &'r SharedReport,
    lines: Lines,
}

impl Reading<'_> {
    fn text(&self, range: Range<usize>) -> &str {
        &self.file.text()[range]
    }

    fn place(&self, range: Range<usize>) -> Place {
        self.file.place(Span::new(range.start, range.end))
    }

    fn wrong(&mut self, range: Range<usize>, message: impl Into<String>, help: &str) {
        self.lines.is_wrong = true;
        let place = self.place(range);
        self.report.add(Finding::new(&rules::RENDERING, place, message).help(help));
    }

    fn lines(&mut self) {
        let text = self.file.text();
        let is_answer = text.starts_with("HTTP/");
        let mut at = 0;
        for (number, line) in text.split_inclusive('\n').enumerate() {
            let range = at..at + line.trim_end_matches(['\n', '\r']).len();
            at += line.len();
            if number >= MOST {
                self.wrong(range, "there are more lines than are read", "split the file");
                return;
            }
            if self.text(range.clone()).trim().is_empty() || is_answer && number == 0 {
                continue;
            }
            self.line(range, is_answer);
        }
    }

    fn line(&mut self, range: Range<usize>, is_answer: bool) {
        let help = "a line begins with `Category:`, `Link:`, `X-OCCI-Attribute:` or `X-OCCI-Location:`";
        let line = self.text(range.clone());
        let Some(colon) = line.find(':').filter(|&at| !line[..at].contains(['/', ';', '=', '"'])) else {
            self.wrong(range, "this line is not one of the rendering", help);
            return;
        };
        let name = line[..colon].trim().to_ascii_lowercase();
        let rest = range.start + colon + 1..range.end;
        match name.as_str() {
            "category" => {
                for piece in self.split(rest, ',') {
                    if let Some(item) = self.item(piece) {
                        self.lines.categories.push(item);
                    }
                }
            }
            "link" => {
                for piece in self.split(rest, ',') {
                    if let Some(item) = self.item(piece) {
                        self.lines.links.push(item);
                    }
                }
            }
            "x-occi-attribute" => {
                for piece in self.split(rest, ',') {
                    if let Some(given) = self.parameter(piece) {
                        self.lines.attributes.push(given);
                    }
                }
            }
            "x-occi-location" | "location" => {
                for piece in self.split(rest, ',') {
                    self.location(piece);
                }
            }
            _ if is_answer => {}
            _ => {
                let message =
                    format!("`{}` begins no line of the rendering", words::short(line[..colon].trim()));
                self.wrong(range.start..range.start + colon, message, help);
            }
        }
    }

    fn location(&mut self, range: Range<usize>) {
        let range = self.trimmed(range);
        let location = self.text(range.clone());
        let is_uri = location.split_once("://").is_some_and(|(scheme, rest)| {
            !rest.is_empty()
                && !scheme.is_empty()
                && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        });
        if is_uri && !location.contains(char::is_whitespace) {
            let text = Text::new(location, self.place(range));
            self.lines.locations.push(text);
        } else {
            let message = format!("`{}` is not an absolute URI", words::short(location));
            self.wrong(range, message, "write the location with scheme and host");
        }
    }

    fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let text = self.text(range.clone());
        let start = range.start + (text.len() - text.trim_start().len());
        start..start + text.trim().len()
    }

    /// The parts of a line between separators that stand in no quotes. A quote that is never closed is wrong.
    fn split(&mut self, range: Range<usize>, separator: char) -> Vec<Range<usize>> {
        let mut all = Vec::new();
        let mut start = range.start;
        let (mut quoted, mut escaped, mut open) = (false, false, range.start);
        for (at, c) in self.file.text()[range.clone()].char_indices() {
            let at = range.start + at;
            match c {
                _ if escaped => escaped = false,
                '\\' if quoted => escaped = true,
                '"' => {
                    quoted = !quoted;
                    open = at;
                }
                c if c == separator && !quoted => {
                    all.push(start..at);
                    start = at + 1;
                }
                _ => {}
            }
            if all.len() >= MOST {
                self.wrong(range, "a line has more values than are read", "split the line");
                return all;
            }
        }
        if quoted {
            self.wrong(open..range.end, "this quote is never closed", "close it with `\"`");
            return Vec::new();
        }
        all.push(start..range.end);
        all
    }

    fn item(&mut self, range: Range<usize>) -> Option<Item> {
        let pieces = self.split(range.clone(), ';');
        let (head, rest) = pieces.split_first()?;
        let head = self.trimmed(head.clone());
        if head.is_empty() {
            self.wrong(range, "a value is missing", "write a term, or a location in angle brackets");
            return None;
        }
        let mut parameters = Vec::new();
        for piece in rest {
            if !self.text(piece.clone()).trim().is_empty() {
                parameters.extend(self.parameter(piece.clone()));
            }
        }
        let place = self.place(self.trimmed(range));
        Some(Item { place, head: Text::new(self.text(head.clone()), self.place(head)), parameters })
    }

    /// `name=value`: the value is a text in quotes, a number, or a truth.
    fn parameter(&mut self, range: Range<usize>) -> Option<Given> {
        let range = self.trimmed(range);
        let text = self.text(range.clone());
        let Some(equals) = text.find('=') else {
            let message = format!("`{}` has no value", words::short(text));
            self.wrong(range, message, "write `name=\"value\"`");
            return None;
        };
        let name = self.trimmed(range.start..range.start + equals);
        let is_name = |c: char| c.is_alphanumeric() || "._-:".contains(c);
        if name.is_empty() || !self.text(name.clone()).chars().all(is_name) {
            let message = format!("`{}` is no name", words::short(self.text(name.clone())));
            self.wrong(name, message, "a name has letters, digits, dots, hyphens and underscores");
            return None;
        }
        let written = self.trimmed(range.start + equals + 1..range.end);
        let raw = self.text(written.clone());
        let inner = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let (content, place) = if let Some(inner) = inner {
            let place = self.place(written.start + 1..written.end - 1);
            (Content::Text(inner.replace("\\\"", "\"").replace("\\\\", "\\").into()), place)
        } else {
            let place = self.place(written.clone());
            match (raw, raw.parse::<f64>()) {
                ("true", _) => (Content::Boolean(true), place),
                ("false", _) => (Content::Boolean(false), place),
                (_, Ok(number)) if number.is_finite() => (Content::Number(number, raw.into()), place),
                _ if !raw.is_empty() && !raw.contains(['"', ' ']) => (Content::Text(raw.into()), place),
                _ => {
                    let message = format!("`{}` is no value", words::short(raw));
                    self.wrong(written, message, "write a text in quotes, a number, `true` or `false`");
                    return None;
                }
            }
        };
        Some(Given {
            name: Text::new(self.text(name.clone()), self.place(name)),
            value: Value { content, place },
        })
    }

    /// The meaning of the lines; nothing if they cannot be relied on.
    fn model(mut self) -> Option<Model> {
        let lines = std::mem::take(&mut self.lines);
        if lines.is_wrong {
            return None;
        }
        let is_empty = lines.categories.is_empty() && lines.attributes.is_empty() && lines.links.is_empty();
        if is_empty && lines.locations.is_empty() {
            let finding =
                Finding::new(&rules::RENDERING, self.place(0..0), "the file has no line of the rendering");
            self.report.add(finding.help("begin lines with `Category:`"));
            return None;
        }
        let mut model = Model::default();
        let says_more = |item: &Item| {
            ["rel", "attributes", "actions", "location"].iter().any(|name| item.text(name).is_some())
        };
        let is_entity = !lines.attributes.is_empty()
            || !lines.links.is_empty()
            || !lines.categories.iter().any(says_more);
        let place = lines.categories.first().map_or_else(|| self.place(0..0), |item| item.place);
        let mut kind = None;
        let mut mixins = Vec::new();
        for item in &lines.categories {
            let Some((category, class)) = self.category(item) else { continue };
            let identity = Text::new(category.identity(), item.head.place);
            let what = What::Identity(Arc::clone(&identity.text));
            let reference = Reference { text: identity, within: None, what };
            match (is_entity, class.as_str()) {
                (true, "kind") if kind.is_some() => {
                    let finding = Finding::new(&rules::RENDERING, item.place, "an entity has two kinds");
                    self.report.add(finding.help("an entity has one kind; the others are mixins"));
                }
                (true, "kind") => kind = Some(reference),
                (true, "mixin") => mixins.push(reference),
                (true, _) => {}
                (false, "kind") => {
                    let parent = item.text("rel").map(|text| self.identity(text));
                    let actions = Self::named(item, "actions").into_iter().map(Action::Named).collect();
                    model.extension.kinds.push(Kind {
                        category,
                        parent,
                        actions,
                        sources: Vec::new(),
                        targets: Vec::new(),
                        states: None,
                    });
                }
                (false, "mixin") => {
                    let depends =
                        Self::named(item, "rel").into_iter().map(|text| self.identity(text)).collect();
                    let actions = Self::named(item, "actions").into_iter().map(Action::Named).collect();
                    model.extension.mixins.push(Mixin { category, depends, applies: Vec::new(), actions });
                }
                (false, _) => model.extension.actions.push(category),
            }
        }
        if is_entity {
            self.entity(&mut model, &lines, place, kind, mixins);
        }
        Some(model)
    }

    fn entity(
        &self,
        model: &mut Model,
        lines: &Lines,
        place: Place,
        kind: Option<Reference>,
        mixins: Vec<Reference>,
    ) {
        let find = |name: &str| {
            let given = lines.attributes.iter().find(|given| &*given.name.text == name)?;
            match &given.value.content {
                Content::Text(text) => Some(Text::new(Arc::clone(text), given.value.place)),
                _ => None,
            }
        };
        let end = |name: &str| find(name).map(|text| Target { text, number: None, kind: None });
        let (source, target) = (end("occi.core.source"), end("occi.core.target"));
        let of_actions = |item: &&Item| item.head.text.contains("?action=");
        let actions = lines.links.iter().filter(of_actions).filter_map(|item| item.text("rel")).collect();
        model.entities.push(Entity {
            place,
            is_link: source.is_some() || target.is_some(),
            id: find("occi.core.id"),
            title: find("occi.core.title"),
            location: lines.locations.first().cloned(),
            kind,
            mixins,
            attributes: lines.attributes.clone(),
            actions,
            owner: None,
            source,
            target,
        });
        let at = model.entities.len() - 1;
        for item in lines.links.iter().filter(|item| !of_actions(item)) {
            let location = item.head.text.trim_start_matches('<').trim_end_matches('>');
            let mut categories = Self::named(item, "category").into_iter().map(|text| self.identity(text));
            let own = ["rel", "self", "category"];
            let attributes =
                item.parameters.iter().filter(|given| !own.contains(&&*given.name.text)).cloned();
            model.entities.push(Entity {
                place: item.place,
                is_link: true,
                id: item.text("occi.core.id"),
                title: item.text("occi.core.title"),
                location: item.text("self"),
                kind: categories.next(),
                mixins: categories.collect(),
                attributes: attributes.collect(),
                actions: Vec::new(),
                owner: Some(at),
                source: None,
                target: Some(Target {
                    text: Text::new(location, item.head.place),
                    number: None,
                    kind: item.text("rel"),
                }),
            });
        }
    }

    /// A category and its class.
    fn category(&self, item: &Item) -> Option<(Category, String)> {
        let required = |name: &str| {
            let found = item.text(name);
            if found.is_none() {
                let message = format!("the category `{}` has no `{name}`", words::short(&item.head.text));
                let finding = Finding::new(&rules::MISSING_KEY, item.place, message);
                self.report.add(finding.help(format!("give it `{name}=\"…\"`")));
            }
            found
        };
        let (scheme, class) = (required("scheme"), required("class"));
        let (scheme, class) = (scheme?, class?);
        if !["kind", "mixin", "action"].contains(&&*class.text) {
            let message = format!("`{}` is no class of a category", words::short(&class.text));
            let finding = Finding::new(&rules::WORD, class.place, message);
            self.report.add(finding.help("it is one of `kind`, `mixin` and `action`"));
            return None;
        }
        let attributes = item.text("attributes").map(|list| self.definitions(&list)).unwrap_or_default();
        let category = Category { scheme, term: item.head.clone(), place: item.place, attributes };
        Some((category, class.text.to_string()))
    }

    /// The attributes of a category: names with blanks between them, each perhaps with words in braces.
    fn definitions(&self, list: &Text) -> Vec<Definition> {
        let mut all = Vec::new();
        let mut rest = list.text.trim();
        while !rest.is_empty() {
            let end = rest.find([' ', '{']).unwrap_or(rest.len());
            let name = &rest[..end];
            rest = rest[end..].trim_start();
            let mut words: Vec<&str> = Vec::new();
            if let Some(inner) = rest.strip_prefix('{') {
                let Some((inside, after)) = inner.split_once('}') else {
                    let finding = Finding::new(&rules::RENDERING, list.place, "a `{` is never closed");
                    self.report.add(finding.help("write `name{immutable required}`"));
                    return all;
                };
                words = inside.split_whitespace().collect();
                rest = after.trim_start();
            }
            if let Some(word) = words.iter().find(|word| !["immutable", "required"].contains(word)) {
                let message = format!("`{}` is not said of attributes", words::short(word));
                let finding = Finding::new(&rules::WORD, list.place, message);
                self.report.add(finding.help("an attribute is `immutable` or `required`, or both"));
            }
            all.push(Definition {
                name: Text::new(name, list.place),
                ty: TypeUse::Any,
                mutable: Some(!words.contains(&"immutable")),
                required: words.contains(&"required"),
                default: None,
            });
        }
        all
    }

    /// The identities in a parameter, with blanks between them.
    fn named(item: &Item, name: &str) -> Vec<Text> {
        let list = item.text(name);
        let words =
            list.iter().flat_map(|list| list.text.split_whitespace().map(|word| Text::new(word, list.place)));
        words.collect()
    }

    fn identity(&self, text: Text) -> Reference {
        let what = if text.text.contains('#') && !text.text.ends_with('#') {
            What::Identity(Arc::clone(&text.text))
        } else {
            let message = format!("`{}` is no identity of a category", words::short(&text.text));
            let finding = Finding::new(&rules::IDENTITY, text.place, message);
            self.report.add(finding.help("write scheme and term: `http://example.org/a#b`"));
            What::Malformed
        };
        Reference { text, within: None, what }
    }
}
