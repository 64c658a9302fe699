//! Extensions and configurations as OCCIware writes them, in XMI: `.occie` and `.occic`.
//!
//! Two generations of the metamodel are read: in the first, categories have a `term`; in the second they have a
//! `name`, whose term is the same in small letters, mixins stand in `parts` of an entity with attributes of their own,
//! and kinds have states.

use std::sync::Arc;

use locus_source::xml::{self, Attribute, Element};
use locus_source::{Finding, Limits, SharedReport, SourceFile, words};

use super::Read;
use crate::rules;
use crate::syntax::{
    Action, Category, Content, Definition, Entity, Extension, Form, Given, Kind, Mixin, Model, NumberForm,
    Reference, State, States, Target, Text, TextForm, Type, TypeUse, Value, What,
};

/// Reads a file.
pub(super) fn read(file: &Arc<SourceFile>, limits: &Limits, report: &SharedReport) -> Read {
    let parsed = xml::parse(file, limits);
    parsed.findings.into_iter().for_each(|finding| report.add(finding));
    let model = parsed.document.and_then(|document| {
        let root = document.root();
        let mut reading = Reading { report, model: Model::default() };
        match root.local_name() {
            "Extension" => reading.extension(root),
            "Configuration" => reading.configuration(root),
            other => {
                let message = format!("the outermost element is `{}`", words::short(other));
                let finding = Finding::new(&rules::FORM, root.name_place(), message);
                report.add(finding.help("a file of OCCIware is one `Extension` or one `Configuration`"));
                return None;
            }
        }
        Some(reading.model)
    });
    Read { model, comments: parsed.comments }
}

struct Reading<'r> {
    report: &'r SharedReport,
    model: Model,
}

fn text(attribute: Attribute<'_>) -> Text {
    Text::new(attribute.value(), attribute.place())
}

fn given(element: Element<'_>, name: &str) -> Option<Text> {
    element.attribute(name).map(text)
}

fn is_true(element: Element<'_>, name: &str) -> Option<bool> {
    element.attribute(name).map(|attribute| attribute.value() == "true")
}

