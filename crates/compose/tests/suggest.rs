//! `--suggest`: the one right change of a Compose file, and none where there are several.

use std::sync::Arc;

use locus_compose::Compose;
use locus_language::{Effort, Language, Options, Request, Suggestion};
use locus_source::{Limits, Loader, NoFiles, Sources};

fn suggestion(text: &str) -> Option<Suggestion> {
    let sources = Sources::new();
    let limits = Limits::default();
    let file = sources.add("compose.yaml", text);
    let loader: Arc<dyn Loader> = Arc::new(NoFiles);
    let effort = Effort { timeout: None, workers: 1, stop: None };
    let request = Request {
        sources: &sources,
        limits: &limits,
        loader: &loader,
        options: &Options::default(),
        own_rules: &[],
        effort: &effort,
    };
    Compose.suggest(&file, &request)
}

/// The text after the change that is suggested, the codes of what it corrects, and of what is left.
fn changed(text: &str) -> (String, Vec<String>, Vec<String>) {
    let Suggestion { text, mends, left, gave_up } = suggestion(text).expect("something is wrong");
    assert_eq!(gave_up, None);
    let codes =
        |findings: &[locus_source::Finding]| findings.iter().map(|one| one.code.to_string()).collect();
    (text, codes(&mends), codes(&left))
}

fn mends(before: &str, after: &str, codes: &[&str]) {
    let (text, mends, left) = changed(before);
    assert_eq!(text, after);
    assert_eq!(
        (mends, left),
        (codes.iter().map(|code| (*code).to_owned()).collect(), Vec::new()),
        "{before}"
    );
}

#[test]
fn a_name_that_is_nearly_one_that_is_there_becomes_that_one() {
    mends(
        "services:\n  web: { image: \"i:1\", depends_on: [databse] }\n  database: { image: \"i:1\" }\n",
        "services:\n  web: { image: \"i:1\", depends_on: [database] }\n  database: { image: \"i:1\" }\n",
        &["CMP020"],
    );
    mends(
        "services:\n  web:\n    imag: i:1 # which\n    networks: [front]\nnetworks:\n  fronts:\n",
        "services:\n  web:\n    image: i:1 # which\n    networks: [fronts]\nnetworks:\n  fronts:\n",
        &["CMP002", "CMP020"],
    );
}

#[test]
fn networks_and_volumes_that_nothing_declares_are_declared() {
    let services = "services:\n  db:\n    image: i:1\n    volumes: [\"data:/d\"]\n    networks: [back]\n";
    mends(services, &format!("{services}networks:\n  back:\nvolumes:\n  data:\n"), &["CMP020", "CMP020"]);
    mends(
        &format!("{services}networks: {{ }}\nvolumes: {{ x: {{}} }}\nx-note: the end"),
        &format!(
            "{services}networks: {{ back: {{}}  }}\nvolumes: {{ data: {{}}, x: {{}} }}\nx-note: the end"
        ),
        &["CMP020", "CMP020"],
    );
    mends(
        &format!("{services}networks:\n    # the outer one\n    outside:\nvolumes: {{}}\n"),
        &format!(
            "{services}networks:\n    # the outer one\n    back:\n    outside:\nvolumes: {{ data: {{}} }}\n"
        ),
        &["CMP020", "CMP020"],
    );
}

#[test]
fn a_health_check_says_how_it_is_run() {
    let check =
        |test: &str| format!("services:\n  web:\n    image: i:1\n    healthcheck:\n      test: {test}\n");
    mends(&check("[curl, -f, x]"), &check("[CMD, curl, -f, x]"), &["CMP027"]);
    mends(
        &check("\n        - curl\n        - -f"),
        &check("\n        - CMD\n        - curl\n        - -f"),
        &["CMP027"],
    );
}

#[test]
fn other_services_are_reached_by_their_name_at_their_port() {
    let with = |url: &str| {
        format!(
            "services:\n  web:\n    image: i:1\n    environment:\n      - URL={url}\n  api:\n    image: i:1\n    \
             ports: [\"8080:3000\"]\n  database: {{ image: \"i:1\", expose: [\"5432\"] }}\n"
        )
    };
    mends(&with("http://localhost:5432/x"), &with("http://database:5432/x"), &["CMP131"]);
    mends(&with("pg://databse:5432/x"), &with("pg://database:5432/x"), &["CMP133"]);
    mends(&with("http://api:8080/x"), &with("http://api:3000/x"), &["CMP134"]);
}

#[test]
fn what_has_several_right_changes_is_left() {
    let clash = "services:\n  a: { image: \"i:1\", ports: [\"80:80\"] }\n  b: { image: \"i:1\", ports: [\"80:80\"] }\n";
    let (text, mends, left) = changed(clash);
    assert_eq!((text.as_str(), mends, left), (clash, vec![], vec!["CMP100".to_owned()]));
    // Two services listen at the port, so either may be meant.
    let twice = "services:\n  web: { image: \"i:1\", environment: { URL: \"http://localhost:99/\" } }\n  \
                 a: { image: \"i:1\", expose: [\"99\"] }\n  b: { image: \"i:1\", expose: [\"99\"] }\n";
    let (text, mends, left) = changed(twice);
    assert_eq!((text.as_str(), mends.len()), (twice, 0));
    assert!(left.iter().all(|code| code == "CMP131"), "{left:?}");
}

#[test]
fn a_change_that_makes_something_else_wrong_is_not_suggested() {
    // With the name that is near, both services would depend on each other.
    let circle = "services:\n  webs: { image: \"i:1\", depends_on: [database] }\n  \
                  database: { image: \"i:1\", depends_on: [web] }\n";
    let (text, mends, left) = changed(circle);
    assert_eq!((text.as_str(), mends, left), (circle, vec![], vec!["CMP020".to_owned()]));
}

#[test]
fn a_right_file_has_no_suggestion() {
    assert!(suggestion("services:\n  a: { image: \"i:1\" }\n").is_none());
}
