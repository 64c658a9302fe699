//! Plans as TLA+ modules have the states that `locus plan` counts.

use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/cli is two levels down")
}

fn locus(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_locus"))
        .current_dir(root())
        .args(arguments)
        .output()
        .expect("the command runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it is UTF-8")
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).expect("it is JSON")
}

/// The distinct states of a module, all of which satisfy the invariants.
fn states(module: &str, name: &str, invariants: &[&str]) -> u64 {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join(format!("{name}.tla"));
    std::fs::write(&path, module).expect("it can be written");
    let path = path.display().to_string();
    let mut arguments = vec!["tla", "check", &path, "--format", "json"];
    for invariant in invariants {
        arguments.extend(["--invariant", invariant]);
    }
    let answer = json(&locus(&arguments));
    assert_eq!(answer["verdict"], "ok", "{answer:#}");
    answer["distinct"].as_u64().unwrap_or_else(|| panic!("no number of states: {answer:#}"))
}

const FIGURE: &str = "examples/aeolus/figure15.aeolus.yaml";
const UPDATE: [&str; 2] = ["examples/hot/update/old.yaml", "examples/hot/update/new.yaml"];

#[test]
fn interleavings_are_the_states_of_the_module() {
    for files in [&["--down", UPDATE[0]][..], &UPDATE, &[FIGURE]] {
        let with = |format| [&["plan", "--format", format], files].concat();
        let counted = json(&locus(&with("json")))["checked"]["configurations"].as_u64();
        assert_eq!(counted, Some(states(&locus(&with("tla")), "Plan", &["Correct"])), "{files:?}");
    }
}

#[test]
fn failures_are_the_states_of_the_module() {
    for files in [&UPDATE[..], &[FIGURE]] {
        for retries in ["0", "2"] {
            let with =
                |format| [&["plan", "--verify", "--retries", retries, "--format", format], files].concat();
            let verified = &json(&locus(&with("json")))["verified"];
            // Components that are alike are exchanged, which a module does not do.
            assert_eq!(verified["symmetric"], false, "{verified:#}");
            let module = locus(&with("tla"));
            let found = states(&module, "Failures", &["Correct", "EndsWell"]);
            assert_eq!(verified["states"].as_u64(), Some(found), "{files:?}");
        }
    }
}

#[test]
fn a_change_of_a_volume_is_refused_because_its_data_would_be_lost() {
    let folder = tempfile::tempdir().expect("there is room");
    let [old, new] = ["nfs", "tmpfs"].map(|kind| {
        let path = folder.path().join(format!("{kind}.compose.yaml"));
        let text = format!(
            "name: shop\nservices:\n  db: {{ image: 'postgres:17', volumes: ['data:/d'] }}\nvolumes:\n  \
             data: {{ driver_opts: {{ type: {kind} }} }}\n"
        );
        std::fs::write(&path, text).expect("it can be written");
        path.display().to_string()
    });
    let plan = |files: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_locus")).arg("plan").args(files).output().expect("it runs");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, text) = plan(&[&old, &new]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("volume data cannot be changed"), "{text}");
    assert!(text.contains("; what is in it would be lost"), "{text}");
    let (code, text) = plan(&[&old, &old]);
    assert_eq!(code, Some(0), "{text}");
    assert!(!text.contains("lost"), "{text}");
}
