//! Renderings of findings: for people at a terminal, for programs, for code scanners and for GitHub.
//!
//! Each rendering is a pure function from findings to text; nothing here prints. The forms that programs read
//! have types of their own, so that what we promise in `docs/output.md` does not change when [`Finding`] does.
//!
//! [`Finding`]: crate::Finding

mod github;
mod human;
mod json;
mod sarif;

pub use github::github;
pub use human::{Style, human};
pub use json::{JSON_VERSION, JsonFinding, json_finding, json_findings};
pub use sarif::sarif;

use crate::{LineColumn, Place, Sources};

/// Where a place starts and ends, as people count.
fn bounds(place: Place, sources: &Sources) -> (LineColumn, LineColumn) {
    let file = sources.get(place.file);
    let span = place.span.range();
    (file.line_column(span.start), file.line_column(span.end))
}

#[cfg(test)]
pub(crate) mod sample {
    //! One set of findings for the tests of all renderings.

    use crate::{Finding, Place, Rule, Severity, Sources, Span};

    pub(crate) const TWICE: Rule = Rule::new(
        "TST001",
        "address-taken",
        Severity::Error,
        "No two servers have the same address.",
        "Two servers with one address cannot talk to anybody.",
    );
    pub(crate) const UNUSED: Rule =
        Rule::new("TST002", "unused", Severity::Warning, "Every parameter is used.", "Remove it.");

    const STACK: &str =
        "parameters:\n  size: small\nVM1:\n  address: 10.0.0.5\n\n\n\n\n\nVM2:\n  address: 10.0.0.5 # ü\n";
    const NET: &str = "net: { cidr: 10.0.0.0/24 }\n";

    pub(crate) fn findings(sources: &Sources) -> Vec<Finding> {
        let stack = sources.add("stack.yaml", STACK);
        let net = sources.add("dir, a/net.yaml", NET);
        let place = |needle: &str, nth: usize| {
            let (start, _) = STACK.match_indices(needle).nth(nth).expect("the sample has it");
            stack.place(Span::new(start, start + needle.len()))
        };
        vec![
            Finding::new(&UNUSED, place("size", 0), "parameter \"size\" is never used").help("remove it"),
            Finding::new(&TWICE, place("10.0.0.5", 1), "VM2 and VM1 have the same address 10.0.0.5")
                .label("taken")
                .also(place("10.0.0.5", 0), "VM1 already has it")
                .also(Place::new(net.id(), Span::new(13, 24)), "free: 10.0.0.6 and up")
                .note("the first server to boot gets it\n100% of the time")
                .help("give VM2 another address"),
        ]
    }
}
