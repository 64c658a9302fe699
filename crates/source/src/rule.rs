//! Rules: what a finding's code stands for.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::Severity;

/// The code of a rule, such as `HOT041`: capital letters, then three digits. Stable for ever.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleCode(Cow<'static, str>);

impl RuleCode {
    /// A code known when the program is written.
    ///
    /// # Panics
    /// If it has not the form of a code; in a constant, that is an error of compilation.
    pub const fn new(code: &'static str) -> Self {
        assert!(is_code(code.as_bytes()), "a code is capital letters and then three digits");
        Self(Cow::Borrowed(code))
    }

    /// A code read from somewhere, if it has the form of one.
    pub fn parse(code: &str) -> Option<Self> {
        is_code(code.as_bytes()).then(|| Self(Cow::Owned(code.to_owned())))
    }

    /// The code as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

const fn is_code(bytes: &[u8]) -> bool {
    if bytes.len() < 5 || bytes.len() > 16 {
        return false;
    }
    let mut i = 0;
    while i < bytes.len() {
        let fits =
            if i + 3 < bytes.len() { bytes[i].is_ascii_uppercase() } else { bytes[i].is_ascii_digit() };
        if !fits {
            return false;
        }
        i += 1;
    }
    true
}

impl std::fmt::Display for RuleCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.0)
    }
}

impl std::fmt::Debug for RuleCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The meaning of a code: the same for every finding that carries it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The code.
    pub code: RuleCode,
    /// A short name in words joined by hyphens, such as `role-provided-twice`.
    pub name: Cow<'static, str>,
    /// How bad a violation is unless the user says otherwise.
    pub severity: Severity,
    /// One sentence: what must hold.
    pub summary: Cow<'static, str>,
    /// Why it must hold and what to do, in Markdown, for `locus explain`.
    pub explanation: Cow<'static, str>,
}

impl Rule {
    /// A rule known when the program is written.
    pub const fn new(
        code: &'static str,
        name: &'static str,
        severity: Severity,
        summary: &'static str,
        explanation: &'static str,
    ) -> Self {
        Self {
            code: RuleCode::new(code),
            name: Cow::Borrowed(name),
            severity,
            summary: Cow::Borrowed(summary),
            explanation: Cow::Borrowed(explanation),
        }
    }
}

/// All rules that there are, by code.
#[derive(Clone, Default)]
pub struct RuleBook {
    rules: OnceLock<BTreeMap<RuleCode, Rule>>,
    /// Gives the rules when somebody first asks for one: most runs need none of them.
    later: Option<Arc<dyn Fn() -> Vec<Rule> + Send + Sync>>,
}

impl std::fmt::Debug for RuleBook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RuleBook").field("rules", &self.rules).finish_non_exhaustive()
    }
}

impl RuleBook {
    /// A book of these rules.
    ///
    /// # Panics
    /// If two have the same code: a code means one thing.
    pub fn new(rules: impl IntoIterator<Item = Rule>) -> Self {
        Self { rules: OnceLock::from(by_code(rules)), later: None }
    }

    /// A book of the rules that `rules` gives, which is called when one is first looked up.
    ///
    /// # Panics
    /// Then, if two have the same code.
    pub fn lazy(rules: impl Fn() -> Vec<Rule> + Send + Sync + 'static) -> Self {
        Self { rules: OnceLock::new(), later: Some(Arc::new(rules)) }
    }

    fn rules(&self) -> &BTreeMap<RuleCode, Rule> {
        self.rules.get_or_init(|| by_code(self.later.as_ref().map(|rules| rules()).unwrap_or_default()))
    }

    /// The rule with this code.
    pub fn get(&self, code: &RuleCode) -> Option<&Rule> {
        self.rules().get(code)
    }

    /// All rules in order of their codes.
    pub fn iter(&self) -> impl Iterator<Item = &Rule> {
        self.rules().values()
    }

    /// The rule with this name.
    pub fn named(&self, name: &str) -> Option<&Rule> {
        self.iter().find(|rule| rule.name == name)
    }

    /// The code nearest to a mistyped one, if one is near.
    pub fn nearest(&self, code: &str) -> Option<&RuleCode> {
        crate::words::nearest(code, self.rules().keys().map(|known| (known.as_str(), known)))
    }
}

fn by_code(rules: impl IntoIterator<Item = Rule>) -> BTreeMap<RuleCode, Rule> {
    let mut book = BTreeMap::new();
    for rule in rules {
        if let Some(other) = book.insert(rule.code.clone(), rule) {
            panic!("two rules have the code {}; one is {}", other.code, other.name);
        }
    }
    book
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_a_form() {
        for good in ["LG001", "HOT041", "TLA999"] {
            assert_eq!(RuleCode::parse(good).map(|c| c.to_string()).as_deref(), Some(good));
        }
        for bad in ["", "L001", "LG01", "LG0001", "lg001", "LGABC", "LG 001"] {
            assert_eq!(RuleCode::parse(bad), None, "{bad}");
        }
    }
}
