//! PostgreSQL, which several processes on several machines share.
//!
//! Only a server that accepts writes is used: what a replica says may be old. The row of a deployment is locked while
//! it is changed, so that transactions come one after the other and none fails because of another one.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use postgres::config::TargetSessionAttrs;
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::private::BytesMut;
use postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use postgres::{Client, Config, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::Error;
use crate::schema::{MIGRATIONS, written};
use crate::sql::{Backend, Batch, Kind, Mode, Param, Row, Sql, Value};
use crate::tls;

/// How long to wait for the server when connecting.
const CONNECT: Duration = Duration::from_secs(10);

/// A number that no other program uses for a lock in the same database, it is to be hoped.
const MIGRATION_LOCK: i64 = 0x10c0_5e17;

/// A store in PostgreSQL.
pub struct Postgres {
    config: Config,
    tls: MakeRustlsConnect,
    session: Mutex<Option<Session>>,
    /// Another connection, on which notifications come.
    listener: Mutex<Option<Client>>,
}

struct Session {
    client: Client,
    statements: HashMap<String, Statement>,
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The configuration may have a password.
        f.write_str("Postgres")
    }
}

impl From<postgres::Error> for Error {
    fn from(error: postgres::Error) -> Self {
        let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}")).unwrap_or_default();
        Error::Failed(format!("{error}{cause}"))
    }
}

impl Postgres {
    /// Connects to a store, and makes its tables where they are missing.
    ///
    /// # Errors
    /// If the address cannot be read, there is no server that accepts writes, or the tables are of a newer version.
    pub fn connect(address: &str) -> Result<Self, Error> {
        let (mut config, tls) = tls::connector(address)?;
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        config.application_name("locus").connect_timeout(CONNECT);
        let store = Self { config, tls, session: Mutex::new(None), listener: Mutex::new(None) };
        let mut session = store.open()?;
        migrate(&mut session.client)?;
        *store.session.lock().unwrap_or_else(PoisonError::into_inner) = Some(session);
        Ok(store)
    }

    fn open(&self) -> Result<Session, Error> {
        let mut client = self.config.connect(self.tls.clone())?;
        client.batch_execute(SETTINGS)?;
        Ok(Session { client, statements: HashMap::new() })
    }
}

/// A process that is paused within a transaction would hold its locks for ever: the server ends its session, long
/// before those who wait give up.
const SETTINGS: &str = "SET synchronous_commit = on; SET lock_timeout = '20s'; \
                        SET idle_in_transaction_session_timeout = '4s'";

fn migrate(client: &mut Client) -> Result<(), Error> {
    let mut transaction = client.transaction()?;
    transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&MIGRATION_LOCK])?;
    transaction.batch_execute("CREATE TABLE IF NOT EXISTS locus_version (version BIGINT NOT NULL)")?;
    let row = transaction.query_opt("SELECT version FROM locus_version", &[])?;
    let version: i64 = row.as_ref().map_or(0, |row| row.get(0));
    let done = usize::try_from(version).map_err(|_| Error::Newer)?;
    if done > MIGRATIONS.len() {
        return Err(Error::Newer);
    }
    for migration in &MIGRATIONS[done..] {
        transaction.batch_execute(&written(migration, "BIGSERIAL PRIMARY KEY", ""))?;
    }
    if done < MIGRATIONS.len() {
        transaction.execute("DELETE FROM locus_version", &[])?;
        transaction.execute("INSERT INTO locus_version VALUES ($1)", &[&(MIGRATIONS.len() as i64)])?;
    }
    transaction.commit()?;
    Ok(())
}

impl Backend for Postgres {
    fn transact(
        &self,
        writes: bool,
        run: &mut dyn FnMut(&mut dyn Sql) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut kept = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let mut session = match kept.take().filter(|session| !session.client.is_closed()) {
            Some(session) => session,
            None => self.open()?,
        };
        // What was begun is rolled back with the connection, if it is lost here.
        let begin = if writes { "BEGIN" } else { "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" };
        session.client.batch_execute(begin)?;
        let result = run(&mut session);
        let end = if result.is_ok() { "COMMIT" } else { "ROLLBACK" };
        let ended = session.client.batch_execute(end);
        if ended.is_ok() {
            *kept = Some(session);
        }
        result?;
        Ok(ended?)
    }

