//! Programs, on this machine or on others.
//!
//! A step is a program. It is run by a wrapper that continues when the engine is killed: the wrapper claims a folder
//! whose name is the token, which only one can, and writes the program's number, output and exit code into it. A later
//! worker finds the folder, and waits for the same program instead of starting it again. [`local`] does that on this
//! machine, [`ssh`] on another one, with the system's `ssh`.

mod local;
mod ssh;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use locus_engine::{Cause, Does, Failure, Left, Observation, Outcome};
use serde_json::Value;

use crate::ability::{Ability, EVERYTHING, Tokens};
use crate::limits::Room;
use crate::secret::{self, Secret};
use crate::{Driver, Order, Reply, Seen, numbered};
use local::Local;
use ssh::Ssh;

/// The exit code of a program that could not do it now and may be asked again.
const TRY_AGAIN: i32 = 75;

/// How long a wrapper may take from being started to claiming its folder, and from that to writing its number.
const START: Duration = Duration::from_secs(3);

/// How long to go on asking a machine that does not answer.
const UNREACHABLE: Duration = Duration::from_secs(20);

/// How many characters of a token are in the name of its folder.
const SHOWN_OF_TOKEN: usize = 100;

/// How much of a program's output is shown when it fails.
const SHOWN: usize = 400;

/// The abilities of programs are not known; the folder of a step is claimed by its token.
pub(crate) static ABILITY: Ability =
    Ability { tokens: Tokens::Honoured, lists: false, imports: false, sorts: EVERYTHING };

/// Runs programs.
#[derive(Debug)]
pub struct Script {
    /// The folder that names of programs are relative to.
    base: PathBuf,
    /// How long a program may take.
    timeout: Duration,
    /// How many seconds the programs of single operations may take; those of all others under the empty name.
    timeouts: BTreeMap<String, u64>,
    /// The tokens of the steps whose programs somebody wanted to end.
    stopped: Mutex<HashSet<String>>,
    here: Local,
    /// The command that reaches other machines.
    ssh: Vec<String>,
    /// The mark that distinguishes the folders of this engine from those of others on the same machine.
    mark: String,
}

/// One attempt at a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Attempt {
    /// There was none.
    None,
    /// It goes on.
    Running,
    /// It ended, with an exit code.
    Ended(i32),
    /// It was ended from outside before it had an exit code.
    Killed,
}

/// The newest attempt at a step.
#[derive(Debug)]
struct Found {
    /// Its number; 0 if there was none.
    number: u32,
    state: Attempt,
    /// The lines that it has put out.
    output: String,
    /// The end of what it has written for people.
    log: String,
}

/// A program that is to be started.
struct Start<'a> {
    folder: &'a str,
    number: u32,
    program: &'a Path,
    /// The variables that it is given, with secrets.
    environment: Vec<(String, String)>,
}

/// A machine that runs programs.
trait Machine {
    /// The newest attempt, after waiting for its end for at most so long.
    fn look(&self, folder: &str, patience: Duration) -> Result<Found, String>;

    /// Starts an attempt, if it was not started by anybody. It claims its folder a little later.
    fn start(&self, start: &Start<'_>) -> Result<(), String>;

    /// Ends the program of an attempt that goes on, and all that it has started.
    fn end(&self, folder: &str, number: u32) -> Result<(), String>;

    /// Runs a program that only looks, and gives its exit code.
    fn check(&self, program: &Path, environment: &[(String, String)]) -> Result<i32, String>;
}

impl Script {
    /// Runs programs whose paths are relative to `base`, with a folder for each step below `runs`.
    pub fn new(runs: &Path, base: &Path, timeout: Duration) -> Self {
        let here = Local { runs: runs.to_owned(), base: base.to_owned() };
        let ssh = vec!["ssh".to_owned()];
        let (timeouts, stopped) = (BTreeMap::new(), Mutex::default());
        Self { base: base.to_owned(), timeout, timeouts, stopped, here, ssh, mark: String::new() }
    }

