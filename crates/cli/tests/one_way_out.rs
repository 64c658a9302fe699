//! Findings leave in one way: whether a file is alone, one of many, in a folder, from a glob or from standard input, in
//! whatever language.

mod common;

use common::{Project, code, codes, text};

/// A specification with a violated invariant, an action that is never taken, and a premise that is never true.
const SPEC: &str = "---- MODULE Spec ----
EXTENDS Integers
VARIABLE x
Init == x = 0
Up == x < 3 /\\ x' = x + 1
Never == x > 9 /\\ x' = 0
Next == Up \\/ Never
Spec == Init /\\ [][Next]_x
Small == x < 2
====
";
const SPEC_CFG: &str = "SPECIFICATION Spec\nINVARIANT Small\n";

/// One that is right, and yet suspicious.
const IDLE: &str = "---- MODULE Idle ----
EXTENDS Integers
VARIABLE x
Init == x = 0
Up == x' = (x + 1) % 3
Never == x > 9 /\\ x' = 0
Next == Up \\/ Never
Spec == Init /\\ [][Next]_x
====
";

const MODEL: &str = "sig A {}\nassert nobody { no A }\ncheck nobody for 2\n";

const GRAPH: &str = "location-graph: 1\nlocations:\n  a: { provides: [p] }\n  b: { provides: [p] }\n";

fn everything() -> Project {
    Project::new(&[
        ("Spec.tla", SPEC),
        ("Spec.cfg", SPEC_CFG),
        ("Idle.tla", IDLE),
        ("model.als", MODEL),
        ("web.lg.yaml", GRAPH),
    ])
}

#[test]
fn a_file_says_the_same_wherever_it_comes_from() {
    let project = everything();
    for (name, content, expected, exit) in [
        ("Spec.tla", SPEC, "TLA102", 1),
        ("Idle.tla", IDLE, "TLA111", 0),
        ("model.als", MODEL, "ALS063", 1),
        ("web.lg.yaml", GRAPH, "LG002", 1),
    ] {
        let (alone_exit, alone) = project.json(&["check", "--format", "json", name]);
        assert_eq!((alone_exit, codes(&alone)), (exit, vec![expected]), "{name}: {alone}");
        let glob = format!("{}*{}", &name[..1], &name[1..]);
        let (glob_exit, globbed) = project.json(&["check", "--format", "json", &glob]);
        assert_eq!((glob_exit, &globbed["findings"]), (exit, &alone["findings"]), "{name} by a glob");
        let output =
            project.locus_in(".", &["check", "--format", "json", "-", "--stdin-name", name], content);
        let read: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(
            (code(&output), &read["findings"]),
            (exit, &alone["findings"]),
            "{name} from standard input"
        );
        for format in ["sarif", "github", "human"] {
            let output = project.locus(&["check", "--format", format, name]);
            assert!(
                text(&output).contains(expected) && code(&output) == exit,
                "{name} {format}: {}",
                text(&output)
            );
        }
    }
    let (exit, all) = project.json(&["check", "--format", "json", "."]);
    assert_eq!((exit, codes(&all)), (1, vec!["TLA111", "TLA102", "ALS063", "LG002"]), "{all}");
    assert_eq!(all["summary"]["files"], 4);
    let kinds: Vec<_> = all["attachments"].as_array().unwrap().iter().map(|one| &one["kind"]).collect();
    assert_eq!(kinds, ["exploration", "exploration", "commands"]);
}

#[test]
fn standard_input_is_recognised_in_every_language() {
    let project = Project::new(&[]);
    for (content, expected) in [(SPEC, "TLA"), (MODEL, "ALS063"), (GRAPH, "LG002")] {
        let output = project.locus_in(".", &["check", "-"], content);
        let said = text(&output);
        // Without its configuration, the specification has nothing to complain about.
        assert!(said.contains(expected) || expected == "TLA" && code(&output) == 0, "{said}");
    }
}

#[test]
fn engine_commands_are_the_same_check() {
    let project = everything();
    let (exit, report) = project.json(&["tla", "check", "--format", "json", "Spec.tla"]);
    assert_eq!((exit, codes(&report), &report["verdict"]), (1, vec!["TLA102"], &"invariant".into()));
    let (exit, report) = project.json(&["alloy", "run", "--format", "json", "model.als"]);
    assert_eq!((exit, codes(&report), &report["commands"][0]["verdict"]), (1, vec!["ALS063"], &"sat".into()));
    let output = project.locus(&["tla", "check", "Idle.tla", "--fail-on", "warning"]);
    assert_eq!(code(&output), 1, "{}", text(&output));
}

