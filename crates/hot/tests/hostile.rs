//! Any bytes give findings: no panic, no hang.

use locus_hot::{Inputs, meaning, read};
use locus_meaning::Relationships;
use locus_source::Sources;
use proptest::prelude::*;

/// Pieces of templates, so that nonsense gets far.
const PIECES: &[&str] = &[
    "heat_template_version: ",
    "2013-05-23",
    "rocky",
    "wallaby",
    "\nparameters:",
    "\nresources:",
    "\noutputs:",
    "\nconditions:",
    "\nparameter_groups:",
    "\n  a:",
    "\n  b:",
    "\n    type: ",
    "OS::Neutron::Net",
    "OS::Neutron::Subnet",
    "OS::Nova::Server",
    "OS::Heat::ResourceGroup",
    "string",
    "json",
    "number",
    "comma_delimited_list",
    "\n    default: ",
    "\n    constraints: ",
    "\n    properties: ",
    "\n    depends_on: ",
    "\n    condition: ",
    "\n    value: ",
    "\n    external_id: ",
    "{ get_param: ",
    "{ get_resource: ",
    "{ get_attr: ",
    "{ if: ",
    "{ repeat: ",
    "{ template: ",
    ", for_each: ",
    "{ list_join: ",
    "{ str_replace: ",
    ", params: ",
    "{ equals: ",
    "{ not: ",
    "{ and: ",
    "{ map_merge: ",
    "{ yaql: ",
    "[ ",
    ", ",
    " ]",
    " }",
    "a",
    "b",
    "'%a%'",
    ": ",
    "1",
    "-1",
    "0.5",
    "true",
    "null",
    "''",
    "{ range: { min: 2 } }",
    "{ modulo: { step: 2, offset: 1 } }",
    "{ allowed_pattern: '(a*)*b' }",
    "cidr: ",
    "network: ",
    "10.0.0.0/24",
    "&x ",
    "*x",
    "<<: ",
    "\n",
    "  ",
    "- ",
    "ä",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_of_templates(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
        check(&format!("heat_template_version: rocky{}", pieces.concat()));
        check(&pieces.concat());
    }

    #[test]
    fn templates_with_something_else_in_them(
        at in 0.0..1.0_f64, length in 0_usize..30, pieces in prop::collection::vec(prop::sample::select(PIECES), 0..3),
    ) {
        let text = include_str!("templates/two-vms.yaml");
        let start = text.floor_char_boundary((at * text.len() as f64) as usize);
        let end = text.floor_char_boundary((start + length).min(text.len()));
        check(&format!("{}{}{}", &text[..start], pieces.concat(), &text[end..]));
    }
}

// Rules are loaded for every template, so there are fewer of these.
proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rules_judge_whatever_was_read(
        at in 0.0..1.0_f64, length in 0_usize..30, pieces in prop::collection::vec(prop::sample::select(PIECES), 0..3),
    ) {
        let text = include_str!("templates/two-vms.yaml");
        let start = text.floor_char_boundary((at * text.len() as f64) as usize);
        let end = text.floor_char_boundary((start + length).min(text.len()));
        let text = format!("{}{}{}", &text[..start], pieces.concat(), &text[end..]);
        let sources = Sources::new();
        let file = sources.add("t.yaml", text);
        if let Some(template) = read(&sources, &file, &Inputs::default()).template {
            let checked = locus_hot::check(&template);
            let of_the_engine = checked.findings.iter().find(|finding| !finding.code.as_str().starts_with("HOT"));
            prop_assert_eq!(of_the_engine, None);
        }
    }
}

/// A text is a text, whatever signs it has.
#[test]
fn control_characters_are_texts_like_others() {
    let sources = Sources::new();
    let text = "heat_template_version: rocky\nresources:\n  a: { type: OS::Neutron::Port, properties: { network: n, mac_address: \"\\x010\" } }\n  b: { type: OS::Neutron::Port, properties: { network: n, mac_address: \"\\x010\" } }\n";
    let file = sources.add("t.yaml", text);
    let template = read(&sources, &file, &Inputs::default()).template.expect("it can be read");
    let findings = locus_hot::check(&template).findings;
    let messages: Vec<_> = findings.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(messages, ["`a` and `b` have the same MAC address `\u{1}0` in the same network"]);
}

fn check(text: &str) {
    let sources = Sources::new();
    let file = sources.add("t.yaml", text);
    let environment = sources.add("e.yaml", text);
    let inputs = Inputs { environments: vec![environment], ..Inputs::default() };
    let reading = read(&sources, &file, &inputs);
    let again = read(&sources, &file, &inputs);
    assert_eq!(reading.findings, again.findings);
    if let Some(template) = &reading.template {
        let graph = meaning(template).graph(Relationships::default());
        let of_resources = template.resources.iter().filter(|resource| resource.created != Some(false));
        assert!(graph.len() >= of_resources.count());
        assert!(locus_graph::is_well_formed(&graph));
    }
}