    /// Reaches other machines with this command instead of `ssh`. `mark` tells the folders of this engine there from
    /// those of others.
    #[must_use]
    pub fn with_ssh(self, command: &[String], mark: &str) -> Self {
        Self { ssh: command.to_vec(), mark: mark.to_owned(), ..self }
    }

    /// Gives the programs of operations so many seconds; those of all others what the empty name says.
    #[must_use]
    pub fn with_timeouts(self, timeouts: &BTreeMap<String, u64>) -> Self {
        Self { timeouts: timeouts.clone(), ..self }
    }

    /// How long the program of a step may take.
    fn timeout(&self, order: &Order) -> Duration {
        let (operation, _) = relationship(order);
        let seconds = self.timeouts.get(operation).or_else(|| self.timeouts.get(""));
        seconds.map_or(self.timeout, |&seconds| Duration::from_secs(seconds))
    }

    fn stopped(&self) -> MutexGuard<'_, HashSet<String>> {
        self.stopped.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The outcome of a program that has taken too long. One that may be run again is ended.
    fn overdue(&self, machine: &dyn Machine, order: &Order, number: u32) -> Reply {
        if !is_idempotent(order) || machine.end(&Script::folder(order), number).is_err() {
            return Reply::Lost;
        }
        let reason =
            format!("the program was ended, since it took longer than {} s", self.timeout(order).as_secs());
        Reply::failed(Failure::busy(reason).leaving(Left::Something))
    }

    /// The machine that the programs of a step run on.
    fn machine(&self, order: &Order) -> Result<Box<dyn Machine + '_>, String> {
        let desired: Value = serde_json::from_str(&order.desired).map_err(|error| error.to_string())?;
        match desired["ssh"].as_str() {
            None => Ok(Box::new(&self.here)),
            // It would be taken for an option.
            Some(target) if target.starts_with('-') => {
                Err(format!("`{target}` is not the name of a machine"))
            }
            Some(target) => {
                Ok(Box::new(Ssh { command: &self.ssh, target: target.to_owned(), mark: &self.mark }))
            }
        }
    }

    fn folder(order: &Order) -> String {
        let name: String = safe(&order.token).chars().take(SHOWN_OF_TOKEN).collect();
        format!("{name}-{:016x}", hash(&order.token))
    }

    /// Removes what the steps of a deployment have left below `runs`, once nothing of it exists any more. `tokens` is
    /// what all of their tokens begin with. Says how many there were.
    ///
    /// # Errors
    /// If a folder cannot be read or removed.
    pub fn remove_runs(runs: &Path, tokens: &str) -> std::io::Result<usize> {
        let begin = safe(tokens);
        if begin.len() >= SHOWN_OF_TOKEN || !runs.is_dir() {
            // It cannot be told from others.
            return Ok(0);
        }
        let mut count = 0;
        for entry in std::fs::read_dir(runs)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(&begin) {
                std::fs::remove_dir_all(entry.path())?;
                count += 1;
            }
        }
        Ok(count)
    }

    /// The program of a step; none if nothing is to be done.
    fn program(&self, order: &Order) -> Result<Option<PathBuf>, String> {
        let desired: Value = serde_json::from_str(&order.desired).map_err(|error| error.to_string())?;
        let Some(path) = desired["operations"][&order.operation].as_str() else { return Ok(None) };
        let path = self.base.join(path);
        if path.is_file() { Ok(Some(path)) } else { Err(format!("there is no program {}", path.display())) }
    }

    fn start(machine: &dyn Machine, order: &Order, program: &Path, number: u32) -> Result<(), String> {
        let environment = environment(order)?;
        machine.start(&Start { folder: &Script::folder(order), number, program, environment })
    }

    /// Waits for the end of an attempt.
    fn wait(&self, machine: &dyn Machine, order: &Order, number: u32) -> Result<Found, String> {
        let (folder, timeout) = (&Script::folder(order), self.timeout(order));
        let began = Instant::now();
        let mut heard = Instant::now();
        loop {
            match machine.look(folder, timeout.saturating_sub(began.elapsed()).min(Duration::from_secs(5))) {
                Ok(found) => {
                    heard = Instant::now();
                    // The wrapper may not have come to claim its folder yet.
                    let is_missing = found.number < number;
                    let goes_on = is_missing && began.elapsed() < START
                        || found.state == Attempt::Running && began.elapsed() < timeout;
                    if !goes_on {
                        return Ok(if is_missing { Found { state: Attempt::None, ..found } } else { found });
                    }
                    if is_missing {
                        std::thread::sleep(local::POLL);
                    }
                }
                Err(reason) if heard.elapsed() > UNREACHABLE => return Err(reason),
                Err(_) => std::thread::sleep(Duration::from_millis(500)),
            }
        }
    }
}

