//! Evaluation: what expressions are known to be.

use std::rc::Rc;
use std::sync::Arc;

use locus_schema::unknown::{TOO_LARGE, WRONG};
use locus_schema::{Content, Datum, Field, Why};
use locus_source::{Finding, Node, Severity, Value as Read};

use crate::read::version::Version;
use crate::report::{did_you_mean, listed, short};
use crate::rules;
use crate::service::{Part, Scope, Service, This};
use crate::types::base::Base;
use crate::types::data::Schema;
use crate::types::flat::Property;
use crate::types::value::{Typed, get, kind_of, show, text_of};
use crate::values::call::{self, Call, Form};
use crate::values::functions;
use crate::why::{FUNCTION, INDEX, INPUT, UNSET};

/// Expressions that lead to others deeper than this are not evaluated.
const DEEPEST: usize = 150;

/// Functions of the Simple Profile, and constraints, that TOSCA 2.0 does not have any more.
const REMOVED: [(&str, &str); 7] = [
    ("in_range", "write `$and` of `$greater_or_equal` and `$less_or_equal`"),
    ("min_length", "compare `$length` by `$greater_or_equal`"),
    ("max_length", "compare `$length` by `$less_or_equal`"),
    ("pattern", "it is called `$matches`"),
    ("get_operation_output", "map the output to an attribute, and use `$get_attribute`"),
    ("get_nodes_of_type", "there is nothing in its place"),
    ("schema", "there is nothing in its place"),
];

