//! The state of a deployment as rows, and back.

use std::collections::BTreeMap;

use locus_engine::{
    About, Accepted, Claim, Condition, Does, Failures, Happened, Kind, Node, OnFailure, Phase, Planned,
    Request, RequestStatus, State, Status, Step, StepState,
};

use crate::sql::Kind::{Int, Text};
use crate::sql::{Batch, Mode, Param, Row, Sql};
use crate::{Error, Stored, StoredEvent};

/// The columns of a deployment, as [`load`] reads them.
pub(crate) const COLUMNS: &str =
    "key, name, incarnation, status, phase, shown, complete, version, events, origin";

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
pub(crate) fn load(sql: &mut dyn Sql, row: &mut Row) -> Result<Stored, Error> {
    let key = row.int(0)?;
    let mut state = State::default();
    whole(&mut state, row)?;
    state.requests = requests(sql, "", &[key.into()])?.into_iter().map(|(_, request)| request).collect();
    state.steps = steps(sql, key)?;
    state.nodes = nodes(sql, "", &[key.into()])?.into_iter().collect();
    let wrong_need = state
        .steps
        .iter()
        .flat_map(|step| &step.planned.needs)
        .any(|&need| need as usize >= state.steps.len());
    if wrong_need || state.shown.is_some_and(|place| place >= state.requests.len()) {
        return Err(Error::Damaged("a step or request is missing".to_owned()));
    }
    state.connect();
    Ok(Stored {
        key,
        name: row.text(1)?,
        incarnation: row.int(2)? as u32,
        version: row.int(7)? as u64,
        events: row.int(8)? as u64,
        origin: row.text(9)?,
        state,
    })
}

/// Reads from a row the fields of a deployment as a whole.
pub(crate) fn whole(state: &mut State, row: &mut Row) -> Result<(), Error> {
    state.status = named(&Status::ALL, &row.text(3)?, Status::as_str)?;
    state.phase = named(&Phase::ALL, &row.text(4)?, Phase::as_str)?;
    state.shown = if row.is_null(5) { None } else { Some(row.int(5)? as usize) };
    state.complete = row.int(6)? != 0;
    Ok(())
}

