//! The JSON rendering of OCCI (GFD.226): entities, collections of them, categories, and actions that are done.

use locus_source::json::{self, JsonOptions};
use locus_source::{Finding, Limits, Node, Place, SharedReport, Span, words};

use super::Read;
use crate::rules;
use crate::syntax::{
    Action, Category, Content, Definition, Entity, Form, Given, Invocation, Kind, Mixin, Model, NumberForm,
    Reference, Target, Text, TextForm, TypeUse, Value, What,
};

/// The keys of a document, and of an entity, and so on: those of the standard.
const DOCUMENT: &[&str] = &["resources", "links", "kinds", "mixins", "actions"];
const ENTITY: &[&str] = &[
    "kind",
    "mixins",
    "attributes",
    "actions",
    "id",
    "title",
    "summary",
    "links",
    "source",
    "target",
    "location",
    "rel",
];
const INVOCATION: &[&str] = &["action", "attributes"];
const TAGGING: &[&str] = &["mixin", "locations"];

/// Reads a file.
pub(super) fn read(
    file: &std::sync::Arc<locus_source::SourceFile>,
    limits: &Limits,
    report: &SharedReport,
) -> Read {
    let parsed = json::parse(file, &JsonOptions { limits: limits.clone(), ..JsonOptions::default() });
    let comments: Vec<Span> = parsed.comments.clone();
    let is_broken = parsed.has_errors();
    parsed.findings.into_iter().for_each(|finding| report.add(finding));
    let Some(tree) = parsed.documents.into_iter().next().filter(|_| !is_broken) else {
        return Read { model: None, comments };
    };
    let mut reading = Reading { report, model: Model::default() };
    reading.document(tree.root());
    Read { model: Some(reading.model), comments }
}

struct Reading<'r> {
    report: &'r SharedReport,
    model: Model,
}

fn text(node: Node<'_>) -> Option<Text> {
    node.is_scalar().then(|| node.as_str().map(|text| Text::new(text, node.place()))).flatten()
}

