//! Programs on another machine, reached with the system's `ssh`: its configuration, keys and agents are those of the
//! user.
//!
//! Nothing is installed there. The programs need `sh`, and each step has a folder below `~/.locus/runs`. The inputs of
//! a program come on the standard input of `sh`, so that secrets are neither on a command line nor in a file.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use super::{Attempt, Found, Machine, Start};

/// Reads the inputs of the program up to the line $4, then the program, and starts the wrapper of attempt $2 in the
/// folder $1. The wrapper claims the folder of the attempt, so that a program is started once, whichever process asks,
/// and continues when the connection is lost. $3 is empty, or the exit code of the program is wanted and nothing is
/// claimed.
const START: &str = r#"
mkdir -p "$HOME/.locus/runs" && chmod 700 "$HOME/.locus" || exit 120
mkdir -p "$HOME/.locus/runs/$1" && cd "$HOME/.locus/runs/$1" || exit 120
told=
while IFS= read -r line && [ "$line" != "$4" ]; do told="$told$line
"; done
eval "$told"
cat > "program.$$" && chmod 700 "program.$$" || exit 120
if [ -n "$3" ]; then
    "./program.$$" > /dev/null 2>&1 < /dev/null
    code=$?
    rm -f "program.$$"
    exit "$code"
fi
export LOCUS_OUTPUT="$PWD/$2/output"
detach=nohup
if command -v setsid > /dev/null 2>&1; then detach=setsid; fi
$detach sh -c '
mkdir "$1" 2> /dev/null || { rm -f "$2"; exit 0; }
start=$(cut -d " " -f 22 "/proc/$$/stat" 2> /dev/null)
printf "%s %s\n" "$$" "$start" > "$1/pid.new" && mv "$1/pid.new" "$1/pid"
mv "$2" "$1/program"
printf "%8s\n" "" > "$1/code.new"
"./$1/program" > "$1/log" 2>&1 < /dev/null
printf "%-8s\n" "$?" 1<> "$1/code.new"
mv "$1/code.new" "$1/code"
' locus-wrapper "$2" "program.$$" > /dev/null 2>&1 < /dev/null &
"#;

/// Says where the newest attempt in the folder $1 is, after waiting for its end for at most $2 seconds: a line with a
/// word, its number, its exit code and the size of its output; then its output, and the end of its log.
const LOOK: &str = r#"
cd "$HOME/.locus/runs/$1" 2> /dev/null || { echo "none 0 0 0"; exit 0; }
n=0
while [ -d "$((n + 1))" ]; do n=$((n + 1)); done
[ "$n" -gt 0 ] || { echo "none 0 0 0"; exit 0; }
waited=0 nameless=0
while :; do
    word=running
    if [ -f "$n/code" ]; then
        word=ended
    elif [ -f "$n/pid" ]; then
        read -r pid start < "$n/pid"
        now=$(cut -d ' ' -f 22 "/proc/$pid/stat" 2> /dev/null)
        kill -0 "$pid" 2> /dev/null && [ "$now" = "$start" ] || word=killed
    elif [ "$nameless" -gt 15 ]; then
        word=killed
    else
        nameless=$((nameless + 1))
    fi
    # It may have ended in between.
    if [ "$word" = killed ] && [ -f "$n/code" ]; then word=ended; fi
    if [ "$word" != running ] || { [ "$nameless" -eq 0 ] && [ "$waited" -ge "$(($2 * 5))" ]; }; then break; fi
    waited=$((waited + 1))
    sleep 0.2 2> /dev/null || sleep 1
done
code=0 size=0
[ "$word" != ended ] || code=$(tr -d " " < "$n/code")
[ ! -f "$n/output" ] || size=$(($(head -c 1048576 "$n/output" | wc -c)))
echo "$word $n $code $size"
[ ! -f "$n/output" ] || head -c "$size" "$n/output"
[ ! -f "$n/log" ] || tail -c 4000 "$n/log"
"#;

/// Ends the program of attempt $2 in the folder $1, and all that it has started.
const END: &str = r#"
cd "$HOME/.locus/runs/$1/$2" || exit 0
read -r pid start < pid
for signal in TERM TERM TERM KILL; do
    [ "$(cut -d ' ' -f 22 "/proc/$pid/stat" 2> /dev/null)" = "$start" ] || exit 0
    kill -s "$signal" -- "-$pid" 2> /dev/null || kill -s "$signal" "$pid"
    sleep 1
done
"#;

/// The exit code of `ssh` if the machine was not reached.
const NOT_REACHED: i32 = 255;

/// A machine.
pub(super) struct Ssh<'a> {
    /// The command that reaches it, with options.
    pub(super) command: &'a [String],
    /// Its name, as `ssh` takes it.
    pub(super) target: String,
    /// The mark that distinguishes the folders of this engine there from those of others.
    pub(super) mark: &'a str,
}

