//! The languages that Locus knows, one line each, and how the language of a file is told.

mod aeolus;
mod alloy;
mod location_graph;
mod tla;

use std::fmt::Write;
use std::path::Path;

use anyhow::anyhow;
use locus_language::Language;
use locus_source::{Rule, RuleBook, SourceFile};

pub(crate) use self::aeolus::Aeolus;
pub(crate) use self::alloy::{
    Alloy, AlloyDocument, Modules, Run as AlloySettings, executed, judgement, not_analysed,
};
pub(crate) use self::tla::{
    Answer, Checked, Log, Settings as TlaSettings, Tla, TlaDocument, Walk, coverage, figures, json_action,
    json_step, name, said, state, title, verdict_findings,
};

/// All languages. Where several would take a file, the first does.
pub(crate) static ALL: Table = Table(&[
    &location_graph::LocationGraphs,
    &locus_hot::Hot,
    &locus_tosca::Tosca,
    &locus_cloudformation::CloudFormation,
    &locus_compose::Compose,
    &locus_fractal::Fractal,
    &locus_occi::Occi,
    &Aeolus,
    &Alloy::DEFAULT,
    &Tla::DEFAULT,
    #[cfg(test)]
    &locus_toy::Toy,
]);

/// Some languages.
#[derive(Clone, Copy)]
pub(crate) struct Table(pub(crate) &'static [&'static dyn Language]);

impl Table {
    pub(crate) fn iter(self) -> impl Iterator<Item = &'static dyn Language> {
        self.0.iter().copied()
    }

    /// The language with this name on the command line.
    pub(crate) fn by_id(self, id: &str) -> anyhow::Result<&'static dyn Language> {
        self.iter()
            .find(|language| language.id() == id)
            .ok_or_else(|| anyhow!("Locus knows no language `{id}`; it knows {}", self.ids().join(", ")))
    }

    fn ids(self) -> Vec<&'static str> {
        self.iter().map(Language::id).collect()
    }

    /// Whether a file that nobody named, but that a folder contains, is worth a look.
    pub(crate) fn is_candidate(self, path: &Path) -> bool {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let known =
            |language: &dyn Language| extension.is_some_and(|one| language.extensions().contains(&one));
        let ends =
            |language: &dyn Language| path.to_str().is_some_and(|name| ends_in(name, language.endings()));
        self.iter().any(|language| known(language) || ends(language))
    }

    /// The language whose ending a name has that somebody gave, or that is a candidate.
    pub(crate) fn by_name(self, name: &str) -> Option<&'static dyn Language> {
        self.iter()
            .find(|language| ends_in(name, language.endings()) || ends_in(name, language.endings_if_named()))
    }

    /// The language of a file, or for each language why it is not that.
    pub(crate) fn detect(self, file: &SourceFile) -> anyhow::Result<&'static dyn Language> {
        if let Some(language) = self.by_name(file.name()) {
            return Ok(self.other_by_content(language, file).unwrap_or(language));
        }
        let mut reasons = String::new();
        for language in self.iter() {
            match language.recognise(file.text()) {
                Ok(()) => return Ok(language),
                Err(reason) => {
                    let _ = write!(
                        reasons,
                        "\n  {}: its name does not end in {}, and {reason}",
                        language.name(),
                        language.endings().join(" or "),
                    );
                }
            }
        }
        Err(anyhow!(
            "{}: this is in none of the languages that Locus knows:{reasons}\n  If you know better, name the \
             language: --language {}",
            file.name(),
            self.ids().join("|"),
        ))
    }

    /// The language that a text says it is in, although the name of the file is that of another, of which the text has
    /// nothing: a TOSCA service may be called `web-compose.yaml`.
    fn other_by_content(self, named: &dyn Language, file: &SourceFile) -> Option<&'static dyn Language> {
        let ending = Path::new(file.name()).extension()?.to_str()?;
        if named.recognise(file.text()).is_ok() {
            return None;
        }
        let others = self.iter().filter(|other| other.extensions().contains(&ending));
        others.into_iter().find(|other| other.recognise(file.text()).is_ok())
    }

    /// All rules of all languages, and those of no language in particular, in one book.
    pub(crate) fn rulebook(self) -> RuleBook {
        RuleBook::lazy(move || self.rules())
    }

    /// The same as a list.
    pub(crate) fn rules(self) -> Vec<Rule> {
        let shared: [&[Rule]; 7] = [
            locus_source::suppress::RULES,
            locus_source::policy::RULES,
            locus_source::yaml::RULES,
            locus_source::json::RULES,
            locus_source::xml::RULES,
            locus_rules::RULES,
            crate::loader::RULES,
        ];
        let shared = shared.into_iter().flatten().cloned();
        shared.chain(self.iter().flat_map(Language::rules)).collect()
    }
}

