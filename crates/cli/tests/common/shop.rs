//! The example of the engine in a folder of its own.
#![allow(dead_code, reason = "not every test needs all of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The folder of the project.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("crates/cli is two levels down")
        .to_owned()
}

/// A folder of its own with the example.
pub(crate) struct Shop(pub(crate) tempfile::TempDir);

impl Shop {
    pub(crate) fn new() -> Self {
        Self::with(&["shop.yaml", "service.sh"])
    }

    /// A folder with other files of the examples.
    pub(crate) fn with(files: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        for file in files {
            std::fs::copy(root().join("examples/engine").join(file), folder.path().join(file)).expect(file);
        }
        Self(folder)
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_locus"));
        command.args(args).current_dir(self.0.path()).env_remove("LOCUS_STORE").stdin(Stdio::null());
        command
    }

    pub(crate) fn locus(&self, args: &[&str]) -> (i32, String) {
        let Output { status, stdout, stderr } = self.command(args).output().expect("it can be run");
        let text = String::from_utf8_lossy(&stdout).into_owned();
        (
            status.code().unwrap_or(-1),
            if text.is_empty() { String::from_utf8_lossy(&stderr).into_owned() } else { text },
        )
    }

    pub(crate) fn json(&self, args: &[&str]) -> (i32, Value) {
        let (code, text) = self.locus(args);
        (code, serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}")))
    }

    /// The log of the programs: operation, node and token.
    pub(crate) fn log(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.0.path().join("services/log")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    pub(crate) fn edit(&self, file: &str, from: &str, to: &str) {
        let path = self.0.path().join(file);
        let text = std::fs::read_to_string(&path).expect(file);
        assert!(text.contains(from), "{from}");
        std::fs::write(path, text.replace(from, to)).expect(file);
    }
}

/// Whatever a test does, the events of all its deployments can have happened so.
impl Drop for Shop {
    fn drop(&mut self) {
        if std::thread::panicking() || !self.0.path().join(".locus/store.db").exists() {
            return;
        }
        let (_, all) = self.json(&["status", "--format", "json"]);
        for deployment in all["deployments"].as_array().into_iter().flatten() {
            let name = deployment["name"].as_str().expect("it has a name");
            let (code, text) = self.locus(&["events", name, "--verify"]);
            assert_eq!(code, 0, "{text}");
        }
    }
}
