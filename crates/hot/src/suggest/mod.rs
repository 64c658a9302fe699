//! Suggestions: the fewest changes to a template after which less is wrong.
//!
//! The findings give a repertoire of changes (`candidates`): another resource of the right kind, a free address in a
//! network, a value that is allowed, a key more or less, a resource that may be missing. Each of them is made by itself
//! and the text read again, which shows what it does to the instance that the rules speak of. Then the model finder has
//! the template as a partial instance, the rules, and the choice among these changes: it gives a smallest set of
//! them after which all that is broken holds, and nothing else is broken instead. Findings that no change corrects are left out.
//!
//! Values that are not known are taken for values unlike any other there. So the text is changed, read and judged once
//! more before anything is suggested, and if that does not bear it out, the finder has to think again.

mod addresses;
mod candidates;
mod protection;
mod slots;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use locus_rules::{Change, Repairs};
use locus_source::edit::{apply, before};
use locus_source::{Edit, Finding, Place, Severity, SourceFile, Sources};

use self::candidates::{Candidate, Reach, candidates, new_name};
use crate::template::Template;
use crate::{catalogue, interpret, verdict};

/// So many findings are looked at.
const LOOKED_AT: usize = 24;

/// So many changes are offered to the finder, for a template that is not large. Each has the template read once.
const OFFERED: usize = 320;

/// So many bytes are read for all of them.
const READ: usize = 4 << 20;

/// So often the finder may be wrong.
const RETRIES: usize = 12;

/// When the finder gives up.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A text as it was read.
pub struct Judged {
    /// The file that it is.
    pub file: Arc<SourceFile>,
    /// The template, if it is one.
    pub template: Option<Template>,
    /// What is wrong with it, except by the rules that come with Locus.
    pub findings: Vec<Finding>,
}

/// What to change.
#[derive(Debug)]
pub struct Suggestion {
    /// The edits.
    pub edits: Vec<Edit>,
    /// What the text is after them; as it was if nothing is suggested.
    pub text: String,
    /// What is then no longer wrong.
    pub mends: Vec<Finding>,
    /// Those that remain: nothing in the repertoire corrects them.
    pub left: Vec<Finding>,
    /// Why not everything was looked at.
    pub gave_up: Option<String>,
}

/// A smallest change of a text after which as many findings as possible are gone. `judge` reads a text as if it stood in the place
/// of this one. Nothing if nothing is wrong with it that a change of this text could correct.
pub fn suggest(text: &str, judge: &dyn Fn(&Sources, &str) -> Option<Judged>) -> Option<Suggestion> {
    let sources = Sources::new();
    let judged = judge(&sources, text)?;
    let template = judged.template?;
    let own: Vec<&Finding> =
        judged.findings.iter().filter(|finding| is_wanted(finding, &judged.file)).collect();
    let before = [judged.findings.clone(), verdict::check(&template).findings].concat();
    let wanted: Vec<&Finding> =
        before.iter().filter(|finding| is_wanted(finding, &judged.file)).take(LOOKED_AT).collect();
    if wanted.is_empty() {
        return None;
    }
    let search = Searching { text, judge, before: &before, wanted: &wanted };
    let most = (READ / text.len().max(1)).clamp(16, OFFERED);
    let mut best: Option<Verified> = None;
    let mut gave_up = None;
    let mut offered = 0;
    // The plainest changes that correct most: others are looked for only if something is left.
    for reach in Reach::ALL {
        let repertoire = candidates(&judged.file, &template, &wanted, reach, most);
        if repertoire.len() == std::mem::replace(&mut offered, repertoire.len()) {
            continue;
        }
        let (found, why) = match search.finder(&judged.file, &template, &own, repertoire) {
            Ok(Some((mut repairs, repertoire))) => search.search(&mut repairs, &template, &repertoire),
            Ok(None) => (None, None),
            Err(finding) => (None, Some(finding)),
        };
        gave_up = why.map(|finding| finding.message);
        let left = |after: &[Finding]| {
            wanted.iter().filter(|one| after.iter().any(|other| key(other) == key(one))).count()
        };
        let found = found.filter(|found| best.as_ref().is_none_or(|best| left(&found.2) < left(&best.2)));
        best = found.or(best);
        if best.as_ref().is_some_and(|best| left(&best.2) == 0) {
            break;
        }
    }
    let (edits, text, after) = best.unwrap_or_else(|| (Vec::new(), text.to_owned(), before.clone()));
    let is_left = |finding: &&Finding| after.iter().any(|other| key(other) == key(finding));
    let (left, mends): (Vec<&Finding>, Vec<&Finding>) = wanted.iter().partition(|finding| is_left(finding));
    let owned = |list: Vec<&Finding>| list.into_iter().cloned().collect();
    Some(Suggestion { edits, text, mends: owned(mends), left: owned(left), gave_up })
}

fn is_wanted(finding: &Finding, file: &SourceFile) -> bool {
    finding.severity > Severity::Note && finding.primary.place.file == file.id()
}

/// Edits, the text after them and what is wrong with it.
type Verified = (Vec<Edit>, String, Vec<Finding>);

struct Searching<'s> {
    text: &'s str,
    judge: &'s dyn Fn(&Sources, &str) -> Option<Judged>,
    before: &'s [Finding],
    wanted: &'s [&'s Finding],
}