#[test]
fn severities_configuration_and_comments_hold_for_specifications_and_models() {
    let project = everything();
    assert_eq!(code(&project.locus(&["check", "Idle.tla"])), 0);
    assert_eq!(code(&project.locus(&["check", "--fail-on", "warning", "Idle.tla"])), 1);
    project.write("locus.toml", "[rules]\nTLA111 = \"error\"\nALS063 = \"off\"\n");
    assert_eq!(code(&project.locus(&["check", "Idle.tla"])), 1);
    assert_eq!(code(&project.locus(&["check", "model.als"])), 0);
    project.write("Idle.tla", &IDLE.replace("x > 9", "x > 9 \\* locus: ignore TLA111 -- kept for later\n  "));
    assert_eq!(
        code(&project.locus(&["check", "Idle.tla"])),
        0,
        "{}",
        text(&project.locus(&["check", "Idle.tla"]))
    );
    project.write("locus.toml", "");
    project.write("model.als", &MODEL.replace("check nobody", "-- locus: ignore ALS063\ncheck nobody"));
    assert_eq!(code(&project.locus(&["check", "model.als"])), 0);
    project.write("model.als", "sig A {} -- locus: ignore ALS063\n");
    assert!(text(&project.locus(&["check", "model.als"])).contains("LOC002"));
}

#[test]
fn what_was_not_checked_is_said_and_is_no_success() {
    let endless =
        "---- MODULE Endless ----\nEXTENDS Integers\nVARIABLE x\nInit == x = 0\nNext == x' = x + 1\n====\n";
    let part = "---- MODULE Part ----\nVARIABLE y\nTwice == y' = y\n====\n";
    let project = Project::new(&[("Endless.tla", endless), ("Part.tla", part)]);
    let output = project.locus(&["check", "--timeout", "200ms", "."]);
    assert_eq!(code(&output), 2);
    let said = text(&output);
    assert!(said.contains("no findings in 2 files; not checked: 2 files"), "{said}");
    assert!(said.contains("Endless.tla: not checked: the search was not finished"), "{said}");
    assert!(said.contains("Part.tla: not checked: there is no configuration"), "{said}");
    // What is a part of something that is checked is checked with it, and what is excluded is not looked at.
    let whole = "---- MODULE Whole ----\nEXTENDS Part\nInit == y = 0\nNext == Twice\n====\n";
    project.write("Whole.tla", whole);
    project.write("locus.toml", "exclude = [\"Endless.tla\"]\n");
    let output = project.locus(&["check", "."]);
    assert_eq!(code(&output), 0, "{}", text(&output));
    // Whoever names it wants to know.
    assert_eq!(code(&project.locus(&["check", "Part.tla", "Whole.tla"])), 2);
}

#[test]
fn options_that_a_language_does_not_have_are_errors() {
    let project = everything();
    project.write("env.yaml", "parameters: {}\n");
    project.write("own.als", "sig A {}\n");
    for (arguments, languages) in [
        (&["check", "web.lg.yaml", "-e", "env.yaml"][..], "hot"),
        (&["check", "web.lg.yaml", "-P", "a=b"], "hot"),
        (&["check", "Spec.tla", "--suggest"], "hot"),
        (&["check", "model.als", "--rules", "own.als"], "hot"),
        (&["check", "web.lg.yaml", "--library", "."], "tla"),
        (&["graph", "web.lg.yaml", "-P", "a=b"], "hot"),
    ] {
        let output = project.locus(arguments);
        let said = text(&output);
        assert!(code(&output) == 2 && said.contains("the languages that have it: "), "{arguments:?}: {said}");
        let listed = said.split("have it: ").nth(1).expect("it was just there");
        assert!(languages.split(", ").all(|one| listed.contains(one)), "{arguments:?}: {said}");
    }
}

