//! The driver of OpenStack in a real cloud, where one is at hand: the services that `LOCUS_OPENSTACK` names in
//! `clouds.yaml`. Where there is none, this says that it was skipped.

#[path = "../../store/tests/common/skipped.rs"]
mod skipped;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use locus_drivers::conformance::{Trouble, World, check, order};
use locus_drivers::{Driver, Order, Site, Surroundings, open, session};
use locus_engine::Does;
use locus_openstack::{Ask, Named, Service, Session};
use serde_json::{Value, json};

/// Networks of a real Neutron.
struct Networks {
    session: Session,
    cloud: String,
}

fn around(folder: &Path) -> Surroundings {
    Surroundings {
        folder: folder.to_owned(),
        deployment: "conformance".to_owned(),
        base: folder.to_owned(),
        variables: Arc::new(|_| None),
        ssh: Vec::new(),
        mark: String::new(),
        longest: Duration::from_mins(1),
        timeouts: BTreeMap::new(),
    }
}

impl Networks {
    /// The networks of a node, asked of Neutron itself.
    fn of(&self, node: &str) -> Vec<Value> {
        let all = self.session.all(Service::Network, "/networks", "networks").expect("it answers");
        all.into_iter().filter(|network| network["name"] == format!("conformance {node}")).collect()
    }
}

impl World for Networks {
    fn driver(&self) -> Arc<dyn Driver> {
        let site = Site::new("openstack", [("cloud", self.cloud.clone())]);
        open(&site, &around(Path::new("/nowhere"))).expect("it is configured")
    }

    fn order(&self, does: Does, node: &str, token: &str, id: &str) -> Order {
        let properties = json!({ "name": format!("conformance {node}"), "admin_state_up": true });
        let desired = json!({
            "name": node, "sort": "OS::Neutron::Net", "properties": {}, "needs": [],
            "specification": { "properties": properties },
        });
        order(does, node, token, id, &desired)
    }

    fn count(&self, node: &str) -> usize {
        self.of(node).len()
    }

    fn bring_about(&self, trouble: Trouble<'_>) -> bool {
        let send = |method, path: &str, body: &Value| {
            self.session.ask(&Ask::send(Service::Network, method, path, body)).is_ok()
        };
        match trouble {
            Trouble::Remove(node) => self.of(node).iter().all(|network| {
                let path = format!("/networks/{}", network["id"].as_str().unwrap_or_default());
                self.session.ask(&Ask::delete(Service::Network, &path)).is_ok()
            }),
            Trouble::Alter(node) => self.of(node).iter().all(|network| {
                let path = format!("/networks/{}", network["id"].as_str().unwrap_or_default());
                send("PUT", &path, &json!({ "network": { "admin_state_up": false } }))
            }),
            // What it is called is made by Neutron, so it cannot be its name.
            Trouble::Make(_) | Trouble::LostReply | Trouble::Throttle | Trouble::Half => false,
        }
    }
}

#[test]
fn a_real_neutron_conforms() {
    let Ok(cloud) = std::env::var("LOCUS_OPENSTACK") else {
        return skipped::skipped("openstack", "LOCUS_OPENSTACK names no cloud of clouds.yaml");
    };
    let named = Named { cloud: Some(cloud.clone()), region: None };
    let session = session(&named).expect("the cloud that LOCUS_OPENSTACK names is configured");
    let left_out = ["lost replies", "throttling", "partial failures", "imports of what was made by hand"];
    assert_eq!(check(&Networks { session, cloud }), left_out);
}
