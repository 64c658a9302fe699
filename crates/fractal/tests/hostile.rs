//! Any text has an answer, and what grows without bound is refused.

mod common;

use std::fmt::Write as _;

use common::{Folder, library, reading_in};
use locus_meaning::Relationships;
use locus_source::{Sources, Span};

/// The codes of the findings about a text, of which everything is made.
fn everything(folder: &Folder, text: &str) -> Vec<String> {
    let sources = Sources::new();
    let reading = reading_in(folder, &sources, "shop/Part.fractal", text);
    let everywhere = sources.add("everywhere", "x").place(Span::new(0, 0));
    let judged = reading.ruled(everywhere).map(|ruled| ruled.judge(&[])).unwrap_or_default();
    assert!(judged.findings.iter().all(|one| one.code.as_str().starts_with("FRA")), "{:?}", judged.findings);
    if let Some(text) = reading.canonical() {
        assert!(!text.is_empty());
    }
    let meaning = reading.meaning();
    assert!(locus_graph::is_well_formed(&meaning.graph(Relationships::Bindings)));
    let _ = meaning.things(&sources);
    reading.findings.iter().map(|one| one.code.to_string()).collect()
}

#[test]
fn definitions_that_double_are_refused() {
    let names: Vec<&'static str> =
        (0..40).map(|n| &*Box::leak(format!("shop/D{n}.fractal").into_boxed_str())).collect();
    let double = |n: usize| {
        format!(
            "<definition name=\"shop.D{n}\"><component name=\"a\" definition=\"shop.D{0}\"/><component name=\"b\" \
             definition=\"shop.D{0}\"/></definition>",
            n + 1
        )
    };
    let folder = Folder(names.iter().enumerate().map(|(n, name)| (*name, double(n))).collect());
    let codes = everything(&folder, "<definition name=\"shop.Part\" extends=\"shop.D0\"/>");
    assert!(codes.contains(&"FRA025".to_owned()), "{codes:?}");
}

#[test]
fn arguments_that_double_are_refused() {
    let names: Vec<&'static str> =
        (0..40).map(|n| &*Box::leak(format!("shop/D{n}.fractal").into_boxed_str())).collect();
    let double = |n: usize| {
        format!("<definition name=\"shop.D{n}\" arguments=\"x\" extends=\"shop.D{}(${{x}}${{x}})\"/>", n + 1)
    };
    let folder = Folder(names.iter().enumerate().map(|(n, name)| (*name, double(n))).collect());
    let codes = everything(&folder, "<definition name=\"shop.Part\" extends=\"shop.D0(ab)\"/>");
    assert!(codes.contains(&"FRA025".to_owned()), "{codes:?}");
}

#[test]
fn components_in_each_other_have_an_answer() {
    for text in [
        "<definition name=\"a.B\"><component name=\"x\"><component name=\"y\" definition=\"./x\"/></component></definition>",
        "<definition name=\"a.B\"><component name=\"x\"><component name=\"x\" definition=\"./x\"/></component></definition>",
        "<definition name=\"a.B\"><component name=\"x\" definition=\"./y\"/><component name=\"y\" definition=\"./x\"/></definition>",
        "<definition name=\"a.B\"><component name=\"x\" definition=\"/\"/><component name=\"y\" definition=\"x/\"/></definition>",
        "<definition name=\"a.B\"><component name=\"x\"><component name=\"x\" definition=\"./x/x/x\"/></component></definition>",
        "<definition name=\"a.B\"><controller><component name=\"x\" definition=\"./x\"/></controller></definition>",
        "<definition name=\"a.B\" extends=\"./x\"/>",
        "<definition name=\"\"/>",
        "<definition name=\"a/b\"><binding client=\"..\" server=\".\"/></definition>",
    ] {
        everything(&library(), text);
    }
}

#[test]
fn many_shared_components_are_refused_or_found() {
    let mut text =
        "<definition name=\"shop.Part\"><component name=\"c0\"><content class=\"c\"/></component>".to_owned();
    for n in (1..1_500).rev() {
        let _ = write!(text, "<component name=\"c{n}\" definition=\"./c{}\"/>", n - 1);
    }
    text.push_str("</definition>");
    assert!(everything(&library(), &text).contains(&"FRA025".to_owned()));
}

#[test]
fn every_part_of_a_text_has_an_answer() {
    let text = "<definition name=\"shop.Part\" arguments=\"a=1,b\" extends=\"shop.Sized(${a}),shop.Base\"><interface \
                name=\"i\" role=\"client\" signature=\"s\" cardinality=\"collection\"/><component name=\"c\" \
                definition=\"shop.Base\"/><component name=\"d\"><component name=\"c\" definition=\"./c\"/></component>\
                <binding client=\"this.i1\" server=\"c.r\"/><controller desc=\"composite\"/></definition>";
    let whole = everything(&library(), text);
    assert!(!whole.iter().any(|code| code == "FRA001"), "{whole:?}");
    // Without any one of its bytes it is another text, most often a wrong one.
    for at in 0..text.len() {
        everything(&library(), &format!("{}{}", &text[..at], &text[at + 1..]));
    }
}