impl Reading<'_> {
    /// Says which elements stand where there are none of their kind.
    fn children(&self, element: Element<'_>, known: &[&str]) {
        for child in element.children() {
            if !known.contains(&child.name()) {
                let message =
                    format!("`{}` does not stand in `{}`", words::short(child.name()), element.name());
                let finding = Finding::new(&rules::UNKNOWN_KEY, child.name_place(), message);
                // Its end has the same name, so one word alone is not corrected.
                let known = known.iter().copied();
                self.report.add(words::did_you_mean(finding.help("remove it"), child.name(), known));
            }
        }
    }

    fn required(&self, element: Element<'_>, name: &str) -> Option<Text> {
        let found = given(element, name).filter(|text| !text.text.is_empty());
        if found.is_none() {
            let message = format!("`{}` has no `{name}`", element.name());
            let finding = Finding::new(&rules::MISSING_KEY, element.place(), message);
            self.report.add(finding.help(format!("give it a `{name}`")));
        }
        found
    }

    fn extension(&mut self, root: Element<'_>) {
        self.children(root, &["import", "kinds", "mixins", "types", "annotations", "constraints"]);
        self.model.is_extension = true;
        let scheme = self.required(root, "scheme");
        let mut extension = Extension { scheme, ..Extension::default() };
        extension.uses = root.named("import").filter_map(|import| self.href(import)).collect();
        for element in root.named("types") {
            let name = given(element, "name").unwrap_or_else(|| Text::new("", element.place()));
            extension.types.push(Type { name, form: form(element) });
        }
        let outer = extension.scheme.clone();
        for element in root.named("kinds") {
            if let Some(kind) = self.kind(element, outer.as_ref()) {
                extension.kinds.push(kind);
            }
        }
        for element in root.named("mixins") {
            if let Some(mixin) = self.mixin(element, outer.as_ref()) {
                extension.mixins.push(mixin);
            }
        }
        self.model.extension = extension;
    }

    /// A category; its scheme may be that of what it is in.
    fn category(&self, element: Element<'_>, outer: Option<&Text>) -> Option<Category> {
        let term = given(element, "term").or_else(|| {
            let name = given(element, "name")?;
            Some(Text::new(name.text.to_lowercase(), name.place))
        });
        let term = term.filter(|text| !text.text.is_empty()).or_else(|| self.required(element, "term"))?;
        let scheme = given(element, "scheme").or_else(|| outer.cloned())?;
        let attributes = element.named("attributes").filter_map(|one| self.definition(one)).collect();
        Some(Category { scheme, term, place: element.place(), attributes })
    }

    fn actions(&self, element: Element<'_>, of: &Category) -> Vec<Action> {
        let scheme = &of.scheme.text;
        let outer = Text::new(
            format!("{}/{}/action#", scheme.strip_suffix('#').unwrap_or(scheme), of.term.text),
            of.scheme.place,
        );
        let all = element.named("actions").filter_map(|one| self.category(one, Some(&outer)));
        all.map(Action::Defined).collect()
    }

    fn kind(&self, element: Element<'_>, outer: Option<&Text>) -> Option<Kind> {
        let known =
            ["attributes", "actions", "parent", "source", "target", "fsm", "constraints", "annotations"];
        self.children(element, &known);
        let category = self.category(element, outer)?;
        Some(Kind {
            parent: self.references(element, "parent").into_iter().next(),
            actions: self.actions(element, &category),
            sources: self.references(element, "source"),
            targets: self.references(element, "target"),
            states: element.named("fsm").next().map(|fsm| Self::states(fsm)),
            category,
        })
    }

    fn mixin(&self, element: Element<'_>, outer: Option<&Text>) -> Option<Mixin> {
        self.children(
            element,
            &["attributes", "actions", "depends", "applies", "fsm", "constraints", "annotations"],
        );
        let category = self.category(element, outer)?;
        Some(Mixin {
            depends: self.references(element, "depends"),
            applies: self.references(element, "applies"),
            actions: self.actions(element, &category),
            category,
        })
    }

    fn states(element: Element<'_>) -> States {
        let state = |one: Element<'_>| {
            let leaving = one.named("outgoingTransition").filter_map(|transition| {
                let action = given(transition, "action")?;
                let target =
                    given(transition, "target").and_then(|target| number_after(&target.text, "@ownedState."));
                Some((action, target))
            });
            State { is_initial: is_true(one, "initial").unwrap_or(false), leaving: leaving.collect() }
        };
        States { all: element.named("ownedState").map(state).collect(), place: element.place() }
    }

    fn definition(&self, element: Element<'_>) -> Option<Definition> {
        let name = self.required(element, "name")?;
        let inner = element.named("type").next();
        let ty = match (element.attribute("type"), inner) {
            (Some(attribute), _) => TypeUse::Named(reference(text(attribute))),
            (None, Some(inner)) if inner.attribute("href").is_some() => {
                self.href(inner).map_or(TypeUse::Any, TypeUse::Named)
            }
            (None, Some(inner)) => TypeUse::Given(form(inner)),
            (None, None) => TypeUse::Any,
        };
        let default = element.attribute("default").map(|attribute| Value {
            content: Content::Written(attribute.value().into()),
            place: attribute.place(),
        });
        Some(Definition {
            name,
            ty,
            mutable: is_true(element, "mutable"),
            required: is_true(element, "required").unwrap_or(false),
            default,
        })
    }

    /// The references of an element: in an attribute with blanks between them, or in elements with an `href`.
    fn references(&self, element: Element<'_>, name: &str) -> Vec<Reference> {
        let mut all = Vec::new();
        if let Some(attribute) = element.attribute(name) {
            let value = attribute.value();
            let mut at = 0;
            for piece in value.split(' ') {
                let place = attribute.part(at..at + piece.len());
                at += piece.len() + 1;
                if !piece.is_empty() {
                    all.push(reference(Text::new(piece, place)));
                }
            }
        }
        all.extend(element.named(name).filter_map(|inner| self.href(inner)));
        for one in all.iter().filter(|one| one.what == What::Malformed) {
            self.malformed(one);
        }
        all
    }

    fn href(&self, element: Element<'_>) -> Option<Reference> {
        let one = reference(self.required(element, "href")?);
        if one.what == What::Malformed {
            self.malformed(&one);
        }
        Some(one)
    }

    fn malformed(&self, one: &Reference) {
        let message = format!("`{}` is no reference", words::short(&one.text.text));
        let finding = Finding::new(&rules::IDENTITY, one.text.place, message);
        self.report.add(
            finding.help("write `//@kinds[term='…']`, with the extension and `#` before it if it is another"),
        );
    }

    fn configuration(&mut self, root: Element<'_>) {
        self.children(root, &["use", "resources", "mixins"]);
        self.model.extension.uses = root.named("use").filter_map(|one| self.href(one)).collect();
        let mut numbers = Vec::new();
        for element in root.named("resources") {
            let at = self.model.entities.len();
            numbers.push(at);
            let entity = self.entity(element, false, None);
            self.model.entities.push(entity);
            for link in element.named("links") {
                let entity = self.entity(link, true, Some(at));
                self.model.entities.push(entity);
            }
        }
        // The number of a resource is that among the resources, which links stand between.
        for entity in &mut self.model.entities {
            if let Some(target) = &mut entity.target {
                target.number = target.number.and_then(|number| numbers.get(number).copied());
            }
        }
        // Mixins of a configuration are tags that it defines itself, of which only the names are known.
        for element in root.named("mixins") {
            let mixin = self.mixin(element, None);
            self.model.extension.mixins.extend(mixin);
        }
    }

    fn entity(&self, element: Element<'_>, is_link: bool, owner: Option<usize>) -> Entity {
        self.children(element, &["kind", "mixins", "attributes", "links", "parts", "annotations"]);
        let mut mixins = self.references(element, "mixins");
        let mut attributes: Vec<Given> =
            element.named("attributes").filter_map(|one| self.given(one)).collect();
        let mut generated = Vec::new();
        for part in element.named("parts") {
            mixins.extend(part.named("mixin").filter_map(|one| self.href(one)));
            attributes.extend(part.named("attributes").filter_map(|one| self.given(one)));
            generated.extend(features(part));
        }
        generated.extend(features(element));
        // Where both are given, a feature says what the attribute says.
        let plain =
            |name: &str| name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
        let known: std::collections::HashSet<String> =
            attributes.iter().map(|given| plain(&given.name.text)).collect();
        attributes.extend(generated.into_iter().filter(|given| !known.contains(&plain(&given.name.text))));
        let target = given(element, "target").map(|text| Target {
            number: number_after(&text.text, "@resources."),
            text,
            kind: None,
        });
        Entity {
            place: element.place(),
            is_link,
            id: given(element, "id"),
            title: given(element, "title"),
            location: given(element, "location"),
            kind: element.named("kind").find_map(|one| self.href(one)).or_else(|| {
                let kind = element.attribute("kind")?;
                Some(reference(text(kind)))
            }),
            mixins,
            attributes,
            actions: Vec::new(),
            owner,
            source: None,
            target,
        }
    }

    fn given(&self, element: Element<'_>) -> Option<Given> {
        let name = self.required(element, "name")?;
        let value = element.attribute("value");
        let content = Content::Written(value.map_or("", Attribute::value).into());
        Some(Given { name, value: Value { content, place: value.map_or(element.place(), Attribute::place) } })
    }
}

