//! The description of a rule, in the comment before its fact.
//!
//! ```text
//! /** HOT131 duplicate-mac-address: Ports have distinct MAC addresses.
//!  *
//!  * Why that is so, in Markdown, for those who ask.
//!  *
//!  * @severity warning
//!  * @message {p} and {q} have the same MAC address {p.prop_mac_address}
//!  * @at p.prop_mac_address
//!  * @also q.prop_mac_address the same address
//!  * @help leave one of them out: Neutron then chooses one
//!  * @when always
//!  * @openstack deployment error
//!  * @report no_distinct_ports_with_the_same_mac_address
//!  * @native HOT033
//!  */
//! fact no_distinct_ports_with_the_same_mac_address { … }
//! ```
//!
//! `@when` says of which configurations the rule speaks ([`When`]): an update passes through others than that which a
//! file describes. `@report` has the names of the facts of section 7.1.4 of the report that the rule stands for, and
//! `@openstack` what OpenStack does when it is broken. In braces, and after `@at` and `@also`, stands a variable of the
//! fact, or a path from it along fields. A line that begins with no `@` continues the one before. `@native` names the
//! rule of the reader that sees to the same: such a fact is there for the model finder and for people, and is not
//! evaluated on files.

use std::borrow::Cow;

use locus_source::{Rule, RuleCode, Severity};

use crate::UNNAMED;
use crate::phrase::{Path, Phrase};

/// The description of a rule in its comment.
#[derive(Clone, Debug)]
pub struct Description {
    /// Code, name, severity, summary and explanation.
    pub rule: Rule,
    /// The name of the fact.
    pub fact: Option<String>,
    /// The reaction of OpenStack, or of whatever builds the thing, when the rule is broken.
    pub remark: Option<String>,
    /// The names of the facts in the report that it stands for.
    pub report: Vec<String>,
    /// The rule of a reader that sees to the same.
    pub native: Option<RuleCode>,
    /// The configurations that it speaks of, if it says so.
    pub when: Option<When>,
    pub(crate) message: Option<Phrase>,
    /// The main place first.
    pub(crate) places: Vec<(Path, Phrase)>,
    pub(crate) help: Option<Phrase>,
}

/// The configurations that a rule speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// None: it is about the text of a file, which is read before anything is done.
    Text,
    /// Every one on the way of a deployment or an update: whatever builds the things refuses a step that breaks it.
    Always,
    /// Finished ones. While something is built or changed, it may be broken.
    End,
    /// Those from which something is deleted.
    Delete,
}

impl When {
    /// Reads the word after `@when`.
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "text" => Self::Text,
            "always" => Self::Always,
            "end" => Self::End,
            "delete" => Self::Delete,
            _ => return None,
        })
    }
}

/// The tags that the comment of a rule can have after `@`.
pub(crate) const TAGS: [&str; 9] =
    ["severity", "message", "at", "also", "help", "when", "openstack", "report", "native"];

impl Description {
    pub(crate) fn read(doc: &str, fact: Option<&str>) -> Self {
        let mut read = Self {
            rule: UNNAMED,
            fact: fact.map(str::to_owned),
            remark: None,
            report: Vec::new(),
            native: None,
            when: None,
            message: None,
            places: Vec::new(),
            help: None,
        };
        let (head, tags) = split(doc);
        read.head(&head);
        for (tag, text) in tags {
            match tag.as_str() {
                "severity" => {
                    if let Ok(severity) = text.parse::<Severity>() {
                        read.rule.severity = severity;
                    }
                }
                "message" => read.message = Some(Phrase::read(&text)),
                "at" | "also" => {
                    let (path, label) = text.split_once(' ').unwrap_or((&text, ""));
                    let entry = (Path::read(path), Phrase::read(label.trim()));
                    if tag == "at" { read.places.insert(0, entry) } else { read.places.push(entry) }
                }
                "help" => read.help = Some(Phrase::read(&text)),
                "openstack" => read.remark = Some(text),
                "report" => read.report.extend(text.split_whitespace().map(str::to_owned)),
                "native" => read.native = RuleCode::parse(&text),
                "when" => read.when = When::parse(&text),
                _ => {}
            }
        }
        read
    }

    /// All variables, with the fields after them, that it speaks of.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        let phrases = self.message.iter().chain(&self.help).chain(self.places.iter().map(|(_, label)| label));
        let places = self.places.iter().map(|(path, _)| path).filter(|path| !path.variable.is_empty());
        places.chain(phrases.flat_map(Phrase::paths))
    }

    /// Whether it has a message, a place and help of its own.
    pub fn is_complete(&self) -> bool {
        self.message.is_some() && !self.places.is_empty() && self.help.is_some()
    }

    /// The first sentence, `CODE name: summary`, and the explanation after it.
    fn head(&mut self, head: &str) {
        let (first, rest) = head.split_once("\n\n").unwrap_or((head, ""));
        let first = first.split_whitespace().collect::<Vec<_>>().join(" ");
        let Some((code, after)) = first.split_once(' ') else { return };
        let (Some(code), Some((name, summary))) = (RuleCode::parse(code), after.split_once(": ")) else {
            return;
        };
        self.rule.code = code;
        self.rule.name = Cow::Owned(name.to_owned());
        self.rule.summary = Cow::Owned(summary.to_owned());
        self.rule.explanation = Cow::Owned(rest.trim().to_owned());
    }
}

