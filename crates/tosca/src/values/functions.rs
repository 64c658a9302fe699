//! The built-in functions that need nothing but their arguments.

use std::cmp::Ordering;
use std::rc::Rc;
use std::sync::Arc;

use fancy_regex::RegexBuilder;
use locus_schema::constraint::plain_classes;
use locus_schema::unknown::TOO_LARGE;
use locus_schema::{Content, Datum, Why};
use locus_source::Place;

use crate::types::base::Base;
use crate::types::compare::{self, number};
use crate::types::data::Schema;
use crate::types::value::{Typed, kind_of, same, same_items, text_of};
use crate::why::FUNCTION;

/// Longer texts and lists are not built.
const LONGEST: usize = 1 << 20;

/// How far a pattern may go back before we give up.
const BACKTRACK: usize = 100_000;

/// The names of all built-in functions of TOSCA 2.0.
pub(crate) const NAMES: &[&str] = &[
    "get_input",
    "get_property",
    "get_attribute",
    "get_artifact",
    "value",
    "node_index",
    "relationship_index",
    "available_allocation",
    "and",
    "or",
    "not",
    "xor",
    "equal",
    "greater_than",
    "greater_or_equal",
    "less_than",
    "less_or_equal",
    "valid_values",
    "matches",
    "has_suffix",
    "has_prefix",
    "contains",
    "has_entry",
    "has_key",
    "has_all_entries",
    "has_all_keys",
    "has_any_entry",
    "has_any_key",
    "length",
    "concat",
    "join",
    "token",
    "union",
    "intersection",
    "sum",
    "difference",
    "product",
    "quotient",
    "remainder",
    "round",
    "floor",
    "ceil",
];

/// The result of a function: a value, or what is wrong with its arguments as the end of a sentence.
type Outcome<'t> = Result<Typed<'t>, String>;

/// A function of its arguments.
type Run<'t> = fn(&[Typed<'t>]) -> Result<Answer<'t>, String>;

/// The result of a built-in function; nothing if this is not one of those here.
pub(crate) fn result<'t>(
    name: &str,
    place: Place,
    arguments: impl FnOnce() -> Vec<Typed<'t>>,
) -> Option<Outcome<'t>> {
    let run: Run<'t> = match name {
        "and" => |all| logic(all, 2, |all| decide(all, false)),
        "or" => |all| logic(all, 2, |all| decide(all, true)),
        "not" => |all| exactly(all, 1).and_then(|()| logic(all, 1, |all| all[0].map(|one| !one))),
        "xor" => |all| exactly(all, 2).and_then(|()| logic(all, 2, |all| Some(all[0]? != all[1]?))),
        "equal" => |all| {
            let answer = both(all, |a, b| Answer::Bool(compare::equal(a, b)))?;
            let different = !compare::same_kind(&all[0], &all[1]);
            if different { Err("compares values of different types".to_owned()) } else { Ok(answer) }
        },
        "greater_than" => |all| ordered(all, Ordering::is_gt),
        "greater_or_equal" => |all| ordered(all, Ordering::is_ge),
        "less_than" => |all| ordered(all, Ordering::is_lt),
        "less_or_equal" => |all| ordered(all, Ordering::is_le),
        "valid_values" => valid_values as Run<'t>,
        "matches" => matches as Run<'t>,
        "has_suffix" => |all| {
            parts(
                all,
                |a, b| a.ends_with(b),
                |a, b| a.len() >= b.len() && same_items(&a[a.len() - b.len()..], b),
            )
        },
        "has_prefix" => |all| {
            parts(all, |a, b| a.starts_with(b), |a, b| a.len() >= b.len() && same_items(&a[..b.len()], b))
        },
        "contains" => |all| {
            parts(
                all,
                |a, b| a.contains(b),
                |a, b| b.is_empty() || a.windows(b.len()).any(|window| same_items(window, b)),
            )
        },
        "has_entry" => |all| among(all, false),
        "has_key" => |all| among(all, true),
        "has_all_entries" | "has_all_keys" | "has_any_entry" | "has_any_key" => {
            return Some(collection(name, place, &arguments()));
        }
        "length" => length as Run<'t>,
        "concat" => concat as Run<'t>,
        "join" => join as Run<'t>,
        "token" => token as Run<'t>,
        "union" => |all| sets(all, |found, _| found),
        "intersection" => |all| sets(all, |found, lists| in_all(&found, lists)),
        "sum" => |all| arithmetic(all, 1, usize::MAX, |a, b| a + b, i64::checked_add),
        "difference" => |all| arithmetic(all, 2, 2, |a, b| a - b, i64::checked_sub),
        "product" => |all| arithmetic(all, 1, usize::MAX, |a, b| a * b, i64::checked_mul),
        "quotient" => quotient as Run<'t>,
        "remainder" => |all| arithmetic(all, 2, 2, |a, b| a % b, i64::checked_rem),
        "round" => |all| {
            rounded(all, |value| {
                if (value - value.floor() - 0.5).abs() < f64::EPSILON { value.floor() } else { value.round() }
            })
        },
        "floor" => |all| rounded(all, f64::floor),
        "ceil" => |all| rounded(all, f64::ceil),
        _ => return None,
    };
    let arguments = arguments();
    Some(finish(name, place, run(&arguments), &arguments))
}