impl<'t> Service<'_, 't> {
    fn version(&self, scope: &Scope<'_, 't>) -> Version {
        self.world.version(scope.file)
    }

    /// The value of an expression, as far as it is known.
    pub(crate) fn evaluate(&self, node: Node<'t>, scope: &Scope<'_, 't>) -> Typed<'t> {
        let depth = &self.world.depth;
        if depth.get() >= DEEPEST {
            return Typed::unknown(Why::plain(&TOO_LARGE), node.use_place());
        }
        depth.set(depth.get() + 1);
        let value = match call::form(node, self.version(scope)) {
            Form::Call(call) => self.call(&call, scope),
            Form::Malformed(name) => {
                let message = format!("`${}` is a call, and a map with a call has no other key", short(name));
                let finding = Finding::new(&rules::FUNCTION, node.use_place(), message);
                self.world.add(scope.file, finding.help("write `$$` for a dollar sign that starts a text"));
                Typed::wrong(node.use_place())
            }
            Form::Plain => match self.foreign_call(node, scope) {
                Some(name) => Typed::unknown(Why::of(&FUNCTION, name), node.use_place()),
                None => Typed::untyped(self.literal(node, scope)),
            },
        };
        depth.set(depth.get() - 1);
        value
    }

    /// The name of a function that a dialect has of its own, such as `get_secret` of Alien4Cloud, if a node calls it.
    fn foreign_call(&self, node: Node<'t>, scope: &Scope<'_, 't>) -> Option<&'t str> {
        let is_foreign = node.len() == 1 && self.world.file(scope.file).dialect;
        let name = node.entries().next().filter(|_| is_foreign)?.key.raw();
        name.starts_with("get_").then_some(name)
    }

    fn literal(&self, node: Node<'t>, scope: &Scope<'_, 't>) -> Datum {
        let version = self.version(scope);
        let place = node.use_place();
        if let Some((tag @ ("!!binary" | "!!timestamp"), _)) = node.tag()
            && version == Version::V2_0
        {
            let message = format!("values with the tag `{tag}` are not accepted");
            self.world.say(scope.file, &rules::VALUE_TYPE, place, message);
            return Datum::unknown(Why::plain(&WRONG), place);
        }
        let value = match node.value() {
            Read::Null => Content::Null,
            Read::Bool(value) if version.is_simple() || matches!(node.raw(), "true" | "false") => {
                Content::Bool(value)
            }
            Read::Bool(_) => Content::str(node.raw()),
            Read::Int(value) => Content::Int(value),
            Read::BigInt(text) => Content::Float(text.parse().unwrap_or(f64::INFINITY)),
            Read::Float(value) => Content::Float(value),
            Read::Str(text) | Read::Timestamp(text) => Content::str(&call::unescape(text, version)),
            Read::Sequence => {
                Content::List(node.items().map(|item| self.evaluate(item, scope).datum).collect())
            }
            Read::Mapping => {
                let field = |entry: locus_source::tree::Entry<'t>| {
                    let key: Arc<str> = call::unescape(entry.key.raw(), version).into();
                    Field {
                        key,
                        place: entry.key.use_place(),
                        value: self.evaluate(entry.value, scope).datum,
                    }
                };
                Content::Map(node.entries().map(field).collect())
            }
        };
        Datum::new(value, place)
    }

    fn call(&self, call: &Call<'t>, scope: &Scope<'_, 't>) -> Typed<'t> {
        let place = call.node.use_place();
        match call.name {
            "get_input" => self.get_input(call, scope),
            "get_property" | "get_attribute" | "available_allocation" => self.by_path(call, scope),
            "get_artifact" => self.get_artifact(call, scope),
            "value" => self.this_value(call, scope),
            "node_index" | "relationship_index" => {
                let schema = Schema { base: Base::Integer, ..Schema::any() };
                Typed { datum: Datum::unknown(Why::plain(&INDEX), place), schema: Rc::new(schema) }
            }
            "get_operation_output" if self.version(scope).is_simple() => self.operation_output(call, scope),
            "get_nodes_of_type" if self.version(scope).is_simple() => {
                Typed::unknown(Why::of(&FUNCTION, call.name), place)
            }
            name => {
                let arguments =
                    || call.list().into_iter().map(|node| self.evaluate(node, scope)).collect::<Vec<_>>();
                if let Some(result) = functions::result(name, place, arguments) {
                    return result.unwrap_or_else(|message| {
                        self.world.say(scope.file, &rules::FUNCTION, place, format!("`{name}` {message}"));
                        Typed::wrong(place)
                    });
                }
                self.custom(call, scope)
            }
        }
    }

    /// A function that is not built in.
    fn custom(&self, call: &Call<'t>, scope: &Scope<'_, 't>) -> Typed<'t> {
        let place = call.node.use_place();
        let unknown = Typed::unknown(Why::of(&FUNCTION, call.name), place);
        let Some((file, definition)) = self.function(scope.file, call.name) else {
            if let Some((_, instead)) = REMOVED.iter().find(|(name, _)| *name == call.name) {
                let message = format!("`${}` is not a function of TOSCA 2.0", call.name);
                let mut finding = Finding::new(&rules::REMOVED_FUNCTION, place, message).help(*instead);
                if call.name == "in_range" {
                    finding.severity = Severity::Warning;
                    finding = finding
                        .note("two examples of the standard use it, and its list of functions lacks it");
                }
                self.world.add(scope.file, finding);
            }
            let near = functions::NAMES.iter().copied();
            if let Some(near) = locus_source::words::nearest(call.name, near.map(|name| (name, name))) {
                let message = format!("`${}` is neither built in nor defined", short(call.name));
                let finding = Finding::new(&rules::UNKNOWN_FUNCTION, place, message);
                self.world.add(scope.file, finding.help(format!("did you mean `${near}`?")));
            }
            return unknown;
        };
        for argument in call.list() {
            self.evaluate(argument, scope);
        }
        let count = call.list().len();
        let signatures: Vec<_> = definition.get("signatures").into_iter().flat_map(Node::items).collect();
        if !signatures.is_empty() && !signatures.iter().any(|one| takes(*one, count)) {
            let message = format!("no signature of `${}` takes {count} arguments", short(call.name));
            let finding = Finding::new(&rules::FUNCTION, place, message);
            self.world.add(scope.file, finding.also(definition.place(), "the function is defined here"));
        }
        let results: Vec<_> = signatures.iter().filter_map(|one| one.get("result")).collect();
        match results.as_slice() {
            [one] if signatures.len() == 1 => {
                Typed { datum: unknown.datum, schema: Rc::new(self.world.schema(file, *one)) }
            }
            _ => unknown,
        }
    }

    /// The definition of a function, in this file or one that it imports.
    fn function(&self, at: usize, name: &str) -> Option<(usize, Node<'t>)> {
        let mut open = vec![(at, name)];
        let mut seen = Vec::new();
        while let Some((at, name)) = open.pop() {
            if seen.contains(&(at, name)) {
                continue;
            }
            seen.push((at, name));
            let file = self.world.file(at);
            let root = file.tree.root();
            let inside = root.get("service_template").and_then(|service| service.get("functions"));
            let outside = root.get("functions");
            if let Some(found) = inside.into_iter().chain(outside).find_map(|all| all.get(name)) {
                return Some((at, found));
            }
            for import in &file.imports {
                let rest = match &import.prefix {
                    None => Some(name),
                    Some(prefix) => {
                        name.strip_prefix(prefix.as_str()).and_then(|rest| rest.strip_prefix(':'))
                    }
                };
                open.extend(import.file.zip(rest));
            }
        }
        None
    }

    fn get_input(&self, call: &Call<'t>, scope: &Scope<'_, 't>) -> Typed<'t> {
        let place = call.node.use_place();
        let arguments = call.list();
        let Some(name) = arguments.first().and_then(|first| first.as_str()) else {
            let message = "`get_input` needs the name of an input".to_owned();
            self.world.say(scope.file, &rules::FUNCTION, place, message);
            return Typed::wrong(place);
        };
        let found =
            scope.workflow.iter().find(|one| one.name == name).map(|input| Self::unset_input(input, place));
        let Some(value) = found.or_else(|| self.input(name, place)) else {
            if self.reads_no_inputs {
                return Typed::unknown(Why::of(&INPUT, name), place);
            }
            let message = format!("there is no input `{}`", short(name));
            let finding = Finding::new(&rules::UNKNOWN_INPUT, arguments[0].use_place(), message);
            let names: Vec<_> = scope.workflow.iter().chain(&self.inputs).map(|input| input.name).collect();
            let mut finding = did_you_mean(finding, name, names.iter().copied());
            if finding.help.is_none() {
                finding = finding.help(format!("the inputs are {}", listed(names)));
            }
            self.world.add(scope.file, finding);
            return Typed::wrong(place);
        };
        self.nested(value, &arguments[1..], scope, name)
    }

    fn unset_input(input: &Property<'t>, place: locus_source::Place) -> Typed<'t> {
        Typed::new(Datum::unknown(Why::of(&INPUT, input.name), place), &input.schema)
    }

    /// The value of an input of the service template; nothing if there is none.
    pub(crate) fn input(&self, name: &str, place: locus_source::Place) -> Option<Typed<'t>> {
        let input = self.inputs.iter().find(|input| input.name == name)?;
        let node = self.given.get(name).copied().or(input.fixed).or(input.default);
        let Some(node) = node else { return Some(Self::unset_input(input, place)) };
        let value = || {
            let value = self.evaluate(node, &Scope::new(self.file, This::Nothing)).datum;
            Typed::new(value, &input.schema)
        };
        Some(self.remembered((This::Nothing, Part::Own, input.name), &input.schema, place, value))
    }

    /// The value that a validation clause is about.
    fn this_value(&self, call: &Call<'t>, scope: &Scope<'_, 't>) -> Typed<'t> {
        let Some(value) = scope.value else {
            let message = "`$value` means nothing here: this is not in a validation clause";
            self.world.say(scope.file, &rules::FUNCTION, call.node.use_place(), message);
            return Typed::wrong(call.node.use_place());
        };
        self.nested(value.clone(), &call.list(), scope, "$value")
    }

    /// Goes into a value by names and indices.
    pub(crate) fn nested(
        &self,
        mut value: Typed<'t>,
        steps: &[Node<'t>],
        scope: &Scope<'_, 't>,
        what: &str,
    ) -> Typed<'t> {
        for step in steps {
            let place = value.datum.place;
            if self.is_number_of_node(*step, scope) {
                let schema = value.schema.entry.clone().unwrap_or_else(|| Rc::new(Schema::any()));
                value = Typed { datum: Datum::unknown(Why::plain(&INDEX), place), schema };
                continue;
            }
            let at = self.evaluate(*step, scope);
            if !at.is_known() {
                let why = if let Content::Unknown(unknown) = &at.datum.value {
                    unknown.why.clone()
                } else {
                    Why::plain(&WRONG)
                };
                let schema = value.schema.entry.clone().unwrap_or_else(|| Rc::new(Schema::any()));
                value = Typed { datum: Datum::unknown(why, place), schema };
                continue;
            }
            match self.step(&value, &at.datum, what) {
                Ok(found) => value = found,
                Err(message) => {
                    self.world.say(scope.file, &rules::PATH, step.use_place(), message);
                    return Typed::wrong(place);
                }
            }
        }
        value
    }

    /// Whether a step stands for the number of the node among those of its template: `INDEX` in example 26 of the
    /// Simple Profile 1.3, `index_value` in ONAP's dialect.
    fn is_number_of_node(&self, step: Node<'t>, scope: &Scope<'_, 't>) -> bool {
        match step.as_str() {
            Some("INDEX") => self.version(scope) == Version::V1_3,
            Some("index_value") => self.world.file(scope.file).dialect,
            _ => false,
        }
    }

    /// One step into a value.
    fn step(&self, value: &Typed<'t>, at: &Datum, what: &str) -> Result<Typed<'t>, String> {
        let place = value.datum.place;
        let shown = show(&at.value);
        let schema = match (&value.schema.base, &at.value) {
            (Base::Any, _) | (Base::Range, Content::Int(0 | 1)) => Rc::new(Schema::any()),
            (Base::List, Content::Int(_)) => {
                value.schema.entry.clone().unwrap_or_else(|| Rc::new(Schema::any()))
            }
            (Base::List, _) => {
                return Err(format!("`{what}` is a list, and `{shown}` is not an index of one"));
            }
            (Base::Map, _) => value.schema.entry.clone().unwrap_or_else(|| Rc::new(Schema::any())),
            (Base::Complex(id), key) => {
                let found = self.world.data_type(*id);
                let name = text_of(key);
                match found.properties.iter().find(|one| one.name == name) {
                    Some(property) => Rc::clone(&property.schema),
                    None if !found.whole => Rc::new(Schema::any()),
                    None => {
                        let names = listed(found.properties.iter().map(|one| one.name));
                        return Err(format!("`{what}` has no field `{shown}`; it has {names}"));
                    }
                }
            }
            (base, _) => {
                return Err(format!(
                    "`{what}` is {}, so there is nothing in it under `{shown}`",
                    base.word()
                ));
            }
        };
        let datum = match (&value.datum.value, &at.value) {
            (Content::Unknown(_), _) => value.datum.clone(),
            (Content::List(items), Content::Int(index)) => {
                match usize::try_from(*index).ok().and_then(|at| items.get(at)) {
                    Some(item) => item.used_at(place),
                    None => {
                        return Err(format!(
                            "`{what}` has {} entries, so there is none under `{index}`",
                            items.len()
                        ));
                    }
                }
            }
            (Content::Map(_), key) => match get(&value.datum, &text_of(key)) {
                Some(found) => found.used_at(place),
                None => Datum::unknown(Why::of(&UNSET, format!("`{shown}` of `{what}`")), place),
            },
            _ => Datum::unknown(Why::plain(&WRONG), place),
        };
        Ok(Typed { datum, schema })
    }

    /// Evaluates what is written, and checks it against a schema.
    pub(crate) fn checked(
        &self,
        node: Node<'t>,
        schema: &Rc<Schema<'t>>,
        scope: &Scope<'_, 't>,
        what: &str,
    ) -> Typed<'t> {
        let value = self.evaluate(node, scope);
        self.conform(&value, schema, scope, what);
        Typed::new(value.datum, schema)
    }

    /// A boolean expression: whether it holds, if that is known.
    pub(crate) fn condition(&self, node: Node<'t>, scope: &Scope<'_, 't>) -> Option<bool> {
        let found = self.evaluate(node, scope);
        match found.datum.value {
            Content::Bool(value) => Some(value),
            Content::Unknown(_) if matches!(found.schema.base, Base::Any | Base::Boolean) => None,
            Content::Unknown(_) => {
                let message =
                    format!("a condition must be a boolean expression, not {}", found.schema.base.word());
                self.world.say(scope.file, &rules::FUNCTION, node.use_place(), message);
                None
            }
            other => {
                let message = format!("a condition must be a boolean expression, not {}", kind_of(&other));
                self.world.say(scope.file, &rules::FUNCTION, node.use_place(), message);
                None
            }
        }
    }
}

/// Whether a signature takes this many arguments.
fn takes(signature: Node<'_>, count: usize) -> bool {
    let length = |key: &str| signature.get(key).map_or(0, Node::len);
    let (needed, optional) = (length("arguments"), length("optional_arguments"));
    let variadic = signature.get("variadic").and_then(Node::as_bool).unwrap_or(false);
    if variadic && needed + optional == 0 {
        return true;
    }
    count >= needed && (variadic || count <= needed + optional)
}
