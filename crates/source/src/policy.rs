//! Policy: what a project says in its `locus.toml` about the rules.
//!
//! ```toml
//! select = ["LG", "HOT1"]  # only rules whose codes begin so, and those that are named below
//! exclude = ["vendor/**"]  # files that are left out where a folder contains them
//! prevent_destroy = ["db*"]  # things that no plan may delete or replace
//!
//! [rules]
//! LG004 = "off"          # never
//! LG010 = "warning"      # report as a warning, whatever the rule itself says
//!
//! [[files]]              # only in some files; later entries win over earlier ones
//! paths = ["legacy/**"]
//! rules = { LG002 = "off" }
//!
//! [limits]               # what we are willing to read
//! file-bytes = 100000000
//! ```
//!
//! Finding and reading the file is for the command; here its text becomes a policy, and findings obey it.

use std::collections::HashMap;

use globset::{Glob, GlobSet, GlobSetBuilder};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::{FileId, Finding, Limits, Rule, RuleBook, RuleCode, Severity, SourceFile, Sources, Span, words};

/// The rules about `locus.toml` itself.
pub const RULES: &[Rule] = &[INVALID];

const INVALID: Rule = Rule::new(
    "LOC010",
    "configuration-not-understood",
    Severity::Error,
    "`locus.toml` says what Locus understands.",
    "`locus.toml` has these parts, all optional: `select`, a list of codes or beginnings of codes, without which all rules \
     are on; `exclude`, a list of globs for files that are left out where a folder contains them; `prevent_destroy`, a list of globs for the \
     names of things that no plan may delete or replace; `[rules]` with a level \
     (`off`, `note`, `warning`, `error`) for each code; `[[files]]` with `paths` (globs) and `rules` that hold only there; and \
     `[limits]` with `file-bytes`, `depth` and `nodes`. Globs are matched against paths from the folder of the \
     `locus.toml`.\n\n```toml\nexclude = [\"vendor/**\"]\n\n[rules]\nLG004 = \"off\"\n\n[[files]]\npaths = [\"legacy/**\"]\nrules = { LG002 = \"warning\" }\n```",
);

/// The treatment of the findings of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    Off,
    As(Severity),
}

/// A project's word on the rules. The default says nothing.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    entries: Vec<Entry>,
    limits: Limits,
    /// The beginnings of the codes that are on; all, if there is no list.
    selected: Option<Vec<String>>,
    /// Files that are left out.
    excluded: Option<GlobSet>,
    /// The names of things that no plan may delete or replace.
    kept: Option<GlobSet>,
}

#[derive(Clone, Debug)]
struct Entry {
    code: RuleCode,
    level: Level,
    place: crate::Place,
    /// Only files whose name matches; all if there is none.
    paths: Option<GlobSet>,
    used: bool,
}

impl Policy {
    /// Reads a `locus.toml`. What is not understood is a finding, and the rest still holds, unless the text is
    /// not TOML at all.
    pub fn read(file: &SourceFile, rules: &RuleBook) -> (Self, Vec<Finding>) {
        let mut reader = Reader { file, rules, policy: Self::default(), findings: Vec::new() };
        let (table, errors) = DeTable::parse_recoverable(file.text());
        if let Some(error) = errors.first() {
            let span = error.span().unwrap_or_default();
            let end = span.end.max(span.start);
            reader.findings.push(
                Finding::new(
                    &INVALID,
                    file.place(Span::new(span.start, end)),
                    error.message().replace('\n', "; "),
                )
                .help("see https://toml.io for the syntax of TOML"),
            );
        }
        reader.root(table.get_ref());
        (reader.policy, reader.findings)
    }

    /// The limits for reading files.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the severity of the findings of a rule, or nothing if they are not shown; and whether that is different
    /// in some files.
    pub fn state(&self, rule: &Rule) -> (Option<Severity>, bool) {
        let entries = || self.entries.iter().filter(|entry| entry.code == rule.code);
        let level = entries().rfind(|entry| entry.paths.is_none()).map(|entry| entry.level);
        let severity = match level {
            Some(Level::Off) => None,
            Some(Level::As(severity)) => Some(severity),
            None => Some(rule.severity).filter(|_| self.is_selected(&rule.code)),
        };
        (severity, entries().any(|entry| entry.paths.is_some()))
    }

    /// Whether findings of a rule are shown if nothing else is said of it. What is wrong with suppressions and
    /// with the configuration always is.
    fn is_selected(&self, code: &RuleCode) -> bool {
        let selected = |all: &Vec<String>| all.iter().any(|start| code.as_str().starts_with(start.as_str()));
        code.as_str().starts_with("LOC") || self.selected.as_ref().is_none_or(selected)
    }

