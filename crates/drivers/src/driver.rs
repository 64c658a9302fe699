//! The protocol between the engine and whatever does its steps: what is asked of a driver, and what it may answer.
//!
//! `docs/drivers.md` builds a driver step by step. Out of scope: how drivers are chosen ([`crate::sites`]), and what
//! a driver says of itself as data ([`crate::Ability`]).

use std::collections::BTreeMap;
use std::time::Duration;

use locus_engine::{Acceptance, Does, Failure, Observation, Outcome, Progress};

use crate::{Ability, Tokens};

/// A step that a driver is asked to do, to ask for, or to look for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// Names the step, in this deployment and all others. A driver does nothing twice for one token.
    pub token: String,
    /// The deployment.
    pub deployment: String,
    /// The engine's name of the node; [`numbered`] takes it apart.
    pub node: String,
    /// All that the step does to the node.
    pub does: Does,
    /// Which operation it is.
    pub operation: String,
    /// All that the node is to be, as it was planned: a JSON object.
    pub desired: String,
    /// All that the world calls the node, if it has it.
    pub id: String,
    /// All that the world calls the operation that it has accepted, if it has.
    pub handle: String,
    /// The outputs of the nodes of the deployment.
    pub known: BTreeMap<String, BTreeMap<String, String>>,
}

/// The beginning that all names of the nodes of one thing have, and the number of a node among those that took the
/// place of each other.
pub fn numbered(node: &str) -> (&str, u32) {
    let found = node.rsplit_once('~').and_then(|(base, number)| Some((base, number.parse().ok()?)));
    found.unwrap_or((node, 1))
}

impl Order {
    /// An output of a node.
    pub(crate) fn output(&self, node: &str, output: &str) -> Option<&String> {
        self.known.get(node)?.get(output)
    }
}

/// The answer to a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// How the step ended.
    Ended(Outcome),
    /// The world does it in its own time. What it calls that is stored at once, and asked for with [`Driver::poll`];
    /// no thread waits for it.
    Accepted(Acceptance),
    /// There is no answer: the driver is to be asked whether the step was done.
    Lost,
    /// The world could not be reached, and nothing was asked of it. In words.
    NotSent(String),
}

impl Reply {
    /// A step that was done.
    pub fn done(id: impl Into<String>, outputs: BTreeMap<String, String>) -> Self {
        Reply::Ended(Outcome::Done { id: id.into(), outputs })
    }

    /// A step that failed.
    pub fn failed(failure: Failure) -> Self {
        Reply::Ended(Outcome::Failed(failure))
    }

    /// A step that was accepted under a name, to be asked for after a while.
    pub fn accepted(handle: impl Into<String>, after: Duration) -> Self {
        Reply::Accepted(acceptance(handle, after))
    }
}

/// An operation that goes on under a name, to be asked for after a while.
pub fn acceptance(handle: impl Into<String>, after: Duration) -> Acceptance {
    Acceptance { handle: handle.into(), after: after.as_millis() as u64, within: None }
}

/// All that the world has of a node.
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

/// Something in the world that belongs to a deployment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// All that the world calls it.
    pub id: String,
    /// The token of the step that made it.
    pub token: String,
}

/// A part of a list.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Page {
    /// All that is on it.
    pub found: Vec<Found>,
    /// All that to ask for to get the next one; none if this is the last.
    pub next: Option<String>,
}

/// Something that exists and is to belong to a deployment from now on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Imported {
    /// All that the world calls it.
    pub id: String,
    /// All that the driver says of it.
    pub outputs: BTreeMap<String, String>,
    /// All that is different from what is described, in words; none if nothing is.
    pub differs: Option<String>,
}

/// Does steps in the world.
///
/// Calls come from several threads. A driver must not make anything twice for one token: it uses the token as the
/// name of what it makes, or has the world remember it, or looks before it calls; [`Ability::tokens`] says which.
/// Where the world does not remember tokens after a deletion, a call must not outlive `deadline` of
/// [`crate::Settings`].
///
/// Secrets are looked up when they are needed, at each call, so that they may be renewed during a run. Nothing that a
/// driver answers may have one in it: ids, handles, outputs and reasons are stored.
pub trait Driver: Send + Sync {
    /// All that it can do, as data: the same in every run.
    fn ability(&self) -> &Ability;

