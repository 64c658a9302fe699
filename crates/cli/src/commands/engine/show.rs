//! `locus status`, `events`, `cancel` and `drift`.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{anyhow, bail};
use locus_deploy::goal_of;
use locus_drivers::{End, Found, Order, Seen, everything, known, shown};
use locus_engine::{About, Does, Happened, Input, Node, Phase, StepState, Time, verify, verify_end};
use locus_store::{Stored, StoredEvent};
use serde_json::{Value, json as value};

use super::args::{Cancel, Drift, Events, Status};
use super::{Home, keys, put, run, timeline};
use crate::Outcome;
use crate::args::{Global, TextFormat};
use crate::page::Page;
use crate::report::counted;
use crate::terminal::Terminal;

/// A deployment, for programs.
pub(super) fn json(stored: &Stored) -> Value {
    let state = &stored.state;
    let steps = |wanted: StepState| state.steps.iter().filter(|step| step.state == wanted).count();
    let nodes: Vec<Value> = state
        .nodes
        .iter()
        .filter(|(_, node)| node.present)
        .map(|(name, node)| {
            let outputs: BTreeMap<&String, String> =
                node.outputs.iter().map(|(key, value)| (key, shown(value))).collect();
            value!({ "name": name, "key": keys::json(&node.desired), "id": node.id, "outputs": outputs })
        })
        .collect();
    let unknown: Vec<Value> = state
        .steps
        .iter()
        .filter(|step| step.state == StepState::Unknown)
        .map(|step| {
            let planned = &step.planned;
            value!({
                "node": planned.node,
                "key": keys::json(&planned.desired),
                "operation": planned.operation,
                "reason": step.reason,
            })
        })
        .collect();
    value!({
        "name": stored.name,
        "incarnation": stored.incarnation,
        "status": state.status.as_str(),
        "goes_on": state.phase != Phase::Idle,
        "request": state.requests.last().map(|request| request.status.as_str()),
        "steps": {
            "all": state.steps.len(),
            "done": steps(StepState::Done),
            "failed": steps(StepState::Failed),
        },
        "unknown": unknown,
        "nodes": nodes,
    })
}

/// The steps that somebody works on, each with the moment at which it was intended last, in milliseconds since 1970.
fn running(home: &Home, stored: &Stored) -> anyhow::Result<Vec<(String, String, Option<Time>)>> {
    let state = &stored.state;
    if state.claimed().next().is_none() {
        return Ok(Vec::new());
    }
    let mut begun: BTreeMap<String, Time> = BTreeMap::new();
    for event in home.store.events(stored, 0)? {
        if let (About::Step(token), "intended") = (event.happened.about, event.happened.status.as_str()) {
            begun.insert(token, event.at);
        }
    }
    let claimed = state.claimed().map(|place| &state.steps[place as usize]);
    let told = claimed.map(|step| {
        let planned = &step.planned;
        (planned.operation.clone(), planned.node.clone(), begun.get(&step.token).copied())
    });
    Ok(told.collect())
}

pub(crate) fn status(command: &Status, _: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let home = Home::read(&command.kept)?;
    let all = match &command.name {
        Some(name) => vec![home.deployment(name)?],
        None => home.store.all()?,
    };
    if command.kept.format == TextFormat::Json {
        let mut deployments = Vec::new();
        for stored in &all {
            let mut one = json(stored);
            let running = running(&home, stored)?.into_iter().map(
                |(operation, node, since)| value!({ "operation": operation, "node": node, "since": since }),
            );
            one["running"] = running.collect();
            deployments.push(one);
        }
        terminal.json(value!({ "deployments": deployments }).to_string())?;
        return Ok(Outcome::Clean);
    }
    let mut page = Page::new(terminal.style());
    if all.is_empty() {
        page.line("nothing was deployed from here");
    }
    for stored in &all {
        let state = &stored.state;
        let present = state.nodes.values().filter(|node| node.present).count();
        let done = state.steps.iter().filter(|step| step.state == StepState::Done).count();
        page.line(&format!("{}: {}, {}", stored.name, state.status.as_str(), counted(present, "node")));
        if state.phase != Phase::Idle {
            page.line(&format!("  {done} of {} steps are done", state.steps.len()));
        }
        for (operation, node, since) in running(&home, stored)? {
            let seconds = since.map(|since| super::now().saturating_sub(since) / 1000);
            let since = seconds.map_or_else(String::new, |seconds| format!(" for {seconds} s"));
            page.line(&format!("  {operation} {node} runs{since}"));
        }
        for step in &state.steps {
            let (what, reason) = match step.state {
                StepState::Unknown => ("cannot be told", &step.reason),
                StepState::Failed => ("failed", &step.reason),
                _ => continue,
            };
            page.line(&format!("  {} {} {what}: {reason}", step.planned.operation, step.planned.node));
        }
        if command.name.is_some() {
            for (name, node) in state.nodes.iter().filter(|(_, node)| node.present) {
                page.line(&format!("  {name} {}", node.id));
            }
        }
    }
    terminal.page(&page)?;
    Ok(Outcome::Clean)
}