/// A token as a part of the name of a folder: a token may have any characters, and such a name may not.
fn safe(token: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    token.chars().map(safe).collect()
}

/// How a program ended.
fn outcome(found: &Found, code: i32, secrets: &[Secret]) -> Outcome {
    if code == 0 && found.output.len() as u64 >= local::OUTPUT {
        let reason = format!("the program puts out {} bytes or more, and fewer are read", local::OUTPUT);
        return Outcome::Failed(Failure::refused(reason).leaving(Left::Something));
    }
    if code == 0 {
        let lines = found.output.lines().filter_map(|line| line.split_once('='));
        let outputs: BTreeMap<String, String> =
            lines.map(|(name, value)| (name.trim().to_owned(), secret::stored(value, secrets))).collect();
        let id = outputs.get("id").map(|id| secret::shown(id)).unwrap_or_default();
        return Outcome::Done { id, outputs };
    }
    // Masked before it is cut, so that no part of a secret is left at the edge.
    let log = secret::mask(found.log.trim(), secrets);
    let tail: String = log.chars().rev().take(SHOWN).collect::<Vec<_>>().into_iter().rev().collect();
    let reason = format!("the program ended with {code}: {tail}");
    let cause = if code == TRY_AGAIN { Cause::Busy } else { Cause::Refused };
    Outcome::Failed(Failure::new(cause, reason).leaving(Left::Something))
}

/// A variable that a program is told.
struct Told {
    name: String,
    /// The value, or where the secrets in it are.
    value: String,
    /// Whether the program cannot run without it.
    is_needed: bool,
}

/// Which of several nodes of one name counts: whether it is referred to, and its number.
type Rank = (bool, u32);

/// The variables that a program is told: the properties of its node, and the outputs of other nodes.
fn inputs(order: &Order) -> Result<Vec<Told>, String> {
    let desired: Value = serde_json::from_str(&order.desired).map_err(|error| error.to_string())?;
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    // Of several nodes with one name, the one that this node refers to counts, or else the newest.
    let refers: Vec<&str> =
        desired["refers"].as_object().into_iter().flatten().filter_map(|(_, key)| key.as_str()).collect();
    let mut known: BTreeMap<(&str, &str), (Rank, &String)> = BTreeMap::new();
    for (node, outputs) in &order.known {
        let (base, number) = numbered(node);
        let rank = (refers.contains(&node.as_str()), number);
        for (output, value) in outputs {
            let best = known.entry((base, output)).or_insert((rank, value));
            if rank >= best.0 {
                *best = (rank, value);
            }
        }
    }
    let told = |key: &str, value: String, is_needed| Told { name: variable(key), value, is_needed };
    let known_told = known
        .iter()
        .map(|(&(node, output), &(_, value))| told(&format!("{node}.{output}"), value.clone(), false));
    let mut all: Vec<Told> = known_told.collect();
    for (key, output) in desired["outputs"].as_object().into_iter().flatten() {
        let (node, output) = (output[0].as_str().unwrap_or_default(), output[1].as_str().unwrap_or_default());
        let planned = desired["sources"][key].as_str();
        let found = planned.and_then(|planned| order.output(planned, output));
        // One that is not there yet is not set.
        let found = found.or_else(|| Some(known.get(&(node, output))?.1));
        all.extend(found.map(|value| told(key, value.clone(), true)));
    }
    for key in ["properties", "inputs"] {
        for (key, value) in desired[key].as_object().into_iter().flatten() {
            all.push(told(key, text(value), true));
        }
    }
    // A name that sh would not export is not an input.
    all.retain(|Told { name, .. }| {
        !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) && !changes_programs(name)
    });
    Ok(all)
}

