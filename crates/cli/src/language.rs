//! What language a file is in: told by its name, else by what it says.

use std::path::Path;

use anyhow::anyhow;
use locus_source::SourceFile;

/// A language that Locus knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    /// The text form of the pivot.
    LocationGraph,
    /// Heat Orchestration Templates of OpenStack.
    Hot,
    /// Alloy models.
    Alloy,
    /// TLA+ specifications.
    Tla,
}

/// How far into a file we look for what tells its language.
const LOOK: usize = 64 << 10;

impl Language {
    pub(crate) const ALL: [Self; 4] = [Self::LocationGraph, Self::Hot, Self::Alloy, Self::Tla];

    /// The name on the command line.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::LocationGraph => "location-graph",
            Self::Hot => "hot",
            Self::Alloy => "alloy",
            Self::Tla => "tla",
        }
    }

    /// The name in a sentence.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::LocationGraph => "location graph",
            Self::Hot => "HOT template",
            Self::Alloy => "Alloy model",
            Self::Tla => "TLA+ specification",
        }
    }

    /// The language with this name on the command line.
    pub(crate) fn by_id(id: &str) -> anyhow::Result<Self> {
        Self::ALL.into_iter().find(|language| language.id() == id).ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(|language| language.id()).collect();
            anyhow!("Locus knows no language `{id}`; it knows {}", known.join(", "))
        })
    }

    /// The endings that alone tell the language.
    fn endings(self) -> &'static [&'static str] {
        match self {
            Self::LocationGraph => &[".lg.yaml", ".lg.yml", ".lg.json"],
            Self::Hot => &[".hot.yaml", ".hot.yml"],
            Self::Alloy => &[".als"],
            Self::Tla => &[".tla"],
        }
    }

    /// Whether what a file says tells that it is in this language, or why not.
    fn fits(self, text: &str) -> Result<(), &'static str> {
        let start = &text[..text.floor_char_boundary(LOOK)];
        let (fits, otherwise) = match self {
            Self::LocationGraph => {
                let yaml = start.lines().any(|line| line.starts_with("location-graph:"));
                let json = start.trim_start().starts_with('{') && start.contains("\"location-graph\"");
                (yaml || json, "it has no key `location-graph` at the top")
            }
            Self::Hot => {
                let key =
                    |line: &str| line.trim_start_matches(['"', '\'']).starts_with("heat_template_version");
                let json = start.trim_start().starts_with('{') && start.contains("\"heat_template_version\"");
                (start.lines().any(key) || json, "it has no key `heat_template_version` at the top")
            }
            Self::Alloy => (false, "nothing else tells"),
            Self::Tla => {
                let module = |line: &str| line.starts_with("----") && line.contains("MODULE");
                (start.lines().any(module), "no line of it starts a MODULE")
            }
        };
        if fits { Ok(()) } else { Err(otherwise) }
    }
}

/// Whether a file that nobody named, but that a folder contains, is worth a look.
pub(crate) fn is_candidate(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ["yaml", "yml", "json", "als", "tla"].contains(&ending))
}

/// The language whose ending a name has.
pub(crate) fn by_name(name: &str) -> Option<Language> {
    Language::ALL.into_iter().find(|language| language.endings().iter().any(|ending| name.ends_with(ending)))
}

/// The language of a file, or for each language why it is not that.
pub(crate) fn detect(file: &SourceFile) -> anyhow::Result<Language> {
    if let Some(language) = by_name(file.name()) {
        return Ok(language);
    }
    let mut reasons = Vec::new();
    for language in Language::ALL {
        match language.fits(file.text()) {
            Ok(()) => return Ok(language),
            Err(reason) => reasons.push(format!(
                "\n  {}: its name does not end in {}, and {reason}",
                language.name(),
                language.endings().join(" or "),
            )),
        }
    }
    let reasons: String = reasons.concat();
    Err(anyhow!(
        "{}: of the languages that Locus knows, none fits:{reasons}\n  If you know better, name it: --language {}",
        file.name(),
        Language::ALL.map(Language::id).join("|"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use locus_source::Sources;

    #[test]
    fn a_language_is_told_by_name_or_by_content() {
        let detect = |name: &str, text: &str| detect(&Sources::new().add(name, text)).ok();
        assert_eq!(detect("a.lg.yaml", ""), Some(Language::LocationGraph));
        assert_eq!(detect("a.yaml", "# c\nlocation-graph: 1\n"), Some(Language::LocationGraph));
        assert_eq!(detect("<stdin>", "{ \"location-graph\": 1 }"), Some(Language::LocationGraph));
        assert_eq!(detect("a.yaml", "x:\n  location-graph: 1\n"), None);
        assert_eq!(detect("a.json", "[\"location-graph\"]"), None);
        assert_eq!(detect("stack.yaml", "heat_template_version: 2018-08-31\n"), Some(Language::Hot));
        assert_eq!(detect("a.als", ""), Some(Language::Alloy));
        assert_eq!(detect("<stdin>", "---- MODULE A ----\n===="), Some(Language::Tla));
    }
}
