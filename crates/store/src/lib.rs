//! Where deployments are kept.
//!
//! A [`Store`] has the state of each deployment and its events, and changes both in one transaction. A transaction is
//! accepted only on the version of the deployment that it was made for, so that those of several processes come one
//! after the other, as the inputs of the core do.
//!
//! [`Sqlite`] keeps them in a file: with a write-ahead log, and every transaction on the disk before it is answered.
//! [`Postgres`] is for several processes on several machines. [`Memory`] is for rehearsals and tests.
//!
//! Out of scope: what the state means (`locus-engine`), and what is done in the world.

#![forbid(unsafe_code)]

mod memory;
mod postgres;
mod refresh;
mod rows;
mod schema;
mod sql;
mod sqlite;
mod tables;
mod tls;

use std::fmt;
use std::time::Duration;

use locus_engine::{About, Effect, Happened, RequestStatus, State, Subject, Time};

pub use memory::Memory;
pub use postgres::Postgres;
pub use sqlite::Sqlite;

/// A deployment as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stored {
    /// Its number in the store.
    pub key: i64,
    /// Its name.
    pub name: String,
    /// How many deployments with this name there were up to this one.
    pub incarnation: u32,
    /// How many transactions there were on it.
    pub version: u64,
    /// How many events there are.
    pub events: u64,
    /// The mark that distinguishes it from the deployments of other stores. Nothing, if it was made before there was
    /// such a mark.
    pub origin: String,
    /// The state.
    pub state: State,
}

impl Stored {
    /// The name of a step in the world: no step of another deployment has it, nor one of another store.
    pub fn token(&self, of_step: &str) -> String {
        let Self { origin, name, incarnation, .. } = self;
        if origin.is_empty() {
            format!("{name}/{incarnation}/{of_step}")
        } else {
            format!("{origin}/{name}/{incarnation}/{of_step}")
        }
    }
}

/// The place of the oldest request whose document is still of use: the last one that succeeded.
fn oldest_of_use(stored: &Stored) -> usize {
    let requests = &stored.state.requests;
    requests.iter().rposition(|request| request.status == RequestStatus::Success).unwrap_or(0)
}

/// An origin that no other deployment has.
fn new_origin() -> String {
    use std::hash::{BuildHasher, RandomState};
    // The standard library takes the keys of its hash tables from the system's random numbers.
    format!("{:016x}", RandomState::new().hash_one(std::time::SystemTime::now()))
}

/// An event as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredEvent {
    /// The subject and its new status.
    pub happened: Happened,
    /// The node, for events about steps.
    pub node: String,
    /// The operation that the driver was asked to perform, for events about steps.
    pub operation: String,
    /// Why, or with what result.
    pub reason: String,
    /// When, in milliseconds since 1970.
    pub at: Time,
}

/// Why the store did not do what it was asked to.
#[derive(Debug)]
pub enum Error {
    /// Another process has changed the deployment. It is to be loaded again.
    Conflict,
    /// There is no such deployment.
    NotThere,
    /// Stored data cannot be read. In words.
    Damaged(String),
    /// It was written by a newer version of this program.
    Newer,
    /// The database failed. In words.
    Failed(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Conflict => f.write_str("somebody else has changed the deployment"),
            Error::NotThere => f.write_str("there is no such deployment"),
            Error::Damaged(what) => write!(f, "the stored state cannot be read: {what}"),
            Error::Newer => f.write_str("the store was written by a newer version of locus"),
            Error::Failed(why) => write!(f, "the store failed: {why}"),
        }
    }
}

impl std::error::Error for Error {}

/// Keeps deployments.
pub trait Store: Send + Sync {
    /// The newest deployment of each name, in alphabetical order.
    ///
    /// # Errors
    /// If they cannot be read.
    fn all(&self) -> Result<Vec<Stored>, Error>;

