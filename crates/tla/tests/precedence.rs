//! Every pair of operators against a table of precedences that is not the parser's own.

use locus_source::{Sources, Span};
use locus_tla::syntax::ast::{Expr, ExprKind};
use locus_tla::syntax::parse_expression;

#[derive(Clone, Debug, PartialEq)]
struct Operator {
    name: String,
    low: u32,
    high: u32,
    left: bool,
}

fn table(position: &str) -> Vec<Operator> {
    let rows = include_str!("operators.txt").lines().filter(|line| !line.starts_with('#'));
    let rows = rows.map(|line| line.split(' ').collect::<Vec<_>>());
    rows.filter(|row| row[4] == position)
        .map(|row| Operator {
            name: row[0].to_owned(),
            low: row[1].parse().unwrap(),
            high: row[2].parse().unwrap(),
            left: row[3] == "left",
        })
        .collect()
}

/// Which of two operators takes the operand between them, by the definition: the one with the wholly higher range;
/// the left one if they are the same and associate; otherwise none.
fn expected(left: &Operator, right: &Operator) -> Option<&'static str> {
    if left.low > right.high {
        Some("left")
    } else if left.high < right.low {
        Some("right")
    } else if left == right && left.left {
        Some("left")
    } else {
        None
    }
}

/// The outermost operator's position in the text, or nothing if the text is refused as ambiguous.
fn outermost(text: &str) -> Option<usize> {
    let sources = Sources::new();
    let file = sources.add("test", text);
    let parsed = parse_expression(file.id(), text, Span::new(0, text.len()));
    if !parsed.findings.is_empty() {
        let codes: Vec<_> = parsed.findings.iter().map(|f| f.code.to_string()).collect();
        assert!(codes.iter().all(|code| code == "TLA003"), "{text}: {:?}", parsed.findings);
        return None;
    }
    let Expr { kind, .. } = parsed.tree.unwrap();
    match kind {
        ExprKind::Infix { op, .. } | ExprKind::Prefix { op, .. } | ExprKind::Postfix { op, .. } => {
            Some(op.span.start as usize)
        }
        // A product of three is one product; its place is that of the first sign.
        ExprKind::Times(_) => Some(text.find("\\times").unwrap()),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn all_pairs_of_infix_operators() {
    let operators = table("infix");
    assert!(operators.len() > 80, "the table has {} infix operators", operators.len());
    for left in &operators {
        for right in &operators {
            let text = format!("a {} b {} c", left.name, right.name);
            let second = 2 + left.name.len() + 3;
            let wanted = match expected(left, right) {
                Some(_) if left == right && left.name == "\\times" => Some(2),
                Some("left") => Some(second),
                Some(_) => Some(2),
                None => None,
            };
            assert_eq!(outermost(&text), wanted, "{text}");
        }
    }
}

#[test]
fn prefix_operators_before_infix_and_postfix_ones() {
    for prefix in &table("prefix") {
        let sign = if prefix.name == "-." { "-" } else { &prefix.name };
        for infix in &table("infix") {
            let text = format!("{sign} a {} b", infix.name);
            let wanted = match expected(prefix, infix) {
                Some("left") => Some(sign.len() + 3),
                Some(_) => Some(0),
                None => None,
            };
            assert_eq!(outermost(&text), wanted, "{text}");
        }
        for postfix in &table("postfix") {
            let text = format!("{sign} a {}", postfix.name);
            let wanted = match expected(prefix, postfix) {
                Some("left") => Some(sign.len() + 3),
                Some(_) => Some(0),
                None => None,
            };
            assert_eq!(outermost(&text), wanted, "{text}");
        }
    }
}

#[test]
fn infix_operators_before_postfix_ones() {
    for infix in &table("infix") {
        for postfix in &table("postfix") {
            let text = format!("a {} b {}", infix.name, postfix.name);
            let wanted = match expected(infix, postfix) {
                Some("left") => Some(infix.name.len() + 5),
                Some(_) => Some(2),
                None => None,
            };
            assert_eq!(outermost(&text), wanted, "{text}");
        }
    }
}
