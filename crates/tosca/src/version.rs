//! Versions of the standard, by the names that files have for them.

/// A version of TOSCA.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Version {
    /// Simple Profile in YAML 1.0.
    V1_0,
    /// Simple Profile in YAML 1.1.
    V1_1,
    /// Simple Profile in YAML 1.2.
    V1_2,
    /// Simple Profile in YAML 1.3.
    V1_3,
    /// TOSCA 2.0.
    V2_0,
}

/// The start of the namespace URI that the Simple Profile allows in place of the short name.
const URI: &str = "http://docs.oasis-open.org/tosca/ns/simple/yaml/";

impl Version {
    /// All versions, the oldest first.
    pub const ALL: [Self; 5] = [Self::V1_0, Self::V1_1, Self::V1_2, Self::V1_3, Self::V2_0];

    /// The version that a file names by `tosca_definitions_version`.
    pub fn parse(name: &str) -> Option<Self> {
        let by_uri = |version: &Self| name.strip_prefix(URI).is_some_and(|rest| rest == version.number());
        Self::ALL.into_iter().find(|version| version.name() == name || version.is_simple() && by_uri(version))
    }

    /// The version that a profile of OASIS extends, if a file names the profile in place of a version.
    pub fn extended(name: &str) -> Option<Self> {
        let rest = ["tosca_simple_profile_for_nfv_1_0", "tosca_simple_profile_for_mec_1_0"]
            .into_iter()
            .find_map(|profile| name.strip_prefix(profile));
        matches!(rest, Some("" | "_0")).then_some(Self::V1_1)
    }

    /// The name in files, such as `tosca_2_0`.
    pub fn name(self) -> &'static str {
        match self {
            Self::V1_0 => "tosca_simple_yaml_1_0",
            Self::V1_1 => "tosca_simple_yaml_1_1",
            Self::V1_2 => "tosca_simple_yaml_1_2",
            Self::V1_3 => "tosca_simple_yaml_1_3",
            Self::V2_0 => "tosca_2_0",
        }
    }

    /// The number, such as `1.3`.
    pub fn number(self) -> &'static str {
        match self {
            Self::V1_0 => "1.0",
            Self::V1_1 => "1.1",
            Self::V1_2 => "1.2",
            Self::V1_3 => "1.3",
            Self::V2_0 => "2.0",
        }
    }

    /// Whether this is a version of the Simple Profile, whose types every file has without importing them.
    pub fn is_simple(self) -> bool {
        self < Self::V2_0
    }
}

/// Whether a node says yes or no. In the Simple Profile by the words of YAML 1.1 too, which its processors read.
pub(crate) fn truth(node: locus_source::Node<'_>, version: Version) -> Option<bool> {
    node.as_bool().or_else(|| node.as_str().filter(|_| version.is_simple()).and_then(old_truth))
}

/// A boolean of YAML 1.1 that is a text in YAML 1.2.
pub(crate) fn old_truth(text: &str) -> Option<bool> {
    match text {
        "yes" | "Yes" | "YES" | "on" | "On" | "ON" => Some(true),
        "no" | "No" | "NO" | "off" | "Off" | "OFF" => Some(false),
        _ => None,
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TOSCA {}", self.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_have_a_name_and_older_ones_a_uri() {
        for version in Version::ALL {
            assert_eq!(Version::parse(version.name()), Some(version));
        }
        assert_eq!(
            Version::parse("http://docs.oasis-open.org/tosca/ns/simple/yaml/1.2"),
            Some(Version::V1_2)
        );
        for wrong in ["tosca-2-0", "2.0", "http://docs.oasis-open.org/tosca/ns/simple/yaml/2.0", ""] {
            assert_eq!(Version::parse(wrong), None, "{wrong}");
        }
    }
}
