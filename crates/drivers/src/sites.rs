//! Where things are made: the table of drivers, and several of them in one deployment.
//!
//! A [`Site`] is a driver with what it must know to begin: an address, a region, the name of an account. A deployment
//! has one for all of its nodes, and may have others, which single nodes are made at. [`Sites`] hands each step to
//! the driver of its node.
//!
//! Out of scope: how a file or a configuration names sites.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use locus_engine::{Failure, Observation, Progress};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ability::{Ability, Tokens};
use crate::driver::{Driver, Found, Imported, Order, Page, Reply, Seen};
use crate::pace::{Gate, Paced};
use crate::{Docker, Script, Simulated, Variables, docker, openstack, script, secret, simulated};

/// A driver and what it is told. It is stored with the deployment, so that it must have no secret in it: a setting
/// that is one says where it is (`secret:env:NAME`, `secret:file:PATH`, `secret:command:COMMAND`).
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Site {
    /// The id of the driver in the table.
    pub driver: String,
    /// All that it is told.
    #[serde(flatten)]
    pub settings: BTreeMap<String, String>,
}

impl Site {
    /// A driver with settings.
    pub fn new<const N: usize>(driver: &str, settings: [(&str, String); N]) -> Self {
        let settings = settings.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Self { driver: driver.to_owned(), settings }
    }

    /// A driver with the settings that the environment gives it, beside those that are given by name.
    ///
    /// # Errors
    /// If there is no such driver, or it must be told more; in words.
    pub fn usual(driver: &str, variable: Variable<'_>, given: &[&str]) -> Result<Self, String> {
        let settings = (Maker::named(driver)?.usual)(variable, given)?;
        Ok(Self { driver: driver.to_owned(), settings })
    }

    /// A setting.
    ///
    /// # Errors
    /// If there is none; in words.
    pub fn setting(&self, name: &str) -> Result<&str, String> {
        let found = self.settings.get(name).map(String::as_str);
        found.ok_or_else(|| format!("the driver {} needs the setting `{name}`", self.driver))
    }

    /// The value of a setting that may say where a secret is. It is looked up at each call, so that it may be renewed.
    ///
    /// # Errors
    /// If there is no such setting, or the secret cannot be found; in words.
    pub fn secret(&self, name: &str) -> Result<String, String> {
        secret::resolve(self.setting(name)?).map(|(value, _)| value)
    }

    /// The entry of the table.
    ///
    /// # Errors
    /// If there is no such driver, or a setting that it does not know; in words.
    pub fn maker(&self) -> Result<&'static Maker, String> {
        let maker = Maker::named(&self.driver)?;
        let all = || maker.settings.iter().chain(&PACE);
        let unknown = self.settings.keys().find(|name| !all().any(|(known, _)| known == name));
        match unknown {
            Some(name) => Err(format!("the driver {} has no setting `{name}`", self.driver)),
            None => Ok(maker),
        }
    }
}

/// All that a driver may need of the machine that it runs on.
pub struct Surroundings {
    /// The folder for what belongs to this machine.
    pub folder: PathBuf,
    /// The deployment.
    pub deployment: String,
    /// The folder of the file that describes the deployment.
    pub base: PathBuf,
    /// The variables of the environment, and of files beside the description.
    pub variables: Variables,
    /// The command that reaches other machines.
    pub ssh: Vec<String>,
    /// All that tells this machine and folder from others.
    pub mark: String,
    /// How long a program may run.
    pub longest: Duration,
    /// How many seconds the programs of single operations may run; those of all others under the empty name.
    pub timeouts: BTreeMap<String, u64>,
}

/// Begins with a driver at a place; the error says why that cannot be.
pub type Open = fn(&Site, &Surroundings) -> Result<Arc<dyn Driver>, String>;

/// The value of a variable of the environment.
pub type Variable<'v> = &'v dyn Fn(&str) -> Option<String>;

/// The settings that the environment gives a driver; the error says what is missing.
pub type Usual = fn(Variable<'_>, &[&str]) -> Result<BTreeMap<String, String>, String>;

/// Looks for what nodes, by their names, sorts and specifications, name at a site; the error says why it cannot.
pub type Missing = fn(&Site, &[(&str, &str, &Value)]) -> Result<Vec<(String, String)>, String>;

/// An entry of the table of drivers.
pub struct Maker {
    /// The name in files and in what is stored.
    pub id: &'static str,
    /// The settings that it knows, each with what it is.
    pub settings: &'static [(&'static str, &'static str)],
    /// All that it can do, which needs no connection.
    pub ability: fn() -> &'static Ability,
    /// Whether what it needs to know after a crash is on this machine only.
    pub keeps_traces: fn(&Site) -> bool,
    /// Whether it runs programs that a document names.
    pub runs_programs: bool,
    /// Why it cannot make something of a type with a specification, if it cannot.
    pub refuses: fn(&str, &Value) -> Option<String>,
    /// The names in the specifications of nodes that stand for nothing at a site: the node, and in words which.
    pub missing: Missing,
    /// The settings for documents that name no place.
    pub usual: Usual,
    /// Begins with it.
    pub open: Open,
}

impl Maker {
    /// The entry with an id.
    ///
    /// # Errors
    /// If there is none; in words.
    pub fn named(id: &str) -> Result<&'static Maker, String> {
        MAKERS.iter().find(|maker| maker.id == id).ok_or_else(|| {
            let known: Vec<&str> = MAKERS.iter().map(|maker| maker.id).collect();
            format!("there is no driver `{id}`; there are {}", known.join(", "))
        })
    }
}