/// The answer of a function.
enum Answer<'t> {
    Bool(bool),
    Value(Content),
    /// A value of the type of an argument.
    Typed(Typed<'t>),
    /// It depends on an argument that is not known.
    Unknown,
    TooLarge,
}

/// The type of a result, as far as it is known before its arguments are.
fn type_of<'t>(name: &str, arguments: &[Typed<'t>]) -> Rc<Schema<'t>> {
    let base = match name {
        "length" | "round" | "floor" | "ceil" => Base::Integer,
        "join" | "token" => Base::String,
        "concat" | "union" | "intersection" | "quotient" => Base::Any,
        "sum" | "difference" | "product" | "remainder" => {
            let open = |one: &&Typed<'t>| matches!(one.datum.value, Content::Unknown(_));
            let mut types = arguments.iter().filter(open).map(|one| &one.schema);
            let first = types.next().filter(|first| types.all(|one| one.base == first.base));
            return first.map_or_else(|| Rc::new(Schema::any()), Rc::clone);
        }
        _ => Base::Boolean,
    };
    Rc::new(Schema { base, ..Schema::any() })
}

fn finish<'t>(
    name: &str,
    place: Place,
    answer: Result<Answer<'t>, String>,
    arguments: &[Typed<'t>],
) -> Outcome<'t> {
    let value = match answer? {
        Answer::Bool(value) => Content::Bool(value),
        Answer::Value(value) => value,
        Answer::Typed(typed) => {
            return Ok(Typed { datum: Datum::new(typed.datum.value, place), schema: typed.schema });
        }
        Answer::Unknown => {
            let datum = Datum::unknown(Why::of(&FUNCTION, name), place);
            return Ok(Typed { datum, schema: type_of(name, arguments) });
        }
        Answer::TooLarge => return Ok(Typed::unknown(Why::plain(&TOO_LARGE), place)),
    };
    Ok(Typed::untyped(Datum::new(value, place)))
}

fn exactly(all: &[Typed<'_>], count: usize) -> Result<(), String> {
    let arguments = if count == 1 { "one argument" } else { "two arguments" };
    if all.len() == count { Ok(()) } else { Err(format!("takes {arguments}, not {}", all.len())) }
}

/// Functions of truth values.
fn logic<'t>(
    all: &[Typed<'t>],
    least: usize,
    decide: impl Fn(&[Option<bool>]) -> Option<bool>,
) -> Result<Answer<'t>, String> {
    if all.len() < least {
        return Err(format!("takes at least {least} arguments, not {}", all.len()));
    }
    let mut values = Vec::new();
    for one in all {
        values.push(match &one.datum.value {
            Content::Bool(value) => Some(*value),
            Content::Unknown(_) => None,
            other => return Err(format!("takes booleans, not {}", kind_of(other))),
        });
    }
    Ok(decide(&values).map_or(Answer::Unknown, Answer::Bool))
}

/// `or` if the deciding value is true, `and` if it is false.
fn decide(all: &[Option<bool>], deciding: bool) -> Option<bool> {
    if all.contains(&Some(deciding)) {
        return Some(deciding);
    }
    all.iter().all(Option::is_some).then_some(!deciding)
}

fn both<'t>(
    all: &[Typed<'t>],
    answer: impl Fn(&Typed<'t>, &Typed<'t>) -> Answer<'t>,
) -> Result<Answer<'t>, String> {
    exactly(all, 2)?;
    let known = all.iter().all(Typed::is_known);
    Ok(if known { answer(&all[0], &all[1]) } else { Answer::Unknown })
}

