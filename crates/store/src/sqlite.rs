//! SQLite, in a file.

use std::cmp::Ordering;
use std::fmt::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql, TransactionBehavior, params_from_iter};

use crate::Error;
use crate::schema::{MIGRATIONS, written};
use crate::sql::{Backend, Batch, Mode, Param, Row, Sql, Value};

/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(20);

/// A store in a file.
#[derive(Debug)]
pub struct Sqlite {
    connection: Mutex<Connection>,
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Error::Failed(error.to_string())
    }
}

impl Sqlite {
    /// Opens a store, or makes it.
    ///
    /// # Errors
    /// If the file cannot be opened, is not a store, or is one of a newer version.
    pub fn open(path: &Path) -> Result<Self, Error> {
        keep_private(path).map_err(|error| Error::Failed(format!("{}: {error}", path.display())))?;
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(PATIENCE)?;
        keep_log(&connection)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.set_prepared_statement_cache_capacity(32);
        migrate(&mut connection)?;
        Ok(Self { connection: Mutex::new(connection) })
    }
}

impl Sqlite {
    /// Opens a store for reading only, as it may be in a folder in which nothing can be written. Nothing, if its tables
    /// are those of an older version, which only a process with write access can bring up to date.
    ///
    /// # Errors
    /// If the file cannot be read, is not a store, or is one of a newer version.
    pub fn read(path: &Path) -> Result<Option<Self>, Error> {
        let version = |connection: &Connection| -> rusqlite::Result<i64> {
            connection.busy_timeout(PATIENCE)?;
            connection.query_row("PRAGMA user_version", [], |row| row.get(0))
        };
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let opened = Connection::open_with_flags(path, flags).and_then(|connection| {
            let version = version(&connection)?;
            Ok((connection, version))
        });
        let (connection, version) = if let Ok(opened) = opened {
            opened
        } else {
            // Without the files beside it, which nobody can make here, the log is empty: the file is all there is.
            let quoted = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
            let address = format!("file:{quoted}?immutable=1");
            let connection = Connection::open_with_flags(address, flags | OpenFlags::SQLITE_OPEN_URI)?;
            let version = version(&connection)?;
            (connection, version)
        };
        match usize::try_from(version).map_err(|_| Error::Newer)?.cmp(&MIGRATIONS.len()) {
            Ordering::Less => Ok(None),
            Ordering::Equal => Ok(Some(Self { connection: Mutex::new(connection) })),
            Ordering::Greater => Err(Error::Newer),
        }
    }
}

/// Has a new store be readable by its owner only, and takes the right to read an old one away from everybody. The files
/// beside it get the rights of this one.
#[cfg(unix)]
fn keep_private(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    const EVERYBODY: u32 = 0o007;
    match std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            let mode = std::fs::metadata(path)?.permissions().mode();
            if mode & EVERYBODY != 0 {
                // Only its owner can; others use it as it is.
                let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode & !EVERYBODY));
            }
            Ok(())
        }
        made => made.map(drop),
    }
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
fn keep_private(_: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Has changes written to a log first. Where several open a new store at once, SQLite does not wait for the others by
/// itself.
fn keep_log(connection: &Connection) -> rusqlite::Result<()> {
    let began = Instant::now();
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && began.elapsed() < PATIENCE =>
            {
                std::thread::sleep(Duration::from_millis(10));
            }
            done => return done,
        }
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
        transaction.execute_batch(&written(migration, "INTEGER PRIMARY KEY", "WITHOUT ROWID"))?;
    }
    transaction.pragma_update(None, "user_version", MIGRATIONS.len() as i64)?;
    transaction.commit()?;
    Ok(())
}

impl Backend for Sqlite {
    fn transact(
        &self,
        writes: bool,
        run: &mut dyn FnMut(&mut dyn Sql) -> Result<(), Error>,
    ) -> Result<(), Error> {
        // A transaction that a panic ended was rolled back.
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let behaviour = if writes { TransactionBehavior::Immediate } else { TransactionBehavior::Deferred };
        let transaction = connection.transaction_with_behavior(behaviour)?;
        run(&mut Within(&transaction))?;
        transaction.commit()?;
        Ok(())
    }
}

struct Within<'a>(&'a Connection);

impl ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Param::Int(number) => ValueRef::Integer(*number),
            Param::Text(text) => ValueRef::Text(text.as_bytes()),
            Param::Null => ValueRef::Null,
        }))
    }
}

impl Sql for Within<'_> {
    fn query(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>, Error> {
        let mut statement = self.0.prepare_cached(&sql.replace('$', "?"))?;
        let columns = statement.column_count();
        let mut rows = statement.query(params_from_iter(params))?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            let value = |column: usize| {
                Ok(match row.get_ref(column)? {
                    ValueRef::Integer(number) => Value::Int(number),
                    ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
                    ValueRef::Null => Value::Null,
                    ValueRef::Real(_) | ValueRef::Blob(_) => {
                        return Err(Error::Damaged("a value has another type".to_owned()));
                    }
                })
            };
            all.push(Row((0..columns).map(value).collect::<Result<_, Error>>()?));
        }
        Ok(all)
    }

    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<(), Error> {
        self.0.prepare_cached(&sql.replace('$', "?"))?.execute(params_from_iter(params))?;
        Ok(())
    }

    fn many(&mut self, batch: &Batch<'_>) -> Result<(), Error> {
        let place = |name: &str| batch.columns.iter().position(|(other, _)| *other == name).unwrap_or(0) + 1;
        let sql = match batch.mode {
            Mode::Update => {
                let keys: Vec<String> =
                    batch.keys.iter().map(|key| format!("{key} = ?{}", place(key))).collect();
                let set = batch.set(|place, _| format!("?{}", place + 1));
                format!("UPDATE {} SET {set} WHERE {}", batch.table, keys.join(" AND "))
            }
            Mode::Insert | Mode::Upsert => {
                let values: Vec<String> =
                    (1..=batch.columns.len()).map(|place| format!("?{place}")).collect();
                let mut sql =
                    format!("INSERT INTO {} ({}) VALUES ({})", batch.table, batch.names(), values.join(", "));
                if batch.mode == Mode::Upsert {
                    let set = batch.set(|_, name| format!("excluded.{name}"));
                    let _ = write!(sql, " ON CONFLICT ({}) DO UPDATE SET {set}", batch.keys.join(", "));
                }
                sql
            }
        };
        let mut statement = self.0.prepare_cached(&sql)?;
        for row in &batch.rows {
            statement.execute(params_from_iter(row))?;
        }
        Ok(())
    }

    // Whoever writes keeps all others from it.
    fn locks(&self) -> &'static str {
        ""
    }

    fn skips(&self) -> &'static str {
        ""
    }

    fn notify(&mut self, _: &str) -> Result<(), Error> {
        Ok(())
    }
}
