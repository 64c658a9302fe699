//! The state of a deployment as rows, and back.

use std::collections::BTreeMap;

use locus_engine::{
    Claim, Condition, Does, Kind, Node, OnFailure, Phase, Planned, Request, RequestStatus, State, Status,
    Step, StepState,
};
use rusqlite::{Connection, Row, Transaction, params};

use crate::{Error, Stored};

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Error::Failed(error.to_string())
    }
}

/// The one of these with a name.
fn named<T: Copy>(all: &[T], name: &str, of: impl Fn(T) -> &'static str) -> Result<T, Error> {
    let found = all.iter().copied().find(|one| of(*one) == name);
    found.ok_or_else(|| Error::Damaged(format!("`{name}` is not known")))
}

/// A list or map as text.
fn from_json<T>(text: &str, read: impl Fn(&serde_json::Value) -> Option<T>) -> Result<T, Error> {
    let value = serde_json::from_str(text).map_err(|error| Error::Damaged(error.to_string()))?;
    read(&value).ok_or_else(|| Error::Damaged(format!("`{text}` was not expected")))
}

/// A deployment, of which a row has the number, the name and the rest.
pub(crate) fn load(connection: &Connection, row: &Row<'_>) -> Result<Stored, Error> {
    let key: i64 = row.get(0)?;
    let shown: Option<i64> = row.get(5)?;
    let mut state = State::default();
    state.status = named(&Status::ALL, &row.get::<_, String>(3)?, Status::as_str)?;
    state.phase = named(&Phase::ALL, &row.get::<_, String>(4)?, Phase::as_str)?;
    state.shown = shown.map(|place| place as usize);
    state.complete = row.get(6)?;
    state.requests = requests(connection, key)?;
    state.steps = steps(connection, key)?;
    state.nodes = nodes(connection, key)?;
    let is_out = |place: usize, count: usize| place >= count;
    let wrong_need = state
        .steps
        .iter()
        .flat_map(|step| &step.planned.needs)
        .any(|&need| is_out(need as usize, state.steps.len()));
    if wrong_need || state.shown.is_some_and(|place| is_out(place, state.requests.len())) {
        return Err(Error::Damaged("a step or request is missing".to_owned()));
    }
    state.connect();
    let incarnation: i64 = row.get(2)?;
    let version: i64 = row.get(7)?;
    Ok(Stored { key, name: row.get(1)?, incarnation: incarnation as u32, version: version as u64, state })
}

fn requests(connection: &Connection, key: i64) -> Result<Vec<Request>, Error> {
    let mut select = connection.prepare_cached(
        "SELECT kind, on_failure, desired, status FROM request WHERE deployment = ? ORDER BY place",
    )?;
    let mut rows = select.query([key])?;
    let mut requests = Vec::new();
    while let Some(row) = rows.next()? {
        requests.push(Request {
            kind: named(&Kind::ALL, &row.get::<_, String>(0)?, Kind::as_str)?,
            on_failure: named(&OnFailure::ALL, &row.get::<_, String>(1)?, OnFailure::as_str)?,
            desired: row.get(2)?,
            status: named(&RequestStatus::ALL, &row.get::<_, String>(3)?, RequestStatus::as_str)?,
        });
    }
    Ok(requests)
}

fn steps(connection: &Connection, key: i64) -> Result<Vec<Step>, Error> {
    let mut select = connection.prepare_cached(
        "SELECT node, does, operation, desired, needs, cleanup, token, state, worker, until, fence, failures, due, \
         reason FROM step WHERE deployment = ? ORDER BY place",
    )?;
    let mut rows = select.query([key])?;
    let mut steps = Vec::new();
    while let Some(row) = rows.next()? {
        let worker: Option<String> = row.get(8)?;
        let until: i64 = row.get(9)?;
        let needs = from_json(&row.get::<_, String>(4)?, |value| {
            value.as_array()?.iter().map(|need| Some(need.as_u64()? as u32)).collect::<Option<Vec<u32>>>()
        })?;
        steps.push(Step {
            planned: Planned {
                node: row.get(0)?,
                does: named(&Does::ALL, &row.get::<_, String>(1)?, Does::as_str)?,
                operation: row.get(2)?,
                desired: row.get(3)?,
                needs,
                cleanup: row.get(5)?,
            },
            token: row.get(6)?,
            state: named(&StepState::ALL, &row.get::<_, String>(7)?, StepState::as_str)?,
            claim: worker.map(|worker| Claim { worker, until: until as u64 }),
            fence: row.get::<_, i64>(10)? as u64,
            failures: row.get(11)?,
            due: row.get::<_, i64>(12)? as u64,
            waits: 0,
            next: Vec::new(),
            reason: row.get(13)?,
        });
    }
    Ok(steps)
}

