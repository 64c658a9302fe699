//! Values: what the expressions of a template are known to be before anything is deployed.
//!
//! An [`Evaluator`] reads expressions in a [`World`]: what is taken for granted of conditions and parameters. It
//! notes the references that it meets, and what is wrong with the functions ([`functions`]). Which worlds there can
//! be is found by [`worlds`]. Out of scope: what types say of values.

pub(crate) mod conditions;
mod functions;
pub(crate) mod loops;
pub(crate) mod parameters;
pub(crate) mod scope;
mod text;
pub(crate) mod why;
pub(crate) mod worlds;

use std::collections::BTreeSet;
use std::sync::Arc;

use locus_schema::{Content, Datum, Field};
use locus_source::words::{did_you_mean, short};
use locus_source::{Finding, Node, Place, Report, Rule, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::rules::{ATTRIBUTE, FUNCTION, NULL, UNKNOWN_NAME};
pub(crate) use crate::template::Guard;
use crate::template::{How, Reference};
use crate::values::scope::Scope;

/// All that is taken for granted while expressions are read.
#[derive(Clone, Default, Debug)]
pub(crate) struct World {
    /// Whether conditions hold.
    pub(crate) conditions: FxHashMap<Arc<str>, bool>,
    /// The values of parameters.
    pub(crate) parameters: FxHashMap<Arc<str>, Assumed>,
}

/// All that is taken for granted of a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Assumed {
    /// It has this value.
    Is(Arc<str>),
    /// It has none of the values that conditions compare it with.
    Other,
    /// It may have any value.
    Open,
}

/// So much is read of one template; loops repeat what is in them.
const MOST_WORK: usize = 4_000_000;

/// Reads expressions.
pub(crate) struct Evaluator<'e, 't> {
    pub(crate) scope: &'e Scope<'t>,
    pub(crate) world: &'e World,
    /// Nothing is said in worlds beside the first: there it was said already.
    pub(crate) report: Option<&'e mut Report>,
    pub(crate) references: Vec<Reference>,
    /// The conditions that were asked for.
    pub(crate) conditions: BTreeSet<Arc<str>>,
    /// The parameters that were asked for.
    pub(crate) parameters: BTreeSet<Arc<str>>,
    /// Where parameters were asked for by `Ref`.
    pub(crate) used_parameters: Vec<(Place, Arc<str>)>,
    /// Where a text is put together of what is referred to there.
    pub(crate) composed: FxHashSet<Place>,
    /// The conditions that a choice between two values goes by.
    pub(crate) branches: BTreeSet<Arc<str>>,
    /// The mappings that were asked for.
    pub(crate) mappings: BTreeSet<Arc<str>>,
    /// The property that is being read.
    pub(crate) via: Option<Arc<str>>,
    guards: Vec<Guard>,
    /// The variables of the loops around, innermost last.
    pub(crate) loops: Vec<(Arc<str>, Arc<str>)>,
    /// Whether unknown values are lists, by the place of the expression.
    pub(crate) lists: FxHashMap<Place, bool>,
    known_conditions: FxHashMap<Arc<str>, Option<bool>>,
    open_conditions: Vec<Arc<str>>,
    work: usize,
    /// How often a parameter was read whose value is a secret.
    secrets: usize,
}

impl<'e, 't> Evaluator<'e, 't> {
    pub(crate) fn new(scope: &'e Scope<'t>, world: &'e World, report: Option<&'e mut Report>) -> Self {
        Self {
            scope,
            world,
            report,
            references: Vec::new(),
            conditions: BTreeSet::new(),
            parameters: BTreeSet::new(),
            used_parameters: Vec::new(),
            composed: FxHashSet::default(),
            branches: BTreeSet::new(),
            mappings: BTreeSet::new(),
            via: None,
            guards: Vec::new(),
            loops: Vec::new(),
            lists: FxHashMap::default(),
            known_conditions: FxHashMap::default(),
            open_conditions: Vec::new(),
            work: 0,
            secrets: 0,
        }
    }

    pub(crate) fn say(&mut self, rule: &Rule, place: Place, message: impl Into<String>) {
        self.add(|| Finding::new(rule, place, message));
    }

    pub(crate) fn add(&mut self, finding: impl FnOnce() -> Finding) {
        if let Some(report) = &mut self.report {
            report.add(finding());
        }
    }

    /// The value of an expression.
    pub(crate) fn value(&mut self, node: Node<'t>) -> Datum {
        let place = node.use_place();
        self.work += 1;
        if self.work > MOST_WORK {
            return Datum::unknown(why::too_large(), place);
        }
        match function_of(node) {
            Some((name, argument)) => self.call(&name, argument, node),
            None => self.plain(node),
        }
    }

