//! The functions of HOT: what they do with arguments that are known, and what is wrong with others.
//!
//! Here are those that refer to something, and those of logic; [`text`] and [`collections`] have the rest.

mod collections;
mod text;
mod yaql;

use std::sync::Arc;

use locus_schema::datum::all;
use locus_schema::unknown::WRONG;
use locus_schema::{Content, Datum, Later, Nature, Why};
use locus_source::words::{did_you_mean, listed, short};
use locus_source::{Finding, LoadError, Node, Place, Severity};

use crate::rules::{ARGUMENTS, FILE, NO_PARAMETER};
use crate::template::{How, Reference, Text};
use crate::values::cases::Assumption;
use crate::values::evaluate::{Evaluator, has_call};
use crate::values::why;
use crate::version::{Context, Function, Version};

/// The function that gives a part of a value, by the steps that lead there: no function of templates has such a name.
pub(crate) const PART: &str = "$part";

/// Parameters that every stack has.
const PSEUDO: [&str; 4] = ["OS::stack_id", "OS::stack_name", "OS::project_id", "OS::region"];

/// A call: the function's name as it is written, and where the call is.
#[derive(Clone, Copy)]
struct Call<'n> {
    name: &'n str,
    place: Place,
}

impl Call<'_> {
    /// A result.
    fn gives(self, value: Content) -> Datum {
        Datum::new(value, self.place)
    }

    /// No result, because something is not known.
    fn unknown(self) -> Datum {
        Datum::unknown(why::function(self.name.into()), self.place)
    }
}

impl<'e> Evaluator<'e> {
    /// The result of a function.
    pub(crate) fn call(
        &mut self,
        function: Function,
        name: &str,
        arguments: Node<'e>,
        place: Place,
    ) -> Datum {
        let call = Call { name, place };
        match function {
            Function::If => return self.if_(call, arguments),
            Function::And | Function::Or | Function::Not => return self.logic(call, function, arguments),
            _ => {}
        }
        // Where conditions are wanted, only `equals`, `contains` and `yaql` get here with arguments of their own.
        let context = match function {
            Function::Equals => Context::Condition,
            _ => Context::Value,
        };
        let given = self.expression(arguments, context);
        self.computed = self.in_output && has_call(arguments, self.version);
        let result = match self.files.contents_read().then(|| given.file_within()).flatten() {
            Some(file) => self.call_with_contents(function, call, &given, file),
            None => self.evaluated(function, call, &given),
        };
        let result = if self.files.whole { self.deferred(function, call, &given, result) } else { result };
        // What is made of a secret is one.
        if self.has_secrets && given.has_secret() { result.secret() } else { result }
    }

    /// The same result; one that only the deployment tells with the call that gives it.
    fn deferred(&self, function: Function, call: Call<'_>, given: &Datum, result: Datum) -> Datum {
        let Content::Unknown(unknown) = &result.value else { return result };
        let is_told = matches!(unknown.why.nature(), Nature::Deployment | Nature::Open);
        if unknown.call.is_some() || !is_told || unknown.place != call.place {
            return result;
        }
        let mut given = given.clone();
        if let (Function::GetAttr, Content::List(items)) = (function, &given.value) {
            // Names of resources are those among all templates.
            let named = items.iter().enumerate().map(|(at, item)| match &item.value {
                Content::Str(name) if at == 0 => Datum { value: Content::Str(self.id(name)), ..item.clone() },
                _ => item.clone(),
            });
            given.value = Content::List(named.collect());
        }
        let later = Later { function: call.name.into(), given };
        let deferred = Datum::deferred(unknown.why.clone(), unknown.place, later);
        Datum { value: deferred.value, ..result }
    }

    /// The result of a function of the contents of a file: these are not shown, neither by findings nor as a name.
    fn call_with_contents(
        &mut self,
        function: Function,
        call: Call<'_>,
        given: &Datum,
        file: &Arc<str>,
    ) -> Datum {
        if let Function::GetParam
        | Function::GetResource
        | Function::GetAttr
        | Function::Ref
        | Function::GetFile
        | Function::ResourceFacade = function
        {
            return Datum::unknown(why::contents(Arc::clone(file)), call.place);
        }
        let before = self.report.len();
        let result = self.evaluated(function, call, given);
        for finding in self.report.since(before) {
            let (name, file) = (short(call.name), short(file));
            finding.message = format!("`{name}` cannot be applied to the contents of `{file}`");
            finding.notes = vec!["the contents of files are not shown".to_owned()];
            (finding.help, finding.fix) = (None, None);
            finding.primary.message.clear();
            finding.secondary.clear();
        }
        result.made_of(file)
    }

