//! Assumptions about something that only a deployment tells, and the templates under them.

use std::sync::Arc;

use locus_schema::Datum;
use locus_source::words::short;
use locus_source::{Finding, Place};

use crate::template::Template;

/// The assumption that makes a case.
#[derive(Clone, Debug)]
pub(crate) enum Assumption {
    /// That a parameter has a value.
    Parameter(Arc<str>, Datum),
    /// That a condition with a name holds, or does not.
    Condition(Arc<str>, bool),
    /// That the condition of the `if` in this place holds, or does not.
    If(Place, bool),
}

impl Assumption {
    /// The assumption, as it stands after "if".
    pub(crate) fn shown(&self) -> String {
        let holds = |holds: bool| if holds { "holds" } else { "does not hold" };
        match self {
            Self::Parameter(name, value) => format!("`{}` is {}", short(name), value.shown()),
            Self::Condition(name, value) => format!("`{}` {}", short(name), holds(*value)),
            Self::If(_, value) => format!("the condition {}", holds(*value)),
        }
    }

    /// That it does not matter, as a sentence.
    pub(crate) fn whatever(&self) -> String {
        match self {
            Self::Parameter(name, _) => {
                format!("something is wrong with each value that `{}` may have", short(name))
            }
            Self::Condition(name, _) => {
                format!("something is wrong whether the condition `{}` holds or not", short(name))
            }
            Self::If(..) => "something is wrong whether the condition holds or not".to_owned(),
        }
    }
}

/// A template in one case.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) assumption: Assumption,
    pub(crate) template: Option<Template>,
    /// The findings of reading it.
    pub(crate) findings: Vec<Finding>,
}