/// Comparisons, which do not hold of values of different types.
fn ordered<'t>(all: &[Typed<'t>], holds: fn(Ordering) -> bool) -> Result<Answer<'t>, String> {
    let answer = both(all, |a, b| Answer::Bool(compare::order(a, b).is_some_and(holds)))?;
    Ok(if compare::same_kind(&all[0], &all[1]) { answer } else { Answer::Bool(false) })
}

fn valid_values<'t>(all: &[Typed<'t>]) -> Result<Answer<'t>, String> {
    exactly(all, 2)?;
    match &all[1].datum.value {
        Content::List(items) => {
            let item = |item: &Datum| Typed { datum: item.clone(), schema: all[1].schema.clone() };
            if items.iter().any(|one| {
                !one.value.is_partly_unknown() && all[0].is_known() && compare::equal(&all[0], &item(one))
            }) {
                return Ok(Answer::Bool(true));
            }
            let known = all.iter().all(Typed::is_known);
            Ok(if known { Answer::Bool(false) } else { Answer::Unknown })
        }
        Content::Unknown(_) => Ok(Answer::Unknown),
        other => Err(format!("takes a list of values as its second argument, not {}", kind_of(other))),
    }
}

/// Whether a pattern is found in a text; nothing if that takes too long.
pub(crate) fn pattern(pattern: &str, text: &str) -> Result<Option<bool>, String> {
    let regex = RegexBuilder::new(&plain_classes(pattern)).backtrack_limit(BACKTRACK).build();
    let regex = regex.map_err(|error| format!("has a pattern that cannot be read: {error}"))?;
    Ok(regex.is_match(text).ok())
}

fn matches<'t>(all: &[Typed<'t>]) -> Result<Answer<'t>, String> {
    exactly(all, 2)?;
    let Content::Str(expression) = &all[1].datum.value else {
        return match &all[1].datum.value {
            Content::Unknown(_) => Ok(Answer::Unknown),
            other => Err(format!("takes a pattern as its second argument, not {}", kind_of(other))),
        };
    };
    match &all[0].datum.value {
        Content::Str(text) => Ok(pattern(expression, text)?.map_or(Answer::Unknown, Answer::Bool)),
        Content::Unknown(_) => pattern(expression, "").map(|_| Answer::Unknown),
        _ => Ok(Answer::Bool(false)),
    }
}

fn parts<'t>(
    all: &[Typed<'t>],
    text: impl Fn(&str, &str) -> bool,
    list: impl Fn(&[Datum], &[Datum]) -> bool,
) -> Result<Answer<'t>, String> {
    exactly(all, 2)?;
    match (&all[0].datum.value, &all[1].datum.value) {
        (Content::Str(a), Content::Str(b)) => Ok(Answer::Bool(text(a, b))),
        (Content::List(a), Content::List(b)) => {
            let known = all.iter().all(Typed::is_known);
            Ok(if known { Answer::Bool(list(a, b)) } else { Answer::Unknown })
        }
        (Content::Unknown(_), _) | (_, Content::Unknown(_)) => Ok(Answer::Unknown),
        (a, b) => Err(format!("takes two strings or two lists, not {} and {}", kind_of(a), kind_of(b))),
    }
}

/// The entries or keys of a list or map.
fn entries(value: &Content, keys: bool) -> Option<Vec<Content>> {
    match value {
        Content::List(items) if !keys => Some(items.iter().map(|item| item.value.clone()).collect()),
        Content::Map(fields) if keys => {
            Some(fields.iter().map(|field| Content::Str(Arc::clone(&field.key))).collect())
        }
        Content::Map(fields) => Some(fields.iter().map(|field| field.value.value.clone()).collect()),
        _ => None,
    }
}

fn among<'t>(all: &[Typed<'t>], keys: bool) -> Result<Answer<'t>, String> {
    exactly(all, 2)?;
    if let Content::Unknown(_) = all[0].datum.value {
        return Ok(Answer::Unknown);
    }
    let Some(found) = entries(&all[0].datum.value, keys) else {
        let wanted = if keys { "a map" } else { "a list or a map" };
        return Err(format!("takes {wanted} as its first argument, not {}", kind_of(&all[0].datum.value)));
    };
    let known = all[1].is_known() && !found.iter().any(Content::is_partly_unknown);
    let holds = found.iter().any(|one| same(one, &all[1].datum.value));
    Ok(if known { Answer::Bool(holds) } else { Answer::Unknown })
}

