//! `locus check --fix`: makes the changes that findings carry, where they are certainly what was meant.
//!
//! A file is changed only where a word is wrong: all else in it stays as it is, to the last blank. What was changed is
//! checked again, and a file in which a finding that was to go is still there, or in which there are more errors than
//! before, gets its old text back.

use std::collections::BTreeMap;
use std::path::Path;

use locus_source::edit::{Edit, apply, are_disjoint};
use locus_source::{FileId, Finding, Severity, SourceFile, Sources};

use crate::output::write_whole;

/// A file that was changed.
pub(crate) struct Fixed {
    name: String,
    before: String,
    /// The findings that are to be gone: code and message.
    gone: Vec<(String, String)>,
    errors: usize,
}

/// Makes all changes that are certain and that can be made together, and writes the files.
pub(crate) fn fix(findings: &[Finding], sources: &Sources) -> anyhow::Result<Vec<Fixed>> {
    let mut by_file: BTreeMap<FileId, Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        by_file.entry(finding.primary.place.file).or_default().push(finding);
    }
    let mut changed = Vec::new();
    for (id, findings) in by_file {
        let file = sources.get(id);
        if !Path::new(file.name()).is_file() {
            continue;
        }
        let mut edits: Vec<Edit> = Vec::new();
        let mut gone = Vec::new();
        for finding in &findings {
            if let Some(more) = edits_of(finding, &file)
                && more.iter().all(|one| edits.iter().all(|other| one != other && are_disjoint(one, other)))
            {
                edits.extend(more);
                gone.push(key(finding));
            }
        }
        if !edits.is_empty() {
            write_whole(Path::new(file.name()), &apply(file.text(), &edits))?;
            let (name, before) = (file.name().to_owned(), file.text().to_owned());
            changed.push(Fixed { name, before, gone, errors: errors(findings.iter().copied()) });
        }
    }
    Ok(changed)
}

/// Gives the old text back to files that did not become better. Gives the names of the others, and whether there was
/// one that did not.
pub(crate) fn keep_the_better(
    changed: &[Fixed],
    findings: &[Finding],
    sources: &Sources,
) -> anyhow::Result<(Vec<String>, bool)> {
    let mut kept = Vec::new();
    let mut undone = false;
    for Fixed { name, before, gone, errors: most } in changed {
        let here = || findings.iter().filter(|one| sources.get(one.primary.place.file).name() == name);
        if here().any(|one| gone.contains(&key(one))) || errors(here()) > *most {
            write_whole(Path::new(name), before)?;
            undone = true;
        } else {
            kept.push(name.clone());
        }
    }
    Ok((kept, undone))
}

/// The edits of a finding whose fix is certain and can be made.
fn edits_of(finding: &Finding, file: &SourceFile) -> Option<Vec<Edit>> {
    let fix = finding.fix.as_ref().filter(|fix| fix.is_certain)?;
    fix.replacements.iter().map(|replacement| replacement.edit(file)).collect()
}

fn key(finding: &Finding) -> (String, String) {
    (finding.code.to_string(), finding.message.clone())
}

fn errors<'f>(findings: impl Iterator<Item = &'f Finding>) -> usize {
    findings.filter(|finding| finding.severity == Severity::Error).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use locus_source::{Fix, Place, Replacement, Rule, Span};

    const RULE: Rule = Rule::new("TST001", "test", Severity::Error, "A test.", "");

    fn slip(file: &SourceFile, start: usize, old: &str, new: &str, is_certain: bool) -> Finding {
        let place = Place::new(file.id(), Span::new(start, start + old.len()));
        let replacement = Replacement { place, old: old.to_owned(), new: new.to_owned() };
        let fix = Fix { replacements: vec![replacement], is_certain };
        Finding::new(&RULE, place, format!("there is no `{old}`")).fix(fix)
    }

    #[test]
    fn certain_fixes_are_written_and_taken_back_if_nothing_is_better() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.yaml");
        let text = "keey: 1  # one\nnaem: 2\n";
        std::fs::write(&path, text).unwrap();
        let sources = Sources::new();
        let file = sources.add(path.display().to_string(), text);
        let findings = [slip(&file, 0, "keey", "key", true), slip(&file, 15, "naem", "name", false)];
        let changed = fix(&findings, &sources).unwrap();
        let now = || std::fs::read_to_string(&path).unwrap();
        assert_eq!(now(), "key: 1  # one\nnaem: 2\n");
        let (kept, undone) = keep_the_better(&changed, &findings[1..], &sources).unwrap();
        assert_eq!((kept.len(), undone), (1, false));
        let (kept, undone) = keep_the_better(&changed, &findings, &sources).unwrap();
        assert_eq!((kept.len(), undone, now()), (0, true, text.to_owned()));
    }
}
