//! The meaning of the type of a resource: a type of Heat, another name for one, or a template.

use std::sync::Arc;

use locus_source::words::{did_you_mean_word, short};
use locus_source::yaml::{self, YamlOptions};
use locus_source::{Finding, LoadError, Place, Report, SourceFile, Span};
use rustc_hash::FxHashSet;

use crate::cases;
use crate::catalogue;
use crate::read::environment::{Environment, is_template};
use crate::read::repeated;
use crate::read::{self, For};
use crate::rules::{FILE, NO_TEMPLATE, RECURSION, TYPE};
use crate::template::{Kind, Text};
use crate::values::evaluate::Evaluator;
use crate::values::load::Nested;

/// How deep templates may be in templates. Heat's own limit is lower, see [`crate::read::instances`].
pub(crate) const MOST_NESTED: usize = 10;

/// The kind of resource that a type means.
pub(crate) fn kind(
    written: &Text,
    resource: &str,
    environment: &Environment,
    evaluator: &mut Evaluator<'_>,
) -> Kind {
    let mut name: Arc<str> = Arc::clone(&written.text);
    let mut file = Arc::clone(evaluator.file);
    let mut place = written.place;
    let mut names: Vec<Arc<str>> = Vec::new();
    let mut seen: FxHashSet<Arc<str>> = FxHashSet::default();
    loop {
        let new = seen.insert(Arc::clone(&name));
        names.push(Arc::clone(&name));
        if !new {
            evaluator.report.add(circle(&names, place, written));
            return Kind::Unknown;
        }
        if let Some(target) = environment.target(&name, resource).filter(|target| target.name != name) {
            name = Arc::clone(&target.name);
            file = Arc::clone(target.file);
            place = target.place;
        } else if is_template(&name) {
            return nested(&name, &file, place, environment, evaluator);
        } else if let Some(found) = catalogue::resource_type(&name) {
            return Kind::Known(found);
        } else if let Some(alias) = catalogue::alias(&name) {
            if is_template(&alias) {
                return Kind::Unknown;
            }
            name = alias.into();
        } else {
            break;
        }
    }
    let message = format!("there is no resource type `{}`", short(&name));
    let names = catalogue::type_names().iter().copied().chain(environment.type_names());
    let finding = did_you_mean_word(Finding::new(&TYPE, place, message), &name, names);
    let finding = if place == written.place { finding } else { finding.also(written.place, "used here") };
    let finding = if finding.help.is_some() {
        finding
    } else {
        finding.help("a type of your own comes from the `resource_registry` of an environment: `-e env.yaml`")
    };
    evaluator.report.add(finding);
    Kind::Unknown
}

/// Why a template is not looked at.
pub(crate) fn too_deep(path: &str) -> String {
    let path = short(path);
    format!(
        "the template `{path}` was not looked at: it is more than {MOST_NESTED} levels below the outermost one"
    )
}

/// Says why a template that is there was not looked at.
pub(crate) fn unreadable(path: &str, why: &str) -> String {
    format!("the template `{}` was not looked at: {why}", short(path))
}

/// A finding for a type that stands for itself in the registry. The last of the names is among those before.
fn circle(names: &[Arc<str>], place: Place, written: &Text) -> Finding {
    let start = names.iter().position(|name| Some(name) == names.last()).unwrap_or(0);
    let shown: Vec<String> = names[start..].iter().take(8).map(|name| format!("`{}`", short(name))).collect();
    let more = if names.len() - start > shown.len() { " → …" } else { "" };
    let message = format!("the resource registry goes in a circle: {}{more}", shown.join(" → "));
    let finding = Finding::new(&TYPE, place, message);
    let finding = if place == written.place { finding } else { finding.also(written.place, "used here") };
    finding.help("let one of these stand for a type of Heat or for a template")
}

/// The template that a type is.
fn nested(
    path: &str,
    from: &Arc<SourceFile>,
    place: Place,
    environment: &Environment,
    evaluator: &mut Evaluator<'_>,
) -> Kind {
    let file = match evaluator.files.load(from, path) {
        Ok(file) => file,
        Err(LoadError::Missing) => {
            let message = format!("the template `{}` cannot be read", short(path));
            evaluator.report.say(&FILE, place, message);
            return Kind::Unknown;
        }
        Err(LoadError::Unreadable(why)) => {
            evaluator.files.leave_open(unreadable(path, &why));
            return Kind::Unknown;
        }
        Err(LoadError::NotAllowed(_) | LoadError::NotLocal) => return Kind::Unknown,
    };
    let files = evaluator.files;
    let known = files.nested.borrow().get(file.name()).cloned();
    match known {
        Some(Nested::Done(template)) => return template.map_or(Kind::Unknown, Kind::Nested),
        Some(Nested::Open) => {
            let message = format!("the template `{}` contains itself", short(path));
            evaluator.report.say(&RECURSION, place, message);
            return Kind::Unknown;
        }
        None => {}
    }
    let depth = files.nested.borrow().values().filter(|nested| matches!(nested, Nested::Open)).count();
    if depth >= MOST_NESTED {
        evaluator.files.leave_open(too_deep(path));
        return Kind::Unknown;
    }
    files.nested.borrow_mut().insert(file.name().to_owned(), Nested::Open);
    let options = YamlOptions { limits: files.limits.clone(), ..YamlOptions::pyyaml() };
    let mut parsed = yaml::parse(&file, &options);
    repeated::judge(&mut parsed.findings, &parsed.documents);
    let empty = parsed.documents.is_empty() && !parsed.has_errors();
    let mut report = Report::default();
    parsed.findings.into_iter().for_each(|finding| report.add(finding));
    if empty {
        report.say(&NO_TEMPLATE, file.place(Span::point(0)), "the file is empty; a template is a map");
    }
    // A template of the older language is none of our business.
    let tree = parsed.documents.first().filter(|tree| !crate::is_older(tree));
    let template = tree.and_then(|tree| {
        let mut ifs = Vec::new();
        let template = read::template(tree, files, environment, For::Anybody(None), &mut report, &mut ifs)?;
        let cases =
            read::in_cases(tree, files, environment, For::Anybody, &cases::of(&template, &ifs, files));
        files.cases.borrow_mut().extend(cases);
        Some(template)
    });
    if let Some(tree) = tree {
        files.keep(tree);
    }
    for finding in report.into_vec() {
        files.is_said(&finding);
        evaluator.report.add(finding);
    }
    let template = template.map(Arc::new);
    files.nested.borrow_mut().insert(file.name().to_owned(), Nested::Done(template.clone()));
    template.map_or(Kind::Unknown, Kind::Nested)
}
