//! Reading a template: from the file to its sections, and from there to all that is wrong with it.

pub(crate) mod environment;
pub(crate) mod instances;
pub(crate) mod members;
pub(crate) mod parameters;
pub(crate) mod properties;
pub(crate) mod references;
pub(crate) mod repeated;
pub(crate) mod resources;
pub(crate) mod stacks;
pub(crate) mod types;

use std::sync::Arc;

use locus_schema::{Content, Datum, Nature, Unknown};
use locus_source::words::{did_you_mean, did_you_mean_word, listed, short};
use locus_source::yaml::{self, YamlOptions};
use locus_source::{Finding, Node, Place, Report, Severity, SourceFile, Sources, Span, Tree, sort_and_dedup};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cases;
use crate::checks::{limits, own_names, roles, signals};
use crate::read::environment::{Environment, Given};
use crate::read::instances::{Use, handed_down};
use crate::read::parameters::{text_field, unknown_keys};
use crate::report::{self, expected};
use crate::rules::{
    EMPTY, FUNCTION, GIVEN_UNKNOWN, GROUP, GROUP_OF_NO_USE, MALFORMED, MISSING_KEY, NO_TEMPLATE, SAME_NAME,
    SECTION, SUPPORT, UNUSED, VERSION, WITHOUT_VALUE, WRONG_KIND,
};
use crate::template::{Output, ParameterGroup, Resource, Template, Text};
use crate::values::cases::{Assumption, Case};
use crate::values::evaluate::{Evaluator, Suspect, key_text, single};
use crate::values::load::{Files, Nested};
use crate::values::why;
use crate::version::{Context, Version};
use crate::{Inputs, Reading};

const SECTIONS: [&str; 7] = [
    "heat_template_version",
    "description",
    "parameter_groups",
    "parameters",
    "resources",
    "outputs",
    "conditions",
];

pub(crate) fn read(sources: &Sources, file: &Arc<SourceFile>, inputs: &Inputs<'_>) -> Reading {
    let mut report = Report::default();
    let mut files = Files::new(sources, &inputs.limits, inputs.loader);
    files.whole = inputs.whole;
    let files = files;
    let options = YamlOptions { limits: inputs.limits.clone(), ..YamlOptions::pyyaml() };
    let mut parsed = yaml::parse(file, &options);
    repeated::judge(&mut parsed.findings, &parsed.documents);
    let broken = parsed.has_errors() && parsed.documents.is_empty();
    parsed.findings.into_iter().for_each(|finding| report.add(finding));
    files.nested.borrow_mut().insert(file.name().to_owned(), Nested::Open);
    let mut environment = Environment::read(&inputs.environments, &files, &mut report);
    environment.given |= !inputs.parameters.is_empty();
    let mut cases = Vec::new();
    let template = match parsed.documents.as_slice() {
        [] => {
            if !broken {
                report.say(
                    &NO_TEMPLATE,
                    file.place(Span::point(0)),
                    "the file is empty; a template is a map",
                );
            }
            None
        }
        [tree, rest @ ..] => {
            if let Some(second) = rest.first() {
                let message = "a template is one document; this is another one";
                report.say(&NO_TEMPLATE, second.root().place(), message);
            }
            let mut ifs = Vec::new();
            let found =
                template(tree, &files, &environment, For::Deployment(inputs, None), &mut report, &mut ifs);
            if let Some(found) = found.as_ref().filter(|_| !inputs.whole) {
                let reader = |assumption| For::Deployment(inputs, assumption);
                // Templates within it may have taken all that is read in cases.
                files.in_cases.set(0);
                let all = cases::of(found, &ifs, &files);
                cases = in_cases(tree, &files, &environment, reader, &all);
            }
            found
        }
    };
    let unknowns = template.as_ref().map(unknowns).unwrap_or_default();
    let mut findings = report.into_vec();
    sort_and_dedup(&mut findings, sources);
    let findings = report::once_a_file(findings, &SUPPORT);
    cases.append(&mut files.cases.borrow_mut());
    Reading { template, findings, comments: parsed.comments, unknowns, unanswered: files.left_open(), cases }
}