    /// The newest deployment with a name.
    ///
    /// # Errors
    /// If it cannot be read.
    fn load(&self, name: &str) -> Result<Option<Stored>, Error>;

    /// A new deployment with a name, if `newest` is still the newest with it: of several who found none, or the same
    /// one, one makes the next. Those that had the name before stay, with their events.
    ///
    /// # Errors
    /// With [`Error::Conflict`] if somebody else has made one since, or if it cannot be written.
    fn create(&self, name: &str, newest: Option<&Stored>) -> Result<Stored, Error>;

    /// Stores what has changed, and the events, in one transaction. `stored` has the new state and the version that it
    /// was made from; it gets the next one.
    ///
    /// # Errors
    /// With [`Error::Conflict`] if that is not the version in the store any more. After any error `stored` is to be
    /// loaded again: the transaction may have taken place or not.
    fn commit(&self, stored: &mut Stored, effects: &[Effect], now: Time) -> Result<(), Error>;

    /// Lets `make` change a deployment as it is in the store now, and stores what it did and the events, in one
    /// transaction.
    ///
    /// # Errors
    /// If the store fails. The transaction may have taken place or not, and `stored` is not worth anything until the
    /// next transaction on it.
    fn change(
        &self,
        stored: &mut Stored,
        now: Time,
        make: &mut dyn FnMut(&mut State) -> Vec<Effect>,
    ) -> Result<Vec<Effect>, Error>;

    /// Keeps the document that a request, by place, was made from. Those of requests before the last that succeeded are
    /// removed.
    ///
    /// # Errors
    /// If it cannot be written.
    fn keep_document(&self, stored: &Stored, request: usize, content: &str) -> Result<(), Error>;

    /// The documents that are kept of a deployment, each with the place of its request, that of the newest first.
    ///
    /// # Errors
    /// If they cannot be read.
    fn documents(&self, stored: &Stored) -> Result<Vec<(usize, String)>, Error>;

    /// Forgets all deployments with a name, and their events. Nothing in the world is touched.
    ///
    /// # Errors
    /// If they cannot be removed.
    fn forget(&self, name: &str) -> Result<(), Error>;

    /// The events of a deployment with a number above `after`.
    ///
    /// # Errors
    /// If they cannot be read.
    fn events(&self, stored: &Stored, after: u64) -> Result<Vec<StoredEvent>, Error>;

    /// The names of the deployments of which something goes on, but for those that somebody else is changing right now.
    ///
    /// # Errors
    /// If they cannot be read.
    fn working(&self) -> Result<Vec<String>, Error>;

    /// Waits until something may have changed, for at most so long.
    fn wait(&self, patience: Duration);
}

/// The version of a deployment that is to be read again as a whole.
const UNKNOWN: u64 = u64::MAX;

/// Whether something is to be stored.
fn has_changes(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| matches!(effect, Effect::Store(_) | Effect::Event(_)))
}

/// The events among effects, numbered from `next`.
fn numbered(effects: &[Effect], next: u64, now: Time) -> Vec<StoredEvent> {
    let events = effects.iter().filter_map(|effect| match effect {
        Effect::Event(event) => Some(event),
        _ => None,
    });
    let number = |(event, sequence): (&locus_engine::Event, u64)| {
        let mut does = None;
        let (about, node, operation) = match &event.subject {
            Subject::Deployment => (About::Deployment, String::new(), String::new()),
            Subject::Request(rank) => (About::Request(*rank), String::new(), String::new()),
            Subject::Node(name) => (About::Node(name.clone()), name.clone(), String::new()),
            Subject::Step { node, does: done, operation, token } => {
                does = Some(*done);
                (About::Step(token.clone()), node.clone(), operation.clone())
            }
        };
        let happened = Happened { sequence, about, status: event.status.to_owned(), does };
        StoredEvent { happened, node, operation, reason: event.reason.clone(), at: now }
    };
    events.zip(next..).map(number).collect()
}