fn ends_in(name: &str, endings: &[&str]) -> bool {
    endings.iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;
    use locus_source::Sources;

    #[test]
    fn an_archive_that_nobody_named_may_be_anything() {
        for (name, is_candidate) in
            [("a.csar", true), ("a.zip", false), ("b/a.tar.gz", false), ("a.tar", false)]
        {
            assert_eq!(ALL.is_candidate(Path::new(name)), is_candidate, "{name}");
            assert_eq!(ALL.by_name(name).map(Language::id), Some("tosca"), "{name}");
        }
    }

    #[test]
    fn a_language_is_told_by_name_or_by_content() {
        let detect =
            |name: &str, text: &str| ALL.detect(&Sources::new().add(name, text)).ok().map(Language::id);
        assert_eq!(detect("a.lg.yaml", ""), Some("location-graph"));
        assert_eq!(detect("a.yaml", "# c\nlocation-graph: 1\n"), Some("location-graph"));
        assert_eq!(detect("<stdin>", "{ \"location-graph\": 1 }"), Some("location-graph"));
        assert_eq!(detect("a.yaml", "x:\n  location-graph: 1\n"), None);
        assert_eq!(detect("a.json", "[\"location-graph\"]"), None);
        assert_eq!(detect("stack.yaml", "heat_template_version: 2018-08-31\n"), Some("hot"));
        assert_eq!(detect("universe.json", "[{\"u_cname\": \"a\"}]"), Some("aeolus"));
        assert_eq!(detect("universe.json", "{\"component_types\": []}"), Some("aeolus"));
        assert_eq!(detect("a.json", "{\"u_cname\": 1}"), None);
        assert_eq!(detect("a.als", ""), Some("alloy"));
        // A name says less than the text, if that says another thing.
        let tosca = "tosca_definitions_version: tosca_2_0\nservice_template: {}\n";
        assert_eq!(detect("web-compose.yaml", tosca), Some("tosca"));
        assert_eq!(detect("compose.yaml", "services: {}\nx-tosca_definitions_version: 1\n"), Some("compose"));
        assert_eq!(detect("a.tosca.yaml", "services: {a: {image: b}}\n"), Some("compose"));
        assert_eq!(detect("compose.yaml", "servces: {}\n"), Some("compose"));
        assert_eq!(detect("a.als", "---- MODULE A ----\n===="), Some("alloy"));
        assert_eq!(detect("<stdin>", "-- c\n/* d */ abstract sig A {}"), Some("alloy"));
        assert_eq!(detect("<stdin>", "open: 1\n"), None);
        assert_eq!(detect("<stdin>", "---- MODULE A ----\n===="), Some("tla"));
    }

    #[test]
    fn the_drivers_that_languages_name_are_in_the_table() {
        let named: Vec<&str> = ALL.iter().filter_map(Language::driver).collect();
        assert!(named.contains(&"docker") && named.contains(&"script"));
        for driver in named {
            assert!(locus_drivers::Maker::named(driver).is_ok(), "{driver}");
        }
    }

    #[test]
    fn ids_and_endings_are_those_of_one_language() {
        let mut seen = std::collections::BTreeSet::new();
        for language in ALL.iter() {
            assert!(seen.insert(language.id()), "{} is there twice", language.id());
            for ending in language.endings().iter().chain(language.endings_if_named()) {
                assert!(seen.insert(*ending), "{ending} is there twice");
            }
        }
    }
}
