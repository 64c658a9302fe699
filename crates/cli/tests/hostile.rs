//! Nothing from outside reaches a terminal raw, on any route, and files are read only where they may be.

mod common;

use common::{Project, code, text};

/// Clears the screen, sets the title, and starts a sequence in another way; and text from right to left.
const EVIL: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}\u{8}";

fn raw(text: &str) -> Vec<char> {
    let evil = |c: &char| c.is_control() && *c != '\n' && *c != '\t' || ('\u{202a}'..='\u{202e}').contains(c);
    text.chars().filter(evil).collect()
}

/// Whether nothing but colours of ours is written.
fn assert_safe(project: &Project, arguments: &[&str], input: &str) {
    let output = project.locus_in(".", arguments, input);
    let said = text(&output);
    assert!(!said.trim().is_empty(), "{arguments:?} says nothing");
    assert_eq!(raw(&said), [], "{arguments:?}: {said:?}");
    let mut coloured: Vec<&str> = vec!["--color", "always"];
    coloured.extend(arguments);
    let said = text(&project.locus_in(".", &coloured, input));
    // Of the escapes, only those that set colours remain.
    for (at, _) in said.match_indices('\u{1b}') {
        let sequence = &said[at + 1..];
        let end = sequence.find(|c: char| !c.is_ascii_digit() && c != '[' && c != ';').unwrap_or(0);
        assert!(sequence[end..].starts_with('m'), "{coloured:?}: {sequence:?}");
    }
    assert!(
        !said.contains("\u{1b}[2J") && !said.contains('\u{9b}') && !said.contains('\u{7}'),
        "{coloured:?}"
    );
}

#[test]
fn nothing_from_outside_reaches_the_terminal_raw() {
    let spec = format!(
        "---- MODULE Spec ----\nEXTENDS TLC\nVARIABLE x\nASSUME PrintT(\"{0}\")\nInit == x = \"{0}\"\nNext == x' = \"b{0}\"\n\
         Inv == x = \"{0}\"\n====\n",
        "\u{9b}31m\u{202e}"
    );
    let project = Project::new(&[
        ("Spec.tla", &spec),
        ("Spec.cfg", "INIT Init\nNEXT Next\nINVARIANT Inv\n"),
        ("model.als", "sig A {}\nrun { some A }\ncheck { no A }\n"),
        ("broken.als", &format!("sig A {{ f: \"{EVIL}\" }} {EVIL}")),
        (
            "g.lg.yaml",
            &format!(
                "location-graph: 1\nlocations:\n  \"a\\e[2J\\a\\x9b1m\": {{ provides: [\"p\\e]0;x\\a\"] }}\n  b: {{ provides: [\"p\\e]0;x\\a\"] }}\n# {EVIL}\n"
            ),
        ),
        (&format!("na{EVIL}me.lg.yaml"), "location-graph: 1\nlocations: 1\n"),
        (
            "stack.yaml",
            &format!("heat_template_version: rocky\nparameters:\n  \"a{}\": {{ type: x }}\n", "\u{9b}31m"),
        ),
    ]);
    let evil_name = format!("na{EVIL}me.lg.yaml");
    let mut routes: Vec<Vec<&str>> = Vec::new();
    for format in ["human", "json", "sarif", "github"] {
        for file in ["Spec.tla", "model.als", "broken.als", "g.lg.yaml", &evil_name, "stack.yaml", "."] {
            routes.push(vec!["check", "--format", format, file]);
        }
    }
    for format in ["human", "json", "tla", "markdown", "dot", "svg"] {
        routes.push(vec!["tla", "check", "--format", format, "Spec.tla"]);
    }
    for format in ["human", "json"] {
        routes.push(vec!["tla", "simulate", "--seed", "1", "--format", format, "Spec.tla"]);
        routes.push(vec!["alloy", "run", "--format", format, "model.als"]);
        routes.push(vec!["alloy", "run", "--format", format, "broken.als"]);
    }
    for to in ["svg", "dot", "json", "yaml"] {
        routes.push(vec!["graph", "--to", to, "g.lg.yaml"]);
    }
    routes.push(vec!["check", "-v", "g.lg.yaml"]);
    routes.push(vec!["alloy", "eval", "model.als", EVIL]);
    routes.push(vec!["graph", &evil_name]);
    // Arguments.
    routes.push(vec!["check", EVIL]);
    routes.push(vec!["check", "--language", EVIL, "g.lg.yaml"]);
    routes.push(vec!["check", "--format", EVIL]);
    routes.push(vec!["explain", EVIL]);
    routes.push(vec!["rules", EVIL]);
    routes.push(vec!["rules", "--type", EVIL]);
    routes.push(vec![EVIL]);
    for route in &routes {
        assert_safe(&project, route, "");
    }
    assert_safe(&project, &["check", "-", "--stdin-name", EVIL], "location-graph: 1\nlocations: 1\n");
    assert_safe(&project, &["alloy", "repl", "model.als"], &format!("A\n{EVIL}\n:show\n"));
}