/// The text before the tags, and the tags with their texts.
fn split(doc: &str) -> (String, Vec<(String, String)>) {
    let mut head = String::new();
    let mut tags: Vec<(String, String)> = Vec::new();
    for line in doc.lines() {
        if let Some(tagged) = line.strip_prefix('@') {
            let (tag, text) = tagged.split_once(' ').unwrap_or((tagged, ""));
            tags.push((tag.to_owned(), text.trim().to_owned()));
        } else if let Some((_, text)) = tags.last_mut() {
            text.push(' ');
            text.push_str(line.trim());
            text.truncate(text.trim_end().len());
        } else {
            head.push_str(line);
            head.push('\n');
        }
    }
    (head.trim().to_owned(), tags)
}

/// A rule found in the text of a module.
#[derive(Clone, Debug)]
pub struct Listed<'t> {
    /// Its description.
    pub description: Description,
    /// Its Alloy text, without the comment.
    pub text: &'t str,
}

/// All rules in the text of a module, without reading it as Alloy: a comment that begins with a code, and the fact
/// after it. For listing and explaining rules, which should cost nothing.
pub fn scan(module: &str) -> Vec<Listed<'_>> {
    let mut found = Vec::new();
    comments(module, |doc, after| {
        let name: String = after["fact ".len()..]
            .trim_start()
            .chars()
            .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '\''))
            .collect();
        let description = Description::read(&text_of(doc), Some(&name));
        if description.rule.code != UNNAMED.code {
            found.push(Listed { description, text: &after[..paragraph(after)] });
        }
    });
    found
}

/// The codes of all rules in the text of a module, with what each stands for; nothing else of them is read.
pub fn scan_rules(module: &str) -> Vec<Rule> {
    let mut found = Vec::new();
    comments(module, |doc, _| {
        let doc = text_of(doc);
        let (head, tags) = doc.split_once("\n@").unwrap_or((&doc, ""));
        let mut read = Description::read(head.trim(), None);
        let severity = tags.split('@').find_map(|tag| tag.strip_prefix("severity "));
        if let Some(severity) = severity.and_then(|word| word.trim().parse().ok()) {
            read.rule.severity = severity;
        }
        if read.rule.code != UNNAMED.code {
            found.push(read.rule);
        }
    });
    found
}

/// The comments before facts, and the text from the fact on.
fn comments<'t>(module: &'t str, mut see: impl FnMut(&'t str, &'t str)) {
    let mut rest = module;
    while let Some(start) = rest.find("/**") {
        let Some(length) = rest[start..].find("*/") else { break };
        let comment = &rest[start + 3..start + length];
        rest = &rest[start + length + 2..];
        let after = rest.trim_start();
        if after.starts_with("fact ") {
            see(comment, after);
        }
    }
}

/// The text of a comment without the stars before its lines.
pub(crate) fn text_of(comment: &str) -> String {
    let mut text = String::with_capacity(comment.len());
    for line in comment.lines() {
        let line = line.trim();
        text.push_str(line.strip_prefix('*').map_or(line, str::trim_start));
        text.push('\n');
    }
    text.trim().to_owned()
}

/// Where the braces that a text opens are closed.
fn paragraph(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &str = "module m
/** no rule */
sig A {}
/** ABC007 a-name: All is
 *  well.
 *
 *  Because.
 *
 *  Really.
 *  @severity warning
 *  @message {p} is not
 *    well
 *  @also p.f second
 *  @at p first
 *  @openstack deployment error
 */
fact all_well { all p: A { p = p } }
fact { some A }
";

    #[test]
    fn a_rule_is_found_with_all_that_it_says() {
        let [rule] = &scan(MODULE)[..] else { panic!("one rule") };
        assert_eq!(rule.text, "fact all_well { all p: A { p = p } }");
        let description = &rule.description;
        assert_eq!(description.rule.code.as_str(), "ABC007");
        assert_eq!(description.rule.name, "a-name");
        assert_eq!(description.rule.severity, Severity::Warning);
        assert_eq!(description.rule.summary, "All is well.");
        assert_eq!(description.rule.explanation, "Because.\n\nReally.");
        assert_eq!(description.remark.as_deref(), Some("deployment error"));
        assert_eq!(description.places[0].0, Path::read("p"));
        assert_eq!(description.places[1].0, Path::read("p.f"));
        assert_eq!(description.message, Some(Phrase::read("{p} is not well")));
    }

    #[test]
    fn rules_alone_are_the_same() {
        let whole: Vec<Rule> = scan(MODULE).into_iter().map(|listed| listed.description.rule).collect();
        assert_eq!(scan_rules(MODULE), whole);
    }

    #[test]
    fn a_comment_without_a_code_describes_nothing() {
        let description = Description::read("Just words.", Some("f"));
        assert_eq!(description.rule, UNNAMED);
        assert!(description.message.is_none());
    }

    #[test]
    fn a_text_that_ends_early_is_no_rule() {
        assert!(scan("/** ABC001 x: y").is_empty());
        assert_eq!(scan("/** ABC001 x: y */ fact f {").len(), 1);
    }
}