/// The attributes that a generated metamodel makes features of: `occi.compute.cores` is `occiComputeCores`. They are
/// kept under the name of the feature; the kind tells which attribute is meant.
fn features(element: Element<'_>) -> Vec<Given> {
    const OWN: [&str; 10] =
        ["id", "title", "location", "kind", "mixins", "target", "source", "rlinks", "summary", "name"];
    let is_feature = |name: &str| !OWN.contains(&name) && !name.contains(':');
    let is_generated = element.attribute("xsi:type").is_some();
    let all = element.attributes().filter(|attribute| is_generated && is_feature(attribute.name()));
    all.map(|attribute| Given {
        name: Text::new(attribute.name(), attribute.name_place()),
        value: Value { content: Content::Written(attribute.value().into()), place: attribute.place() },
    })
    .collect()
}

/// The number after a word in a path.
fn number_after(path: &str, word: &str) -> Option<usize> {
    let (_, rest) = path.rsplit_once(word)?;
    rest.parse().ok()
}

/// The object that a path of XMI names.
fn reference(text: Text) -> Reference {
    let whole = Arc::clone(&text.text);
    let (within, path) = match whole.split_once("#//") {
        Some((within, path)) if !within.is_empty() => (Some(Arc::from(within)), path),
        Some((_, path)) => (None, path),
        None => {
            if let Some(path) = whole.strip_prefix("//") {
                (None, path)
            } else {
                let within = whole.strip_suffix("#/").or_else(|| whole.strip_suffix('#'));
                let what = if within.is_some() { What::Extension } else { What::Malformed };
                return Reference { within: within.map(Into::into), what, text };
            }
        }
    };
    let quoted = |path: &str| {
        let (_, rest) = path.split_once("term='").or_else(|| path.split_once("name='"))?;
        let (term, _) = rest.split_once('\'')?;
        Some(Arc::<str>::from(term.to_lowercase()))
    };
    let number = |word: &str| number_after(path, word);
    let what = if path.starts_with("@kinds[") {
        quoted(path).map_or(What::Malformed, What::Kind)
    } else if path.starts_with("@mixins[") {
        quoted(path).map_or(What::Malformed, What::Mixin)
    } else if let Some(at) = number("@kinds.") {
        What::KindAt(at)
    } else if let Some(at) = number("@mixins.") {
        What::MixinAt(at)
    } else if let Some(at) = number("@types.") {
        What::TypeAt(at)
    } else if !path.is_empty() && !path.contains(['@', '/']) {
        What::TypeNamed(path.into())
    } else {
        What::Malformed
    };
    Reference { text, within, what }
}

