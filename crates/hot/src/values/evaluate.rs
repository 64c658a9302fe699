//! From an expression to what is known of its value.
//!
//! A map with one key that is the name of a function is a call of it; what the functions do is in
//! [`crate::values::functions`]. Evaluation has three values of truth: what depends on something that is not known is
//! not known either. References to resources are collected on the way.

use std::sync::Arc;

use locus_schema::unknown::WRONG;
use locus_schema::{Content, Datum, Field, Why};
use locus_source::words::{did_you_mean, listed, short};
use locus_source::{Finding, Node, Place, Report, Rule, SourceFile};
use rustc_hash::FxHashMap;

use crate::rules::{FUNCTION, MISPLACED, NO_CONDITION};
use crate::template::Reference;
use crate::values::cases::Assumption;
use crate::values::conditions::Conditions;
use crate::values::load::Files;
use crate::values::told::Told;
use crate::version::{Context, Meaning, Version};

/// The most values and the most bytes of text that functions may make in one template.
const BUDGET: usize = 16 << 20;

/// The longest text or list that a function may make.
pub(crate) const LONGEST: usize = 4 << 20;

/// A map that would be a call elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Suspect {
    pub(crate) place: Place,
    /// The function.
    pub(crate) name: Arc<str>,
    /// The version from which it is one; nothing if it is for conditions only.
    pub(crate) since: Option<Version>,
}

/// The context in which expressions of a template are evaluated.
pub(crate) struct Evaluator<'e> {
    pub(crate) version: Version,
    pub(crate) file: &'e Arc<SourceFile>,
    pub(crate) files: &'e Files<'e>,
    pub(crate) report: &'e mut Report,
    /// Whether the template is read by itself though others use it.
    pub(crate) alone: bool,
    /// The prefix of the names of resources where they are among those of other templates.
    pub(crate) scope: Arc<str>,
    /// How deep the template is in others.
    pub(crate) depth: usize,
    /// The files in which it is, itself included.
    pub(crate) within: Vec<String>,
    /// The known attributes of resources that were read, for those of them that have any.
    pub(crate) told: FxHashMap<Arc<str>, Told>,
    /// The assumption under which expressions are evaluated.
    pub(crate) assumption: Option<Assumption>,
    /// The calls of `if` with a condition of their own that is not known.
    pub(crate) ifs: Vec<Place>,
    /// The values of parameters.
    pub(crate) parameters: FxHashMap<Arc<str>, Datum>,
    /// Whether one of them is a secret.
    pub(crate) has_secrets: bool,
    /// The conditions of the template.
    pub(crate) conditions: Conditions<'e>,
    /// The references met since somebody took them.
    pub(crate) references: Vec<Reference>,
    /// Maps that would be calls in a later version or in a condition.
    pub(crate) suspects: Vec<Suspect>,
    /// In how many branches we are of which it is not known whether they are taken.
    pub(crate) uncertain: usize,
    /// Whether this is the value of an output, which Heat works out only when somebody asks for it.
    pub(crate) in_output: bool,
    /// Whether the arguments of the current call are worked out, and not just written.
    pub(crate) computed: bool,
    /// The size of the values that may still be made.
    pub(crate) budget: usize,
}

impl<'e> Evaluator<'e> {
    pub(crate) fn new(
        version: Version,
        file: &'e Arc<SourceFile>,
        files: &'e Files<'e>,
        report: &'e mut Report,
    ) -> Self {
        Self {
            version,
            file,
            files,
            report,
            alone: false,
            scope: "".into(),
            depth: 0,
            within: vec![file.name().to_owned()],
            told: FxHashMap::default(),
            assumption: None,
            ifs: Vec::new(),
            parameters: FxHashMap::default(),
            has_secrets: false,
            conditions: Conditions::default(),
            references: Vec::new(),
            suspects: Vec::new(),
            uncertain: 0,
            in_output: false,
            computed: false,
            budget: BUDGET,
        }
    }

    /// The name of a resource among those of all templates.
    pub(crate) fn id(&self, name: &Arc<str>) -> Arc<str> {
        if self.scope.is_empty() { Arc::clone(name) } else { format!("{}{name}", self.scope).into() }
    }

    /// The value of an expression where a value is wanted.
    pub(crate) fn value(&mut self, node: Node<'e>) -> Datum {
        self.expression(node, Context::Value)
    }

