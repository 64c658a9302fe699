//! Drivers: they do the steps of a deployment in the world.
//!
//! A [`Driver`] is asked to do a step, and to say whether a step was done; [`Ability`] is what it can do, as data;
//! the table [`MAKERS`] has all of them. [`Simulated`] is a cloud in a file, with failures, to rehearse; [`Script`]
//! runs programs here or over `ssh`; [`Docker`] makes containers; [`OpenStack`] makes resources of a
//! cloud. [`Runner`] has the steps of a deployment done: it
//! asks the core what comes next, keeps it in the store, and has drivers do it side by side. [`conformance`] is what
//! every driver must pass.
//!
//! Out of scope: what may happen (`locus-engine`), how it is kept (`locus-store`), and plans.

#![forbid(unsafe_code)]

mod ability;
pub mod conformance;
mod docker;
mod driver;
mod limits;
mod openstack;
mod pace;
mod runner;
mod script;
mod secret;
mod simulated;
mod sites;

pub use ability::{Ability, Sort, Tokens};
pub use docker::{DEFAULT_HOST, Docker, ImageFacts, Inventory, Listed, Variables};
pub use driver::{Driver, Found, Imported, Order, Page, Reply, Seen, acceptance, everything, numbered};
pub use openstack::{Here, OpenStack, refuses, session};
pub use runner::{End, Planner, Runner, Settings, known};
pub use script::{Script, changes_programs};
pub use secret::shown;
pub use simulated::{Made, Simulated};
pub use sites::{
    MAKERS, Maker, Missing, Open, SITE, Site, Sites, Surroundings, Usual, Variable, open, strangers,
};
