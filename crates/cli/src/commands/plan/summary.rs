//! The opening of a plan of the things of a language: their fates and why; and the order in which that is done where
//! another one would break rules on the way.

use locus_judge::InTurn;
use locus_meaning::Key;
use locus_plan::{Fate, Pivot, Turn};
use locus_source::Sources;

/// The remark about data that is lost.
const LOST: &str = "what is in it is lost";

/// Returns the fates of the things, in the order in which they are declared, each with why.
pub(super) fn summary(pivot: &Pivot, sources: &Sources) -> Vec<String> {
    let mut lines = Vec::new();
    for difference in &pivot.differences {
        let sign = match difference.fate {
            Fate::Keep => continue,
            Fate::Add => "+",
            Fate::Change => "~",
            Fate::Replace => "-/+",
            Fate::Remove => "-",
            Fate::Leave => "=",
        };
        let (name, sort) = (&difference.name, &difference.sort);
        lines.push(format!("  {sign:<3} {name} : {sort}"));
        for why in &difference.why {
            let places = [why.old, why.new].into_iter().flatten().map(|place| sources.describe(place));
            lines.push(format!("        {why} ({})", places.collect::<Vec<_>>().join(" and ")));
        }
        match difference.fate {
            Fate::Leave => lines.push("        it stays: it is not deleted with the rest".to_owned()),
            _ if difference.loses_data => lines.push(format!("        {LOST}")),
            _ => {}
        }
    }
    let lost = pivot.differences.iter().filter(|difference| difference.loses_data).count();
    let lost = if lost > 0 { format!("; data is lost of {lost}") } else { String::new() };
    lines.push(format!(
        "{} to add, {} to change, {} to replace, {} to remove{lost}",
        pivot.count(Fate::Add),
        pivot.count(Fate::Change),
        pivot.count(Fate::Replace),
        pivot.count(Fate::Remove),
    ));
    lines
}

/// The order of a plan.
#[derive(Clone, Copy)]
pub(super) enum Order<'i> {
    /// It is as the planner found it.
    Found,
    /// Some things go before others come.
    InTurn(&'i InTurn),
    /// It breaks rules on the way; beside it one that does not, if there is one.
    Refused(Option<&'i InTurn>),
}

impl Order<'_> {
    /// All that is said of it.
    pub(super) fn remarks(self) -> Vec<String> {
        let (found, lead) = match self {
            Self::Found => return Vec::new(),
            Self::InTurn(found) => (found, ""),
            Self::Refused(None) => {
                return vec!["no order was found in which no rule is broken on the way".to_owned()];
            }
            Self::Refused(Some(found)) => (found, "in an order that works, "),
        };
        let difference = |key: &Key| found.pivot.differences.iter().find(|one| one.key == *key);
        let name = |key: &Key| difference(key).map_or_else(|| format!("{key:?}"), |one| one.name.clone());
        let is_changed = |key: &Key| difference(key).is_some_and(|one| one.fate == Fate::Change);
        let line = |(turn, code): &(Turn, String)| {
            let first = if is_changed(&turn.first) { "is changed" } else { "is deleted" };
            let then = match (turn.first == turn.then, is_changed(&turn.then)) {
                (true, _) => "it is made anew".to_owned(),
                (false, true) => format!("{} is changed", name(&turn.then)),
                (false, false) => format!("{} is made", name(&turn.then)),
            };
            format!(
                "{lead}{} {first} before {then}: otherwise {code} is broken on the way",
                name(&turn.first)
            )
        };
        found.turns.iter().map(line).collect()
    }
}
