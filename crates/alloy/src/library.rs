//! The modules that every model can open, written for this crate.

use std::sync::Arc;

use crate::shared::{SharedModule, SharedModules};

/// Those that were opened.
static OPENED: SharedModules = SharedModules::new();

/// A library module, with its name.
pub(crate) fn get(name: &str) -> Option<(&'static str, Arc<SharedModule>)> {
    let (name, text) = MODULES.iter().find(|(module, _)| *module == name)?;
    Some((name, OPENED.get(name, || Some(*text))?))
}

/// The names of all library modules.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    MODULES.iter().map(|(name, _)| *name)
}

/// The library module with a function or predicate of this name.
pub(crate) fn with_function(name: &str) -> Option<&'static str> {
    let declares = |text: &str| {
        let mut lines = text.lines();
        lines.any(|line| {
            let rest = line.strip_prefix("fun ").or_else(|| line.strip_prefix("pred "));
            let own = rest.and_then(|rest| rest.strip_prefix(name));
            own.is_some_and(|after| !after.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
    };
    // What is only here is not known from other tools: it comes first.
    let ours = MODULES.iter().filter(|(module, _)| matches!(*module, "util/net" | "util/text"));
    ours.chain(MODULES).find(|(_, text)| declares(text)).map(|(module, _)| *module)
}

const MODULES: &[(&str, &str)] = &[
    ("util/boolean", include_str!("util/boolean.als")),
    ("util/graph", include_str!("util/graph.als")),
    ("util/integer", include_str!("util/integer.als")),
    ("util/natural", include_str!("util/natural.als")),
    ("util/net", include_str!("util/net.als")),
    ("util/ordering", include_str!("util/ordering.als")),
    ("util/relation", include_str!("util/relation.als")),
    ("util/seq", include_str!("util/seq.als")),
    ("util/seqrel", include_str!("util/seqrel.als")),
    ("util/sequence", include_str!("util/sequence.als")),
    ("util/sequniv", include_str!("util/sequniv.als")),
    ("util/ternary", include_str!("util/ternary.als")),
    ("util/text", include_str!("util/text.als")),
    ("util/time", include_str!("util/time.als")),
];
