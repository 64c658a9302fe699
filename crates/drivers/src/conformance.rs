//! All that every driver must pass: nothing is made twice for one token, nothing is lost in a crash at any call, late
//! replies are found, throttling and partial failures are told as what they are, lists have everything once, drift is
//! seen, and what exists can be taken over.
//!
//! The author of a driver implements [`World`], and a test calls [`check`]. What a driver cannot do its
//! [`crate::Ability`] says; what its world cannot be brought to do, the world says, and [`check`] answers with a list
//! of both, for the test to compare.
//!
//! Out of scope: worlds. Those of this crate's drivers are in its tests.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use locus_engine::{Acceptance, Cause, Does, Failure, Left, Observation, Outcome, Progress};
use serde_json::Value;

use crate::driver::{Driver, Order, Reply, Seen, everything};

/// A world that a driver is tried in.
pub trait World {
    /// The driver, with nothing in its memory: as after a crash.
    fn driver(&self) -> Arc<dyn Driver>;

    /// An order to create, change or delete a node that has the id.
    fn order(&self, does: Does, node: &str, token: &str, id: &str) -> Order;

    /// How many objects there are in the world for a node, asked of the world itself and not through the driver.
    fn count(&self, node: &str) -> usize;

    /// Has something go wrong with the next call, or with a node. False, if this world cannot be brought to that.
    fn bring_about(&self, trouble: Trouble<'_>) -> bool;
}

/// An order of the suite about a node, as a [`World`] gives it for what is desired.
pub fn order(does: Does, node: &str, token: &str, id: &str, desired: &Value) -> Order {
    Order {
        token: token.to_owned(),
        deployment: "conformance".to_owned(),
        node: node.to_owned(),
        does,
        operation: if does == Does::Change { "update" } else { does.as_str() }.to_owned(),
        desired: desired.to_string(),
        id: id.to_owned(),
        handle: String::new(),
        known: BTreeMap::new(),
    }
}

/// Something that goes wrong in a world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble<'a> {
    /// The next call does what it should, and its reply is lost.
    LostReply,
    /// The next call is refused because there were too many.
    Throttle,
    /// The next creation makes a part of a node, and fails.
    Half,
    /// A person removes a node by hand.
    Remove(&'a str),
    /// A person changes a node by hand.
    Alter(&'a str),
    /// A person makes something by hand that could be a node. What it is called is its name.
    Make(&'a str),
}

/// How long an operation may take in a world that is tried.
const LONGEST: Duration = Duration::from_mins(2);

/// How many nodes are made so that a list has several pages.
const MANY: usize = 23;

/// Tries a driver in its world, and gives the names of the checks that could not be made.
///
/// # Panics
/// If the driver does not do what it must, with what it did instead.
pub fn check(world: &dyn World) -> Vec<&'static str> {
    let mut trial = Trial { world, left_out: Vec::new(), deletions: Cell::new(100) };
    trial.once();
    trial.at_the_same_time();
    trial.crashes();
    trial.changes();
    trial.lost_replies();
    trial.throttling();
    trial.halves();
    trial.lists();
    trial.drift();
    trial.imports();
    trial.left_out
}

struct Trial<'a> {
    world: &'a dyn World,
    left_out: Vec<&'static str>,
    /// The number of the next deletion: each is a step of its own.
    deletions: Cell<u32>,
}

/// The beginning of all tokens of the deployment that is tried.
const DEPLOYMENT: &str = "0123456789abcdef/conformance/1/";

fn token(node: &str, number: u32) -> String {
    format!("{DEPLOYMENT}{node}#{number}")
}

impl Trial<'_> {
    fn create(&self, node: &str) -> Order {
        self.world.order(Does::Create, node, &token(node, 1), "")
    }

    /// Whether something can be brought about; if not, the check is left out.
    fn can(&mut self, trouble: Trouble<'_>, check: &'static str) -> bool {
        let can = self.world.bring_about(trouble);
        if !can {
            self.left_out.push(check);
        }
        can
    }

    fn count(&self, node: &str, wanted: usize, why: &str) {
        let count = self.world.count(node);
        assert_eq!(count, wanted, "{node}: {why}");
    }

    /// Has a step done to its end, as the runner does, and gives its id.
    fn make(&self, order: &Order) -> String {
        match self.outcome(order) {
            Outcome::Done { id, .. } => id,
            other => panic!("{}: {other:?}", order.node),
        }
    }

