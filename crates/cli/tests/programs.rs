//! Which programs the engine runs, in which order, and what they are told.

#[path = "common/shop.rs"]
mod shop;

use shop::Shop;

/// The operations that programs were called for, with the nodes, one line each.
fn calls(log: &[String]) -> Vec<String> {
    let words = |line: &String| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    log.iter().map(words).collect()
}

/// The web is created before the database, both are started once, and the database is deleted first: by their
/// lifecycles it would be the other way round.
const WORKFLOWS: &str = "
  workflows:
    deploy:
      steps:
        pages:
          target: web
          activities:
            - set_state: creating
            - call_operation: Standard.create
            - set_state: created
          on_success: tables
        tables:
          target: database
          activities:
            - call_operation: Standard.create
            - call_operation: Standard.start
          on_success: open
        open:
          target: web
          activities:
            - call_operation: tosca.interfaces.node.lifecycle.Standard.start
    undeploy:
      steps:
        drop:
          target: database
          activities:
            - call_operation: Standard.stop
            - call_operation: Standard.delete
          on_success: close
        close:
          target: web
          activities:
            - delegate: undeploy
            - call_operation: Standard.delete
";

#[test]
fn workflows_are_followed_up_and_down() {
    let shop = Shop::new();
    let path = shop.0.path().join("shop.yaml");
    let text = std::fs::read_to_string(&path).expect("the example is there");
    std::fs::write(&path, text + WORKFLOWS).expect("it can be written");
    // Each of the two waits for the other in turn: neither can be deleted first if something fails half-way.
    let (code, said) = shop.locus(&["up", "shop.yaml", "--yes", "--quiet"]);
    assert!(code == 1 && said.contains("cannot be undone"), "{said}");
    let (code, said) = shop.locus(&["up", "shop.yaml", "--yes", "--quiet", "--on-failure", "stop"]);
    assert_eq!(code, 0, "{said}");
    let up = calls(&shop.log());
    assert_eq!(up, ["create web", "create database", "start database", "start web"]);
    let (code, said) = shop.locus(&["down", "shop", "--yes", "--quiet"]);
    assert_eq!(code, 0, "{said}");
    let down = calls(&shop.log()).split_off(up.len());
    assert_eq!(down, ["stop database", "delete database", "stop web", "delete web"]);
    assert!(
        !shop.0.path().join("services/web").exists() && !shop.0.path().join("services/database").exists()
    );
}

/// Types in a folder of their own, with programs beside them.
const TYPES: &str = "
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  example.Service:
    derived_from: tosca.nodes.Root
    attributes:
      place: {type: string}
    interfaces:
      Standard:
        type: tosca.interfaces.node.lifecycle.Standard
        inputs:
          mode:
            type: string
            default: careful
        operations:
          create: programs/say.sh
relationship_types:
  example.Uses:
    derived_from: tosca.relationships.DependsOn
    interfaces:
      Configure:
        type: tosca.interfaces.relationship.Configure
        operations:
          pre_configure_source: programs/say.sh
          pre_configure_target: programs/say.sh
";

const SERVICE: &str = "
tosca_definitions_version: tosca_simple_yaml_1_3
imports: [types/types.yaml]
topology_template:
  inputs:
    greeting: {type: string, default: hello}
  node_templates:
    database:
      type: example.Service
    web:
      type: example.Service
      artifacts:
        starter: {file: own.sh, type: tosca.artifacts.Implementation.Bash}
      interfaces:
        Standard:
          operations:
            start:
              implementation: starter
              inputs:
                word: {get_input: greeting}
                place: {get_attribute: [database, place]}
      requirements:
        - dependency:
            node: database
            relationship: example.Uses
";

const SAY: &str = "#!/bin/sh
echo \"$LOCUS_OPERATION $LOCUS_NODE $mode $word $place $LOCUS_RELATIONSHIP $LOCUS_SOURCE $LOCUS_TARGET\" | xargs >> said
echo place=there >> \"$LOCUS_OUTPUT\"
";

fn write(shop: &Shop, file: &str, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = shop.0.path().join(file);
    std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect(file);
    std::fs::write(&path, text).expect(file);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect(file);
}

/// A folder with a service and its types and programs.
fn with_types(service: &str) -> Shop {
    let shop = Shop::with(&[]);
    write(&shop, "types/types.yaml", TYPES.trim_start());
    write(&shop, "types/programs/say.sh", SAY);
    write(&shop, "own.sh", SAY);
    write(&shop, "service.yaml", service.trim_start());
    shop
}

#[test]
fn programs_of_imported_types_artifacts_and_relationships_are_run() {
    let shop = with_types(SERVICE);
    let (code, said) = shop.locus(&["up", "service.yaml", "--yes", "--quiet"]);
    assert_eq!(code, 0, "{said}");
    let said = std::fs::read_to_string(shop.0.path().join("said")).expect("programs were run");
    let mut said: Vec<&str> = said.lines().collect();
    // The two are created side by side; what a program is told of the other is known from then on.
    said[..2].sort_unstable();
    assert!(said[0].starts_with("create database careful"), "{said:?}");
    assert!(said[1].starts_with("create web careful hello"), "{said:?}");
    assert_eq!(
        said[2..],
        [
            "pre_configure_target database careful dependency web database",
            "pre_configure_source web careful hello there dependency web database",
            "start web careful hello there",
        ]
    );
}

#[test]
fn an_input_that_is_not_known_is_refused() {
    let shop = with_types(
        &SERVICE.replace("{get_input: greeting}", "{concat: [a, {get_attribute: [database, place]}]}"),
    );
    let (code, said) = shop.locus(&["up", "service.yaml", "--yes", "--quiet"]);
    assert!(code == 2 && said.contains("the input `word` of `web`"), "{said}");
    assert!(!shop.0.path().join("said").exists(), "nothing was run");
}

#[test]
fn an_aeolus_document_is_built_by_the_programs_of_its_states() {
    let shop = Shop::with(&["site.aeolus.yaml", "state.sh"]);
    let (code, said) = shop.locus(&["up", "site.aeolus.yaml", "--yes", "--quiet"]);
    assert_eq!(code, 0, "{said}");
    let up = calls(&shop.log());
    assert_eq!(up.len(), 6, "{up:?}");
    assert_eq!(up.last().map(String::as_str), Some("running balancer-1"), "it needs both pages");
    shop.edit("site.aeolus.yaml", "page: 2", "page: 3");
    let (code, said) = shop.locus(&["up", "site.aeolus.yaml", "--yes", "--quiet"]);
    assert_eq!(code, 0, "{said}");
    let more = calls(&shop.log()).split_off(up.len());
    assert_eq!(more, ["created page-3", "running page-3"]);
    let (code, said) = shop.locus(&["down", "site", "--yes", "--quiet"]);
    assert_eq!(code, 0, "{said}");
    let down = calls(&shop.log()).split_off(up.len() + more.len());
    assert_eq!(down[0], "delete balancer-1", "those that it needs go after it");
    assert_eq!(down.len(), 4);
    // What is needed only on the way is no need of a thing that lasts.
    shop.edit(
        "site.aeolus.yaml",
        "        requires: {page: 3}\n        final: true",
        "        to: on\n        requires: {page: 3}\n      on: {run: state.sh, final: true}",
    );
    shop.edit("site.aeolus.yaml", "balancer@running", "balancer@on");
    let (code, said) = shop.locus(&["up", "site.aeolus.yaml", "--yes", "--quiet"]);
    assert!(code == 2 && said.contains("cannot be built"), "{said}");
}
