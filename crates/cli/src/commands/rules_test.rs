//! `locus rules test`: rules of one's own, run on their examples.
//!
//! The examples of a rule begin with its code, and stand beside its file or in a folder `examples` there: what has
//! `bad` in its name must break the rule, what has `good` must not.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use locus_source::{Finding, Loader, RuleCode, Severity};
use serde::Serialize;

use crate::Outcome;
use crate::args::{RulesTest, TextFormat};
use crate::deadline;
use crate::inputs::Input;
use crate::languages;
use crate::page::Page;
use crate::session::{ConfigChoice, Session, Setup};
use crate::terminal::Terminal;

/// A rule and what came of its examples.
#[derive(Serialize)]
struct Tested {
    code: String,
    name: String,
    examples: Vec<Example>,
    /// The kinds of examples that it lacks.
    missing: Vec<Kind>,
}

#[derive(Serialize)]
struct Example {
    file: String,
    kind: Kind,
    outcome: Verdict,
    /// The message of the rule, or the reason why it could not be evaluated.
    message: Option<String>,
}

/// The expectation that an example documents.
#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Bad,
    Good,
}

/// The verdict of a rule on an example.
#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Broken,
    Kept,
    /// It depends on values that are not known.
    Undecided,
    /// The file, or the rules, cannot be read.
    Unreadable,
}

impl Example {
    fn is_right(&self) -> bool {
        matches!((self.kind, self.outcome), (Kind::Bad, Verdict::Broken) | (Kind::Good, Verdict::Kept))
    }
}

pub(crate) fn run(command: &RulesTest, terminal: &Terminal) -> anyhow::Result<Outcome> {
    deadline::watch(command.limit.timeout, terminal)?;
    let mut tested = Vec::new();
    let mut failed = false;
    let mut page = Page::new(terminal.style());
    for path in &command.paths {
        let setup =
            Setup { config: ConfigChoice::Off, rules: std::slice::from_ref(path), ..Setup::default() };
        let session = Session::new(languages::ALL, &setup)?;
        let rules = session.sources.find(&path.display().to_string());
        let rules = rules.context("the rules were just read")?;
        for finding in &session.findings {
            failed |= finding.severity == Severity::Error;
            page.finding(finding, &session.sources);
        }
        for rule in locus_rules::scan(rules.text()) {
            let rule = rule.description.rule;
            let mut examples = Vec::new();
            for (path, kind) in examples_of(path, rule.code.as_str())? {
                examples.push(example(path, kind, &rule.code, &session)?);
            }
            let lacks = |kind: &Kind| !examples.iter().any(|example| example.kind == *kind);
            let missing = [Kind::Bad, Kind::Good].into_iter().filter(lacks).collect();
            tested.push(Tested {
                code: rule.code.to_string(),
                name: rule.name.into_owned(),
                examples,
                missing,
            });
        }
    }
    failed |= tested.is_empty()
        || tested
            .iter()
            .any(|rule| !rule.missing.is_empty() || rule.examples.iter().any(|one| !one.is_right()));
    match command.format {
        TextFormat::Human => {
            page.text(&in_words(&tested));
            terminal.page(&page)?;
        }
        TextFormat::Json => terminal.json(serde_json::to_string_pretty(&tested)?)?,
    }
    Ok(if failed { Outcome::Findings } else { Outcome::Clean })
}

/// The files that are examples of a rule, in the order of their names.
fn examples_of(rules: &Path, code: &str) -> anyhow::Result<Vec<(PathBuf, Kind)>> {
    let beside = rules.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut found = Vec::new();
    for folder in [beside.to_owned(), beside.join("examples")] {
        if !folder.is_dir() {
            continue;
        }
        for entry in folder.read_dir().with_context(|| format!("cannot read {}", folder.display()))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let Some(rest) = name.strip_prefix(code).and_then(|rest| rest.strip_prefix('.')) else {
                continue;
            };
            match rest.split('.').next() {
                Some("bad") => found.push((path, Kind::Bad)),
                Some("good") => found.push((path, Kind::Good)),
                _ => {}
            }
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(found)
}

/// Runs the rules of a session on an example, and looks at what one of them says.
fn example(path: PathBuf, kind: Kind, code: &RuleCode, session: &Session) -> anyhow::Result<Example> {
    let input = Input { path, named: true };
    let file = session.read(&input, "<stdin>")?;
    let made = |outcome, message| Example { file: file.name().to_owned(), kind, outcome, message };
    let language = match session.language(None, &file) {
        Ok(language) if session.refused(language).is_empty() => language,
        Ok(language) => {
            let message = format!("a {} has no rules of one's own", language.name());
            return Ok(made(Verdict::Unreadable, Some(message)));
        }
        Err(error) => return Ok(made(Verdict::Unreadable, Some(error.to_string()))),
    };
    if session.findings.iter().any(|finding| finding.severity == Severity::Error) {
        return Ok(made(Verdict::Unreadable, Some("the rules have errors".to_owned())));
    }
    let loader: Arc<dyn Loader> = session.files(&input.path);
    let effort = session.effort(None, 1);
    let request = session.request(&loader, &effort);
    let document = language.read(&file, &request);
    if document.graph().is_err() {
        let message = document.findings().first().map(|finding| finding.message.clone());
        return Ok(made(Verdict::Unreadable, message));
    }
    let judgement = document.judge(&request);
    let said = |findings: &[Finding]| {
        findings.iter().find(|finding| finding.code == *code).map(|finding| finding.message.clone())
    };
    Ok(match (said(&judgement.findings), said(&judgement.undecided)) {
        (Some(message), _) => made(Verdict::Broken, Some(message)),
        (None, Some(message)) => made(Verdict::Undecided, Some(message)),
        (None, None) => made(Verdict::Kept, None),
    })
}

fn in_words(tested: &[Tested]) -> String {
    let mut text = String::new();
    let (mut examples, mut failed) = (0, 0);
    for rule in tested {
        let _ = writeln!(text, "{} {}", rule.code, rule.name);
        for example in &rule.examples {
            examples += 1;
            let verdict = match example.outcome {
                Verdict::Broken => "breaks it",
                Verdict::Kept => "does not break it",
                Verdict::Undecided => "may or may not break it: that depends on values that are not known",
                Verdict::Unreadable => "could not be checked",
            };
            let mark = if example.is_right() { "ok    " } else { "FAILED" };
            let _ = write!(text, "  {mark} {} {verdict}", example.file);
            let _ = match &example.message {
                Some(message) => writeln!(text, ": {message}"),
                None => writeln!(text),
            };
            failed += usize::from(!example.is_right());
        }
        for kind in &rule.missing {
            let (name, must) = match kind {
                Kind::Bad => ("bad", "breaks it"),
                Kind::Good => ("good", "comes close and does not break it"),
            };
            let _ = writeln!(text, "  FAILED there is no example {}.{name}.yaml, which {must}", rule.code);
            failed += 1;
        }
    }
    let _ = match tested.len() {
        0 => writeln!(text, "there is no rule: no fact has a comment that begins with a code"),
        rules => writeln!(text, "rules: {rules}, examples: {examples}, failed: {failed}"),
    };
    text
}