fn nodes(connection: &Connection, key: i64) -> Result<BTreeMap<String, Node>, Error> {
    let mut select = connection.prepare_cached(
        "SELECT name, present, id, desired, outputs, serial, fence, condition FROM node WHERE deployment = ?",
    )?;
    let mut rows = select.query([key])?;
    let mut nodes = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let outputs = from_json(&row.get::<_, String>(4)?, |value| {
            let entry = |(name, value): (&String, &serde_json::Value)| {
                Some((name.clone(), value.as_str()?.to_owned()))
            };
            value.as_object()?.iter().map(entry).collect::<Option<BTreeMap<_, _>>>()
        })?;
        let node = Node {
            present: row.get(1)?,
            id: row.get(2)?,
            desired: row.get(3)?,
            outputs,
            serial: row.get::<_, i64>(5)? as u64,
            fence: row.get::<_, i64>(6)? as u64,
            condition: named(&Condition::ALL, &row.get::<_, String>(7)?, Condition::as_str)?,
        };
        nodes.insert(row.get(0)?, node);
    }
    Ok(nodes)
}

pub(crate) fn store_deployment(transaction: &Transaction<'_>, stored: &Stored) -> Result<(), Error> {
    let state = &stored.state;
    transaction
        .prepare_cached("UPDATE deployment SET status = ?, phase = ?, shown = ?, complete = ? WHERE key = ?")?
        .execute(params![
            state.status.as_str(),
            state.phase.as_str(),
            state.shown.map(|place| place as i64),
            state.complete,
            stored.key
        ])?;
    Ok(())
}

pub(crate) fn store_request(
    transaction: &Transaction<'_>,
    key: i64,
    place: usize,
    request: &Request,
) -> Result<(), Error> {
    transaction
        .prepare_cached(
            "INSERT INTO request (deployment, place, kind, on_failure, desired, status) VALUES (?, ?, ?, ?, ?, ?) \
             ON CONFLICT DO UPDATE SET status = excluded.status",
        )?
        .execute(params![
            key,
            place as i64,
            request.kind.as_str(),
            request.on_failure.as_str(),
            request.desired,
            request.status.as_str()
        ])?;
    Ok(())
}

pub(crate) fn replace_steps(transaction: &Transaction<'_>, key: i64, steps: &[Step]) -> Result<(), Error> {
    transaction.prepare_cached("DELETE FROM step WHERE deployment = ?")?.execute([key])?;
    let mut insert = transaction.prepare_cached(
        "INSERT INTO step (deployment, place, node, does, operation, desired, needs, cleanup, token, state, worker, \
         until, fence, failures, due, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    for (place, step) in steps.iter().enumerate() {
        let planned = &step.planned;
        insert.execute(params![
            key,
            place as i64,
            planned.node,
            planned.does.as_str(),
            planned.operation,
            planned.desired,
            serde_json::Value::from(planned.needs.clone()).to_string(),
            planned.cleanup,
            step.token,
            step.state.as_str(),
            step.claim.as_ref().map(|claim| &claim.worker),
            step.claim.as_ref().map_or(0, |claim| claim.until as i64),
            step.fence as i64,
            step.failures,
            step.due as i64,
            step.reason
        ])?;
    }
    Ok(())
}

pub(crate) fn store_step(
    transaction: &Transaction<'_>,
    key: i64,
    place: u32,
    step: &Step,
) -> Result<(), Error> {
    transaction
        .prepare_cached(
            "UPDATE step SET state = ?, worker = ?, until = ?, fence = ?, failures = ?, due = ?, reason = ? \
             WHERE deployment = ? AND place = ?",
        )?
        .execute(params![
            step.state.as_str(),
            step.claim.as_ref().map(|claim| &claim.worker),
            step.claim.as_ref().map_or(0, |claim| claim.until as i64),
            step.fence as i64,
            step.failures,
            step.due as i64,
            step.reason,
            key,
            place
        ])?;
    Ok(())
}

pub(crate) fn store_node(
    transaction: &Transaction<'_>,
    key: i64,
    name: &str,
    node: &Node,
) -> Result<(), Error> {
    let outputs: serde_json::Map<String, serde_json::Value> =
        node.outputs.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect();
    transaction
        .prepare_cached(
            "INSERT INTO node (deployment, name, present, id, desired, outputs, serial, fence, condition) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET present = excluded.present, \
             id = excluded.id, desired = excluded.desired, outputs = excluded.outputs, serial = excluded.serial, \
             fence = excluded.fence, condition = excluded.condition",
        )?
        .execute(params![
            key,
            name,
            node.present,
            node.id,
            node.desired,
            serde_json::Value::Object(outputs).to_string(),
            node.serial as i64,
            node.fence as i64,
            node.condition.as_str()
        ])?;
    Ok(())
}
