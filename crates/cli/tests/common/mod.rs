//! A folder with files, and the command run in it.

#![allow(dead_code, reason = "each test file uses some of this")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The folder of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("crates/cli is two levels down")
        .to_owned()
}

/// A folder that goes away.
pub(crate) struct Project(tempfile::TempDir);

impl Project {
    /// With these files.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let project = Self(folder);
        for (name, text) in files {
            project.write(name, text);
        }
        project
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("it can be made");
        std::fs::write(path, text).expect("it can be written");
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Runs the command here.
    pub(crate) fn locus(&self, arguments: &[&str]) -> Output {
        self.locus_in(".", arguments, "")
    }

    /// Runs the command in a folder of it, with a text on standard input.
    pub(crate) fn locus_in(&self, folder: &str, arguments: &[&str], input: &str) -> Output {
        let mut child = Command::new(env!("CARGO_BIN_EXE_locus"))
            .current_dir(self.path().join(folder))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        // The command need not read what it is given.
        let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
        child.wait_with_output().expect("the command ends")
    }

    /// Its exit code, and what it writes as JSON.
    pub(crate) fn json(&self, arguments: &[&str]) -> (i32, serde_json::Value) {
        let output = self.locus(arguments);
        let json = serde_json::from_slice(&output.stdout);
        let json = json.unwrap_or_else(|error| panic!("{error}: {}", text(&output)));
        (code(&output), json)
    }
}

pub(crate) fn code(output: &Output) -> i32 {
    output.status.code().expect("it was not killed")
}

/// Everything that was written.
pub(crate) fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The codes of the findings of a report, in their order.
pub(crate) fn codes(report: &serde_json::Value) -> Vec<&str> {
    let findings = report["findings"].as_array().expect("a report has findings");
    findings.iter().map(|finding| finding["code"].as_str().expect("a code is text")).collect()
}