/// The requests of a deployment with their places, in order: all, or those that `and` chooses.
pub(crate) fn requests(
    sql: &mut dyn Sql,
    and: &str,
    params: &[Param<'_>],
) -> Result<Vec<(usize, Request)>, Error> {
    let select = format!(
        "SELECT kind, on_failure, desired, status, place FROM request WHERE deployment = $1{and} ORDER BY place"
    );
    let read = |mut row: Row| {
        let request = Request {
            kind: named(&Kind::ALL, &row.text(0)?, Kind::as_str)?,
            on_failure: named(&OnFailure::ALL, &row.text(1)?, OnFailure::as_str)?,
            desired: row.text(2)?,
            status: named(&RequestStatus::ALL, &row.text(3)?, RequestStatus::as_str)?,
        };
        Ok((row.int(4)? as usize, request))
    };
    sql.query(&select, params)?.into_iter().map(read).collect()
}

/// The part of a step that changes while it is done.
pub(crate) struct Progress {
    pub(crate) place: u32,
    pub(crate) state: StepState,
    pub(crate) claim: Option<Claim>,
    pub(crate) fence: u64,
    pub(crate) failures: Failures,
    pub(crate) accepted: Option<Accepted>,
    pub(crate) due: u64,
    pub(crate) wait: u64,
    pub(crate) reason: String,
}

/// How far the steps of a deployment are that `and` chooses.
pub(crate) fn progress(sql: &mut dyn Sql, and: &str, params: &[Param<'_>]) -> Result<Vec<Progress>, Error> {
    let select = format!(
        "SELECT place, state, worker, until, fence, failures, due, reason, handle, since, wait FROM step \
         WHERE deployment = $1{and}"
    );
    let read = |mut row: Row| {
        let worker = if row.is_null(2) { None } else { Some(row.text(2)?) };
        let until = row.int(3)? as u64;
        Ok(Progress {
            place: row.int(0)? as u32,
            state: named(&StepState::ALL, &row.text(1)?, StepState::as_str)?,
            claim: worker.map(|worker| Claim { worker, until }),
            fence: row.int(4)? as u64,
            failures: Failures::unpacked(row.int(5)? as u64),
            accepted: accepted(&mut row, 8)?,
            due: row.int(6)? as u64,
            wait: row.int(10)? as u64,
            reason: row.text(7)?,
        })
    };
    sql.query(&select, params)?.into_iter().map(read).collect()
}

/// An accepted call: its handle is in a column, and since when in the next one.
fn accepted(row: &mut Row, column: usize) -> Result<Option<Accepted>, Error> {
    if row.is_null(column) {
        return Ok(None);
    }
    Ok(Some(Accepted { handle: row.text(column)?, since: row.int(column + 1)? as u64 }))
}

fn steps(sql: &mut dyn Sql, key: i64) -> Result<Vec<Step>, Error> {
    let select = "SELECT node, does, operation, desired, needs, cleanup, token, state, worker, until, fence, \
                  failures, due, reason, handle, since, wait FROM step WHERE deployment = $1 ORDER BY place";
    let read = |mut row: Row| {
        let worker = if row.is_null(8) { None } else { Some(row.text(8)?) };
        let until = row.int(9)? as u64;
        let needs = from_json(&row.text(4)?, |value| {
            value.as_array()?.iter().map(|need| Some(need.as_u64()? as u32)).collect::<Option<Vec<u32>>>()
        })?;
        Ok(Step {
            planned: Planned {
                node: row.text(0)?,
                does: named(&Does::ALL, &row.text(1)?, Does::as_str)?,
                operation: row.text(2)?,
                desired: row.text(3)?,
                needs,
                cleanup: row.int(5)? != 0,
            },
            token: row.text(6)?,
            state: named(&StepState::ALL, &row.text(7)?, StepState::as_str)?,
            claim: worker.map(|worker| Claim { worker, until }),
            fence: row.int(10)? as u64,
            failures: Failures::unpacked(row.int(11)? as u64),
            accepted: accepted(&mut row, 14)?,
            due: row.int(12)? as u64,
            wait: row.int(16)? as u64,
            waits: 0,
            next: Vec::new(),
            reason: row.text(13)?,
        })
    };
    sql.query(select, &[key.into()])?.into_iter().map(read).collect()
}

/// The nodes of a deployment: all, or those that `and` chooses.
pub(crate) fn nodes(
    sql: &mut dyn Sql,
    and: &str,
    params: &[Param<'_>],
) -> Result<Vec<(String, Node)>, Error> {
    let select = format!(
        "SELECT name, present, id, desired, outputs, serial, fence, condition FROM node \
         WHERE deployment = $1{and}"
    );
    let read = |mut row: Row| {
        let outputs = from_json(&row.text(4)?, |value| {
            let entry = |(name, value): (&String, &serde_json::Value)| {
                Some((name.clone(), value.as_str()?.to_owned()))
            };
            value.as_object()?.iter().map(entry).collect::<Option<BTreeMap<_, _>>>()
        })?;
        let node = Node {
            present: row.int(1)? != 0,
            id: row.text(2)?,
            desired: row.text(3)?,
            outputs,
            serial: row.int(5)? as u64,
            fence: row.int(6)? as u64,
            condition: named(&Condition::ALL, &row.text(7)?, Condition::as_str)?,
        };
        Ok((row.text(0)?, node))
    };
    sql.query(&select, params)?.into_iter().map(read).collect()
}

pub(crate) fn events(sql: &mut dyn Sql, key: i64, after: u64) -> Result<Vec<StoredEvent>, Error> {
    let select = "SELECT sequence, rank, token, node, operation, status, reason, at, does FROM event \
                  WHERE deployment = $1 AND sequence > $2 ORDER BY sequence";
    let read = |mut row: Row| {
        let about = match (row.is_null(1), row.is_null(2)) {
            (false, _) => About::Request(row.int(1)? as u32),
            (true, false) => About::Step(row.text(2)?),
            (true, true) if row.text_at(3)?.is_empty() => About::Deployment,
            (true, true) => About::Node(row.text_at(3)?.to_owned()),
        };
        let does = if row.is_null(8) { None } else { Some(named(&Does::ALL, &row.text(8)?, Does::as_str)?) };
        Ok(StoredEvent {
            happened: Happened { sequence: row.int(0)? as u64, about, status: row.text(5)?, does },
            node: row.text(3)?,
            operation: row.text(4)?,
            reason: row.text(6)?,
            at: row.int(7)? as u64,
        })
    };
    sql.query(select, &[key.into(), after.into()])?.into_iter().map(read).collect()
}

pub(crate) fn store_deployment(sql: &mut dyn Sql, stored: &Stored) -> Result<(), Error> {
    let state = &stored.state;
    sql.execute(
        "UPDATE deployment SET status = $1, phase = $2, shown = $3, complete = $4 WHERE key = $5",
        &[
            state.status.as_str().into(),
            state.phase.as_str().into(),
            state.shown.into(),
            state.complete.into(),
            stored.key.into(),
        ],
    )
}

pub(crate) fn store_request(
    sql: &mut dyn Sql,
    (key, version): (i64, u64),
    place: usize,
    request: &Request,
) -> Result<(), Error> {
    sql.execute(
        "INSERT INTO request (deployment, place, kind, on_failure, desired, status, changed) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) \
         ON CONFLICT (deployment, place) DO UPDATE SET status = excluded.status, changed = excluded.changed",
        &[
            key.into(),
            place.into(),
            request.kind.as_str().into(),
            request.on_failure.as_str().into(),
            (&request.desired).into(),
            request.status.as_str().into(),
            version.into(),
        ],
    )
}

pub(crate) fn replace_steps(
    sql: &mut dyn Sql,
    (key, version): (i64, u64),
    steps: &[Step],
) -> Result<(), Error> {
    sql.execute("UPDATE deployment SET planned = $1 WHERE key = $2", &[version.into(), key.into()])?;
    sql.execute("DELETE FROM step WHERE deployment = $1", &[key.into()])?;
    let needs: Vec<String> =
        steps.iter().map(|step| serde_json::Value::from(step.planned.needs.clone()).to_string()).collect();
    let mut rows = Vec::with_capacity(steps.len());
    for ((place, step), needs) in steps.iter().enumerate().zip(&needs) {
        let planned = &step.planned;
        rows.push(vec![
            key.into(),
            place.into(),
            (&planned.node).into(),
            planned.does.as_str().into(),
            (&planned.operation).into(),
            (&planned.desired).into(),
            needs.into(),
            planned.cleanup.into(),
            (&step.token).into(),
            step.state.as_str().into(),
            step.claim.as_ref().map(|claim| &claim.worker).into(),
            step.claim.as_ref().map_or(0, |claim| claim.until).into(),
            step.fence.into(),
            step.failures.packed().into(),
            step.due.into(),
            (&step.reason).into(),
            step.accepted.as_ref().map(|accepted| &accepted.handle).into(),
            step.accepted.as_ref().map_or(0, |accepted| accepted.since).into(),
            step.wait.into(),
            version.into(),
        ]);
    }
    sql.many(&Batch {
        table: "step",
        keys: &["deployment", "place"],
        columns: &[
            ("deployment", Int),
            ("place", Int),
            ("node", Text),
            ("does", Text),
            ("operation", Text),
            ("desired", Text),
            ("needs", Text),
            ("cleanup", Int),
            ("token", Text),
            ("state", Text),
            ("worker", Text),
            ("until", Int),
            ("fence", Int),
            ("failures", Int),
            ("due", Int),
            ("reason", Text),
            ("handle", Text),
            ("since", Int),
            ("wait", Int),
            ("changed", Int),
        ],
        mode: Mode::Insert,
        rows,
    })
}

pub(crate) fn store_steps(
    sql: &mut dyn Sql,
    (key, version): (i64, u64),
    steps: &[(u32, &Step)],
) -> Result<(), Error> {
    let mut rows = Vec::with_capacity(steps.len());
    for (place, step) in steps {
        rows.push(vec![
            key.into(),
            (*place).into(),
            step.state.as_str().into(),
            step.claim.as_ref().map(|claim| &claim.worker).into(),
            step.claim.as_ref().map_or(0, |claim| claim.until).into(),
            step.fence.into(),
            step.failures.packed().into(),
            step.due.into(),
            (&step.reason).into(),
            step.accepted.as_ref().map(|accepted| &accepted.handle).into(),
            step.accepted.as_ref().map_or(0, |accepted| accepted.since).into(),
            step.wait.into(),
            version.into(),
        ]);
    }
    sql.many(&Batch {
        table: "step",
        keys: &["deployment", "place"],
        columns: &[
            ("deployment", Int),
            ("place", Int),
            ("state", Text),
            ("worker", Text),
            ("until", Int),
            ("fence", Int),
            ("failures", Int),
            ("due", Int),
            ("reason", Text),
            ("handle", Text),
            ("since", Int),
            ("wait", Int),
            ("changed", Int),
        ],
        mode: Mode::Update,
        rows,
    })
}

pub(crate) fn store_nodes(
    sql: &mut dyn Sql,
    (key, version): (i64, u64),
    nodes: &[(&String, &Node)],
) -> Result<(), Error> {
    let outputs: Vec<String> = nodes
        .iter()
        .map(|(_, node)| {
            let entries = node.outputs.iter().map(|(name, value)| (name.clone(), value.as_str().into()));
            serde_json::Value::Object(entries.collect()).to_string()
        })
        .collect();
    let mut rows = Vec::with_capacity(nodes.len());
    for ((name, node), outputs) in nodes.iter().zip(&outputs) {
        rows.push(vec![
            key.into(),
            (*name).into(),
            node.present.into(),
            (&node.id).into(),
            (&node.desired).into(),
            outputs.into(),
            node.serial.into(),
            node.fence.into(),
            node.condition.as_str().into(),
            version.into(),
        ]);
    }
    sql.many(&Batch {
        table: "node",
        keys: &["deployment", "name"],
        columns: &[
            ("deployment", Int),
            ("name", Text),
            ("present", Int),
            ("id", Text),
            ("desired", Text),
            ("outputs", Text),
            ("serial", Int),
            ("fence", Int),
            ("condition", Text),
            ("changed", Int),
        ],
        mode: Mode::Upsert,
        rows,
    })
}

pub(crate) fn store_events(sql: &mut dyn Sql, key: i64, events: &[StoredEvent]) -> Result<(), Error> {
    let mut rows = Vec::with_capacity(events.len());
    for event in events {
        let (rank, token) = match &event.happened.about {
            About::Deployment | About::Node(_) => (Param::Null, Param::Null),
            About::Request(rank) => ((*rank).into(), Param::Null),
            About::Step(token) => (Param::Null, token.into()),
        };
        rows.push(vec![
            key.into(),
            event.happened.sequence.into(),
            rank,
            token,
            (&event.node).into(),
            (&event.operation).into(),
            (&event.happened.status).into(),
            (&event.reason).into(),
            event.at.into(),
            event.happened.does.map(Does::as_str).into(),
        ]);
    }
    sql.many(&Batch {
        table: "event",
        keys: &["deployment", "sequence"],
        columns: &[
            ("deployment", Int),
            ("sequence", Int),
            ("rank", Int),
            ("token", Text),
            ("node", Text),
            ("operation", Text),
            ("status", Text),
            ("reason", Text),
            ("at", Int),
            ("does", Text),
        ],
        mode: Mode::Insert,
        rows,
    })
}
