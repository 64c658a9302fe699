//! Programs on this machine.
//!
//! A step is a program. It is run by a wrapper that goes on when the engine is killed: the wrapper claims a folder whose
//! name is the token, which only one can, and writes the program's number, output and exit code into it. Whoever comes
//! later finds the folder, and waits for the same program instead of starting it again.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use locus_engine::{Observation, Outcome};
use serde_json::Value;

use crate::secret;
use crate::{Driver, Order, Reply, Seen};

/// Claims the folder $1, runs the program $2 in the folder $3, and writes down what comes of it.
const WRAPPER: &str = r#"
mkdir "$1" 2>/dev/null || exit 0
start=$(cut -d ' ' -f 22 "/proc/$$/stat" 2>/dev/null)
printf '%s %s\n' "$$" "$start" > "$1/pid.new" && mv "$1/pid.new" "$1/pid"
cd "$3" || { echo 126 > "$1/code.new"; mv "$1/code.new" "$1/code"; exit; }
"$2" > "$1/log" 2>&1 < /dev/null
echo "$?" > "$1/code.new"
mv "$1/code.new" "$1/code"
"#;

/// The exit code of a program that could not do it now and may be asked again.
const TRY_AGAIN: i32 = 75;

const POLL: Duration = Duration::from_millis(10);

/// How long a wrapper may take from claiming the folder to writing its number.
const START: Duration = Duration::from_secs(3);

/// How much of a program's output is shown when it fails.
const SHOWN: usize = 400;

/// Runs programs.
#[derive(Debug)]
pub struct Script {
    /// Where the folders of the steps are.
    runs: PathBuf,
    /// What programs are named relative to.
    base: PathBuf,
    /// How long a program may take.
    timeout: Duration,
}

/// One attempt at a step.
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

impl Script {
    /// Runs programs whose paths are relative to `base`, with a folder for each step below `runs`.
    pub fn new(runs: &Path, base: &Path, timeout: Duration) -> Self {
        Self { runs: runs.to_owned(), base: base.to_owned(), timeout }
    }

    fn folder(&self, order: &Order) -> PathBuf {
        // Tokens may have any characters; folders may not.
        let safe = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        let name: String = order.token.chars().map(safe).take(100).collect();
        self.runs.join(format!("{name}-{:016x}", hash(&order.token)))
    }

    /// The program of a step; none if nothing is to be done.
    fn program(&self, order: &Order) -> Result<Option<PathBuf>, String> {
        let desired: Value = serde_json::from_str(&order.desired).map_err(|error| error.to_string())?;
        let Some(path) = desired["operations"][&order.operation].as_str() else { return Ok(None) };
        let path = self.base.join(path);
        if path.is_file() { Ok(Some(path)) } else { Err(format!("there is no program {}", path.display())) }
    }

    /// The number of the newest attempt, and where it is.
    fn newest(folder: &Path) -> (u32, Attempt) {
        let mut last = 0;
        while folder.join((last + 1).to_string()).is_dir() {
            last += 1;
        }
        if last == 0 { (0, Attempt::None) } else { (last, state(&folder.join(last.to_string()))) }
    }

