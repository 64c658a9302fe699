//! Every driver in its world, beside the driver of the tutorial.

#[path = "conformance/cloud.rs"]
mod cloud;
#[path = "conformance/shelf.rs"]
mod shelf;

#[path = "../../store/tests/common/skipped.rs"]
mod skipped;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use cloud::Cloud;
use locus_drivers::conformance::{Trouble, World, check, order};
use locus_drivers::{
    DEFAULT_HOST, Docker, Driver, Inventory, Order, Script, Seen, Simulated, Site, Sites, Surroundings, open,
};
use locus_engine::Does;
use serde_json::{Value, json};
use shelf::Shelf;

/// The cloud of the tutorial.
struct Shelves(Arc<Cloud>);

impl World for Shelves {
    fn driver(&self) -> Arc<dyn Driver> {
        Arc::new(Shelf(Arc::clone(&self.0)))
    }

    fn order(&self, does: Does, node: &str, token: &str, id: &str) -> Order {
        order(does, node, token, id, &json!({ "properties": { "size": 1 } }))
    }

    fn count(&self, node: &str) -> usize {
        self.0.count(node)
    }

    fn bring_about(&self, trouble: Trouble<'_>) -> bool {
        self.0.bring_about(trouble);
        true
    }
}

#[test]
fn the_driver_of_the_tutorial_conforms() {
    assert_eq!(check(&Shelves(Arc::default())), [""; 0]);
}

/// Two clouds in one deployment: nothing else is different for the engine.
struct Two {
    own: Shelves,
    other: Shelves,
}

impl Two {
    fn of(&self, node: &str) -> (&Shelves, Value) {
        let is_other = node.len().is_multiple_of(2);
        let site = if is_other { json!("there") } else { Value::Null };
        (if is_other { &self.other } else { &self.own }, json!({ "site": site, "properties": { "size": 1 } }))
    }
}

impl World for Two {
    fn driver(&self) -> Arc<dyn Driver> {
        let others = BTreeMap::from([("there".to_owned(), self.other.driver())]);
        Arc::new(Sites::new(self.own.driver(), others))
    }

    fn order(&self, does: Does, node: &str, token: &str, id: &str) -> Order {
        order(does, node, token, id, &self.of(node).1)
    }

    fn count(&self, node: &str) -> usize {
        self.of(node).0.count(node)
    }

    fn bring_about(&self, trouble: Trouble<'_>) -> bool {
        match trouble {
            Trouble::Remove(node) | Trouble::Alter(node) | Trouble::Make(node) => {
                self.of(node).0.bring_about(trouble)
            }
            // The next call may come to either.
            Trouble::LostReply | Trouble::Throttle | Trouble::Half => false,
        }
    }
}

#[test]
fn several_clouds_in_one_deployment_conform() {
    let two = Two { own: Shelves(Arc::default()), other: Shelves(Arc::new(Cloud::named("other-"))) };
    assert_eq!(check(&two), ["lost replies", "throttling", "partial failures"]);
}

/// The simulated cloud, in a file.
struct Rehearsal(tempfile::TempDir);

impl Rehearsal {
    fn cloud(&self) -> Simulated {
        Simulated::in_file(0, false, &self.0.path().join("cloud.jsonl"))
    }
}

impl World for Rehearsal {
    fn driver(&self) -> Arc<dyn Driver> {
        Arc::new(self.cloud())
    }

    fn order(&self, does: Does, node: &str, token: &str, id: &str) -> Order {
        order(does, node, token, id, &json!({}))
    }

    fn count(&self, node: &str) -> usize {
        let log = self.cloud().log().expect("it can be read");
        log.iter().filter(|made| made.node == node).fold(0, |count, made| match made.what.as_str() {
            "create" => count + 1,
            "delete" => 0,
            _ => count,
        })
    }

    fn bring_about(&self, trouble: Trouble<'_>) -> bool {
        let (does, node) = match trouble {
            Trouble::Remove(node) => (Does::Delete, node),
            Trouble::Make(node) => (Does::Create, node),
            _ => return false,
        };
        self.cloud().call(&self.order(does, node, node, ""));
        true
    }
}

#[test]
fn the_simulated_cloud_conforms() {
    let world = Rehearsal(tempfile::tempdir().expect("there is room"));
    assert_eq!(check(&world), ["lost replies", "throttling", "partial failures", "changes by hand"]);
}

/// Programs that make files.
struct Programs(tempfile::TempDir);

const CREATE: &str = r#"#!/bin/sh
file="things/$LOCUS_NODE.$(printf %s "$LOCUS_TOKEN" | cksum | cut -d ' ' -f 1)"
mkdir -p things && echo "$LOCUS_TOKEN" > "$file" && echo "id=$file" > "$LOCUS_OUTPUT"
if [ -f half ]; then rm half; exit 1; fi
"#;

const DELETE: &str = r#"#!/bin/sh
if [ -n "$LOCUS_ID" ]; then rm -f "$LOCUS_ID"; else rm -f "things/$LOCUS_NODE".*; fi
"#;

const CHECK: &str = r#"#!/bin/sh
test -f "$LOCUS_ID"
"#;