fn collection<'t>(name: &str, place: Place, all: &[Typed<'t>]) -> Outcome<'t> {
    exactly(all, 2)?;
    let keys = name.ends_with("keys") || name.ends_with("key");
    let (first, second) = (&all[0].datum.value, &all[1].datum.value);
    if !all.iter().all(Typed::is_known) {
        return finish(name, place, Ok(Answer::Unknown), all);
    }
    let (Some(have), Some(wanted)) = (entries(first, keys), entries(second, false)) else {
        return Err(format!("takes a collection and a list, not {} and {}", kind_of(first), kind_of(second)));
    };
    let has = |one: &Content| have.iter().any(|other| same(other, one));
    let holds = if name.starts_with("has_all") { wanted.iter().all(has) } else { wanted.iter().any(has) };
    finish(name, place, Ok(Answer::Bool(holds)), all)
}

fn length<'t>(all: &[Typed<'t>]) -> Result<Answer<'t>, String> {
    // A list as the only argument may be written without the list of arguments around it.
    let count = match all {
        [one] => match &one.datum.value {
            Content::Str(text) => text.chars().count(),
            Content::List(items) => items.len(),
            Content::Map(fields) => fields.len(),
            Content::Unknown(_) => return Ok(Answer::Unknown),
            other => return Err(format!("takes a string, a list or a map, not {}", kind_of(other))),
        },
        _ => return Err(format!("takes one argument, not {}", all.len())),
    };
    Ok(Answer::Value(Content::Int(count as i64)))
}

fn concat<'t>(all: &[Typed<'t>]) -> Result<Answer<'t>, String> {
    if all.is_empty() {
        return Err("needs something to put together".to_owned());
    }
    if all.iter().all(|one| matches!(one.datum.value, Content::List(_))) {
        let mut items = Vec::new();
        for one in all {
            if let Content::List(list) = &one.datum.value {
                items.extend(list.iter().cloned());
            }
            if items.len() > LONGEST {
                return Ok(Answer::TooLarge);
            }
        }
        return Ok(Answer::Value(Content::List(items.into())));
    }
    let may_be_list = |one: &Typed<'_>| matches!(one.datum.value, Content::List(_) | Content::Unknown(_));
    if all.iter().all(may_be_list) {
        return Ok(Answer::Unknown);
    }
    texts(all.iter().map(|one| &one.datum.value), "")
}

/// Joins texts. Numbers are written out, since many files rely on it.
fn texts<'t, 'v>(all: impl Iterator<Item = &'v Content>, between: &str) -> Result<Answer<'t>, String> {
    let mut text = String::new();
    let mut known = true;
    for (at, one) in all.enumerate() {
        if at > 0 {
            text.push_str(between);
        }
        match one {
            Content::Str(part) => text.push_str(part),
            Content::Int(_) | Content::Float(_) | Content::Bool(_) => text.push_str(&text_of(one)),
            Content::Unknown(_) => known = false,
            other => return Err(format!("takes strings, not {}", kind_of(other))),
        }
        if text.len() > LONGEST {
            return Ok(Answer::TooLarge);
        }
    }
    Ok(if known { Answer::Value(Content::str(&text)) } else { Answer::Unknown })
}

fn join<'t>(all: &[Typed<'t>]) -> Result<Answer<'t>, String> {
    let between = match all {
        [_] => "",
        [_, between] => match &between.datum.value {
            Content::Str(text) => text,
            Content::Unknown(_) => return Ok(Answer::Unknown),
            other => return Err(format!("takes a string between the others, not {}", kind_of(other))),
        },
        _ => {
            return Err(format!(
                "takes a list and a string between its entries, not {} arguments",
                all.len()
            ));
        }
    };
    match &all[0].datum.value {
        Content::List(items) => texts(items.iter().map(|item| &item.value), between),
        Content::Unknown(_) => Ok(Answer::Unknown),
        other => Err(format!("takes a list of strings, not {}", kind_of(other))),
    }
}

fn token<'t>(all: &[Typed<'t>]) -> Result<Answer<'t>, String> {
    let [text, separators, index] = all else {
        return Err(format!(
            "takes a string, the characters between its parts and an index, not {} arguments",
            all.len()
        ));
    };
    match (&text.datum.value, &separators.datum.value, &index.datum.value) {
        (Content::Str(text), Content::Str(separators), Content::Int(index)) => {
            let mut parts = text.split(|letter| separators.contains(letter));
            let part = usize::try_from(*index).ok().and_then(|at| parts.nth(at));
            part.map(|part| Answer::Value(Content::str(part)))
                .ok_or_else(|| format!("has no part {index} of `{text}`"))
        }
        (
            Content::Str(_) | Content::Unknown(_),
            Content::Str(_) | Content::Unknown(_),
            Content::Int(_) | Content::Unknown(_),
        ) => Ok(Answer::Unknown),
        (text, separators, index) => Err(format!(
            "takes a string, a string and an integer, not {}, {} and {}",
            kind_of(text),
            kind_of(separators),
            kind_of(index)
        )),
    }
}

