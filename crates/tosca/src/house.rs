//! The types that come with Locus: those of the TOSCA Simple Profile, by version.
//!
//! They are facts (names, parents, properties, types, limits) in the files of `data/`, without the prose of the
//! standard. Two mistakes of the normative YAML are put right, as in section 5.2 of INRIA report RR-9317: the relationship
//! type is `AttachesTo` everywhere, and `Container.Application` is hosted on `Container.Runtime`.

use crate::version::Version;

/// The name under which findings would show it, and its text.
pub(crate) fn simple_profile(version: Version) -> (&'static str, &'static str) {
    match version {
        Version::V1_0 => ("<TOSCA Simple Profile 1.0>", include_str!("../data/simple-1.0.yaml")),
        Version::V1_1 => ("<TOSCA Simple Profile 1.1>", include_str!("../data/simple-1.1.yaml")),
        Version::V1_2 => ("<TOSCA Simple Profile 1.2>", include_str!("../data/simple-1.2.yaml")),
        Version::V1_3 => ("<TOSCA Simple Profile 1.3>", include_str!("../data/simple-1.3.yaml")),
        Version::V2_0 => ("<TOSCA Simple Profile 2.0>", include_str!("../data/simple-2.0.yaml")),
    }
}

/// The version of the Simple Profile that a profile name of TOSCA 2.0 means: the standard writes the first name, the
/// community's own file the second.
pub(crate) fn profile(name: &str) -> Option<Version> {
    matches!(name, "org.oasis-open.tosca.simple:2.0" | "org.oasis-open.simple:2.0").then_some(Version::V2_0)
}
