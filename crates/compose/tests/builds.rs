//! Facts from Dockerfiles: which stages are built, what they copy, and at which ports they listen.

mod common;

use common::{DOCKERFILE, findings, reading};
use locus_source::Sources;

/// The codes that a service gets which is built in the folder `built` with some more keys.
fn codes(more: &str, rest: &str) -> Vec<String> {
    let text = format!("services: {{ web: {{ build: {{ context: ./built{more} }} }}{rest} }}");
    findings(&[&text], &[]).into_iter().map(|(code, _)| code).collect()
}

#[test]
fn only_stages_that_are_built_are_judged() {
    // The last stage copies what is not there, and the others do not begin with it.
    assert_eq!(codes("", ""), ["CMP271"]);
    assert_eq!(codes(", target: base", ""), [""; 0]);
    assert_eq!(codes(", target: BROKEN", ""), ["CMP271"]);
    assert_eq!(codes(", target: nothing", ""), ["CMP270"]);
}

#[test]
fn stages_that_are_mounted_are_built() {
    let later = DOCKERFILE.replace("from=other", "from=base");
    let text = |dockerfile: &str| {
        let inline = serde_json::to_string(&dockerfile.replace('$', "$$")).expect("a text");
        format!(
            "services: {{ web: {{ build: {{ context: ./built, target: last, dockerfile_inline: {inline} }} }} }}"
        )
    };
    let last = "FROM alpine:3 AS last\nRUN --mount=from=other,target=/x true\n";
    assert_eq!(findings(&[&text(&format!("{later}{last}"))], &[]).len(), 1);
    assert_eq!(findings(&[&text(&format!("{later}{}", last.replace("other", "base")))], &[]), []);
}

#[test]
fn a_service_listens_where_its_dockerfile_says() {
    let api = |port: &str| {
        format!(", api: {{ image: \"i:1\", environment: {{ BACK: \"http://localhost:{port}/\" }} }}")
    };
    assert_eq!(codes(", target: prod", &api("8080")), ["CMP131"]);
    assert_eq!(codes(", target: prod", &api("8081")), [""; 0]);
}

#[test]
fn findings_are_in_the_dockerfile() {
    let sources = Sources::new();
    let reading = reading(&sources, &["services: { web: { build: ./built } }"], &[]);
    let project = reading.project.expect("it can be read");
    let found = common::judged(&sources, &project);
    let place = found[0].primary.place;
    assert_eq!(sources.get(place.file).slice(place.span), "COPY missing.txt /");
}

#[test]
fn what_an_image_is_called_for_is_a_warning() {
    let text = "services: { web: { image: \"i:1\", build: { context: ./built, target: nothing } } }";
    let found = findings(&[text], &[]);
    assert_eq!(found[0].0, "CMP279");
}