    /// The outcome of a call and of all that follows it.
    fn outcome(&self, order: &Order) -> Outcome {
        let driver = self.world.driver();
        let began = Instant::now();
        loop {
            match driver.call(order) {
                Reply::Ended(outcome) => return outcome,
                Reply::Accepted(accepted) => return self.awaited(order, accepted),
                Reply::Lost => match self.observed(order) {
                    Observation::Done { id, outputs } => return Outcome::Done { id, outputs },
                    Observation::Failed(failure) => return Outcome::Failed(failure),
                    Observation::Accepted(accepted) => return self.awaited(order, accepted),
                    Observation::Absent => {}
                    Observation::Unsure { reason } => panic!("{}: {reason}", order.node),
                },
                Reply::NotSent(reason) => assert!(began.elapsed() < LONGEST, "{}: {reason}", order.node),
            }
        }
    }

    /// All that is seen of a step, once nothing of it is under way any more.
    fn observed(&self, order: &Order) -> Observation {
        let driver = self.world.driver();
        let seen = driver.observe(order);
        if seen != Observation::Absent {
            return seen;
        }
        sleep(driver.settles_within(order));
        driver.observe(order)
    }

    /// Asks for what was accepted until it has ended: each time with a driver that knows nothing of it.
    fn awaited(&self, order: &Order, mut accepted: Acceptance) -> Outcome {
        let began = Instant::now();
        loop {
            assert!(began.elapsed() < LONGEST, "{}: it does not end", order.node);
            assert!(!accepted.handle.is_empty(), "{}: it was accepted under no name", order.node);
            sleep(Duration::from_millis(accepted.after));
            let asked = Order { handle: accepted.handle.clone(), ..order.clone() };
            match self.world.driver().poll(&asked) {
                Progress::GoesOn(again) => accepted = again,
                Progress::Ended(outcome) => return outcome,
                Progress::Forgotten => match self.observed(order) {
                    Observation::Done { id, outputs } => return Outcome::Done { id, outputs },
                    other => panic!("{}: what was accepted is forgotten: {other:?}", order.node),
                },
            }
        }
    }

    fn delete(&self, node: &str, id: &str) {
        let number = self.deletions.replace(self.deletions.get() + 1);
        self.make(&self.world.order(Does::Delete, node, &token(node, number), id));
        self.count(node, 0, "it is deleted");
    }

    /// A call that is made again with the same token does nothing, and says the same.
    fn once(&self) {
        let order = self.create("once");
        assert_eq!(self.observed(&order), Observation::Absent, "nothing was done yet");
        let id = self.make(&order);
        self.count("once", 1, "it is made");
        assert_eq!(self.make(&order), id, "the same call again");
        self.count("once", 1, "the same call again");
        self.delete("once", &id);
        // What is gone already is deleted.
        self.make(&self.world.order(Does::Delete, "once", &token("once", 10), &id));
        let again = self.make(&self.world.order(Does::Create, "once", &token("once", 11), ""));
        self.count("once", 1, "another step makes another");
        self.delete("once", &again);
    }

