//! Findings: everything that Locus tells a user about a file.

use std::cmp::Ordering;

use crate::{Fix, Place, Rule, RuleCode, Sources};

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Probably not what was meant.
    Warning,
    /// Wrong: what the file describes cannot be, or cannot be built.
    Error,
}

impl Severity {
    /// `error`, `warning` or `note`: the word in every rendering.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl std::fmt::Display for Severity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

impl std::str::FromStr for Severity {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        [Self::Note, Self::Warning, Self::Error].into_iter().find(|s| s.as_str() == word).ok_or(())
    }
}

/// A place and what is to be said of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub place: Place,
    /// A word on its part in the finding ("VM1 already has it"); may be empty.
    pub message: String,
}

/// Something that Locus tells a user about a file.
///
/// The message alone suffices to understand what is wrong; places say where, help says what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The rule that it comes from.
    pub code: RuleCode,
    /// How bad it is.
    pub severity: Severity,
    /// The fault, in one sentence without a full stop, naming the things involved.
    pub message: String,
    /// Where.
    pub primary: Label,
    /// The other places involved.
    pub secondary: Vec<Label>,
    /// Further facts that belong to no place.
    pub notes: Vec<String>,
    /// Advice: how to mend it.
    pub help: Option<String>,
    /// How to do it.
    pub fix: Option<Fix>,
    /// How many findings more there are about the same file, which are not listed.
    pub more: usize,
}

/// Keeps some findings. What one that goes says of others that are not listed passes to one before it of the same file
/// that stays.
pub(crate) fn retain(findings: &mut Vec<Finding>, mut keep: impl FnMut(&mut Finding) -> bool) {
    let mut kept: Vec<Finding> = Vec::with_capacity(findings.len());
    for mut finding in findings.drain(..) {
        if keep(&mut finding) {
            kept.push(finding);
        } else if let Some(last) = kept.last_mut().filter(|_| finding.more > 0)
            && last.primary.place.file == finding.primary.place.file
        {
            last.more += finding.more;
        }
    }
    *findings = kept;
}

impl Finding {
    /// A violation of `rule` at `place`, with the rule's own severity.
    pub fn new(rule: &Rule, place: Place, message: impl Into<String>) -> Self {
        Self {
            code: rule.code.clone(),
            severity: rule.severity,
            message: message.into(),
            primary: Label { place, message: String::new() },
            secondary: Vec::new(),
            notes: Vec::new(),
            help: None,
            fix: None,
            more: 0,
        }
    }

    /// Says something of the main place.
    #[must_use]
    pub fn label(mut self, message: impl Into<String>) -> Self {
        self.primary.message = message.into();
        self
    }

    /// All places that are involved.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        std::iter::once(&self.primary).chain(&self.secondary).map(|label| label.place)
    }

    /// Adds another place.
    #[must_use]
    pub fn also(mut self, place: Place, message: impl Into<String>) -> Self {
        self.secondary.push(Label { place, message: message.into() });
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Says how to do it.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }
}

/// Orders findings by file name, position, code and message, and drops those that say the same of the same
/// place. The result does not depend on the order of arrival, so neither do parallel runs.
pub fn sort_and_dedup(findings: &mut Vec<Finding>, sources: &Sources) {
    let by_name = |a: &Finding, b: &Finding| {
        if a.primary.place.file == b.primary.place.file {
            return Ordering::Equal;
        }
        let (a, b) = (sources.get(a.primary.place.file), sources.get(b.primary.place.file));
        a.name().cmp(b.name())
    };
    findings.sort_by(|a, b| {
        by_name(a, b)
            .then_with(|| a.primary.place.span.cmp(&b.primary.place.span))
            .then_with(|| b.severity.cmp(&a.severity))
            .then_with(|| a.code.cmp(&b.code))
            .then_with(|| a.message.cmp(&b.message))
    });
    findings.dedup_by(|b, a| {
        let same = a.code == b.code
            && a.primary.place.span == b.primary.place.span
            && by_name(a, b).is_eq()
            && a.message == b.message;
        if same {
            a.more = a.more.max(b.more);
        }
        same
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;

    const RULE: Rule = Rule::new("TST001", "test", Severity::Error, "A test.", "");
    const OTHER: Rule = Rule::new("TST002", "other", Severity::Warning, "Another.", "");

    #[test]
    fn order_and_duplicates_do_not_depend_on_arrival() {
        let sources = Sources::new();
        let b = sources.add("b", "text").id();
        let a = sources.add("a", "text").id();
        let finding =
            |rule, file, start| Finding::new(rule, Place::new(file, Span::new(start, start + 1)), "wrong");
        let sorted =
            vec![finding(&RULE, a, 0), finding(&OTHER, a, 0), finding(&RULE, a, 2), finding(&RULE, b, 1)];
        let mut shuffled: Vec<_> = [3, 1, 2, 0, 2, 1].map(|i: usize| sorted[i].clone()).into();
        sort_and_dedup(&mut shuffled, &sources);
        assert_eq!(shuffled, sorted);
    }
}