#[test]
fn a_template_reads_nothing_outside_of_its_project() {
    let template = "heat_template_version: rocky\nresources:\n  server:\n    type: OS::Nova::Server\n    properties:\n      \
                    flavor: { get_file: ../secret.txt }\n      image: i\n      networks: [{ network: n }]\n";
    let project = Project::new(&[
        ("secret.txt", "the secret"),
        ("inner/locus.toml", ""),
        ("inner/stack.yaml", template),
    ]);
    let output = project.locus_in("inner", &["check", "stack.yaml", "--format", "json"], "");
    let said = text(&output);
    assert!(!said.contains("the secret"), "{said}");
    assert!(code(&output) == 0 && said.contains("LOC020") && said.contains("--allow-read"), "{said}");
    let output =
        project.locus_in("inner", &["check", "stack.yaml", "--allow-read", "..", "--format", "json"], "");
    let said = text(&output);
    assert!(!said.contains("LOC020"), "{said}");
}

#[test]
fn a_model_outside_of_its_folders_has_the_library_and_what_is_allowed() {
    let model =
        "module puzzles/farmer open util/integer as i open puzzles/own run { some Own } for 2 expect 1\n";
    let project = Project::new(&[
        ("here/farmer.als", model),
        ("here/own.als", "module puzzles/own sig Own {}\n"),
        ("here/far.als", "module puzzles/far open other/own run {}\n"),
    ]);
    let run = |args: &[&str]| project.locus_in("here", args, "");
    let output = run(&["check", "farmer.als", "--format", "json"]);
    assert!(code(&output) == 0 && !text(&output).contains("LOC020"), "{}", text(&output));
    // What is not there can be allowed as well, so that the advice can be followed.
    let refused = text(&run(&["check", "far.als"]));
    let advised = refused.split("--allow-read ").nth(1).and_then(|rest| rest.split([',', ' ']).next());
    let output = run(&["check", "far.als", "--allow-read", advised.expect("there is advice")]);
    assert!(text(&output).contains("cannot be found"), "{}", text(&output));
}

#[test]
fn a_specification_sees_the_environment_only_if_it_may() {
    let spec = "---- MODULE Spec ----\nEXTENDS IOUtils, TLC\nASSUME PrintT(IF \"PATH\" \\in DOMAIN IOEnv THEN \"seen\" ELSE \"hidden\")\n====\n";
    let project = Project::new(&[("Spec.tla", spec)]);
    for command in [&["check"][..], &["tla", "check"]] {
        let run = |more: &[&str]| text(&project.locus(&[command, &["Spec.tla"], more].concat()));
        let said = run(&[]);
        assert!(said.contains("hidden") && said.contains("LOC021") && said.contains("--allow-env"), "{said}");
        let said = run(&["--allow-env"]);
        assert!(said.contains("seen") && !said.contains("LOC021"), "{said}");
    }
}

#[test]
fn what_used_to_be_quadratic_takes_seconds() {
    let repeated = (0..100_000).fold(String::new(), |text, _| text + "  a: 1\n");
    let comments = "# locus: ignore LG002\n".repeat(100_000);
    let shared = (0..100_000).fold(String::new(), |text, i| text + &format!("  l{i}: {{ provides: [p] }}\n"));
    let line: Vec<String> = (0..100_000).map(|i| format!("\"l{i}\":{{\"provides\":[\"p\"]}}")).collect();
    let project = Project::new(&[
        ("repeated.lg.yaml", &format!("location-graph: 1\nlocations:\n{repeated}")),
        ("comments.lg.yaml", &format!("location-graph: 1\nlocations: {{}}\n{comments}")),
        ("shared.lg.yaml", &format!("location-graph: 1\nlocations:\n{shared}")),
        ("line.lg.json", &format!("{{\"location-graph\":1,\"locations\":{{{}}}}}", line.join(","))),
    ]);
    for format in ["human", "json"] {
        // Two minutes of processor time; after those, the system ends it.
        let command = "ulimit -t 120; exec \"$0\" check -q --format \"$1\" .";
        let status = std::process::Command::new("sh")
            .args(["-c", command, env!("CARGO_BIN_EXE_locus"), format])
            .current_dir(project.path())
            .stdout(std::process::Stdio::null())
            .status()
            .expect("the command starts");
        assert_eq!(status.code(), Some(1), "{status}");
    }
}
