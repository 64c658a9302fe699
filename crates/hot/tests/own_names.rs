//! Names of things that a template makes, where something of that name is wanted: when Heat looks for it, stack by
//! stack.

use locus_hot::{Inputs, read};
use locus_source::{LoadError, Loader, SourceFile, Sources};

const SERVER: &str = "image: cirros, flavor: m1.tiny, networks: [ { network: public } ]";

/// Templates that others use.
struct Files;

impl Loader for Files {
    fn bytes(&self, _: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        let key = "{ type: OS::Nova::KeyPair, properties: { name: fresh, public_key: ssh-rsa AAAA } }";
        let server = |name: &str| {
            format!("{{ type: OS::Nova::Server, properties: {{ key_name: {name}, {SERVER} }} }}")
        };
        let text = match path {
            "both.yaml" => format!("resources:\n  key: {key}\n  server: {}\n", server("fresh")),
            "key.yaml" => format!("resources:\n  key: {key}\n"),
            "server.yaml" => {
                let server = server("{ get_param: name }");
                format!("parameters: {{ name: {{ type: string }} }}\nresources:\n  server: {server}\n")
            }
            _ => return Err(LoadError::Missing),
        };
        Ok((path.to_owned(), format!("heat_template_version: 2018-08-31\n{text}").into_bytes()))
    }
}

/// The findings about names, each with its severity; with a key pair in the template or without.
fn said(has_key: bool, resources: &str) -> String {
    let sources = Sources::new();
    let key = if has_key {
        "  key: { type: OS::Nova::KeyPair, properties: { name: fresh, public_key: ssh-rsa AAAA } }\n"
    } else {
        ""
    };
    let file =
        sources.add("top.yaml", format!("heat_template_version: 2018-08-31\nresources:\n{key}{resources}"));
    let reading = read(&sources, &file, &Inputs { loader: Some(&Files), ..Inputs::default() });
    let found = reading.findings.iter().filter(|finding| finding.code.as_str() == "HOT055");
    let shown = found.map(|one| {
        let help = one.help.as_deref().unwrap_or_default();
        format!("{} {}: {}; {help}", sources.describe(one.primary.place), one.severity, one.message)
    });
    shown.collect::<Vec<_>>().join("\n")
}

// OpenStack 2025.1 was asked about each of these: what is an error here is refused or fails, a warning was built by
// chance.

#[test]
fn members_of_groups_may_name_what_they_wait_for() {
    for (kind, properties) in [
        (
            "ResourceGroup",
            format!(
                "count: 2, resource_def: {{ type: OS::Nova::Server, properties: {{ key_name: fresh, {SERVER} }} }}"
            ),
        ),
        (
            "AutoScalingGroup",
            format!(
                "min_size: 1, max_size: 1, resource: {{ type: OS::Nova::Server, properties: {{ key_name: fresh, {SERVER} }} }}"
            ),
        ),
        (
            "ResourceChain",
            format!("resources: [OS::Nova::Server], resource_properties: {{ key_name: fresh, {SERVER} }}"),
        ),
    ] {
        let group = |wait: &str| {
            said(
                true,
                &format!("  group: {{ type: OS::Heat::{kind}, {wait}properties: {{ {properties} }} }}\n"),
            )
        };
        let found = group("");
        assert!(found.contains("warning: `key_name` of `group[0]` is the name of `key`"), "{kind}: {found}");
        assert!(
            found.ends_with("write `{ get_resource: key }`") && found.lines().count() == 1,
            "{kind}: {found}"
        );
        assert_eq!(group("depends_on: key, "), "", "{kind}");
    }
}

#[test]
fn a_template_in_a_template_may_name_what_it_waits_for() {
    let inner = |wait: &str| {
        said(true, &format!("  web: {{ type: server.yaml, {wait}properties: {{ name: fresh }} }}\n"))
    };
    let found = inner("");
    assert!(
        found.starts_with("server.yaml:4:") && found.contains("warning: `key_name` of `web/server`"),
        "{found}"
    );
    assert!(found.ends_with("give `{ get_resource: key }` to the template by a parameter"), "{found}");
    assert_eq!(inner("depends_on: key, "), "");
    // It is there when the server is made, and not when the stack is looked at.
    let outside = "  keys: { type: key.yaml }\n";
    let found = said(
        false,
        &format!(
            "{outside}  server: {{ type: OS::Nova::Server, depends_on: keys, properties: {{ key_name: fresh, {SERVER} }} }}\n"
        ),
    );
    assert!(found.contains("error: `key_name` of `server` is the name of `keys/key`"), "{found}");
    assert!(found.ends_with("take its id from an output of the template that makes it"), "{found}");
    let stack = |wait: &str| {
        said(
            true,
            &format!(
                "  inner:
    type: OS::Heat::Stack
{wait}    properties:
      template: |
        heat_template_version: 2018-08-31
        resources:
          server: {{ type: OS::Nova::Server, properties: {{ key_name: fresh, {SERVER} }} }}
"
            ),
        )
    };
    assert!(stack("").contains("warning: `key_name` of `inner/server`"), "{}", stack(""));
    assert_eq!(stack("    depends_on: key\n"), "");
}

#[test]
fn a_template_in_a_template_cannot_name_what_it_makes() {
    let found = said(false, "  a: { type: both.yaml }\n  b: { type: both.yaml, depends_on: a }\n");
    assert!(
        found.contains("both.yaml:4:")
            && found.contains("error: `key_name` of `a/server` is the name of `a/key`"),
        "{found}"
    );
    assert_eq!(found.lines().count(), 1, "once for all uses: {found}");
}