impl Reading<'_> {
    fn say(&self, rule: &locus_source::Rule, place: Place, message: impl Into<String>, help: &str) {
        self.report.add(Finding::new(rule, place, message).help(help));
    }

    fn document(&mut self, root: Node<'_>) {
        if !root.is_mapping() {
            let message = format!("the document is {}, and no object", root.kind_name());
            self.say(
                &rules::FORM,
                root.place(),
                message,
                "write an entity, or a collection such as `resources`",
            );
            return;
        }
        let has = |key: &str| root.get(key).is_some();
        if has("kind") {
            self.entity(root, None, has("source") || has("target"));
        } else if has("action") {
            self.keys(root, "an action that is done", INVOCATION);
            self.invocation(root);
        } else if has("mixin") && has("locations") {
            self.keys(root, "a collection of a mixin", TAGGING);
        } else if has("term") && has("scheme") {
            self.category_alone(root);
        } else if has("attributes") && !DOCUMENT.iter().any(|key| has(key)) {
            // A part of an entity, as an update sends it.
            self.entity(root, None, false);
        } else {
            self.collections(root);
        }
    }

    fn collections(&mut self, root: Node<'_>) {
        self.keys(root, "a document", DOCUMENT);
        for node in self.items(root, "kinds") {
            let kind = self.kind(node);
            self.model.extension.kinds.extend(kind);
        }
        for node in self.items(root, "mixins") {
            let mixin = self.mixin(node);
            self.model.extension.mixins.extend(mixin);
        }
        for node in self.items(root, "actions") {
            let action = self.category(node);
            self.model.extension.actions.extend(action);
        }
        for node in self.items(root, "resources") {
            self.entity(node, None, false);
        }
        for node in self.items(root, "links") {
            self.entity(node, None, true);
        }
    }

    /// A category by itself: its keys tell which one.
    fn category_alone(&mut self, root: Node<'_>) {
        let has = |key: &str| root.get(key).is_some();
        if has("parent") {
            let kind = self.kind(root);
            self.model.extension.kinds.extend(kind);
        } else if has("depends") || has("applies") || has("location") {
            let mixin = self.mixin(root);
            self.model.extension.mixins.extend(mixin);
        } else {
            let action = self.category(root);
            self.model.extension.actions.extend(action);
        }
    }

    /// Says which keys are none of those that there are.
    fn keys(&self, node: Node<'_>, what: &str, known: &[&str]) {
        for entry in node.entries() {
            let key = entry.key.raw();
            if !known.contains(&key) {
                let message = format!("{what} has no `{}`", words::short(key));
                let finding = Finding::new(&rules::UNKNOWN_KEY, entry.key.place(), message);
                let finding = finding.help("remove it, or make it an attribute");
                self.report.add(words::did_you_mean_word(finding, key, known.iter().copied()));
            }
        }
    }

    /// The objects of a list.
    fn items<'n>(&self, node: Node<'n>, key: &str) -> Vec<Node<'n>> {
        let Some(list) = node.get(key) else { return Vec::new() };
        if !list.is_sequence() {
            let message = format!("`{key}` is {}, and no list", list.kind_name());
            self.say(&rules::FORM, list.place(), message, "write a list in brackets");
            return Vec::new();
        }
        let mut all = Vec::new();
        for item in list.items() {
            if item.is_mapping() {
                all.push(item);
            } else {
                let message = format!("an item of `{key}` is {}, and no object", item.kind_name());
                self.say(&rules::FORM, item.place(), message, "write an object in braces");
            }
        }
        all
    }

    /// The texts of a list.
    fn texts(&self, node: Node<'_>, key: &str) -> Vec<Text> {
        let Some(list) = node.get(key) else { return Vec::new() };
        if let Some(one) = text(list) {
            return vec![one];
        }
        if !list.is_sequence() {
            let message = format!("`{key}` is {}, and no list", list.kind_name());
            self.say(&rules::FORM, list.place(), message, "write a list of identifiers");
            return Vec::new();
        }
        let mut all = Vec::new();
        for item in list.items() {
            if let Some(one) = text(item) {
                all.push(one);
            } else {
                let message = format!("an item of `{key}` is {}, and no identifier", item.kind_name());
                self.say(
                    &rules::FORM,
                    item.place(),
                    message,
                    "write an identifier such as `http://example.org/a#b`",
                );
            }
        }
        all
    }

    fn references(&self, node: Node<'_>, key: &str) -> Vec<Reference> {
        self.texts(node, key).into_iter().map(|text| self.identity(text)).collect()
    }

    /// A category by its identity.
    fn identity(&self, text: Text) -> Reference {
        if !text.text.contains('#') || text.text.ends_with('#') {
            let message = format!("`{}` is no identity of a category", words::short(&text.text));
            self.say(
                &rules::IDENTITY,
                text.place,
                message,
                "write scheme and term: `http://example.org/a#b`",
            );
            return Reference { text, within: None, what: What::Malformed };
        }
        let what = What::Identity(text.text.clone());
        Reference { text, within: None, what }
    }

    fn required(&self, node: Node<'_>, key: &str, what: &str) -> Option<Text> {
        let found = node.get(key);
        let given = found.and_then(text);
        if given.is_none() {
            let (place, message) = match found {
                Some(found) => {
                    (found.place(), format!("`{key}` of {what} is {}, and no text", found.kind_name()))
                }
                None => (node.place(), format!("{what} has no `{key}`")),
            };
            self.say(&rules::MISSING_KEY, place, message, &format!("give it a `{key}`"));
        }
        given
    }

    fn category(&mut self, node: Node<'_>) -> Option<Category> {
        let (scheme, term) =
            (self.required(node, "scheme", "a category"), self.required(node, "term", "a category"));
        let attributes = node.get("attributes").filter(|node| node.is_mapping());
        let mut all = Vec::new();
        for entry in attributes.into_iter().flat_map(Node::entries) {
            all.extend(self.definition(Text::new(entry.key.raw(), entry.key.place()), entry.value));
        }
        Some(Category { scheme: scheme?, term: term?, place: node.place(), attributes: all })
    }

    fn kind(&mut self, node: Node<'_>) -> Option<Kind> {
        let known = &["term", "scheme", "title", "parent", "attributes", "actions", "location"];
        self.keys(node, "a kind", known);
        let parent = node.get("parent").and_then(text).map(|text| self.identity(text));
        let actions = self.texts(node, "actions").into_iter().map(Action::Named).collect();
        Some(Kind {
            category: self.category(node)?,
            parent,
            actions,
            sources: Vec::new(),
            targets: Vec::new(),
            states: None,
        })
    }

    fn mixin(&mut self, node: Node<'_>) -> Option<Mixin> {
        let known = &["term", "scheme", "title", "depends", "applies", "attributes", "actions", "location"];
        self.keys(node, "a mixin", known);
        let actions = self.texts(node, "actions").into_iter().map(Action::Named).collect();
        let (depends, applies) = (self.references(node, "depends"), self.references(node, "applies"));
        Some(Mixin { category: self.category(node)?, depends, applies, actions })
    }

    /// The definition of an attribute.
    fn definition(&mut self, name: Text, node: Node<'_>) -> Option<Definition> {
        if !node.is_mapping() {
            let message = format!(
                "the definition of `{}` is {}, and no object",
                words::short(&name.text),
                node.kind_name()
            );
            self.say(&rules::FORM, node.place(), message, "write an object with a `type`");
            return None;
        }
        self.keys(
            node,
            "the definition of an attribute",
            &["type", "mutable", "required", "pattern", "default", "description"],
        );
        let pattern = node.get("pattern");
        let ty = match node.get("type") {
            None => TypeUse::Any,
            Some(ty) => match ty.as_str() {
                Some("string") => TypeUse::Given(text_form(pattern)),
                Some("number") => TypeUse::Given(Form::Number(number_form(pattern, false))),
                Some("integer") => TypeUse::Given(Form::Number(number_form(pattern, true))),
                Some("boolean") => TypeUse::Given(Form::Boolean),
                Some("array" | "list") => TypeUse::Given(Form::List),
                Some("object" | "hash") => TypeUse::Given(Form::Map),
                _ => {
                    let message = format!("`{}` is no type of an attribute", words::short(ty.raw()));
                    let help = "it is one of `string`, `number`, `integer`, `boolean`, `array` and `object`";
                    self.say(&rules::WORD, ty.place(), message, help);
                    TypeUse::Any
                }
            },
        };
        Some(Definition {
            name,
            ty,
            mutable: node.get("mutable").and_then(Node::as_bool),
            required: node.get("required").and_then(Node::as_bool).unwrap_or(false),
            default: node.get("default").map(value),
        })
    }

    /// An entity, and the links in it.
    fn entity(&mut self, node: Node<'_>, owner: Option<usize>, is_link: bool) {
        self.keys(node, if is_link { "a link" } else { "a resource" }, ENTITY);
        let kind = node.get("kind").and_then(text).map(|text| self.identity(text));
        let at = self.model.entities.len();
        let entity = Entity {
            place: node.place(),
            is_link,
            id: node.get("id").and_then(text),
            title: node.get("title").and_then(text),
            location: node.get("location").and_then(text),
            kind,
            mixins: self.references(node, "mixins"),
            attributes: self.attributes(node),
            actions: self.texts(node, "actions"),
            owner,
            source: node.get("source").and_then(|end| self.end(end)),
            target: node.get("target").and_then(|end| self.end(end)),
        };
        self.model.entities.push(entity);
        for link in self.items(node, "links") {
            self.entity(link, Some(at), true);
        }
    }

    /// The attributes of an entity. An object may stand for the attributes whose names begin with its own.
    fn attributes(&self, node: Node<'_>) -> Vec<Given> {
        let Some(attributes) = node.get("attributes") else { return Vec::new() };
        if !attributes.is_mapping() {
            let message = format!("`attributes` is {}, and no object", attributes.kind_name());
            self.say(&rules::FORM, attributes.place(), message, "write an object in braces");
            return Vec::new();
        }
        let given = attributes.entries();
        given
            .map(|entry| Given {
                name: Text::new(entry.key.raw(), entry.key.place()),
                value: value(entry.value),
            })
            .collect()
    }

    /// An end of a link: a location, with or without a kind.
    fn end(&self, node: Node<'_>) -> Option<Target> {
        if let Some(text) = text(node) {
            return Some(Target { text, number: None, kind: None });
        }
        if node.is_mapping() {
            self.keys(node, "an end of a link", &["location", "kind"]);
        }
        let location = node.get("location").and_then(text);
        if location.is_none() {
            self.say(&rules::FORM, node.place(), "an end of a link has no location", "write its `location`");
        }
        Some(Target { text: location?, number: None, kind: node.get("kind").and_then(text) })
    }

    fn invocation(&mut self, node: Node<'_>) {
        if let Some(action) = self.required(node, "action", "an action that is done") {
            let attributes = self.attributes(node);
            self.model.invocations.push(Invocation { action, attributes });
        }
    }
}

