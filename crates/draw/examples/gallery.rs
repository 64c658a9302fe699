//! Writes the pictures that the layout is judged by, as SVG and Graphviz text, into a directory.
//!
//! `cargo run -p locus-draw --example gallery -- DIRECTORY [COUNT]`
//!
//! With a count, it writes clouds of that many locations instead, flat and nested, to see how long they take.

use std::path::Path;
use std::time::Instant;

use locus_draw::{
    Direction, Edge, EdgeStyle, Emphasis, Group, GroupId, Node, NodeId, Options, Port, PortKind, Scene,
    Shape, Theme, dot, svg,
};

#[expect(clippy::print_stdout, reason = "an example that tells what it has written")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = std::env::args().nth(1).ok_or("name a directory to write to")?;
    std::fs::create_dir_all(&directory)?;
    let scenes = match std::env::args().nth(2) {
        None => gallery(),
        Some(count) => {
            let count = count.parse()?;
            vec![
                ("large-flat", cloud(count, 0, 5)),
                ("large-nested", cloud(count, count / 15, 6)),
                ("large-star", star(count)),
                ("large-dense", dense(count, 30_000)),
                ("large-boxes", boxes(count / 2)),
                ("large-ring", ring(count)),
            ]
        }
    };
    for (name, scene) in scenes {
        for (suffix, theme) in [("", Theme::Auto), ("-dark", Theme::Dark)] {
            let start = Instant::now();
            let text = svg(&scene, &Options { theme, ..Options::default() })?;
            let elapsed = start.elapsed();
            std::fs::write(Path::new(&directory).join(format!("{name}{suffix}.svg")), text)?;
            if theme == Theme::Auto {
                println!("{name}: {} nodes in {elapsed:.1?}", scene.nodes().len());
            }
        }
        std::fs::write(Path::new(&directory).join(format!("{name}.dot")), dot(&scene))?;
    }
    Ok(())
}

fn gallery() -> Vec<(&'static str, Scene)> {
    vec![
        ("empty", Scene::new("Nothing at all")),
        ("one", one()),
        ("figure-1", figure_1()),
        ("figure-2", figure_2()),
        ("figure-3", figure_3()),
        ("web-shop", web_shop(Direction::Down)),
        ("web-shop-right", web_shop(Direction::Right)),
        ("twenty", cloud(20, 0, 1)),
        ("hundred", cloud(100, 8, 2)),
        ("three-hundred", cloud(300, 20, 3)),
        ("three-hundred-flat", cloud(300, 0, 4)),
        ("star", star(60)),
        ("loops", loops(Direction::Down)),
        ("loops-right", loops(Direction::Right)),
        ("hostile", hostile()),
        ("template", template(Direction::Down)),
        ("template-right", template(Direction::Right)),
        ("states", states()),
        ("instance", instance()),
        ("grid", grid()),
        ("port-names", port_names(Direction::Down)),
        ("port-names-right", port_names(Direction::Right)),
    ]
}

/// Numbers that look random and are always the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit.max(1)
    }
}

fn bind(scene: &mut Scene, from: NodeId, to: NodeId, role: &str) {
    let need = scene.add_port(from, Port::new(role, PortKind::Required));
    let offer = scene.add_port(to, Port::new(role, PortKind::Provided));
    scene.add_edge(Edge::line(need, offer));
}

fn one() -> Scene {
    let mut scene = Scene::new("One location");
    let node = scene.add_node(Node::oval("a", "A"));
    scene.add_port(node, Port::new("in", PortKind::Provided));
    scene
}

