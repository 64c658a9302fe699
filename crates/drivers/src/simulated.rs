//! A cloud that is a list of what was made and deleted in it, with failures that depend on a seed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use locus_engine::{Cause, Does, Failure, Observation, Outcome, Progress};

use crate::ability::{Ability, EVERYTHING, Tokens};
use crate::{Driver, Found, Imported, Order, Page, Reply, Seen, acceptance};

/// An event of the cloud.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Made {
    /// The event: `create`, `change` or `delete`; `accept` for one of these that was accepted.
    pub what: String,
    /// The token of the step that did it.
    pub token: String,
    /// The node.
    pub node: String,
}

/// The events, and what can be asked about them.
#[derive(Debug, Default)]
struct Log {
    made: Vec<Made>,
    /// The tokens of all that happened.
    tokens: HashSet<String>,
    /// The tokens of all that was accepted.
    accepted: HashSet<String>,
    /// The nodes that are there, each with the token that made it.
    there: BTreeMap<String, String>,
    /// The file that it is kept in, one line each, which several processes may share; none if it is kept in memory.
    path: Option<PathBuf>,
    /// How many bytes of it were read.
    upto: u64,
}

/// A simulated cloud.
#[derive(Debug)]
pub struct Simulated {
    seed: u64,
    /// Whether calls may fail.
    fails: bool,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    log: Log,
    /// How often each token was called by this process.
    calls: HashMap<String, u64>,
}

