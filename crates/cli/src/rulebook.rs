//! All rules of all languages.

use locus_source::{Rule, RuleBook};

/// The rules of every part of Locus, in one book.
pub(crate) fn rulebook() -> RuleBook {
    let all: [&[Rule]; 10] = [
        locus_source::suppress::RULES,
        locus_source::policy::RULES,
        locus_source::yaml::RULES,
        locus_source::json::RULES,
        locus_graph::RULES,
        locus_hot::RULES,
        &[locus_rules::UNNAMED],
        locus_alloy::rules::ALL,
        locus_tla::rules::FRONT_END,
        crate::commands::TLA_VERDICTS,
    ];
    let written = locus_hot::library::rules().map(|(_, rule)| rule.description.rule);
    RuleBook::new(all.into_iter().flatten().cloned().chain(written))
}
