//! Suppression by a comment in the file.
//!
//! ```yaml
//! web: { provides: [http] }   # locus: ignore LG002 -- the second one is a spare
//! # locus: ignore LG001, LG002
//! web: { provides: [http] }
//! # locus: ignore-file LG003
//! ```
//!
//! Behind something on its line a comment speaks of that line; on a line of its own, of the next line that has
//! more than a comment. `ignore-file` speaks of the whole file. A comment that suppresses nothing is itself a
//! finding, so that none outlives its reason.
//!
//! The reader of the language knows its comments: it hands over their spans, so a `#` in a string is no
//! suppression.

use std::collections::HashMap;

use crate::{FileId, Finding, Rule, RuleBook, RuleCode, Severity, SourceFile, Span};

/// The rules about suppressions themselves.
pub const RULES: &[Rule] = &[UNKNOWN, UNUSED];

const UNKNOWN: Rule = Rule::new(
    "LOC001",
    "suppression-not-understood",
    Severity::Warning,
    "A suppression names rules that exist.",
    "A comment `locus: ignore CODE` suppresses findings of the rule `CODE` on its line or the next; \
     `locus: ignore-file CODE` in the whole file. Several codes are separated by commas, and a reason may \
     follow after `--`.\n\n```yaml\n# wrong: no such rule\na: 1  # locus: ignore LG999\n# right\na: 1  # locus: ignore LG001 -- why\n```",
);

const UNUSED: Rule = Rule::new(
    "LOC002",
    "suppression-unused",
    Severity::Warning,
    "A suppression suppresses something.",
    "The finding that a suppression was written for no longer exists: the file was corrected, or the finding has moved to \
     another line. Remove the comment or the entry in `locus.toml`, so that it does not hide the next mistake.",
);

/// A finding for a suppression that suppresses nothing.
pub(crate) fn unused(place: crate::Place, code: &RuleCode) -> Finding {
    Finding::new(&UNUSED, place, format!("this suppression of {code} suppresses nothing"))
        .help("remove it; what it was for is no longer found here")
}

/// The suppressions of one file.
#[derive(Debug)]
pub struct Suppressions {
    file: FileId,
    directives: Vec<Directive>,
    /// Which of them speak of a rule in a line, or in the whole file.
    by_line: HashMap<(RuleCode, Option<u32>), Vec<usize>>,
}

#[derive(Debug)]
struct Directive {
    code: RuleCode,
    span: Span,
    used: bool,
}

impl Suppressions {
    /// Reads the suppressions among the comments of a file, with findings for those that make no sense.
    pub fn read(file: &SourceFile, comments: &[Span], rules: &RuleBook) -> (Self, Vec<Finding>) {
        let mut directives = Vec::new();
        let mut by_line: HashMap<_, Vec<usize>> = HashMap::new();
        let mut findings = Vec::new();
        let mut lines = Lines::default();
        for &comment in comments {
            let Some((whole_file, codes)) = directive(file.slice(comment)) else { continue };
            let codes_at = comment.range().start + codes.start;
            let codes = &file.slice(comment)[codes];
            let line = if whole_file { None } else { Some(lines.meant(file, comment)) };
            let mut any = false;
            for (at, code) in words(codes) {
                any = true;
                let span = Span::new(codes_at + at, codes_at + at + code.len());
                match RuleCode::parse(code).filter(|code| rules.get(code).is_some()) {
                    Some(code) => {
                        by_line.entry((code.clone(), line)).or_default().push(directives.len());
                        directives.push(Directive { code, span, used: false });
                    }
                    None => findings.push(unknown(file, span, code, rules)),
                }
            }
            if !any {
                findings.push(
                    Finding::new(&UNKNOWN, file.place(comment), "this suppression names no rule")
                        .help("write the code of the rule: locus: ignore LG001"),
                );
            }
        }
        (Self { file: file.id(), directives, by_line }, findings)
    }

    /// Removes from `findings` those of this file that are suppressed.
    pub fn apply(&mut self, file: &SourceFile, findings: &mut Vec<Finding>) {
        if self.directives.is_empty() {
            return;
        }
        crate::finding::retain(findings, |finding| {
            let place = finding.primary.place;
            if place.file != self.file {
                return true;
            }
            let line = file.line_column(place.span.start as usize).line;
            let mut kept = true;
            for scope in [None, Some(line)] {
                for &index in self.by_line.get(&(finding.code.clone(), scope)).into_iter().flatten() {
                    self.directives[index].used = true;
                    kept = false;
                }
            }
            kept
        });
    }

    /// A finding for each suppression that has suppressed nothing.
    pub fn unused(&self) -> Vec<Finding> {
        let unused = self.directives.iter().filter(|directive| !directive.used);
        unused.map(|d| unused_at(self.file, d)).collect()
    }
}

fn unused_at(file: FileId, directive: &Directive) -> Finding {
    unused(crate::Place::new(file, directive.span), &directive.code)
}

fn unknown(file: &SourceFile, span: Span, code: &str, rules: &RuleBook) -> Finding {
    let finding = Finding::new(&UNKNOWN, file.place(span), format!("there is no rule {code}"));
    match rules.nearest(code) {
        Some(near) => finding.help(format!("did you mean {near}?")),
        None => finding.help("`locus explain` lists all rules"),
    }
}

