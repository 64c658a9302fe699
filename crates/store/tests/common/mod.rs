//! A PostgreSQL server of our own in a folder that goes away.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

mod skipped;

pub(crate) use skipped::skipped;

/// A server. It ends with this.
pub(crate) struct Server {
    folder: tempfile::TempDir,
    bin: PathBuf,
    process: Mutex<Option<Child>>,
    /// Settings of its own, and the port if it is not the usual one.
    settings: Vec<String>,
    port: Option<u16>,
}

/// The folder with the programs of the server: where `PATH` has them, or where Debian has them.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut debian: Vec<PathBuf> = debian.map(|entry| entry.path().join("bin")).collect();
    debian.sort();
    folders.extend(debian.into_iter().rev());
    folders
        .into_iter()
        .find(|folder| ["initdb", "postgres", "pg_isready"].iter().all(|name| folder.join(name).exists()))
}

impl Server {
    /// Starts a server; none where it is not installed, which is said.
    #[allow(dead_code, reason = "not every test has one that is like any other")]
    pub(crate) fn start() -> Option<Self> {
        Self::prepared(|_| (Vec::new(), None))
    }

    /// Starts a server after its folder was prepared, with settings for it, and a port.
    pub(crate) fn prepared(prepare: impl FnOnce(&Path) -> (Vec<String>, Option<u16>)) -> Option<Self> {
        let Some(bin) = programs() else {
            skipped("postgresql", "PostgreSQL is not installed here");
            return None;
        };
        let folder = tempfile::tempdir().expect("a folder can be made");
        let (settings, port) = prepare(folder.path());
        let server = Self { folder, bin, process: Mutex::new(None), settings, port };
        if is_root() {
            let status = Command::new("chown").args(["-R", "postgres"]).arg(server.path()).status();
            assert!(status.is_ok_and(|status| status.success()), "the server refuses to run as root");
        }
        let data = server.path().join("data");
        let data = data.to_str().expect("a path of ours");
        let output =
            server.command("initdb").args(["-D", data, "-A", "trust", "-U", "locus", "--no-sync"]).output();
        let output = output.expect("it can be run");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        server.begin();
        Some(server)
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A program of the server, as a user that it does not refuse.
    fn command(&self, program: &str) -> Command {
        let program = self.bin.join(program);
        let mut command = if is_root() {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.current_dir(self.path()).stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    /// Starts it, after it was killed as well.
    pub(crate) fn begin(&self) {
        let folder = self.path().to_str().expect("a path of ours");
        let started = Instant::now();
        let mut process = self.process.lock().expect("nobody panicked");
        loop {
            let has_ended =
                process.as_mut().is_none_or(|child| child.try_wait().is_ok_and(|end| end.is_some()));
            if has_ended {
                // It does not start as long as processes of the one before are there.
                let mut command = self.command("postgres");
                command.args(["-D", "data", "-c", "listen_addresses=", "-c"]);
                command.arg(format!("unix_socket_directories={folder}")).stderr(Stdio::null());
                command.args(self.settings.iter().flat_map(|setting| ["-c", setting]));
                command.args(self.port.map(|port| format!("-p{port}")));
                *process = Some(command.spawn().expect("it can be run"));
            }
            let mut ready = self.command("pg_isready");
            ready.args(self.port.map(|port| format!("-p{port}")));
            if ready.args(["-q", "-h", folder]).status().is_ok_and(|status| status.success()) {
                return;
            }
            assert!(started.elapsed() < Duration::from_mins(1), "the server does not start");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Ends it as a power cut would.
    pub(crate) fn kill(&self) {
        if let Some(mut child) = self.process.lock().expect("nobody panicked").take() {
            child.kill().expect("it can be killed");
            child.wait().expect("it ends");
        }
    }

    /// Has it start as a replica, which takes no writes, or as the primary again.
    #[allow(dead_code, reason = "not every test has a replica")]
    pub(crate) fn begin_as_replica(&self, is_replica: bool) {
        self.kill();
        let mark = self.path().join("data/standby.signal");
        if is_replica {
            std::fs::write(&mark, "").expect("it can be written");
        } else {
            std::fs::remove_file(mark).expect("it is a replica");
        }
        self.begin();
    }

    /// The address of its database.
    #[allow(dead_code, reason = "not every test reaches it by its socket")]
    pub(crate) fn address(&self) -> String {
        let folder = self.path().to_str().expect("a path of ours").replace('/', "%2F");
        format!("postgres://locus@{folder}/postgres")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(mut child) = self.process.lock().ok().and_then(|mut process| process.take()) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout == b"0\n")
}
