//! For code scanners: SARIF 2.1.0, the OASIS standard. A test validates it against the standard's own schema.

use std::collections::BTreeMap;

use serde::Serialize;

use super::bounds;
use crate::{Finding, Fix, Label, Place, Rule, RuleBook, RuleCode, Severity, Sources};

/// A SARIF log with one run. `rules` describes them; `version` is that of Locus.
pub fn sarif(findings: &[Finding], sources: &Sources, rules: &RuleBook, version: &str) -> String {
    let mut codes: Vec<&RuleCode> = findings.iter().map(|finding| &finding.code).collect();
    codes.sort();
    codes.dedup();
    let indices: BTreeMap<&RuleCode, usize> = codes.iter().enumerate().map(|(i, &code)| (code, i)).collect();
    let log = Log {
        schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "locus",
                    semantic_version: version,
                    rules: codes.iter().map(|code| descriptor(code, rules.get(code))).collect(),
                },
            },
            column_kind: "unicodeCodePoints",
            results: findings.iter().map(|f| result(f, indices[&f.code], sources)).collect(),
        }],
    };
    serde_json::to_string_pretty(&log).expect("plain data has a JSON form")
}

fn descriptor(code: &RuleCode, rule: Option<&Rule>) -> Descriptor {
    Descriptor {
        id: code.to_string(),
        name: rule.map(|rule| rule.name.to_string()),
        short_description: rule.map(|rule| Text { text: rule.summary.to_string() }),
        help: rule.filter(|rule| !rule.explanation.is_empty()).map(|rule| Markdown {
            text: rule.explanation.to_string(),
            markdown: rule.explanation.to_string(),
        }),
        default_configuration: rule.map(|rule| Configuration { level: level(rule.severity) }),
    }
}

fn result(finding: &Finding, rule_index: usize, sources: &Sources) -> SarifResult {
    let mut text = finding.message.clone();
    for extra in &finding.notes {
        text.push_str("\n\n");
        text.push_str(extra);
    }
    if let Some(more) = super::more(finding) {
        text.push_str("\n\n");
        text.push_str(&more);
    }
    if let Some(help) = &finding.help {
        text.push_str("\n\nHelp: ");
        text.push_str(help);
    }
    SarifResult {
        rule_id: finding.code.to_string(),
        rule_index,
        level: level(finding.severity),
        message: Text { text },
        locations: [location(&finding.primary, None, sources)],
        related_locations: finding
            .secondary
            .iter()
            .enumerate()
            .map(|(id, label)| location(label, Some(id), sources))
            .collect(),
        fixes: finding.fix.iter().filter_map(|fix| sarif_fix(fix, finding, sources)).collect(),
        properties: (finding.more > 0).then_some(Properties { more: finding.more }),
    }
}

fn sarif_fix(fix: &Fix, finding: &Finding, sources: &Sources) -> Option<SarifFix> {
    let change = |(place, new): (Place, String)| ArtifactChange {
        artifact_location: artifact(place, sources),
        replacements: [Replaced {
            deleted_region: region(place, sources),
            inserted_content: Text { text: new },
        }],
    };
    Some(SarifFix {
        description: finding.help.clone().map(|text| Text { text }),
        artifact_changes: fix.edits(sources)?.into_iter().map(change).collect(),
    })
}

fn level(severity: Severity) -> &'static str {
    severity.as_str()
}

fn location(label: &Label, id: Option<usize>, sources: &Sources) -> Location {
    Location {
        id,
        message: (!label.message.is_empty()).then(|| Text { text: label.message.clone() }),
        physical_location: PhysicalLocation {
            artifact_location: artifact(label.place, sources),
            region: region(label.place, sources),
        },
    }
}

fn artifact(place: Place, sources: &Sources) -> Artifact {
    Artifact { uri: uri(sources.get(place.file).name()) }
}

fn region(place: Place, sources: &Sources) -> Region {
    let (start, end) = bounds(place, sources);
    Region {
        start_line: start.line,
        start_column: start.column,
        end_line: end.line,
        end_column: end.column,
        byte_offset: place.span.start,
        byte_length: place.span.len(),
    }
}

/// A path as a relative URI reference: everything but unreserved characters and slashes is escaped.
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'\\' if cfg!(windows) => out.push('/'),
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(byte.into());
            }
            _ => {
                out.push('%');
                for digit in [byte >> 4, byte & 15] {
                    out.push(char::from_digit(digit.into(), 16).expect("a digit").to_ascii_uppercase());
                }
            }
        }
    }
    out
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool<'a>,
    column_kind: &'static str,
    results: Vec<SarifResult>,
}

#[derive(Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'a> {
    name: &'static str,
    semantic_version: &'a str,
    rules: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    short_description: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<Markdown>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default_configuration: Option<Configuration>,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