    /// The same of an expression whose tag was looked at.
    fn untagged(&mut self, node: Node<'t>) -> Datum {
        match called_by_key(node) {
            Some((name, argument)) => self.call(&name, argument, node),
            None => self.plain(node),
        }
    }

    fn plain(&mut self, node: Node<'t>) -> Datum {
        let place = node.use_place();
        match node.value() {
            Value::Mapping => self.map(node, place),
            Value::Sequence => {
                let items: Vec<Datum> = node.items().map(|item| self.value(item)).collect();
                Datum::new(Content::List(items.into()), place)
            }
            Value::Str(text) | Value::Timestamp(text) => self.text(text, place),
            Value::Null => {
                self.say(&NULL, place, "a value is null, which CloudFormation does not accept");
                Datum::new(Content::Absent, place)
            }
            _ => Datum::new(Content::of_scalar(node), place),
        }
    }

    /// A text, with the variables of loops in it. One with a dynamic reference is known only when it is deployed.
    fn text(&mut self, text: &str, place: Place) -> Datum {
        if text.contains("{{resolve:") {
            self.lists.insert(place, false);
            return Datum::unknown(why::dynamic(text), place);
        }
        Datum::new(Content::Str(self.in_loops(text)), place)
    }

    fn map(&mut self, node: Node<'t>, place: Place) -> Datum {
        let mut fields: Vec<Field> = Vec::new();
        let mut unknown = None;
        for entry in node.entries() {
            let key = entry.key.raw();
            if loops::is_loop(key) {
                match self.repeated(entry.key, entry.value) {
                    Some(more) => fields.extend(more),
                    None => unknown = Some("Fn::ForEach"),
                }
                continue;
            }
            if key == "Fn::Transform" {
                unknown = Some("Fn::Transform");
                continue;
            }
            if key.starts_with("Fn::") {
                let message = format!("`{}` stands beside other keys; a function stands alone", short(key));
                self.say(&FUNCTION, entry.key.place(), message);
            }
            let value = self.value(entry.value);
            fields.push(Field { key: self.in_loops(key), place: entry.key.place(), value });
        }
        match unknown {
            Some(name) => Datum::unknown(why::function(name), place),
            None => Datum::new(Content::Map(fields.into()), place),
        }
    }

    /// `Ref`: the value of a parameter, or the id of a resource.
    pub(crate) fn reference(&mut self, name: &str, place: Place) -> Datum {
        if let Some((_, value)) = self.loops.iter().rev().find(|(variable, _)| &**variable == name) {
            return Datum::new(Content::Str(Arc::clone(value)), place);
        }
        let name: Arc<str> = self.in_loops(name);
        if let Some(parameter) = self.scope.parameter(&name) {
            self.parameters.insert(Arc::clone(&name));
            self.used_parameters.push((place, Arc::clone(&name)));
            self.lists.insert(place, parameter.is_list());
            let value = parameter.value_in(self.world, place);
            self.secrets += usize::from(value.is_secret);
            return value;
        }
        if self.scope.resource(&name).is_some() {
            self.refer(&name, How::Ref, place);
            self.lists.insert(place, false);
            return Datum::new(Content::Location(name), place);
        }
        if name.starts_with("AWS::") {
            return self.pseudo(&name, place);
        }
        self.unknown_name(&name, place, "Ref");
        Datum::unknown(why::wrong(), place)
    }

    fn pseudo(&mut self, name: &Arc<str>, place: Place) -> Datum {
        self.parameters.insert(Arc::clone(name));
        if **name == *"AWS::NoValue" {
            return Datum::new(Content::Absent, place);
        }
        self.lists.insert(place, **name == *"AWS::NotificationARNs");
        if let Some(Assumed::Is(value)) = self.world.parameters.get(name) {
            return Datum::new(Content::Str(Arc::clone(value)), place);
        }
        if let Some(value) = self.scope.given(name) {
            return Datum::new(Content::str(value), place);
        }
        if PSEUDO.contains(&&**name) {
            return Datum::unknown(why::stack(Arc::clone(name)), place);
        }
        let (name, names) = (Arc::clone(name), PSEUDO);
        self.add(|| {
            let message = format!("there is no pseudo parameter `{}`", short(&name));
            did_you_mean(Finding::new(&UNKNOWN_NAME, place, message), &name, names.iter().copied())
        });
        Datum::unknown(why::wrong(), place)
    }

