//! A plan in a file: the steps of one update of one deployment, to be done exactly so or not at all.
//!
//! It has the names of files and of nodes, and no value of a property. Of what the deployment is to be it has a digest,
//! under a key that only the store has, so that nothing can be guessed from it.
//!
//! Out of scope: files on a disk, and how a plan is made.

use std::collections::BTreeMap;
use std::fmt::Write;

use locus_engine::Planned;
use locus_store::Stored;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{Error, Goal, Node, StoredKey};

/// The version of the form.
const VERSION: u32 = 1;

/// A plan of an update.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
pub struct PlanFile {
    /// The version of the form.
    locus_plan: u32,
    /// The name of the deployment.
    pub name: String,
    /// The files, and how they are read.
    pub reading: ReadWith,
    /// The deployment that it is for.
    world: World,
    /// The digest of what is to be deployed.
    goal: String,
    /// The steps.
    pub steps: Vec<PlannedStep>,
}

/// The files of a plan, and how they are read.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Default, Debug)]
#[serde(default)]
pub struct ReadWith {
    /// The file, or the first of several that are one project.
    pub file: String,
    /// The files that are one project.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub project: Vec<String>,
    /// The name that was given to the deployment, if one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named: Option<String>,
    /// The language, if it was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The options of languages that were given, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, Vec<String>>,
    /// The names of the parameters that were given. Their values are given again when it is done.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<String>,
    /// Files of variables.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env_files: Vec<String>,
    /// Active profiles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<String>,
    /// The number of the simulated cloud, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simulate: Option<u64>,
    /// The file that says which nodes are made elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sites: Option<String>,
}

/// A deployment as it was when the plan was made.
#[derive(Clone, Copy, Serialize, Deserialize, PartialEq, Eq, Debug)]
struct World {
    incarnation: u32,
    version: u64,
}

/// A step of a plan.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
pub struct PlannedStep {
    /// The engine's name of the node.
    pub node: String,
    /// The key of the node.
    pub key: StoredKey,
    /// The kind of step: `create`, `change` or `delete`.
    pub does: String,
    /// The operation.
    pub operation: String,
    /// The steps, by place from 0, that must be done before.
    pub needs: Vec<u32>,
    /// Whether it only deletes what is no longer needed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cleanup: bool,
}

impl PlannedStep {
    fn of(planned: &Planned) -> Result<Self, Error> {
        Ok(Self {
            node: planned.node.clone(),
            key: StoredKey(Node::parse(&planned.desired)?.key()),
            does: planned.does.as_str().to_owned(),
            operation: planned.operation.clone(),
            needs: planned.needs.clone(),
            cleanup: planned.cleanup,
        })
    }
}