    fn evaluated(&mut self, function: Function, call: Call<'_>, given: &Datum) -> Datum {
        match function {
            Function::GetParam => self.get_param(call, given),
            Function::GetResource => self.get_resource(call, given),
            Function::GetAttr => self.get_attr(call, given),
            Function::Ref => self.ref_(call, given),
            Function::GetFile => self.get_file(call, given),
            Function::ResourceFacade => self.resource_facade(call, given),
            Function::Equals => self.equals(call, given),
            Function::ListJoin => self.list_join(call, given),
            Function::StrReplace | Function::StrReplaceStrict | Function::StrReplaceVeryStrict => {
                self.str_replace(call, function, given)
            }
            Function::StrSplit => self.str_split(call, given),
            Function::Digest => self.digest(call, given),
            Function::MakeUrl => self.make_url(call, given),
            Function::Repeat => self.repeat(call, given),
            Function::MapMerge => self.map_merge(call, given),
            Function::MapReplace => self.map_replace(call, given),
            Function::Filter => self.filter(call, given),
            Function::ListConcat => self.list_concat(call, given, false),
            Function::ListConcatUnique => self.list_concat(call, given, true),
            Function::Contains => self.contains(call, given),
            Function::Select => self.select(call, given),
            Function::Yaql => self.yaql(call, given),
            Function::Old | Function::If | Function::Not | Function::And | Function::Or => call.unknown(),
        }
    }

    /// Says that the arguments of a function are wrong.
    fn wrong(&mut self, call: Call<'_>, place: Place, what: &str, example: &str) -> Datum {
        let message = format!("`{}` {what}", short(call.name));
        let mut finding = Finding::new(&ARGUMENTS, place, message);
        // The stack is deployed all the same; only the output will have no value.
        if self.in_output && self.computed {
            finding.severity = Severity::Warning;
        }
        let finding = if example.is_empty() {
            finding
        } else {
            finding.help(format!("write `{}: {example}`", short(call.name)))
        };
        self.report.add(finding);
        Datum::unknown(Why::plain(&WRONG), call.place)
    }

    fn get_param(&mut self, call: Call<'_>, given: &Datum) -> Datum {
        let (name, path) = match &given.value {
            Content::Str(_) => (given, &[][..]),
            Content::List(items) => match items.split_first() {
                Some((name, path)) => (name, path),
                None => return self.wrong(call, given.place, "needs the name of a parameter", "name"),
            },
            Content::Unknown(_) => return call.unknown(),
            _ => {
                return self.wrong(
                    call,
                    given.place,
                    "takes the name of a parameter, or a list of it and a path",
                    "name",
                );
            }
        };
        let Content::Str(text) = &name.value else {
            if matches!(name.value, Content::Unknown(_)) {
                return call.unknown();
            }
            return self.wrong(call, name.place, "needs the name of a parameter as a string", "name");
        };
        if PSEUDO.contains(&&**text) {
            return Datum::unknown(why::stack(Arc::clone(text)), call.place);
        }
        let Some(value) = self.parameters.get(text) else {
            let message = format!("there is no parameter `{}`", short(text));
            let mut names: Vec<&str> = self.parameters.keys().map(|name| &**name).collect();
            names.sort_unstable();
            let finding = Finding::new(&NO_PARAMETER, name.place, message);
            let note = format!("the parameters are {}", listed(names.iter().copied()));
            let finding = did_you_mean(finding, text, names).note(note);
            self.report.add(finding);
            return Datum::unknown(Why::plain(&WRONG), call.place);
        };
        follow(value, path).map_or_else(|| call.unknown(), |found| found.used_at(call.place))
    }

    fn refer(&mut self, target: &Datum, how: How) {
        if let Content::Str(name) = &target.value {
            let uncertain = self.uncertain > 0;
            self.references.push(Reference {
                target: Arc::clone(name),
                place: target.place,
                how,
                via: None,
                uncertain,
            });
        }
    }

    fn get_resource(&mut self, call: Call<'_>, given: &Datum) -> Datum {
        match &given.value {
            Content::Str(name) => {
                self.refer(given, How::Id);
                call.gives(Content::Location(self.id(name)))
            }
            Content::Unknown(_) => call.unknown(),
            _ => self.wrong(call, given.place, "takes the name of a resource", "name"),
        }
    }

