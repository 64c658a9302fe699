//! `OS::Heat::Stack`: a stack of its own, whose template is a text among the properties.
//!
//! The template is read with the parameters that it is given. If it is the contents of a file, findings are about that
//! file; otherwise about a text that is named after the resource.

use std::sync::Arc;

use locus_schema::{Content, Datum};
use locus_source::words::{did_you_mean, short};
use locus_source::yaml::{self, YamlOptions};
use locus_source::{Finding, Report, Severity, SourceFile};

use crate::read::environment::Environment;
use crate::read::instances::{Use, User};
use crate::read::types::{MOST_NESTED, too_deep};
use crate::read::{self, For};
use crate::rules::{GIVEN_UNKNOWN, NO_TEMPLATE, REQUIRED};
use crate::template::{Kind, Template};
use crate::values::evaluate::Evaluator;

/// The template of a resource that is such a stack.
pub(crate) fn template(kind: &Kind, user: &User<'_>, evaluator: &mut Evaluator<'_>) -> Option<Arc<Template>> {
    if evaluator.alone || !matches!(kind, Kind::Known(kind) if &*kind.name == "OS::Heat::Stack") {
        return None;
    }
    let (properties, complete) = user.properties;
    let property = |name: &str| properties.iter().find(|field| &*field.key == name).map(|field| &field.value);
    let text = property("template")?;
    let file = file(text, user, evaluator)?;
    let files = evaluator.files;
    if evaluator.within.iter().any(|within| within == file.name()) {
        return None;
    }
    if evaluator.within.len() > MOST_NESTED {
        files.leave_open(too_deep(file.name()));
        return None;
    }
    let mut report = Report::default();
    let options = YamlOptions { limits: files.limits.clone(), ..YamlOptions::pyyaml() };
    let parsed = yaml::parse(&file, &options);
    let empty = parsed.documents.is_empty() && !parsed.has_errors();
    parsed.findings.into_iter().for_each(|finding| report.add(finding));
    if empty {
        report.say(&NO_TEMPLATE, text.place, "the template is empty");
    }
    let Some(tree) = parsed.documents.into_iter().next() else {
        say(report, user, evaluator);
        return None;
    };
    if crate::is_older(&tree) {
        return None;
    }
    let given = property("parameters").map_or(&[][..], Datum::fields);
    let known = property("parameters").is_none_or(|given| matches!(given.value, Content::Map(_)));
    let mut within = evaluator.within.clone();
    within.push(file.name().to_owned());
    let this = Use {
        scope: format!("{}/", user.id).into(),
        values: given.iter().map(|field| (Arc::clone(&field.key), field.value.clone())).collect(),
        complete: complete && known,
        depth: 0,
        files: within,
    };
    let environment = Environment::default();
    let read = read::template(&tree, files, &environment, For::Use(&this), &mut report, &mut Vec::new());
    if let Some(template) = read.as_ref().filter(|_| this.complete) {
        parameters(template, &this, user, &mut report);
    }
    say(report, user, evaluator);
    // In another region there are other networks, servers and names.
    read.filter(|_| property("context").is_none()).map(Arc::new)
}

/// Says what was found in the template, once.
fn say(found: Report, user: &User<'_>, evaluator: &mut Evaluator<'_>) {
    for finding in found.into_vec() {
        if !user.again && evaluator.files.is_new(&finding, evaluator.scope.is_empty()) {
            // There is no such file, so nothing can be corrected in it.
            evaluator.report.add(Finding { fix: None, ..finding });
        }
    }
}

/// The text of the template as a file.
fn file(text: &Datum, user: &User<'_>, evaluator: &Evaluator<'_>) -> Option<Arc<SourceFile>> {
    if let Some(path) = &text.contents_of {
        let file = evaluator.files.load(evaluator.file, path).ok()?;
        let same = matches!(&text.value, Content::Str(text) if **text == *file.text());
        return same.then_some(file);
    }
    let name = format!("{} (template of {})", evaluator.file.name(), short(&user.name.text));
    Some(evaluator.files.add(&name, text.as_str()?))
}

/// The parameters that the template needs and is not given, and those that it is given and does not have.
fn parameters(template: &Template, this: &Use, user: &User<'_>, report: &mut Report) {
    let name = short(&user.name.text);
    for parameter in &template.parameters {
        if parameter.default.is_none() && !this.values.contains_key(&parameter.name.text) {
            let message =
                format!("the template of `{name}` needs the parameter `{}`", short(&parameter.name.text));
            let finding = Finding::new(&REQUIRED, user.name.place, message);
            report.add(
                finding.also(parameter.name.place, "it has no default").help("give it under `parameters`"),
            );
        }
    }
    let mut given: Vec<_> = this.values.iter().collect();
    given.sort_by_key(|(_, value)| value.place);
    for (key, value) in given {
        if template.parameter(key).is_none() {
            let message = format!("the template of `{name}` has no parameter `{}`", short(key));
            let mut finding = Finding::new(&GIVEN_UNKNOWN, value.place, message);
            finding.severity = Severity::Error;
            let names = template.parameters.iter().map(|parameter| &*parameter.name.text);
            report.add(did_you_mean(finding, key, names));
        }
    }
}

/// The outputs of such a stack that are known, as its attribute `outputs`.
pub(crate) fn outputs(template: &Template, at: locus_source::Place) -> Datum {
    let outputs = template.outputs.iter().filter(|output| output.enabled == Some(true));
    let field = |output: &crate::template::Output| locus_schema::Field {
        key: Arc::clone(&output.name.text),
        place: output.name.place,
        value: output.value.without_contents(),
    };
    Datum::new(Content::Map(outputs.map(field).collect()), at)
}
