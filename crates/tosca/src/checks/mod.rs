//! Checks of definitions, templates, groups, triggers and workflows that are no rules in Alloy.

pub(crate) mod artifacts;
pub(crate) mod definitions;
pub(crate) mod endless;
pub(crate) mod grouping;
pub(crate) mod namespaces;
pub(crate) mod operation_host;
pub(crate) mod operation_inputs;
pub(crate) mod satisfiable;
pub(crate) mod templates;
pub(crate) mod trigger;
pub(crate) mod workflow;
