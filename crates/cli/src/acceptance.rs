//! Whether a language is a crate and one line in the table, and has everything then: the toy language goes through all
//! commands. (`tests/rooms.rs` counts its lines.)
//!
//! The programs of tests have that line in their table ([`crate::languages::ALL`]), and the command has not. So a test
//! runs its own program once more, as the command.

use std::path::Path;
use std::process::{Command, Output};

use clap::Parser;

use crate::args::Args;
use crate::terminal::Terminal;
use crate::{Outcome, commands};

/// The variable with the arguments of the command, one a line.
const ARGUMENTS: &str = "LOCUS_TEST_ARGUMENTS";

/// Not a test by itself: the command, where [`locus`] asks for it.
#[test]
#[allow(clippy::exit, reason = "it is the command, which ends with its outcome")]
fn as_the_command() {
    let Ok(arguments) = std::env::var(ARGUMENTS) else { return };
    let args = Args::parse_from(std::iter::once("locus").chain(arguments.lines()));
    let terminal = Terminal::new(args.global.color);
    let outcome = commands::run(args, &terminal).unwrap_or_else(|error| {
        terminal.error(&error);
        Outcome::CouldNotRun
    });
    std::process::exit(outcome as i32);
}

/// Runs the command in a folder; returns how it ends and all that it says.
fn locus(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let own = std::env::current_exe().expect("a test is a program");
    let run = Command::new(own)
        .args(["--exact", "acceptance::as_the_command", "--nocapture", "--quiet"])
        .env(ARGUMENTS, arguments.join("\n"))
        .env("NO_COLOR", "1")
        .current_dir(folder)
        .output();
    let Output { status, stdout, stderr } = run.expect("it can be run");
    let said = [stdout, stderr].concat();
    (status.code().expect("it ends by itself"), String::from_utf8(said).expect("it writes UTF-8"))
}

const SHOP: &str = "toy: 1\nthings:\n  shop: { is: server, count: 2, size: 3, disk: lake }\n  lake: { is: store, size: $room }\n";

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("it can be written");
    }
    folder
}

#[test]
fn it_is_checked() {
    let folder = folder(&[("shop.toy", SHOP), ("bad.toy", "toy: 1\nthings:\n  a: { is: store, size: x }\n")]);
    let at = folder.path();
    assert_eq!(locus(at, &["check", "shop.toy"]).0, 0);
    let (code, said) = locus(at, &["check", "shop.toy", "--verbose"]);
    assert!(code == 0 && said.contains("not known: the parameter `room` has no value"), "{said}");
    let (code, said) = locus(at, &["check", "shop.toy", "-P", "room=2"]);
    assert!(
        code == 1 && said.contains("error[TOY010]: `shop` has the size `3`, and its disk `lake` has `2`"),
        "{said}"
    );
    let (code, said) = locus(at, &["check", "bad.toy"]);
    assert!(code == 1 && said.contains("error[TOY004]: `size` must be an integer, not `x`"), "{said}");
    let (code, said) = locus(at, &["check", "--format", "sarif", "."]);
    assert!(code == 1 && said.contains("\"ruleId\": \"TOY004\""), "{said}");
    std::fs::write(at.join("bad.toy"), "toy: 1\nthings:\n  a: { is: store } # locus: ignore TOY005\n")
        .unwrap();
    assert_eq!(locus(at, &["check", "bad.toy"]).0, 0);
    // A number that is not known is not taken for one.
    std::fs::write(at.join("bad.toy"), "toy: 1\nthings:\n  a: { is: store, size: 1, count: $n }\n").unwrap();
    let (code, said) = locus(at, &["check", "bad.toy"]);
    assert!(code == 2 && said.contains("the number of `a` is not known"), "{said}");
    assert_eq!(locus(at, &["plan", "bad.toy"]).0, 2);
    let (code, said) = locus(at, &["graph", "shop.toy", "-P", "room=9", "--relationships-as-locations"]);
    assert!(code == 2 && said.contains("the language toy has no --relationships-as-locations"), "{said}");
}

