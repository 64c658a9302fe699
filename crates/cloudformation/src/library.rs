//! The rules that come with Locus: the files under `rules/cloudformation`, and a module for every resource type.
//!
//! Rules that are asked where a template has resources of a type are in a file named after it (`AWS_EC2_Subnet.als`),
//! so that those of types that a template does not use cost nothing. What they all use is `cloudformation/core`, and
//! the types are `cloudformation/types/…`, made from the registry when they are opened.

use locus_language::{RuleFiles, RuleSet};

use crate::types::{ResourceType, by_sig_name};

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The files under `rules/cloudformation`.
pub const FILES: RuleFiles = RuleFiles { language: "cloudformation", modules: MODULES, examples: EXAMPLES };

/// The rules in them.
pub(crate) static CARRIED: RuleSet =
    RuleSet::with_types(FILES, |name| by_sig_name(name).map(ResourceType::module));