/// A template in each of some cases, as `reader` reads it in one: those in the first of which something is wrong.
pub(crate) fn in_cases<'f>(
    tree: &Tree,
    files: &Files<'_>,
    environment: &Environment,
    reader: impl Fn(Option<&'f Assumption>) -> For<'f>,
    cases: &'f [Vec<Assumption>],
) -> Vec<Vec<Case>> {
    let case = |assumption: &'f Assumption| {
        let mut report = Report::default();
        let reader = reader(Some(assumption));
        let template =
            files.forgetful(|| template(tree, files, environment, reader, &mut report, &mut Vec::new()));
        Case { assumption: assumption.clone(), template, findings: report.into_vec() }
    };
    let each = |cases: &'f Vec<Assumption>| {
        let (first, others) = cases.split_first()?;
        // Most often nothing is wrong in the first case, and the others need not be looked at.
        let first = case(first);
        cases::is_wrong(&first).then(|| std::iter::once(first).chain(others.iter().map(&case)).collect())
    };
    cases.iter().filter_map(each).collect()
}

/// For whom a template is read.
#[derive(Clone, Copy)]
pub(crate) enum For<'f> {
    /// For somebody who deploys it, and with something taken for granted.
    Deployment(&'f Inputs<'f>, Option<&'f Assumption>),
    /// For all templates in which it is a resource: nothing is known of its parameters but what is taken for granted.
    Anybody(Option<&'f Assumption>),
    /// For one of them.
    Use(&'f Use),
}

/// Reads a template. `ifs` gets the calls of `if` with a condition of their own that is not known.
pub(crate) fn template(
    tree: &Tree,
    files: &Files<'_>,
    environment: &Environment,
    reader: For<'_>,
    report: &mut Report,
    ifs: &mut Vec<Place>,
) -> Option<Template> {
    let root = tree.root();
    if !root.is_mapping() {
        expected(report, &NO_TEMPLATE, root, "a template", "a map");
        return None;
    }
    let version = version(root, report);
    sections(root, version, report);
    let mut template = Template {
        file: Arc::clone(tree.source()),
        scope: if let For::Use(this) = reader { Arc::clone(&this.scope) } else { "".into() },
        version,
        description: text_field(root, "description"),
        parameters: Vec::new(),
        groups: Vec::new(),
        conditions: Vec::new(),
        resources: Vec::new(),
        outputs: Vec::new(),
    };
    if let Some(description) = root.get("description").filter(|description| !description.is_scalar()) {
        expected(report, &WRONG_KIND, description, "`description`", "a string");
    }
    for (name, node) in definitions(root, "parameters", report) {
        template.parameters.push(parameters::definition(name, node, version, report));
    }
    set_parameters(&mut template, root, environment, reader, report);
    template.groups = groups(root, &template, report);
    let mut evaluator = Evaluator::new(version, tree.source(), files, report);
    match reader {
        For::Deployment(_, assumption) => evaluator.assumption = assumption.cloned(),
        For::Anybody(assumption) => {
            evaluator.alone = true;
            evaluator.assumption = assumption.cloned();
        }
        For::Use(this) => {
            evaluator.scope = Arc::clone(&this.scope);
            evaluator.depth = this.depth;
            evaluator.within.clone_from(&this.files);
        }
    }
    let values = template.parameters.iter().map(|one| (Arc::clone(&one.name.text), one.value.clone()));
    evaluator.parameters = values.collect();
    evaluator.has_secrets = evaluator.parameters.values().any(Datum::has_secret);
    if version.has_conditions() {
        for (name, node) in definitions(root, "conditions", evaluator.report) {
            evaluator.conditions.add(name, node);
        }
        if let Some(Assumption::Condition(name, holds)) = evaluator.assumption.clone() {
            evaluator.conditions.assume(&name, holds);
        }
    }
    template.conditions = evaluator.all_conditions();
    let mut names = Vec::new();
    let defined = definitions(root, "resources", evaluator.report);
    let mut resources: Vec<Option<Resource>> = defined.iter().map(|_| None).collect();
    for at in instances::in_order(&defined) {
        let (name, node) = &defined[at];
        let resource = resources::resource(name.clone(), *node, environment, &mut evaluator);
        if let Some(told) = resource.as_ref().and_then(instances::told) {
            evaluator.told.insert(Arc::clone(&name.text), told);
        }
        resources[at] = resource;
    }
    names.extend(defined.iter().map(|(name, _)| Arc::clone(&name.text)));
    template.resources = resources.into_iter().flatten().collect();
    for (name, node) in definitions(root, "outputs", evaluator.report) {
        template.outputs.extend(output(name, node, &mut evaluator));
    }
    let mut suspects = std::mem::take(&mut evaluator.suspects);
    ifs.append(&mut evaluator.ifs);
    if template.resources.is_empty() && root.get("resources").is_none_or(Node::is_empty) {
        report.say(&EMPTY, root.place_of_key("heat_template_version"), "the template has no resources");
    }
    same_names(&template, report);
    properties::check(&template, environment, &mut suspects, report);
    limits::check(&template, report);
    signals::check(&template, report);
    // Without any resources that could be read, every reference would be wrong for the same reason.
    if root.get("resources").is_none_or(|section| section.is_mapping() || section.is_null()) {
        references::check(&template, &names, report);
        // Values that come from other templates name resources of those, so all are looked at together.
        if template.scope.is_empty() {
            roles::check(&template, report);
        }
        if let For::Deployment(..) = reader {
            own_names::check(&template, report);
        }
    }
    later_functions(suspects, version, report);
    if files.contents_read() && !files.whole {
        forget_contents(&mut template);
    }
    Some(template)
}

/// Makes unknown what was read from other files. Nobody who looks at the template later can show it.
fn forget_contents(template: &mut Template) {
    fn forget(resource: &mut Resource) {
        let others = [
            &mut resource.update_policy,
            &mut resource.external_id,
            &mut resource.metadata,
            &mut resource.deletion_policy,
        ];
        let others = others.into_iter().flatten();
        for datum in resource.properties.iter_mut().map(|field| &mut field.value).chain(others) {
            *datum = datum.without_contents();
        }
        resource.members.iter_mut().for_each(forget);
    }
    template.resources.iter_mut().for_each(forget);
    for parameter in &mut template.parameters {
        parameter.value = parameter.value.without_contents();
    }
    for output in &mut template.outputs {
        output.value = output.value.without_contents();
    }
}

/// Resources with the name of a parameter.
fn same_names(template: &Template, report: &mut Report) {
    let places: FxHashMap<&str, Place> =
        template.parameters.iter().map(|one| (&*one.name.text, one.name.place)).collect();
    for resource in template.resources.iter().filter(|resource| resource.created != Some(false)) {
        if let Some(parameter) = places.get(&*resource.name.text) {
            let name = short(&resource.name.text);
            let message = format!("the resource `{name}` has the name of a parameter");
            let mut finding = Finding::new(&SAME_NAME, resource.name.place, message);
            // If it is not created after all, Heat does not mind.
            if resource.created.is_none() {
                finding.severity = Severity::Warning;
            }
            report.add(finding.also(*parameter, "the parameter").help("give one of them another name"));
        }
    }
}

/// The place of a key, for findings about a whole map.
trait KeyPlace {
    fn place_of_key(self, key: &str) -> Place;
}

impl KeyPlace for Node<'_> {
    fn place_of_key(self, key: &str) -> Place {
        self.get_entry(key).map_or_else(|| self.use_place(), |entry| entry.key.use_place())
    }
}

fn version(root: Node<'_>, report: &mut Report) -> Version {
    let Some(node) = root.get("heat_template_version") else {
        let place = root.entries().next().map_or_else(|| root.use_place(), |entry| entry.key.use_place());
        let finding = Finding::new(&NO_TEMPLATE, place, "the template has no `heat_template_version`");
        let near = root.entries().find(|entry| {
            locus_source::words::nearest(entry.key.raw(), [("heat_template_version", ())]).is_some()
        });
        report.add(match near {
            Some(entry) => finding.also(entry.key.use_place(), "is this meant to be it?"),
            None => finding.help("add `heat_template_version: 2018-08-31` as the first line"),
        });
        return Version::V2018August;
    };
    let text = if node.is_scalar() { node.raw() } else { "" };
    Version::parse(text).unwrap_or_else(|| {
        let nearest = Version::nearest(text);
        let message = if text.is_empty() {
            "`heat_template_version` must be a date or a name".to_owned()
        } else {
            format!("Heat knows no version `{}`; it is read here as {}", short(text), nearest.date())
        };
        let mut finding = Finding::new(&VERSION, node.use_place(), message);
        if Version::is_release(text) {
            finding.severity = Severity::Warning;
        }
        report.add(finding.help(format!("write {}, or the version that you mean", nearest.date())));
        nearest
    })
}

fn sections(root: Node<'_>, version: Version, report: &mut Report) {
    for entry in root.entries() {
        let name = key_text(entry.key);
        let place = entry.key.use_place();
        if &*name == "conditions" && !version.has_conditions() {
            let message = format!("version {} has no section `conditions`", version.date());
            report
                .add(Finding::new(&SECTION, place, message).help("raise the version to 2016-10-14 or later"));
        } else if !SECTIONS.contains(&&*name) {
            let message = format!("a template has no section `{}`", short(&name));
            let finding = Finding::new(&SECTION, place, message);
            let note = format!("the sections are {}", listed(SECTIONS));
            report.add(did_you_mean_word(finding, &name, SECTIONS).note(note));
        }
    }
}

/// The definitions in a section that is a map, with their names.
fn definitions<'t>(root: Node<'t>, section: &str, report: &mut Report) -> Vec<(Text, Node<'t>)> {
    let Some(node) = root.get(section) else { return Vec::new() };
    if node.is_null() {
        return Vec::new();
    }
    if !node.is_mapping() {
        expected(report, &MALFORMED, node, &format!("`{section}`"), "a map from names to definitions");
        return Vec::new();
    }
    // Of repeated names, which the reader has reported, the last counts.
    let mut seen: FxHashMap<&str, usize> = FxHashMap::default();
    let mut found: Vec<(Text, Node<'t>)> = Vec::new();
    for entry in node.entries() {
        if !entry.key.is_scalar() {
            expected(report, &MALFORMED, entry.key, "a name", "a string");
            continue;
        }
        let name = Text { text: key_text(entry.key), place: entry.key.use_place() };
        let at = *seen.entry(entry.key.raw()).or_insert(found.len());
        if at == found.len() { found.push((name, entry.value)) } else { found[at] = (name, entry.value) }
    }
    found
}

fn set_parameters(
    template: &mut Template,
    root: Node<'_>,
    environment: &Environment,
    reader: For<'_>,
    report: &mut Report,
) {
    let (inputs, assumption) = match reader {
        For::Deployment(inputs, assumption) => (Some(inputs), assumption),
        For::Anybody(assumption) => (None, assumption),
        For::Use(_) => (None, None),
    };
    let given: FxHashMap<&str, &str> = inputs
        .map(|inputs| inputs.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect())
        .unwrap_or_default();
    let used = used_parameters(root);
    let mut without_value: Vec<Text> = Vec::new();
    for parameter in &mut template.parameters {
        let name = Arc::clone(&parameter.name.text);
        let mut is_secret = parameter.hidden;
        if inputs.is_some() {
            let on_command_line = given.get(&*name).map(|text| Given::from_text(text, parameter.name.place));
            let value = on_command_line.as_ref().or_else(|| environment.parameters.get(&name));
            parameters::set_value(parameter, value, environment.defaults.get(&name), report);
            if parameter.hidden && inputs.is_some_and(|inputs| inputs.whole) && value.is_some() {
                parameters::hide(parameter);
            }
            let unknown = matches!(&parameter.value.value, Content::Unknown(why) if why.why == why::parameter(Arc::clone(&name)));
            if unknown && parameter.kind.is_some() {
                without_value.push(parameter.name.clone());
            }
        } else if let For::Use(this) = reader {
            // What is wrong with the values is said where they are given.
            let unheard = &mut Report::default();
            let given = this.values.get(&name).and_then(|given| handed_down(parameter, given));
            match given {
                Some(given) => {
                    parameters::hand_down(parameter, &given, unheard);
                    is_secret |= given.has_secret();
                }
                None if this.complete => {
                    parameters::set_value(parameter, None, environment.defaults.get(&name), unheard);
                }
                None => {}
            }
        } else {
            // Whoever uses the template gives the values; the defaults must be right all the same.
            let value = parameter.value.clone();
            parameters::set_value(parameter, None, environment.defaults.get(&name), report);
            parameter.value = value;
        }
        if let Some(Assumption::Parameter(of, value)) = assumption
            && *of == name
        {
            parameters::hand_down(parameter, value, &mut Report::default());
        }
        if is_secret {
            parameter.value = parameter.value.clone().secret();
        }
        if used.as_ref().is_some_and(|used| !used.contains(&*name)) {
            let message = format!("nothing uses the parameter `{}`", short(&name));
            report.say(&UNUSED, parameter.name.place, message);
        }
    }
    if let Some(first) = without_value.first() {
        let names = listed(without_value.iter().map(|name| &*name.text));
        let message = match without_value.len() {
            1 => format!("the parameter {names} has no value"),
            count => format!("{count} parameters have no value: {names}"),
        };
        report.say(&WITHOUT_VALUE, first.place, message);
    }
    if let Some(inputs) = inputs {
        unknown_given(template, environment, inputs, root, report);
    }
}

/// Values for parameters that there are not.
fn unknown_given(
    template: &Template,
    environment: &Environment,
    inputs: &Inputs<'_>,
    root: Node<'_>,
    report: &mut Report,
) {
    let known: FxHashSet<&str> = template.parameters.iter().map(|one| &*one.name.text).collect();
    let names = || template.parameters.iter().map(|one| &*one.name.text);
    let start = root.place_of_key("heat_template_version");
    let from_files = environment.parameters.iter().map(|(name, given)| (&**name, given.key.unwrap_or(start)));
    let from_line = inputs.parameters.iter().map(|(name, _)| (name.as_str(), start));
    let mut wrong: Vec<(&str, Place)> =
        from_files.chain(from_line).filter(|(name, _)| !known.contains(name)).collect();
    wrong.sort_by_key(|(name, place)| (*place, name.to_owned()));
    for (name, place) in wrong {
        let message =
            format!("a value is given to `{}`, and the template has no such parameter", short(name));
        let finding = Finding::new(&GIVEN_UNKNOWN, place, message);
        report.add(did_you_mean(finding, name, names()));
    }
}

/// The parameters that anything in the template uses, wherever it stands; nothing if the name of one is worked
/// out.
fn used_parameters(root: Node<'_>) -> Option<FxHashSet<&str>> {
    fn walk<'t>(node: Node<'t>, used: &mut FxHashSet<&'t str>) -> Option<()> {
        if let Some((name @ ("get_param" | "Ref"), argument)) =
            node.is_mapping().then(|| single(node)).flatten()
        {
            let first = if argument.is_sequence() { argument.items().next() } else { Some(argument) };
            match first {
                Some(first) if first.is_scalar() => drop(used.insert(first.raw())),
                _ if name == "get_param" => return None,
                _ => {}
            }
        }
        if node.is_mapping() {
            node.entries().try_for_each(|entry| walk(entry.value, used))
        } else {
            node.items().try_for_each(|item| walk(item, used))
        }
    }
    let mut used = FxHashSet::default();
    for section in ["conditions", "resources", "outputs"] {
        if let Some(section) = root.get(section) {
            walk(section, &mut used)?;
        }
    }
    Some(used)
}