fn figure_1() -> Scene {
    let mut scene = Scene::new("Figure 1: a small location graph");
    let nodes: Vec<NodeId> =
        ["A", "B", "C", "D", "E", "F"].map(|name| scene.add_node(Node::oval(name, name))).to_vec();
    for (from, to, role) in
        [(0, 1, "r1"), (0, 2, "r2"), (1, 3, "r3"), (2, 3, "r4"), (2, 4, "r5"), (3, 5, "r6")]
    {
        bind(&mut scene, nodes[from], nodes[to], role);
    }
    scene.add_port(nodes[0], Port::new("r0", PortKind::Provided));
    scene.add_port(nodes[4], Port::new("r7", PortKind::Required));
    scene.add_port(nodes[5], Port::new("r8", PortKind::Required));
    scene
}

fn figure_2() -> Scene {
    let mut scene = Scene::new("Figure 2: a relation between three components");
    let relation = scene.add_node(Node::oval("R", "R").category("relation"));
    for (name, role) in [("C", "c"), ("D", "d"), ("E", "e")] {
        let part = scene.add_node(Node::oval(name, name).category("component"));
        bind(&mut scene, relation, part, role);
    }
    scene
}

fn figure_3() -> Scene {
    let mut scene = Scene::new("Figure 3: a composite relation between three components");
    let relation = scene.add_node(Node::oval("R", "R").category("relation"));
    let one = scene.add_node(Node::oval("R1", "R1").category("relation"));
    let two = scene.add_node(Node::oval("R2", "R2").category("relation"));
    bind(&mut scene, relation, one, "sub1");
    bind(&mut scene, relation, two, "sub2");
    let parts = ["C", "D", "E"].map(|name| scene.add_node(Node::oval(name, name).category("component")));
    bind(&mut scene, one, parts[0], "c");
    bind(&mut scene, one, parts[1], "d1");
    bind(&mut scene, two, parts[1], "d2");
    bind(&mut scene, two, parts[2], "e");
    scene
}

fn web_shop(direction: Direction) -> Scene {
    let mut scene = Scene::new("A web shop").direction(direction);
    let balancer = scene.add_node(Node::oval("lb", "balancer").line("LoadBalancer").category("network"));
    let dns = scene.add_node(Node::oval("dns", "dns").line("Resolver").category("network"));
    let webs: Vec<NodeId> = (1..=3)
        .map(|i| {
            scene
                .add_node(Node::oval(format!("web{i}"), format!("web-{i}")).line("Server").category("server"))
        })
        .collect();
    let cache = scene.add_node(Node::oval("cache", "cache").line("Redis").category("store"));
    let db = scene.add_node(Node::oval("db", "orders").line("PostgreSQL").line("100 GiB").category("store"));
    let queue = scene.add_node(Node::oval("q", "queue").line("RabbitMQ").category("store"));
    let mail = scene.add_node(Node::oval("mail", "mailer").line("Server").category("server"));
    bind(&mut scene, balancer, dns, "names");
    for (at, web) in webs.iter().enumerate() {
        bind(&mut scene, balancer, *web, &format!("http-{}", at + 1));
        bind(&mut scene, *web, db, &format!("sql-{}", at + 1));
        bind(&mut scene, *web, cache, &format!("cache-{}", at + 1));
    }
    bind(&mut scene, webs[0], queue, "publish");
    bind(&mut scene, mail, queue, "consume");
    scene.add_port(balancer, Port::new("https", PortKind::Provided));
    scene.add_port(mail, Port::new("smtp", PortKind::Required));
    scene.add_port(db, Port::new("backup", PortKind::Required));
    scene.add_port(db, Port::new("replica", PortKind::Provided));
    scene
}