/// A value.
fn value(node: Node<'_>) -> Value {
    use locus_source::Value as Known;
    let content = match node.value() {
        Known::Null => Content::Null,
        Known::Bool(value) => Content::Boolean(value),
        Known::Int(_) | Known::Float(_) | Known::BigInt(_) => {
            Content::Number(node.as_f64().unwrap_or(f64::NAN), node.raw().into())
        }
        Known::Str(text) | Known::Timestamp(text) => Content::Text(text.into()),
        Known::Sequence => Content::List,
        Known::Mapping => Content::Map,
    };
    Value { content, place: node.place() }
}

/// A text by its pattern: an expression, a schema of JSON with one, or one with an enumeration.
fn text_form(pattern: Option<Node<'_>>) -> Form {
    let Some(pattern) = pattern else { return Form::Text(TextForm::default()) };
    if let Some(words) = pattern.get("enum").filter(|words| words.is_sequence()) {
        return Form::Words(words.items().filter_map(Node::as_str).map(Into::into).collect());
    }
    let inner = if pattern.is_mapping() { pattern.get("pattern") } else { Some(pattern) };
    let length =
        |key: &str| pattern.get(key).and_then(Node::as_i64).and_then(|number| usize::try_from(number).ok());
    Form::Text(TextForm {
        pattern: inner.and_then(Node::as_str).map(Into::into),
        shortest: length("minLength"),
        longest: length("maxLength"),
    })
}

fn number_form(pattern: Option<Node<'_>>, is_whole: bool) -> NumberForm {
    let number = |key: &str| pattern.and_then(|node| node.get(key)).and_then(Node::as_f64);
    let ty = pattern.and_then(|node| node.get("type")).and_then(Node::as_str);
    NumberForm {
        is_whole: is_whole || ty == Some("integer"),
        least: number("minimum"),
        most: number("maximum"),
        above: number("exclusiveMinimum"),
        below: number("exclusiveMaximum"),
    }
}
