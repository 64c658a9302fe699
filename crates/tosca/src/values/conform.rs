//! Whether a value is what its type allows.

use std::rc::Rc;

use locus_schema::{Content, Datum, Field};
use locus_source::tree::is_timestamp;
use locus_source::{Finding, Node, Place};

use crate::read::scalar;
use crate::read::version::old_truth;
use crate::report::{did_you_mean, listed, short};
use crate::rules;
use crate::service::{Scope, Section, Service};
use crate::types::base::Base;
use crate::types::compare;
use crate::types::data::{Clause, Schema};
use crate::types::flat::Property;
use crate::types::names::TypeId;
use crate::types::value::{Typed, get, kind_of, show};
use crate::values::functions;

impl<'t> Service<'_, 't> {
    /// Checks a value. `what` names it, in backticks or otherwise.
    pub(crate) fn conform(
        &self,
        value: &Typed<'t>,
        schema: &Rc<Schema<'t>>,
        scope: &Scope<'_, 't>,
        what: &str,
    ) {
        let datum = &value.datum;
        if let Content::Unknown(unknown) = &datum.value {
            self.unknown(datum.place, &unknown.why);
            if !self.world.fits(&value.schema, schema) {
                let (is, wanted) = (value.schema.base.word(), schema.base.word());
                let message = format!("{what} must be {wanted}, and this is {is}");
                self.world.say(scope.file, &rules::VALUE_TYPE, datum.place, message);
            }
            return;
        }
        if self.is_of(datum, schema, scope, what) {
            let value = Typed::new(datum.clone(), schema);
            self.clauses(&value, &schema.clauses, scope, what);
        }
    }

    fn mismatch(&self, datum: &Datum, wanted: &str, scope: &Scope<'_, 't>, what: &str) -> bool {
        let shown = match &datum.value {
            Content::Null | Content::List(_) | Content::Map(_) => kind_of(&datum.value).to_owned(),
            other => format!("{} (`{}`)", kind_of(other), show(other)),
        };
        let message = format!("{what} must be {wanted}, not {shown}");
        self.world.say(scope.file, &rules::VALUE_TYPE, datum.place, message);
        false
    }

    /// Whether a value is of a type, without regard to validation of the whole.
    fn is_of(&self, datum: &Datum, schema: &Rc<Schema<'t>>, scope: &Scope<'_, 't>, what: &str) -> bool {
        let wanted = schema.base.word();
        let simple = self.world.version(scope.file).is_simple();
        let fits = match (&schema.base, &datum.value) {
            (Base::Any, _)
            | (Base::String, Content::Str(_))
            | (Base::Integer, Content::Int(_))
            | (Base::Float, Content::Float(_) | Content::Int(_))
            | (Base::Boolean, Content::Bool(_))
            | (Base::Nil, Content::Null) => true,
            (Base::Boolean, Content::Str(text)) => simple && old_truth(text).is_some(),
            (Base::Bytes, Content::Str(text)) => scalar::is_base64(text),
            (Base::Timestamp, Content::Str(text)) => {
                scalar::instant(text).is_some() || simple && is_timestamp(text)
            }
            (Base::Version, Content::Str(text)) => scalar::is_version(text),
            // Unquoted versions such as 1.0 are numbers in YAML; the Simple Profile has many.
            (Base::Version, Content::Float(_) | Content::Int(_)) => simple,
            (Base::Range, Content::List(items)) => is_range(items),
            (Base::Scalar(_), value) => return self.scalar(datum, value, schema, scope, what),
            (Base::List, Content::List(items)) => {
                self.entries(items.iter(), schema.entry.as_ref(), scope, what);
                true
            }
            (Base::Map, Content::Map(fields)) => {
                self.keys(fields, schema, scope, what);
                self.entries(fields.iter().map(|field| &field.value), schema.entry.as_ref(), scope, what);
                true
            }
            (Base::Complex(id), Content::Map(_)) => {
                self.fields(datum, *id, scope, what);
                true
            }
            (Base::Complex(id), _) => {
                let found = self.world.data_type(*id);
                !found.whole || found.properties.is_empty()
            }
            _ => false,
        };
        fits || self.mismatch(datum, wanted, scope, what)
    }

    fn scalar(
        &self,
        datum: &Datum,
        value: &Content,
        schema: &Rc<Schema<'t>>,
        scope: &Scope<'_, 't>,
        what: &str,
    ) -> bool {
        let Base::Scalar(units) = &schema.base else { return true };
        let Some(units) = units else { return true };
        let Content::Str(text) = value else {
            return self.mismatch(datum, "a number with a unit", scope, what);
        };
        let amount = match units.read(text) {
            Ok(amount) => amount,
            Err(problem) => {
                let message = format!("{what} is `{}`, which {problem}", short(text));
                self.world.say(scope.file, &rules::VALUE_TYPE, datum.place, message);
                return false;
            }
        };
        if let Some(unit) = units.in_its_case(text) {
            let message = format!("{what} is `{}`, and the unit is `{unit}`", short(text));
            self.world.say(scope.file, &rules::UNIT_CASE, datum.place, message);
        }
        if units.integer && !amount.integer {
            let message = format!("{what} is `{}`, and its number must be an integer", short(text));
            self.world.say(scope.file, &rules::VALUE_TYPE, datum.place, message);
            return false;
        }
        if let Some(number) = &schema.entry {
            let value =
                if units.integer { Content::Int(amount.value as i64) } else { Content::Float(amount.value) };
            let typed = Typed::new(Datum::new(value, datum.place), number);
            self.clauses(&typed, &number.clauses, scope, what);
        }
        true
    }

    fn entries<'d>(
        &self,
        items: impl Iterator<Item = &'d Datum>,
        schema: Option<&Rc<Schema<'t>>>,
        scope: &Scope<'_, 't>,
        what: &str,
    ) {
        let Some(schema) = schema else { return };
        let what = format!("an entry of {what}");
        for item in items {
            self.conform(&Typed::untyped(item.clone()), schema, scope, &what);
        }
    }

    fn keys(&self, fields: &[Field], schema: &Rc<Schema<'t>>, scope: &Scope<'_, 't>, what: &str) {
        let Some(key) = schema.key.as_ref().filter(|key| !key.clauses.is_empty()) else { return };
        let what = format!("a key of {what}");
        for field in fields {
            let value = Typed::new(Datum::new(Content::Str(field.key.clone()), field.value.place), key);
            self.clauses(&value, &key.clauses, scope, &what);
        }
    }

    /// The fields of a value of a complex type.
    fn fields(&self, datum: &Datum, id: TypeId, scope: &Scope<'_, 't>, what: &str) {
        let found = self.world.data_type(id);
        for Field { key: name, value, .. } in datum.fields() {
            match found.properties.iter().find(|one| one.name == &**name) {
                Some(property) => {
                    let what = format!("`{}` of {what}", short(name));
                    self.conform(&Typed::untyped(value.clone()), &property.schema, scope, &what);
                }
                None if found.whole => {
                    let type_name = self.world.names.get(id).name;
                    let message =
                        format!("the data type `{}` has no property `{}`", short(type_name), short(name));
                    let finding = Finding::new(&rules::UNKNOWN_PROPERTY, value.place, message);
                    self.world.add(
                        scope.file,
                        did_you_mean(finding, name, found.properties.iter().map(|one| one.name)),
                    );
                }
                None => {}
            }
        }
        for property in &found.properties {
            if property.required
                && property.default.is_none()
                && property.fixed.is_none()
                && get(datum, property.name).is_none()
            {
                let message = format!("{what} needs the field `{}`", short(property.name));
                let finding = Finding::new(&rules::MISSING_PROPERTY, datum.place, message);
                self.world.add(scope.file, finding.also(property.place, "it is required here"));
            }
        }
    }

    /// Checks the clauses of the type about valid values.
    fn clauses(&self, value: &Typed<'t>, clauses: &[Clause<'t>], scope: &Scope<'_, 't>, what: &str) {
        for clause in clauses {
            let holds = if clause.constraint {
                self.constraint(value, *clause, scope)
            } else {
                let scope = Scope { file: clause.file, ..scope.about(value) };
                self.condition(clause.node, &scope)
            };
            if holds == Some(false) {
                let message = format!("{what} is `{}`, which is not valid", show(&value.datum.value));
                let finding = Finding::new(&rules::VALIDATION, value.datum.place, message);
                self.world.add(scope.file, finding.also(clause.node.use_place(), "this must hold"));
            }
        }
    }

    /// A constraint of the Simple Profile; nothing if it is not known whether it holds.
    pub(crate) fn constraint(
        &self,
        value: &Typed<'t>,
        clause: Clause<'t>,
        scope: &Scope<'_, 't>,
    ) -> Option<bool> {
        let entry = clause.node.entries().next()?;
        let name = entry.key.raw();
        let inner = Scope { file: clause.file, ..*scope };
        let argument = |node: Node<'t>| {
            let found = self.evaluate(node, &inner);
            Typed::new(found.datum, &value.schema)
        };
        if !value.is_known() {
            return None;
        }
        let order = |test: fn(std::cmp::Ordering) -> bool| {
            let limit = argument(entry.value);
            limit.is_known().then(|| compare::order(value, &limit).is_none_or(test))
        };
        let length = || match &value.datum.value {
            Content::Str(text) => Some(text.chars().count() as i64),
            Content::List(items) => Some(items.len() as i64),
            Content::Map(fields) => Some(fields.len() as i64),
            _ => None,
        };
        match name {
            "equal" => {
                let other = argument(entry.value);
                other.is_known().then(|| compare::equal(value, &other))
            }
            "greater_than" => order(std::cmp::Ordering::is_gt),
            "greater_or_equal" => order(std::cmp::Ordering::is_ge),
            "less_than" => order(std::cmp::Ordering::is_lt),
            "less_or_equal" => order(std::cmp::Ordering::is_le),
            "in_range" => Self::in_range(value, entry.value, &argument),
            "valid_values" => {
                let mut values = entry.value.items().map(argument);
                values
                    .all(|one| one.is_known())
                    .then(|| entry.value.items().any(|one| compare::equal(value, &argument(one))))
            }
            "length" => Some(length()? == entry.value.as_i64()?),
            "min_length" => Some(length()? >= entry.value.as_i64()?),
            "max_length" => Some(length()? <= entry.value.as_i64()?),
            "pattern" => {
                let Content::Str(text) = &value.datum.value else { return None };
                let whole = format!("^(?:{})$", entry.value.raw());
                functions::pattern(&whole, text).unwrap_or_else(|problem| {
                    let message = format!("the constraint {problem}");
                    self.world.say(clause.file, &rules::FUNCTION, entry.value.use_place(), message);
                    None
                })
            }
            _ => None,
        }
    }

    fn in_range(
        value: &Typed<'t>,
        node: Node<'t>,
        argument: &impl Fn(Node<'t>) -> Typed<'t>,
    ) -> Option<bool> {
        let ends: Vec<_> = node.items().collect();
        let [low, high] = ends.as_slice() else { return None };
        let within = |value: &Typed<'t>| {
            let beyond = |end: &Node<'t>, wrong: std::cmp::Ordering| {
                end.as_str() != Some("UNBOUNDED") && compare::order(value, &argument(*end)) == Some(wrong)
            };
            !beyond(low, std::cmp::Ordering::Less) && !beyond(high, std::cmp::Ordering::Greater)
        };
        // Of a range, both ends must be within the other one.
        match &value.datum.value {
            Content::List(items) => Some(items.iter().all(|item| within(&Typed::untyped(item.clone())))),
            _ => Some(within(value)),
        }
    }

    /// Assignments to the properties of something: that they exist, fit, are not fixed, and that none is missing.
    pub(crate) fn assignments(
        &self,
        what: &Assigned<'_, 't>,
        definitions: &[Property<'t>],
        scope: &Scope<'_, 't>,
    ) {
        for entry in what.section.entries() {
            let name = entry.key.raw();
            if let Some(definition) = definitions.iter().find(|one| one.name == name) {
                if definition.fixed.is_some() {
                    let message = format!(
                        "`{}` of {} has a fixed value, which cannot be assigned",
                        short(name),
                        what.owner
                    );
                    let finding = Finding::new(&rules::FIXED, entry.key.use_place(), message);
                    self.world.add(scope.file, finding.also(definition.place, "it is fixed here"));
                }
                // The Simple Profile has a long form for attributes, with a description beside the value.
                let simple = self.world.version(scope.file).is_simple();
                let long = entry.value.get("value").filter(|_| simple && what.word == "attribute");
                let what = format!("`{}` of {}", short(name), what.owner);
                self.checked(long.unwrap_or(entry.value), &definition.schema, scope, &what);
            } else {
                self.evaluate(entry.value, scope);
                if what.whole {
                    let message = format!("{} has no {} `{}`", what.owner, what.word, short(name));
                    let mut finding = Finding::new(what.unknown, entry.key.use_place(), message);
                    finding = did_you_mean(finding, name, definitions.iter().map(|one| one.name));
                    if finding.help.is_none() && !definitions.is_empty() {
                        finding = finding
                            .help(format!("it has {}", listed(definitions.iter().map(|one| one.name))));
                    }
                    self.world.add(scope.file, finding);
                }
            }
        }
        if !what.complete {
            return;
        }
        for definition in
            definitions.iter().filter(|one| one.required && one.default.is_none() && one.fixed.is_none())
        {
            if what.section.get(definition.name).is_none() {
                let message =
                    format!("{} has no value for the {} `{}`", what.owner, what.word, short(definition.name));
                let finding = Finding::new(&rules::MISSING_PROPERTY, what.place, message);
                self.world.add(scope.file, finding.also(definition.place, "it is required here"));
            }
        }
    }
}

/// An assigned section, and its owner.
pub(crate) struct Assigned<'s, 't> {
    pub(crate) section: Section<'t>,
    /// The name of whose properties they are, with what it is: "the node `web`".
    pub(crate) owner: &'s str,
    /// `property`, `attribute`.
    pub(crate) word: &'s str,
    /// Whether all definitions are known.
    pub(crate) whole: bool,
    /// Whether all that is required must be there.
    pub(crate) complete: bool,
    pub(crate) place: Place,
    /// The rule about names that are not defined.
    pub(crate) unknown: &'static locus_source::Rule,
}

/// Whether a list is a range: two integers, the second of which may be unbounded.
fn is_range(items: &[Datum]) -> bool {
    match items {
        [low, high] => match (&low.value, &high.value) {
            (Content::Int(low), Content::Int(high)) => low <= high,
            (Content::Int(_), Content::Str(high)) => &**high == "UNBOUNDED",
            (Content::Unknown(_), _) | (_, Content::Unknown(_)) => true,
            _ => false,
        },
        _ => false,
    }
}