fn sets<'t>(
    all: &[Typed<'t>],
    choose: impl Fn(Vec<Datum>, &[&Arc<[Datum]>]) -> Vec<Datum>,
) -> Result<Answer<'t>, String> {
    let mut lists = Vec::new();
    for one in all {
        match &one.datum.value {
            Content::List(items) if one.is_known() => lists.push(items),
            Content::List(_) | Content::Unknown(_) => return Ok(Answer::Unknown),
            other => return Err(format!("takes lists, not {}", kind_of(other))),
        }
    }
    let mut found: Vec<Datum> = Vec::new();
    for item in lists.iter().flat_map(|list| list.iter()) {
        if found.len() > 10_000 {
            return Ok(Answer::TooLarge);
        }
        if !found.iter().any(|known| same(&known.value, &item.value)) {
            found.push(item.clone());
        }
    }
    Ok(Answer::Value(Content::List(choose(found, &lists).into())))
}

fn in_all(found: &[Datum], lists: &[&Arc<[Datum]>]) -> Vec<Datum> {
    let everywhere =
        |one: &&Datum| lists.iter().all(|list| list.iter().any(|item| same(&item.value, &one.value)));
    found.iter().filter(everywhere).cloned().collect()
}

fn arithmetic<'t>(
    all: &[Typed<'t>],
    least: usize,
    most: usize,
    float: fn(f64, f64) -> f64,
    integer: fn(i64, i64) -> Option<i64>,
) -> Result<Answer<'t>, String> {
    if all.len() < least || all.len() > most {
        return Err(format!("takes {} arguments, not {}", if most == 2 { "two" } else { "some" }, all.len()));
    }
    let known = all.iter().all(Typed::is_known);
    if let Some(scalar) = all.iter().find(|one| matches!(one.schema.base, Base::Scalar(_))) {
        // The sum of scalars is a scalar, which is not written out here.
        return Ok(Answer::Typed(Typed {
            datum: Datum::unknown(Why::of(&FUNCTION, "sum"), scalar.datum.place),
            schema: scalar.schema.clone(),
        }));
    }
    if !known {
        return Ok(Answer::Unknown);
    }
    let integers: Option<Vec<i64>> = all
        .iter()
        .map(|one| if let Content::Int(value) = one.datum.value { Some(value) } else { None })
        .collect();
    if let Some(values) = integers {
        let mut rest = values.iter().copied();
        let first = rest.next().unwrap_or(0);
        let result = rest.try_fold(first, integer);
        return result
            .map(|value| Answer::Value(Content::Int(value)))
            .ok_or_else(|| "has no result in 64 bits".to_owned());
    }
    let mut result = None;
    for one in all {
        let Some(value) = number(&one.datum.value) else {
            // Texts with a unit, of which nothing tells the type.
            return match one.datum.value {
                Content::Str(_) => Ok(Answer::Unknown),
                _ => Err(format!("takes numbers, not {}", kind_of(&one.datum.value))),
            };
        };
        result = Some(result.map_or(value, |sum| float(sum, value)));
    }
    Ok(Answer::Value(Content::Float(result.unwrap_or_default())))
}

fn quotient<'t>(all: &[Typed<'t>]) -> Result<Answer<'t>, String> {
    both(all, |a, b| match (number(&a.datum.value), number(&b.datum.value)) {
        (Some(a), Some(b)) if b != 0.0 => Answer::Value(Content::Float(a / b)),
        _ => Answer::Unknown,
    })
}

fn rounded<'t>(all: &[Typed<'t>], round: fn(f64) -> f64) -> Result<Answer<'t>, String> {
    exactly(all, 1)?;
    match &all[0].datum.value {
        Content::Float(value) => Ok(Answer::Value(Content::Int(round(*value) as i64))),
        Content::Int(value) => Ok(Answer::Value(Content::Int(*value))),
        Content::Unknown(_) => Ok(Answer::Unknown),
        other => Err(format!("takes a float, not {}", kind_of(other))),
    }
}