    /// Whether a file, by its path from the folder of the `locus.toml`, is left out where a folder contains it.
    pub fn excludes(&self, path: &str) -> bool {
        self.excluded.as_ref().is_some_and(|globs| globs.is_match(path))
    }

    /// Whether no plan may delete or replace a thing of this name.
    pub fn prevents_destroying(&self, name: &str) -> bool {
        self.kept.as_ref().is_some_and(|globs| globs.is_match(name))
    }

    /// Removes and re-grades findings as the project wishes. `path` gives the path of a file from the folder of the
    /// `locus.toml` by the name under which it is shown.
    pub fn apply(&mut self, path: &dyn Fn(&str) -> String, sources: &Sources, findings: &mut Vec<Finding>) {
        if self.entries.is_empty() && self.selected.is_none() {
            return;
        }
        let mut paths: HashMap<FileId, String> = HashMap::new();
        crate::finding::retain(findings, |finding| {
            let file = finding.primary.place.file;
            let name: &str = paths.entry(file).or_insert_with(|| path(sources.get(file).name()));
            let mut level = None;
            for entry in self.entries.iter_mut().filter(|entry| entry.code == finding.code) {
                if entry.paths.as_ref().is_none_or(|paths| paths.is_match(name)) {
                    entry.used = true;
                    level = Some(entry.level);
                }
            }
            match level {
                Some(Level::Off) => return false,
                Some(Level::As(severity)) => finding.severity = severity,
                None => return self.is_selected(&finding.code),
            }
            true
        });
    }

    /// A finding for each entry that had no effect. Ask only after the whole project was checked: an entry may
    /// be for a file that this run did not see.
    pub fn unused(&self) -> Vec<Finding> {
        let unused = self.entries.iter().filter(|entry| !entry.used);
        unused.map(|entry| crate::suppress::unused(entry.place, &entry.code)).collect()
    }
}

struct Reader<'a> {
    file: &'a SourceFile,
    rules: &'a RuleBook,
    policy: Policy,
    findings: Vec<Finding>,
}