    fn get_attr(&mut self, call: Call<'_>, given: &Datum) -> Datum {
        const EXAMPLE: &str = "[resource, attribute]";
        let items = match &given.value {
            Content::List(items) => items,
            Content::Unknown(_) => return call.unknown(),
            _ => {
                return self.wrong(call, given.place, "takes a list of a resource and an attribute", EXAMPLE);
            }
        };
        let least = if self.version >= Version::V2015October { 1 } else { 2 };
        if items.len() < least {
            return self.wrong(call, given.place, "needs a resource and an attribute", EXAMPLE);
        }
        let attribute = items.get(1);
        let text = attribute
            .and_then(|attribute| Some(Text { text: attribute.as_str()?.into(), place: attribute.place }));
        if !matches!(items[0].value, Content::Str(_) | Content::Unknown(_)) {
            return self.wrong(call, items[0].place, "needs the name of a resource as a string", EXAMPLE);
        }
        let Some(resource) = items[0].as_str() else { return call.unknown() };
        let name = text.as_ref().map_or_else(|| "".into(), |text| Arc::clone(&text.text));
        self.refer(&items[0], How::Attribute { name: text, within: items.get(2).cloned() });
        let path = items.get(2..).unwrap_or_default();
        if let Some((known, steps)) = self.told.get(resource).and_then(|told| told.attribute(&name, path)) {
            return follow(&known, &path[steps..])
                .map_or_else(|| call.unknown(), |found| found.used_at(call.place));
        }
        Datum::unknown(why::attribute(resource.into(), name), call.place)
    }

    /// `Ref` of the older language: of a parameter or of a resource.
    fn ref_(&mut self, call: Call<'_>, given: &Datum) -> Datum {
        let Some(name) = given.as_str() else {
            return self.wrong(call, given.place, "takes the name of a parameter or a resource", "name");
        };
        if name.starts_with("AWS::") || self.parameters.contains_key(name) {
            return match self.parameters.get(name) {
                Some(value) => value.used_at(call.place),
                None => Datum::unknown(why::stack(name.into()), call.place),
            };
        }
        self.get_resource(call, given)
    }

    fn get_file(&mut self, call: Call<'_>, given: &Datum) -> Datum {
        let path = match &given.value {
            Content::Str(path) => path,
            Content::Unknown(_) => return call.unknown(),
            _ => return self.wrong(call, given.place, "takes the path of a file", "path"),
        };
        match self.files.load(self.file, path) {
            Ok(file) => {
                self.files.read_contents();
                call.gives(Content::Str(file.shared_text())).made_of(path)
            }
            Err(LoadError::Missing) => {
                let message = format!("the file `{}` cannot be read", short(path));
                let help = "the path is relative to this template";
                self.report.add(Finding::new(&FILE, given.place, message).help(help));
                Datum::unknown(Why::plain(&WRONG), call.place)
            }
            Err(LoadError::NotAllowed(_) | LoadError::NotLocal | LoadError::Unreadable(_)) => {
                Datum::unknown(why::file(Arc::clone(path)), call.place)
            }
        }
    }

    fn resource_facade(&mut self, call: Call<'_>, given: &Datum) -> Datum {
        if let Some("metadata" | "deletion_policy" | "update_policy") = given.as_str() {
            return call.unknown();
        }
        self.wrong(call, given.place, "takes `metadata`, `deletion_policy` or `update_policy`", "metadata")
    }

    fn equals(&mut self, call: Call<'_>, given: &Datum) -> Datum {
        match &given.value {
            Content::List(items) if items.len() == 2 => match items[0].value.equals(&items[1].value) {
                Some(value) => call.gives(Content::Bool(value)),
                None => call.unknown(),
            },
            Content::Unknown(_) => call.unknown(),
            _ => self.wrong(call, given.place, "takes a list of two values", "[one, other]"),
        }
    }

    fn if_(&mut self, call: Call<'_>, arguments: Node<'e>) -> Datum {
        let items: Vec<Node<'e>> = arguments.items().take(4).collect();
        let least = if self.version >= Version::V2021 { 2 } else { 3 };
        if !(least..=3).contains(&items.len()) {
            let what = "takes a condition, a value if it holds and a value if not";
            return self.wrong(call, arguments.place(), what, "[condition, this, that]");
        }
        match self.condition_of_if(call, items[0]) {
            Some(true) => self.value(items[1]),
            Some(false) => items.get(2).map_or_else(|| call.gives(Content::Absent), |item| self.value(*item)),
            None => {
                self.uncertain += 1;
                let this = self.value(items[1]);
                let that = items.get(2).map(|item| self.value(*item));
                self.uncertain -= 1;
                match that {
                    Some(that) if this.value.equals(&that.value) == Some(true) => this,
                    _ => call.unknown(),
                }
            }
        }
    }

