//! For GitHub: workflow commands, which become annotations on the lines of a pull request.

use std::fmt::Write;

use super::bounds;
use crate::{Finding, Severity, Sources};

/// One workflow command for each finding, a line each.
pub fn github(findings: &[Finding], sources: &Sources) -> String {
    let mut out = String::new();
    for finding in findings {
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let (start, end) = bounds(finding.primary.place, sources);
        let file = sources.get(finding.primary.place.file);
        let _ = write!(
            out,
            "::{command} file={},line={},col={},endLine={},",
            property(file.name()),
            start.line,
            start.column,
            end.line,
        );
        // GitHub refuses an end column when the lines differ.
        if start.line == end.line {
            let _ = write!(out, "endColumn={},", end.column);
        }
        let _ = writeln!(out, "title={}::{}", property(finding.code.as_str()), data(&text(finding, sources)));
    }
    out
}

fn text(finding: &Finding, sources: &Sources) -> String {
    let mut text = finding.message.clone();
    if !finding.primary.message.is_empty() {
        let _ = write!(text, ": {}", finding.primary.message);
    }
    for label in &finding.secondary {
        let _ = write!(text, "\n{}: {}", sources.describe(label.place), label.message);
    }
    for note in &finding.notes {
        let _ = write!(text, "\nnote: {note}");
    }
    if let Some(more) = super::more(finding) {
        let _ = write!(text, "\nnote: {more}");
    }
    if let Some(help) = &finding.help {
        let _ = write!(text, "\nhelp: {help}");
    }
    text
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::sample;

    #[test]
    fn one_line_each_with_everything_escaped() {
        let sources = Sources::new();
        let findings = sample::findings(&sources);
        insta::assert_snapshot!(github(&findings, &sources), @r#"
        ::warning file=stack.yaml,line=2,col=3,endLine=2,endColumn=7,title=TST002::parameter "size" is never used%0Ahelp: remove it
        ::error file=stack.yaml,line=11,col=12,endLine=11,endColumn=20,title=TST001::VM2 and VM1 have the same address 10.0.0.5: taken%0Astack.yaml:4:12: VM1 already has it%0Adir, a/net.yaml:1:14: free: 10.0.0.6 and up%0Anote: the first server to boot gets it%0A100%25 of the time%0Ahelp: give VM2 another address
        "#);
    }
}