impl Reader<'_> {
    fn root(&mut self, table: &DeTable<'_>) {
        // What holds everywhere comes first, so that what holds in some files wins over it.
        let mut parts: Vec<_> = table.iter().collect();
        parts.sort_by_key(|(key, _)| key.get_ref() != "rules");
        for (key, value) in parts {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("rules", DeValue::Table(rules)) => self.levels(rules, None),
                ("files", DeValue::Array(sections)) => {
                    for section in sections {
                        self.section(section);
                    }
                }
                ("limits", DeValue::Table(limits)) => self.limits(limits),
                ("select", DeValue::Array(codes)) => self.select(codes),
                ("exclude", DeValue::Array(paths)) => self.policy.excluded = self.globs(paths, value.span()),
                ("prevent_destroy", DeValue::Array(names)) => {
                    self.policy.kept = self.globs(names, value.span());
                }
                ("rules" | "limits", _) => self.wrong(value, "a table"),
                ("select" | "exclude" | "prevent_destroy", _) => self.wrong(value, "an array of strings"),
                ("files", _) => self.wrong(value, "an array of tables: [[files]]"),
                (other, _) => {
                    let known = ["rules", "files", "limits", "select", "exclude", "prevent_destroy"];
                    self.unknown_key(key.span(), other, &known);
                }
            }
        }
    }

    fn section(&mut self, section: &Spanned<DeValue<'_>>) {
        let DeValue::Table(table) = section.get_ref() else { return self.wrong(section, "a table") };
        let mut globs = None;
        for (key, value) in table {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("paths", DeValue::Array(paths)) => globs = self.globs(paths, section.span()),
                ("paths", _) => self.wrong(value, "an array of strings"),
                ("rules", DeValue::Table(_)) => {}
                ("rules", _) => self.wrong(value, "a table"),
                (other, _) => self.unknown_key(key.span(), other, &["paths", "rules"]),
            }
        }
        let Some(paths) = globs else {
            return self
                .report(section.span(), "a [[files]] section needs `paths` to say which files".to_owned());
        };
        if let Some(DeValue::Table(rules)) = table.get("rules").map(Spanned::get_ref) {
            self.levels(rules, Some(&paths));
        }
    }

    /// The globs of a list; nothing if there is none that is understood.
    fn globs(&mut self, paths: &[Spanned<DeValue<'_>>], at: std::ops::Range<usize>) -> Option<GlobSet> {
        let mut globs = GlobSetBuilder::new();
        let mut any = false;
        for path in paths {
            match path.get_ref().as_str().map(Glob::new) {
                Some(Ok(glob)) => {
                    globs.add(glob);
                    any = true;
                }
                Some(Err(error)) => self.report(path.span(), error.kind().to_string()),
                None => self.wrong(path, "a string"),
            }
        }
        match globs.build() {
            Ok(globs) => any.then_some(globs),
            Err(error) => {
                self.report(at, error.to_string());
                None
            }
        }
    }

    fn select(&mut self, codes: &[Spanned<DeValue<'_>>]) {
        let mut selected = Vec::new();
        for value in codes {
            let Some(start) = value.get_ref().as_str().filter(|start| !start.is_empty()) else {
                self.wrong(value, "the beginning of a code, such as \"LG\" or \"HOT1\"");
                continue;
            };
            if self.rules.iter().any(|rule| rule.code.as_str().starts_with(start)) {
                selected.push(start.to_owned());
            } else {
                let help = self.rules.nearest(start).map(|near| format!("did you mean {near}?"));
                self.report_with(value.span(), format!("no code begins with {start}"), help);
            }
        }
        self.policy.selected = Some(selected);
    }

    fn levels(&mut self, table: &DeTable<'_>, paths: Option<&GlobSet>) {
        // The table is ordered by key; findings and precedence follow the text instead.
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in entries {
            let code = key.get_ref().as_ref();
            let Some(known) = RuleCode::parse(code).filter(|code| self.rules.get(code).is_some()) else {
                let help = self.rules.nearest(code).map(|near| format!("did you mean {near}?"));
                self.report_with(key.span(), format!("there is no rule {code}"), help);
                continue;
            };
            let level = match value.get_ref().as_str() {
                Some("off") => Level::Off,
                Some(word) if word.parse::<Severity>().is_ok() => {
                    Level::As(word.parse().expect("it just was"))
                }
                _ => {
                    self.wrong(value, "\"off\", \"note\", \"warning\" or \"error\"");
                    continue;
                }
            };
            let place = self.file.place(span(key.span()));
            self.policy.entries.push(Entry { code: known, level, place, paths: paths.cloned(), used: false });
        }
    }

    fn limits(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            let number =
                value.get_ref().as_integer().and_then(|integer| integer.as_str().parse::<usize>().ok());
            let name = key.get_ref().as_ref();
            let limits = &mut self.policy.limits;
            match (name, number) {
                ("file-bytes", Some(number)) => limits.file_bytes = number,
                ("depth", Some(number)) => limits.depth = number,
                ("nodes", Some(number)) => limits.nodes = number,
                ("file-bytes" | "depth" | "nodes", None) => self.wrong(value, "a whole number from 0"),
                _ => self.unknown_key(key.span(), name, &["file-bytes", "depth", "nodes"]),
            }
        }
    }

    fn unknown_key(&mut self, at: std::ops::Range<usize>, key: &str, known: &[&str]) {
        let near = words::nearest(key, known.iter().map(|&word| (word, word)));
        let help = near.map_or_else(
            || format!("known here: {}", known.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        self.report_with(at, format!("`{key}` means nothing here"), Some(help));
    }

    fn wrong(&mut self, value: &Spanned<DeValue<'_>>, wanted: &str) {
        let found = value.get_ref().type_str();
        self.report(value.span(), format!("this must be {wanted}, not the {found} it is"));
    }

    fn report(&mut self, at: std::ops::Range<usize>, message: String) {
        self.report_with(at, message, None);
    }

    fn report_with(&mut self, at: std::ops::Range<usize>, message: String, help: Option<String>) {
        let mut finding = Finding::new(&INVALID, self.file.place(span(at)), message);
        finding.help = help;
        self.findings.push(finding);
    }
}

fn span(range: std::ops::Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{Style, human};
    use crate::sort_and_dedup;

    const A: Rule = Rule::new("TST001", "a", Severity::Error, "A.", "");
    const B: Rule = Rule::new("TST002", "b", Severity::Error, "B.", "");

    fn policy(text: &str, sources: &Sources) -> (Policy, String) {
        let file = sources.add("locus.toml", text);
        let (policy, mut findings) = Policy::read(&file, &RuleBook::new([A, B]));
        sort_and_dedup(&mut findings, sources);
        let drawn = findings.iter().map(|f| human(f, sources, Style::default()) + "\n\n").collect();
        (policy, drawn)
    }

    #[test]
    fn rules_are_turned_off_and_regraded_by_file() {
        let sources = Sources::new();
        let (mut policy, errors) = policy(
            "[rules]\nTST001 = \"warning\"\n[[files]]\npaths = [\"old/**\"]\nrules = { TST001 = \"off\", TST002 = \"off\" }\n",
            &sources,
        );
        assert_eq!(errors, "");
        let new = sources.add("new.yaml", "x").place(Span::new(0, 1));
        let old = sources.add("old/a/b.yaml", "x").place(Span::new(0, 1));
        let mut findings =
            vec![Finding::new(&A, new, "new"), Finding::new(&B, new, "new"), Finding::new(&A, old, "old")];
        policy.apply(&str::to_owned, &sources, &mut findings);
        let left: Vec<_> = findings.iter().map(|f| (f.code.as_str(), f.severity)).collect();
        assert_eq!(left, [("TST001", Severity::Warning), ("TST002", Severity::Error)]);
        // TST002 was to be off in old files, but was not found there.
        let unused = policy.unused();
        assert_eq!(unused.len(), 1);
        assert_eq!(sources.describe(unused[0].primary.place), "locus.toml:5:27");
    }

    #[test]
    fn rules_are_selected_and_files_excluded() {
        let sources = Sources::new();
        let text = "select = [\"TST001\"]\nexclude = [\"old/**\", \"*.tmp\"]\n";
        let (mut policy, errors) = policy(text, &sources);
        assert_eq!(errors, "");
        let place = sources.add("new.yaml", "x").place(Span::new(0, 1));
        let mut findings = vec![Finding::new(&A, place, "a"), Finding::new(&B, place, "b")];
        policy.apply(&str::to_owned, &sources, &mut findings);
        assert_eq!(findings.iter().map(|one| one.code.as_str()).collect::<Vec<_>>(), ["TST001"]);
        assert_eq!((policy.state(&A).0, policy.state(&B).0), (Some(Severity::Error), None));
        assert!(policy.excludes("old/a/b.yaml") && policy.excludes("x.tmp") && !policy.excludes("new.yaml"));
    }

    #[test]
    fn a_selection_that_is_not_understood_is_found() {
        let (_, errors) = policy("select = [\"TSX\", 1]\nexclude = \"a\"\n", &Sources::new());
        assert_eq!(errors.matches("error[LOC010]").count(), 3, "{errors}");
    }

    #[test]
    fn limits_are_options() {
        let (policy, errors) = policy("[limits]\ndepth = 7\n", &Sources::new());
        assert_eq!((policy.limits().depth, errors.as_str()), (7, ""));
        assert_eq!(policy.limits().nodes, Limits::default().nodes);
    }

    #[test]
    fn what_is_not_understood_is_found_with_its_place() {
        let text = "rulez = 1\n[rules]\nTST01 = \"off\"\nTST001 = \"fatal\"\nTST002 = 3\n[limits]\ndepth = -1\n[[files]]\nrules = {}\n[[files]]\npaths = [\"a{\", 1]\n";
        let (_, errors) = policy(text, &Sources::new());
        insta::assert_snapshot!(errors, @r#"
        error[LOC010]: `rulez` means nothing here
         --> locus.toml:1:1
          |
        1 | rulez = 1
          | ^^^^^
          |
          = help: did you mean `rules`?

        error[LOC010]: there is no rule TST01
         --> locus.toml:3:1
          |
        3 | TST01 = "off"
          | ^^^^^
          |
          = help: did you mean TST001?

        error[LOC010]: this must be "off", "note", "warning" or "error", not the string it is
         --> locus.toml:4:10
          |
        4 | TST001 = "fatal"
          |          ^^^^^^^

        error[LOC010]: this must be "off", "note", "warning" or "error", not the integer it is
         --> locus.toml:5:10
          |
        5 | TST002 = 3
          |          ^

        error[LOC010]: this must be a whole number from 0, not the integer it is
         --> locus.toml:7:9
          |
        7 | depth = -1
          |         ^^

        error[LOC010]: a [[files]] section needs `paths` to say which files
         --> locus.toml:8:1
          |
        8 | [[files]]
          | ^^^^^^^^^

        error[LOC010]: a [[files]] section needs `paths` to say which files
          --> locus.toml:10:1
           |
        10 | [[files]]
           | ^^^^^^^^^

        error[LOC010]: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)
          --> locus.toml:11:10
           |
        11 | paths = ["a{", 1]
           |          ^^^^

        error[LOC010]: this must be a string, not the integer it is
          --> locus.toml:11:16
           |
        11 | paths = ["a{", 1]
           |                ^
        "#);
    }

    #[test]
    fn broken_toml_is_found() {
        let (_, errors) = policy("[rules\nTST001 = off\n", &Sources::new());
        insta::assert_snapshot!(errors, @"
        error[LOC010]: unclosed table, expected `]`
         --> locus.toml:1:7
          |
        1 | [rules
          |       ^
          |
          = help: see https://toml.io for the syntax of TOML

        error[LOC010]: `TST001` means nothing here
         --> locus.toml:2:1
          |
        2 | TST001 = off
          | ^^^^^^
          |
          = help: known here: rules, files, limits, select, exclude, prevent_destroy
        ");
    }
}
