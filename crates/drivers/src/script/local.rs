//! Programs on this machine.

use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{Attempt, Found, Machine, START, Start};

/// Claims the folder $1, runs the program $2 in the folder $3, and writes down what comes of it. Room for the exit code
/// is taken before the program begins, so that a disk that is full when it ends does not lose it.
const WRAPPER: &str = r#"
mkdir -m 700 "$1" 2>/dev/null || exit 0
start=$(cut -d ' ' -f 22 "/proc/$$/stat" 2>/dev/null)
printf '%s %s\n' "$$" "$start" > "$1/pid.new" && mv "$1/pid.new" "$1/pid"
printf '%8s\n' '' > "$1/code.new"
ended() { printf '%-8s\n' "$1" 1<> "$2/code.new"; mv "$2/code.new" "$2/code"; exit; }
cd "$3" || ended 126 "$1"
"$2" > "$1/log" 2>&1 < /dev/null
ended "$?" "$1"
"#;

/// How often to look whether a program has ended.
pub(super) const POLL: Duration = Duration::from_millis(10);

/// The most bytes that are read of what a program puts out, and of what it writes for people.
pub(super) const OUTPUT: u64 = 1 << 20;
const LOG: u64 = 1 << 14;

/// How long a program that is to end may take for that, before it is killed.
const GRACE: Duration = Duration::from_secs(3);

/// The end of a file, or nothing if it is not there.
fn end_of(path: &Path, most: u64) -> String {
    let read = || -> std::io::Result<Vec<u8>> {
        // Whoever opens a pipe waits for somebody to write, and what is no file has no end either.
        let found = fs::metadata(path)?;
        if !found.is_file() {
            return Err(std::io::ErrorKind::InvalidInput.into());
        }
        let size = found.len();
        let mut file = fs::File::open(path)?;
        file.seek(SeekFrom::Start(size.saturating_sub(most)))?;
        let mut bytes = Vec::new();
        file.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    String::from_utf8_lossy(&read().unwrap_or_default()).into_owned()
}

/// This machine.
#[derive(Debug)]
pub(super) struct Local {
    /// Where the folders of the steps are.
    pub(super) runs: PathBuf,
    /// Where programs run.
    pub(super) base: PathBuf,
}

impl Machine for &Local {
    fn look(&self, folder: &str, patience: Duration) -> Result<Found, String> {
        let folder = self.runs.join(folder);
        let mut number = 0;
        while folder.join((number + 1).to_string()).is_dir() {
            number += 1;
        }
        let claim = folder.join(number.to_string());
        let began = Instant::now();
        let state = loop {
            match if number == 0 { Attempt::None } else { state(&claim) } {
                Attempt::Running if began.elapsed() < patience => sleep(POLL),
                state => break state,
            }
        };
        let (output, log) = (end_of(&claim.join("output"), OUTPUT), end_of(&claim.join("log"), LOG));
        Ok(Found { number, state, output, log })
    }

    fn start(&self, start: &Start<'_>) -> Result<(), String> {
        let folder = self.runs.join(start.folder);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let claim = folder.join(start.number.to_string());
        let mut command = Command::new("sh");
        command.args(["-c", WRAPPER, "locus-wrapper"]).arg(&claim).arg(start.program).arg(&self.base);
        command
            .envs(start.environment.iter().map(|(name, value)| (name, value)))
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

    fn end(&self, folder: &str, number: u32) -> Result<(), String> {
        let claim = self.runs.join(folder).join(number.to_string());
        let written = fs::read_to_string(claim.join("pid")).map_err(|error| error.to_string())?;
        if !is_alive(written.trim()) {
            return Ok(());
        }
        let pid = written.split_whitespace().next().unwrap_or_default();
        // The wrapper is the first of a group of its own.
        let group = format!("-{pid}");
        for signal in ["-TERM", "-KILL"] {
            let _ = Command::new("kill").args([signal, "--", &group]).stderr(Stdio::null()).status();
            let began = Instant::now();
            while began.elapsed() < GRACE {
                if !is_alive(written.trim()) {
                    return Ok(());
                }
                sleep(POLL);
            }
        }
        Err(format!("the process {pid} does not end"))
    }

    fn check(&self, program: &Path, environment: &[(String, String)]) -> Result<i32, String> {
        let mut command = Command::new(program);
        command.envs(environment.iter().map(|(name, value)| (name, value))).current_dir(&self.base);
        let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        let status = status.map_err(|error| error.to_string())?;
        status.code().ok_or_else(|| format!("the check ended with {status}"))
    }
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
