//! Drivers: they do the steps of a deployment in the world.
//!
//! A [`Driver`] is asked to do a step, and to say whether a step was done. [`Simulated`] is a cloud in a file, with
//! failures, to rehearse; [`Script`] runs programs here or over `ssh`; [`Docker`] makes containers. [`Runner`] has the steps of a
//! deployment done: it asks the core what comes next, keeps it in the store, and has drivers do it side by side.
//!
//! Out of scope: what may happen (`locus-engine`), how it is kept (`locus-store`), and plans.

#![forbid(unsafe_code)]

mod docker;
mod limits;
mod runner;
mod script;
mod secret;
mod simulated;

use std::collections::BTreeMap;
use std::time::Duration;

use locus_engine::{Does, Observation, Outcome};

pub use docker::{DEFAULT_HOST, Docker, ImageFacts, Inventory, Listed, Variables};
pub use runner::{End, Planner, Runner, Settings};
pub use script::{Script, changes_programs};
pub use secret::shown;
pub use simulated::{Made, Simulated};

/// A step that a driver is asked to do, or to look for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// Names the step, in this deployment and all others. A driver does nothing twice for one token.
    pub token: String,
    /// The deployment.
    pub deployment: String,
    /// The node.
    pub node: String,
    /// What the step does to the node.
    pub does: Does,
    /// Which operation it is.
    pub operation: String,
    /// What the node is to be, as it was planned: a JSON object.
    pub desired: String,
    /// What the world calls the node, if it has it.
    pub id: String,
    /// What drivers said of the nodes of the deployment: names are `node.output`.
    pub known: BTreeMap<String, String>,
}

/// The answer to a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// How the step ended.
    Ended(Outcome),
    /// There is no answer: the driver is to be asked whether the step was done.
    Lost,
    /// The world could not be reached, and nothing was asked of it. In words.
    NotSent(String),
}

/// What the world has of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seen {
    /// It is there.
    There,
    /// It is there, and something about it is not as described. In words.
    Changed(String),
    /// It is not there.
    Gone,
    /// That cannot be told. In words.
    Unsure(String),
}

/// Does steps in the world.
///
/// Calls come from several threads. A driver must not make anything twice for one token: it uses the token as the name
/// of what it makes, or has the world remember it, or looks before it calls. Where the world does not remember tokens
/// after a deletion, a call must not outlive `deadline` of [`Settings`].
pub trait Driver: Send + Sync {
    /// Does a step. It is called again with the same order if [`Driver::observe`] says that it was not done, or if it
    /// failed for a reason that may pass.
    fn call(&self, order: &Order) -> Reply;

    /// Says whether a step was done. What is not certain is [`Observation::Unsure`], never a guess.
    fn observe(&self, order: &Order) -> Observation;

    /// For how long a call that got no answer may still take effect, or what it did may not be seen yet. Before that, a
    /// refusal of another call with the same token does not show that nothing was done.
    fn settles_within(&self) -> Duration {
        Duration::ZERO
    }

    /// Says whether a node is there, for `locus drift`.
    fn look(&self, order: &Order) -> Seen;
}
