//! `TLCGet` and `TLCSet`: registers, and what a specification can ask about the check that it is part of.
//!
//! The level of a state is the same whoever looks at it. Registers and the figures of the search are not: they depend
//! on the order in which states are looked at, so a specification that uses them is checked by one worker
//! ([`is_ordered`]), which gives what TLC gives with one worker.

use std::sync::atomic::Ordering;

use locus_explore::Figures;

use crate::eval::Context;
use crate::eval::ir::{Kind, Node};
use crate::value::{Fault, FaultKind, Names, Outcome, Truth, Value};

/// Whether what `TLCGet`, `TLCSet` and their like do with these operands may depend on the order in which states are
/// looked at. Only `TLCGet` of what is the same for every worker does not.
pub fn is_ordered(names: &Names, operands: &[Node]) -> bool {
    let [Node { kind: Kind::Const(Value::Str(name)), .. }] = operands else { return true };
    !matches!(&*names.text(*name), "level" | "config" | "duration" | "revision")
}

/// `TLCGet(i)`.
pub(super) fn get(context: &mut Context, args: &[Value]) -> Outcome<Value> {
    if let Value::Str(name) = &args[0] {
        let name = context.names().text(*name);
        if !name.starts_with(NAMED) {
            return known(context, &name);
        }
    }
    match register(context, &args[0])? {
        Some(value) => Ok(value),
        None => Err(Fault::other(format!(
            "TLCGet of register {}, which has not been set",
            args[0].shown(context.names())
        ))),
    }
}

/// `TLCGetOrDefault(i, v)`.
pub(super) fn get_or_default(context: &mut Context, args: &[Value]) -> Outcome<Value> {
    Ok(register(context, &args[0])?.unwrap_or_else(|| args[1].clone()))
}

/// `TLCSet(i, v)`.
pub(super) fn set(context: &mut Context, args: &[Value]) -> Outcome<Value> {
    if let Value::Str(name) = &args[0]
        && &*context.names().text(*name) == "exit"
    {
        if matches!(args[1], Value::Bool(Truth::True)) {
            context.shared.session.exit.store(true, Ordering::Relaxed);
        }
        return Ok(Value::TRUE);
    }
    check_key(context, "TLCSet", &args[0])?;
    let mut registers = context.shared.session.registers.lock().expect("no panic while locked");
    registers.insert(args[0].clone(), args[1].clone());
    Ok(Value::TRUE)
}

/// The prefix of the names of registers that are strings.
const NAMED: &str = "s:";

fn register(context: &Context, key: &Value) -> Outcome<Option<Value>> {
    check_key(context, "TLCGet", key)?;
    let registers = context.shared.session.registers.lock().expect("no panic while locked");
    Ok(registers.get(key).cloned())
}

/// Registers are numbered, or named by strings that begin with `s:`.
fn check_key(context: &Context, operator: &'static str, key: &Value) -> Outcome<()> {
    match key {
        Value::Int(number) if *number >= 0 => Ok(()),
        Value::Str(name) if context.names().text(*name).starts_with(NAMED) => Ok(()),
        other => Err(Fault::wrong(operator, "a number from 0 on, or a string that begins with `s:`", other)),
    }
}

/// The values that can be requested by name.
fn known(context: &mut Context, name: &str) -> Outcome<Value> {
    match name {
        "level" => Ok(Value::Int(i64::from(context.level))),
        "duration" => Ok(duration(context)),
        "config" => config(context),
        "stats" => stats(context),
        "all" => Ok(all(context, |key| matches!(key, Value::Int(_)))),
        "all:named" => Ok(all(context, |key| matches!(key, Value::Str(_)))),
        "revision" => Ok(revision(context)),
        "generated" => Ok(number(figures(context, name)?.generated)),
        "distinct" => Ok(number(figures(context, name)?.distinct)),
        "queue" => Ok(number(figures(context, name)?.queue)),
        "diameter" => Ok(number(figures(context, name)?.depth.into())),
        // Action composition needs a switch in TLC; here it is always there.
        "-Dtlc2.tool.impl.Tool.cdot" => Ok(Value::string(context.names(), "true")),
        _ => Err(Fault::kind(FaultKind::Unsupported(format!("TLCGet(\"{name}\")")))),
    }
}