#[test]
fn a_reader_that_goes_changes_nothing() {
    let pair = |i| format!("  a{i}: {{ provides: [p{i}] }}\n  b{i}: {{ provides: [p{i}] }}\n");
    let many = (0..3000).fold(String::new(), |text, i| text + &pair(i));
    let project = Project::new(&[("web.lg.yaml", &format!("location-graph: 1\nlocations:\n{many}"))]);
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_locus"))
        .current_dir(project.path())
        .args(["check", "web.lg.yaml"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}

#[test]
fn paths_of_the_configuration_start_at_its_folder() {
    let project = everything();
    project.write(
        "locus.toml",
        "exclude = [\"*.tla\", \"*.als\"]\n[[files]]\npaths = [\"legacy/**\"]\nrules = { LG002 = \"off\" }\n",
    );
    project.write("legacy/sub/old.lg.yaml", GRAPH);
    for (folder, path) in [
        (".", "legacy/sub/old.lg.yaml"),
        ("legacy", "sub/old.lg.yaml"),
        ("legacy/sub", "old.lg.yaml"),
        ("legacy/sub", "../sub/old.lg.yaml"),
    ] {
        let output = project.locus_in(folder, &["check", path], "");
        assert_eq!(code(&output), 0, "{folder} {path}: {}", text(&output));
    }
    assert_eq!(code(&project.locus(&["check", "web.lg.yaml"])), 1);
    // What is excluded is left out of folders, and is checked if it is named.
    let (_, all) = project.json(&["check", "--format", "json", "."]);
    assert_eq!(codes(&all), ["LG002"], "{all}");
    assert_eq!(code(&project.locus(&["check", "model.als"])), 1);
}

#[test]
fn a_selection_of_rules_is_heeded() {
    let project = everything();
    project.write("locus.toml", "select = [\"ALS\"]\n");
    let (exit, all) = project.json(&["check", "--format", "json", "."]);
    assert_eq!((exit, codes(&all)), (1, vec!["ALS063"]));
}

#[test]
fn how_many_more_there_are_is_said_everywhere() {
    let many: String = (0..1000).map(|_| "  a: {}\n").collect();
    let project = Project::new(&[("web.lg.yaml", &format!("location-graph: 1\nlocations:\n{many}"))]);
    let (_, report) = project.json(&["check", "--format", "json", "web.lg.yaml"]);
    let listed = report["findings"].as_array().unwrap();
    let more: u64 = listed.iter().map(|one| one["more"].as_u64().unwrap()).sum();
    let repeated = listed
        .iter()
        .filter(|one| one["rule"] == "repeated-key" || one["message"].as_str().unwrap().contains("already"));
    assert_eq!(repeated.count() as u64 + more, 999, "{:?}", codes(&report));
    for format in ["human", "sarif", "github"] {
        let said = text(&project.locus(&["check", "--format", format, "web.lg.yaml"]));
        assert!(said.contains(&format!("there are {more} findings more")), "{format}");
    }
}

#[test]
fn a_file_that_cannot_be_drawn_says_why() {
    let project = Project::new(&[("a.lg.yaml", "location-graph: 1\nlocations: [")]);
    let output = project.locus(&["graph", "a.lg.yaml"]);
    let said = text(&output);
    assert_eq!(code(&output), 2);
    assert!(
        output.stdout.is_empty() && said.contains("a.lg.yaml:2:") && said.contains("error[YML"),
        "{said}"
    );
}

#[test]
fn alloy_finds_modules_in_libraries() {
    let project = Project::new(&[
        ("own/m.als", "open examples/deep/queue\nrun { some Queue } for 2"),
        (
            "bundled/examples/deep/queue.als",
            "module examples/deep/queue\nopen examples/base\nsig Queue extends Thing {}",
        ),
        ("bundled/examples/base.als", "module examples/base\nsig Thing {}"),
    ]);
    let output = project.locus(&["check", "own/m.als"]);
    let said = text(&output);
    assert!(code(&output) == 1 && said.contains("--library"), "{said}");
    for command in [&["check"][..], &["alloy", "run"]] {
        let output = project.locus(&[command, &["own/m.als", "--library", "bundled"]].concat());
        assert_eq!(code(&output), 0, "{}", text(&output));
    }
}

#[test]
fn what_is_in_a_folder_that_was_named_as_a_library_may_be_read() {
    let profile =
        "tosca_definitions_version: tosca_2_0\nprofile: org.example:1.0\nnode_types:\n  Thing: {}\n";
    let service = "tosca_definitions_version: tosca_2_0\nimports:\n- profile: org.example:1.0\nservice_template:\n  \
                   node_templates:\n    one: { type: Thing }\n";
    let library = Project::new(&[("org.example:1.0.yaml", profile)]);
    let project = Project::new(&[("service.yaml", service)]);
    let folder = library.path().to_str().unwrap();
    let output = project.locus(&["check", "service.yaml", "--library", folder, "--fail-on", "note"]);
    assert_eq!(code(&output), 0, "{}", text(&output));
    assert_eq!(code(&project.locus(&["check", "service.yaml"])), 1, "without it the profile is nowhere");
}