impl Programs {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("there is room");
        for (name, text) in
            [("create", CREATE), ("delete", DELETE), ("check", CHECK), ("update", "#!/bin/sh\n")]
        {
            let path = folder.path().join(name);
            fs::write(&path, text).expect("it can be written");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
        }
        Self(folder)
    }

    fn things(&self, node: &str) -> Vec<std::path::PathBuf> {
        let Ok(all) = fs::read_dir(self.0.path().join("things")) else { return Vec::new() };
        let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let paths = all.map(|entry| entry.expect("it can be read").path());
        paths.filter(|path| name(path).is_some_and(|name| name.starts_with(&format!("{node}.")))).collect()
    }
}

impl World for Programs {
    fn driver(&self) -> Arc<dyn Driver> {
        Arc::new(Script::new(&self.0.path().join("runs"), self.0.path(), Duration::from_mins(1)))
    }

    fn order(&self, does: Does, node: &str, token: &str, id: &str) -> Order {
        let names = ["create", "delete", "check", "update"];
        let operations: BTreeMap<&str, &str> = names.into_iter().map(|name| (name, name)).collect();
        order(does, node, token, id, &json!({ "operations": operations }))
    }

    fn count(&self, node: &str) -> usize {
        self.things(node).len()
    }

    fn bring_about(&self, trouble: Trouble<'_>) -> bool {
        match trouble {
            Trouble::Half => fs::write(self.0.path().join("half"), "").is_ok(),
            Trouble::Remove(node) => self.things(node).iter().all(|path| fs::remove_file(path).is_ok()),
            _ => false,
        }
    }
}

#[test]
fn programs_conform() {
    let left_out = ["lost replies", "throttling", "lists", "changes by hand", "imports"];
    assert_eq!(check(&Programs::new()), left_out);
}

/// Volumes of a Docker engine.
struct Volumes(Arc<Docker>);

impl World for Volumes {
    fn driver(&self) -> Arc<dyn Driver> {
        Arc::clone(&self.0) as Arc<dyn Driver>
    }

    fn order(&self, does: Does, node: &str, token: &str, id: &str) -> Order {
        let name = format!("locus-conformance-{node}");
        let specification = json!({
            "kind": "volume", "project": "locus-conformance", "key": node, "name": name, "labels": {},
            "config": "{}",
        });
        order(does, node, token, id, &json!({ "specification": specification }))
    }

    fn count(&self, node: &str) -> usize {
        let all = Inventory::take(DEFAULT_HOST).expect("it answered before").volumes;
        usize::from(all.contains(&format!("locus-conformance-{node}")))
    }

    fn bring_about(&self, trouble: Trouble<'_>) -> bool {
        let Trouble::Remove(node) = trouble else { return false };
        self.0.call(&self.order(Does::Delete, node, node, &format!("locus-conformance-{node}")));
        true
    }
}

#[test]
fn a_docker_engine_conforms() {
    let variables: locus_drivers::Variables = Arc::new(|_| None);
    match Docker::connect(DEFAULT_HOST, variables) {
        Err(reason) => skipped::skipped("docker", &reason),
        Ok(docker) => {
            let left_out = ["lost replies", "throttling", "partial failures", "changes by hand", "imports"];
            assert_eq!(check(&Volumes(Arc::new(docker))), left_out);
        }
    }
}

/// Limits of an endpoint change nothing but the time.
struct Slowly(tempfile::TempDir);

impl World for Slowly {
    fn driver(&self) -> Arc<dyn Driver> {
        let limits = [("calls_at_once", "1"), ("calls_per_second", "2000"), ("seed", "0")];
        let site = Site::new("simulated", limits.map(|(name, value)| (name, value.to_owned())));
        let around = Surroundings {
            folder: self.0.path().to_owned(),
            deployment: "conformance".to_owned(),
            base: self.0.path().to_owned(),
            variables: Arc::new(|_| None),
            ssh: Vec::new(),
            mark: String::new(),
            longest: Duration::from_mins(1),
            timeouts: BTreeMap::new(),
        };
        open(&site, &around).expect("it can begin")
    }

    fn order(&self, does: Does, node: &str, token: &str, id: &str) -> Order {
        order(does, node, token, id, &json!({}))
    }

    fn count(&self, node: &str) -> usize {
        let order = self.order(Does::Change, node, "", "");
        usize::from(self.driver().look(&order) == Seen::There)
    }

    fn bring_about(&self, _: Trouble<'_>) -> bool {
        false
    }
}

#[test]
fn a_driver_with_limits_conforms() {
    let left_out = check(&Slowly(tempfile::tempdir().expect("there is room")));
    assert!(!left_out.contains(&"lists") && !left_out.contains(&"drift"), "{left_out:?}");
}

/// The tutorial shows the driver as it is, and says how long it is.
#[test]
fn the_tutorial_shows_the_driver_that_is_tried() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let driver = fs::read_to_string(here.join("tests/conformance/shelf.rs")).expect("it is there");
    assert!(driver.lines().count() <= 150, "{} lines", driver.lines().count());
    let tutorial = fs::read_to_string(here.join("../../docs/drivers.md")).expect("it is there");
    let blocks: Vec<&str> =
        tutorial.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() > 5, "{}", blocks.len());
    for block in blocks {
        assert!(driver.contains(block), "this is not in the driver:\n{block}");
    }
}
