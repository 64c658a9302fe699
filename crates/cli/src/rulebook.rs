//! All rules of all languages, and those that users add.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use locus_source::{Limits, Rule, RuleBook, SourceFile, Sources};

use crate::inputs::{self, Input};

/// The rules of every part of Locus, in one book.
pub(crate) fn rulebook() -> RuleBook {
    RuleBook::lazy(|| all().collect())
}

fn all() -> impl Iterator<Item = Rule> {
    let native: [&[Rule]; 11] = [
        locus_source::suppress::RULES,
        locus_source::policy::RULES,
        locus_source::yaml::RULES,
        locus_source::json::RULES,
        locus_graph::RULES,
        locus_aeolus::RULES,
        locus_hot::RULES,
        locus_rules::RULES,
        locus_alloy::rules::ALL,
        locus_tla::rules::FRONT_END,
        crate::commands::TLA_VERDICTS,
    ];
    native.into_iter().flatten().cloned().chain(locus_hot::library::codes())
}

/// Files with rules of the user's own, and a book of all rules with those.
pub(crate) fn with_own(
    paths: &[PathBuf],
    sources: &Sources,
) -> anyhow::Result<(Vec<Arc<SourceFile>>, RuleBook)> {
    if paths.is_empty() {
        return Ok((Vec::new(), rulebook()));
    }
    let mut rules: Vec<Rule> = all().collect();
    let mut files = Vec::new();
    for path in paths {
        let input = Input { path: path.clone(), named: true };
        let file = inputs::read(&input, "<stdin>", sources, &Limits::default())?;
        for own in locus_rules::scan(file.text()) {
            let rule = own.description.rule;
            if let Some(taken) = rules.iter().find(|known| known.code == rule.code) {
                bail!(
                    "{}: the code {} of `{}` is taken by `{}`; choose one of your own, such as OWN001",
                    file.name(),
                    rule.code,
                    rule.name,
                    taken.name
                );
            }
            rules.push(rule);
        }
        files.push(file);
    }
    Ok((files, RuleBook::new(rules)))
}
