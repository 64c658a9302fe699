//! Rules on a large instance: how long evaluation takes as the instance grows.
//!
//! `cargo run --release -p locus-relational --example large_instance [ATOMS]`
//!
//! The instance is a network: ports with a network and an address each, servers with ports, groups of servers that
//! contain each other. Each rule is evaluated for all its violations; a few are planted.

#![expect(clippy::print_stdout, reason = "this is what the example is for")]

use locus_relational::{Ast, Atom, Decl, Evaluator, Formula, Instance, Relation, TupleSet, Universe};
use std::time::Instant;

struct World {
    ast: Ast,
    universe: Universe,
    instance: Instance,
    port: Relation,
    server: Relation,
    group: Relation,
    net: Relation,
    addr: Relation,
    ports: Relation,
    parent: Relation,
    overlaps: Relation,
}

/// How many ports there are to a network.
const PORTS_PER_NET: usize = 10;

/// About this many atoms: of ten, five are ports, three addresses, one a server, and the rest networks and groups.
fn world(atoms: usize) -> World {
    let mut ast = Ast::new();
    let [port, server, group] = ["Port", "Server", "Group"].map(|name| ast.relation(name, 1));
    let [net, addr, ports, parent, overlaps] =
        ["net", "addr", "ports", "parent", "overlaps"].map(|name| ast.relation(name, 2));
    let mut universe = Universe::new();
    let mut make = |name: &str, count: usize| -> Vec<Atom> {
        (0..count.max(1)).map(|i| universe.add(format!("{name}{i}"))).collect()
    };
    let all_ports = make("port", atoms / 2);
    let all_addrs = make("addr", atoms * 3 / 10);
    let all_servers = make("server", atoms / 10);
    let all_nets = make("net", atoms / 20);
    let all_groups = make("group", atoms / 20);
    let mut instance = Instance::new();
    instance.set(port, TupleSet::unary(all_ports.iter().copied()));
    instance.set(server, TupleSet::unary(all_servers.iter().copied()));
    instance.set(group, TupleSet::unary(all_groups.iter().copied()));
    // Ports of one network have different addresses, but for the last three, which share one.
    let place = |i: usize| {
        let i = if i + 3 >= all_ports.len() { all_ports.len().saturating_sub(3) } else { i };
        (all_nets[i % all_nets.len()], all_addrs[i / all_nets.len() % all_addrs.len()])
    };
    instance.set(net, TupleSet::binary(all_ports.iter().enumerate().map(|(i, &p)| (p, place(i).0))));
    instance.set(addr, TupleSet::binary(all_ports.iter().enumerate().map(|(i, &p)| (p, place(i).1))));
    let owner = |i: usize| all_servers[i % all_servers.len()];
    instance.set(ports, TupleSet::binary(all_ports.iter().enumerate().skip(1).map(|(i, &p)| (owner(i), p))));
    // A tree of groups, and one cycle of two at its end.
    let mut parents: Vec<(Atom, Atom)> =
        (1..all_groups.len()).map(|i| (all_groups[i], all_groups[(i - 1) / 2])).collect();
    if let [.., a, b] = all_groups[..] {
        parents.extend([(a, b), (b, a)]);
    }
    instance.set(parent, TupleSet::binary(parents));
    instance.set(overlaps, TupleSet::binary([(all_nets[0], all_nets[all_nets.len() - 1])]));
    World { ast, universe, instance, port, server, group, net, addr, ports, parent, overlaps }
}

/// The rules, each with what it says and how many violations were planted.
fn rules(world: &mut World) -> Vec<(&'static str, Formula, usize)> {
    let World { ast, port, server, group, net, addr, ports, parent, overlaps, .. } = world;
    let [port, server, group] = [*port, *server, *group].map(|r| ast.rel(r));
    let [net, addr, ports, parent, overlaps] = [*net, *addr, *ports, *parent, *overlaps].map(|r| ast.rel(r));
    let [p, q, s, t, g] = ["p", "q", "s", "t", "g"].map(|name| ast.var(name, 1));
    let [pe, qe, se, te, ge] = [p, q, s, t, g].map(|v| ast.var_expr(v));

    let both = {
        let (pn, qn, pa, qa) = (ast.join(pe, net), ast.join(qe, net), ast.join(pe, addr), ast.join(qe, addr));
        let same_net = ast.equal(pn, qn);
        let same_addr = ast.equal(pa, qa);
        let same = ast.equal(pe, qe);
        let differ = ast.not(same);
        ast.and(&[differ, same_net, same_addr])
    };
    let unique = ast.none_of(&[Decl::one(p, port), Decl::one(q, port)], both);

    let owned = {
        let owner = ast.join(ports, pe);
        let one = ast.one(owner);
        ast.all(&[Decl::one(p, port)], one)
    };

    let shared = {
        let (a, b) = (ast.join(se, ports), ast.join(te, ports));
        let common = ast.intersection(&[a, b]);
        let some = ast.some(common);
        let same = ast.equal(se, te);
        let differ = ast.not(same);
        let both = ast.and(&[differ, some]);
        ast.none_of(&[Decl::one(s, server), Decl::one(t, server)], both)
    };

    // The first network overlaps the last, whose last port moved away to share an address.
    let meeting = {
        let (pn, qn) = (ast.join(pe, net), ast.join(qe, net));
        let pair = ast.product(pn, qn);
        let meets = ast.subset(pair, overlaps);
        let same = ast.equal(pe, qe);
        let differ = ast.not(same);
        let both = ast.and(&[differ, meets]);
        ast.none_of(&[Decl::one(p, port), Decl::one(q, port)], both)
    };

    let acyclic = {
        let closure = ast.closure(parent);
        let above = ast.join(ge, closure);
        let inside = ast.subset(ge, above);
        let outside = ast.not(inside);
        ast.all(&[Decl::one(g, group)], outside)
    };
    vec![
        ("no two ports share an address on one network", unique, 6),
        ("every port has one server", owned, 1),
        ("no two servers share a port", shared, 0),
        ("no port is on a network that overlaps another's", meeting, PORTS_PER_NET * (PORTS_PER_NET - 1)),
        ("no group contains itself", acyclic, 2),
    ]
}

fn main() {
    let atoms: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(100_000);
    for size in [atoms / 4, atoms / 2, atoms] {
        let mut world = world(size);
        let rules = rules(&mut world);
        println!("{} atoms", world.universe.len());
        let start = Instant::now();
        let mut evaluator = Evaluator::new(&world.ast, &world.universe, &world.instance);
        for (name, formula, planted) in rules {
            let begun = Instant::now();
            match evaluator.violations(formula, 1_000_000) {
                Ok(found) => {
                    let count = found.list.len();
                    println!("  {:>8.1?}  {count} violations ({planted} planted)  {name}", begun.elapsed());
                }
                Err(error) => println!("  {name}: {error}"),
            }
        }
        println!("  {:>8.1?}  in all", start.elapsed());
    }
}
