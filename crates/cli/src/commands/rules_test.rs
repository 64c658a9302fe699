//! `locus rules test`: rules of one's own, run on their examples.
//!
//! The examples of a rule begin with its code, and stand beside its file or in a folder `examples` there: what has `bad` in
//! its name must break the rule, what has `good` must not.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use locus_hot::Inputs;
use locus_source::render::Style;
use locus_source::{Finding, Limits, RuleCode, Severity, SourceFile, Sources};
use serde::Serialize;

use crate::Outcome;
use crate::args::{RulesTest, TextFormat};
use crate::inputs::{self, Input};
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
    /// What the rule says of it, or why it could not be asked.
    message: Option<String>,
}

/// What an example is there for.
#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Bad,
    Good,
}

/// What a rule says of an example.
#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Broken,
    Kept,
    /// It depends on values that are not known.
    Undecided,
    Unreadable,
}

impl Example {
    fn is_right(&self) -> bool {
        matches!((self.kind, self.outcome), (Kind::Bad, Verdict::Broken) | (Kind::Good, Verdict::Kept))
    }
}

pub(crate) fn run(command: &RulesTest, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let sources = Sources::new();
    let mut tested = Vec::new();
    let mut wrong = Vec::new();
    for path in &command.paths {
        let rules = read(path, &sources)?;
        for rule in locus_rules::scan(rules.text()) {
            let rule = rule.description.rule;
            let mut examples = Vec::new();
            for (path, kind) in examples_of(path, rule.code.as_str())? {
                examples.push(example(&path, kind, &rule.code, &rules, &sources, &mut wrong)?);
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
    locus_source::sort_and_dedup(&mut wrong, &sources);
    let failed = tested.is_empty()
        || wrong.iter().any(|finding| finding.severity == Severity::Error)
        || tested
            .iter()
            .any(|rule| !rule.missing.is_empty() || rule.examples.iter().any(|one| !one.is_right()));
    let text = match command.format {
        TextFormat::Human => {
            let style = Style { colour: terminal.colour(), width: terminal.width() };
            let mut text = String::new();
            for finding in &wrong {
                text.push_str(&locus_source::render::human(finding, &sources, style));
                text.push_str("\n\n");
            }
            text + &in_words(&tested)
        }
        TextFormat::Json => serde_json::to_string_pretty(&tested)? + "\n",
    };
    terminal.result(&text)?;
    Ok(if failed { Outcome::Findings } else { Outcome::Clean })
}

fn read(path: &Path, sources: &Sources) -> anyhow::Result<Arc<SourceFile>> {
    inputs::read(&Input { path: path.to_owned(), named: true }, "<stdin>", sources, &Limits::default())
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

/// Runs the rules of a file on an example, and looks at what one of them says. What is wrong with the rules
/// themselves goes to `wrong`.
fn example(
    path: &Path,
    kind: Kind,
    code: &RuleCode,
    rules: &SourceFile,
    sources: &Sources,
    wrong: &mut Vec<Finding>,
) -> anyhow::Result<Example> {
    let file = read(path, sources)?;
    let made = |outcome, message| Example { file: file.name().to_owned(), kind, outcome, message };
    let Some(template) = locus_hot::read(sources, &file, &Inputs::default()).template else {
        return Ok(made(Verdict::Unreadable, Some("it is not a HOT template".to_owned())));
    };
    let checked = locus_hot::check_with(sources, &super::alloy::Files, rules.id(), &template);
    let of_rules = |finding: &&Finding| finding.primary.place.file == rules.id();
    wrong.extend(checked.findings.iter().filter(of_rules).cloned());
    let said = |findings: &[Finding]| {
        findings.iter().find(|finding| finding.code == *code).map(|finding| finding.message.clone())
    };
    let (broken, open) = (said(&checked.findings), said(&checked.unsettled));
    Ok(match (broken, open) {
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
                Verdict::Unreadable => "could not be read",
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
