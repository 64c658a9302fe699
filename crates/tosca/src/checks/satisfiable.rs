//! Constraints and validation clauses that exclude each other, so that no value is valid.
//!
//! What is compared: the ends of ranges, lengths, and lists of valid values. What is found is certain; clauses that are
//! made of other functions may exclude each other all the same.

use std::cmp::Ordering;
use std::rc::Rc;

use locus_schema::Content;
use locus_source::{Finding, Node};

use crate::report::short;
use crate::rules;
use crate::service::{Scope, Service, This};
use crate::types::base::Base;
use crate::types::compare;
use crate::types::data::{Clause, Schema};
use crate::types::value::Typed;
use crate::values::call::{self, Call, Form};

/// Of a list of valid values that is longer than this no value is looked at.
const MOST_VALUES: usize = 1_000;

/// A clause with its file.
#[derive(Clone, Copy)]
struct Said<'t> {
    node: Node<'t>,
    file: usize,
}

/// An end of what is allowed.
#[derive(Clone)]
struct End<'t, V> {
    value: V,
    /// Whether the end itself is not allowed.
    strict: bool,
    said: Said<'t>,
}

/// The values that all clauses together allow.
#[derive(Default)]
struct Allowed<'t> {
    low: Option<End<'t, Typed<'t>>>,
    high: Option<End<'t, Typed<'t>>>,
    shortest: Option<End<'t, i64>>,
    longest: Option<End<'t, i64>>,
    /// Lists of the only values that are valid.
    lists: Vec<(Vec<Typed<'t>>, Said<'t>)>,
}

