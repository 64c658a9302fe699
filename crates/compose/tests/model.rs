//! Section 6.3 of the report: a project as an Alloy module over the core.

use std::collections::BTreeSet;
use std::sync::Arc;

use locus_alloy::{Model, Options, Verdict};
use locus_compose::library::FILES;
use locus_compose::{ComposeFile, Files, Inputs, Variables};
use locus_source::{Limits, NoFiles, Sources};

fn model(text: &str) -> String {
    let sources = Sources::new();
    let source = sources.add("composetest/compose.yaml", text);
    let main = Arc::clone(&source);
    let inputs = Inputs {
        folder: "/composetest".to_owned(),
        variables: Variables::new(),
        hidden: BTreeSet::new(),
        env_files: Vec::new(),
        profiles: Vec::new(),
        name: None,
        files: Files { loader: &NoFiles, sources: &sources, main: &main, folder: "/composetest" },
        limits: Limits::default(),
    };
    let file = ComposeFile { source, path: "/composetest/compose.yaml".to_owned() };
    let project = locus_compose::read(&[file], &inputs).project.expect("it can be read");
    locus_compose::model(&project, &inputs.files).expect("the core can be used")
}

const REPORT: &str = include_str!("../../../examples/compose/report.yaml");

/// The atoms of a signature.
fn atoms(model: &str, sig: &str) -> BTreeSet<String> {
    let end = format!(" extends {sig} {{}}");
    let names = model.lines().filter_map(|line| line.strip_prefix("one sig ")?.strip_suffix(&end));
    names.map(str::to_owned).collect()
}

#[test]
fn the_example_of_the_report_has_the_structure_that_it_prints() {
    let model = model(REPORT);
    let is = |sig: &str, names: &[&str]| {
        assert_eq!(atoms(&model, sig), names.iter().map(|name| (*name).to_owned()).collect(), "{sig}");
    };
    is("Service", &["redis", "db", "vote", "result", "worker", "visualizer", "web"]);
    is("Network", &["frontend", "backend", "default"]);
    is("Volume", &["db_data", "mydata"]);
    is("Secret", &["my_secret", "my_other_secret"]);
    is(
        "NetworkRole",
        &[
            "redis_networks_frontend",
            "db_networks_backend",
            "vote_networks_frontend",
            "result_networks_backend",
            "worker_networks_backend",
            "worker_networks_frontend",
            "visualizer_networks_default",
            "web_networks_default",
        ],
    );
    is("SecretRole", &["redis_secrets_my_secret"]);
    assert_eq!(
        atoms(&model, "Mount").len(),
        5,
        "four of the report, and the one of type tmpfs that it leaves out"
    );
    for line in [
        "redis_networks_frontend.address = \"172.16.238.10\" + \"2001:3984:3989::10\"",
        "redis_secrets_my_secret.target = \"redis_secret\"",
        "redis_secrets_my_secret.uid = \"103\"",
        "redis.image = \"redis:alpine\"",
        "no redis.depends_on",
        "redis_ports_x6379.protocol = \"tcp\"",
        "db_volumes_x_var_lib_postgresql_data.target = \"/var/lib/postgresql/data\"",
        "vote.depends_on = vote_depends_on_redis",
        "vote_depends_on_redis.on = redis",
        "worker.replicas = 3",
    ] {
        assert!(model.contains(&format!("\n  {line}\n")), "{line} is missing");
    }
}

/// Whether the model finder has an instance of the module, and has none when something else is said of it.
fn is_consistent(model: &str) -> bool {
    let sources = Sources::new();
    let file = sources.add("model.als", model);
    let (model, findings) = Model::load(&sources, &FILES, file.id());
    let model = model.unwrap_or_else(|| panic!("{findings:?}"));
    let outcome =
        model.execute(0, &Options::default()).unwrap_or_else(|finding| panic!("{}", finding.message));
    outcome.verdict == Verdict::Sat
}

#[test]
fn models_are_consistent_whatever_things_are_called() {
    assert!(is_consistent(&model(REPORT)));
    assert!(!is_consistent(&format!("{}\nfact {{ no redis.image }}\n", model(REPORT))));
    let odd = "services:\n  run: { image: \"all:1\", networks: [run, name], depends_on: [Service, networks] }\n  \
               Service: { image: \"i:\\\"\\\\\", networks: [run] }\n  networks: { image: \"ü:1\", networks: [a-b, a_b] }\n  \
               1st: { image: \"i:1\", ports: [\"65535:65535\", \"100:63\"], scale: 1, networks: [run] }\nnetworks:\n  \
               run:\n  name:\n  a-b:\n  a_b:\n";
    assert!(is_consistent(&model(odd)), "{}", model(odd));
}

#[test]
fn large_numbers_keep_their_order() {
    let model = model("services: { a: { image: \"i:1\", ports: [\"65535:80\", \"8080:81\"] } }");
    let number = |name: &str| -> i64 {
        let line = model.lines().find_map(|line| line.strip_prefix(&format!("fun {name}: Int {{ ")));
        line.and_then(|line| line.strip_suffix(" }")).and_then(|text| text.parse().ok()).expect("it is there")
    };
    assert!(
        number("n80") < number("n81")
            && number("n81") < number("n8080")
            && number("n8080") < number("n65535")
    );
    assert!(number("n80") > 63);
}