/// A text that a shell reads as one word.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

impl Ssh<'_> {
    /// Runs a script there.
    fn run(&self, script: &str, arguments: &[&str], input: &[u8]) -> Result<Output, String> {
        let failed = |error: std::io::Error| format!("ssh {}: {error}", self.target);
        let (program, options) = self.command.split_first().ok_or("there is no command for ssh")?;
        // All of it is one argument, which the shell of the user there takes apart.
        let words = [&["sh", "-c", script, "locus"], arguments].concat();
        let remote = words.into_iter().map(quoted).collect::<Vec<_>>().join(" ");
        let mut command = Command::new(program);
        command.args(options).args(["-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-T"]);
        command.args(["-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3", "--"]).arg(&self.target);
        command.arg(remote).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(failed)?;
        if let Some(mut pipe) = child.stdin.take() {
            // Whoever does not read it says why it ended.
            let _ = pipe.write_all(input);
        }
        let output = child.wait_with_output().map_err(failed)?;
        if output.status.code().is_none_or(|code| code == NOT_REACHED) {
            let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(format!("ssh {}: {why}", self.target));
        }
        Ok(output)
    }

    fn folder(&self, folder: &str) -> String {
        format!("{}/{folder}", self.mark)
    }

    fn send(&self, start: &Start<'_>, checks: bool) -> Result<Output, String> {
        let program =
            std::fs::read(start.program).map_err(|error| format!("{}: {error}", start.program.display()))?;
        let end = format!("# end of what {} is told", start.folder);
        let mut input = Vec::new();
        for (name, value) in &start.environment {
            input.extend_from_slice(format!("export {name}={}\n", quoted(value)).as_bytes());
        }
        input.extend_from_slice(format!("{end}\n").as_bytes());
        input.extend_from_slice(&program);
        let (folder, number) = (self.folder(start.folder), start.number.to_string());
        self.run(START, &[&folder, &number, if checks { "checks" } else { "" }, &end], &input)
    }
}

impl Machine for Ssh<'_> {
    fn look(&self, folder: &str, patience: Duration) -> Result<Found, String> {
        let seconds = patience.as_secs().to_string();
        let output = self.run(LOOK, &[&self.folder(folder), &seconds], b"")?;
        found(&output.stdout).ok_or_else(|| {
            let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            format!("ssh {}: what came back was not expected: {why}", self.target)
        })
    }

    fn start(&self, start: &Start<'_>) -> Result<(), String> {
        // An attempt of which it is not known whether it was started is looked for.
        match self.send(start, false) {
            Ok(output) if !output.status.success() => {
                let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
                Err(format!("ssh {}: the program was not started: {why}", self.target))
            }
            Ok(_) | Err(_) => Ok(()),
        }
    }

    fn end(&self, folder: &str, number: u32) -> Result<(), String> {
        self.run(END, &[&self.folder(folder), &number.to_string()], b"").map(drop)
    }

    fn check(&self, program: &Path, environment: &[(String, String)]) -> Result<i32, String> {
        let start = Start { folder: "checks", number: 0, program, environment: environment.to_vec() };
        let output = self.send(&start, true)?;
        output.status.code().ok_or_else(|| "the check was ended by a signal".to_owned())
    }
}

/// The answer of [`LOOK`].
fn found(answer: &[u8]) -> Option<Found> {
    let end = answer.iter().position(|byte| *byte == b'\n')?;
    let line = std::str::from_utf8(&answer[..end]).ok()?;
    let mut words = line.split(' ');
    let (word, number) = (words.next()?, words.next()?.parse().ok()?);
    let (code, size): (i32, usize) = (words.next()?.trim().parse().ok()?, words.next()?.parse().ok()?);
    let state = match word {
        "none" => Attempt::None,
        "running" => Attempt::Running,
        "ended" => Attempt::Ended(code),
        "killed" => Attempt::Killed,
        _ => return None,
    };
    let rest = &answer[end + 1..];
    let (output, log) = rest.split_at_checked(size)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Some(Found { number, state, output: text(output), log: text(log) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_back_is_read() {
        let all = found(b"ended 2 3 4\na=b\nthe log").expect("it is complete");
        assert_eq!((all.number, all.state), (2, Attempt::Ended(3)));
        assert_eq!((all.output.as_str(), all.log.as_str()), ("a=b\n", "the log"));
        assert_eq!(found(b"none 0 0 0\n").expect("it is complete").state, Attempt::None);
        for broken in [&b"ended 2"[..], b"ended 2 3 9\nab", b"surprise 1 0 0\n", b""] {
            assert!(found(broken).is_none());
        }
    }

    #[test]
    fn words_stay_words() {
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
    }
}
