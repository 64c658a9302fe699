//! The grammar of state machines: where they start, which states follow which, and whether each can be reached.

use std::collections::BTreeSet;
use std::sync::Arc;

use locus_schema::{Content, Datum, Field};
use locus_source::words::{did_you_mean, short};
use locus_source::{Finding, Place};
use serde_json::Value as Json;

use crate::rules::STATES;

const TYPES: &[&str] = &["Choice", "Fail", "Map", "Parallel", "Pass", "Succeed", "Task", "Wait"];

/// Machines within machines are looked at so deep.
const DEEPEST: usize = 16;

/// Reports what is wrong with a definition that is a map.
pub(crate) fn check(name: &str, definition: &Datum, out: &mut Vec<Finding>) {
    machine(name, definition, 0, out);
}

/// The same of a text that is JSON. One with substitutions is JSON only once they are made.
pub(crate) fn check_text(name: &str, definition: &Datum, has_substitutions: bool, out: &mut Vec<Finding>) {
    let Some(text) = definition.as_str() else { return };
    match serde_json::from_str::<Json>(text) {
        Ok(json @ Json::Object(_)) => machine(name, &datum(&json, definition.place), 0, out),
        Ok(_) => say(name, definition.place, "must be a map", out),
        Err(_) if has_substitutions => {}
        Err(error) => say(name, definition.place, &format!("is not JSON: {error}"), out),
    }
}

fn say(name: &str, place: Place, what: &str, out: &mut Vec<Finding>) {
    out.push(Finding::new(
        &STATES,
        place,
        format!("the definition of the state machine `{}` {what}", short(name)),
    ));
}

fn datum(json: &Json, place: Place) -> Datum {
    let value = match json {
        Json::Null => Content::Null,
        Json::Bool(value) => Content::Bool(*value),
        Json::Number(number) => {
            number.as_i64().map_or_else(|| Content::Float(number.as_f64().unwrap_or(f64::NAN)), Content::Int)
        }
        Json::String(text) => Content::str(text),
        Json::Array(items) => Content::List(items.iter().map(|item| datum(item, place)).collect()),
        Json::Object(fields) => Content::Map(
            fields
                .iter()
                .map(|(key, value)| Field { key: key.as_str().into(), place, value: datum(value, place) })
                .collect::<Arc<[Field]>>(),
        ),
    };
    Datum::new(value, place)
}

fn machine(name: &str, definition: &Datum, depth: usize, out: &mut Vec<Finding>) {
    if depth > DEEPEST || !matches!(definition.value, Content::Map(_)) {
        return;
    }
    let Some(states) = definition.get("States") else {
        return say(name, definition.place, "lacks `States`", out);
    };
    let Content::Map(fields) = &states.value else { return };
    // A text with substitutions in it may be the name of any state.
    let is_open = |text: &str| text.contains("${");
    let all: Vec<&str> = fields.iter().map(|field| &*field.key).collect();
    let mut reached: BTreeSet<&str> = BTreeSet::new();
    let mut is_known = !all.iter().any(|one| is_open(one));
    let follow = |from: &str, to: &Datum, out: &mut Vec<Finding>| -> Option<String> {
        let text = to.as_str()?;
        if !all.contains(&text) && !is_open(text) {
            let message = format!(
                "the definition of the state machine `{}` has no state `{}`, to which {from} leads",
                short(name),
                short(text)
            );
            out.push(did_you_mean(Finding::new(&STATES, to.place, message), text, all.iter().copied()));
        }
        Some(text.to_owned())
    };
    let mut targets: Vec<String> = Vec::new();
    match definition.get("StartAt") {
        Some(start) => match follow("its `StartAt`", start, out) {
            Some(target) => targets.push(target),
            None => is_known = false,
        },
        None => say(name, definition.place, "lacks `StartAt`", out),
    }
    for field in fields.iter() {
        let (state, at) = (&field.value, format!("the state `{}`", short(&field.key)));
        if !matches!(state.value, Content::Map(_)) {
            is_known = false;
            continue;
        }
        let kind = state.get("Type").and_then(Datum::as_str);
        match state.get("Type") {
            None => say(name, field.place, &format!("has no `Type` for {at}"), out),
            Some(given) => {
                if let Some(text) = given.as_str().filter(|text| !TYPES.contains(text) && !is_open(text)) {
                    say(
                        name,
                        given.place,
                        &format!("has the type `{}` for {at}, which there is not", short(text)),
                        out,
                    );
                }
            }
        }
        let mut next: Vec<&Datum> = state.get("Next").into_iter().chain(state.get("Default")).collect();
        for key in ["Choices", "Catch"] {
            next.extend(state.get(key).into_iter().flat_map(Datum::items).filter_map(|one| one.get("Next")));
        }
        for to in next {
            match follow(&at, to, out) {
                Some(target) => targets.push(target),
                None => is_known = false,
            }
        }
        let goes_on = state.get("Next").is_some() || state.get("End").is_some();
        if matches!(kind, Some("Task" | "Pass" | "Wait" | "Parallel" | "Map")) && !goes_on {
            say(name, field.place, &format!("has neither `Next` nor `End` for {at}"), out);
        }
        for inner in ["Iterator", "ItemProcessor"] {
            if let Some(inner) = state.get(inner) {
                machine(name, inner, depth + 1, out);
            }
        }
        for branch in state.get("Branches").into_iter().flat_map(Datum::items) {
            machine(name, branch, depth + 1, out);
        }
    }
    reached.extend(targets.iter().map(String::as_str));
    if is_known && definition.get("StartAt").is_some() && !targets.iter().any(|target| is_open(target)) {
        for field in fields.iter().filter(|field| !reached.contains(&*field.key)) {
            say(
                name,
                field.place,
                &format!("has the state `{}`, to which nothing leads", short(&field.key)),
                out,
            );
        }
    }
}
