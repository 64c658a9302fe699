//! Environments: values for parameters, and what types mean.

use std::sync::Arc;

use locus_schema::{Content, Datum, Field};
use locus_source::words::{did_you_mean_word, short};
use locus_source::yaml::{self, YamlOptions};
use locus_source::{Finding, LoadError, Node, Place, Report, SourceFile, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::read::repeated;
use crate::read::types::unreadable;
use crate::report::expected;
use crate::rules::{ENVIRONMENT, FILE};
use crate::values::evaluate::key_text;
use crate::values::load::Files;
use crate::values::why;

const SECTIONS: [&str; 6] = [
    "parameters",
    "parameter_defaults",
    "resource_registry",
    "encrypted_param_names",
    "event_sinks",
    "parameter_merge_strategies",
];

/// All environments, merged. Later ones win.
#[derive(Default)]
pub(crate) struct Environment {
    /// Values under `parameters`, with the place of the key.
    pub(crate) parameters: FxHashMap<Arc<str>, Given>,
    /// Values under `parameter_defaults`.
    pub(crate) defaults: FxHashMap<Arc<str>, Given>,
    /// Whether somebody says how the template is to be deployed: with an environment, or with values for parameters.
    pub(crate) given: bool,
    /// The mappings of types.
    registry: Vec<Mapping>,
}

/// A value that somebody gave to a parameter.
#[derive(Clone)]
pub(crate) struct Given {
    pub(crate) value: Datum,
    /// Where its key is; nothing if it came from the command line.
    pub(crate) key: Option<Place>,
    /// Whether environments merge it, so that it is more than one of them says.
    merged: bool,
}

/// A mapping of a type, for all resources or for one.
struct Mapping {
    resource: Option<Arc<str>>,
    name: Arc<str>,
    target: Arc<str>,
    place: Place,
    file: Arc<SourceFile>,
}

/// The target of a mapping of a type.
pub(crate) struct Target<'e> {
    pub(crate) name: Arc<str>,
    pub(crate) place: Place,
    /// The file to which a path is relative.
    pub(crate) file: &'e Arc<SourceFile>,
}

impl Environment {
    /// Reads environments, in order.
    pub(crate) fn read(files: &[Arc<SourceFile>], all: &Files<'_>, report: &mut Report) -> Self {
        let mut environment = Self { given: !files.is_empty(), ..Self::default() };
        for file in files {
            let options = YamlOptions { limits: all.limits.clone(), ..YamlOptions::pyyaml() };
            let mut parsed = yaml::parse(file, &options);
            repeated::judge(&mut parsed.findings, &parsed.documents);
            let broken = parsed.has_errors();
            parsed.findings.into_iter().for_each(|finding| report.add(finding));
            match parsed.documents.first() {
                Some(tree) => {
                    let before = environment.registry.len();
                    environment.add(tree.root(), file, report);
                    missing_files(&environment.registry[before..], all, report);
                }
                None if broken => {}
                None => {
                    let message = "this environment is empty";
                    let mut finding = Finding::new(&ENVIRONMENT, file.place(Span::point(0)), message);
                    finding.severity = locus_source::Severity::Warning;
                    report.add(finding);
                }
            }
        }
        environment
    }

    fn add(&mut self, root: Node<'_>, file: &Arc<SourceFile>, report: &mut Report) {
        if !root.is_mapping() {
            expected(report, &ENVIRONMENT, root, "an environment", "a map");
            return;
        }
        let merges = root.get("parameter_merge_strategies").is_some();
        for entry in root.entries() {
            let name = entry.key.raw();
            if !SECTIONS.contains(&name) {
                let message = format!("an environment has no section `{}`", short(name));
                let finding = Finding::new(&ENVIRONMENT, entry.key.use_place(), message);
                report.add(did_you_mean_word(finding, name, SECTIONS));
            } else if entry.value.is_null() {
                let message = format!("the section `{name}` is empty");
                let finding = Finding::new(&ENVIRONMENT, entry.key.use_place(), message);
                report.add(finding.help("remove it, or write `{}` behind it"));
            } else {
                match name {
                    "parameters" => give(&mut self.parameters, entry.value, merges, report),
                    "parameter_defaults" => give(&mut self.defaults, entry.value, merges, report),
                    "resource_registry" => self.register(entry.value, file, report),
                    _ => {}
                }
            }
        }
    }

    fn register(&mut self, registry: Node<'_>, file: &Arc<SourceFile>, report: &mut Report) {
        if !registry.is_mapping() {
            expected(report, &ENVIRONMENT, registry, "`resource_registry`", "a map");
            return;
        }
        let base = registry.get("base_url").and_then(Node::as_str).unwrap_or_default();
        for entry in registry.entries() {
            match entry.key.raw() {
                "base_url" => {}
                "resources" => {
                    for resource in entry.value.entries() {
                        let name = key_text(resource.key);
                        for mapping in resource.value.entries() {
                            self.map(Some(&name), mapping.key, mapping.value, base, file);
                        }
                    }
                }
                _ => self.map(None, entry.key, entry.value, base, file),
            }
        }
    }

