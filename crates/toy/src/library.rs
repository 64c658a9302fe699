//! The rule that comes with the language, and a module for each of its types.

use locus_language::{RuleFiles, RuleSet};

use crate::types;

/// The files under `rules`.
pub const FILES: RuleFiles = RuleFiles {
    language: "toy",
    modules: &[("core", include_str!("../rules/core.als")), ("server", include_str!("../rules/server.als"))],
    examples: &[
        ("TOY010.bad", include_str!("../rules/TOY010.bad.toy")),
        ("TOY010.good", include_str!("../rules/TOY010.good.toy")),
    ],
};

/// The rules in them.
pub(crate) static CARRIED: RuleSet = RuleSet::with_types(FILES, |name| Some(types::find(name)?.module()));