/// Tiers of services with most bindings from one tier to the next, in nested groups if asked for.
fn cloud(count: usize, groups: usize, seed: u64) -> Scene {
    const KINDS: [&str; 6] = ["Server", "Volume", "Network", "Balancer", "Database", "Queue"];
    let mut dice = Dice(seed);
    let mut scene = Scene::new(format!("A cloud of {count} locations"));
    let mut boxes: Vec<GroupId> = Vec::new();
    for at in 0..groups {
        let mut group = Group::new(format!("g{at}"), format!("subnet {at}"));
        if at > 2 && dice.below(3) == 0 {
            group = group.inside(boxes[dice.below(3)]);
        }
        boxes.push(scene.add_group(group));
    }
    let mut nodes = Vec::new();
    let mut home: Vec<Option<usize>> = Vec::new();
    for at in 0..count {
        let kind = KINDS[dice.below(KINDS.len())];
        let mut node = Node::oval(format!("n{at}"), format!("{}-{at}", kind.to_lowercase())).category(kind);
        let place = (groups > 0 && dice.below(10) > 0).then(|| dice.below(groups));
        if let Some(place) = place {
            node = node.inside(boxes[place]);
        }
        home.push(place);
        nodes.push(scene.add_node(node));
    }
    for at in 1..count {
        for _ in 0..=dice.below(2) {
            let near = at - 1 - dice.below(at.min(12));
            // Most bindings stay at home.
            let other =
                (0..at).rev().find(|&o| home[o] == home[at]).filter(|_| dice.below(4) > 0).unwrap_or(near);
            let other = if dice.below(2) == 0 { other } else { near.min(at - 1) };
            if groups == 0 || home[other] == home[at] || dice.below(5) == 0 {
                let role = format!("r{}", scene.edges().len());
                bind(&mut scene, nodes[other], nodes[at], &role);
            }
        }
        if dice.below(8) == 0 {
            scene.add_port(nodes[at], Port::new("api", PortKind::Provided));
        }
    }
    scene
}

fn star(rays: usize) -> Scene {
    let mut scene = Scene::new("A hub with many components");
    let hub = scene.add_node(Node::oval("hub", "network").category("Network"));
    for at in 0..rays {
        let node = scene.add_node(Node::oval(format!("n{at}"), format!("server-{at}")).category("Server"));
        bind(&mut scene, node, hub, &format!("port-{at}"));
    }
    scene
}

/// Edges between any two nodes, in any direction.
fn dense(count: usize, edges: usize) -> Scene {
    let mut dice = Dice(7);
    let mut scene = Scene::new("A graph with very many edges");
    let nodes: Vec<NodeId> = (0..count).map(|at| scene.add_node(Node::new("n", format!("n{at}")))).collect();
    for at in 0..edges.min(count * count) {
        let edge = Edge::arrow(nodes[dice.below(count)], nodes[dice.below(count)]);
        scene.add_edge(if at % 2 == 0 { edge.label("to") } else { edge });
    }
    scene
}

/// A ring, which is a chain with one edge back over all of it, and some more edges over most of it.
fn ring(count: usize) -> Scene {
    let mut scene = Scene::new("A ring");
    let nodes: Vec<NodeId> = (0..count).map(|at| scene.add_node(Node::new("n", format!("n{at}")))).collect();
    for at in 0..count {
        scene.add_edge(Edge::arrow(nodes[at], nodes[(at + 1) % count]).label("next"));
        if at % 10 == 0 {
            scene.add_edge(Edge::arrow(nodes[at / 4], nodes[count - 1 - at / 3]).label("skip"));
        }
    }
    scene
}

/// Boxes in boxes, with an edge from each innermost one to the next.
fn boxes(count: usize) -> Scene {
    let mut scene = Scene::new("Many boxes");
    let mut nodes = Vec::new();
    let mut last = None;
    for at in 0..count {
        let mut group = Group::new("g", format!("box {at}"));
        if let Some(outer) = last.filter(|_| at % 60 != 0) {
            group = group.inside(outer);
        }
        let group = scene.add_group(group);
        last = Some(group);
        nodes.push(scene.add_node(Node::oval("n", format!("n{at}")).inside(group)));
    }
    for pair in nodes.windows(2) {
        bind(&mut scene, pair[0], pair[1], "next");
    }
    scene
}