fn groups(root: Node<'_>, template: &Template, report: &mut Report) -> Vec<ParameterGroup> {
    let Some(section) = root.get("parameter_groups").filter(|section| !section.is_null()) else {
        return Vec::new();
    };
    if !section.is_sequence() {
        expected(report, &MALFORMED, section, "`parameter_groups`", "a list of groups");
        return Vec::new();
    }
    let mut groups = Vec::new();
    let mut grouped: FxHashMap<Arc<str>, Place> = FxHashMap::default();
    let known: FxHashSet<&str> = template.parameters.iter().map(|one| &*one.name.text).collect();
    for node in section.items() {
        if !node.is_mapping() {
            expected(report, &MALFORMED, node, "a group of parameters", "a map");
            continue;
        }
        unknown_group_keys(node, report);
        let mut group = ParameterGroup {
            label: text_field(node, "label"),
            description: text_field(node, "description"),
            parameters: Vec::new(),
            place: node.place(),
        };
        match node.get("parameters") {
            None => report.say(&MISSING_KEY, node.place(), "a group of parameters needs `parameters`"),
            Some(list) if !list.is_sequence() => {
                expected(report, &WRONG_KIND, list, "`parameters` of a group", "a list of names");
            }
            Some(list) => {
                for item in list.items() {
                    if !item.is_scalar() {
                        expected(report, &WRONG_KIND, item, "a parameter of a group", "a name");
                        continue;
                    }
                    let name = Text { text: item.raw().into(), place: item.use_place() };
                    if !known.contains(&*name.text) {
                        let message =
                            format!("the group names `{}`, which is not a parameter", short(&name.text));
                        let finding = Finding::new(&GROUP, name.place, message);
                        let names = template.parameters.iter().map(|one| &*one.name.text);
                        report.add(did_you_mean(finding, &name.text, names));
                    }
                    if let Some(first) = grouped.insert(Arc::clone(&name.text), name.place) {
                        let message = format!("the parameter `{}` is in a group already", short(&name.text));
                        report.add(Finding::new(&GROUP, name.place, message).also(first, "it is here"));
                    }
                    group.parameters.push(name);
                }
            }
        }
        groups.push(group);
    }
    groups_of_no_use(&groups, section, report);
    groups
}