impl Searching<'_> {
    /// The finder for a template, and the changes that it chooses among: those that the reader has nothing against.
    /// `own` is what others than the rules have to say.
    fn finder(
        &self,
        file: &SourceFile,
        template: &Template,
        own: &[&Finding],
        mut repertoire: Vec<Candidate>,
    ) -> Result<Option<(Repairs, Vec<Candidate>)>, Box<Finding>> {
        let kinds: BTreeSet<&'static str> =
            repertoire.iter().filter_map(|one| one.added.as_ref().map(|added| added.kind)).collect();
        let kinds = kinds.into_iter().filter_map(catalogue::resource_type);
        let rules = verdict::rules(&verdict::modules(template, kinds), None, template)?;
        let base = interpret::instance(&rules, &interpret::for_rules(template), template);
        let mut changes: Vec<Change> = Vec::new();
        let mut others: Vec<Vec<usize>> = vec![Vec::new(); own.len()];
        repertoire.retain(|candidate| {
            let sources = Sources::new();
            let Some(judged) = (self.judge)(&sources, &apply(self.text, &candidate.edits)) else {
                return false;
            };
            let Some(changed) = judged.template.filter(|_| !self.is_worse(&judged.findings)) else {
                return false;
            };
            for (finding, ways) in own.iter().zip(&mut others) {
                if !judged.findings.iter().any(|other| key(other) == key(finding)) {
                    ways.push(changes.len());
                }
            }
            let back =
                |place: Place| if place.file == file.id() { before(&candidate.edits, place) } else { place };
            changes.push(
                base.change_to(
                    &interpret::instance(&rules, &interpret::for_rules(&changed), &changed),
                    &back,
                ),
            );
            true
        });
        if repertoire.is_empty() {
            return Ok(None);
        }
        let apart: Vec<Vec<usize>> = (0..repertoire.len())
            .map(|at| {
                (at + 1..repertoire.len()).filter(|&other| !repertoire[at].fits(&repertoire[other])).collect()
            })
            .collect();
        Ok(Some((base.repairs(&changes, &apart, &others, TIMEOUT)?, repertoire)))
    }

    /// The fewest changes that correct everything, or else as much as can be, one thing after the other.
    fn search(
        &self,
        repairs: &mut Repairs,
        template: &Template,
        repertoire: &[Candidate],
    ) -> (Option<Verified>, Option<Box<Finding>>) {
        let mut retries = RETRIES;
        let everything: Vec<usize> = (0..repairs.demands()).collect();
        match self.verified(repairs, template, repertoire, &everything, &mut retries) {
            Ok(None) => {}
            Ok(found) => return (found, None),
            Err(finding) => return (None, Some(finding)),
        }
        let mut asked = Vec::new();
        let mut best = None;
        for demand in everything {
            asked.push(demand);
            retries = retries.max(2);
            match self.verified(repairs, template, repertoire, &asked, &mut retries) {
                Ok(None) => drop(asked.pop()),
                Ok(found) => best = found,
                Err(finding) => return (best, Some(finding)),
            }
        }
        (best, None)
    }

    /// The fewest changes for some demands that are borne out when the changed text is judged.
    fn verified(
        &self,
        repairs: &mut Repairs,
        template: &Template,
        repertoire: &[Candidate],
        demands: &[usize],
        retries: &mut usize,
    ) -> Result<Option<Verified>, Box<Finding>> {
        while let Some(chosen) = repairs.smallest(demands)? {
            let edits = edits_of(template, chosen.iter().map(|&at| &repertoire[at]));
            let text = apply(self.text, &edits);
            let sources = Sources::new();
            let after = (self.judge)(&sources, &text).and_then(|judged| {
                let more = verdict::check(&judged.template?).findings;
                Some([judged.findings, more].concat())
            });
            if let Some(after) = after
                && !self.is_worse(&after)
                && self.mends(&after, demands.len() == repairs.demands())
            {
                return Ok(Some((edits, text, after)));
            }
            let Some(left) = retries.checked_sub(1) else { return Ok(None) };
            *retries = left;
            repairs.reject(&chosen);
        }
        Ok(None)
    }

    /// Whether all that is wanted is gone, or at least something.
    fn mends(&self, after: &[Finding], all: bool) -> bool {
        let is_gone = |finding: &&&Finding| !after.iter().any(|other| key(other) == key(finding));
        let gone = self.wanted.iter().filter(is_gone).count();
        if all { gone == self.wanted.len() } else { gone > 0 }
    }

    /// Whether something is wrong that was not before.
    fn is_worse(&self, after: &[Finding]) -> bool {
        let is_new = |one: &Finding| !self.before.iter().any(|known| key(known) == key(one));
        after.iter().any(|one| one.severity > Severity::Note && is_new(one))
    }
}

/// The edits of some candidates, with the plainest names for new resources.
fn edits_of<'c>(template: &Template, chosen: impl Iterator<Item = &'c Candidate>) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut taken = Vec::new();
    for Candidate { edits: own, added } in chosen {
        let mut own = own.clone();
        if let (Some(added), Some(edit)) = (added, own.first_mut()) {
            let name = new_name(template, &added.wanted, &taken);
            edit.text = edit.text.replacen(&format!("{}:", added.name), &format!("{name}:"), 1);
            taken.push(name);
        }
        edits.extend(own);
    }
    edits
}

/// What makes a finding the same one in a text that is a little different.
fn key(finding: &Finding) -> (&str, &str) {
    (finding.code.as_str(), &finding.message)
}
