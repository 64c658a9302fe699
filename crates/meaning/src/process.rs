//! The process of an element: the states of its lifecycle, the needs that it has of others in each of them, and the
//! consequence of each change.

use std::collections::BTreeMap;
use std::sync::Arc;

use locus_schema::Datum;
use locus_source::Place;

use crate::{Key, ThingId};

/// The consequence of a change of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OnChange {
    /// The element is changed in place.
    InPlace,
    /// The element is changed in place if it becomes more: a larger number, or a list with all that it had. The
    /// platform refuses less.
    Grow,
    /// The element is replaced by another.
    Replace,
    /// The platform refuses the update.
    Refuse,
}

/// An attribute of an element whose change matters to a deployment.
#[derive(Clone, PartialEq, Debug)]
pub struct Attribute {
    /// Its name; `deploy.resources` for one within another.
    pub name: Arc<str>,
    /// Its value. A boolean that is written in another way is a boolean here, a path is one within the project.
    pub value: Datum,
    /// The effect of a change of it.
    pub on_change: OnChange,
    /// Where it is written.
    pub place: Place,
}

/// The process of an element that a deployment makes.
#[derive(Clone, PartialEq, Debug)]
pub struct Process {
    /// The name of its things in plans, where that is not its label: elements of different sorts may have the same one.
    pub name: Option<Arc<str>>,
    /// The sort of its things in plans, where that is another one: a service is deployed as containers.
    pub sort: Option<Arc<str>>,
    /// The phases that it goes through until it is ready, in order. There is at least one.
    pub phases: Vec<Arc<str>>,
    /// The phases that it goes through before it is deleted, in order.
    pub endings: Vec<Arc<str>>,
    /// The phase, by index, from which on it has what the document gives it, such as a port of the machine. If that is
    /// not the first, it has that until the first of its endings.
    pub in_effect: usize,
    /// Its attributes, as far as changes of them matter.
    pub attributes: Vec<Attribute>,
    /// Its needs of others.
    pub needs: Vec<Need>,
    /// Its fate when the document describes it no longer.
    pub removal: Removal,
    /// Whether something is kept in it that is lost when it is deleted: a volume, a database.
    pub holds_data: bool,
    /// The way in which it is replaced.
    pub replacement: Replacement,
    /// Why it is replaced at every update, even if nothing about it changes.
    pub renewed: Option<String>,
    /// The programs that make it, if there are any.
    pub programs: Option<Box<Programs>>,
    /// The specification that its driver gets of each copy, in order; empty if the attributes are all.
    pub specifications: Vec<serde_json::Value>,
}

/// The only phase of an element of which nothing else is said.
pub const PRESENT: &str = "present";

impl Default for Process {
    /// That of an element with one phase, which is deleted when it is no longer described.
    fn default() -> Self {
        Self {
            name: None,
            sort: None,
            phases: vec![PRESENT.into()],
            endings: Vec::new(),
            in_effect: 0,
            attributes: Vec::new(),
            needs: Vec::new(),
            removal: Removal::default(),
            holds_data: false,
            replacement: Replacement::default(),
            renewed: None,
            programs: None,
            specifications: Vec::new(),
        }
    }
}

/// An element needs another, or all that a milestone stands for.
#[derive(Clone, PartialEq, Debug)]
pub struct Need {
    /// The other.
    pub to: Needed,
    /// The attribute that refers to it; none for an order that is only asked for.
    pub via: Option<Arc<str>>,
    /// The phase of its own, by index, before which the other must be ready; from then on it is needed.
    pub at: usize,
    /// The phase that the other must have reached; none for its last.
    pub phase: Option<Arc<str>>,
    /// Whether the other may be replaced while this is in use: the need is about the order of starting alone.
    pub only_to_start: bool,
}

/// The object of a need.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needed {
    /// All copies of an element.
    All(ThingId),
    /// The first copy of an element.
    First(ThingId),
    /// So many copies of an element: each copy of the one that needs them takes those that are next in turn.
    InTurn(ThingId, u32),
    /// A milestone, by its index.
    Milestone(usize),
}

impl Need {
    /// A need of all of another element, from the first phase on.
    pub fn new(to: ThingId) -> Self {
        Self { to: Needed::All(to), via: None, at: 0, phase: None, only_to_start: false }
    }
}

/// Elements for all of which others wait, so that each of these needs one thing and not many.
#[derive(Clone, PartialEq, Debug)]
pub struct Milestone {
    /// Its name, for people.
    pub name: String,
    /// The elements.
    pub members: Vec<ThingId>,
}

/// The fate of an element that is no longer described.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Removal {
    /// It is deleted.
    #[default]
    Delete,
    /// It stays, and nobody looks after it any more.
    Leave,
}

/// The way in which an element is replaced.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Replacement {
    /// The new one is ready before the old one goes.
    #[default]
    NewFirst,
    /// The old one stops before the new one enters this phase, by index.
    OldFirst {
        /// The phase.
        before: usize,
    },
}

/// The programs with which an element is made, changed and removed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Programs {
    /// The file of each operation; a path that is not absolute starts at the folder of the document.
    pub operations: BTreeMap<String, String>,
    /// Inputs beside the attributes of the element.
    pub inputs: BTreeMap<String, String>,
    /// Inputs that are known once other elements, or this one, are there: the name of the element, and that of an
    /// output of its programs.
    pub outputs: BTreeMap<String, (Key, String)>,
    /// Inputs that have no value, with the reason.
    pub unknown: Vec<String>,
    /// Whether a program that was killed may be run again.
    pub is_idempotent: bool,
    /// The machine that they run on, as `ssh` takes it; none if it is this one.
    pub machine: Option<String>,
}

/// A step of a workflow that the document gives: what is done to which elements, and which steps follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The elements.
    pub targets: Vec<ThingId>,
    /// The activities on each of them, in order.
    pub activities: Vec<Activity>,
    /// The steps that follow, by index.
    pub next: Vec<usize>,
    /// The assumptions under which it is done so, in words.
    pub assumptions: Vec<String>,
}

/// The activity of a step on an element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Activity {
    /// It calls an operation.
    Call(Arc<str>),
    /// It sets a state.
    State(Arc<str>),
    /// The element goes through its own lifecycle.
    Lifecycle,
}

/// The workflows that a document gives in place of the lifecycles of its elements.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Workflows {
    /// The steps in which everything is made.
    pub deploy: Vec<Step>,
    /// The steps in which everything is taken down.
    pub undeploy: Vec<Step>,
}