    /// The same at the same time.
    fn at_the_same_time(&self) {
        let order = self.create("together");
        let driver = self.world.driver();
        if driver.honours(&order) == crate::Tokens::Looked {
            // The engine never does that: it waits until nothing is under way.
            return;
        }
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| driver.call(&order));
            }
        });
        let id = self.make(&order);
        self.count("together", 1, "four calls with one token");
        self.delete("together", &id);
    }

    /// The process ends right after each call: whoever comes next finds what was done.
    fn crashes(&self) {
        for (place, does) in [Does::Create, Does::Delete].into_iter().enumerate() {
            let (node, id) =
                ("crash", if does == Does::Create { String::new() } else { self.found("crash") });
            let order = self.world.order(does, node, &token(node, place as u32 + 1), &id);
            drop(self.world.driver().call(&order));
            match self.observed(&order) {
                Observation::Done { .. } => {}
                Observation::Accepted(accepted) => {
                    let outcome = self.awaited(&order, accepted);
                    assert!(matches!(outcome, Outcome::Done { .. }), "{outcome:?}");
                }
                // A driver may leave it to the call, which finds what is there.
                Observation::Absent => drop(self.make(&order)),
                other => panic!("{does:?}: {other:?}"),
            }
            self.count(node, usize::from(does == Does::Create), "it is found after a crash");
        }
    }

    /// The id of what the step before has made.
    fn found(&self, node: &str) -> String {
        self.make(&self.create(node))
    }

    fn changes(&self) {
        let id = self.make(&self.create("changed"));
        let order = self.world.order(Does::Change, "changed", &token("changed", 2), &id);
        for _ in 0..2 {
            self.make(&order);
            self.count("changed", 1, "a change makes nothing");
        }
        self.delete("changed", &id);
    }

    fn lost_replies(&mut self) {
        if !self.can(Trouble::LostReply, "lost replies") {
            return;
        }
        let order = self.create("late");
        let id = self.make(&order);
        self.count("late", 1, "the reply was lost");
        self.delete("late", &id);
    }

    fn throttling(&mut self) {
        if !self.can(Trouble::Throttle, "throttling") {
            return;
        }
        let order = self.create("throttled");
        let Reply::Ended(Outcome::Failed(Failure { cause: Cause::Throttled, left: Left::Nothing, .. })) =
            self.world.driver().call(&order)
        else {
            panic!("it is not said that there were too many requests");
        };
        self.count("throttled", 0, "it was refused");
        let id = self.make(&order);
        self.count("throttled", 1, "the next call makes it");
        self.delete("throttled", &id);
    }

    fn halves(&mut self) {
        if !self.can(Trouble::Half, "partial failures") {
            return;
        }
        let Outcome::Failed(failure) = self.outcome(&self.create("half")) else { panic!("it did not fail") };
        let id = match failure.left {
            Left::Nothing => panic!("half of it is there, and it is said that nothing is"),
            Left::Something => String::new(),
            Left::Named(id) => id,
        };
        self.delete("half", &id);
    }

    fn lists(&mut self) {
        if !self.world.driver().ability().lists {
            self.left_out.push("lists");
            return;
        }
        let nodes: Vec<String> = (0..MANY).map(|number| format!("many-{number}")).collect();
        let ids: Vec<String> = nodes.iter().map(|node| self.make(&self.create(node))).collect();
        let foreign = self.world.order(Does::Create, "foreign", "fedcba9876543210/other/1/foreign#1", "");
        let other = self.make(&foreign);
        let found = everything(&*self.world.driver(), DEPLOYMENT).expect("the list can be read");
        let listed: Vec<&str> = found.iter().map(|one| one.id.as_str()).collect();
        let once: BTreeSet<&str> = listed.iter().copied().collect();
        assert_eq!(once.len(), listed.len(), "nothing is listed twice");
        assert_eq!(once, ids.iter().map(String::as_str).collect(), "all that the deployment made is listed");
        for one in &found {
            assert!(one.token.starts_with(DEPLOYMENT), "{one:?}");
        }
        for (node, id) in nodes.iter().zip(&ids) {
            self.delete(node, id);
        }
        self.delete("foreign", &other);
        assert_eq!(everything(&*self.world.driver(), DEPLOYMENT).expect("it can be read"), []);
    }

    fn drift(&mut self) {
        let id = self.make(&self.create("drift"));
        let order = self.world.order(Does::Change, "drift", "", &id);
        let look = || self.world.driver().look_all(std::slice::from_ref(&order)).remove(0);
        if matches!(look(), Seen::Unsure(_)) {
            self.left_out.push("drift");
            self.delete("drift", &id);
            return;
        }
        assert_eq!(look(), Seen::There);
        if self.can(Trouble::Alter("drift"), "changes by hand") {
            assert!(matches!(look(), Seen::Changed(_)), "{:?}", look());
        }
        if self.can(Trouble::Remove("drift"), "removals by hand") {
            assert_eq!(look(), Seen::Gone);
        }
        self.delete("drift", &id);
    }

    fn imports(&mut self) {
        let order = self.create("taken");
        let driver = self.world.driver();
        if !driver.ability().imports {
            self.left_out.push("imports");
            assert!(driver.import(&order, "anything").is_err());
            return;
        }
        assert!(driver.import(&order, "there is no such thing").is_err());
        if !self.can(Trouble::Make("taken"), "imports of what was made by hand") {
            return;
        }
        let imported = driver.import(&order, "taken").expect("it is there");
        assert_eq!(imported.differs, None);
        let looked = self.world.order(Does::Change, "taken", "", &imported.id);
        assert_eq!(driver.look(&looked), Seen::There);
        self.delete("taken", &imported.id);
    }
}