impl<'t> Service<'_, 't> {
    /// Says so if no value satisfies all clauses of a schema.
    pub(crate) fn satisfiable(&self, schema: &Rc<Schema<'t>>) {
        let muted = self.world.report.mute(true);
        let conflict = self.conflict(schema);
        self.world.report.mute(muted);
        let Some((one, other)) = conflict else { return };
        let (first, second) = (text_of_clause(one), other.map(text_of_clause));
        let message = match &second {
            Some(second) if *second != first => format!("no value satisfies both `{first}` and `{second}`"),
            _ => format!("no value satisfies `{first}`"),
        };
        let mut finding = Finding::new(&rules::NO_VALUE, one.node.use_place(), message);
        if let Some(other) = other.filter(|_| second.is_some_and(|second| second != first)) {
            finding = finding.also(other.node.use_place(), "this excludes it");
        }
        self.world.add(one.file, finding);
    }

    /// Two clauses of which no value satisfies both, or one that no value satisfies.
    fn conflict(&self, schema: &Rc<Schema<'t>>) -> Option<(Said<'t>, Option<Said<'t>>)> {
        let mut allowed = Allowed::default();
        for clause in &schema.clauses {
            if clause.constraint {
                self.add_constraint(*clause, schema, &mut allowed);
            } else {
                self.add_expression(clause.node, clause.file, schema, &mut allowed);
            }
        }
        if let (Some(low), Some(high)) = (&allowed.low, &allowed.high)
            && let Some(order) = compare::order(&low.value, &high.value)
            && (order.is_gt() || order.is_eq() && (low.strict || high.strict))
        {
            return Some((high.said, Some(low.said)));
        }
        if let (Some(shortest), Some(longest)) = (&allowed.shortest, &allowed.longest)
            && shortest.value > longest.value
        {
            return Some((longest.said, Some(shortest.said)));
        }
        // Of lists and maps, the values may be meant for the entries.
        let whole = !matches!(schema.base, Base::List | Base::Map | Base::Complex(_) | Base::Any);
        let lists = allowed.lists.iter().filter(|(values, _)| whole && values.len() <= MOST_VALUES);
        for (values, said) in lists {
            let excluded: Vec<_> =
                values.iter().map_while(|value| self.excluding(value, &schema.clauses)).collect();
            if excluded.len() == values.len() {
                let other = excluded.first().filter(|one| !one.node.is_same(said.node));
                return Some((*said, other.copied()));
            }
        }
        None
    }

    /// A clause that a value does not satisfy.
    fn excluding(&self, value: &Typed<'t>, clauses: &[Clause<'t>]) -> Option<Said<'t>> {
        let scope = Scope::new(self.file, This::Type);
        let fails = |clause: &&Clause<'t>| {
            let holds = if clause.constraint {
                self.constraint(value, **clause, &scope)
            } else {
                let scope = Scope { file: clause.file, ..scope.about(value) };
                self.condition(clause.node, &scope)
            };
            holds == Some(false)
        };
        clauses.iter().find(fails).map(|clause| Said { node: clause.node, file: clause.file })
    }

    fn add_constraint(&self, clause: Clause<'t>, schema: &Rc<Schema<'t>>, allowed: &mut Allowed<'t>) {
        let Some(entry) = clause.node.entries().next() else { return };
        let said = Said { node: clause.node, file: clause.file };
        let value = |node| self.known_value(node, said.file, schema);
        let ends: Vec<_> = entry.value.items().collect();
        match (entry.key.raw(), ends.as_slice()) {
            ("in_range", [low, high]) => {
                allowed.at_least(value(*low), false, said);
                allowed.at_most(value(*high), false, said);
            }
            ("valid_values", values) => allowed.only(values.iter().map(|one| value(*one)), said),
            ("equal", _) => allowed.only([value(entry.value)], said),
            (name, _) => allowed.compared(name, value(entry.value), said),
        }
        let length = entry.value.as_i64();
        match entry.key.raw() {
            "length" => {
                allowed.as_long_as(length, said);
                allowed.not_longer(length, said);
            }
            "min_length" => allowed.as_long_as(length, said),
            "max_length" => {
                allowed.not_longer(length, said);
                // No length is below 0.
                allowed.as_long_as(Some(0), said);
            }
            _ => {}
        }
    }

    /// A validation clause of TOSCA 2.0: comparisons of `$value` and of its length, and what `$and` joins.
    fn add_expression(
        &self,
        node: Node<'t>,
        file: usize,
        schema: &Rc<Schema<'t>>,
        allowed: &mut Allowed<'t>,
    ) {
        let version = self.world.version(file);
        let mut left = vec![node];
        while let Some(node) = left.pop() {
            let Form::Call(call) = call::form(node, version) else { continue };
            let arguments = call.list();
            if call.name == "and" {
                left.extend(arguments.iter().rev());
                continue;
            }
            let &[first, second] = arguments.as_slice() else { continue };
            let said = Said { node, file };
            let call_in = |node| match call::form(node, version) {
                Form::Call(call) => Some(call),
                _ => None,
            };
            let is_value = |node| call_in(node).is_some_and(|call| is_value(&call));
            let of_length = |node: Node<'t>| {
                let of = call_in(node).filter(|call| call.name == "length").map(|call| call.list());
                of.is_some_and(|of| of.len() == 1 && is_value(of[0]))
            };
            if is_value(first) {
                match call.name {
                    "valid_values" => {
                        let values = second.items().map(|one| self.known_value(one, file, schema));
                        if second.is_sequence() {
                            allowed.only(values, said);
                        }
                    }
                    "equal" => allowed.only([self.known_value(second, file, schema)], said),
                    "in_range" => {
                        if let [low, high] = second.items().collect::<Vec<_>>()[..] {
                            allowed.at_least(self.known_value(low, file, schema), false, said);
                            allowed.at_most(self.known_value(high, file, schema), false, said);
                        }
                    }
                    name => allowed.compared(name, self.known_value(second, file, schema), said),
                }
            } else if is_value(second) {
                allowed.compared(turned(call.name), self.known_value(first, file, schema), said);
            } else if of_length(first) {
                allowed.length_compared(call.name, second.as_i64(), said);
            }
        }
    }

    /// The value of an argument, if it is known.
    fn known_value(&self, node: Node<'t>, file: usize, schema: &Rc<Schema<'t>>) -> Option<Typed<'t>> {
        let found = self.evaluate(node, &Scope::new(file, This::Type));
        let value = Typed::new(found.datum, schema);
        let unbounded = matches!(&value.datum.value, Content::Str(text) if &**text == "UNBOUNDED");
        (value.is_known() && !(unbounded && schema.base != Base::String)).then_some(value)
    }
}

/// A clause in a message, as it is written: `in_range: [10, 1]`.
fn text_of_clause(said: Said<'_>) -> String {
    let mut text = String::new();
    write_out(said.node, true, &mut text);
    short(&text)
}