fn event_json(event: &StoredEvent) -> Value {
    let (request, token) = match &event.happened.about {
        About::Deployment | About::Node(_) => (None, None),
        About::Request(rank) => (Some(rank), None),
        About::Step(token) => (None, Some(token)),
    };
    value!({
        "sequence": event.happened.sequence,
        "at": event.at,
        "request": request,
        "token": token,
        "node": event.node,
        "operation": event.operation,
        "status": event.happened.status,
        "reason": event.reason,
    })
}

/// A moment as a date and time of day in UTC.
fn utc(at: Time) -> String {
    let (days, rest) = (at / 86_400_000, at % 86_400_000);
    // Years begin in March, so that the day that not all of them have is the last one.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = year + era * 400 + u64::from(month <= 2);
    let (seconds, thousandths) = (rest / 1000, rest % 1000);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{thousandths:03}Z")
}

fn event_line(event: &StoredEvent) -> String {
    let about = match &event.happened.about {
        About::Deployment => "deployment".to_owned(),
        About::Request(rank) => format!("request {rank}"),
        About::Node(name) => name.clone(),
        About::Step(_) => format!("{} {}", event.operation, event.node),
    };
    let why = if event.reason.is_empty() { String::new() } else { format!(": {}", event.reason) };
    format!("{:>5} {} {about} {}{why}", event.happened.sequence, utc(event.at), event.happened.status)
}

pub(crate) fn events(command: &Events, _: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let home = Home::read(&command.kept)?;
    let mut stored = home.deployment(&command.name)?;
    let is_json = command.kept.format == TextFormat::Json;
    if command.verify {
        let happened: Vec<Happened> =
            home.store.events(&stored, 0)?.into_iter().map(|event| event.happened).collect();
        // Events that came since are not in what was loaded before.
        stored = home.deployment(&command.name)?;
        let known = happened.iter().filter(|event| event.sequence <= stored.events).count();
        let is_newest = known == happened.len() && known as u64 == stored.events;
        let verified = verify(&happened)
            .and_then(|()| if is_newest { verify_end(&happened, &stored.state) } else { Ok(()) });
        let (outcome, word) = match verified {
            Ok(()) => (Outcome::Clean, format!("{} events can have happened so", happened.len())),
            Err(fault) => (Outcome::Findings, format!("event {}: {}", fault.sequence, fault.reason)),
        };
        if is_json {
            let verified = outcome == Outcome::Clean;
            terminal
                .json(value!({ "name": stored.name, "verified": verified, "message": word }).to_string())?;
        } else {
            terminal.text(&format!("{}: {word}\n", stored.name))?;
        }
        return Ok(outcome);
    }
    if command.svg {
        let picture = timeline::svg(&stored.name, &home.store.events(&stored, 0)?).ok_or_else(|| {
            anyhow!("{} has more than {} nodes, which no picture can show", stored.name, timeline::MOST)
        })?;
        terminal.text(&picture)?;
        return Ok(Outcome::Clean);
    }
    let mut after = 0;
    loop {
        let goes_on = stored.state.phase != Phase::Idle;
        for event in home.store.events(&stored, after)? {
            after = event.happened.sequence;
            if is_json {
                terminal.json(event_json(&event).to_string())?;
            } else {
                let mut page = Page::new(terminal.style());
                page.line(&event_line(&event));
                terminal.page(&page)?;
            }
        }
        if !command.follow || !goes_on {
            return Ok(Outcome::Clean);
        }
        std::thread::sleep(Duration::from_millis(200));
        stored = home.deployment(&command.name)?;
    }
}

/// Returns the answer of a command about a deployment, for programs.
pub(super) fn answer(stored: &Stored, word: &str, outcome: Outcome) -> Value {
    let mut answer = json(stored);
    answer["outcome"] = value!(word);
    answer["exit_code"] = value!(outcome as u8);
    answer
}

/// Says what a command has done to a deployment.
pub(super) fn said(
    stored: &Stored,
    word: &str,
    format: TextFormat,
    terminal: &Terminal,
    outcome: Outcome,
) -> anyhow::Result<Outcome> {
    if format == TextFormat::Json {
        terminal.json(answer(stored, word, outcome).to_string())?;
    } else {
        let mut page = Page::new(terminal.style());
        page.line(&format!("{}: {} ({word})", stored.name, stored.state.status.as_str()));
        terminal.page(&page)?;
    }
    Ok(outcome)
}