    fn map(
        &mut self,
        resource: Option<&Arc<str>>,
        key: Node<'_>,
        value: Node<'_>,
        base: &str,
        file: &Arc<SourceFile>,
    ) {
        // Hooks and restricted actions stand beside types, and are lists or say nothing about a type.
        let Some(target) = value.as_str() else { return };
        let is_path = is_template(target) && !target.contains("://") && !target.starts_with('/');
        let target = if is_path && !base.is_empty() {
            format!("{}/{target}", base.trim_end_matches('/'))
        } else {
            target.to_owned()
        };
        self.registry.push(Mapping {
            resource: resource.cloned(),
            name: key_text(key),
            target: target.into(),
            place: value.use_place(),
            file: Arc::clone(file),
        });
    }

    /// The target to which the environments map a type, for a resource with this name.
    pub(crate) fn target(&self, name: &str, resource: &str) -> Option<Target<'_>> {
        let fits = |pattern: &str, text: &str| match pattern.strip_suffix('*') {
            Some(start) => text.starts_with(start),
            None => pattern == text,
        };
        // What is said of one resource goes before what is said of all, an exact name before a pattern, and
        // the last environment before others.
        let rank =
            |(at, mapping): (usize, &Mapping)| (mapping.resource.is_some(), !mapping.name.ends_with('*'), at);
        let candidates = self.registry.iter().enumerate().filter(|(_, mapping)| {
            fits(&mapping.name, name)
                // A pattern does not stand for what it leads to.
                && !(mapping.name.ends_with('*') && *mapping.target == *name)
                && mapping.resource.as_ref().is_none_or(|pattern| fits(pattern, resource))
        });
        let (_, mapping) = candidates.max_by_key(|(at, mapping)| rank((*at, mapping)))?;
        let start = mapping.name.strip_suffix('*').filter(|_| !is_template(&mapping.target));
        let kept =
            start.and_then(|start| Some((mapping.target.strip_suffix('*')?, name.strip_prefix(start)?)));
        let name = match kept {
            // A pattern that stands for a pattern keeps the rest of the name.
            Some((start, rest)) => format!("{start}{rest}").into(),
            None => Arc::clone(&mapping.target),
        };
        Some(Target { name, place: mapping.place, file: &mapping.file })
    }

    /// The names of types that environments define.
    pub(crate) fn type_names(&self) -> impl Iterator<Item = &str> {
        self.registry.iter().map(|mapping| &*mapping.name)
    }
}

/// Reports the templates of a registry that do not exist, or cannot be read. Heat's client reads all of them, whether a
/// type is used or not.
fn missing_files(registry: &[Mapping], files: &Files<'_>, report: &mut Report) {
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    for mapping in registry.iter().filter(|mapping| is_template(&mapping.target)) {
        if !seen.insert(&mapping.target) {
            continue;
        }
        match files.load(&mapping.file, &mapping.target) {
            Err(LoadError::Missing) => {
                let message = format!("the template `{}` cannot be read", short(&mapping.target));
                report.add(Finding::new(&FILE, mapping.place, message));
            }
            Err(LoadError::Unreadable(why)) => files.leave_open(unreadable(&mapping.target, &why)),
            Ok(_) | Err(LoadError::NotAllowed(_) | LoadError::NotLocal) => {}
        }
    }
}

/// Whether the name of a type is the path of a template.
pub(crate) fn is_template(name: &str) -> bool {
    [".yaml", ".template"].iter().any(|ending| name.ends_with(ending))
}

fn give(into: &mut FxHashMap<Arc<str>, Given>, section: Node<'_>, merges: bool, report: &mut Report) {
    if !section.is_mapping() {
        expected(report, &ENVIRONMENT, section, "this section", "a map");
        return;
    }
    for entry in section.entries() {
        let name = key_text(entry.key);
        let key = entry.key.use_place();
        let again = into.contains_key(&name);
        let mut value = plain(entry.value);
        let merged = merges || into.get(&name).is_some_and(|given| given.merged);
        if again && merged {
            value = Datum::unknown(why::function("parameter_merge_strategies".into()), value.place);
        }
        into.insert(name, Given { value, key: Some(key), merged });
    }
}

impl Given {
    /// A value from the command line, for a parameter that is at this place.
    pub(crate) fn from_text(text: &str, place: Place) -> Self {
        Self { value: Datum::new(Content::str(text), place), key: None, merged: false }
    }
}

/// A value without functions: what is written is what is meant.
pub(crate) fn plain(node: Node<'_>) -> Datum {
    let value = if node.is_mapping() {
        let field = |entry: locus_source::tree::Entry<'_>| Field {
            key: key_text(entry.key),
            place: entry.key.use_place(),
            value: plain(entry.value),
        };
        Content::Map(node.entries().map(field).collect())
    } else if node.is_sequence() {
        Content::List(node.items().map(plain).collect())
    } else {
        Content::of_scalar(node)
    };
    Datum::new(value, node.place())
}