/// The digest of what is to be deployed, wherever the file lies.
fn digest(stored: &Stored, goal: &Goal) -> String {
    let goal = Goal { base: String::new(), place: String::new(), timeouts: BTreeMap::new(), ..goal.clone() };
    let keyed = |text: &[u8]| {
        Sha256::new().chain_update(&stored.origin).chain_update([0]).chain_update(text).finalize()
    };
    let digest = keyed(&keyed(goal.text().as_bytes()));
    digest.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

impl PlanFile {
    /// The plan that leads from a deployment to a goal by these steps.
    ///
    /// # Errors
    /// If what a step is about cannot be read.
    pub fn new(stored: &Stored, goal: &Goal, steps: &[Planned], reading: ReadWith) -> Result<Self, Error> {
        Ok(Self {
            locus_plan: VERSION,
            name: stored.name.clone(),
            reading,
            world: World { incarnation: stored.incarnation, version: stored.version },
            goal: digest(stored, goal),
            steps: steps.iter().map(PlannedStep::of).collect::<Result<_, _>>()?,
        })
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("names and texts can be written") + "\n"
    }

    /// The plan in a file.
    ///
    /// # Errors
    /// If it is none, or one of a newer version.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let plan = serde_json::from_str(text);
        let plan: Self = plan.map_err(|error| Error::Damaged { what: "plan", error })?;
        if plan.locus_plan > VERSION { Err(Error::Newer) } else { Ok(plan) }
    }

    /// Whether the deployment is as it was.
    ///
    /// # Errors
    /// If something has happened to it since.
    pub fn is_for(&self, stored: &Stored) -> Result<(), Error> {
        if self.world == (World { incarnation: stored.incarnation, version: stored.version }) {
            Ok(())
        } else {
            Err(Error::Moved(format!("{} has changed since", stored.name)))
        }
    }

    /// Whether these steps, which lead from the deployment to the goal, are those of the plan.
    ///
    /// # Errors
    /// If they are not, or lead elsewhere.
    pub fn is_of(&self, stored: &Stored, goal: &Goal, steps: &[Planned]) -> Result<(), Error> {
        self.is_for(stored)?;
        if self.goal != digest(stored, goal) {
            let given = match self.reading.parameters.join(", ") {
                names if names.is_empty() => String::new(),
                names => format!(", or other values are given for {names}"),
            };
            return Err(Error::Moved(format!(
                "what {} describes has changed since{given}",
                self.reading.file
            )));
        }
        let steps: Vec<PlannedStep> = steps.iter().map(PlannedStep::of).collect::<Result<_, _>>()?;
        if self.steps == steps {
            Ok(())
        } else {
            Err(Error::Moved("this version of locus plans other steps".to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use locus_drivers::Site;
    use locus_engine::State;
    use locus_meaning::things::{OnChange, Property, Thing};
    use locus_store::{Memory, Store};

    use super::*;

    fn goal(password: &str) -> Goal {
        let property = Property {
            name: "password".to_owned(),
            value: password.to_owned(),
            on_change: OnChange::InPlace,
            place: None,
        };
        let thing = Thing { properties: vec![property], ..Thing::new("db", "thing") };
        Goal {
            version: crate::VERSION,
            driver: Site::new("simulated", [("seed", "0".to_owned())]),
            base: "/here".to_owned(),
            sites: BTreeMap::new(),
            timeouts: BTreeMap::new(),
            place: String::new(),
            nodes: Node::of_all(&[thing]),
        }
    }

    #[test]
    fn a_plan_is_for_one_deployment_and_one_goal() {
        let store = Memory::default();
        let stored = store.create("x", None).expect("it is in memory");
        let steps =
            |goal: &Goal| crate::path(&State::default(), &goal.nodes).expect("there is a way").into_steps();
        let wanted = goal("s3cret");
        let plan =
            PlanFile::new(&stored, &wanted, &steps(&wanted), ReadWith::default()).expect("it can be made");
        assert!(!plan.text().contains("s3cret"), "{}", plan.text());
        let schema = include_str!("../../../docs/schema/plan-file.schema.json");
        let schema: serde_json::Value = serde_json::from_str(schema).expect("it is JSON");
        assert!(jsonschema::meta::is_valid(&schema));
        let schema = jsonschema::validator_for(&schema).expect("it is a schema");
        let mut written: serde_json::Value = serde_json::from_str(&plan.text()).expect("it is JSON");
        assert!(schema.is_valid(&written), "{written}");
        written["steps"][0]["desired"] = "x".into();
        assert!(!schema.is_valid(&written), "{written}");
        let plan = PlanFile::parse(&plan.text()).expect("it was written");
        assert!(plan.is_of(&stored, &wanted, &steps(&wanted)).is_ok());
        let elsewhere = Goal { base: "/there".to_owned(), ..wanted.clone() };
        assert!(plan.is_of(&stored, &elsewhere, &steps(&wanted)).is_ok());

        let other = goal("another");
        let error = plan.is_of(&stored, &other, &steps(&other)).expect_err("it is another goal").to_string();
        assert!(error.contains("has changed since"), "{error}");
        let later = Stored { version: stored.version + 1, ..stored.clone() };
        assert!(plan.is_of(&later, &wanted, &steps(&wanted)).is_err());
        assert!(plan.is_of(&stored, &wanted, &[]).is_err());
        // In another store the same goal has another digest.
        let there = Memory::default().create("x", None).expect("it is in memory");
        assert!(plan.is_of(&there, &wanted, &steps(&wanted)).is_err());
    }
}