fn loops(direction: Direction) -> Scene {
    let mut scene = Scene::new("Loops and parallel edges").direction(direction);
    let a = scene.add_node(Node::new("a", "idle").shape(Shape::Rounded));
    let b = scene.add_node(Node::new("b", "busy").shape(Shape::Circle));
    let c = scene.add_node(Node::oval("c", "done"));
    for label in ["start", "restart", "resume", ""] {
        scene.add_edge(Edge::arrow(a, b).label(label));
    }
    scene.add_edge(Edge::arrow(b, a).label("stop").style(EdgeStyle::Dashed));
    scene.add_edge(Edge::arrow(b, c));
    scene.add_edge(Edge::arrow(b, c));
    scene.add_edge(Edge::arrow(a, c).label("skip").style(EdgeStyle::Dotted));
    scene.add_edge(Edge::arrow(b, b).label("tick"));
    scene.add_edge(Edge::arrow(b, b).label("tock"));
    scene.add_edge(Edge::arrow(c, c));
    let p = scene.add_port(a, Port::new("self", PortKind::Required));
    let q = scene.add_port(a, Port::new("self", PortKind::Provided));
    scene.add_edge(Edge::line(p, q));
    scene
}

fn hostile() -> Scene {
    let mut scene = Scene::new("Names <that> \"try\" & 'fail'");
    let group = scene.add_group(Group::new("\"><script>", "</text><script>alert(1)</script>"));
    let names = [
        "<b>bold</b> & \"quoted\" 'single'",
        "a-very-long-name-of-a-resource-that-somebody-generated-with-a-suffix-7f3a9c",
        "数据库服务器・東京リージョン",
        "control \u{0}\u{1b}[31m\u{202e}reversed",
        "e\u{301}a\u{300} Ünïcödé ΑΒΓ Привет 🚀",
        "",
        "   ",
        "]]>-->",
    ];
    let nodes: Vec<NodeId> = names
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let node = Node::oval(*name, *name).line(*name).category(*name).tooltip(*name);
            let node = if at % 3 == 0 { node.inside(group) } else { node };
            let node = if at % 2 == 0 { node.shape(Shape::Box) } else { node };
            scene.add_node(node)
        })
        .collect();
    for pair in nodes.windows(2) {
        bind(&mut scene, pair[0], pair[1], names[pair[0].index()]);
    }
    scene.add_port(nodes[0], Port::new(names[1], PortKind::Provided));
    scene.add_port(nodes[2], Port::new(names[0], PortKind::Required));
    scene
}

fn template(direction: Direction) -> Scene {
    let mut scene = Scene::new("A template with networks and a nested stack").direction(direction);
    let outer = scene.add_group(Group::new("stack", "stack: production").category("stack"));
    let net =
        scene.add_group(Group::new("net", "private network 10.0.0.0/24").category("network").inside(outer));
    let dmz = scene.add_group(Group::new("dmz", "public network").category("network").inside(outer));
    let inner = scene.add_group(Group::new("db", "stack: database").category("stack").inside(net));
    let server = |scene: &mut Scene, name: &str, group, kind: &str| {
        scene.add_node(Node::new(name, name).line(kind).category(kind).shape(Shape::Rounded).inside(group))
    };
    let router = scene
        .add_node(Node::new("router", "router").line("OS::Neutron::Router").category("OS::Neutron::Router"));
    let lb = server(&mut scene, "lb", dmz, "OS::Octavia::LoadBalancer");
    let bastion = server(&mut scene, "bastion", dmz, "OS::Nova::Server");
    let web1 = server(&mut scene, "web1", net, "OS::Nova::Server");
    let web2 = server(&mut scene, "web2", net, "OS::Nova::Server");
    let primary = server(&mut scene, "primary", inner, "OS::Nova::Server");
    let replica = server(&mut scene, "replica", inner, "OS::Nova::Server");
    let volume = server(&mut scene, "volume", inner, "OS::Cinder::Volume");
    for (from, to, label) in [
        (lb, web1, "pool"),
        (lb, web2, "pool"),
        (web1, primary, "depends_on"),
        (web2, primary, "depends_on"),
        (bastion, web1, "ssh"),
        (primary, replica, "replicates"),
        (primary, volume, "get_resource"),
    ] {
        scene.add_edge(Edge::arrow(from, to).label(label).category(label));
    }
    scene.add_edge(Edge::arrow(router, dmz).label("gateway"));
    scene.add_edge(Edge::arrow(router, net).label("interface"));
    scene
}

