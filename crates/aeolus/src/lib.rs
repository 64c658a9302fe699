//! The Aeolus component model: how components are deployed.
//!
//! A component goes through a lifecycle while it is deployed: not installed, installed, running. Each state of the
//! lifecycle says which ports of the component are active. A configuration is correct when all active ports are
//! content, and a deployment is a sequence of actions through correct configurations. The model is that of section 8
//! of the report; where the report's formulas and its text differ, a comment beginning with "Slip" says what we do.
//!
//! - [`Universe`], [`ComponentType`]: what there is to deploy (definition 1).
//! - [`Configuration`]: what is deployed, and whether it is correct (definitions 2 and 3).
//! - [`Action`]: what can happen (figure 16).
//! - [`interpret`], [`read_back`], [`Deploying`]: the same as location graphs and their transitions (8.2, 8.3).
//!
//! Out of scope: the search for a deployment that leads somewhere; that is `plan`.

#![forbid(unsafe_code)]

mod action;
pub mod behaviour;
mod configuration;
mod document;
pub mod families;
pub mod interpretation;
mod picture;
pub mod random;
mod read;
pub mod rules;
mod universe;
mod want;

pub use action::{Action, Change, Refusal};
pub use behaviour::Deploying;
pub use configuration::{Binding, Component, Configuration, Violation};
pub use document::{Document, Machine, Reading};
pub use interpretation::{Deployment, NotADeployment, interpret, read_back};
pub use picture::picture;
pub use read::{is_aeolus, read, read_configuration, read_configuration_file, read_tree};
pub use rules::RULES;
pub use universe::{
    ComponentId, ComponentType, PortId, Provision, Requirement, State, StateId, TypeId, Universe,
};
pub use want::{Counted, Relation, Sum, Want, WantError};
