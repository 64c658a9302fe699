//! Options in the file: `PlusCal options (wf, termination)`.

use super::Wrong;
use super::lines::{Lines, Spot};

/// How to translate.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// `wf`, `sf`, `wfNext`, `nof`, or nothing.
    pub(super) fairness: String,
    /// Whether labels may be added where the author has written some.
    pub(super) may_label: bool,
    /// The prefix of the names of added labels.
    pub(super) root: String,
    /// Whether termination is not to be a step.
    pub(super) no_done: bool,
    /// Of an algorithm for version 1.5: `fair` may stand before its `begin`.
    pub(super) is_version_1_5: bool,
    /// Of an algorithm for a version before 1.5: `pc` is always there.
    pub(super) is_old: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            fairness: String::new(),
            may_label: false,
            root: "Lbl_".to_owned(),
            no_done: false,
            is_version_1_5: false,
            is_old: false,
        }
    }
}

impl Options {
    /// The options of a file.
    pub(super) fn read(lines: &Lines) -> Result<Self, Wrong> {
        let mut options = Self::default();
        let Some((words, spot)) = statement(lines)? else { return Ok(options) };
        let (mut is_terminating, mut is_unfair) = (false, false);
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            match word.trim_start_matches('-') {
                fairness @ ("wf" | "sf" | "wfNext" | "nof") => {
                    if !options.fairness.is_empty() {
                        return Err(Wrong::new(
                            "only one of the options wf, sf, wfNext and nof can be given",
                            spot,
                        ));
                    }
                    is_unfair = fairness == "nof";
                    fairness.clone_into(&mut options.fairness);
                }
                "termination" => is_terminating = true,
                "label" => options.may_label = true,
                "noDoneDisjunct" => options.no_done = true,
                "labelRoot" => {
                    let root = words.next().unwrap_or_default();
                    let is_name = root.starts_with(|c: char| c.is_ascii_alphabetic())
                        && root.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                    if !is_name {
                        return Err(Wrong::new("the option labelRoot is followed by a name", spot));
                    }
                    options.root = root;
                }
                "version" => options.version(&words.next().unwrap_or_default(), spot)?,
                "lineWidth" => _ = words.next(),
                "noold" | "nocfg" | "unixEOL" => {}
                other => return Err(Wrong::new(format!("`{other}` is not an option of PlusCal"), spot)),
            }
        }
        if is_terminating && options.fairness.is_empty() && !is_unfair {
            "wf".clone_into(&mut options.fairness);
        }
        Ok(options)
    }

    fn version(&mut self, text: &str, spot: Spot) -> Result<(), Wrong> {
        let parts: Option<Vec<u32>> = text.split('.').map(|part| part.parse().ok()).collect();
        match parts.as_deref() {
            Some([1, minor]) => {
                self.is_old = *minor < 5;
                self.is_version_1_5 = *minor == 5;
                Ok(())
            }
            _ => Err(Wrong::new(format!("`{text}` is not a version of PlusCal"), spot)),
        }
    }
}

/// The words of the options statement, and where it stands.
fn statement(lines: &Lines) -> Result<Option<(Vec<String>, Spot)>, Wrong> {
    for line in 0..lines.len() {
        let Some(column) = lines.find(line, "PlusCal") else { continue };
        let text = lines.text(line);
        let rest: String = text.chars().skip(column + "PlusCal".len()).collect();
        let Some(rest) = rest.trim_start().strip_prefix("options") else { continue };
        if rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let mut rest = rest.to_owned();
        let mut below = line + 1;
        while !rest.contains(')') && below < lines.len() {
            rest.push_str(&lines.text(below));
            below += 1;
        }
        let (Some(inner), spot) = (rest.trim_start().strip_prefix('('), (line, column)) else {
            return Err(Wrong::new("`PlusCal options` is followed by `(`", (line, column)));
        };
        let Some((inner, _)) = inner.split_once(')') else {
            return Err(Wrong::new("the options have no closing `)`", spot));
        };
        let words = inner.split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_owned).collect();
        return Ok(Some((words, spot)));
    }
    Ok(None)
}
