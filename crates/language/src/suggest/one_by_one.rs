//! Changes where a finding has at most one right one, made one after the other.
//!
//! A change is kept only if the text, read and judged again, no longer has the finding and has no other one instead.
//! What is found only because a reader gets further after the change is not counted against the change.

use std::collections::BTreeSet;
use std::sync::Arc;

use locus_source::edit::{Edit, apply};
use locus_source::{Finding, Severity, SourceFile, Sources};

use super::{READ, is_wanted, key};
use crate::{Document, Request, Suggestion};

/// So many changes are tried, for a file that is not large. Each has the file read once.
const TRIED: usize = 64;

/// A text as a language read and judged it.
struct Judged {
    file: Arc<SourceFile>,
    document: Box<dyn Document>,
    /// All that is wrong with it, by the reader and by the rules.
    findings: Vec<Finding>,
}

/// Reads a file in some language.
type Read<'r> = dyn Fn(&Arc<SourceFile>, &Request<'_>) -> Box<dyn Document> + 'r;

/// The changes of a file that correct as much as can be. `read` reads a text as if it stood in the place of this one.
/// Nothing if nothing is wrong with it that a change of this text could correct.
pub fn suggest(file: &SourceFile, request: &Request<'_>, read: &Read<'_>) -> Option<Suggestion> {
    let judge = |sources: &Sources, text: &str| {
        let file = sources.add(file.name(), text);
        let options = request.options.within(sources);
        let request = Request { sources, options: &options, ..*request };
        let document = read(&file, &request);
        let findings = [document.findings(), &document.judge(&request).findings].concat();
        Judged { file, document, findings }
    };
    let text = file.text();
    let mut now = judge(&Sources::new(), text);
    wanted(&now).next()?;
    let mut text = text.to_owned();
    let mut mends: Vec<Finding> = Vec::new();
    let mut refused: BTreeSet<(String, String)> = BTreeSet::new();
    let mut left = (READ / text.len().max(1)).clamp(8, TRIED);
    let mut gave_up = None;
    loop {
        let offered = wanted(&now).find_map(|finding| {
            let (code, message) = key(finding);
            let edits =
                (!refused.contains(&(code.to_owned(), message.to_owned()))).then(|| change(&now, finding));
            Some((finding.clone(), edits??))
        });
        let Some((finding, edits)) = offered else { break };
        if left == 0 {
            gave_up = Some("the file is too large for every change to be tried".to_owned());
            break;
        }
        left -= 1;
        let changed = apply(&text, &edits);
        let then = judge(&Sources::new(), &changed);
        if is_better(&then, &now, &finding) {
            (text, now) = (changed, then);
            mends.push(finding);
        } else {
            refused.insert((finding.code.to_string(), finding.message));
        }
    }
    let left = wanted(&now).cloned().collect();
    Some(Suggestion { text, mends, left, gave_up })
}

/// The one right change for a finding: the one that it carries, or that its language knows.
fn change(judged: &Judged, finding: &Finding) -> Option<Vec<Edit>> {
    match &finding.fix {
        Some(fix) => fix.replacements.iter().map(|replacement| replacement.edit(&judged.file)).collect(),
        None => judged.document.change(finding),
    }
}

fn wanted(judged: &Judged) -> impl Iterator<Item = &Finding> {
    judged.findings.iter().filter(|one| is_wanted(one, &judged.file))
}

fn count(judged: &Judged, finding: &Finding) -> usize {
    judged.findings.iter().filter(|other| key(other) == key(finding)).count()
}

/// Whether a change has corrected a finding and made nothing worse.
fn is_better(after: &Judged, before: &Judged, finding: &Finding) -> bool {
    let is_new = |one: &Finding| one.severity > Severity::Note && count(after, one) > count(before, one);
    count(after, finding) < count(before, finding)
        && (after.document.step() > before.document.step()
            || after.document.step() == before.document.step() && !after.findings.iter().any(is_new))
}
