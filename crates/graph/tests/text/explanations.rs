//! The examples in the explanations of rules do what is said of them.

use locus_graph::RULES;

use crate::findings;

/// The YAML blocks of a Markdown text.
fn blocks(markdown: &str) -> Vec<&str> {
    markdown.split("```yaml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn the_first_example_breaks_its_rule_and_the_second_does_not() {
    for rule in RULES {
        let blocks = blocks(&rule.explanation);
        let [breaks, keeps] = blocks.as_slice() else {
            panic!("{} has {} examples", rule.code, blocks.len());
        };
        let (_, found) = findings("example.lg.yaml", breaks);
        assert!(found.starts_with(rule.code.as_str()), "{}: {found}", rule.code);
        let codes = found.lines().filter(|line| !line.starts_with(' '));
        assert!(codes.map(|line| &line[..5]).all(|code| code == rule.code.as_str()), "{found}");
        let (_, found) = findings("example.lg.yaml", keeps);
        assert_eq!(found, "", "{}", rule.code);
    }
}

#[test]
fn codes_are_in_order_and_names_are_different() {
    assert!(RULES.windows(2).all(|pair| pair[0].code < pair[1].code));
    let names: std::collections::BTreeSet<&str> = RULES.iter().map(|rule| &*rule.name).collect();
    assert_eq!(names.len(), RULES.len());
    for rule in RULES {
        assert!(rule.summary.ends_with('.') && rule.explanation.ends_with('\n'), "{}", rule.code);
    }
}

#[test]
fn the_examples_of_the_documentation_are_right() {
    let text = std::fs::read_to_string(crate::workspace().join("docs/location-graphs.md")).unwrap();
    let blocks = blocks(&text);
    assert!(blocks.len() >= 4);
    for block in blocks {
        assert_eq!(findings("docs.lg.yaml", block).1, "", "{block}");
    }
    // And every rule is in its tables.
    for rule in RULES {
        assert!(text.contains(&format!("| {} |", rule.code)), "{}", rule.code);
    }
}
