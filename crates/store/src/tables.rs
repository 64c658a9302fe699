//! The store in a database, whichever it is.

use std::time::Duration;

use locus_engine::{Effect, Part, State, Time};

use crate::sql::{Backend, Sql, within};
use crate::{
    Error, Store, Stored, StoredEvent, UNKNOWN, has_changes, new_origin, numbered, oldest_of_use, refresh,
    rows,
};

impl<B: Backend> Store for B {
    fn all(&self) -> Result<Vec<Stored>, Error> {
        // One transaction, so that the rows of a deployment belong together.
        within(self, false, |sql| {
            let select = format!(
                "SELECT {} FROM deployment AS d WHERE incarnation = \
                 (SELECT max(incarnation) FROM deployment WHERE name = d.name) ORDER BY name",
                rows::COLUMNS
            );
            let found = sql.query(&select, &[])?;
            found.into_iter().map(|mut row| rows::load(sql, &mut row)).collect()
        })
    }

    fn load(&self, name: &str) -> Result<Option<Stored>, Error> {
        within(self, false, |sql| {
            let select = format!(
                "SELECT {} FROM deployment WHERE name = $1 ORDER BY incarnation DESC LIMIT 1",
                rows::COLUMNS
            );
            let mut found = sql.query(&select, &[name.into()])?;
            found.first_mut().map(|row| rows::load(sql, row)).transpose()
        })
    }

    fn create(&self, name: &str, newest: Option<&Stored>) -> Result<Stored, Error> {
        let incarnation = newest.map_or(0, |newest| newest.incarnation) + 1;
        let origin = new_origin();
        within(self, true, |sql| {
            // Its number is not enough: where the deployments of a name were forgotten, they are counted anew.
            let select = format!(
                "SELECT key, origin FROM deployment WHERE name = $1 ORDER BY incarnation DESC LIMIT 1{}",
                sql.locks()
            );
            let mut found = sql.query(&select, &[name.into()])?;
            let found =
                found.first_mut().map(|row| Ok::<_, Error>((row.int(0)?, row.text(1)?))).transpose()?;
            if found != newest.map(|newest| (newest.key, newest.origin.clone())) {
                return Err(Error::Conflict);
            }
            let insert = format!(
                "INSERT INTO deployment (name, incarnation, status, phase, shown, complete, version, events, origin) \
                 VALUES ($1, $2, 'absent', 'idle', NULL, 1, 0, 0, $3) \
                 ON CONFLICT (name, incarnation) DO NOTHING RETURNING {}",
                rows::COLUMNS
            );
            let mut made = sql.query(&insert, &[name.into(), incarnation.into(), (&origin).into()])?;
            rows::load(sql, made.first_mut().ok_or(Error::Conflict)?)
        })
    }

    fn commit(&self, stored: &mut Stored, effects: &[Effect], now: Time) -> Result<(), Error> {
        stored.events = within(self, true, |sql| store(sql, stored, effects, now))?;
        stored.version += 1;
        Ok(())
    }

    fn change(
        &self,
        stored: &mut Stored,
        now: Time,
        make: &mut dyn FnMut(&mut State) -> Vec<Effect>,
    ) -> Result<Vec<Effect>, Error> {
        let changed = within(self, true, |sql| {
            refresh::refresh(sql, stored)?;
            let effects = make(&mut stored.state);
            let events =
                if has_changes(&effects) { store(sql, stored, &effects, now)? } else { stored.events };
            Ok((effects, events))
        });
        let (effects, events) = changed.inspect_err(|_| stored.version = UNKNOWN)?;
        stored.version += u64::from(has_changes(&effects));
        stored.events = events;
        Ok(effects)
    }

    fn keep_document(&self, stored: &Stored, request: usize, content: &str) -> Result<(), Error> {
        within(self, true, |sql| {
            let delete = "DELETE FROM document WHERE deployment = $1 AND (request < $2 OR request = $3)";
            sql.execute(delete, &[stored.key.into(), oldest_of_use(stored).into(), request.into()])?;
            let insert = "INSERT INTO document (deployment, request, content) VALUES ($1, $2, $3)";
            sql.execute(insert, &[stored.key.into(), request.into(), content.into()])
        })
    }

