//! Facts judged on data of which not everything is known.

mod common;

use std::fmt::Write;

use locus_alloy::{Blank, Data, Given, Model, Sort};

const RULES: &str = "open util/net as net
open util/text as text
abstract sig Resource {}
sig Server extends Resource { ports: set Port, size: one Int, name: lone String }
sig Port extends Resource { address: lone String, network: one Network }
sig Network extends Resource { cidr: one String }
fact apart {
  all disj p, q: Port | p.network = q.network and some p.address implies p.address != q.address
}
fact inside { all p: Port | p.address in p.network.cidr.(net/contains) }
fact large { all s: Server | s.size >= 512 and s.size <= 8192 }
fact connected { all s: Server | some s.ports }
fact named { all s: Server | some s.name implies s.name in \"[a-z]+\".(text/matches) }
fact owned { all p: Port | one ports.p }
";

/// Data made of words: `+Port p` an atom, `Port.network p n` a tuple, `?p` an unknown atom, `~p` optional. Of values,
/// `'x` is a text, `?i` an unknown number and `?'x` an unknown text.
fn data(model: &Model, lines: &str) -> Data {
    let sig = |name: &str| model.find_sig(name).unwrap_or_else(|| panic!("{name}"));
    let value = |word: &str| {
        let unknown = |sort, id: &str| Given::Unknown(Blank { sort, id: id.to_owned() });
        match (word.parse::<i64>(), word.split_at(1)) {
            (Ok(n), _) => Given::Int(n),
            (_, ("\'", text)) => Given::Text(text.to_owned()),
            (_, ("?", id)) => match id.strip_prefix('\'') {
                Some(id) => unknown(Sort::Text, id),
                None => unknown(Sort::Int, id),
            },
            _ => Given::Atom(word.to_owned()),
        }
    };
    let mut data = Data::new();
    for line in lines.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&first, rest)) = words.split_first() else { continue };
        if let Some(name) = first.strip_prefix('+') {
            for atom in rest {
                data.atom(sig(name), *atom);
            }
        } else if let Some(word) = first.strip_prefix('?') {
            data.unknown_atom(word);
        } else if let Some(word) = first.strip_prefix('~') {
            data.optional(value(word));
        } else {
            let (owner, field) = first.split_once('.').expect("Signature.field");
            let field = model.find_field(sig(owner), field).expect("it is declared");
            data.tuple(field, rest.iter().map(|word| value(word)).collect());
        }
    }
    data
}

fn judged(lines: &str) -> String {
    let (sources, model) = common::model(RULES);
    let data = data(&model, lines);
    let mut out = String::new();
    for judgement in common::judge(&model, &data) {
        for violation in judgement.violations {
            let bindings: Vec<String> = violation
                .bindings
                .iter()
                .map(|(name, tuples)| format!("{name}={}", common::tuples(tuples)))
                .collect();
            let place = sources.get(violation.place.file).slice(violation.place.span).to_owned();
            let place: String = place.split_whitespace().collect::<Vec<_>>().join(" ");
            let certain = if violation.settled { "false" } else { "open " };
            let _ = writeln!(out, "{certain} {place} [{}]", bindings.join(", "));
        }
    }
    out
}

const GOOD: &str = "+Network net
Network.cidr net '10.0.0.0/24
+Port p q
Port.network p net
Port.network q net
Port.address p '10.0.0.1
Port.address q '10.0.0.2
+Server web
Server.size web 4096
Server.ports web p
Server.ports web q
";

