//! Slips of the pen that findings know how to correct.

use locus_hot::{Inputs, Reading, read};
use locus_source::edit::apply;
use locus_source::{Severity, SourceFile, Sources};

const TEMPLATE: &str = "\
heat_template_version: 2018-08-31   # the version
paramters:
  # which image
  image: { type: strng, default: 'debian' }
resources:
  web:
    type: \"OS::Nova::Servr\"   # quoted
    propertis:
      image: { get_param: image }
      flavour:   small
";

const MEANT: &str = "\
heat_template_version: 2018-08-31   # the version
parameters:
  # which image
  image: { type: string, default: 'debian' }
resources:
  web:
    type: \"OS::Nova::Server\"   # quoted
    properties:
      image: { get_param: image }
      flavor:   small
";

fn reading(text: &str) -> (std::sync::Arc<SourceFile>, Reading) {
    let sources = Sources::new();
    let file = sources.add("stack.yaml", text);
    let reading = read(&sources, &file, &Inputs::default());
    (file, reading)
}

/// The text after all fixes that are certain.
fn fixed(text: &str) -> String {
    let (file, reading) = reading(text);
    let certain = reading.findings.iter().filter_map(|finding| finding.fix.as_ref());
    let certain = certain.filter(|fix| fix.is_certain).flat_map(|fix| &fix.replacements);
    let edits: Vec<_> = certain.filter_map(|replacement| replacement.edit(&file)).collect();
    apply(text, &edits)
}

fn errors(text: &str) -> Vec<String> {
    let (_, reading) = reading(text);
    let errors = reading.findings.into_iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| finding.message).collect()
}

#[test]
fn words_of_the_language_are_corrected_and_all_else_stays() {
    assert!(errors(TEMPLATE).len() >= 3);
    // What is in a section or a map is read once that has its name, so it takes more than one round.
    let mut text = TEMPLATE.to_owned();
    for _ in 0..3 {
        text = fixed(&text);
    }
    assert_eq!(text, MEANT);
    assert_eq!(errors(&text), [""; 0]);
    assert_eq!(fixed(&text), text);
}

#[test]
fn names_that_somebody_chose_are_not_corrected_unasked() {
    let text = "\
heat_template_version: 2018-08-31
resources:
  web1: { type: OS::Heat::RandomString }
  web3: { type: OS::Heat::Value, properties: { value: { get_resource: web2 } } }
";
    let (_, reading) = reading(text);
    let fixes: Vec<_> = reading.findings.iter().filter_map(|finding| finding.fix.as_ref()).collect();
    assert!(!fixes.is_empty() && fixes.iter().all(|fix| !fix.is_certain));
    assert_eq!(fixed(text), text);
}