struct Markdown {
    text: String,
    markdown: String,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: String,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<SarifFix>,
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<Properties>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifFix {
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<Text>,
    artifact_changes: Vec<ArtifactChange>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange {
    artifact_location: Artifact,
    replacements: [Replaced; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replaced {
    deleted_region: Region,
    inserted_content: Text,
}

#[derive(Serialize)]
struct Properties {
    more: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "the standard calls it so")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
    physical_location: PhysicalLocation,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
    byte_offset: u32,
    byte_length: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::sample;

    fn sample_log() -> String {
        let sources = Sources::new();
        let findings = sample::findings(&sources);
        let rules = RuleBook::new([sample::TWICE]);
        sarif(&findings, &sources, &rules, "1.2.3")
    }

    /// The schema of the standard, from the package of a crate that carries it.
    fn official_schema() -> serde_json::Value {
        let output = std::process::Command::new(env!("CARGO"))
            .args([
                "metadata",
                "--format-version",
                "1",
                "--offline",
                "--locked",
                "--filter-platform",
                "host-tuple",
            ])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("cargo runs, since it runs this test");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let packages = metadata["packages"].as_array().unwrap();
        let package = packages.iter().find(|p| p["name"] == "serde-sarif").expect("a dev-dependency");
        let manifest = std::path::Path::new(package["manifest_path"].as_str().unwrap());
        let schema = std::fs::read(manifest.with_file_name("src").join("schema.json")).unwrap();
        let mut schema: serde_json::Value = serde_json::from_slice(&schema).unwrap();
        // The pattern for languages has an unmatched bracket, which a strict reader refuses; we write none.
        for part in ["run", "toolComponent"] {
            let language = &mut schema["definitions"][part]["properties"]["language"];
            language.as_object_mut().unwrap().remove("pattern").expect("the standard's slip is still there");
        }
        schema
    }

    #[test]
    fn conforms_to_the_official_schema() {
        let validator = jsonschema::validator_for(&official_schema()).unwrap();
        let errors = |log: &serde_json::Value| -> Vec<String> {
            validator.iter_errors(log).map(|e| format!("{}: {e}", e.instance_path())).collect()
        };
        let mut log: serde_json::Value = serde_json::from_str(&sample_log()).unwrap();
        assert_eq!(errors(&log), Vec::<String>::new());
        // The validator does look: a level that the standard does not know is refused.
        log["runs"][0]["results"][0]["level"] = "terrible".into();
        assert_eq!(errors(&log).len(), 1);
    }

    #[test]
    fn every_part_of_a_finding_is_there() {
        insta::assert_snapshot!(sample_log(), @r#"
        {
          "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
          "version": "2.1.0",
          "runs": [
            {
              "tool": {
                "driver": {
                  "name": "locus",
                  "semanticVersion": "1.2.3",
                  "rules": [
                    {
                      "id": "TST001",
                      "name": "address-taken",
                      "shortDescription": {
                        "text": "No two servers have the same address."
                      },
                      "help": {
                        "text": "Two servers with one address cannot talk to anybody.",
                        "markdown": "Two servers with one address cannot talk to anybody."
                      },
                      "defaultConfiguration": {
                        "level": "error"
                      }
                    },
                    {
                      "id": "TST002"
                    }
                  ]
                }
              },
              "columnKind": "unicodeCodePoints",
              "results": [
                {
                  "ruleId": "TST002",
                  "ruleIndex": 1,
                  "level": "warning",
                  "message": {
                    "text": "parameter \"size\" is never used\n\nHelp: remove it"
                  },
                  "locations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "stack.yaml"
                        },
                        "region": {
                          "startLine": 2,
                          "startColumn": 3,
                          "endLine": 2,
                          "endColumn": 7,
                          "byteOffset": 14,
                          "byteLength": 4
                        }
                      }
                    }
                  ]
                },
                {
                  "ruleId": "TST001",
                  "ruleIndex": 0,
                  "level": "error",
                  "message": {
                    "text": "VM2 and VM1 have the same address 10.0.0.5\n\nthe first server to boot gets it\n100% of the time\n\nHelp: give VM2 another address"
                  },
                  "locations": [
                    {
                      "message": {
                        "text": "taken"
                      },
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "stack.yaml"
                        },
                        "region": {
                          "startLine": 11,
                          "startColumn": 12,
                          "endLine": 11,
                          "endColumn": 20,
                          "byteOffset": 72,
                          "byteLength": 8
                        }
                      }
                    }
                  ],
                  "relatedLocations": [
                    {
                      "id": 0,
                      "message": {
                        "text": "VM1 already has it"
                      },
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "stack.yaml"
                        },
                        "region": {
                          "startLine": 4,
                          "startColumn": 12,
                          "endLine": 4,
                          "endColumn": 20,
                          "byteOffset": 42,
                          "byteLength": 8
                        }
                      }
                    },
                    {
                      "id": 1,
                      "message": {
                        "text": "free: 10.0.0.6 and up"
                      },
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "dir%2C%20a/net.yaml"
                        },
                        "region": {
                          "startLine": 1,
                          "startColumn": 14,
                          "endLine": 1,
                          "endColumn": 25,
                          "byteOffset": 13,
                          "byteLength": 11
                        }
                      }
                    }
                  ],
                  "fixes": [
                    {
                      "description": {
                        "text": "give VM2 another address"
                      },
                      "artifactChanges": [
                        {
                          "artifactLocation": {
                            "uri": "stack.yaml"
                          },
                          "replacements": [
                            {
                              "deletedRegion": {
                                "startLine": 11,
                                "startColumn": 12,
                                "endLine": 11,
                                "endColumn": 20,
                                "byteOffset": 72,
                                "byteLength": 8
                              },
                              "insertedContent": {
                                "text": "10.0.0.6"
                              }
                            }
                          ]
                        }
                      ]
                    }
                  ]
                }
              ]
            }
          ]
        }
        "#);
    }
}
