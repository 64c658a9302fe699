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

    /// The version that a dialect or a draft resembles, by the name that its files have for it; and whether its own
    /// types are built in, so that files may name types that nothing defines.
    pub fn resembled(name: &str) -> Option<(Self, bool)> {
        let simple = ["", "yorc_"].into_iter().find_map(|maker| {
            let rest = name.strip_prefix(maker)?;
            ["tosca_simple_yaml_", "tosca_simple_profile_yaml_"]
                .into_iter()
                .find_map(|one| rest.strip_prefix(one))
        });
        if let Some(rest) = simple {
            // A third number, or a draft of the standard: `1_0_0`, `1_0_0_wd03`.
            let version = Self::SIMPLE.into_iter().find_map(|(number, version)| {
                let rest = rest.strip_prefix(number)?;
                (rest.is_empty() || rest.starts_with('_')).then_some(version)
            });
            return version.map(|version| (version, false));
        }
        // Alien4Cloud's has workflows, which came with version 1.1.
        let is_number = |rest: &str| {
            rest.split('_').all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
        };
        let own = ["alien_dsl_", "tosca_simple_openecomp_", "tosca_simple_unfurl_"];
        let rest = own.into_iter().find_map(|one| name.strip_prefix(one))?;
        is_number(rest).then_some((Self::V1_1, true))
    }

    /// The versions of the Simple Profile by their numbers in names.
    const SIMPLE: [(&'static str, Self); 4] =
        [("1_0", Self::V1_0), ("1_1", Self::V1_1), ("1_2", Self::V1_2), ("1_3", Self::V1_3)];

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
    fn dialects_resemble_a_version() {
        let resembled = |name| Version::resembled(name).map(|(version, _)| version);
        for (name, version) in [
            ("tosca_simple_yaml_1_0_0", Version::V1_0),
            ("tosca_simple_yaml_1_0_0_wd03", Version::V1_0),
            ("tosca_simple_yaml_1_1_0", Version::V1_1),
            ("yorc_tosca_simple_yaml_1_0", Version::V1_0),
            ("alien_dsl_2_0_0", Version::V1_1),
        ] {
            assert_eq!(resembled(name), Some(version), "{name}");
        }
        for other in [
            "tosca_simple_yaml_1_10",
            "tosca_simple_yaml_1",
            "alien_dsl_",
            "not_tosca_2_0",
            "cloudify_dsl_1_3",
        ] {
            assert_eq!(resembled(other), None, "{other}");
        }
    }

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
