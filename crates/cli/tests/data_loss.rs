//! Changes that lose data are marked, and begun only by somebody who says so; what a project keeps is not destroyed.

use std::path::Path;
use std::process::Command;

fn locus(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_locus"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the command runs");
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}

/// A network and a volume, of which a new version has another zone, or no volume any more.
fn template(volume: Option<&str>, policy: &str) -> String {
    let disk = volume.map_or_else(String::new, |zone| {
        format!(
            "  disk:
    type: OS::Cinder::Volume
    {policy}
    properties: {{ size: 1, availability_zone: {zone} }}
"
        )
    });
    format!("heat_template_version: 2018-08-31\nresources:\n  net: {{ type: OS::Neutron::Net }}\n{disk}")
}

fn folder(old: &str, new: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (name, text) in [("old.yaml", old), ("new.yaml", new)] {
        std::fs::write(folder.path().join(name), text).expect("it can be written");
    }
    folder
}

const UP: [&str; 6] = ["up", "--yes", "--simulate", "0", "--name", "it"];

#[test]
fn a_volume_is_deleted_or_replaced_only_if_that_is_allowed() {
    for new in [template(None, ""), template(Some("b"), "")] {
        let folder = folder(&template(Some("a"), ""), &new);
        let (exit, said) = locus(folder.path(), &["plan", "old.yaml", "new.yaml"]);
        assert_eq!(exit, Some(0), "{said}");
        assert!(said.contains("what is in it is lost") && said.contains("data is lost of 1"), "{said}");
        let up = |more: &[&str], file| locus(folder.path(), &[&UP[..], more, &[file]].concat());
        let (exit, said) = up(&[], "old.yaml");
        assert_eq!(exit, Some(0), "{said}");
        let (exit, said) = up(&[], "new.yaml");
        assert_eq!(exit, Some(1), "{said}");
        assert!(said.contains("not begun, since what is in disk would be lost"), "{said}");
        // Nothing was done.
        let (exit, said) = up(&[], "old.yaml");
        assert!(exit == Some(0) && said.contains("nothing to do"), "{said}");
        let (exit, said) = up(&["--allow-data-loss"], "new.yaml");
        assert_eq!(exit, Some(0), "{said}");
    }
}

#[test]
fn what_is_saved_or_stays_is_not_lost() {
    for policy in ["deletion_policy: Snapshot", "deletion_policy: Retain"] {
        let folder = folder(&template(Some("a"), policy), &template(None, ""));
        let (exit, said) = locus(folder.path(), &["plan", "old.yaml", "new.yaml"]);
        assert_eq!(exit, Some(0), "{said}");
        assert!(!said.contains("lost"), "{said}");
        for file in ["old.yaml", "new.yaml"] {
            let (exit, said) = locus(folder.path(), &[&UP[..], &[file]].concat());
            assert_eq!(exit, Some(0), "{said}");
        }
    }
}

#[test]
fn what_the_project_keeps_is_not_destroyed() {
    let folder = folder(&template(Some("a"), ""), &template(None, ""));
    std::fs::write(folder.path().join("locus.toml"), "prevent_destroy = [\"di*\"]\n").expect("it is written");
    let why = "disk would be deleted, which prevent_destroy in locus.toml does not allow";
    let (exit, said) = locus(folder.path(), &["plan", "old.yaml", "new.yaml"]);
    assert!(exit == Some(1) && said.contains(why), "{said}");
    let (exit, said) = locus(folder.path(), &[&UP[..], &["old.yaml"]].concat());
    assert_eq!(exit, Some(0), "{said}");
    let (exit, said) = locus(folder.path(), &[&UP[..], &["--allow-data-loss", "new.yaml"]].concat());
    assert!(exit == Some(1) && said.contains(why), "{said}");
    // Of another name it may go.
    std::fs::write(folder.path().join("locus.toml"), "prevent_destroy = [\"db*\"]\n").expect("it is written");
    let (exit, said) = locus(folder.path(), &[&UP[..], &["--allow-data-loss", "new.yaml"]].concat());
    assert_eq!(exit, Some(0), "{said}");
}