/// The form of a type.
fn form(element: Element<'_>) -> Form {
    let ty = element.attribute("xsi:type").map(Attribute::value).unwrap_or_default();
    let literal = |name: &str| -> Vec<Arc<str>> {
        element.named(name).filter_map(|one| one.attribute("name")).map(|one| one.value().into()).collect()
    };
    let number = |name: &str| element.attribute(name).and_then(|one| one.value().parse::<f64>().ok());
    let length = |name: &str| element.attribute(name).and_then(|one| one.value().parse::<usize>().ok());
    let whole = [
        "int",
        "java.lang.Integer",
        "long",
        "java.lang.Long",
        "short",
        "byte",
        "Integer",
        "Long",
        "Short",
        "Byte",
    ];
    let real = ["float", "double", "java.lang.Float", "java.lang.Double", "Float", "Double", "BigDecimal"];
    let numeric = |is_whole: bool| {
        Form::Number(NumberForm {
            is_whole,
            least: number("minInclusive").or_else(|| detail(element, "minInclusive")),
            most: number("maxInclusive").or_else(|| detail(element, "maxInclusive")),
            above: number("minExclusive").or_else(|| detail(element, "minExclusive")),
            below: number("maxExclusive").or_else(|| detail(element, "maxExclusive")),
        })
    };
    match xml::local(ty) {
        "EEnum" => Form::Words(literal("eLiterals")),
        "EnumerationType" => Form::Words(literal("literals")),
        "BooleanType" => Form::Boolean,
        "StringType" => Form::Text(TextForm {
            pattern: element.attribute("pattern").map(|one| one.value().into()),
            shortest: length("minLength"),
            longest: length("maxLength"),
        }),
        "NumericType" => numeric(element.attribute("type").is_none_or(|one| whole.contains(&one.value()))),
        "ArrayType" => Form::List,
        "RecordType" => Form::Map,
        "" | "EDataType" => {
            let class = element.attribute("instanceClassName").map(Attribute::value).unwrap_or_default();
            match class {
                "boolean" | "java.lang.Boolean" => Form::Boolean,
                "java.lang.String" => Form::Text(TextForm::default()),
                class if whole.contains(&class) => numeric(true),
                class if real.contains(&class) => numeric(false),
                _ => Form::Any,
            }
        }
        _ => Form::Any,
    }
}

/// A number among the details of an annotation.
fn detail(element: Element<'_>, key: &str) -> Option<f64> {
    let details = element.named("eAnnotations").flat_map(|annotation| annotation.named("details"));
    let mut same =
        details.filter(|one| one.attribute("key").is_some_and(|attribute| attribute.value() == key));
    same.next()?.attribute("value")?.value().parse().ok()
}
