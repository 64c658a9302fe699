//! Transforms: macros that change the template before it is deployed.

use locus_source::words::{listed, short};
use locus_source::{Node, Report};

use crate::rules::WRONG_KIND;

/// The transforms of a template.
#[derive(Default)]
pub(super) struct Transforms {
    /// Whether `AWS::LanguageExtensions` is among them.
    pub(super) has_extensions: bool,
    /// Whether the template may get names that are not in it.
    pub(super) is_open: bool,
    /// Whether it is a template of the Serverless Application Model.
    is_sam: bool,
    /// Macros of others, which may change everything.
    pub(super) macros: Vec<String>,
    /// Whether snippets are included that only AWS can read.
    includes: bool,
}

pub(super) fn of(root: Node<'_>, report: &mut Report) -> Transforms {
    let mut found = Transforms::default();
    let Some(node) = root.get("Transform") else { return found };
    let all: Vec<Node<'_>> = if node.is_sequence() { node.items().collect() } else { vec![node] };
    for one in all {
        let name = one.as_str().or_else(|| one.get("Name").and_then(Node::as_str));
        let Some(name) = name else {
            report.say(&WRONG_KIND, one.use_place(), "a transform is a name, or a map with a `Name`");
            continue;
        };
        match name {
            "AWS::LanguageExtensions" => found.has_extensions = true,
            "AWS::Include" => found.includes = true,
            name if name.starts_with("AWS::Serverless-") => found.is_sam = true,
            // They add resources, and leave what is there.
            name if name.starts_with("AWS::SecretsManager-") || name == "AWS::CodeDeployBlueGreen" => {}
            name => found.macros.push(name.to_owned()),
        }
    }
    found.is_open = found.is_sam || found.includes || !found.macros.is_empty();
    found
}

impl Transforms {
    /// All that was not answered because of them.
    pub(super) fn unanswered(&self) -> Vec<String> {
        let mut all = Vec::new();
        if self.is_sam {
            all.push(
                "it is a template of the Serverless Application Model, of which only the resources of CloudFormation \
                 were looked at: expand it with `sam build` first"
                    .to_owned(),
            );
        }
        if self.includes {
            all.push("what `AWS::Include` includes is not known".to_owned());
        }
        if !self.macros.is_empty() {
            let names: Vec<String> = self.macros.iter().map(|name| short(name)).collect();
            let names = listed(names.iter().map(String::as_str));
            all.push(format!(
                "its resources were not looked at, since what the macro {names} makes of them is not known"
            ));
        }
        all
    }
}
