//! The meaning of plain scalars, against PyYAML itself and against the expressions of the two specifications.

use locus_source::Value;
use locus_source::yaml::{self, Schema, YamlOptions};
use proptest::prelude::*;
use regex::Regex;

use crate::common;

/// Type and value of a scalar as the table has them.
fn describe(value: Value<'_>) -> (&'static str, String) {
    match value {
        Value::Null => ("null", String::new()),
        Value::Bool(value) => ("bool", value.to_string()),
        Value::Int(value) => ("int", value.to_string()),
        Value::BigInt(_) => ("int", "big".to_owned()),
        Value::Float(value) => ("float", format!("{value:?}").to_lowercase()),
        Value::Str(text) => ("str", text.to_owned()),
        Value::Timestamp(text) => ("timestamp", text.to_owned()),
        Value::Sequence | Value::Mapping => ("collection", String::new()),
    }
}

fn read(text: &str, schema: Schema, then: impl FnOnce(Value<'_>)) {
    let file = common::file(&format!("- {text}\n"));
    let parsed = yaml::parse(&file, &YamlOptions { schema, ..YamlOptions::default() });
    assert_eq!(parsed.findings, [], "{text}");
    let items: Vec<_> = parsed.documents[0].root().items().collect();
    assert_eq!(items.len(), 1, "{text}");
    then(items[0].value());
}

#[test]
fn scalars_mean_what_they_mean_to_pyyaml() {
    let table = include_str!("pyyaml-scalars.tsv");
    let mut rows = 0;
    for row in table.lines() {
        let [text, kind, value] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        // Python's own notation of a float may differ from Rust's; the number must not.
        let value = match (kind, value.parse::<f64>()) {
            ("float", Ok(float)) => format!("{float:?}").to_lowercase(),
            ("int", Ok(_)) if value.parse::<i64>().is_err() => "big".to_owned(),
            _ => value.to_owned(),
        };
        // Where PyYAML raises an error, the scalar stays a text.
        let (kind, value) = if kind == "error" { ("str", text.to_owned()) } else { (kind, value) };
        // PyYAML reads these two as values of types that its safe loader does not have.
        if ["=", "<<"].contains(&text) {
            continue;
        }
        read(text, Schema::PyYaml, |actual| assert_eq!(describe(actual), (kind, value), "{text}"));
        rows += 1;
    }
    assert!(rows > 1000);
}

#[test]
fn scalars_of_the_core_schema() {
    let cases = [
        ("~", Value::Null),
        ("NULL", Value::Null),
        ("true", Value::Bool(true)),
        ("False", Value::Bool(false)),
        ("yes", Value::Str("yes")),
        ("0440", Value::Int(440)),
        ("0o17", Value::Int(15)),
        ("0x1F", Value::Int(31)),
        ("-0x1F", Value::Str("-0x1F")),
        ("22:22", Value::Str("22:22")),
        ("1_000", Value::Str("1_000")),
        ("1e3", Value::Float(1000.0)),
        ("+12", Value::Int(12)),
        ("-.5", Value::Float(-0.5)),
        ("1.", Value::Float(1.0)),
        ("-.inf", Value::Float(f64::NEG_INFINITY)),
        ("inf", Value::Str("inf")),
        ("2024-01-02", Value::Str("2024-01-02")),
        ("9223372036854775807", Value::Int(i64::MAX)),
        ("-9223372036854775808", Value::Int(i64::MIN)),
        ("9223372036854775808", Value::BigInt("9223372036854775808")),
        ("0xffffffffffffffffffffffffffffffffffff", Value::BigInt("0xffffffffffffffffffffffffffffffffffff")),
    ];
    for (text, value) in cases {
        read(text, Schema::Core, |actual| assert_eq!(actual, value, "{text}"));
    }
    read(".NaN", Schema::Core, |actual| assert!(matches!(actual, Value::Float(f) if f.is_nan())));
}

#[test]
fn line_breaks_that_only_pyyaml_knows_are_reported_to_its_users() {
    let file = common::file("a: é\u{2028}b\n");
    let codes = |options| -> Vec<_> {
        let parsed = yaml::parse(&file, &options);
        parsed.findings.iter().map(|finding| finding.code.to_string()).collect()
    };
    assert_eq!(codes(YamlOptions::pyyaml()), ["YML009"]);
    assert!(codes(YamlOptions::default()).is_empty());
}

/// The type that the regular expressions of section 10.3.2 of YAML 1.2.2 give.
fn core_type(text: &str) -> &'static str {
    first_match(
        text,
        &[
            ("null", r"null|Null|NULL|~"),
            ("bool", "true|True|TRUE|false|False|FALSE"),
            ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"),
            ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"),
            ("float", r"[-+]?(\.inf|\.Inf|\.INF)|\.nan|\.NaN|\.NAN"),
        ],
    )
}

/// The type that the regular expressions in PyYAML 6's `resolver.py` give.
fn pyyaml_type(text: &str) -> &'static str {
    let date = "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}";
    let time = r"[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\.[0-9]*)?([ \t]*(Z|[-+][0-9]{1,2}(:[0-9]{2})?))?";
    first_match(
        text,
        &[
            ("bool", "yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF"),
            ("float", r"[-+]?[0-9][0-9_]*\.[0-9_]*([eE][-+][0-9]+)?|\.[0-9][0-9_]*([eE][-+][0-9]+)?"),
            ("float", r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"),
            // With nothing but underscores after the prefix, PyYAML's loader fails, and ours keeps the text.
            ("str", "[-+]?0[bx]_+"),
            ("int", "[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+"),
            ("int", "[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+"),
            ("null", "~|null|Null|NULL"),
            ("timestamp", &format!(r"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}|{date}([Tt]|[ \t]+){time}")),
        ],
    )
}

fn first_match(text: &str, types: &[(&'static str, &str)]) -> &'static str {
    let matches = |pattern: &str| Regex::new(&format!("^({pattern})$")).unwrap().is_match(text);
    types.iter().find(|(_, pattern)| matches(pattern)).map_or("str", |(name, _)| name)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn types_are_those_of_the_specifications(
        text in prop_oneof![
            "[-+]?[0-9]{1,3}([_:.eE+-]{0,2}[0-9]{1,2}){0,3}[.]?",
            "[-+]?(0[xob_])?[0-9a-f_]{1,6}",
            "[-+]?[.]?(inf|Inf|nan|NaN|null|Null|true|on|No|yes|[0-9])[.]?",
            "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ][0-9]{1,2}:[0-9]{2}:[0-9]{2}([.][0-9]?)?( ?(Z|[+-][0-9]{1,2}))?)?",
        ]
    ) {
        // What is no plain scalar of one line has no type.
        prop_assume!(!text.ends_with(':') && !text.contains(": ") && text != "-" && !text.starts_with("- "));
        read(&text, Schema::Core, |value| assert_eq!(describe(value).0, core_type(&text), "{text}"));
        read(&text, Schema::PyYaml, |value| assert_eq!(describe(value).0, pyyaml_type(&text), "{text}"));
    }
}