    fn start(&self, order: &Order, program: &Path, folder: &Path, attempt: u32) -> Result<(), String> {
        let claim = folder.join(attempt.to_string());
        let mut command = Command::new("sh");
        command.args(["-c", WRAPPER, "locus-wrapper"]).arg(&claim).arg(program).arg(&self.base);
        for (name, value) in inputs(order)? {
            command.env(name, secret::resolve(&value)?.0);
        }
        command
            .env("LOCUS_TOKEN", &order.token)
            .env("LOCUS_NODE", &order.node)
            .env("LOCUS_OPERATION", &order.operation)
            .env("LOCUS_DEPLOYMENT", &order.deployment)
            .env("LOCUS_OUTPUT", claim.join("output"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // A signal to the engine is not one to the program.
            .process_group(0);
        let mut child = command.spawn().map_err(|error| format!("sh: {error}"))?;
        // Somebody must ask for its end, or it stays a zombie.
        std::thread::spawn(move || child.wait());
        Ok(())
    }

    /// Waits for the end of an attempt.
    fn wait(&self, folder: &Path, attempt: u32) -> Attempt {
        let (claim, started) = (folder.join(attempt.to_string()), Instant::now());
        loop {
            match state(&claim) {
                Attempt::None if started.elapsed() < START => sleep(POLL),
                Attempt::Running if started.elapsed() < self.timeout => sleep(POLL),
                other => return other,
            }
        }
    }

    fn outcome(folder: &Path, attempt: u32, code: i32, secrets: &[String]) -> Outcome {
        let claim = folder.join(attempt.to_string());
        if code == 0 {
            let text = fs::read_to_string(claim.join("output")).unwrap_or_default();
            let lines = text.lines().filter_map(|line| line.split_once('='));
            let outputs: BTreeMap<String, String> =
                lines.map(|(name, value)| (name.trim().to_owned(), secret::mask(value, secrets))).collect();
            let id = outputs.get("id").cloned().unwrap_or_default();
            return Outcome::Done { id, outputs };
        }
        let log = fs::read(claim.join("log")).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let log = secret::mask(log.trim(), secrets);
        let tail: String = log.chars().rev().take(SHOWN).collect::<Vec<_>>().into_iter().rev().collect();
        let reason = format!("the program ended with {code}: {tail}");
        Outcome::Failed { reason, passing: code == TRY_AGAIN, remains: true }
    }
}

/// What a program is told: the properties of its node, and what is known of other nodes.
fn inputs(order: &Order) -> Result<Vec<(String, String)>, String> {
    let desired: Value = serde_json::from_str(&order.desired).map_err(|error| error.to_string())?;
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let name = |name: &str| -> String {
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
    };
    // Of several nodes with one name, the one that this node refers to counts, or else the newest.
    let refers: Vec<&str> =
        desired["refers"].as_object().into_iter().flatten().filter_map(|(_, key)| key.as_str()).collect();
    let mut known: BTreeMap<String, ((bool, u32), &String)> = BTreeMap::new();
    for (key, value) in &order.known {
        let (node, output) = key.rsplit_once('.').unwrap_or((key, ""));
        let (base, number) = node.rsplit_once('~').unwrap_or((node, "1"));
        let rank = (refers.contains(&node), number.parse().unwrap_or(1));
        let best = known.entry(format!("{base}.{output}")).or_insert((rank, value));
        if rank >= best.0 {
            *best = (rank, value);
        }
    }
    let mut all: Vec<(String, String)> =
        known.into_iter().map(|(key, (_, value))| (name(&key), value.clone())).collect();
    for key in ["properties", "inputs"] {
        for (key, value) in desired[key].as_object().into_iter().flatten() {
            all.push((name(key), text(value)));
        }
    }
    // A name that sh would not export, or that changes how programs are found, is not an input.
    all.retain(|(name, _)| {
        !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) && name != "PATH"
    });
    Ok(all)
}

/// The values that must not be read in what a program puts out, also by a worker that did not start it.
fn secrets(order: &Order) -> Vec<String> {
    let resolved =
        inputs(order).unwrap_or_default().into_iter().filter_map(|(_, value)| secret::resolve(&value).ok());
    resolved.filter(|(_, is_secret)| *is_secret).map(|(value, _)| value).collect()
}

fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Where an attempt is.
fn state(claim: &Path) -> Attempt {
    let Ok(claimed) = fs::metadata(claim) else { return Attempt::None };
    let code = || fs::read_to_string(claim.join("code")).ok()?.trim().parse().ok();
    if let Some(code) = code() {
        return Attempt::Ended(code);
    }
    let is_running = match fs::read_to_string(claim.join("pid")) {
        Ok(text) => is_alive(text.trim()),
        // It has claimed the folder, and is about to write its number.
        Err(_) => claimed.modified().ok().and_then(|at| at.elapsed().ok()).is_none_or(|age| age < START),
    };
    if is_running {
        return Attempt::Running;
    }
    // It may have ended in between.
    code().map_or(Attempt::Killed, Attempt::Ended)
}

/// Whether a process still is the one that wrote its number and the time of its start.
fn is_alive(written: &str) -> bool {
    let (pid, start) = written.split_once(' ').unwrap_or((written, ""));
    match fs::read_to_string(format!("/proc/{pid}/stat")) {
        // The name, in parentheses, may have blanks; what counts stands behind it.
        Ok(text) => {
            let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
            let is_zombie = fields.first() == Some(&"Z");
            !is_zombie && (start.is_empty() || fields.get(19) == Some(&start))
        }
        Err(_) if Path::new("/proc/self/stat").exists() => false,
        // There is no such folder on this system.
        Err(_) => Command::new("kill")
            .args(["-0", pid])
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success()),
    }
}