fn states() -> Scene {
    let mut scene = Scene::new("The states of a small protocol");
    let names = ["init", "waiting", "prepared", "committed", "aborted", "timeout"];
    let nodes: Vec<NodeId> = names
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let mut node =
                Node::new(*name, *name).shape(Shape::Rounded).line(format!("pc = {at}")).line("msgs = {}");
            if at == 0 {
                node = node.emphasis(Emphasis::Strong);
            }
            if at == 5 {
                node = node.emphasis(Emphasis::Alarm);
            }
            scene.add_node(node)
        })
        .collect();
    for (from, to, action) in [
        (0, 1, "Send"),
        (1, 2, "Prepare"),
        (2, 3, "Commit"),
        (2, 4, "Abort"),
        (1, 4, "Abort"),
        (1, 5, "Tick"),
        (5, 1, "Retry"),
        (4, 0, "Reset"),
        (3, 0, "Reset"),
        (5, 5, "Tick"),
    ] {
        scene.add_edge(Edge::arrow(nodes[from], nodes[to]).label(action));
    }
    scene
}

fn instance() -> Scene {
    let mut scene = Scene::new("An instance of a file system");
    let root = scene.add_node(Node::new("Root", "Root").category("Dir"));
    let dirs: Vec<NodeId> = (0..3)
        .map(|i| scene.add_node(Node::new(format!("Dir{i}"), format!("Dir{i}")).category("Dir")))
        .collect();
    let files: Vec<NodeId> = (0..4)
        .map(|i| scene.add_node(Node::new(format!("File{i}"), format!("File{i}")).category("File")))
        .collect();
    for dir in &dirs {
        scene.add_edge(Edge::arrow(root, *dir).label("contents").category("contents"));
        scene.add_edge(Edge::arrow(*dir, root).label("parent").category("parent"));
    }
    for (at, file) in files.iter().enumerate() {
        scene.add_edge(Edge::arrow(dirs[at % 3], *file).label("contents").category("contents"));
        scene.add_edge(Edge::arrow(*file, dirs[at % 3]).label("parent").category("parent"));
    }
    scene
}

fn grid() -> Scene {
    let mut scene = Scene::new("Many locations that nothing joins");
    for at in 0..40 {
        scene.add_node(
            Node::oval(format!("n{at}"), format!("location-{at}")).category(format!("kind {}", at % 12)),
        );
    }
    for at in 0..6 {
        let a = scene.add_node(Node::oval("a", format!("a{at}")));
        let b = scene.add_node(Node::oval("b", format!("b{at}")));
        bind(&mut scene, a, b, "pair");
    }
    scene
}

fn port_names(direction: Direction) -> Scene {
    let mut scene = Scene::new("Ports with names of their own").direction(direction);
    let a = scene.add_node(Node::new("a", "client"));
    let b = scene.add_node(Node::new("b", "server"));
    let c = scene.add_node(Node::new("c", "logger"));
    for (at, (from, to)) in [("request", "listen"), ("control", "admin")].into_iter().enumerate() {
        let p = scene.add_port(a, Port::new(from, PortKind::Required));
        let q = scene.add_port(b, Port::new(to, PortKind::Provided));
        scene.add_edge(Edge::line(p, q).label(if at == 0 { "tcp" } else { "" }));
    }
    let shared = scene.add_port(b, Port::new("log", PortKind::Required));
    scene.add_edge(Edge::line(shared, c));
    scene.add_edge(Edge::line(a, shared));
    scene
}
