//! Things that are known of the attributes of a resource before it is made.

use std::sync::Arc;

use locus_schema::{Content, Datum, Nature};

use crate::template::Template;

/// The attributes with a path that groups have themselves.
const OF_GROUPS: [&str; 5] = ["attributes", "outputs", "outputs_list", "refs", "refs_map"];

/// Things that are known of the attributes of a resource before it is made.
pub(crate) enum Told {
    /// It is a template: its outputs.
    Outputs(Arc<Template>),
    /// It has one such attribute.
    One(&'static str, Datum),
    /// It makes templates, as far as these were read: the number of each.
    Members(Vec<(usize, Arc<Template>)>),
}

impl Told {
    /// The value of an attribute, and how many steps of the path behind it led there.
    pub(crate) fn attribute(&self, name: &str, path: &[Datum]) -> Option<(Datum, usize)> {
        let (datum, steps) = match self {
            Self::Outputs(template) => (output(template, name)?, 0),
            Self::One(attribute, value) => (Some(value).filter(|_| name == *attribute)?, 0),
            Self::Members(members) => {
                let member = |at: usize| members.iter().find(|(number, _)| *number == at);
                let first = path.first();
                match name.strip_prefix("resource.").map(|rest| rest.split_once('.').unwrap_or((rest, ""))) {
                    Some((at, "")) => (output(&member(at.parse().ok()?)?.1, first?.as_str()?)?, 1),
                    Some((at, name)) => (output(&member(at.parse().ok()?)?.1, name)?, 0),
                    None if OF_GROUPS.contains(&name) => return None,
                    None => {
                        let Content::Int(at) = first?.value else { return None };
                        (output(&member(usize::try_from(at).ok()?)?.1, name)?, 1)
                    }
                }
            }
        };
        let is_known = match &datum.value {
            // The value of an input is the same wherever it is used.
            Content::Unknown(unknown) => unknown.why.nature() == Nature::Input,
            Content::Null | Content::Absent => false,
            _ => datum.file_within().is_none(),
        };
        is_known.then(|| (datum.clone(), steps))
    }
}

/// The value of an output that there certainly is.
fn output<'t>(template: &'t Template, name: &str) -> Option<&'t Datum> {
    Some(&template.output(name).filter(|output| output.enabled == Some(true))?.value)
}
