//! `locus check`, `plan` and `up` agree on whether a file is right: comments in it and `locus.toml` count for all
//! three.

use std::process::Command;

/// A file, a `locus.toml`, and whether the file is right under it.
struct Case {
    name: &'static str,
    text: String,
    policy: &'static str,
    is_right: bool,
}

fn subnets(comment: &str) -> String {
    format!(
        "heat_template_version: 2018-08-31
resources:
  net: {{ type: OS::Neutron::Net }}
  a: {{ type: OS::Neutron::Subnet, properties: {{ network: {{ get_resource: net }}, cidr: 10.0.0.0/24 }} }}
  b: {{ type: OS::Neutron::Subnet, properties: {{ network: {{ get_resource: net }}, cidr: 10.0.0.0/25 }} }}
{comment}
"
    )
}

/// Two services that publish one port: an error that a rule finds.
fn ports(comment: &str) -> String {
    format!(
        "services:
  a: {{ image: \"nginx:1\", ports: [\"8080:80\"] }}
  b: {{ image: \"nginx:1\", ports: [\"8080:80\"] }}  {comment}
"
    )
}

/// A service that waits for one without a health check: a warning.
const WAITING: &str = "services:
  a: { image: \"nginx:1\", depends_on: { b: { condition: service_healthy } } }
  b: { image: \"nginx:1\" }
";

/// A template with a property that its type does not have: an error that reading finds.
fn unread(comment: &str) -> String {
    format!(
        "heat_template_version: 2018-08-31
resources:
  net: {{ type: OS::Neutron::Net, properties: {{ nmae: x }} }}{comment}
"
    )
}

fn run(case: &Case, arguments: &[&str]) -> (i32, String) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    std::fs::write(folder.path().join(case.name), &case.text).expect("it can be written");
    std::fs::write(folder.path().join("locus.toml"), case.policy).expect("it can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_locus"))
        .args(arguments)
        .current_dir(folder.path())
        .env_remove("LOCUS_STORE")
        .output()
        .expect("the command runs");
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    (output.status.code().expect("it was not killed"), said)
}

#[test]
fn the_commands_agree_on_what_is_right() {
    let case = |name, text, policy, is_right| Case { name, text, policy, is_right };
    let (hot, compose) = ("stack.hot.yaml", "compose.yaml");
    let cases = [
        case(hot, subnets(""), "", false),
        case(hot, subnets("# locus: ignore-file HOT100 -- they are never there at once"), "", true),
        case(hot, subnets("# locus: ignore-file HOT130 -- not the rule that it is about"), "", false),
        case(hot, subnets(""), "[rules]\nHOT100 = \"off\"\n", true),
        case(hot, subnets(""), "[rules]\nHOT100 = \"warning\"\n", true),
        case(hot, subnets(""), "[[files]]\npaths = [\"*.hot.yaml\"]\nrules = { HOT100 = \"off\" }\n", true),
        case(hot, subnets(""), "[[files]]\npaths = [\"other.yaml\"]\nrules = { HOT100 = \"off\" }\n", false),
        case(hot, unread(""), "", false),
        case(hot, unread("  # locus: ignore HOT021 -- the cloud has it"), "", true),
        case(hot, subnets("# locus: ignore-file HOT100"), "[rulez]\n", false),
        case(compose, ports(""), "", false),
        case(compose, ports("# locus: ignore CMP100 -- one at a time"), "", true),
        case(compose, WAITING.to_owned(), "", true),
        case(compose, WAITING.to_owned(), "[rules]\nCMP120 = \"error\"\n", false),
    ];
    for case in &cases {
        let about = format!("{}\n{}", case.text, case.policy);
        for (arguments, refused) in [
            (&["check", case.name][..], 1),
            (&["plan", case.name], 2),
            (&["up", case.name, "--simulate", "0", "--yes"], 1),
        ] {
            let (exit, said) = run(case, arguments);
            let expected = if case.is_right { 0 } else { refused };
            assert_eq!(exit, expected, "{arguments:?} of\n{about}\n{said}");
        }
    }
}
