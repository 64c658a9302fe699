//! `--fix` corrects slips of the pen, and nothing else.

mod common;

use common::{Project, code, text};

const STACK: &str = "\
heat_template_version: 2018-08-31   # the version
paramters:
  # which image
  image: { type: string, default: 'debian' }
resources:
  web:
    type: \"OS::Nova::Servr\"   # quoted
    properties:
      image: { get_param: image }
      flavour:   small
      networks: [ { network: blue } ]
";

fn read(project: &Project) -> String {
    std::fs::read_to_string(project.path().join("stack.yaml")).expect("it is there")
}

#[test]
fn slips_of_the_pen_are_corrected_and_all_else_stays() {
    let project = Project::new(&[("stack.yaml", STACK)]);
    assert_eq!(code(&project.locus(&["check", "."])), 1);
    let output = project.locus(&["check", "--fix", "."]);
    let meant =
        STACK.replace("paramters", "parameters").replace("Servr", "Server").replace("flavour", "flavor");
    assert_eq!(read(&project), meant);
    assert_eq!(code(&output), 0, "{}", text(&output));
    assert_eq!(code(&project.locus(&["check", "."])), 0);
}

#[test]
fn slips_in_a_compose_file_are_corrected_and_all_else_stays() {
    let file = "services:\n  web:\n    imag: app:1   # which one\n    tty: yes\n    environment:\n      PYTHON: 3.10 # not 3.1\n    \
                ports:\n      - 22:22\n    volumes: [ 'data:/data' ]\nvolumes: { data: }\n";
    let project = Project::new(&[("compose.yaml", file)]);
    let output = project.locus(&["check", "--fix", "compose.yaml"]);
    let meant = file.replace("imag:", "image:").replace("yes", "true").replace("3.10 ", "\"3.10\" ");
    let meant = meant.replace("22:22", "\"22:22\"");
    let now = std::fs::read_to_string(project.path().join("compose.yaml")).expect("it is there");
    assert_eq!(now, meant, "{}", text(&output));
    assert_eq!(code(&project.locus(&["check", "compose.yaml"])), 0);
}

#[test]
fn slips_in_a_tosca_file_are_corrected_and_all_else_stays() {
    let file = "tosca_definitions_version: tosca_2_0\nnode_types:\n  A: { propertis: { size: { type: integer } } }   # one type\n\
                service_template:\n  node_templates:\n    a: { type: A, propertis: { size: 1 }, metdata: {} }\n";
    let project = Project::new(&[("service.tosca.yaml", file)]);
    assert_eq!(code(&project.locus(&["check", "service.tosca.yaml"])), 1);
    let output = project.locus(&["check", "--fix", "service.tosca.yaml"]);
    let meant = file.replace("propertis", "properties").replace("metdata", "metadata");
    let now = std::fs::read_to_string(project.path().join("service.tosca.yaml")).expect("it is there");
    assert_eq!(now, meant, "{}", text(&output));
    assert_eq!(code(&project.locus(&["check", "service.tosca.yaml"])), 0);
}

#[test]
fn a_change_of_a_compose_file_is_suggested_and_not_made() {
    let file = "services:\n  web:\n    image: app:1\n    depends_on: [databse]\n    volumes: [ 'data:/data' ]\n  \
                database:\n    image: postgres:17\n";
    let project = Project::new(&[("compose.yaml", file)]);
    let (code, report) = project.json(&["check", "--suggest", "--format", "json", "compose.yaml"]);
    assert_eq!(code, 1);
    let suggested = &report["suggestions"][0];
    let diff = suggested["diff"].as_str().unwrap_or_else(|| panic!("{report:#}"));
    for line in ["-    depends_on: [databse]", "+    depends_on: [database]", "+volumes:", "+  data:"] {
        assert!(diff.lines().any(|one| one == line), "{line} is not in {diff}");
    }
    assert_eq!(suggested["left"].as_array().map(Vec::len), Some(0), "{suggested:#}");
    assert_eq!(std::fs::read_to_string(project.path().join("compose.yaml")).expect("it is there"), file);
}

#[test]
fn what_may_be_meant_otherwise_is_left() {
    let stack = "heat_template_version: 2018-08-31\nresources:\n  web1: { type: OS::Heat::RandomString }\n  \
                 web3: { type: OS::Heat::Value, properties: { value: { get_resource: web2 } } }\n";
    let project = Project::new(&[("stack.yaml", stack)]);
    assert_eq!(code(&project.locus(&["check", "--fix", "."])), 1);
    assert_eq!(read(&project), stack);
}

/// Each change is tried on all of the file, so what is worst comes first, and what is not tried is said.
#[test]
fn a_correction_is_suggested_among_many_warnings() {
    let unused: Vec<_> = (0..120).map(|at| format!("  p{at}: {{ type: string, default: a }}")).collect();
    let subnet = |name: &str, cidr: &str| {
        format!(
            "  {name}:\n    type: OS::Neutron::Subnet\n    properties: {{ network: {{ get_resource: n }}, cidr: {cidr} }}\n"
        )
    };
    let stack = format!(
        "heat_template_version: rocky\nparameters:\n{}\nresources:\n  n: {{ type: OS::Neutron::Net }}\n{}{}",
        unused.join("\n"),
        subnet("s", "10.0.0.0/24"),
        subnet("t", "10.0.0.0/25"),
    );
    let project = Project::new(&[("stack.yaml", &stack)]);
    let (code, report) = project.json(&["check", "--suggest", "--format", "json", "stack.yaml"]);
    assert_eq!(code, 1);
    let suggested = &report["suggestions"][0];
    assert_eq!(suggested["mends"][0]["code"], "HOT100", "{suggested:#}");
    let why = suggested["gave_up"].as_str().unwrap_or_default();
    assert!(why.contains("are looked at in one go") && why.contains("more"), "{suggested:#}");
}
