//! The rules that come with Locus: the files under `rules/tosca`.

use locus_language::{RuleFiles, RuleSet};

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The files under `rules/tosca`.
pub const FILES: RuleFiles = RuleFiles { language: "tosca", modules: MODULES, examples: EXAMPLES };

/// The rules in them.
pub(crate) static CARRIED: RuleSet = RuleSet::new(FILES);
