//! `locus import`: what exists already belongs to a deployment from now on, by its id.

use std::collections::BTreeSet;

use anyhow::{anyhow, bail};
use locus_deploy::{Goal, Node, goal_of};
use locus_drivers::{Order, known};
use locus_engine::{
    Does, Effect, Input, Job, Kind, OnFailure, Outcome as Ended, Planned, State, Status, step,
};
use locus_store::Stored;

use super::args::Import;
use super::show::said;
use super::{Home, now, put, who};
use crate::Outcome;
use crate::args::Global;
use crate::terminal::Terminal;

pub(crate) fn import(command: &Import, _: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let home = Home::open(&command.kept)?;
    let mut stored = home.deployment(&command.name)?;
    let goal = goal_of(&stored.state)?.ok_or_else(|| anyhow!("nothing was ever to be deployed"))?;
    let differs = take_over(&home, &mut stored, &goal, &command.node, &command.id)?;
    let word = match differs {
        None => format!("{} is {}", command.node, command.id),
        Some(differs) => {
            format!("{} is {}; the next 'locus up' changes it: {differs}", command.node, command.id)
        }
    };
    said(&stored, &word, command.kept.format, terminal, Outcome::Clean)
}

/// Takes what the world calls `id` for a node of the goal that is not there. What is different from what is
/// described, in words; none if nothing is.
pub(super) fn take_over(
    home: &Home,
    stored: &mut Stored,
    goal: &Goal,
    name: &str,
    id: &str,
) -> anyhow::Result<Option<String>> {
    let described = goal.nodes.iter().find(|node| node.name == name);
    let node =
        described.ok_or_else(|| anyhow!("{name} is not described in what {} is to be", stored.name))?;
    let present = present(&stored.state)?;
    if stored.state.nodes.values().any(|node| node.present && node.id == id) {
        return Ok(None);
    }
    if present.iter().any(|other| other.name == name) {
        bail!("{name} is there already");
    }
    let desired = node.text();
    let order = Order {
        token: stored.token(&format!("{name}#import")),
        deployment: stored.name.clone(),
        node: name.to_owned(),
        does: Does::Create,
        operation: "import".to_owned(),
        desired: desired.clone(),
        id: id.to_owned(),
        handle: String::new(),
        known: known(&stored.state, name, &desired),
    };
    let imported = home.driver(goal, &stored.name)?.import(&order, id);
    let imported = imported.map_err(|failure| anyhow!("{name} cannot be taken over: {}", failure.words()))?;
    if stored.state.status == Status::Absent {
        put(&*home.store, stored, &Input::Review)?.map_err(|refusal| anyhow!("{refusal}"))?;
    }
    let text = goal_with(goal, present, node).text();
    let submit =
        Input::Submit { kind: Kind::Import, on_failure: OnFailure::RollBack, desired: text, by: who() };
    let _ = put(&*home.store, stored, &submit)?;
    let request = stored.state.requests.len() - 1;
    let _ = put(&*home.store, stored, &Input::Check { request, valid: true })?;
    let _ = put(&*home.store, stored, &Input::Process { request })?;
    let planned = Planned {
        // As the planner names it.
        node: name.replace('~', "~t"),
        does: Does::Create,
        operation: order.operation,
        desired,
        needs: Vec::new(),
        cleanup: false,
    };
    let outcome = Ended::Done { id: imported.id, outputs: imported.outputs };
    let done = all_at_once(home, stored, request, &planned, &outcome)?;
    if let [Effect::Refused(refusal)] = done[..] {
        bail!("{name} cannot be taken over now: {refusal}");
    }
    if let Some(reason) = &imported.differs {
        let drift = Input::Drift { node: planned.node, is_there: true, reason: reason.clone() };
        let _ = put(&*home.store, stored, &drift)?;
    }
    Ok(imported.differs)
}

/// From the beginning of the import to its end in one transaction: a step that is only begun would make another thing.
fn all_at_once(
    home: &Home,
    stored: &mut Stored,
    request: usize,
    planned: &Planned,
    outcome: &Ended,
) -> anyhow::Result<Vec<Effect>> {
    let now = now();
    let mut make = |state: &mut State| {
        let mut all: Vec<Effect> = Vec::new();
        let mut next = state.clone();
        let mut put = |input: Input, all: &mut Vec<Effect>| {
            let (after, effects) = step(std::mem::take(&mut next), input);
            next = after;
            let is_refused = matches!(effects[..], [Effect::Refused(_)]);
            if is_refused {
                all.clear();
            }
            all.extend(effects);
            !is_refused
        };
        let claim = Input::Claim { step: 0, worker: "import".to_owned(), now, until: now };
        let plan = Some(vec![planned.clone()]);
        let mut is_done = put(Input::Begin { request, plan }, &mut all) && put(claim, &mut all);
        if let Some(ticket) = all.iter().find_map(Job::of).map(|job| job.ticket).filter(|_| is_done) {
            let record = Input::Record { ticket: ticket.clone(), outcome: outcome.clone(), now };
            is_done = put(Input::Intend { ticket }, &mut all)
                && put(record, &mut all)
                && put(Input::Settle, &mut all);
        }
        if is_done {
            *state = next;
        }
        all
    };
    Ok(home.store.change(stored, now, &mut make)?)
}

/// The nodes that are there.
fn present(state: &State) -> anyhow::Result<Vec<Node>> {
    let present = state.nodes.values().filter(|node| node.present);
    Ok(present.map(|node| Node::parse(&node.desired)).collect::<Result<_, _>>()?)
}

/// The goal that is reached with one more node: what is not there yet is wanted by the next `locus up`.
fn goal_with(goal: &Goal, mut nodes: Vec<Node>, node: &Node) -> Goal {
    nodes.push(node.clone());
    let names: BTreeSet<String> = nodes.iter().map(|node| node.name.clone()).collect();
    for node in &mut nodes {
        node.needs.retain(|need| names.contains(&need.target));
    }
    Goal { nodes, ..goal.clone() }
}