/// All drivers. Another one is an implementation of [`Driver`] and an entry here.
pub static MAKERS: [Maker; 4] = [
    Maker {
        id: "docker",
        settings: &[("host", "the address of the Docker engine: unix://PATH or tcp://HOST:PORT")],
        ability: || &docker::ABILITY,
        keeps_traces: |site| {
            site.settings.get("host").is_some_and(|host| host.starts_with("unix:") || host.starts_with('/'))
        },
        runs_programs: false,
        refuses: |_, _| None,
        missing: |_, _| Ok(Vec::new()),
        usual: |variable, _| Ok(BTreeMap::from([("host".to_owned(), docker::host(variable)?)])),
        open: |site, around| {
            Ok(Arc::new(Docker::connect(site.setting("host")?, Arc::clone(&around.variables))?))
        },
    },
    Maker {
        id: "openstack",
        settings: &[
            (
                "cloud",
                "the name of the cloud in clouds.yaml; what OS_CLOUD or the other variables OS_… say, if it is empty",
            ),
            ("region", "the region, if it is not the one that is configured"),
        ],
        ability: || &openstack::ABILITY,
        keeps_traces: |_| false,
        runs_programs: false,
        refuses: openstack::refuses,
        missing: openstack::unresolved,
        usual: |variable, given| {
            let set = |name: &str| variable(name).filter(|value| !value.is_empty());
            let cloud = set("OS_CLOUD");
            if cloud.is_none() && set("OS_AUTH_URL").is_none() && !given.contains(&"cloud") {
                return Err(
                    "say in which cloud, with --cloud NAME; or rehearse it with --simulate SEED".to_owned()
                );
            }
            // Whoever goes on with it may have another one.
            Ok(cloud.into_iter().map(|cloud| ("cloud".to_owned(), cloud)).collect())
        },
        open: openstack::open,
    },
    Maker {
        id: "script",
        settings: &[],
        ability: || &script::ABILITY,
        keeps_traces: |_| true,
        runs_programs: true,
        refuses: |_, _| None,
        missing: |_, _| Ok(Vec::new()),
        usual: |_, _| Ok(BTreeMap::new()),
        open: |_, around| {
            let script = Script::new(&around.folder.join("runs"), &around.base, around.longest);
            Ok(Arc::new(script.with_timeouts(&around.timeouts).with_ssh(&around.ssh, &around.mark)))
        },
    },
    Maker {
        id: "simulated",
        settings: &[("seed", "the number that failures depend on; 0 never fails")],
        ability: || &simulated::ABILITY,
        keeps_traces: |_| true,
        runs_programs: false,
        refuses: |_, _| None,
        missing: |_, _| Ok(Vec::new()),
        usual: |_, _| Err("a simulated cloud needs a number: --simulate SEED".to_owned()),
        open: |site, around| {
            let seed = site.setting("seed")?;
            let seed = seed.parse().map_err(|_| format!("`{seed}` is not a number"))?;
            let cloud = around.folder.join(format!("cloud-{}.jsonl", around.deployment));
            Ok(Arc::new(Simulated::in_file(seed, seed != 0, &cloud)))
        },
    },
];

/// The settings that every driver has: the limits of its endpoint.
const PACE: [(&str, &str); 2] = [
    ("calls_at_once", "how many calls may be under way at once"),
    ("calls_per_second", "how many calls may begin in a second"),
];

/// The endpoints that this process calls.
static GATES: Mutex<BTreeMap<Site, Arc<Gate>>> = Mutex::new(BTreeMap::new());

/// Begins with a driver. All deployments of this process that are made at the same site share its limits.
///
/// # Errors
/// If there is no such driver, or it cannot begin; in words.
pub fn open(site: &Site, around: &Surroundings) -> Result<Arc<dyn Driver>, String> {
    let driver = (site.maker()?.open)(site, around)?;
    let number = |(name, _): (&str, &str)| {
        let given = site.settings.get(name).map(|text| text.parse::<u32>().ok().filter(|&number| number > 0));
        given.map(|number| number.ok_or_else(|| format!("`{name}` is not a number above 0"))).transpose()
    };
    let (at_once, per_second) = (number(PACE[0])?, number(PACE[1])?);
    if at_once.is_none() && per_second.is_none() {
        return Ok(driver);
    }
    let mut gates = GATES.lock().unwrap_or_else(PoisonError::into_inner);
    let gate = gates
        .entry(site.clone())
        .or_insert_with(|| Arc::new(Gate::new(at_once.map(|most| most as usize), per_second)));
    Ok(Arc::new(Paced::new(driver, Arc::clone(gate), &around.deployment)))
}

