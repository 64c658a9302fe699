//! How the states of a search were kept, for people.

use std::fmt::Write as _;

use locus_tla::check::{Kept, Part};

use crate::report::counted;

/// The text for `--explain-packing`.
pub(super) fn explanation(kept: &Kept) -> String {
    let mut text = String::new();
    match kept {
        Kept::Values(reasons) => {
            let _ = writeln!(text, "states were kept as values: {}", reasons.join("; "));
        }
        Kept::Packed(layout) => {
            let words = counted(layout.words, "word");
            let _ = writeln!(text, "states were packed into {words} of 32 bits, with the fingerprint");
            let width = layout.parts.iter().map(|part| name(part).chars().count()).max().unwrap_or(0);
            for part in &layout.parts {
                let _ = writeln!(text, "  {:width$}  {}", name(part), form(part));
            }
            if layout.terms > 0 {
                let terms = counted(layout.terms, "part");
                let _ = writeln!(text, "  {terms} of the VIEW evaluated in each state");
            }
        }
    }
    text.push('\n');
    text
}

/// The name of a part, with how many of it there are.
fn name(part: &Part) -> String {
    if part.count > 1 { format!("{} ({} times)", part.name, part.count) } else { part.name.clone() }
}

fn form(part: &Part) -> String {
    let bits = counted(part.bits as usize, "bit");
    let mut form = if part.is_set {
        format!("{bits}, one for each element of a set, of which there were {}", part.values)
    } else {
        format!("{bits} for the number of a value, of which there were {}", part.values)
    };
    if !part.is_seen {
        form.push_str("; not in the VIEW");
    }
    form
}