#[test]
fn its_rules_are_listed_explained_and_extended() {
    let own = "open toy/core\nopen toy/types/server\n/** OWN001 small: Servers are small.\n * @message {s} is large\n * @at s\n */\n\
               fact { all s: server | s.prop_size <= 2 }\n";
    let folder = folder(&[("shop.toy", SHOP), ("own.als", own)]);
    let at = folder.path();
    let (code, said) = locus(at, &["rules", "TOY"]);
    assert!(code == 0 && said.contains("TOY010") && said.contains("TOY001"), "{said}");
    let (code, said) = locus(at, &["rules", "--type", "server"]);
    assert!(code == 0 && said.contains("sig server extends Thing"), "{said}");
    let (code, said) = locus(at, &["explain", "TOY010"]);
    assert!(code == 0 && said.contains("a_server_fits_on_its_disk"), "{said}");
    let (code, said) = locus(at, &["check", "shop.toy", "--rules", "own.als"]);
    assert!(code == 1 && said.contains("error[OWN001]: `shop` is large"), "{said}");
}

#[test]
fn it_is_corrected() {
    let slip = "toy: 1\nthings:\n  a: { is: sever, siz: 1 } # no\n";
    let folder = folder(&[("slip.toy", slip), ("shop.toy", SHOP)]);
    let at = folder.path();
    assert_eq!(locus(at, &["check", "slip.toy"]).0, 1);
    assert_eq!(locus(at, &["check", "--fix", "slip.toy"]).0, 0);
    let text = std::fs::read_to_string(at.join("slip.toy")).unwrap();
    assert_eq!(text, "toy: 1\nthings:\n  a: { is: server, size: 1 } # no\n");
    let (code, said) = locus(at, &["check", "--suggest", "shop.toy", "-P", "room=2"]);
    assert_eq!(code, 1);
    assert!(
        said.contains("fixes TOY010")
            && said.contains("+  shop: { is: server, count: 2, size: 2, disk: lake }"),
        "{said}"
    );
}

#[test]
fn it_is_drawn_planned_and_built() {
    let grown = SHOP.replace("count: 2", "count: 3");
    let folder = folder(&[("shop.toy", SHOP), ("grown.toy", &grown)]);
    let at = folder.path();
    assert_eq!(locus(at, &["graph", "shop.toy", "-P", "room=9", "-o", "shop.svg"]).0, 0);
    assert!(std::fs::read_to_string(at.join("shop.svg")).unwrap().contains("shop[1]"));
    let (code, said) = locus(at, &["plan", "shop.toy", "-P", "room=9"]);
    let at_step = |name: &str| said.find(name).unwrap_or_else(|| panic!("{name}: {said}"));
    assert!(
        code == 0 && at_step("lake from absent to made") < at_step("shop[0] from absent to made"),
        "{said}"
    );
    let (code, said) = locus(at, &["plan", "shop.toy", "grown.toy", "-P", "room=9"]);
    assert!(
        code == 0
            && said.contains("shop[2]")
            && said.contains("1 to add, 0 to change, 0 to replace, 0 to remove"),
        "{said}"
    );
    // What breaks a rule is not planned.
    let (code, said) = locus(at, &["plan", "shop.toy", "-P", "room=2"]);
    assert!(code == 2 && said.contains("TOY010"), "{said}");
    let store = ["--store", "store"];
    let up = [&["up", "shop.toy", "-P", "room=9", "--simulate", "0", "--yes"][..], &store].concat();
    let (code, said) = locus(at, &up);
    assert_eq!(code, 0, "{said}");
    let (code, said) = locus(at, &[&["status", "shop"][..], &store].concat());
    assert!(code == 0 && said.contains("CREATE_COMPLETE, 3 nodes") && said.contains("shop[1]"), "{said}");
}
