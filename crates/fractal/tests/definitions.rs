//! Definitions: merging, arguments, sharing; what is not known; the location graph, the order of starting, and the
//! canonical form.

mod common;

use common::{Folder, findings, library, reading_in};
use locus_fractal::Reading;
use locus_meaning::Relationships;
use locus_source::{Severity, Sources};

fn read(folder: &Folder, text: &str) -> Reading {
    reading_in(folder, &Sources::new(), "shop/Part.fractal", text)
}

fn canonical(folder: &Folder, text: &str) -> String {
    read(folder, text).canonical().expect("it is a definition")
}

/// The canonical form without what stands before the definition.
fn merged(folder: &Folder, text: &str) -> String {
    let text = canonical(folder, text);
    text[text.find("<definition").expect("there is one")..].to_owned()
}

const SHOP: &str = r#"<definition name="shop.Part">
  <interface name="r" role="server" signature="java.lang.Runnable"/>
  <component name="front">
    <interface name="r" role="server" signature="java.lang.Runnable"/>
    <interface name="s" role="client" signature="shop.Store"/>
    <component name="client">
      <interface name="r" role="server" signature="java.lang.Runnable"/>
      <interface name="s" role="client" signature="shop.Store"/>
      <content class="shop.ClientImpl"/>
    </component>
    <binding client="this.r" server="client.r"/>
    <binding client="client.s" server="this.s"/>
  </component>
  <component name="back">
    <interface name="s" role="server" signature="shop.Store"/>
    <component name="server">
      <interface name="s" role="server" signature="shop.Store"/>
      <content class="shop.ServerImpl"/>
    </component>
    <binding client="this.s" server="server.s"/>
  </component>
  <binding client="this.r" server="front.r"/>
  <binding client="front.s" server="back.s"/>
</definition>"#;

#[test]
fn a_component_is_merged_over_its_definitions() {
    let text = r#"<definition name="shop.Part" extends="shop.Base,shop.Sized(3)">
  <interface name="r" contingency="optional"/>
  <interface name="s" role="client" signature="shop.S"/>
  <content class="shop.Own"/>
  <attributes>
    <attribute name="color" value="blue"/>
  </attributes>
</definition>"#;
    insta::assert_snapshot!(merged(&library(), text));
}