/// Of each register that has been set, the value it has for each worker. There is one: see [`is_ordered`].
fn all(context: &Context, wanted: fn(&Value) -> bool) -> Value {
    let registers = context.shared.session.registers.lock().expect("no panic while locked");
    let wanted = registers.iter().filter(|(key, _)| wanted(key));
    let one = |value: &Value| Value::function_of(vec![(Value::Int(1), value.clone())]);
    Value::function_of(wanted.map(|(key, value)| (key.clone(), one(value))).collect())
}

/// The answer to assumptions about the version of the checker: the time of the TLC whose language this is. The number
/// of its commits is left out, since it is no number of ours.
fn revision(context: &Context) -> Value {
    let text = |text: &str| Value::string(context.names(), text);
    let fields = vec![
        ("calver", text("2025.01.01.000000")),
        ("date", text("2025-01-01T00:00:00.0Z")),
        ("tag", text("locus")),
        ("timestamp", Value::Int(1_735_689_600)),
    ];
    record(context, fields)
}

fn number(count: u64) -> Value {
    Value::Int(i64::try_from(count).unwrap_or(i64::MAX))
}

/// The figures of the search that is going on, or of the one that has ended.
fn figures(context: &Context, name: &str) -> Outcome<Figures> {
    let session = &context.shared.session;
    let ended = || session.ended.get().map(|ended| ended.figures);
    context.figures.or_else(ended).ok_or_else(|| {
        let simulated = session.settings.get().is_some_and(|settings| settings.simulation.is_some());
        let place = if simulated { "in a simulation" } else { "where no state is being explored" };
        Fault::kind(FaultKind::Unsupported(format!("TLCGet(\"{name}\") {place}")))
    })
}

/// Whole seconds since the check began.
fn duration(context: &Context) -> Value {
    let settings = context.shared.session.settings.get();
    number(settings.map_or(0, |settings| settings.started.elapsed().as_secs()))
}

fn record(context: &Context, fields: Vec<(&str, Value)>) -> Value {
    let names = context.names();
    Value::function_of(fields.into_iter().map(|(name, value)| (Value::string(names, name), value)).collect())
}

fn stats(context: &Context) -> Outcome<Value> {
    let now = figures(context, "stats")?;
    let mut fields = vec![
        ("generated", number(now.generated)),
        ("distinct", number(now.distinct)),
        ("queue", number(now.queue)),
        ("diameter", number(now.depth.into())),
        ("duration", duration(context)),
        ("worker", Value::Int(0)),
    ];
    if let Some(ended) = context.shared.session.ended.get() {
        fields.push(("initial", number(ended.initial)));
    }
    Ok(record(context, fields))
}

fn config(context: &Context) -> Outcome<Value> {
    let Some(settings) = context.shared.session.settings.get() else {
        let what = "TLCGet(\"config\") in the value of a constant".to_owned();
        return Err(Fault::kind(FaultKind::Unsupported(what)));
    };
    let mode = if settings.simulation.is_some() { "simulate" } else { "bfs" };
    let mut fields = vec![
        ("mode", Value::string(context.names(), mode)),
        ("deadlock", Value::from(settings.deadlock)),
        ("worker", number(settings.workers as u64)),
    ];
    if let Some((seed, behaviours, depth)) = settings.simulation {
        fields.push(("seed", Value::string(context.names(), &seed.to_string())));
        fields.push(("traces", behaviours.map_or(Value::Int(-1), number)));
        fields.push(("depth", number(depth.into())));
    }
    Ok(record(context, fields))
}
