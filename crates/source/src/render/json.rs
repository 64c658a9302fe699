//! For programs: stable JSON, described in `docs/output.md`.

use serde::Serialize;

use super::bounds;
use crate::{Finding, Fix, Label, Place, RuleBook, Sources};

/// The version of the JSON form. Fields may be added within a version; none changes meaning or goes away.
pub const JSON_VERSION: u32 = 2;

/// A finding as JSON.
#[derive(Serialize, Debug)]
pub struct JsonFinding {
    code: String,
    rule: Option<String>,
    severity: &'static str,
    message: String,
    place: JsonPlace,
    also: Vec<JsonPlace>,
    notes: Vec<String>,
    help: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<JsonFix>,
    more: usize,
}

/// A change of files after which the finding is gone.
#[derive(Serialize, Debug)]
struct JsonFix {
    certain: bool,
    edits: Vec<JsonEdit>,
}

#[derive(Serialize, Debug)]
struct JsonEdit {
    place: JsonPlace,
    new: String,
}

/// A place as JSON.
#[derive(Serialize, Debug)]
pub struct JsonPlace {
    file: String,
    start: JsonPosition,
    end: JsonPosition,
    message: Option<String>,
}

#[derive(Serialize, Debug)]
struct JsonPosition {
    line: u32,
    column: u32,
    offset: u32,
}

/// All findings in their JSON form. `rules` gives the names of rules.
pub fn json_findings(findings: &[Finding], sources: &Sources, rules: &RuleBook) -> Vec<JsonFinding> {
    findings.iter().map(|finding| json_finding(finding, sources, rules)).collect()
}

fn json_finding(finding: &Finding, sources: &Sources, rules: &RuleBook) -> JsonFinding {
    JsonFinding {
        code: finding.code.to_string(),
        rule: rules.get(&finding.code).map(|rule| rule.name.to_string()),
        severity: finding.severity.as_str(),
        message: finding.message.clone(),
        place: labelled(&finding.primary, sources),
        also: finding.secondary.iter().map(|label| labelled(label, sources)).collect(),
        notes: finding.notes.clone(),
        help: finding.help.clone(),
        fix: finding.fix.as_ref().and_then(|fix| json_fix(fix, sources)),
        more: finding.more,
    }
}

fn json_fix(fix: &Fix, sources: &Sources) -> Option<JsonFix> {
    let edit = |(place, new): (Place, String)| JsonEdit { place: json_place(place, sources), new };
    let edits = fix.edits(sources)?.into_iter().map(edit).collect();
    Some(JsonFix { certain: fix.is_certain, edits })
}

fn labelled(label: &Label, sources: &Sources) -> JsonPlace {
    let message = (!label.message.is_empty()).then(|| label.message.clone());
    JsonPlace { message, ..json_place(label.place, sources) }
}

/// A place in its JSON form, of which nothing is said.
pub fn json_place(place: Place, sources: &Sources) -> JsonPlace {
    let (start, end) = bounds(place, sources);
    JsonPlace {
        file: sources.get(place.file).name().to_owned(),
        start: JsonPosition { line: start.line, column: start.column, offset: place.span.start },
        end: JsonPosition { line: end.line, column: end.column, offset: place.span.end },
        message: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::sample;

    #[test]
    fn every_part_of_a_finding_is_there() {
        let sources = Sources::new();
        let findings = sample::findings(&sources);
        let rules = RuleBook::new([sample::TWICE, sample::UNUSED]);
        let json = serde_json::to_string_pretty(&json_findings(&findings[1..], &sources, &rules)).unwrap();
        insta::assert_snapshot!(json, @r#"
        [
          {
            "code": "TST001",
            "rule": "address-taken",
            "severity": "error",
            "message": "VM2 and VM1 have the same address 10.0.0.5",
            "place": {
              "file": "stack.yaml",
              "start": {
                "line": 11,
                "column": 12,
                "offset": 72
              },
              "end": {
                "line": 11,
                "column": 20,
                "offset": 80
              },
              "message": "taken"
            },
            "also": [
              {
                "file": "stack.yaml",
                "start": {
                  "line": 4,
                  "column": 12,
                  "offset": 42
                },
                "end": {
                  "line": 4,
                  "column": 20,
                  "offset": 50
                },
                "message": "VM1 already has it"
              },
              {
                "file": "dir, a/net.yaml",
                "start": {
                  "line": 1,
                  "column": 14,
                  "offset": 13
                },
                "end": {
                  "line": 1,
                  "column": 25,
                  "offset": 24
                },
                "message": "free: 10.0.0.6 and up"
              }
            ],
            "notes": [
              "the first server to boot gets it\n100% of the time"
            ],
            "help": "give VM2 another address",
            "fix": {
              "certain": false,
              "edits": [
                {
                  "place": {
                    "file": "stack.yaml",
                    "start": {
                      "line": 11,
                      "column": 12,
                      "offset": 72
                    },
                    "end": {
                      "line": 11,
                      "column": 20,
                      "offset": 80
                    },
                    "message": null
                  },
                  "new": "10.0.0.6"
                }
              ]
            },
            "more": 0
          }
        ]
        "#);
    }
}
