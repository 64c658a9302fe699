//! Parts that belong together: the files of a project, ports that are written as one, containers of one service.

#[path = "../../source/tests/effort/mod.rs"]
mod effort;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use locus_compose::{Compose, ENV_FILE, FILE, PROFILE};
use locus_language::options::Values;
use locus_language::{Document, Effort, Language, NoGraph, Options, Request};
use locus_meaning::things::Thing;
use locus_source::{Found, Limits, LoadError, Loader, SourceFile, Sources};

/// Files in a folder `/project` by their names, of which paths below it are asked for.
struct Folder(BTreeMap<&'static str, String>);

impl Folder {
    fn find(&self, path: &str) -> Option<&String> {
        self.0.get(path.strip_prefix("/project/").unwrap_or(path))
    }
}

impl Loader for Folder {
    fn bytes(&self, _: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        let text = self.find(path).ok_or(LoadError::Missing)?;
        Ok((path.to_owned(), text.clone().into_bytes()))
    }

    fn look(&self, _: &SourceFile, path: &str) -> Found {
        if self.find(path).is_some() { Found::File } else { Found::Nothing }
    }

    fn folder(&self, _: &SourceFile) -> Option<String> {
        Some("/project".to_owned())
    }
}

/// Reads the first of some files.
fn with<T>(
    files: &[(&'static str, String)],
    options: &Options,
    see: impl Fn(&dyn Document, &Request<'_>) -> T,
) -> T {
    let sources = Sources::new();
    let limits = Limits::default();
    let file = sources.add(files[0].0, files[0].1.clone());
    let loader: Arc<dyn Loader> = Arc::new(Folder(files.iter().cloned().collect()));
    let effort = Effort { timeout: None, workers: 1, stop: None };
    let request = Request {
        sources: &sources,
        limits: &limits,
        loader: &loader,
        options,
        own_rules: &[],
        effort: &effort,
    };
    see(&*Compose.read(&file, &request), &request)
}

fn alone<T>(text: &str, see: impl Fn(&dyn Document, &Request<'_>) -> T) -> T {
    with(&[("compose.yaml", text.to_owned())], &Options::default(), see)
}

/// The codes of all findings, and why something was not answered.
fn said(document: &dyn Document, request: &Request<'_>) -> (Vec<String>, Vec<String>) {
    let judged = document.judge(request);
    let all = document.findings().iter().chain(&judged.findings);
    let codes = all.map(|finding| finding.code.to_string()).collect();
    (codes, judged.unanswered.into_iter().map(|one| one.why).collect())
}

fn of(names: &[&'static str], texts: &[&str]) -> Vec<(&'static str, String)> {
    names.iter().zip(texts).map(|(name, text)| (*name, (*text).to_owned())).collect()
}

fn containers(things: &[Thing]) -> usize {
    things.iter().filter(|thing| thing.sort == "container").count()
}

#[test]
fn more_containers_than_are_planned_are_not_planned() {
    let services =
        |count: u32| format!("services: {{ a: {{ image: 'i:1', scale: {count} }}, b: {{ image: 'i:1' }} }}");
    alone(&services(10_050), |document, request| {
        let Err(NoGraph::NotBuildable(why)) = document.things(request) else { panic!("it was planned") };
        assert!(why.contains("10051 containers") && why.contains("at most 10000"), "{why}");
        assert_eq!(said(document, request), (vec![], vec![]), "the rules need no limit");
        assert!(document.graph().is_ok());
    });
    alone(&services(9_999), |document, request| {
        assert_eq!(document.things(request).map(|things| containers(&things)), Ok(10_000));
    });
}

#[test]
fn everybody_counts_the_same_containers() {
    for (service, count) in [
        ("scale: 3", 3),
        ("scale: 0", 0),
        ("deploy: { replicas: 4 }", 4),
        ("deploy: { mode: global, replicas: 2 }", 2),
        ("deploy: { mode: global }", 1),
        ("tty: true", 1),
    ] {
        let text = format!("services: {{ a: {{ image: 'i:1', ports: ['80:80'], {service} }} }}");
        alone(&text, |document, request| {
            assert_eq!(document.things(request).map(|things| containers(&things)), Ok(count), "{service}");
            let graph = document.graph().expect("it is drawn");
            let written = locus_graph::text::write_yaml(&graph);
            let is_drawn = written.contains(&format!("replicas: {count}"));
            assert_eq!(is_drawn, service.contains("scale") || service.contains("replicas"), "{written}");
            let (codes, _) = said(document, request);
            assert_eq!(codes.iter().any(|code| code == "CMP101"), count > 1, "{service}: {codes:?}");
        });
    }
}

/// Services that publish all ports, each at an address of its own.
fn wide(services: usize) -> String {
    let mut text = "services:\n".to_owned();
    for at in 1..=services {
        let ports = format!("'127.0.0.{at}:1-65535:1-65535', '1-65535:1-65535/udp'");
        let ports = if at == 1 { ports } else { format!("'127.0.0.{at}:1-65535:1-65535'") };
        let _ = writeln!(text, "  s{at}: {{ image: 'i:1', ports: [{ports}], expose: ['1-65535'] }}");
    }
    text
}

#[test]
fn twenty_services_with_all_ports_take_no_time() {
    effort::within(Duration::from_secs(5), || {
        alone(&wide(20), |document, request| {
            assert_eq!(said(document, request), (vec![], vec![]));
            assert!(document.picture("p").is_ok());
            let things = document.things(request).expect("it is planned");
            assert_eq!(containers(&things), 20);
            let size: usize = things
                .iter()
                .filter_map(|thing| thing.specification.as_ref())
                .map(|one| one.to_string().len())
                .sum();
            assert!(size < 100_000, "{size} bytes are told of them");
        });
    });
}

#[test]
fn ranges_meet_where_they_have_a_port_in_common() {
    let codes = |a: &str, b: &str| {
        let text =
            format!("services: {{ a: {{ image: 'i:1', ports: ['{a}'] }}, b: {{ image: 'i:1', {b} }} }}");
        alone(&text, |document, request| said(document, request).0)
    };
    for (b, meet) in [
        ("ports: ['8100:80']", true),
        ("ports: ['8099:80']", false),
        ("ports: ['8200:80']", true),
        ("ports: ['8201:80']", false),
        ("ports: ['8000-8100:1-101']", true),
        ("ports: ['8000-8099:1-100']", false),
        ("ports: ['8150-8160:8150-8160']", true),
        ("ports: ['8150-8160:8150-8160/udp']", false),
        ("ports: ['8000-9000:80']", false),
    ] {
        let found = codes("8100-8200:100-200", b);
        assert_eq!(found.iter().any(|code| code == "CMP100"), meet, "{b}: {found:?}");
    }
    for (b, meet) in [
        ("network_mode: host, expose: ['8150']", true),
        ("network_mode: host, expose: ['8150-9000']", true),
        ("network_mode: host, expose: ['8201-9000']", false),
        ("network_mode: host, expose: ['1-8100/tcp']", true),
    ] {
        let found = codes("8100-8200:100-200", b);
        assert_eq!(found.iter().any(|code| code == "CMP104"), meet, "{b}: {found:?}");
    }
    // A port that Docker chooses meets nobody.
    assert!(!codes("80", "network_mode: host, expose: ['80']").contains(&"CMP104".to_owned()));
    // A port in the middle of a range, as somebody names it.
    let named = "environment: { API_URL: 'http://a:8150' }";
    assert!(codes("8100-8200:100-200", named).contains(&"CMP134".to_owned()));
    assert!(!codes("8100-8200:8100-8200", named).contains(&"CMP134".to_owned()));
}

#[test]
fn one_port_is_published_once_however_often_it_is_written() {
    let ports = "'8000-8010:8000-8010', '8005:8005', '8003-8012:8003-8012', '0.0.0.0:8001:8001'";
    let text = format!("services: {{ a: {{ image: 'i:1', ports: [{ports}] }} }}");
    alone(&text, |document, request| assert_eq!(said(document, request), (vec![], vec![])));
    let text = "services: { a: { image: 'i:1', ports: ['8000-8010:8000-8010', '127.0.0.1:8005:80'] } }";
    alone(text, |document, request| assert_eq!(said(document, request).0, ["CMP100"]));
}

#[test]
fn the_driver_is_told_of_ranges_as_ranges() {
    let text = "services: { a: { image: 'i:1', ports: ['127.0.0.1:9-12:9-12', '80-81'] } }";
    let things = alone(text, |document, request| document.things(request).expect("it is planned"));
    let container = things.iter().find(|thing| thing.sort == "container").expect("there is one");
    let told = container.specification.as_ref().expect("there is one");
    // The test `a_range_of_ports_is_hashed_port_by_port` of the driver makes Compose's hash of this.
    let service = "{\"command\":null,\"entrypoint\":null,\"image\":\"i:1\",\"networks\":{\"default\":null},\
                   \"ports\":[\"\\u0001127.0.0.1:9-12:9-12/tcp\",\"\\u000180-81/tcp\"]}";
    assert_eq!(told["service"], service);
    let each = |text: &str| format!("{{\"mode\":\"ingress\",{text},\"protocol\":\"tcp\"}}");
    let ranges = serde_json::json!({
        "\u{1}127.0.0.1:9-12:9-12/tcp": { "first": 9, "last": 12, "published": 9,
            "each": each("\"host_ip\":\"127.0.0.1\",\"target\":TARGET,\"published\":\"PUBLISHED\"") },
        "\u{1}80-81/tcp": { "first": 80, "last": 81, "published": null, "each": each("\"target\":TARGET") },
    });
    assert_eq!(told["ranges"], ranges);
    // Where a port is there twice, each is told by itself.
    let text = "services: { a: { image: 'i:1', ports: ['9-12:9-12', '11-13:11-13'] } }";
    let things = alone(text, |document, request| document.things(request).expect("it is planned"));
    let last = things.last().and_then(|thing| thing.specification.as_ref()).expect("there is one");
    assert_eq!(last.to_string().matches("published").count(), 5);
}

/// Files that are in a chain, each named by the one before.
fn chain(length: usize, link: impl Fn(usize) -> String, last: &str) -> Vec<(&'static str, String)> {
    let name =
        |at: usize| -> &'static str { if at == 0 { "compose.yaml" } else { format!("{at}.yaml").leak() } };
    (0..length).map(|at| (name(at), if at + 1 == length { last.to_owned() } else { link(at + 1) })).collect()
}

#[test]
fn long_chains_are_no_circles() {
    let service = "services: { a: { image: 'i:1' } }";
    let include = |to: usize| format!("include: [{to}.yaml]");
    let none = Options::default();
    let (codes, unanswered) = with(&chain(51, include, service), &none, said);
    assert!(codes.is_empty() && unanswered.is_empty(), "{codes:?} {unanswered:?}");
    let too_long = chain(53, include, service);
    let (codes, unanswered) = with(&too_long, &none, said);
    assert!(
        codes.is_empty() && unanswered.len() == 1 && unanswered[0].contains("50"),
        "{codes:?} {unanswered:?}"
    );
    with(&too_long, &none, |document, request| {
        assert!(matches!(document.things(request), Err(NoGraph::NotBuildable(why)) if why.contains("50")));
    });
    let (codes, unanswered) = with(&chain(5, include, "include: [compose.yaml]"), &none, said);
    assert_eq!((codes, unanswered), (vec!["CMP016".to_owned()], vec![]));

    let extending = |count: usize, last: &str| {
        let services = (1..count).map(|at| format!("  s{at:04}: {{ extends: s{:04} }}\n", at + 1));
        format!("services:\n{}  s{count:04}: {{ {last} }}\n", services.collect::<String>())
    };
    let (codes, unanswered) = alone(&extending(100, "image: 'i:1'"), said);
    assert!(codes.is_empty() && unanswered.is_empty(), "{codes:?} {unanswered:?}");
    let (codes, unanswered) = alone(&extending(1_001, "image: 'i:1'"), said);
    assert!(
        codes.is_empty() && unanswered.len() == 1,
        "said once, not for each service: {codes:?} {unanswered:?}"
    );
    assert!(unanswered[0].contains("more than 100 services"), "{unanswered:?}");
    let (codes, unanswered) = alone(&extending(3, "extends: s0001"), said);
    assert!(codes.contains(&"CMP015".to_owned()) && unanswered.is_empty(), "{codes:?} {unanswered:?}");
}

const BASE: &str = "services: { a: { image: 'i:1', ports: ['8080:80'] } }";
const MORE: &str = "services: { a: { environment: { A: b } }, b: { image: 'i:1', ports: ['8080:81'] } }";

fn in_project(names: &[&str]) -> Values {
    Values::Texts(names.iter().map(|name| format!("/project/{name}")).collect())
}

#[test]
fn files_that_are_named_together_are_one_project() {
    let files = of(&["base.yaml", "more.yaml"], &[BASE, MORE]);
    let named = |files: &[&str]| Options::default().with(FILE, in_project(files));
    let count = |document: &dyn Document, request: &Request<'_>| {
        (said(document, request).0, document.things(request).map(|things| containers(&things)))
    };
    assert_eq!(with(&files, &Options::default(), count), (vec![], Ok(1)));
    let both = (vec!["CMP100".to_owned()], Ok(2));
    assert_eq!(with(&files, &named(&["base.yaml", "more.yaml"]), count), both);
    let missing = with(&files, &named(&["base.yaml", "none.yaml"]), count);
    assert_eq!(missing, (vec!["CMP035".to_owned()], Err(NoGraph::NotUnderstood)));
    // What is listed in `.env` belongs together, whichever of the files is read.
    let listed = |first: &'static str, second: &'static str| {
        let mut files = of(&[first, second, ".env"], &[MORE, MORE, "COMPOSE_FILE=base.yaml:more.yaml\n"]);
        for (name, text) in &mut files {
            if *name == "base.yaml" {
                BASE.clone_into(text);
            }
        }
        files
    };
    assert_eq!(with(&listed("base.yaml", "more.yaml"), &Options::default(), count), both);
    assert_eq!(with(&listed("more.yaml", "base.yaml"), &Options::default(), count), both);
    let other = of(&["base.yaml", "more.yaml", ".env"], &[BASE, MORE, "COMPOSE_FILE=other.yaml:more.yaml\n"]);
    assert_eq!(with(&other, &Options::default(), count), (vec![], Ok(1)), "it is not in the list");
}

#[test]
fn profiles_and_files_of_variables_are_those_that_are_named() {
    let text = "services: { a: { image: 'i:${TAG:?}' }, b: { image: 'i:1', profiles: [p] } }";
    let files = of(&["compose.yaml", "a.env"], &[text, "TAG=2\n"]);
    let together = |variables: &[&str], profiles: &[&str]| {
        let profiles = profiles.iter().map(|name| (*name).to_owned()).collect();
        Options::default().with(ENV_FILE, in_project(variables)).with(PROFILE, Values::Texts(profiles))
    };
    let count = |document: &dyn Document, request: &Request<'_>| {
        document.things(request).map(|things| containers(&things)).ok()
    };
    assert_eq!(with(&files, &together(&[], &[]), count), None);
    assert_eq!(with(&files, &together(&["a.env"], &[]), count), Some(1));
    assert_eq!(with(&files, &together(&["a.env"], &["p"]), count), Some(2));
}

#[test]
fn a_folder_that_is_reached_by_steps_back_has_its_name() {
    struct Back;
    impl Loader for Back {
        fn bytes(&self, _: &SourceFile, _: &str) -> Result<(String, Vec<u8>), LoadError> {
            Err(LoadError::Missing)
        }

        fn folder(&self, _: &SourceFile) -> Option<String> {
            Some("/home/app/deploy/..".to_owned())
        }
    }
    let sources = Sources::new();
    let (limits, none) = (Limits::default(), Options::default());
    let file = sources.add("../compose.yaml", BASE);
    let loader: Arc<dyn Loader> = Arc::new(Back);
    let effort = Effort { timeout: None, workers: 1, stop: None };
    let request = Request {
        sources: &sources,
        limits: &limits,
        loader: &loader,
        options: &none,
        own_rules: &[],
        effort: &effort,
    };
    let document = Compose.read(&file, &request);
    assert_eq!(said(&*document, &request), (vec![], vec![]));
    let things = document.things(&request).expect("it is planned");
    let is_called = |thing: &Thing| thing.specification.as_ref().is_some_and(|one| one["name"] == "app-a-1");
    assert!(things.iter().any(is_called), "the project is called `app`");
}

/// A folder with an environment that nobody may see.
struct Hidden;

impl Loader for Hidden {
    fn bytes(&self, _: &SourceFile, _: &str) -> Result<(String, Vec<u8>), LoadError> {
        Err(LoadError::Missing)
    }

    fn hidden_variables(&self) -> Vec<String> {
        vec!["V".to_owned()]
    }
}

#[test]
fn a_volume_that_may_be_used_by_a_hidden_name_is_not_called_unused() {
    let codes = |source: &str| {
        let text = format!(
            "services: {{ a: {{ image: 'i:1', volumes: [{source}] }} }}\nvolumes: {{ one: , two: }}\n"
        );
        let (sources, limits, none) = (Sources::new(), Limits::default(), Options::default());
        let file = sources.add("compose.yaml", text);
        let loader: Arc<dyn Loader> = Arc::new(Hidden);
        let effort = Effort { timeout: None, workers: 1, stop: None };
        let request = Request {
            sources: &sources,
            limits: &limits,
            loader: &loader,
            options: &none,
            own_rules: &[],
            effort: &effort,
        };
        said(&*Compose.read(&file, &request), &request)
    };
    assert_eq!(codes("{ type: volume, source: '${V}', target: /d }"), (vec![], vec![]));
    assert_eq!(codes("{ type: volume, source: one, target: /d }"), (vec!["CMP144".to_owned()], vec![]));
    let (found, unanswered) = codes("'${V}:/d'");
    assert!(found.is_empty() && unanswered[0].contains("`V`"), "nothing was judged: {unanswered:?}");
}

#[test]
fn values_that_differ_are_written_differently() {
    let command = |command: &str| {
        let text = format!("services: {{ a: {{ image: 'i:1', command: {command} }} }}");
        let things = alone(&text, |document, request| document.things(request).expect("it is planned"));
        let container = things.into_iter().find(|thing| thing.sort == "container").expect("there is one");
        container.properties.into_iter().find(|one| one.name == "command").expect("it is there").value
    };
    assert_ne!(command("[echo, 'x, y']"), command("[echo, x, y]"));
    assert_ne!(command("['']"), command("[]"));
    assert_eq!(command("[echo, x]"), "[echo, x]", "a store of before has it so");
}