/// Numbers that look random and depend on a seed and texts only.
fn number(seed: u64, texts: &[&str]) -> u64 {
    let mut state = seed ^ 0x9e37_79b9_7f4a_7c15;
    for byte in texts.iter().flat_map(|text| text.bytes().chain([0])) {
        state = (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        state ^= state >> 29;
    }
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state ^ (state >> 27)
}

impl Simulated {
    /// A cloud in memory.
    pub fn in_memory(seed: u64, fails: bool) -> Self {
        Self::with(seed, fails, None)
    }

    /// A cloud in a file.
    pub fn in_file(seed: u64, fails: bool, path: &Path) -> Self {
        Self::with(seed, fails, Some(path.to_owned()))
    }

    fn with(seed: u64, fails: bool, path: Option<PathBuf>) -> Self {
        let log = Log { path, ..Log::default() };
        Self { seed, fails, inner: Mutex::new(Inner { log, calls: HashMap::new() }) }
    }

    /// All that happened.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn log(&self) -> std::io::Result<Vec<Made>> {
        self.inner().log.read().map(|log| log.made.clone())
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Log {
    fn read(&mut self) -> std::io::Result<&Log> {
        if let Some(path) = &self.path {
            match File::open(path) {
                Ok(mut file) => self.catch_up(&mut file)?,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(self)
    }

    /// Adds what happens, unless it has happened already.
    fn add(&mut self, made: Made) -> std::io::Result<()> {
        let Some(path) = &self.path else {
            if !self.has(&made) {
                self.note(made);
            }
            return Ok(());
        };
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        // Only one process at a time looks and writes, as in a cloud that honours tokens.
        file.lock()?;
        self.catch_up(&mut file)?;
        if self.has(&made) {
            return Ok(());
        }
        // What a process wrote that was killed before the end of its line did not happen.
        file.set_len(self.upto)?;
        let line = format!("{}\n", serde_json::json!([made.what, made.token, made.node]));
        file.write_all(line.as_bytes())?;
        self.upto += line.len() as u64;
        self.note(made);
        Ok(())
    }

    /// Whether it has happened already.
    fn has(&self, made: &Made) -> bool {
        let is_accepted = made.what == ACCEPT && self.accepted.contains(&made.token);
        is_accepted || self.tokens.contains(&made.token)
    }

    fn note(&mut self, made: Made) {
        if made.what == ACCEPT {
            self.accepted.insert(made.token.clone());
        } else {
            self.tokens.insert(made.token.clone());
        }
        match made.what.as_str() {
            "delete" => _ = self.there.remove(&made.node),
            "create" => _ = self.there.insert(made.node.clone(), made.token.clone()),
            // A node that was made before the log has it is there from its first change on.
            "change" => _ = self.there.entry(made.node.clone()).or_insert_with(|| made.token.clone()),
            _ => {}
        }
        self.made.push(made);
    }

    /// Reads the whole lines that were not read yet.
    fn catch_up(&mut self, file: &mut File) -> std::io::Result<()> {
        if file.metadata()?.len() == self.upto {
            return Ok(());
        }
        file.seek(SeekFrom::Start(self.upto))?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        for line in text[..whole].lines() {
            let value: serde_json::Value = serde_json::from_str(line)?;
            let part = |place: usize| value[place].as_str().unwrap_or_default().to_owned();
            self.note(Made { what: part(0), token: part(1), node: part(2) });
        }
        self.upto += whole as u64;
        Ok(())
    }
}

fn ended(order: &Order) -> Outcome {
    let outputs = BTreeMap::from([("id".to_owned(), order.token.clone())]);
    Outcome::Done { id: order.token.clone(), outputs }
}

/// The word in the log for what was accepted and not done yet.
const ACCEPT: &str = "accept";

/// How often something that was accepted is asked for until it is done.
const ASKED: u64 = 3;

/// How long to wait before that is asked again.
const SLOW: Duration = Duration::from_millis(20);

/// How much is on a page of the list.
const PAGE: usize = 100;

pub(crate) static ABILITY: Ability =
    Ability { tokens: Tokens::Honoured, lists: true, imports: true, sorts: EVERYTHING };

impl Inner {
    /// Does what was asked for.
    fn perform(&mut self, order: &Order) -> std::io::Result<()> {
        let what = order.does.as_str().to_owned();
        self.log.add(Made { what, token: order.token.clone(), node: order.node.clone() })
    }

    fn count(&mut self, token: &str) -> u64 {
        let calls = self.calls.entry(token.to_owned()).or_default();
        *calls += 1;
        *calls
    }
}

/// How a call goes that does not simply do it.
enum Mishap {
    /// It fails.
    Fails(Failure),
    /// It is lost on its way.
    Lost,
    /// It is done, and the reply is lost on its way.
    Unheard,
    /// It is accepted, and done later.
    Slow,
}

/// The mishap of a call, from a number below 100.
fn mishap(luck: u64, does: Does) -> Option<Mishap> {
    let fails = |cause, reason: &str| Some(Mishap::Fails(Failure::new(cause, reason)));
    match luck {
        0 => fails(Cause::Busy, "the simulated cloud is busy"),
        1 => Some(Mishap::Fails(Failure::new(Cause::Throttled, "the simulated cloud").after(30))),
        2 => fails(Cause::Conflict, "the simulated cloud changes it already"),
        3 => fails(Cause::Network, "the simulated cloud is not there"),
        4 | 5 => Some(Mishap::Lost),
        6 | 7 => Some(Mishap::Unheard),
        8 if does == Does::Create => fails(Cause::Refused, "the simulated cloud has no capacity left"),
        9..=14 => Some(Mishap::Slow),
        _ => None,
    }
}

impl Driver for Simulated {
    fn ability(&self) -> &Ability {
        &ABILITY
    }

    fn call(&self, order: &Order) -> Reply {
        let mut inner = self.inner();
        let calls = inner.count(&order.token);
        let luck = number(self.seed, &[&order.token, &calls.to_string()]) % 100;
        let mishap = if self.fails { mishap(luck, order.does) } else { None };
        let done = match mishap {
            Some(Mishap::Fails(failure)) => return Reply::failed(failure),
            Some(Mishap::Lost) => return Reply::Lost,
            Some(Mishap::Slow) => {
                let (token, node) = (order.token.clone(), order.node.clone());
                inner.log.add(Made { what: ACCEPT.to_owned(), token, node })
            }
            Some(Mishap::Unheard) | None => inner.perform(order),
        };
        match (done, mishap) {
            (Err(error), _) => Reply::failed(Failure::busy(error.to_string())),
            (Ok(()), Some(Mishap::Slow)) => Reply::accepted(&order.token, SLOW),
            (Ok(()), Some(_)) => Reply::Lost,
            (Ok(()), None) => Reply::Ended(ended(order)),
        }
    }

    fn poll(&self, order: &Order) -> Progress {
        let mut inner = self.inner();
        match inner.log.read() {
            Err(_) => return Progress::GoesOn(acceptance(&order.handle, SLOW)),
            Ok(log) if log.tokens.contains(&order.token) => return Progress::Ended(ended(order)),
            Ok(log) if !log.accepted.contains(&order.handle) => return Progress::Forgotten,
            Ok(_) => {}
        }
        let asked = inner.count(&format!("poll {}", order.token));
        if asked < ASKED || inner.perform(order).is_err() {
            return Progress::GoesOn(acceptance(&order.handle, SLOW));
        }
        Progress::Ended(ended(order))
    }

    fn observe(&self, order: &Order) -> Observation {
        match self.inner().log.read() {
            Err(error) => Observation::Unsure { reason: error.to_string() },
            Ok(log) if log.tokens.contains(&order.token) => match ended(order) {
                Outcome::Done { id, outputs } => Observation::Done { id, outputs },
                _ => Observation::Absent,
            },
            Ok(log) if log.accepted.contains(&order.token) => {
                Observation::Accepted(acceptance(&order.token, SLOW))
            }
            Ok(_) => Observation::Absent,
        }
    }

    fn look(&self, order: &Order) -> Seen {
        match self.inner().log.read() {
            Err(error) => Seen::Unsure(error.to_string()),
            Ok(log) if log.there.contains_key(&order.node) => Seen::There,
            Ok(_) => Seen::Gone,
        }
    }

    fn list(&self, tokens: &str, from: Option<&str>) -> Result<Page, Failure> {
        let mut inner = self.inner();
        let log = inner.log.read().map_err(|error| Failure::busy(error.to_string()))?;
        let mut all: Vec<&String> = log.there.values().filter(|token| token.starts_with(tokens)).collect();
        all.sort();
        let rest = all.into_iter().filter(|token| from.is_none_or(|from| token.as_str() > from));
        let mut found: Vec<Found> =
            rest.take(PAGE + 1).map(|token| Found { id: token.clone(), token: token.clone() }).collect();
        let is_last = found.len() <= PAGE;
        found.truncate(PAGE);
        let next = if is_last { None } else { found.last().map(|one| one.token.clone()) };
        Ok(Page { found, next })
    }

    /// A thing of this cloud is called by the token that made it; one that nobody made is made by being taken over.
    fn import(&self, order: &Order, id: &str) -> Result<Imported, Failure> {
        let mut inner = self.inner();
        let log = inner.log.read().map_err(|error| Failure::busy(error.to_string()))?;
        if !log.there.values().any(|token| token == id) {
            return Err(Failure::refused(format!("there is no {id} in the simulated cloud")));
        }
        let outputs = BTreeMap::from([("id".to_owned(), id.to_owned())]);
        let holder = log.there.iter().find(|(_, token)| *token == id).map(|(node, _)| node.clone());
        if let Some(holder) = holder.filter(|holder| *holder != order.node) {
            return Err(Failure::new(Cause::Conflict, format!("{id} is {holder}")));
        }
        Ok(Imported { id: id.to_owned(), outputs, differs: None })
    }
}