    fn documents(&self, stored: &Stored) -> Result<Vec<(usize, String)>, Error> {
        within(self, false, |sql| {
            let select = "SELECT request, content FROM document WHERE deployment = $1 ORDER BY request DESC";
            let found = sql.query(select, &[stored.key.into()])?;
            found.into_iter().map(|mut row| Ok((row.int(0)? as usize, row.text(1)?))).collect()
        })
    }

    fn forget(&self, name: &str) -> Result<(), Error> {
        within(self, true, |sql| {
            for table in ["document", "event", "node", "step", "request"] {
                let delete = format!(
                    "DELETE FROM {table} WHERE deployment IN (SELECT key FROM deployment WHERE name = $1)"
                );
                sql.execute(&delete, &[name.into()])?;
            }
            sql.execute("DELETE FROM deployment WHERE name = $1", &[name.into()])?;
            sql.notify(name)
        })
    }

    fn events(&self, stored: &Stored, after: u64) -> Result<Vec<StoredEvent>, Error> {
        within(self, false, |sql| rows::events(sql, stored.key, after))
    }

    fn working(&self) -> Result<Vec<String>, Error> {
        within(self, true, |sql| {
            let select =
                format!("SELECT name FROM deployment WHERE phase <> 'idle' ORDER BY key{}", sql.skips());
            let found = sql.query(&select, &[])?;
            found.into_iter().map(|mut row| row.text(0)).collect()
        })
    }

    fn wait(&self, patience: Duration) {
        Backend::wait(self, patience);
    }
}

/// Stores what has changed, and says how many events there are now.
fn store(sql: &mut dyn Sql, stored: &Stored, effects: &[Effect], now: Time) -> Result<u64, Error> {
    let key = stored.key;
    let select = format!("SELECT version, events, origin FROM deployment WHERE key = $1{}", sql.locks());
    let mut found = sql.query(&select, &[key.into()])?;
    let found = found.first_mut().ok_or(Error::NotThere)?;
    if found.text(2)? != stored.origin {
        // The number was given to another one since.
        return Err(Error::NotThere);
    }
    let (version, events) = (found.int(0)? as u64, found.int(1)? as u64);
    if version != stored.version {
        return Err(Error::Conflict);
    }
    let parts = parts(effects);
    let next = version + 1;
    let all_steps = parts.contains(&&Part::Steps);
    let state = &stored.state;
    let (mut steps, mut nodes) = (Vec::new(), Vec::new());
    for part in parts {
        match part {
            Part::Deployment => rows::store_deployment(sql, stored)?,
            Part::Request(place) => rows::store_request(sql, (key, next), *place, &state.requests[*place])?,
            Part::Steps => rows::replace_steps(sql, (key, next), &state.steps)?,
            Part::Step(_) if all_steps => {}
            Part::Step(place) => steps.push((*place, &state.steps[*place as usize])),
            Part::Node(name) => nodes.push((name, &state.nodes[name])),
        }
    }
    rows::store_steps(sql, (key, next), &steps)?;
    rows::store_nodes(sql, (key, next), &nodes)?;
    let new = numbered(effects, events + 1, now);
    rows::store_events(sql, key, &new)?;
    sql.execute(
        "UPDATE deployment SET version = version + 1, events = events + $1 WHERE key = $2",
        &[new.len().into(), key.into()],
    )?;
    sql.notify(&stored.name)?;
    Ok(events + new.len() as u64)
}

/// The parts of the state that effects are about, each once.
fn parts(effects: &[Effect]) -> Vec<&Part> {
    let stored = effects.iter().filter_map(|effect| match effect {
        Effect::Store(part) => Some(part),
        _ => None,
    });
    let mut parts: Vec<&Part> = stored.collect();
    parts.sort();
    parts.dedup();
    parts
}
