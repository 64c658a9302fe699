//! The rules of `docs/rules.md`, each on its examples.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn test(file: &str, more: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_locus"))
        .args(["rules", "test", file])
        .args(more)
        .current_dir(root())
        .output()
        .expect("the command runs");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn every_rule_of_the_guide_does_what_its_examples_say() {
    let mut codes = Vec::new();
    for file in ["naming", "storage", "network", "company"] {
        let (status, said) = test(&format!("examples/rules/{file}.als"), &["--format", "json"]);
        assert_eq!(status, Some(0), "{file}: {said}");
        let rules: serde_json::Value = serde_json::from_str(&said).expect("it is JSON");
        for rule in rules.as_array().expect("a list") {
            codes.push(rule["code"].as_str().unwrap_or_default().to_owned());
        }
    }
    let guide = std::fs::read_to_string(root().join("docs/rules.md")).expect("there is a guide");
    let missing: Vec<&String> = codes.iter().filter(|code| !guide.contains(code.as_str())).collect();
    assert!(missing.is_empty() && codes.len() == 12, "{codes:?} {missing:?}");
}

#[test]
fn an_example_that_is_not_as_its_name_says_fails() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rules_examples");
    std::fs::create_dir_all(&folder).expect("there is room");
    let rules = std::fs::read_to_string(root().join("examples/rules/storage.als")).expect("there are rules");
    std::fs::write(folder.join("storage.als"), rules).expect("it can be written");
    let volume = "heat_template_version: 2021-04-16\nresources:\n  v: { type: OS::Cinder::Volume, properties: { size: 1 } }\n";
    std::fs::write(folder.join("OWN003.good.yaml"), volume).expect("it can be written");
    let (status, said) = test(&folder.join("storage.als").to_string_lossy(), &[]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("OWN003.good.yaml breaks it"), "{said}");
    assert!(said.contains("there is no example OWN003.bad.yaml"), "{said}");
}