    /// Whether the condition of an `if` holds.
    fn condition_of_if(&mut self, call: Call<'_>, node: Node<'e>) -> Option<bool> {
        let holds = self.condition(node);
        if holds.is_some() || node.is_scalar() {
            return holds;
        }
        match self.assumption {
            Some(Assumption::If(place, holds)) if place == call.place => Some(holds),
            _ => {
                self.ifs.push(call.place);
                None
            }
        }
    }

    fn logic(&mut self, call: Call<'_>, function: Function, arguments: Node<'e>) -> Datum {
        let truth = if function == Function::Not {
            if arguments.is_null() {
                return self.wrong(call, arguments.use_place(), "needs a condition", "condition");
            }
            self.condition(arguments).map(|holds| !holds)
        } else {
            if !arguments.is_sequence() || arguments.len() < 2 {
                let what = "takes a list of at least two conditions";
                return self.wrong(call, arguments.use_place(), what, "[one, other]");
            }
            let parts: Vec<Option<bool>> = arguments.items().map(|item| self.condition(item)).collect();
            match function {
                Function::And => all(parts.into_iter()),
                _ => all(parts.into_iter().map(|part| part.map(|holds| !holds))).map(|none| !none),
            }
        };
        truth.map_or_else(|| call.unknown(), |holds| call.gives(Content::Bool(holds)))
    }

    fn yaql(&mut self, call: Call<'_>, given: &Datum) -> Datum {
        const EXAMPLE: &str = "{ expression: $.data, data: [] }";
        match &given.value {
            Content::Map(fields) => {
                let known = fields.iter().all(|field| ["expression", "data"].contains(&&*field.key));
                match given.get("expression").map(|expression| &expression.value) {
                    Some(Content::Str(text)) if known => match yaql::problem(text)
                        .or_else(|| yaql::unknown_function(text))
                        .or_else(|| yaql::missing_key(text, given.get("data")?))
                    {
                        None => call.unknown(),
                        Some(problem) => {
                            let place =
                                given.get("expression").map_or(given.place, |expression| expression.place);
                            self.wrong(
                                call,
                                place,
                                &format!("has an expression that cannot be worked out: {problem}"),
                                "",
                            )
                        }
                    },
                    Some(Content::Unknown(_)) if known => call.unknown(),
                    _ => self.wrong(call, given.place, "takes `expression`, a string, and `data`", EXAMPLE),
                }
            }
            Content::Unknown(_) => call.unknown(),
            _ => self.wrong(call, given.place, "takes a map", EXAMPLE),
        }
    }
}

/// The value at the end of a path into a value: an empty text where Heat finds nothing, and nothing where that is not
/// known.
fn follow(value: &Datum, path: &[Datum]) -> Option<Datum> {
    let mut at = value.clone();
    for (done, component) in path.iter().enumerate() {
        if let Content::Unknown(unknown) = &at.value {
            // A part of it is another value than the whole, though for the same reason not known.
            if unknown.call.is_none() {
                return Some(Datum::unknown(unknown.why.clone(), unknown.place));
            }
            let items = std::iter::once(at.clone()).chain(path[done..].iter().cloned());
            let given = Datum::new(Content::List(items.collect()), unknown.place);
            let later = Later { function: PART.into(), given };
            return Some(Datum::deferred(unknown.why.clone(), unknown.place, later));
        }
        let key = match &component.value {
            Content::Unknown(_) | Content::Location(_) => return None,
            other => other.to_text(),
        };
        let next = match (&at.value, key) {
            (Content::Map(_), Some(key)) => at.get(&key).cloned(),
            (Content::List(items), Some(key)) => {
                key.parse::<i64>().ok().and_then(|index| nth(items, index)).cloned()
            }
            _ => None,
        };
        match next {
            Some(next) => at = next,
            None => return Some(Datum::new(Content::str(""), value.place)),
        }
    }
    Some(at)
}

/// An item by its number, from the end if that is negative.
fn nth(items: &[Datum], index: i64) -> Option<&Datum> {
    let index = if index < 0 { items.len() as i64 + index } else { index };
    items.get(usize::try_from(index).ok()?)
}
