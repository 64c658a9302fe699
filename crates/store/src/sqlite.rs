//! The store in a file of SQLite.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use locus_engine::{About, Effect, Happened, Part, Time};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use crate::{Error, Store, Stored, StoredEvent, numbered, rows};

/// What leads from each version of the schema to the next. Entries are never changed, only added.
const MIGRATIONS: [&str; 2] = ["
CREATE TABLE deployment (
    key INTEGER PRIMARY KEY, name TEXT NOT NULL, incarnation INTEGER NOT NULL, status TEXT NOT NULL,
    phase TEXT NOT NULL, shown INTEGER, complete INTEGER NOT NULL, version INTEGER NOT NULL,
    events INTEGER NOT NULL, UNIQUE (name, incarnation));
CREATE TABLE request (
    deployment INTEGER NOT NULL REFERENCES deployment, place INTEGER NOT NULL, kind TEXT NOT NULL,
    on_failure TEXT NOT NULL, desired TEXT NOT NULL, status TEXT NOT NULL,
    PRIMARY KEY (deployment, place)) WITHOUT ROWID;
CREATE TABLE step (
    deployment INTEGER NOT NULL REFERENCES deployment, place INTEGER NOT NULL, node TEXT NOT NULL,
    does TEXT NOT NULL, operation TEXT NOT NULL, desired TEXT NOT NULL, needs TEXT NOT NULL,
    cleanup INTEGER NOT NULL, token TEXT NOT NULL, state TEXT NOT NULL, worker TEXT, until INTEGER NOT NULL,
    fence INTEGER NOT NULL, failures INTEGER NOT NULL, due INTEGER NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY (deployment, place)) WITHOUT ROWID;
CREATE TABLE node (
    deployment INTEGER NOT NULL REFERENCES deployment, name TEXT NOT NULL, present INTEGER NOT NULL,
    id TEXT NOT NULL, desired TEXT NOT NULL, outputs TEXT NOT NULL, serial INTEGER NOT NULL,
    fence INTEGER NOT NULL, PRIMARY KEY (deployment, name)) WITHOUT ROWID;
CREATE TABLE event (
    deployment INTEGER NOT NULL REFERENCES deployment, sequence INTEGER NOT NULL, rank INTEGER, token TEXT,
    node TEXT NOT NULL, operation TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (deployment, sequence)) WITHOUT ROWID;
", "
ALTER TABLE node ADD COLUMN condition TEXT NOT NULL DEFAULT 'whole';
"];

const COLUMNS: &str = "key, name, incarnation, status, phase, shown, complete, version";

/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(20);

/// A store in a file.
#[derive(Debug)]
pub struct Sqlite {
    connection: Mutex<Connection>,
}

impl Sqlite {
    /// Opens a store, or makes it.
    ///
    /// # Errors
    /// If the file cannot be opened, is not a store, or is one of a newer version.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(PATIENCE)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.set_prepared_statement_cache_capacity(32);
        migrate(&mut connection)?;
        Ok(Self { connection: Mutex::new(connection) })
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A transaction that a panic ended was rolled back.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn migrate(connection: &mut Connection) -> Result<(), Error> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let done = usize::try_from(version).map_err(|_| Error::Newer)?;
    if done > MIGRATIONS.len() {
        return Err(Error::Newer);
    }
    for migration in &MIGRATIONS[done..] {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "user_version", MIGRATIONS.len() as i64)?;
    transaction.commit()?;
    Ok(())
}

impl Store for Sqlite {
    fn all(&self) -> Result<Vec<Stored>, Error> {
        let mut connection = self.connection();
        // One transaction, so that the rows of a deployment belong together.
        let transaction = connection.transaction()?;
        let mut found = Vec::new();
        {
            let mut select = transaction.prepare(&format!(
                "SELECT {COLUMNS} FROM deployment AS d WHERE incarnation = \
                 (SELECT max(incarnation) FROM deployment WHERE name = d.name) ORDER BY name"
            ))?;
            let mut rows = select.query([])?;
            while let Some(row) = rows.next()? {
                found.push(rows::load(&transaction, row)?);
            }
        }
        transaction.commit()?;
        Ok(found)
    }

    fn load(&self, name: &str) -> Result<Option<Stored>, Error> {
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        let found = {
            let mut select = transaction.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM deployment WHERE name = ? ORDER BY incarnation DESC LIMIT 1"
            ))?;
            let mut rows = select.query([name])?;
            rows.next()?.map(|row| rows::load(&transaction, row)).transpose()?
        };
        transaction.commit()?;
        Ok(found)
    }

    fn create(&self, name: &str) -> Result<Stored, Error> {
        let mut connection = self.connection();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute(
            "INSERT INTO deployment (name, incarnation, status, phase, shown, complete, version, events) \
             SELECT ?1, coalesce(max(incarnation), 0) + 1, 'absent', 'idle', NULL, 1, 0, 0 FROM deployment \
             WHERE name = ?1",
            [name],
        )?;
        let stored = {
            let mut select = transaction
                .prepare(&format!("SELECT {COLUMNS} FROM deployment WHERE key = last_insert_rowid()"))?;
            let mut rows = select.query([])?;
            let row = rows.next()?.ok_or(Error::NotThere)?;
            rows::load(&transaction, row)?
        };
        transaction.commit()?;
        Ok(stored)
    }

    fn commit(&self, stored: &mut Stored, effects: &[Effect], now: Time) -> Result<(), Error> {
        let mut connection = self.connection();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let found: Option<(i64, i64)> = transaction
            .prepare_cached("SELECT version, events FROM deployment WHERE key = ?")?
            .query_row([stored.key], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let (version, events) = found.ok_or(Error::NotThere)?;
        if version as u64 != stored.version {
            return Err(Error::Conflict);
        }
        let mut parts: Vec<&Part> = effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Store(part) => Some(part),
                _ => None,
            })
            .collect();
        parts.sort();
        parts.dedup();
        let key = stored.key;
        if parts.contains(&&Part::Steps) {
            parts.retain(|part| !matches!(part, Part::Step(_)));
        }
        for part in parts {
            let state = &stored.state;
            match part {
                Part::Deployment => rows::store_deployment(&transaction, stored)?,
                Part::Request(place) => {
                    rows::store_request(&transaction, key, *place, &state.requests[*place])?;
                }
                Part::Steps => rows::replace_steps(&transaction, key, &state.steps)?,
                Part::Step(place) => {
                    rows::store_step(&transaction, key, *place, &state.steps[*place as usize])?;
                }
                Part::Node(name) => rows::store_node(&transaction, key, name, &state.nodes[name])?,
            }
        }
        let new = numbered(effects, events as u64 + 1, now);
        store_events(&transaction, key, &new)?;
        transaction
            .prepare_cached("UPDATE deployment SET version = version + 1, events = events + ? WHERE key = ?")?
            .execute(params![new.len() as i64, key])?;
        transaction.commit()?;
        stored.version += 1;
        Ok(())
    }

    fn events(&self, stored: &Stored, after: u64) -> Result<Vec<StoredEvent>, Error> {
        let connection = self.connection();
        let mut select = connection.prepare_cached(
            "SELECT sequence, rank, token, node, operation, status, reason, at FROM event \
             WHERE deployment = ? AND sequence > ? ORDER BY sequence",
        )?;
        let mut rows = select.query(params![stored.key, after as i64])?;
        let mut events = Vec::new();
        while let Some(row) = rows.next()? {
            let about = match (row.get::<_, Option<u32>>(1)?, row.get::<_, Option<String>>(2)?) {
                (Some(rank), _) => About::Request(rank),
                (None, Some(token)) => About::Step(token),
                (None, None) => About::Deployment,
            };
            let sequence = row.get::<_, i64>(0)? as u64;
            events.push(StoredEvent {
                happened: Happened { sequence, about, status: row.get(5)? },
                node: row.get(3)?,
                operation: row.get(4)?,
                reason: row.get(6)?,
                at: row.get::<_, i64>(7)? as u64,
            });
        }
        Ok(events)
    }
}

fn store_events(transaction: &Connection, key: i64, events: &[StoredEvent]) -> Result<(), Error> {
    let mut insert = transaction.prepare_cached(
        "INSERT INTO event (deployment, sequence, rank, token, node, operation, status, reason, at) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    for event in events {
        let (rank, token) = match &event.happened.about {
            About::Deployment => (None, None),
            About::Request(rank) => (Some(*rank), None),
            About::Step(token) => (None, Some(token)),
        };
        insert.execute(params![
            key,
            event.happened.sequence as i64,
            rank,
            token,
            event.node,
            event.operation,
            event.happened.status,
            event.reason,
            event.at as i64
        ])?;
    }
    Ok(())
}