    /// How nothing is made twice for the token of an order.
    fn honours(&self, _order: &Order) -> Tokens {
        self.ability().tokens
    }

    /// Does a step. It is called again with the same order if [`Driver::observe`] says that it was not done, or if it
    /// failed for a reason that may pass.
    fn call(&self, order: &Order) -> Reply;

    /// Asks for what [`Driver::call`] or [`Driver::observe`] said was accepted, under [`Order::handle`]. If the world
    /// cannot be asked now, the answer is that it goes on.
    fn poll(&self, _order: &Order) -> Progress {
        Progress::Forgotten
    }

    /// Says whether a step was done. What is not certain is [`Observation::Unsure`], never a guess.
    fn observe(&self, order: &Order) -> Observation;

    /// For how long a call for this step that got no answer may still take effect, or what it did may not be seen
    /// yet. Before that, the refusal of another call with the same token does not show that nothing was done; nor,
    /// where [`Ability::tokens`] says that the driver looks before it calls, does it that nothing is found.
    fn settles_within(&self, _order: &Order) -> Duration {
        Duration::ZERO
    }

    /// Says whether a node is there, for `locus drift`.
    fn look(&self, order: &Order) -> Seen;

    /// The same for all nodes of a deployment. A driver that can ask for many at once does.
    fn look_all(&self, orders: &[Order]) -> Vec<Seen> {
        orders.iter().map(|order| self.look(order)).collect()
    }

    /// A page of all that has tokens with this beginning: everything that a deployment has made. `from` is
    /// [`Page::next`] of the page before.
    ///
    /// # Errors
    /// If the world cannot be asked, or [`Ability::lists`] says that it has no lists.
    fn list(&self, _tokens: &str, _from: Option<&str>) -> Result<Page, Failure> {
        Err(Failure::refused("this driver has no lists"))
    }

    /// Takes what the world calls `id` for the node of an order to create it. Nothing is changed in the world but a
    /// mark, if it needs one to be found again.
    ///
    /// # Errors
    /// If there is no such thing, it is of another type, it belongs to somebody else, or [`Ability::imports`] says
    /// that nothing can be taken over.
    fn import(&self, _order: &Order, _id: &str) -> Result<Imported, Failure> {
        Err(Failure::refused("this driver cannot take over what exists"))
    }

    /// Ends a step that is under way, if that does no harm: for somebody who cancels. Its call or [`Driver::poll`]
    /// says what came of it.
    fn stop(&self, _order: &Order) {}
}

/// How often a page of a list is asked for again.
const PAGE_TRIES: u32 = 6;

/// Everything that a deployment has made, page by page. Pages that are refused for a reason that may pass are asked
/// for again.
///
/// # Errors
/// With the failure that did not pass.
pub fn everything(driver: &dyn Driver, tokens: &str) -> Result<Vec<Found>, Failure> {
    let (mut all, mut from): (Vec<Found>, Option<String>) = (Vec::new(), None);
    let mut tries = 0;
    loop {
        match driver.list(tokens, from.as_deref()) {
            Ok(page) => {
                tries = 0;
                all.extend(page.found);
                match page.next {
                    Some(next) if Some(&next) == from.as_ref() => {
                        return Err(Failure::refused("the list comes back to the same page"));
                    }
                    Some(next) => from = Some(next),
                    None => return Ok(all),
                }
            }
            Err(failure) if failure.cause == locus_engine::Cause::Refused || tries == PAGE_TRIES => {
                return Err(failure);
            }
            Err(failure) => {
                tries += 1;
                let pause = failure.after.unwrap_or(100 << tries).min(30_000);
                std::thread::sleep(Duration::from_millis(pause));
            }
        }
    }
}