    /// The value of an expression. The tree's depth is limited, so this does not go too deep.
    pub(crate) fn expression(&mut self, node: Node<'e>, context: Context) -> Datum {
        let place = node.place();
        if node.is_mapping() {
            if let Some((name, arguments)) = single(node) {
                match self.version.meaning(name, context) {
                    Meaning::Function(function) => return self.call(function, name, arguments, place),
                    Meaning::Removed => {
                        return self.refused(&FUNCTION, node, name, "is no longer a function in version");
                    }
                    Meaning::Misplaced => {
                        let message = format!("the function `{}` cannot be used in a condition", short(name));
                        self.report.say(&MISPLACED, place, message);
                        return Datum::unknown(Why::plain(&WRONG), place);
                    }
                    Meaning::Later(version) => self.suspect(place, name, Some(version)),
                    Meaning::ConditionOnly => self.suspect(place, name, None),
                    Meaning::Key => {}
                }
            }
            return self.map(node, context);
        }
        if node.is_sequence() {
            let items = node.items().map(|item| self.expression(item, context));
            let items: Vec<Datum> = items.filter(|item| item.value != Content::Absent).collect();
            return Datum::new(Content::List(items.into()), place);
        }
        Datum::new(Content::of_scalar(node), place)
    }

    /// Whether a map is more than its keys and values: a call, or what looks like one.
    pub(crate) fn is_call(&self, node: Node<'e>) -> bool {
        let meaning = single(node).map(|(name, _)| self.version.meaning(name, Context::Value));
        meaning.is_some_and(|meaning| meaning != Meaning::Key)
    }

    fn suspect(&mut self, place: Place, name: &str, since: Option<Version>) {
        self.suspects.push(Suspect { place, name: name.into(), since });
    }

    fn map(&mut self, node: Node<'e>, context: Context) -> Datum {
        let mut fields = Vec::new();
        for entry in node.entries() {
            let value = self.expression(entry.value, context);
            if value.value != Content::Absent {
                fields.push(Field { key: key_text(entry.key), place: entry.key.use_place(), value });
            }
        }
        Datum::new(Content::Map(fields.into()), node.place())
    }

    fn refused(&mut self, rule: &Rule, node: Node<'e>, name: &str, why: &str) -> Datum {
        let message = format!("`{}` {why} {}", short(name), self.version.date());
        self.report.say(rule, node.place(), message);
        Datum::unknown(Why::plain(&WRONG), node.place())
    }

    /// Whether a condition that is written somewhere holds: a name of one, a truth value, or an expression.
    pub(crate) fn condition(&mut self, node: Node<'e>) -> Option<bool> {
        let datum = self.expression(node, Context::Condition);
        self.holds(&datum)
    }

    /// Whether what an expression for a condition gave holds.
    pub(crate) fn holds(&mut self, datum: &Datum) -> Option<bool> {
        match &datum.value {
            Content::Bool(value) => Some(*value),
            Content::Str(name) => self.named_condition(name).unwrap_or_else(|()| {
                let message = format!("there is no condition `{}`", short(name));
                let finding = Finding::new(&NO_CONDITION, datum.place, message);
                let names: Vec<Arc<str>> = self.conditions.names().collect();
                let names = || names.iter().map(|name| &**name);
                let finding = did_you_mean(finding, name, names());
                self.report.add(finding.note(format!("the conditions are {}", listed(names()))));
                None
            }),
            Content::Unknown(_) | Content::Null => None,
            other => {
                let message =
                    format!("a condition is a name, a truth value or a function, not {}", other.kind_name());
                self.report.say(&NO_CONDITION, datum.place, message);
                None
            }
        }
    }
}

/// The key and the value of a map that has one key.
pub(crate) fn single(node: Node<'_>) -> Option<(&str, Node<'_>)> {
    let mut entries = node.entries();
    let entry = entries.next()?;
    let name = entry.key.as_str()?;
    entries.next().is_none().then_some((name, entry.value))
}

/// Whether there is a call in an expression.
pub(crate) fn has_call(node: Node<'_>, version: Version) -> bool {
    if node.is_mapping() {
        let call = single(node)
            .is_some_and(|(name, _)| matches!(version.meaning(name, Context::Value), Meaning::Function(_)));
        return call || node.entries().any(|entry| has_call(entry.value, version));
    }
    node.items().any(|item| has_call(item, version))
}

/// A key as a text.
pub(crate) fn key_text(key: Node<'_>) -> Arc<str> {
    if key.is_scalar() { key.raw().into() } else { "".into() }
}
