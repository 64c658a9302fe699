//! The modules that every model can open, written for this crate.

/// The text of a library module.
pub(crate) fn get(name: &str) -> Option<&'static str> {
    MODULES.iter().find(|(module, _)| *module == name).map(|(_, text)| *text)
}

/// The names of all library modules.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    MODULES.iter().map(|(name, _)| *name)
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