#[test]
fn what_is_known_is_settled() {
    let broken = GOOD.replace("10.0.0.2", "10.0.1.2").replace("4096", "3");
    insta::assert_snapshot!(judged(&broken), @r"
    false all p: Port | p.address in p.network.cidr.(net/contains) [p=q]
    false all s: Server | s.size >= 512 and s.size <= 8192 [s=web]
    ");
}

#[test]
fn unknown_values_leave_rules_open() {
    let lines = GOOD.replace("'10.0.0.2", "?'address").replace("4096", "?size");
    insta::assert_snapshot!(judged(&lines), @r"
    open  all p: Port | p.address in p.network.cidr.(net/contains) [p=q]
    open  all s: Server | s.size >= 512 and s.size <= 8192 [s=web]
    ");
}

#[test]
fn an_unknown_value_does_not_hide_what_is_known() {
    // The address of q is unknown, that of p is in no network, whatever it is.
    let lines = GOOD.replace("'10.0.0.2", "?'address").replace("10.0.0.1", "192.168.0.1");
    insta::assert_snapshot!(judged(&lines), @r"
    false all p: Port | p.address in p.network.cidr.(net/contains) [p=p]
    open  all p: Port | p.address in p.network.cidr.(net/contains) [p=q]
    ");
}

#[test]
fn the_same_unknown_is_the_same() {
    // Two ports with the same unknown address on the same network, and a third with another unknown address.
    let lines = GOOD.replace("'10.0.0.1", "?'one").replace("'10.0.0.2", "?'one");
    let lines = format!("{lines}\n+Port r\nPort.network r net\nPort.address r ?'two\nServer.ports web r\n");
    let shown = judged(&lines);
    let apart: Vec<&str> = shown.lines().filter(|line| line.contains("disj")).collect();
    insta::assert_snapshot!(apart.join("\n"), @r"
    false all disj p, q: Port | p.network = q.network and some p.address implies p.address != q.address [p=p, q=q]
    false all disj p, q: Port | p.network = q.network and some p.address implies p.address != q.address [p=q, q=p]
    ");
}

#[test]
fn an_unknown_atom_may_be_any_of_its_signature() {
    // The network of q is unknown: it may be `net`, so q may or may not be inside of it.
    let lines = GOOD.replace("Port.network q net", "Port.network q other").replace("10.0.0.2", "10.9.9.9");
    let lines = format!("{lines}\n+Network other\nNetwork.cidr other ?'cidr\n?other\n");
    insta::assert_snapshot!(judged(&lines), @"open  all p: Port | p.address in p.network.cidr.(net/contains) [p=q]");
}

#[test]
fn an_optional_resource_is_judged_as_if_it_were_there() {
    let lines = format!("{GOOD}\n+Server db\nServer.size db 3\n~db\n");
    insta::assert_snapshot!(judged(&lines), @r"
    false all s: Server | s.size >= 512 and s.size <= 8192 [s=db]
    false all s: Server | some s.ports [s=db]
    ");
}

#[test]
fn what_hangs_on_an_optional_resource_is_open() {
    // Without `web` the ports have no server; two servers have one port only if both are there.
    insta::assert_snapshot!(judged(&format!("{GOOD}\n~web\n")), @"");
    let second = "+Server db\nServer.size db 4096\nServer.ports db p\n";
    insta::assert_snapshot!(judged(&format!("{GOOD}\n{second}\n")), @"false all p: Port | one ports.p [p=p]");
    insta::assert_snapshot!(judged(&format!("{GOOD}\n{second}\n~db\n")), @"open  all p: Port | one ports.p [p=p]");
}

#[test]
fn an_unknown_list_may_have_anything_in_it() {
    // The ports of `db` are not known: there may be none, or some.
    let lines = format!("{GOOD}\n+Server db\nServer.size db 600\n");
    insta::assert_snapshot!(judged(&lines), @"false all s: Server | some s.ports [s=db]");
    let lines = format!("{lines}\n+Port more\nServer.ports db more\n?more\n~more\n");
    insta::assert_snapshot!(judged(&lines), @"open  network [this=more]");
}

#[test]
fn patterns_are_about_known_texts() {
    let lines = format!("{GOOD}\nServer.name web 'UPPER\n");
    insta::assert_snapshot!(judged(&lines), @r#"false all s: Server | some s.name implies s.name in "[a-z]+".(text/matches) [s=web]"#);
    insta::assert_snapshot!(judged(&lines.replace("'UPPER", "?'UPPER")), @r#"open  all s: Server | some s.name implies s.name in "[a-z]+".(text/matches) [s=web]"#);
}

#[test]
fn no_number_of_a_file_is_an_unknown_one() {
    // Numbers that stood for unknown ones once, and those that stand for them now.
    let second = "+Server db\nServer.ports db r\n+Port r\nPort.network r net\n";
    for small in [-(1_i64 << 48) - 1, -(1 << 48) - 2, -(1 << 40) - 1, -(1 << 40) - 2, i64::MIN] {
        let lines = GOOD.replace("4096", "?size");
        let shown = judged(&format!("{lines}\n{second}\nServer.size db {small}\n"));
        let large: Vec<&str> = shown.lines().filter(|line| line.contains("8192")).collect();
        assert_eq!(
            large,
            [
                "open  all s: Server | s.size >= 512 and s.size <= 8192 [s=web]",
                "false all s: Server | s.size >= 512 and s.size <= 8192 [s=db]"
            ],
            "{small}"
        );
    }
}

#[test]
fn no_text_of_a_file_is_an_unknown_one() {
    // A text that reads as an unknown one is called, or as an atom is, is a text.
    let second = "+Server db\nServer.size db 600\nServer.ports db r\n+Port r\nPort.network r net\n";
    for name in ["\u{1}1", "\u{1}?1", "one", "web", "1"] {
        let lines = format!("{GOOD}\n{second}\nServer.name web ?'one\nServer.name db '{name}\n");
        let named: Vec<String> =
            judged(&lines).lines().filter(|line| line.contains("[a-z]")).map(str::to_owned).collect();
        let open = "open  all s: Server | some s.name implies s.name in \"[a-z]+\".(text/matches) [s=web]";
        let broken = open.replace("open ", "false").replace("web", "db");
        let wrong = !name.chars().all(|c| c.is_ascii_lowercase());
        let expected: Vec<String> = [open.to_owned()].into_iter().chain(wrong.then_some(broken)).collect();
        assert_eq!(named, expected, "{name:?}");
    }
}
