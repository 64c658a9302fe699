//! Facts judged on given data.

mod common;

use std::fmt::Write;

use locus_alloy::{Data, Given, Judgement, Model};
use locus_source::Sources;

const RULES: &str = "open util/net as net
open util/ordering[Step] as o
abstract sig Resource {}
sig Server extends Resource { ports: set Port, size: one Int }
sig Port extends Resource { address: lone String, network: one Network }
sig Network extends Resource { cidr: one String }
sig Public in Port {}
sig Step {}
/** NET001: no two ports share an address on one network. */
fact noSharedAddress {
  all disj p, q: Port | p.network = q.network and some p.address implies p.address != q.address
}
/** NET002 */
fact addressInNetwork { all p: Port | p.address in p.network.cidr.(net/contains) }
fact enough { all s: Server | s.size >= 512 and some s.ports }
fact ordered { #o/first.^(o/next) = 1 }
";

fn judged(model: &Model, sources: &Sources, data: &Data) -> String {
    let judgements = common::judge(model, data);
    let mut out = String::new();
    for Judgement { subject, violations, .. } in judgements {
        for violation in violations {
            let bindings: Vec<String> = violation
                .bindings
                .iter()
                .map(|(name, tuples)| format!("{name}={}", common::tuples(tuples)))
                .collect();
            let _ = writeln!(
                out,
                "{subject:?} {} {}: {}",
                sources.start(violation.place),
                violation.text,
                bindings.join(", ")
            );
        }
    }
    out
}

fn data(model: &Model) -> Data {
    let mut data = Data::new();
    let sig = |name: &str| model.find_sig(name).unwrap_or_else(|| panic!("{name}"));
    let field = |s: &str, name: &str| model.find_field(sig(s), name).unwrap_or_else(|| panic!("{s}.{name}"));
    let atom = |name: &str| Given::Atom(name.to_owned());
    let text = |name: &str| Given::Text(name.to_owned());
    for step in ["early", "late"] {
        data.atom(sig("Step"), step);
    }
    data.atom(sig("Network"), "net");
    data.tuple(field("Network", "cidr"), vec![atom("net"), text("10.0.0.0/24")]);
    for (port, address) in [("p1", "10.0.0.1"), ("p2", "10.0.0.2"), ("p3", "10.0.0.3")] {
        data.atom(sig("Port"), port);
        data.tuple(field("Port", "network"), vec![atom(port), atom("net")]);
        data.tuple(field("Port", "address"), vec![atom(port), text(address)]);
    }
    data.atom(sig("Public"), "p1");
    data.atom(sig("Server"), "web");
    data.tuple(field("Server", "size"), vec![atom("web"), Given::Int(4096)]);
    data.tuple(field("Server", "ports"), vec![atom("web"), atom("p1")]);
    data
}

#[test]
fn good_data_has_no_violation() {
    let (sources, model) = common::model(RULES);
    assert_eq!(judged(&model, &sources, &data(&model)), "");
}

#[test]
fn violations_come_with_all_their_bindings() {
    let (sources, model) = common::model(RULES);
    let mut data = data(&model);
    let port = model.find_sig("Port").expect("it is declared");
    let field = |name: &str| model.find_field(port, name).expect("it is declared");
    let atom = |name: &str| Given::Atom(name.to_owned());
    data.atom(port, "p4");
    data.tuple(field("address"), vec![atom("p4"), Given::Text("10.0.0.1".to_owned())]);
    data.tuple(field("network"), vec![atom("p4"), atom("net")]);
    data.atom(port, "p5");
    data.tuple(field("address"), vec![atom("p5"), Given::Text("192.168.0.1".to_owned())]);
    data.atom(model.find_sig("Server").expect("it is declared"), "db");
    insta::assert_snapshot!(judged(&model, &sources, &data));
}

#[test]
fn data_that_does_not_fit_is_refused() {
    let (_, model) = common::model(RULES);
    let mut data = data(&model);
    let port = model.find_sig("Port").expect("it is declared");
    let address = model.find_field(port, "address").expect("it is declared");
    data.tuple(address, vec![Given::Atom("nobody".to_owned()), Given::Text("x".to_owned())]);
    assert!(model.judge(&data, 10).is_err());
}

#[test]
fn addresses_have_an_order() {
    let (sources, model) = common::model(
        "open util/net as net
sig Pool { start, end: one String }
fact forward { all p: Pool | p.start.(net/rank) <= p.end.(net/rank) }
",
    );
    let pool = model.find_sig("Pool").expect("it is declared");
    let [start, end] = ["start", "end"].map(|name| model.find_field(pool, name).expect("it is declared"));
    let mut data = Data::new();
    let pools = [
        ("good", "10.0.0.9", "10.0.0.10"),
        ("one", "10.0.0.9", "10.0.0.9"),
        ("written in two ways", "2001:db8::1", "2001:db8:0::1"),
        ("mixed", "255.0.0.1", "::1"),
        ("bad", "10.0.0.10", "10.0.0.9"),
    ];
    for (name, from, to) in pools {
        data.atom(pool, name);
        let atom = || Given::Atom(name.to_owned());
        data.tuple(start, vec![atom(), Given::Text(from.to_owned())]);
        data.tuple(end, vec![atom(), Given::Text(to.to_owned())]);
    }
    let judged = judged(&model, &sources, &data);
    assert!(judged.ends_with(": p=bad\n") && judged.lines().count() == 1, "{judged}");
}

#[test]
fn networks_have_a_prefix_length() {
    let (sources, model) = common::model(
        "open util/net as net
sig Range { is: one String }
fact small { all r: Range | r.is.(net/prefix_length) >= 24 }
",
    );
    let range = model.find_sig("Range").expect("it is declared");
    let is = model.find_field(range, "is").expect("it is declared");
    let mut data = Data::new();
    let ranges = ["10.0.0.0/24", "10.0.0.9", "2001:db8::/32", "::1", "10.0.0.0/23"];
    for text in ranges {
        data.atom(range, text);
        data.tuple(is, vec![Given::Atom(text.to_owned()), Given::Text(text.to_owned())]);
    }
    let judged = judged(&model, &sources, &data);
    assert!(judged.ends_with(": r=10.0.0.0/23\n") && judged.lines().count() == 1, "{judged}");
}

#[test]
fn large_data_is_judged_fast() {
    let (_, model) = common::model(
        "sig P { a: one Int, n: one N } sig N {}
        fact { all disj p, q: P | p.n = q.n implies p.a != q.a }",
    );
    let (p, n) = (model.find_sig("P").expect("P"), model.find_sig("N").expect("N"));
    let (a, net) = (model.find_field(p, "a").expect("a"), model.find_field(p, "n").expect("n"));
    let mut data = Data::new();
    for i in 0..20_i64 {
        data.atom(n, format!("n{i}"));
    }
    for i in 0..5_000_i64 {
        let atom = Given::Atom(format!("p{i}"));
        data.atom(p, format!("p{i}"));
        data.tuple(a, vec![atom.clone(), Given::Int(if i == 4_999 { 0 } else { i })]);
        data.tuple(net, vec![atom, Given::Atom(format!("n{}", i % 19))]);
    }
    // 4999 = 2 (mod 19), 0 = 0: on different networks, so all is well.
    assert_eq!(model.judge(&data, 10).map(|judgements| judgements.len()), Ok(0));
    data.tuple(net, vec![Given::Atom("p0".to_owned()), Given::Atom("n2".to_owned())]);
    let judgements = model.judge(&data, 10).unwrap_or_default();
    assert_eq!(judgements.len(), 1, "p0 is on two networks: {judgements:?}");
}

#[test]
fn many_texts_are_judged_fast() {
    // Trying all pairs of texts, or all patterns on all texts, would take minutes.
    let (_, model) = common::model(
        "open util/net as net
        open util/text as text
        sig Port { address: one String, network: one Network }
        sig Network { cidr: one String }
        fact { all p: Port | p.address in p.network.cidr.(net/contains) }
        fact { all p: Port | p.address in p.address.(text/matches) and p.address in \"[0-9.]+\".(text/matches) }",
    );
    let (port, network) =
        (model.find_sig("Port").expect("Port"), model.find_sig("Network").expect("Network"));
    let field = |sig, name| model.find_field(sig, name).expect("it is declared");
    let mut data = Data::new();
    for i in 0..20_000 {
        let (net, host) = (i % 400, i / 400 + 1);
        if i < 400 {
            data.atom(network, format!("net{net}"));
            let cidr = Given::Text(format!("10.{}.{}.0/24", net / 200, net % 200));
            data.tuple(field(network, "cidr"), vec![Given::Atom(format!("net{net}")), cidr]);
        }
        let atom = Given::Atom(format!("p{i}"));
        data.atom(port, format!("p{i}"));
        // One address is on another network.
        let at = if i == 7_000 { net + 1 } else { net };
        let address = Given::Text(format!("10.{}.{}.{host}", at / 200, at % 200));
        data.tuple(field(port, "address"), vec![atom.clone(), address]);
        data.tuple(field(port, "network"), vec![atom, Given::Atom(format!("net{net}"))]);
    }
    let judgements = model.judge(&data, 10).unwrap_or_default();
    let violations: Vec<_> = judgements.iter().flat_map(|judgement| &judgement.violations).collect();
    assert_eq!(violations.len(), 1, "{violations:?}");
    assert_eq!(violations[0].bindings, [("p".to_owned(), vec![vec![Given::Atom("p7000".to_owned())]])]);
}

#[test]
fn numbers_that_functions_give_exist() {
    let (_, model) = common::model(
        "open util/text as text open util/net as net
         sig Thing { name: one String }
         fact short { all t: Thing | t.name.(text/length) <= 5 }
         fact counted { all t: Thing | one t.name.(text/length) }
         fact small { all t: Thing | some t.name.(text/number) implies t.name.(text/number) < 1000 }
         fact old { all t: Thing | some t.name.(net/version) implies t.name.(net/version) <= 4 }",
    );
    let thing = model.find_sig("Thing").expect("it is declared");
    let name = model.find_field(thing, "name").expect("it is declared");
    let mut data = Data::new();
    data.is_well_formed();
    for text in ["abcde", "abcdefghijk", "12345", "2001:db8::1"] {
        data.atom(thing, text);
        data.tuple(name, vec![Given::Atom(text.to_owned()), Given::Text(text.to_owned())]);
    }
    let judgements = model.judge(&data, 10).unwrap_or_else(|finding| panic!("{}", finding.message));
    let broken: Vec<String> = judgements
        .iter()
        .flat_map(|judgement| judgement.violations.iter().map(|one| (&judgement.subject, one)))
        .map(|(subject, one)| format!("{subject:?} {}", common::tuples(&one.bindings[0].1)))
        .collect();
    assert_eq!(
        broken,
        ["Fact(0) abcdefghijk", "Fact(0) 2001:db8::1", "Fact(2) 12345", "Fact(3) 2001:db8::1"]
    );
}