/// Adds a value to a text, which becomes no longer than a message needs.
fn write_out(node: Node<'_>, outermost: bool, text: &mut String) {
    if text.len() > 200 {
        return;
    }
    let (open, close) = match () {
        () if node.is_sequence() => ("[", "]"),
        () if node.is_mapping() && !outermost => ("{", "}"),
        () => ("", ""),
    };
    text.push_str(open);
    for (at, item) in node.items().enumerate() {
        text.push_str(if at > 0 { ", " } else { "" });
        write_out(item, false, text);
    }
    for (at, entry) in node.entries().enumerate() {
        text.push_str(if at > 0 { ", " } else { "" });
        write_out(entry.key, false, text);
        text.push_str(": ");
        write_out(entry.value, false, text);
    }
    if node.is_scalar() {
        text.push_str(node.raw());
    }
    text.push_str(close);
}

fn is_value(call: &Call<'_>) -> bool {
    call.name == "value" && call.list().is_empty()
}

/// The comparison with its sides exchanged.
fn turned(name: &str) -> &str {
    match name {
        "greater_than" => "less_than",
        "greater_or_equal" => "less_or_equal",
        "less_than" => "greater_than",
        "less_or_equal" => "greater_or_equal",
        _ => "",
    }
}

impl<'t> Allowed<'t> {
    fn compared(&mut self, name: &str, limit: Option<Typed<'t>>, said: Said<'t>) {
        match name {
            "greater_than" => self.at_least(limit, true, said),
            "greater_or_equal" => self.at_least(limit, false, said),
            "less_than" => self.at_most(limit, true, said),
            "less_or_equal" => self.at_most(limit, false, said),
            _ => {}
        }
    }

    fn length_compared(&mut self, name: &str, limit: Option<i64>, said: Said<'t>) {
        match name {
            "greater_than" => self.as_long_as(limit.map(|limit| limit.saturating_add(1)), said),
            "greater_or_equal" => self.as_long_as(limit, said),
            "less_than" => self.not_longer(limit.map(|limit| limit.saturating_sub(1)), said),
            "less_or_equal" => self.not_longer(limit, said),
            "equal" => {
                self.as_long_as(limit, said);
                self.not_longer(limit, said);
            }
            _ => {}
        }
        // No length is below 0.
        self.as_long_as(Some(0), said);
    }

    fn at_least(&mut self, value: Option<Typed<'t>>, strict: bool, said: Said<'t>) {
        tighten(&mut self.low, value, strict, said, Ordering::Greater);
    }

    fn at_most(&mut self, value: Option<Typed<'t>>, strict: bool, said: Said<'t>) {
        tighten(&mut self.high, value, strict, said, Ordering::Less);
    }

    fn as_long_as(&mut self, length: Option<i64>, said: Said<'t>) {
        let Some(value) = length else { return };
        if self.shortest.as_ref().is_none_or(|known| value > known.value) {
            self.shortest = Some(End { value, strict: false, said });
        }
    }

    fn not_longer(&mut self, length: Option<i64>, said: Said<'t>) {
        let Some(value) = length else { return };
        if self.longest.as_ref().is_none_or(|known| value < known.value) {
            self.longest = Some(End { value, strict: false, said });
        }
    }

    /// Only these values are valid, if all of them are known.
    fn only(&mut self, values: impl IntoIterator<Item = Option<Typed<'t>>>, said: Said<'t>) {
        if let Some(values) = values.into_iter().collect::<Option<Vec<_>>>() {
            self.lists.push((values, said));
        }
    }
}

/// Takes an end for the one that is known if it excludes more.
fn tighten<'t>(
    known: &mut Option<End<'t, Typed<'t>>>,
    value: Option<Typed<'t>>,
    mut strict: bool,
    said: Said<'t>,
    tighter: Ordering,
) {
    let Some(mut value) = value else { return };
    // Of integers the next one is the first that is allowed.
    if let (true, Base::Integer, Content::Int(number)) = (strict, &value.schema.base, &value.datum.value)
        && let Some(next) = number.checked_add(if tighter.is_gt() { 1 } else { -1 })
    {
        value.datum.value = Content::Int(next);
        strict = false;
    }
    let excludes_more = known.as_ref().is_none_or(|known| match compare::order(&value, &known.value) {
        Some(Ordering::Equal) => strict && !known.strict,
        order => order == Some(tighter),
    });
    if excludes_more {
        *known = Some(End { value, strict, said });
    }
}