pub(crate) fn cancel(command: &Cancel, global: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let home = Home::open(&command.kept)?;
    let mut stored = home.deployment(&command.name)?;
    let cancelled = put(&*home.store, &mut stored, &Input::Cancel { discard: false })?;
    let is_going_back = matches!(stored.state.phase, Phase::DrainToUndo | Phase::Back);
    // A rollback that was interrupted is what was asked for.
    if let Some(refusal) = cancelled.err().filter(|_| !is_going_back) {
        bail!(
            "nothing of {} can be cancelled: it is {}, and {refusal}",
            stored.name,
            stored.state.status.as_str()
        );
    }
    // Another process may be at work; whoever comes first undoes it.
    let end = run(&home, &mut stored, command.parallel, (!global.quiet).then_some(terminal))?;
    match end {
        End::Rests => said(&stored, "cancelled", command.kept.format, terminal, Outcome::Clean),
        End::Unknown(nodes) => {
            let word = format!("cannot be told: {}", nodes.join(", "));
            said(&stored, &word, command.kept.format, terminal, Outcome::CouldNotRun)
        }
        End::Left => said(&stored, "left as it is", command.kept.format, terminal, Outcome::CouldNotRun),
    }
}

/// The findings about each node that is there, and the things of the deployment that are no node.
pub(super) struct Looked {
    pub(super) nodes: Vec<(String, Seen)>,
    pub(super) strangers: Vec<Found>,
}

/// Asks the driver about a deployment.
pub(super) fn look(home: &Home, stored: &Stored) -> anyhow::Result<Looked> {
    let goal = goal_of(&stored.state)?.ok_or_else(|| anyhow!("nothing was ever to be deployed"))?;
    let driver = home.driver(&goal, &stored.name)?;
    let present = stored.state.nodes.iter().filter(|(_, node)| node.present);
    let order = |(name, node): (&String, &Node)| Order {
        token: String::new(),
        deployment: stored.name.clone(),
        node: name.clone(),
        does: Does::Change,
        operation: "check".to_owned(),
        desired: node.desired.clone(),
        id: node.id.clone(),
        handle: String::new(),
        known: known(&stored.state, name, &node.desired),
    };
    let orders: Vec<Order> = present.clone().map(order).collect();
    let seen = driver.look_all(&orders);
    let nodes = orders.into_iter().map(|order| order.node).zip(seen).collect();
    let mut strangers = Vec::new();
    // What is under way has no id yet.
    if driver.ability().lists && !stored.origin.is_empty() && stored.state.phase == Phase::Idle {
        let found = everything(&*driver, &stored.token("")).map_err(|failure| anyhow!(failure.words()))?;
        let ids: Vec<&str> = present.map(|(_, node)| node.id.as_str()).collect();
        strangers = locus_drivers::strangers(found, &ids);
    }
    Ok(Looked { nodes, strangers })
}

pub(crate) fn drift(command: &Drift, _: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let home = Home::read(&command.kept)?;
    let stored = home.deployment(&command.name)?;
    let mut outcome = Outcome::Clean;
    let mut found = Vec::new();
    let looked = look(&home, &stored)?;
    for (name, seen) in looked.nodes {
        let (word, reason, worst) = match seen {
            Seen::There => ("there", String::new(), Outcome::Clean),
            Seen::Changed(what) => ("changed", what, Outcome::Findings),
            Seen::Gone => ("gone", String::new(), Outcome::Findings),
            Seen::Unsure(reason) => ("unsure", reason, Outcome::CouldNotRun),
        };
        outcome = outcome.max(worst);
        found.push((name, word, reason));
    }
    for stranger in looked.strangers {
        outcome = outcome.max(Outcome::Findings);
        found.push((stranger.id, "unknown", format!("it was made by {}", stranger.token)));
    }
    if command.kept.format == TextFormat::Json {
        let nodes: Vec<Value> = found
            .iter()
            .map(|(name, word, reason)| value!({ "name": name, "seen": word, "reason": reason }))
            .collect();
        terminal
            .json(value!({ "name": stored.name, "nodes": nodes, "exit_code": outcome as u8 }).to_string())?;
        return Ok(outcome);
    }
    let mut page = Page::new(terminal.style());
    for (name, word, reason) in &found {
        let text = match *word {
            "there" => continue,
            "gone" => format!("{name} is gone"),
            "unknown" => format!("{name} is there, and no node of the deployment is it: {reason}"),
            "changed" => format!("{name} has changed: {reason}"),
            _ => format!("{name} cannot be told: {reason}"),
        };
        page.line(&text);
    }
    if outcome == Outcome::Clean {
        page.line(&format!("{}: all {} nodes are there", stored.name, found.len()));
    }
    terminal.page(&page)?;
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn moments_are_dates_of_the_calendar() {
        assert_eq!(utc(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(utc(951_782_400_000), "2000-02-29T00:00:00.000Z");
        assert_eq!(utc(951_868_799_999), "2000-02-29T23:59:59.999Z");
        assert_eq!(utc(1_767_225_599_001), "2025-12-31T23:59:59.001Z");
        assert_eq!(utc(4_107_542_400_000), "2100-03-01T00:00:00.000Z");
    }
}