/// The drivers of a deployment.
pub struct Sites {
    own: Arc<dyn Driver>,
    others: BTreeMap<String, Arc<dyn Driver>>,
}

/// The key of a node's description that says at which of the other sites it is made.
pub const SITE: &str = "site";

impl Sites {
    /// A driver for all nodes, and others for those that say so.
    pub fn new(own: Arc<dyn Driver>, others: BTreeMap<String, Arc<dyn Driver>>) -> Self {
        Self { own, others }
    }

    fn of(&self, order: &Order) -> Result<&dyn Driver, String> {
        // Most descriptions name no site, and need not be read for that.
        if !order.desired.contains("\"site\"") {
            return Ok(&*self.own);
        }
        let desired: Value = serde_json::from_str(&order.desired).map_err(|error| error.to_string())?;
        match desired[SITE].as_str() {
            None => Ok(&*self.own),
            Some(name) => {
                let found = self.others.get(name).map(|driver| &**driver);
                found.ok_or_else(|| format!("{} is made at `{name}`, which is not described", order.node))
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = (&str, &dyn Driver)> {
        let others = self.others.iter().map(|(name, driver)| (name.as_str(), &**driver));
        std::iter::once(("", &*self.own)).chain(others)
    }
}

impl Driver for Sites {
    /// The ability of the driver of all nodes that have none of their own.
    fn ability(&self) -> &Ability {
        self.own.ability()
    }

    fn honours(&self, order: &Order) -> Tokens {
        self.of(order).map_or(Tokens::Looked, |driver| driver.honours(order))
    }

    fn call(&self, order: &Order) -> Reply {
        match self.of(order) {
            Ok(driver) => driver.call(order),
            Err(reason) => Reply::failed(Failure::refused(reason)),
        }
    }

    fn poll(&self, order: &Order) -> Progress {
        self.of(order).map_or(Progress::Forgotten, |driver| driver.poll(order))
    }

    fn observe(&self, order: &Order) -> Observation {
        match self.of(order) {
            Ok(driver) => driver.observe(order),
            Err(reason) => Observation::Unsure { reason },
        }
    }

    fn settles_within(&self, order: &Order) -> Duration {
        self.of(order).map_or(Duration::ZERO, |driver| driver.settles_within(order))
    }

    fn look(&self, order: &Order) -> Seen {
        self.of(order).map_or_else(Seen::Unsure, |driver| driver.look(order))
    }

    fn look_all(&self, orders: &[Order]) -> Vec<Seen> {
        let mut seen =
            vec![Seen::Unsure("it is made at a site that is not described".to_owned()); orders.len()];
        for (_, driver) in self.all() {
            let is_its = |order: &Order| self.of(order).is_ok_and(|other| std::ptr::addr_eq(other, driver));
            let places: Vec<usize> = (0..orders.len()).filter(|&place| is_its(&orders[place])).collect();
            let own: Vec<Order> = places.iter().map(|&place| orders[place].clone()).collect();
            for (place, found) in places.into_iter().zip(driver.look_all(&own)) {
                seen[place] = found;
            }
        }
        seen
    }

    /// The pages of each site that has lists, one after the other: where to go on has the name of the site before it.
    fn list(&self, tokens: &str, from: Option<&str>) -> Result<Page, Failure> {
        let (name, from) = match from.and_then(|from| from.split_once('\n')) {
            Some((name, from)) => (name, (!from.is_empty()).then_some(from)),
            None => ("", None),
        };
        let mut rest = self.all().skip_while(|(other, _)| *other != name);
        let (_, driver) = rest.next().ok_or_else(|| Failure::refused("the list has no such page"))?;
        let mut page = if driver.ability().lists { driver.list(tokens, from)? } else { Page::default() };
        page.next = match page.next {
            Some(next) => Some(format!("{name}\n{next}")),
            None => rest.next().map(|(other, _)| format!("{other}\n")),
        };
        Ok(page)
    }

    fn import(&self, order: &Order, id: &str) -> Result<Imported, Failure> {
        self.of(order).map_err(Failure::refused)?.import(order, id)
    }

    fn stop(&self, order: &Order) {
        if let Ok(driver) = self.of(order) {
            driver.stop(order);
        }
    }
}

/// All that was found that no node of a deployment is.
pub fn strangers(found: Vec<Found>, ids: &[&str]) -> Vec<Found> {
    found.into_iter().filter(|one| !ids.contains(&one.id.as_str())).collect()
}
