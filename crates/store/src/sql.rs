//! The interface that the two databases have in common: statements with numbered parameters, rows, and many rows at
//! once.

use crate::Error;

/// A parameter of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Param<'a> {
    Int(i64),
    Text(&'a str),
    Null,
}

impl<'a> From<&'a str> for Param<'a> {
    fn from(text: &'a str) -> Self {
        Param::Text(text)
    }
}

impl<'a> From<&'a String> for Param<'a> {
    fn from(text: &'a String) -> Self {
        Param::Text(text)
    }
}

impl From<i64> for Param<'_> {
    fn from(number: i64) -> Self {
        Param::Int(number)
    }
}

impl From<u64> for Param<'_> {
    fn from(number: u64) -> Self {
        Param::Int(number as i64)
    }
}

impl From<u32> for Param<'_> {
    fn from(number: u32) -> Self {
        Param::Int(i64::from(number))
    }
}

impl From<usize> for Param<'_> {
    fn from(number: usize) -> Self {
        Param::Int(number as i64)
    }
}

impl From<bool> for Param<'_> {
    fn from(is_so: bool) -> Self {
        Param::Int(i64::from(is_so))
    }
}

impl<'a, T: Into<Param<'a>>> From<Option<T>> for Param<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Param::Null, Into::into)
    }
}

/// A value in a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Int(i64),
    Text(String),
    Null,
}

/// A row of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row(pub(crate) Vec<Value>);

impl Row {
    pub(crate) fn int(&self, column: usize) -> Result<i64, Error> {
        match self.0.get(column) {
            Some(Value::Int(number)) => Ok(*number),
            other => Err(Error::Damaged(format!("{other:?} is not a number"))),
        }
    }

    pub(crate) fn text(&mut self, column: usize) -> Result<String, Error> {
        match self.0.get_mut(column) {
            Some(Value::Text(text)) => Ok(std::mem::take(text)),
            other => Err(Error::Damaged(format!("{other:?} is not a text"))),
        }
    }

    pub(crate) fn text_at(&self, column: usize) -> Result<&str, Error> {
        match self.0.get(column) {
            Some(Value::Text(text)) => Ok(text),
            other => Err(Error::Damaged(format!("{other:?} is not a text"))),
        }
    }

    pub(crate) fn is_null(&self, column: usize) -> bool {
        self.0.get(column) == Some(&Value::Null)
    }
}

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Int,
    Text,
}

/// The way in which many rows are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// They are new.
    Insert,
    /// They replace those with the same key.
    Upsert,
    /// Those with the same key are there, and get these values.
    Update,
}

/// Many rows of one table.
pub(crate) struct Batch<'a> {
    pub(crate) table: &'static str,
    /// The columns of the key, which are among the columns.
    pub(crate) keys: &'static [&'static str],
    pub(crate) columns: &'static [(&'static str, Kind)],
    pub(crate) mode: Mode,
    pub(crate) rows: Vec<Vec<Param<'a>>>,
}

impl Batch<'_> {
    /// The assignments where a row exists: the columns that are no key, to the value for a name.
    pub(crate) fn set(&self, value: impl Fn(usize, &str) -> String) -> String {
        let columns = self.columns.iter().enumerate().filter(|(_, (name, _))| !self.keys.contains(name));
        let set: Vec<String> =
            columns.map(|(place, (name, _))| format!("{name} = {}", value(place, name))).collect();
        set.join(", ")
    }

    pub(crate) fn names(&self) -> String {
        self.columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }
}

/// A transaction.
pub(crate) trait Sql {
    fn query(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>, Error>;

    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<(), Error>;

    /// Stores many rows.
    fn many(&mut self, batch: &Batch<'_>) -> Result<(), Error>;

    /// The clause that makes a query keep others from changing its rows until the transaction ends.
    fn locks(&self) -> &'static str;

    /// The clause that makes a query leave out rows that others lock.
    fn skips(&self) -> &'static str;

    /// Tells others that a deployment has changed, when the transaction ends.
    fn notify(&mut self, name: &str) -> Result<(), Error>;
}

/// A database.
pub(crate) trait Backend: Send + Sync {
    /// Runs a transaction, which is rolled back if it fails.
    fn transact(
        &self,
        writes: bool,
        run: &mut dyn FnMut(&mut dyn Sql) -> Result<(), Error>,
    ) -> Result<(), Error>;

    /// Waits until something may have changed, for at most so long.
    fn wait(&self, patience: std::time::Duration) {
        std::thread::sleep(patience);
    }
}

/// Runs a transaction for what it gives.
pub(crate) fn within<T>(
    backend: &dyn Backend,
    writes: bool,
    mut run: impl FnMut(&mut dyn Sql) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut result = None;
    backend.transact(writes, &mut |sql| {
        result = Some(run(sql)?);
        Ok(())
    })?;
    result.ok_or_else(|| Error::Failed("the transaction did not run".to_owned()))
}