    fn wait(&self, patience: Duration) {
        let started = Instant::now();
        let mut kept = self.listener.lock().unwrap_or_else(PoisonError::into_inner);
        let listener = kept.take().filter(|client| !client.is_closed()).or_else(|| {
            let mut client = self.config.connect(self.tls.clone()).ok()?;
            client.batch_execute("LISTEN locus").ok()?;
            Some(client)
        });
        let Some(mut client) = listener else {
            std::thread::sleep(patience);
            return;
        };
        let came = client.notifications().timeout_iter(patience).next();
        match came {
            Ok(_) => {
                // Those that came together are one reason to look.
                while let Ok(Some(_)) = client.notifications().iter().next() {}
                *kept = Some(client);
            }
            Err(_) => std::thread::sleep(patience.saturating_sub(started.elapsed())),
        }
    }
}

impl ToSql for Param<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Param::Int(number) => number.to_sql(ty, out),
            Param::Text(text) => text.to_sql(ty, out),
            Param::Null => Ok(IsNull::Yes),
        }
    }

    fn accepts(ty: &Type) -> bool {
        *ty == Type::INT8 || *ty == Type::TEXT
    }

    to_sql_checked!();
}

impl Session {
    fn prepared(&mut self, sql: &str) -> Result<Statement, Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql)?;
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

fn by_reference<'a>(params: &'a [Param<'a>]) -> Vec<&'a (dyn ToSql + Sync)> {
    params.iter().map(|param| param as &(dyn ToSql + Sync)).collect()
}

impl Sql for Session {
    fn query(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>, Error> {
        let statement = self.prepared(sql)?;
        let rows = self.client.query(&statement, &by_reference(params))?;
        let read = |row: &postgres::Row| {
            let value = |(place, column): (usize, &postgres::Column)| {
                Ok(if *column.type_() == Type::INT8 {
                    row.try_get::<_, Option<i64>>(place)?.map_or(Value::Null, Value::Int)
                } else {
                    row.try_get::<_, Option<String>>(place)?.map_or(Value::Null, Value::Text)
                })
            };
            Ok(Row(row.columns().iter().enumerate().map(value).collect::<Result<_, Error>>()?))
        };
        rows.iter().map(read).collect()
    }

    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<(), Error> {
        let statement = self.prepared(sql)?;
        self.client.execute(&statement, &by_reference(params))?;
        Ok(())
    }

    /// One statement for all rows, since each statement is a round trip.
    fn many(&mut self, batch: &Batch<'_>) -> Result<(), Error> {
        if batch.rows.is_empty() {
            return Ok(());
        }
        let lists = batch.columns.iter().enumerate().map(|(place, (_, kind))| match kind {
            Kind::Int => format!("${}::bigint[]", place + 1),
            Kind::Text => format!("${}::text[]", place + 1),
        });
        let lists = lists.collect::<Vec<_>>().join(", ");
        let (table, names) = (batch.table, batch.names());
        let sql = match batch.mode {
            Mode::Insert => format!("INSERT INTO {table} ({names}) SELECT * FROM unnest({lists})"),
            Mode::Upsert => {
                let set = batch.set(|_, name| format!("excluded.{name}"));
                format!(
                    "INSERT INTO {table} ({names}) SELECT * FROM unnest({lists}) ON CONFLICT ({}) DO UPDATE SET {set}",
                    batch.keys.join(", ")
                )
            }
            Mode::Update => {
                let set = batch.set(|_, name| format!("u.{name}"));
                let keys: Vec<String> =
                    batch.keys.iter().map(|key| format!("{table}.{key} = u.{key}")).collect();
                format!(
                    "UPDATE {table} SET {set} FROM unnest({lists}) AS u({names}) WHERE {}",
                    keys.join(" AND ")
                )
            }
        };
        let columns: Vec<Box<dyn ToSql + Sync + '_>> = batch
            .columns
            .iter()
            .enumerate()
            .map(|(place, (_, kind))| -> Box<dyn ToSql + Sync + '_> {
                let values = batch.rows.iter().map(|row| row[place]);
                match kind {
                    Kind::Int => Box::new(values.map(int).collect::<Vec<_>>()),
                    Kind::Text => Box::new(values.map(text).collect::<Vec<_>>()),
                }
            })
            .collect();
        let params: Vec<&(dyn ToSql + Sync)> =
            columns.iter().map(|column| &**column as &(dyn ToSql + Sync)).collect();
        let statement = self.prepared(&sql)?;
        self.client.execute(&statement, &params)?;
        Ok(())
    }

    fn locks(&self) -> &'static str {
        " FOR UPDATE"
    }

    fn skips(&self) -> &'static str {
        " FOR UPDATE SKIP LOCKED"
    }

    fn notify(&mut self, name: &str) -> Result<(), Error> {
        self.execute("SELECT pg_notify('locus', $1)", &[name.into()])
    }
}

fn int(param: Param<'_>) -> Option<i64> {
    if let Param::Int(number) = param { Some(number) } else { None }
}

fn text(param: Param<'_>) -> Option<&str> {
    if let Param::Text(text) = param { Some(text) } else { None }
}