#[test]
fn arguments_have_values_by_order_by_name_and_by_default() {
    let value = |list: &str| {
        let text = format!("<definition name=\"shop.Part\" extends=\"{list}\"/>");
        let text = merged(&library(), &text);
        let values = text.lines().filter_map(|line| line.split_once("value=\"")?.1.split_once('"'));
        values.map(|(value, _)| value.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(value("shop.Sized(1)"), ["1", "red"]);
    assert_eq!(value("shop.Sized(1,blue)"), ["1", "blue"]);
    assert_eq!(value("shop.Sized(color=&gt;a b,size=&gt;f(1,2))"), ["f(1,2)", "a b"]);
}

#[test]
fn an_argument_without_a_value_is_not_known() {
    let text = "<definition name=\"shop.Part\" arguments=\"role,name\"><interface name=\"${name}\" role=\"${role}\" \
                signature=\"s\"/><interface name=\"r\" role=\"server\" signature=\"s\"/><content class=\"c\"/></definition>";
    let reading = read(&library(), text);
    assert_eq!(reading.findings, []);
    let names: Vec<&str> = reading.open.iter().map(|(_, name)| &**name).collect();
    assert_eq!(names, ["name", "role"]);
    // Whether two interfaces have one name depends on it, so that is not said.
    assert_eq!(findings(text), []);
    assert!(merged(&library(), text).contains("arguments=\"role,name\""));
}

#[test]
fn what_a_definition_of_a_library_adds_is_not_known() {
    let text = "<definition name=\"shop.Part\"><component name=\"a\" definition=\"org.lib.A(1)\"/>\
                <component name=\"b\" definition=\"shop.Base\"/><binding client=\"a.x\" server=\"b.r\"/>\
                <component name=\"c\"><component name=\"x\" definition=\"a/inner\"/></component></definition>"
        .replace("<binding client=\"a.x\" server=\"b.r\"/>", "");
    let found = findings(&text);
    assert!(found.iter().all(|(_, severity, _)| *severity != Severity::Error), "{found:?}");
    let again = merged(&library(), &text);
    assert!(
        again.contains("definition=\"org.lib.A(1)\"") && again.contains("definition=\"a/inner\""),
        "{again}"
    );
}

#[test]
fn a_shared_component_is_one() {
    let text = r#"<definition name="shop.Part">
  <component name="a">
    <component name="server" definition="shop.Base"/>
  </component>
  <component name="b">
    <component name="server" definition="a/server"/>
  </component>
</definition>"#;
    let reading = read(&library(), text);
    assert_eq!((reading.findings.len(), reading.counts().0), (0, 4));
    let graph = reading.meaning().graph(Relationships::Bindings);
    assert_eq!(graph.len(), 4);
    assert!(locus_graph::is_well_formed(&graph));
    assert!(merged(&library(), text).contains("<component name=\"server\" definition=\"a/server\"/>"));
}

#[test]
fn the_location_graph_has_boxes_in_boxes() {
    let graph = read(&library(), SHOP).meaning().graph(Relationships::Bindings);
    assert!(locus_graph::is_well_formed(&graph));
    insta::assert_snapshot!(locus_graph::text::write_yaml(&graph));
}

#[test]
fn components_are_started_after_those_that_answer_them() {
    let sources = Sources::new();
    let reading = reading_in(&library(), &sources, "shop/Part.fractal", SHOP);
    let things = reading.meaning().things(&sources);
    let mut shown = String::new();
    for thing in &things {
        use std::fmt::Write as _;
        let _ = writeln!(shown, "{}: {}", thing.name, thing.phases.join(", "));
        for need in &thing.needs {
            let (at, phase) = (&thing.phases[need.at], need.phase.as_deref().unwrap_or("ready"));
            let _ = writeln!(shown, "  {at} after {:?} is {phase}, by {:?}", need.target, need.via);
        }
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn components_that_need_each_other_are_started_in_any_order() {
    let one = |name: &str| {
        format!(
            "<component name=\"{name}\"><interface name=\"a\" role=\"server\" signature=\"s\"/><interface name=\"b\" \
             role=\"client\" signature=\"s\"/><content class=\"c\"/></component>"
        )
    };
    let text = format!(
        "<definition name=\"shop.Part\">{}{}<binding client=\"x.b\" server=\"y.a\"/><binding client=\"y.b\" \
         server=\"x.a\"/></definition>",
        one("x"),
        one("y")
    );
    let sources = Sources::new();
    let things = reading_in(&library(), &sources, "shop/Part.fractal", &text).meaning().things(&sources);
    let needs = things.iter().flat_map(|thing| &thing.needs).filter(|need| need.via.is_some());
    let phases: Vec<_> = needs.map(|need| need.phase.as_deref()).collect();
    assert_eq!(phases, [Some("created"); 2]);
    assert_eq!(findings(&text), []);
}

#[test]
fn the_canonical_form_is_read_as_itself() {
    for text in [
        SHOP,
        "<definition name=\"shop.Part\" extends=\"shop.Sized(&quot;),org.B\"><content class=\"a&lt;b\"/></definition>",
    ] {
        let once = canonical(&library(), text);
        assert_eq!(canonical(&library(), &once), once);
        assert_eq!(findings(&once).len(), findings(text).len());
    }
}

#[test]
fn a_definition_is_found_in_the_folders_around() {
    let folder = Folder(vec![
        ("src/a/b/C.fractal", "<definition name=\"a.b.C\"><content class=\"c\"/></definition>".to_owned()),
        ("src/a/D.fractal", "<definition name=\"a.D\"><content class=\"d\"/></definition>".to_owned()),
        ("src/a/x/E.fractal", "<definition name=\"other.E\"><content class=\"e\"/></definition>".to_owned()),
    ]);
    let sources = Sources::new();
    for (list, class) in [("a.b.C", "c"), ("a.D", "d"), ("other.E", "e")] {
        let text = format!("<definition name=\"a.x.F\" extends=\"{list}\"/>");
        let reading = reading_in(&folder, &sources, "src/a/x/F.fractal", &text);
        assert_eq!(reading.findings, [], "{list}");
        assert!(
            reading.canonical().is_some_and(|text| text.contains(&format!("class=\"{class}\""))),
            "{list}"
        );
    }
}
