//! Documents: what comes with Locus, the renderings side by side, the location graph, the order of starting, and texts
//! that nobody meant.

mod common;

use std::fmt::Write as _;

use common::{codes, findings, reading};
use locus_meaning::Relationships;
use locus_source::{Sources, Span};

const SHOP: &str = include_str!("../../../examples/occi/shop.occi.json");

#[test]
fn the_data_of_the_house_is_without_findings() {
    for text in [
        include_str!("../data/core.json"),
        include_str!("../data/infrastructure.json"),
        include_str!("../data/platform.json"),
        include_str!("../data/templates.json"),
        include_str!("../data/sla.json"),
    ] {
        // Each defines what the house defines too, and refers to what is there.
        assert_eq!(codes(text), std::collections::BTreeSet::new(), "{:?}", findings(text));
    }
}

#[test]
fn the_location_graph_has_resources_and_links() {
    let sources = Sources::new();
    let graph = reading(&sources, SHOP).meaning().graph(Relationships::Bindings);
    assert!(locus_graph::is_well_formed(&graph));
    insta::assert_snapshot!(locus_graph::text::write_yaml(&graph));
}

#[test]
fn a_machine_is_started_after_its_links() {
    let sources = Sources::new();
    let mut shown = String::new();
    for thing in reading(&sources, SHOP).meaning().things(&sources) {
        let _ = writeln!(shown, "{}: {}", thing.name, thing.phases.join(", "));
        for need in &thing.needs {
            let (at, phase) = (&thing.phases[need.at], need.phase.as_deref().unwrap_or("ready"));
            let _ = writeln!(shown, "  {at} after {:?} is {phase}, by {:?}", need.target, need.via);
        }
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn the_renderings_of_one_machine_mean_the_same() {
    let json = r#"{"kind": "http://schemas.ogf.org/occi/infrastructure#compute", "id": "a", "title": "web",
        "attributes": {"occi.compute.cores": 2, "occi.compute.hostname": "web"}}"#;
    let text = "Category: compute; scheme=\"http://schemas.ogf.org/occi/infrastructure#\"; class=\"kind\"\n\
                X-OCCI-Attribute: occi.core.id=\"a\", occi.core.title=\"web\"\n\
                x-occi-attribute: occi.compute.cores=2, occi.compute.hostname=\"web\"\n";
    let xmi = r#"<occi:Configuration xmlns:occi="http://schemas.ogf.org/occi/core/ecore">
      <use href="http://schemas.ogf.org/occi/infrastructure#/"/>
      <resources id="a" title="web">
        <kind href="http://schemas.ogf.org/occi/infrastructure#//@kinds[term='compute']"/>
        <attributes name="occi.compute.cores" value="2"/>
        <attributes name="occi.compute.hostname" value="web"/>
      </resources></occi:Configuration>"#;
    for text in [json, text, xmi] {
        assert_eq!(findings(text), [], "{text}");
        let sources = Sources::new();
        let reading = reading(&sources, text);
        assert_eq!(reading.counts, [1, 0, 0, 0]);
        let graph = reading.meaning().graph(Relationships::Bindings);
        let (_, entry) = graph.iter().next().expect("there is one");
        assert_eq!(entry.sort.0.display(graph.symbols()).to_string(), "\"compute\"");
    }
}

#[test]
fn an_extension_is_found_by_the_path_of_its_plugin() {
    let text = include_str!("../../../rules/occi/examples/OCC133.good.occic");
    assert_eq!(findings(text), []);
    let small = text.replace("value=\"3\"", "value=\"0\"");
    assert_eq!(codes(&small).into_iter().collect::<Vec<_>>(), ["OCC128"]);
    let unknown = text.replace("platform:/plugin/lids/", "platform:/plugin/other/");
    let codes = codes(&unknown);
    assert!(codes.contains("OCC008") && codes.len() == 1, "{codes:?}");
}

#[test]
fn a_feature_of_a_generated_class_is_an_attribute() {
    let text = |cores: &str| {
        format!(
            "<occi:Configuration xmlns:occi=\"http://schemas.ogf.org/occi/core/ecore\" \
             xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><use \
             href=\"http://schemas.ogf.org/occi/infrastructure#/\"/><resources xsi:type=\"infrastructure:Compute\" \
             id=\"a\" occiComputeCores=\"{cores}\"><kind \
             href=\"http://schemas.ogf.org/occi/infrastructure#//@kinds[term='compute']\"/></resources></occi:Configuration>"
        )
    };
    assert_eq!(findings(&text("2")), []);
    assert!(codes(&text("two")).contains("OCC128"));
}

#[test]
fn categories_that_say_more_are_a_collection() {
    let text = "Category: a; scheme=\"http://example.org/a#\"; class=\"kind\"; \
                rel=\"http://schemas.ogf.org/occi/core#resource\"\n\
                Category: b; scheme=\"http://example.org/a#\"; class=\"mixin\"\n\
                Category: c; scheme=\"http://example.org/a#\"; class=\"kind\"; \
                rel=\"http://example.org/a#a\"; attributes=\"d{required} e\"";
    assert_eq!(findings(text), []);
    assert_eq!(reading(&Sources::new(), text).counts, [0, 0, 2, 1]);
}

/// Makes everything of a text.
fn everything(text: &str) {
    let sources = Sources::new();
    let reading = reading(&sources, text);
    let everywhere = sources.add("everywhere", "x").place(Span::new(0, 0));
    let judged = reading.ruled(everywhere).map(|ruled| ruled.judge(&[])).unwrap_or_default();
    assert!(judged.findings.iter().all(|one| one.code.as_str().starts_with("OCC")), "{:?}", judged.findings);
    assert!(locus_graph::is_well_formed(&reading.meaning().graph(Relationships::Bindings)));
    let _ = reading.meaning().things(&sources);
}

#[test]
fn every_part_of_a_text_has_an_answer() {
    let text = "Category: compute; scheme=\"http://schemas.ogf.org/occi/infrastructure#\"; class=\"kind\"\nLink: </n/1>; \
                rel=\"http://schemas.ogf.org/occi/infrastructure#network\"; \
                category=\"http://schemas.ogf.org/occi/infrastructure#networkinterface\"; a=1\nX-OCCI-Attribute: b=\"c\\\"\"";
    for end in 0..text.len() {
        everything(&text[..end]);
    }
    let kinds = "{\"kinds\": [{\"term\": \"a\", \"scheme\": \"b#\", \"parent\": \"b#a\"}], \"mixins\": [{\"term\": \"c\", \
                 \"scheme\": \"b#\", \"depends\": [\"b#a\", \"b#c\"], \"applies\": [\"b#c\"]}], \"links\": [{\"kind\": \"b#c\", \
                 \"mixins\": [\"b#a\"], \"target\": {\"location\": \"x\"}}]}";
    everything(kinds);
    for at in 0..kinds.len() {
        everything(&format!("{}{}", &kinds[..at], &kinds[at + 1..]));
    }
}

#[test]
fn what_is_too_large_for_rules_says_so() {
    let mut text = "{\"resources\": [".to_owned();
    for n in 0..2_001 {
        let comma = if n == 0 { "" } else { "," };
        let _ = write!(
            text,
            "{comma}{{\"kind\": \"http://schemas.ogf.org/occi/infrastructure#compute\", \"id\": \"{n}\"}}"
        );
    }
    text.push_str("]}");
    let sources = Sources::new();
    assert!(reading(&sources, &text).too_many().is_some());
    assert!(reading(&sources, SHOP).too_many().is_none());
}