/// Whether a comment is a suppression: if so, whether of the whole file, and the range of its codes.
fn directive(comment: &str) -> Option<(bool, std::ops::Range<usize>)> {
    let marks: &[char] = &['#', '/', '*', '-', '\\', '(', ' ', '\t'];
    let body = comment.trim_start_matches(marks).strip_prefix("locus:")?.trim_start();
    let (whole_file, rest) = match body.strip_prefix("ignore-file") {
        Some(rest) => (true, rest),
        None => (false, body.strip_prefix("ignore")?),
    };
    if rest.starts_with(|c: char| c.is_alphanumeric() || c == '-') {
        return None;
    }
    let codes = rest.split("--").next().unwrap_or(rest);
    let codes = codes.split("*/").next().unwrap_or(codes).split("*)").next().unwrap_or(codes);
    let start = comment.len() - rest.len();
    Some((whole_file, start..start + codes.len()))
}

/// The words of a list separated by commas or blanks, with their offsets.
fn words(list: &str) -> impl Iterator<Item = (usize, &str)> {
    let separator = |c: char| c == ',' || c.is_whitespace();
    let start = list.as_ptr() as usize;
    list.split(separator)
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr() as usize - start, word))
}

/// Which line comments speak of. Comments come in the order of the text, so a run of lines with nothing but comments
/// is walked through once.
#[derive(Default)]
struct Lines {
    /// From the first line to the last of those between, the next line that speaks is the third.
    silent: Option<(u32, u32, Option<u32>)>,
}

impl Lines {
    /// The line that a comment speaks of.
    fn meant(&mut self, file: &SourceFile, comment: Span) -> u32 {
        let own = file.line_column(comment.start as usize).line;
        let before =
            file.line_span(own).map_or("", |line| &file.text()[line.start as usize..comment.range().start]);
        if !before.trim().is_empty() {
            return own;
        }
        let from = file.line_column(comment.end as usize).line + 1;
        if let Some((first, last, next)) = self.silent
            && (first..=last).contains(&from)
        {
            return next.unwrap_or(own);
        }
        let speaks = |line: u32| {
            let text = file.line_span(line).map_or("", |span| file.slice(span)).trim();
            !text.is_empty() && !["#", "//", "--", "\\*"].iter().any(|mark| text.starts_with(mark))
        };
        let next = (from..=file.line_count()).find(|&line| speaks(line));
        self.silent = Some((from, next.unwrap_or(file.line_count()), next));
        next.unwrap_or(own)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Sources;

    const A: Rule = Rule::new("TST001", "a", Severity::Error, "A.", "");
    const B: Rule = Rule::new("TST002", "b", Severity::Error, "B.", "");

    /// Runs a file in which every `!A` and `!B` is a finding, and says what is left as `line code`.
    fn left(text: &str) -> Vec<String> {
        let sources = Sources::new();
        let file = sources.add("f", text);
        let rules = RuleBook::new([A, B]);
        let comments: Vec<Span> = text
            .match_indices('#')
            .map(|(at, _)| Span::new(at, text[at..].find('\n').map_or(text.len(), |n| at + n)))
            .collect();
        let (mut suppressions, mut findings) = Suppressions::read(&file, &comments, &rules);
        for (rule, mark) in [(&A, "!A"), (&B, "!B")] {
            let marks = text.match_indices(mark);
            findings.extend(marks.map(|(at, _)| Finding::new(rule, file.place(Span::new(at, at + 2)), "")));
        }
        suppressions.apply(&file, &mut findings);
        findings.extend(suppressions.unused());
        crate::sort_and_dedup(&mut findings, &sources);
        findings.iter().map(|f| format!("{} {}", sources.start(f.primary.place).line, f.code)).collect()
    }

    #[test]
    fn a_comment_speaks_of_its_line_or_the_next() {
        assert_eq!(left("x !A # locus: ignore TST001\n!A\n"), ["2 TST001"]);
        assert_eq!(left("# locus: ignore TST001 -- why\n\n# more\n!A !B\n!A"), ["4 TST002", "5 TST001"]);
        assert_eq!(left("#locus:ignore TST001,TST002\n!A !B\n"), [""; 0]);
        assert_eq!(left("!A\n!A\n# locus: ignore-file TST001\n"), [""; 0]);
    }

    #[test]
    fn a_suppression_that_suppresses_nothing_is_found() {
        assert_eq!(left("x # locus: ignore TST001\n"), ["1 LOC002"]);
        assert_eq!(left("!A # locus: ignore TST001 TST002\n"), ["1 LOC002"]);
        assert_eq!(left("!A # locus: ignore-file TST002\n"), ["1 TST001", "1 LOC002"]);
    }

    #[test]
    fn a_suppression_that_makes_no_sense_is_found() {
        assert_eq!(left("!A # locus: ignore TST009\n"), ["1 TST001", "1 LOC001"]);
        assert_eq!(left("!A # locus: ignore -- everything\n"), ["1 TST001", "1 LOC001"]);
    }

    #[test]
    fn a_hundred_thousand_suppressions_are_read_in_no_time() {
        let text = "# locus: ignore TST001\n".repeat(100_000) + &"!A\n".repeat(100_000);
        // All speak of the first line that is not a comment, and it has one finding.
        let left = crate::effort::within(Duration::from_secs(20), || left(&text));
        assert_eq!(left.len(), 99_999);
    }

    #[test]
    fn other_comments_are_left_alone() {
        assert_eq!(left("x # locus is a tool\n# we ignore TST001\n# locus: ignored TST001\n"), [""; 0]);
    }
}
