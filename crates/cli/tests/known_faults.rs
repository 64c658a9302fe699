//! The faults that are known and not mended yet, `bench/known-faults.tsv`: each is shown as long as it exists. When one
//! is gone, its test fails, and its row goes with the change that mended it.

mod common;

use std::fmt::Write;
use std::process::Command;

use common::root;

/// A row of the table.
struct Fault<'t> {
    name: &'t str,
    command: Vec<&'t str>,
    exit: i32,
    shows: &'t str,
    right: &'t str,
}

fn faults(table: &str) -> Vec<Fault<'_>> {
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("fault\tcommand\texit\tshows\tright\tgoes_with"));
    let fault = |line| {
        let cells: Vec<&str> = str::split(line, '\t').collect();
        let [name, command, exit, shows, right, _] = cells[..] else {
            panic!("another number of cells: {line}")
        };
        let exit = exit.parse().unwrap_or_else(|_| panic!("{name}: `{exit}` is no exit code"));
        Fault { name, command: command.split(' ').collect(), exit, shows, right }
    };
    lines.map(fault).collect()
}

/// Copies the files of a fault, so that nothing is written beside them.
fn copied(name: &str) -> tempfile::TempDir {
    let from = root().join("crates/cli/tests/known").join(name);
    let to = tempfile::tempdir().expect("a folder can be made");
    for entry in std::fs::read_dir(&from).unwrap_or_else(|error| panic!("{}: {error}", from.display())) {
        let path = entry.expect("it can be listed").path();
        std::fs::copy(&path, to.path().join(path.file_name().expect("it has a name")))
            .expect("it can be copied");
    }
    to
}

#[test]
fn each_known_fault_is_still_there() {
    let table = std::fs::read_to_string(root().join("bench/known-faults.tsv")).expect("the table is there");
    let mut gone = String::new();
    for fault in faults(&table) {
        let folder = copied(fault.name);
        let output = Command::new(env!("CARGO_BIN_EXE_locus"))
            .args(&fault.command)
            .current_dir(folder.path())
            .output()
            .expect("the command can be run");
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let said = said.join("\n");
        let is_there = output.status.code() == Some(fault.exit) && said.contains(fault.shows);
        if !is_there {
            let (name, right) = (fault.name, fault.right);
            let _ = writeln!(gone, "{name} is not there any more. What is right: {right}. Now:\n{said}");
        }
    }
    assert!(
        gone.is_empty(),
        "take what is mended out of the table, with its files, and test what is right:\n{gone}"
    );
}

#[test]
fn each_folder_belongs_to_a_known_fault() {
    let table = std::fs::read_to_string(root().join("bench/known-faults.tsv")).expect("the table is there");
    let names: Vec<_> = faults(&table).iter().map(|fault| fault.name.to_owned()).collect();
    let folders = std::fs::read_dir(root().join("crates/cli/tests/known")).expect("it can be listed");
    for folder in folders {
        let name = folder.expect("it can be listed").file_name().to_string_lossy().into_owned();
        assert!(names.contains(&name), "{name} is in no row of bench/known-faults.tsv");
    }
}
