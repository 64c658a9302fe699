//! Tests of the reader: what it reads, what it refuses, and that hostile texts stay small.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::{Document, Element, escaped, parse};
use crate::{Finding, Limits, Place, Sources};

fn read(text: &str) -> Result<Document, Box<Finding>> {
    let parsed = parse(&Sources::new().add("a.xml", text), &Limits::default());
    match parsed.document {
        Some(document) => {
            assert!(parsed.findings.is_empty(), "{:?}", parsed.findings);
            Ok(document)
        }
        None => Err(parsed.findings.into_iter().next().map(Box::new).expect("a refused text has a finding")),
    }
}

fn refused(text: &str) -> String {
    let finding = read(text).expect_err(text);
    format!("{} {:?} {}", finding.code, finding.primary.place.span, finding.message)
}

fn slice(document: &Document, place: Place) -> &str {
    document.source().slice(place.span)
}

/// An element in a form of its own.
fn shown(element: Element<'_>, out: &mut String) {
    let _ = write!(out, "{}(", element.name());
    for attribute in element.attributes() {
        let _ = write!(out, "{attribute:?} ");
    }
    for text in element.texts() {
        let _ = write!(out, "{:?} ", text.text());
    }
    for child in element.children() {
        shown(child, out);
    }
    out.push(')');
}

#[test]
fn a_document_has_its_parts_and_their_places() {
    let text = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<!-- c -->\n<!DOCTYPE a PUBLIC \"p\" 'b://c.dtd'>\n\
                <a x = \"1\" y:z='&lt;\t&#x41;'>one<!-- d --> two<b/><![CDATA[<three>]]>&amp;\r\n</a>\n<?pi x?>";
    let document = read(text).unwrap();
    let root = document.root();
    let mut out = String::new();
    shown(root, &mut out);
    assert_eq!(out, "a(x=\"1\" y:z=\"< A\" \"one two\" \"<three>&\\n\" b())");
    assert_eq!(document.document_type(), Some("b://c.dtd"));
    assert_eq!(slice(&document, root.place()), "<a x = \"1\" y:z='&lt;\t&#x41;'>");
    assert!(slice(&document, root.whole_place()).ends_with("</a>"));
    assert_eq!(slice(&document, root.name_place()), "a");
    let [x, z] = ["x", "y:z"].map(|name| root.attribute(name).unwrap());
    assert_eq!((slice(&document, x.place()), slice(&document, x.name_place())), ("1", "x"));
    assert_eq!((slice(&document, x.part(0..1)), slice(&document, z.part(0..1))), ("1", "&lt;\t&#x41;"));
    assert_eq!(super::local(z.name()), "z");
    let text = root.texts().nth(1).unwrap();
    assert_eq!(slice(&document, text.place()), "<![CDATA[<three>]]>&amp;\r\n");
    assert_eq!(root.named("b").count(), 1);
}

#[test]
fn what_is_not_well_formed_is_refused_where_it_is() {
    let mut all = String::new();
    for text in [
        "",
        "text",
        "<a>",
        "<a></b>",
        "</a>",
        "<a/><b/>",
        "<a/>b",
        "<a b/>",
        "<a b=c/>",
        "<a b='1'c='2'/>",
        "<a b='1' b='2'/>",
        "<a b='<'/>",
        "<a b='&x;'/>",
        "<a b='&amp'/>",
        "<a>&nbsp;</a>",
        "<a>&#0;</a>",
        "<a>&#x110000;</a>",
        "<a>]]></a>",
        "<1/>",
        "<a 1='2'/>",
        "<a><!-- -- --></a>",
        "<a/><!DOCTYPE a>",
        " <?xml version='1.0'?><a/>",
        "<?xml version='1.1'?><a/>",
        "<a>\u{1}</a>",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
        "<!DOCTYPE a SYSTEM '[' [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>",
        "<!DOCTYPE a [<!ATTLIST a b CDATA 'c'>]><a/>",
    ] {
        let _ = writeln!(all, "{text:?}\n  {}", refused(text));
    }
    insta::assert_snapshot!(all);
}

/// The first byte order mark is taken off with the encoding; the parser would pass over another one and count from
/// there.
#[test]
fn a_second_byte_order_mark_is_text() {
    for text in ["\u{feff}", "\u{feff}\u{93}", "\u{feff}<a/>"] {
        assert_eq!(
            refused(text),
            "XML001 0..3 text stands before the root element: a second byte order mark"
        );
    }
    assert!(read("<a>\u{feff}</a>").is_ok());
}

#[test]
fn a_document_type_is_named_and_not_read() {
    let document = read("<!DOCTYPE a SYSTEM \"http://example.org/[a].dtd\"><a/>").unwrap();
    assert_eq!(document.document_type(), Some("http://example.org/[a].dtd"));
    assert_eq!(read("<!DOCTYPE a><a/>").unwrap().document_type(), None);
}

#[test]
fn entities_cannot_grow() {
    let mut text = "<!DOCTYPE a [<!ENTITY a0 \"lol\">".to_owned();
    for n in 1..30 {
        let _ = write!(text, "<!ENTITY a{n} \"&a{};&a{};\">", n - 1, n - 1);
    }
    text.push_str("]><a>&a29;</a>");
    assert!(refused(&text).starts_with("XML005"));
}

