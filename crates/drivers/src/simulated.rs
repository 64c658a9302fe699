//! A cloud that is a list of what was made and deleted in it, with failures that depend on a seed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use locus_engine::{Does, Observation, Outcome};

use crate::{Driver, Order, Reply, Seen};

/// What happened in the cloud.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Made {
    /// What happened: `create`, `change` or `delete`.
    pub what: String,
    /// The token of the step that did it.
    pub token: String,
    /// The node.
    pub node: String,
}

/// What happened, and what can be asked about it.
#[derive(Debug, Default)]
struct Log {
    made: Vec<Made>,
    /// The tokens of all that happened.
    tokens: HashSet<String>,
    /// Whether each node was there last.
    there: HashMap<String, bool>,
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
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).log.read().map(|log| log.made.clone())
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
            if !self.tokens.contains(&made.token) {
                self.note(made);
            }
            return Ok(());
        };
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        // Only one process at a time looks and writes, as in a cloud that honours tokens.
        file.lock()?;
        self.catch_up(&mut file)?;
        if self.tokens.contains(&made.token) {
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

    fn note(&mut self, made: Made) {
        self.tokens.insert(made.token.clone());
        self.there.insert(made.node.clone(), made.what != "delete");
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

impl Driver for Simulated {
    fn call(&self, order: &Order) -> Reply {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let calls = inner.calls.entry(order.token.clone()).or_default();
        *calls += 1;
        let luck = number(self.seed, &[&order.token, &calls.to_string()]) % 100;
        let failed = |reason: &str, passing| {
            Reply::Ended(Outcome::Failed { reason: reason.to_owned(), passing, remains: false })
        };
        let (fails, refuses) =
            (self.fails && luck < 8, self.fails && luck == 8 && order.does == Does::Create);
        if refuses {
            return failed("the simulated cloud has no capacity left", false);
        }
        if fails && luck < 4 {
            return failed("the simulated cloud is busy", true);
        }
        if fails && luck < 6 {
            // The call is lost on its way.
            return Reply::Lost;
        }
        let what = order.does.as_str().to_owned();
        let made = Made { what, token: order.token.clone(), node: order.node.clone() };
        match inner.log.add(made) {
            // The reply is lost on its way.
            Ok(()) if fails => Reply::Lost,
            Ok(()) => Reply::Ended(ended(order)),
            Err(error) => failed(&error.to_string(), true),
        }
    }

    fn observe(&self, order: &Order) -> Observation {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        match inner.log.read() {
            Err(error) => Observation::Unsure { reason: error.to_string() },
            Ok(log) if log.tokens.contains(&order.token) => match ended(order) {
                Outcome::Done { id, outputs } => Observation::Done { id, outputs },
                _ => Observation::Absent,
            },
            Ok(_) => Observation::Absent,
        }
    }

    fn look(&self, order: &Order) -> Seen {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        match inner.log.read() {
            Err(error) => Seen::Unsure(error.to_string()),
            Ok(log) if log.there.get(&order.node) == Some(&true) => Seen::There,
            Ok(_) => Seen::Gone,
        }
    }
}