impl Driver for Script {
    fn call(&self, order: &Order) -> Reply {
        let failed =
            |reason: String, passing| Reply::Ended(Outcome::Failed { reason, passing, remains: false });
        let program = match self.program(order) {
            Ok(Some(program)) => program,
            Ok(None) => {
                return Reply::Ended(Outcome::Done { id: order.id.clone(), outputs: BTreeMap::new() });
            }
            Err(reason) => return failed(reason, false),
        };
        let folder = self.folder(order);
        if let Err(error) = fs::create_dir_all(&folder) {
            return failed(format!("{}: {error}", folder.display()), true);
        }
        let (last, found) = Script::newest(&folder);
        let attempt = match found {
            Attempt::Ended(code) if code != TRY_AGAIN => {
                return Reply::Ended(Script::outcome(&folder, last, code, &secrets(order)));
            }
            Attempt::Running => last,
            Attempt::None | Attempt::Ended(_) | Attempt::Killed => {
                if let Err(reason) = self.start(order, &program, &folder, last + 1) {
                    return failed(reason, false);
                }
                last + 1
            }
        };
        match self.wait(&folder, attempt) {
            Attempt::Ended(code) => Reply::Ended(Script::outcome(&folder, attempt, code, &secrets(order))),
            Attempt::None | Attempt::Running | Attempt::Killed => Reply::Lost,
        }
    }

    fn observe(&self, order: &Order) -> Observation {
        if matches!(self.program(order), Ok(None)) {
            return Observation::Done { id: order.id.clone(), outputs: BTreeMap::new() };
        }
        let folder = self.folder(order);
        let (last, _) = Script::newest(&folder);
        if last == 0 {
            return Observation::Absent;
        }
        let unsure = |reason: &str| Observation::Unsure { reason: reason.to_owned() };
        match self.wait(&folder, last) {
            Attempt::None | Attempt::Ended(TRY_AGAIN) => Observation::Absent,
            Attempt::Ended(code) => match Script::outcome(&folder, last, code, &secrets(order)) {
                Outcome::Done { id, outputs } => Observation::Done { id, outputs },
                Outcome::Failed { reason, remains, .. } => Observation::Failed { reason, remains },
                Outcome::Unknown { reason } => Observation::Unsure { reason },
            },
            Attempt::Running => unsure("the program takes longer than it may"),
            Attempt::Killed if is_idempotent(order) => Observation::Absent,
            Attempt::Killed => {
                unsure("the program was killed before it ended, and does not say that it may be run again")
            }
        }
    }

    fn look(&self, order: &Order) -> Seen {
        let check = Order { operation: "check".to_owned(), ..order.clone() };
        match self.program(&check) {
            Ok(Some(program)) => {
                let mut command = Command::new(program);
                for (name, value) in inputs(order).unwrap_or_default() {
                    if let Ok((value, _)) = secret::resolve(&value) {
                        command.env(name, value);
                    }
                }
                let command = command.env("LOCUS_NODE", &order.node).current_dir(&self.base);
                match command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status() {
                    Ok(status) if status.success() => Seen::There,
                    Ok(status) if status.code() == Some(1) => Seen::Gone,
                    Ok(status) => Seen::Unsure(format!("the check ended with {status}")),
                    Err(error) => Seen::Unsure(error.to_string()),
                }
            }
            Ok(None) => Seen::Unsure("it has no operation `check`".to_owned()),
            Err(reason) => Seen::Unsure(reason),
        }
    }
}

/// Whether a program may be run again after it was killed.
fn is_idempotent(order: &Order) -> bool {
    let desired: Value = serde_json::from_str(&order.desired).unwrap_or_default();
    desired["idempotent"].as_bool().unwrap_or(false)
}