#[test]
fn what_is_deep_or_large_is_refused() {
    let limits = Limits { depth: 10, nodes: 100, ..Limits::default() };
    let code = |text: &str| {
        let parsed = parse(&Sources::new().add("a.xml", text), &limits);
        parsed.findings.first().map(|finding| finding.code.to_string())
    };
    let nested = |depth: usize| format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth));
    assert_eq!((code(&nested(10)), code(&nested(11)).as_deref()), (None, Some("XML002")));
    let wide = |count: usize| format!("<a>{}</a>", "<b/>".repeat(count));
    assert_eq!((code(&wide(99)), code(&wide(100)).as_deref()), (None, Some("XML003")));
    let mut attributes = "<a".to_owned();
    (0..100).for_each(|n| write!(attributes, " a{n}=''").expect("a text can be written to"));
    assert_eq!(code(&format!("{attributes}/>")).as_deref(), Some("XML003"));
    // Without a limit on depth the stack would be one.
    assert!(refused(&"<a>".repeat(1_000_000)).starts_with("XML002"));
}

#[test]
fn many_attributes_are_read() {
    let document = |count: usize| {
        let mut text = "<a".to_owned();
        (0..count).for_each(|n| write!(text, " a{n}=''").expect("a text can be written to"));
        text + "/>"
    };
    let text = document(200_000);
    assert_eq!(read(&text).unwrap().root().attributes().len(), 200_000);
}

#[test]
fn memory_is_in_proportion_to_the_text() {
    for text in [
        format!("<a>{}</a>", "<b/>".repeat(10_000)),
        format!("<a>{}</a>", "<b c='&lt;'>x&amp;</b>".repeat(10_000)),
        format!("<a b='{}'/>", "&amp;".repeat(10_000)),
    ] {
        let document = read(&text).unwrap();
        assert!(document.memory() < 40 * text.len() + 1_000, "{} for {}", document.memory(), text.len());
    }
}

/// Documents as other readers have them.
fn compared(node: roxmltree::Node<'_, '_>, element: Element<'_>) {
    assert_eq!(node.tag_name().name(), element.local_name());
    let theirs: Vec<_> = node.attributes().map(|one| one.value().to_owned()).collect();
    let ours: Vec<_> = element.attributes().map(|one| one.value().to_owned()).collect();
    assert_eq!(theirs, ours);
    let inner = element.children().collect::<Vec<_>>();
    let nodes: Vec<_> = node.children().filter(roxmltree::Node::is_element).collect();
    assert_eq!(inner.len(), nodes.len());
    let theirs: String =
        node.children().filter_map(|child| child.is_text().then(|| child.text()).flatten()).collect();
    let ours: String = element.texts().map(super::Text::text).collect();
    let squeezed = |text: &str| text.split_ascii_whitespace().collect::<String>();
    assert_eq!(squeezed(&theirs), squeezed(&ours));
    nodes.into_iter().zip(inner).for_each(|(node, element)| compared(node, element));
}

proptest! {
    #[test]
    fn any_text_has_an_answer_that_another_reader_shares(
        pieces in proptest::collection::vec(prop_oneof![
            Just("<a>"), Just("</a>"), Just("<b/>"), Just("<b c='1' "), Just("d=\"&lt;\""), Just("/>"), Just(">"),
            Just("text"), Just("&amp;"), Just("&x;"), Just("&#65;"), Just("<![CDATA["), Just("]]>"), Just("<!--"),
            Just("-->"), Just("<?p q?>"), Just(" "), Just("\r\n"), Just("é"), Just("<!DOCTYPE a>"), Just("'"),
        ], 0..14)
    ) {
        let text = pieces.concat();
        let ours = read(&text);
        let theirs = roxmltree::Document::parse_with_options(
            &text,
            roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() },
        );
        match (&ours, &theirs) {
            (Ok(ours), Ok(theirs)) => compared(theirs.root_element(), ours.root()),
            (Err(_), Err(_)) => {}
            (ours, theirs) => prop_assert!(false, "{text:?}: {ours:?} {theirs:?}"),
        }
    }

    #[test]
    fn what_is_escaped_is_read_back(value in "[ -~\t\r\né<>&'\"]{0,20}") {
        let document = read(&format!("<a b=\"{0}\">{0}.</a>", escaped(&value))).unwrap();
        prop_assert_eq!(document.root().attribute("b").unwrap().value(), &value);
        let texts: String = document.root().texts().map(super::Text::text).collect();
        prop_assert_eq!(texts, value + ".");
    }
}

#[test]
fn any_bytes_have_an_answer() {
    // Every prefix of a text that has everything.
    let text = "<?xml version='1.0'?><!DOCTYPE a SYSTEM 'b'><a b='&#65;' c=\"é\"><![CDATA[d]]>&lt;<!-- e --><f/></a>";
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        let finding = read(&text[..end]).expect_err("a part is no document");
        assert!(finding.primary.place.span.end as usize <= end, "{:?}", finding.primary.place.span);
    }
}
