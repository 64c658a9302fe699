//! Values that are given to parameters: with `-P`, and in files in the forms of the AWS command line, of `sam` and of
//! CodePipeline.

use std::sync::Arc;

use locus_source::json::{self, JsonOptions};
use locus_source::yaml::{self, YamlOptions};
use locus_source::{Limits, Node, Report, SourceFile, Span};

use crate::rules::PARAMETER_FILE;
use crate::values::parameters::scalar_text;

/// The values in a file: a list of maps with `ParameterKey` and `ParameterValue`, a list of texts `Name=value`, a map
/// with the key `Parameters`, or a map of names and values.
pub(super) fn of_file(
    file: &Arc<SourceFile>,
    limits: &Limits,
    report: &mut Report,
) -> Vec<(Arc<str>, Arc<str>)> {
    let is_json = file.text().trim_start().starts_with(['{', '[']);
    let parsed = if is_json {
        json::parse(file, &JsonOptions { limits: limits.clone(), ..JsonOptions::default() })
    } else {
        yaml::parse(file, &YamlOptions { limits: limits.clone(), ..YamlOptions::pyyaml() })
    };
    parsed.findings.into_iter().for_each(|finding| report.add(finding));
    let mut values = Vec::new();
    let Some(tree) = parsed.documents.first() else { return values };
    let root = tree.root();
    let mut wrong = |node: Node<'_>| {
        report.say(&PARAMETER_FILE, node.use_place(), "this gives no parameter a value");
    };
    if root.is_sequence() {
        for item in root.items() {
            let pair = item.get("ParameterKey").zip(item.get("ParameterValue"));
            let written = item.as_str().and_then(|text| text.split_once('='));
            match (pair, written) {
                (Some((key, value)), _) => values.push((scalar_text(key), scalar_text(value))),
                (None, Some((key, value))) => values.push((key.into(), value.into())),
                // A value that is to stay as it is is none that is known.
                (None, None) if item.get("UsePreviousValue").is_some() => {}
                (None, None) => wrong(item),
            }
        }
        return values;
    }
    let map = root.get("Parameters").unwrap_or(root);
    if !map.is_mapping() {
        report.say(&PARAMETER_FILE, file.place(Span::point(0)), "a file of parameters is a list or a map");
        return values;
    }
    for entry in map.entries() {
        if entry.value.is_scalar() {
            values.push((entry.key.raw().into(), scalar_text(entry.value)));
        } else if entry.value.is_sequence() && entry.value.items().all(Node::is_scalar) {
            let items: Vec<Arc<str>> = entry.value.items().map(scalar_text).collect();
            values.push((entry.key.raw().into(), items.join(",").into()));
        } else {
            wrong(entry.value);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use locus_source::Sources;

    #[test]
    fn files_have_several_forms() {
        let of = |text: &str| {
            let sources = Sources::new();
            let file = sources.add("p", text);
            let mut report = Report::default();
            let values = of_file(&file, &Limits::default(), &mut report);
            let values: Vec<String> = values.iter().map(|(key, value)| format!("{key}={value}")).collect();
            (values, report.into_vec().len())
        };
        let both = (vec!["A=1".to_owned(), "B=x,y".to_owned()], 0);
        assert_eq!(of("[{\"ParameterKey\": \"A\", \"ParameterValue\": \"1\"}, \"B=x,y\"]"), both);
        assert_eq!(of("{\"Parameters\": {\"A\": 1, \"B\": [\"x\", \"y\"]}, \"Tags\": {}}"), both);
        assert_eq!(of("A: 1\nB: x,y\n"), both);
        assert_eq!(of("[3]").1, 1);
        assert_eq!(of("3").1, 1);
    }
}