/// Groups without parameters, and those with a label that an earlier one has.
fn groups_of_no_use(groups: &[ParameterGroup], section: Node<'_>, report: &mut Report) {
    for list in section.items().filter_map(|node| node.get("parameters")) {
        if list.is_sequence() && list.is_empty() {
            report.say(&GROUP_OF_NO_USE, list.use_place(), "the group has no parameters");
        }
    }
    let mut labels: FxHashMap<&str, Place> = FxHashMap::default();
    for label in groups.iter().filter_map(|group| group.label.as_ref()) {
        if let Some(first) = labels.get(&*label.text) {
            let message = format!("another group has the label `{}`, too", short(&label.text));
            report.add(Finding::new(&GROUP_OF_NO_USE, label.place, message).also(*first, "it is here"));
        } else {
            labels.insert(&label.text, label.place);
        }
    }
}

/// Heat does not look at the other keys of a group, so these are only a warning.
fn unknown_group_keys(node: Node<'_>, report: &mut Report) {
    let mut found = Report::default();
    unknown_keys(node, &["label", "description", "parameters"], "a group of parameters", &mut found);
    for mut finding in found.into_vec() {
        finding.severity = Severity::Warning;
        report.add(finding);
    }
}

fn output<'e>(name: Text, node: Node<'e>, evaluator: &mut Evaluator<'e>) -> Option<Output> {
    let of = format!("the output `{}`", short(&name.text));
    if !node.is_mapping() {
        expected(evaluator.report, &MALFORMED, node, &of, "a map");
        return None;
    }
    let keys = ["value", "description", "condition"];
    let known = if evaluator.version.has_conditions() { &keys[..] } else { &keys[..2] };
    unknown_keys(node, known, &of, evaluator.report);
    let enabled = match node.get("condition").filter(|_| evaluator.version.has_conditions()) {
        Some(condition) if !condition.is_null() => evaluator.condition(condition),
        _ => Some(true),
    };
    let Some(value) = node.get("value") else {
        evaluator.report.say(&MISSING_KEY, name.place, format!("{of} has no `value`"));
        return None;
    };
    evaluator.references.clear();
    evaluator.uncertain = usize::from(enabled.is_none());
    evaluator.in_output = true;
    // The value of an output that there is not, Heat does not look at.
    let value = match enabled {
        Some(false) => environment::plain(value),
        _ => evaluator.expression(value, Context::Value),
    };
    evaluator.uncertain = 0;
    evaluator.in_output = false;
    let references = std::mem::take(&mut evaluator.references);
    Some(Output { name, description: text_field(node, "description"), value, enabled, references })
}

