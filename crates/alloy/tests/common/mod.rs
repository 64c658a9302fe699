//! Helpers that the tests of models share.
#![allow(dead_code, reason = "each test file uses a part of this")]

use std::fmt::Write;

use locus_alloy::{Data, Given, Judgement, Model, NoFiles, Options, Subject, Verdict};
use locus_source::{Finding, Sources};

/// Reads a model that may have warnings.
pub(crate) fn load(text: &str) -> (Sources, Option<Model>, Vec<Finding>) {
    let sources = Sources::new();
    let file = sources.add("m.als", text);
    let (model, findings) = Model::load(&sources, &NoFiles, file.id());
    (sources, model, findings)
}

/// Reads a model without errors.
pub(crate) fn model(text: &str) -> (Sources, Model) {
    let (sources, model, findings) = load(text);
    let shown = show(&sources, &findings);
    (sources, model.unwrap_or_else(|| panic!("there are errors:\n{shown}")))
}

/// Returns the judgements of data that does not fit. Facts made ready once for a model must say the same as those
/// translated with the data.
pub(crate) fn judge(model: &Model, data: &Data) -> Vec<Judgement> {
    let judge = |data: &Data| model.judge(data, 10).unwrap_or_else(|finding| panic!("{}", finding.message));
    let mut well_formed = data.clone();
    well_formed.is_well_formed();
    let all = judge(data);
    let facts = all.iter().filter(|one| matches!(one.subject, Subject::Fact(_))).cloned();
    assert_eq!(judge(&well_formed), facts.collect::<Vec<_>>());
    all
}

/// Findings as text: place, code, message, and what belongs to it.
pub(crate) fn show(sources: &Sources, findings: &[Finding]) -> String {
    let mut out = String::new();
    for finding in findings {
        let at = |place| sources.start(place);
        let _ = writeln!(out, "{} {} {}", at(finding.primary.place), finding.code, finding.message);
        for label in &finding.secondary {
            let _ = writeln!(out, "  {} {}", at(label.place), label.message);
        }
        for note in &finding.notes {
            let _ = writeln!(out, "  note: {note}");
        }
        if let Some(help) = &finding.help {
            let _ = writeln!(out, "  help: {help}");
        }
    }
    out
}

/// The findings about a text.
pub(crate) fn findings(text: &str) -> String {
    let (sources, _, findings) = load(text);
    show(&sources, &findings)
}

/// The verdicts of all commands, by name.
pub(crate) fn verdicts(text: &str, options: &Options) -> Vec<(String, Verdict)> {
    let (_, model) = model(text);
    let verdict = |index| match model.execute(index, options) {
        Ok(outcome) => outcome.verdict,
        Err(finding) => panic!("{}: {}", model.commands()[index].name, finding.message),
    };
    (0..model.commands().len()).map(|index| (model.commands()[index].name.clone(), verdict(index))).collect()
}

/// Every command does what its `expect` says.
pub(crate) fn as_expected(text: &str, options: &Options) {
    let (_, model) = model(text);
    for (index, command) in model.commands().iter().enumerate() {
        let outcome = match model.execute(index, options) {
            Ok(outcome) => outcome,
            Err(finding) => panic!("{index} {}: {}", command.name, finding.message),
        };
        assert_eq!(outcome.expected(command), Some(true), "{index} {}: {:?}", command.name, outcome.verdict);
    }
}

/// How many instances each command has, with symmetric ones.
pub(crate) fn counts(text: &str) -> Vec<usize> {
    let (_, model) = model(text);
    let options = Options { symmetry: 0, ..Options::default() };
    let count = |index| {
        let mut instances = model.instances(index, &options).expect("a command that can be analysed");
        let mut count = 0;
        while instances.next().expect("there is time").is_some() {
            count += 1;
        }
        count
    };
    (0..model.commands().len()).map(count).collect()
}

/// Tuples of given data as text.
pub(crate) fn tuples(tuples: &[Vec<Given>]) -> String {
    let tuple = |tuple: &Vec<Given>| tuple.iter().map(Given::to_string).collect::<Vec<_>>().join("->");
    tuples.iter().map(tuple).collect::<Vec<_>>().join("+")
}
