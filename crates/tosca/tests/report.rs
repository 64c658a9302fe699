//! The types of section 5.2 of the report are among those that come with Locus.

use std::collections::BTreeSet;

#[test]
fn the_types_of_the_report_are_those_of_the_house() {
    let report = include_str!("../../../rules/TOSCA_types.als");
    let house = include_str!("../data/simple-1.0.yaml");
    let mut names = BTreeSet::new();
    for comment in report.split("/**").skip(1).filter_map(|rest| rest.split("*/").next()) {
        for word in comment.split([' ', '\n', ',', ':']) {
            if let Some(rest) = word.strip_prefix("tosca.")
                && let Some((kind, name)) = rest.split_once('.')
            {
                names.insert(format!("tosca.{kind}.{}", name.trim_end_matches(['.', ';'])));
            }
        }
    }
    names
        .retain(|name| !name.ends_with("AttachTo") && name != "tosca.nodes.Container" && !name.contains('*'));
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        assert!(house.contains(&format!("\n  {name}:")), "{name} is not among the types of the house");
    }
}