    /// `Fn::GetAtt`: an attribute of a resource; the resource itself, if that is what identifies it.
    pub(crate) fn attribute(&mut self, name: &str, attribute: Option<&str>, place: Place) -> Datum {
        let name: Arc<str> = self.in_loops(name);
        let Some(resource) = self.scope.resource(&name) else {
            self.unknown_name(&name, place, "Fn::GetAtt");
            return Datum::unknown(why::wrong(), place);
        };
        let Some(attribute) = attribute.map(|attribute| self.in_loops(attribute)) else {
            self.refer(&name, How::Ref, place);
            return Datum::unknown(why::function("Fn::GetAtt"), place);
        };
        self.refer(&name, How::Attribute(Arc::clone(&attribute)), place);
        let unknown = Datum::unknown(why::attribute(Arc::clone(&name), Arc::clone(&attribute)), place);
        let Some(kind) = resource.kind else { return unknown };
        let Some((shape, form)) = kind.attribute(&attribute) else {
            if !has_free_attributes(kind.name) {
                self.add(|| {
                    let message = format!("`{}` has no attribute `{}`", kind.name, short(&attribute));
                    let finding =
                        Finding::new(&ATTRIBUTE, place, message).also(resource.type_place, "its type");
                    did_you_mean(finding, &attribute, kind.attributes())
                });
            }
            return unknown;
        };
        if !shape.is_empty() {
            self.lists.insert(place, shape == "array");
        }
        let identifies = crate::types::base(form) == Some(kind.name)
            || &*attribute == "Arn"
            || kind.identifier().any(|path| path == &*attribute);
        if identifies { Datum::new(Content::Location(name), place) } else { unknown }
    }

    /// Notes a reference to a resource.
    pub(crate) fn refer(&mut self, target: &Arc<str>, how: How, place: Place) {
        let (target, via, guards) = (Arc::clone(target), self.via.clone(), self.guards.clone());
        self.references.push(Reference { target, how, via, place, guards });
    }

    fn unknown_name(&mut self, name: &str, place: Place, function: &str) {
        if self.scope.is_open() {
            return;
        }
        let scope = self.scope;
        self.add(|| {
            let message = match function {
                "Fn::GetAtt" => {
                    format!("`Fn::GetAtt` names `{}`, which is no resource of the template", short(name))
                }
                _ => format!(
                    "`{function}` names `{}`, which is neither a resource nor a parameter",
                    short(name)
                ),
            };
            did_you_mean(Finding::new(&UNKNOWN_NAME, place, message), name, scope.names())
        });
    }

    /// Reads something that is there only if a condition holds, or only if it does not.
    pub(crate) fn guarded<T>(&mut self, guard: Guard, read: impl FnOnce(&mut Self) -> T) -> T {
        self.guards.push(guard);
        let result = read(self);
        self.guards.pop();
        result
    }
}

/// The parameters that CloudFormation gives each template.
pub(crate) const PSEUDO: &[&str] = &[
    "AWS::AccountId",
    "AWS::NoValue",
    "AWS::NotificationARNs",
    "AWS::Partition",
    "AWS::Region",
    "AWS::StackId",
    "AWS::StackName",
    "AWS::URLSuffix",
];

/// Whether resources of a type have attributes that others decide.
fn has_free_attributes(type_name: &str) -> bool {
    matches!(
        type_name,
        "AWS::CloudFormation::CustomResource"
            | "AWS::CloudFormation::WaitCondition"
            | "AWS::CloudFormation::Macro"
    )
}

/// The function that a node calls, and its argument: by a tag, or as a map with one key.
pub(crate) fn function_of(node: Node<'_>) -> Option<(String, Node<'_>)> {
    if let Some((tag, _)) = node.tag()
        && let Some(name) = tag.strip_prefix('!').filter(|name| !name.is_empty() && !name.starts_with('!'))
    {
        let name = if matches!(name, "Ref" | "Condition") { name.to_owned() } else { format!("Fn::{name}") };
        return Some((name, node));
    }
    called_by_key(node)
}

/// The function that is the only key of a map.
fn called_by_key(node: Node<'_>) -> Option<(String, Node<'_>)> {
    if !node.is_mapping() {
        return None;
    }
    let mut entries = node.entries();
    let (first, None) = (entries.next()?, entries.next()) else { return None };
    let key = first.key.raw();
    let is_function = key == "Ref" || (key.starts_with("Fn::") && !loops::is_loop(key));
    // `Condition` is a function within conditions only; there it is asked for by name.
    is_function.then(|| (key.to_owned(), first.value))
}