/// Maps that look like calls of functions that the version does not have there, and were not refused for it.
fn later_functions(suspects: Vec<Suspect>, version: Version, report: &mut Report) {
    for Suspect { place, name, since } in suspects {
        let Some(since) = since else { continue };
        let message = format!(
            "`{name}` is not a function in version {}, so this is a map with that key",
            version.date()
        );
        let mut finding = Finding::new(&FUNCTION, place, message);
        finding.severity = Severity::Warning;
        report.add(
            finding.help(format!("if the function is meant, raise the version to {} or later", since.date())),
        );
    }
}

/// The values that stayed unknown in a template: each expression once.
fn unknowns(template: &Template) -> Vec<Arc<Unknown>> {
    let mut found: Vec<Arc<Unknown>> = Vec::new();
    let mut see = |unknown: &Arc<Unknown>| {
        if unknown.why.nature() != Nature::Wrong {
            found.push(Arc::clone(unknown));
        }
    };
    template.parameters.iter().for_each(|parameter| parameter.value.each_unknown(&mut see));
    for resource in &template.resources {
        resource.properties.iter().for_each(|field| field.value.each_unknown(&mut see));
    }
    template.outputs.iter().for_each(|output| output.value.each_unknown(&mut see));
    found.sort_by(|a, b| (a.place, &a.why).cmp(&(b.place, &b.why)));
    found.dedup();
    found
}