/// The name of the variable in which a program is told a property or an output.
fn variable(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// Variables that change how programs are found or loaded.
const LOADING: [&str; 21] = [
    "PATH",
    "IFS",
    "BASH_ENV",
    "SHELLOPTS",
    "BASHOPTS",
    "PS4",
    "CDPATH",
    "GCONV_PATH",
    "PERL5OPT",
    "PERL5LIB",
    "PERLLIB",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONSTARTUP",
    "RUBYOPT",
    "RUBYLIB",
    "NODE_OPTIONS",
    "NODE_PATH",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "_JAVA_OPTIONS",
];

/// Beginnings of the names of further such variables.
const LOADING_FAMILIES: [&str; 4] = ["LD_", "DYLD_", "LOCUS_", "BASH_FUNC_"];

/// Tells whether the variable of a property or output would change how programs are found or loaded, which none may.
pub fn changes_programs(name: &str) -> bool {
    let name = variable(name);
    LOADING.contains(&name.as_str()) || LOADING_FAMILIES.iter().any(|family| name.starts_with(family))
}

/// The operation of a step, and for one of a relationship what that is: `OPERATION REQUIREMENT to TARGET` is called at
/// the source, `OPERATION REQUIREMENT of SOURCE` at the target.
fn relationship(order: &Order) -> (&str, Vec<(&'static str, &str)>) {
    let mut words = order.operation.split(' ');
    let (Some(operation), Some(requirement), Some(side), Some(other), None) =
        (words.next(), words.next(), words.next(), words.next(), words.next())
    else {
        return (&order.operation, Vec::new());
    };
    let (source, target) = match side {
        "to" => (order.node.as_str(), other),
        "of" => (other, order.node.as_str()),
        _ => return (&order.operation, Vec::new()),
    };
    let told = vec![("LOCUS_RELATIONSHIP", requirement), ("LOCUS_SOURCE", source), ("LOCUS_TARGET", target)];
    (operation, told)
}

/// The same, with secrets and with what the step is.
fn environment(order: &Order) -> Result<Vec<(String, String)>, String> {
    let (operation, relationship) = relationship(order);
    let own = [
        ("LOCUS_TOKEN", order.token.as_str()),
        ("LOCUS_NODE", &order.node),
        ("LOCUS_ID", &order.id),
        ("LOCUS_OPERATION", operation),
        ("LOCUS_DEPLOYMENT", &order.deployment),
    ];
    let mut all = Vec::new();
    let mut room = Room::new();
    for Told { name, value, is_needed } in inputs(order)? {
        let value = match secret::resolve(&value) {
            Ok((value, _)) => value,
            Err(reason) if is_needed => return Err(reason),
            // An output of another node, which nobody asked for, has a secret that is not at hand.
            Err(_) => continue,
        };
        match room.take(&name, &value, is_needed) {
            Ok(()) => all.push((name, value)),
            Err(reason) if is_needed && order.does != Does::Delete => return Err(reason),
            // What deletes goes on without it: nothing must be there for ever.
            Err(_) => {}
        }
    }
    all.extend(own.into_iter().chain(relationship).map(|(name, value)| (name.to_owned(), value.to_owned())));
    Ok(all)
}

/// The secrets that must not be read in what a program puts out, also by a worker that did not start it.
fn secrets(order: &Order) -> Vec<Secret> {
    let resolved =
        inputs(order).unwrap_or_default().into_iter().filter_map(|told| secret::resolve(&told.value).ok());
    resolved.flat_map(|(_, secrets)| secrets).collect()
}

fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

impl Driver for Script {
    fn ability(&self) -> &Ability {
        &ABILITY
    }

    fn call(&self, order: &Order) -> Reply {
        let failed = |reason: String| Reply::failed(Failure::refused(reason));
        let program = match self.program(order) {
            Ok(Some(program)) => program,
            Ok(None) => {
                return Reply::Ended(Outcome::Done { id: order.id.clone(), outputs: BTreeMap::new() });
            }
            Err(reason) => return failed(reason),
        };
        let machine = match self.machine(order) {
            Ok(machine) => machine,
            Err(reason) => return failed(reason),
        };
        let folder = Script::folder(order);
        // Nothing is started before it is known what was started already.
        let number = match machine.look(&folder, Duration::ZERO) {
            Ok(found) => match found.state {
                Attempt::Ended(code) if code != TRY_AGAIN => {
                    return Reply::Ended(outcome(&found, code, &secrets(order)));
                }
                Attempt::Running => found.number,
                Attempt::None | Attempt::Ended(_) | Attempt::Killed => {
                    if let Err(reason) = Script::start(&*machine, order, &program, found.number + 1) {
                        return failed(reason);
                    }
                    found.number + 1
                }
            },
            Err(reason) => return Reply::NotSent(reason),
        };
        match self.wait(&*machine, order, number) {
            Ok(found) => match found.state {
                Attempt::Ended(code) => Reply::Ended(outcome(&found, code, &secrets(order))),
                Attempt::Killed if self.stopped().contains(&order.token) => {
                    let failure = Failure::refused("it was cancelled, and the program was ended");
                    Reply::failed(failure.leaving(Left::Something))
                }
                Attempt::Running => self.overdue(&*machine, order, number),
                Attempt::None | Attempt::Killed => Reply::Lost,
            },
            Err(_) => Reply::Lost,
        }
    }

    fn observe(&self, order: &Order) -> Observation {
        if matches!(self.program(order), Ok(None)) {
            return Observation::Done { id: order.id.clone(), outputs: BTreeMap::new() };
        }
        let unsure = |reason: &str| Observation::Unsure { reason: reason.to_owned() };
        let machine = match self.machine(order) {
            Ok(machine) => machine,
            Err(reason) => return unsure(&reason),
        };
        let found = match self.wait(&*machine, order, 0) {
            Ok(found) => found,
            Err(reason) => return unsure(&reason),
        };
        match found.state {
            Attempt::None | Attempt::Ended(TRY_AGAIN) => Observation::Absent,
            Attempt::Ended(code) => match outcome(&found, code, &secrets(order)) {
                Outcome::Done { id, outputs } => Observation::Done { id, outputs },
                Outcome::Failed(failure) => Observation::Failed(failure),
                Outcome::Accepted(accepted) => Observation::Accepted(accepted),
                Outcome::Unknown { reason } => Observation::Unsure { reason },
            },
            Attempt::Running => unsure("the program takes longer than it may"),
            Attempt::Killed if is_idempotent(order) => Observation::Absent,
            Attempt::Killed => {
                unsure("the program was killed before it ended, and does not say that it may be run again")
            }
        }
    }

    /// Ends the program, if it may be run again: of another one nobody could tell what it has done.
    fn stop(&self, order: &Order) {
        let Ok(machine) = self.machine(order) else { return };
        let folder = Script::folder(order);
        if !is_idempotent(order) {
            return;
        }
        self.stopped().insert(order.token.clone());
        if let Ok(found) = machine.look(&folder, Duration::ZERO)
            && found.state == Attempt::Running
        {
            // One that cannot be ended is awaited.
            let _ = machine.end(&folder, found.number);
        }
    }

    fn look(&self, order: &Order) -> Seen {
        let check = Order { operation: "check".to_owned(), ..order.clone() };
        let program = match self.program(&check) {
            Ok(Some(program)) => program,
            Ok(None) => return Seen::Unsure("it has no operation `check`".to_owned()),
            Err(reason) => return Seen::Unsure(reason),
        };
        let code =
            environment(&check).and_then(|environment| self.machine(order)?.check(&program, &environment));
        match code {
            Ok(0) => Seen::There,
            Ok(1) => Seen::Gone,
            Ok(code) => Seen::Unsure(format!("the check ended with {code}")),
            Err(reason) => Seen::Unsure(reason),
        }
    }
}

/// Whether a program may be run again after it was killed.
fn is_idempotent(order: &Order) -> bool {
    let desired: Value = serde_json::from_str(&order.desired).unwrap_or_default();
    desired["idempotent"].as_bool().unwrap_or(false)
}
