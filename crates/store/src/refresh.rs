//! Reads the changes of others into a deployment that is known as it was before.
//!
//! A deployment may have ten thousand steps, of which a transaction changes a few. Those who share it read only these.

use std::cmp::Ordering;

use crate::rows::Progress;
use crate::sql::{Param, Sql};
use crate::{Error, Stored, rows};

/// Which rows are newer than the version $2.
const NEWER: &str = " AND changed > $2";

/// Makes a deployment what the store has, and keeps others from changing it until the transaction ends.
pub(crate) fn refresh(sql: &mut dyn Sql, stored: &mut Stored) -> Result<(), Error> {
    let key = stored.key;
    let select =
        format!("SELECT {}, planned, origin FROM deployment WHERE key = $1{}", rows::COLUMNS, sql.locks());
    let mut found = sql.query(&select, &[key.into()])?;
    let row = found.first_mut().ok_or(Error::NotThere)?;
    if row.text(11)? != stored.origin {
        // That one was forgotten, and its number was given to another one.
        return Err(Error::NotThere);
    }
    let (version, events, planned) = (row.int(7)? as u64, row.int(8)? as u64, row.int(10)? as u64);
    if version == stored.version {
        return Ok(());
    }
    if planned > stored.version || version < stored.version {
        let patience = stored.state.patience;
        *stored = rows::load(sql, row)?;
        stored.state.patience = patience;
        return Ok(());
    }
    rows::whole(&mut stored.state, row)?;
    let newer: [Param<'_>; 2] = [key.into(), stored.version.into()];
    for (place, request) in rows::requests(sql, NEWER, &newer)? {
        let requests = &mut stored.state.requests;
        match place.cmp(&requests.len()) {
            Ordering::Less => requests[place] = request,
            Ordering::Equal => requests.push(request),
            Ordering::Greater => return Err(Error::Damaged("a request is missing".to_owned())),
        }
    }
    for progress in rows::progress(sql, NEWER, &newer)? {
        go_on(stored, progress)?;
    }
    stored.state.nodes.extend(rows::nodes(sql, NEWER, &newer)?);
    if stored.state.shown.is_some_and(|place| place >= stored.state.requests.len()) {
        return Err(Error::Damaged("a request is missing".to_owned()));
    }
    (stored.version, stored.events) = (version, events);
    Ok(())
}

fn go_on(stored: &mut Stored, progress: Progress) -> Result<(), Error> {
    let known = stored.state.alter(progress.place, |step| {
        (step.claim, step.fence, step.failures) = (progress.claim, progress.fence, progress.failures);
        (step.due, step.wait, step.reason) = (progress.due, progress.wait, progress.reason);
        step.accepted = progress.accepted;
    });
    known.ok_or_else(|| Error::Damaged("there is a step that was not planned".to_owned()))?;
    stored.state.set(progress.place, progress.state);
    Ok(())
}
