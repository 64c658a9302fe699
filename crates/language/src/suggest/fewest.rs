//! The fewest changes to a document after which less is wrong.
//!
//! A language gives a repertoire of changes for some findings. Each of them is made by itself and the text read
//! again, which shows what it does to the instance that the rules speak of. Then the model finder has the document as
//! a partial instance, the rules, and the choice among these changes: it gives a smallest set of them after which all
//! that is broken holds, and nothing else is broken instead. Findings that no change corrects are left out.
//!
//! Values that are not known are taken for values unlike any other there. So the text is changed, read and judged once
//! more before anything is suggested, and if that does not bear it out, the finder has to think again.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::{Duration, Instant};

use locus_rules::{Change, Instance, Repairs, Rules};
use locus_source::edit::{Edit, apply, before};
use locus_source::{Finding, Place, Severity, SourceFile, Sources};

use super::{READ, is_wanted, key};
use crate::Suggestion;

/// So many findings are looked at.
const LOOKED_AT: usize = 24;

/// So many changes are offered to the finder, for a document that is not large. Each has the document read once.
const OFFERED: usize = 320;

/// So often the finder may be wrong.
const RETRIES: usize = 12;

/// When the search ends, with the best that was found until then.
const TIME: Duration = Duration::from_secs(5);

/// A text as it was read.
pub struct Judged<D> {
    /// The file that it is.
    pub file: Arc<SourceFile>,
    /// The document, if it is one.
    pub document: Option<D>,
    /// Its faults, except those that the rules that come with Locus find.
    pub findings: Vec<Finding>,
}

/// The changes that a language knows, and their effects.
pub trait Repertoire {
    /// The result of reading a text.
    type Document;
    /// A change that could be made.
    type Change;

    /// How many reaches there are.
    const REACHES: usize;

    /// Reads a text as if it stood in the place of the one that is to be changed.
    fn read(&self, sources: &Sources, text: &str) -> Option<Judged<Self::Document>>;

    /// Returns the faults of a document by the rules that come with Locus.
    fn check(&self, document: &Self::Document) -> Vec<Finding>;

    /// The changes for some findings, from the plainest to the largest, up to a number. A larger reach has those of
    /// the smaller ones, and others that are looked for only if something is left.
    fn changes(
        &self,
        file: &SourceFile,
        document: &Self::Document,
        findings: &[&Finding],
        reach: usize,
        most: usize,
    ) -> Vec<Self::Change>;

    /// How a change is written by itself.
    fn edits<'c>(&self, change: &'c Self::Change) -> &'c [Edit];

    /// How some changes are written together.
    fn edits_together(&self, document: &Self::Document, changes: &[&Self::Change]) -> Vec<Edit>;

    /// Whether two changes can be made together.
    fn fit(&self, one: &Self::Change, other: &Self::Change) -> bool;

    /// The rules about a document, and about what changes add to it.
    ///
    /// # Errors
    /// If they cannot be used; the finding says why.
    fn rules(&self, document: &Self::Document, changes: &[Self::Change]) -> Result<Arc<Rules>, Box<Finding>>;

    /// The instance that a document is.
    fn instance<'r>(&self, rules: &'r Rules, document: &Self::Document) -> Instance<'r>;
}

/// A changed text and what is wrong with it.
type Verified = (String, Vec<Finding>);

/// The finder, and the changes that it chooses among.
type Offered<R> = (Repairs, Vec<<R as Repertoire>::Change>);

struct Searching<'s, R> {
    repertoire: &'s R,
    text: &'s str,
    before: &'s [Finding],
    wanted: &'s [&'s Finding],
    end: Instant,
}

/// A smallest change of a text after which as many findings as possible are gone. Nothing if nothing is wrong with it
/// that a change of this text could correct.
pub fn suggest<R: Repertoire>(text: &str, repertoire: &R) -> Option<Suggestion> {
    let sources = Sources::new();
    let Judged { file, document, findings } = repertoire.read(&sources, text)?;
    let document = document?;
    let own: Vec<&Finding> = findings.iter().filter(|finding| is_wanted(finding, &file)).collect();
    let before = [findings.clone(), repertoire.check(&document)].concat();
    let mut wanted: Vec<&Finding> = before.iter().filter(|finding| is_wanted(finding, &file)).collect();
    if wanted.is_empty() {
        return None;
    }
    // What is worst is looked at first, however much else there is.
    wanted.sort_by_key(|finding| Reverse(finding.severity));
    let not_looked_at = wanted.len().saturating_sub(LOOKED_AT);
    wanted.truncate(LOOKED_AT);
    let search = Searching { repertoire, text, before: &before, wanted: &wanted, end: Instant::now() + TIME };
    let most = (READ / text.len().max(1)).clamp(16, OFFERED);
    let mut best: Option<Verified> = None;
    let mut gave_up = None;
    let mut offered = 0;
    // The plainest changes that correct most: others are looked for only if something is left.
    for reach in 0..R::REACHES {
        let changes = repertoire.changes(&file, &document, &wanted, reach, most);
        if changes.len() == std::mem::replace(&mut offered, changes.len()) {
            continue;
        }
        let (found, why) = match search.finder(&file, &document, &own, changes) {
            Ok(Some((mut repairs, changes))) => search.search(&mut repairs, &document, &changes),
            Ok(None) => (None, None),
            Err(finding) => (None, Some(finding)),
        };
        gave_up = why.map(|finding| finding.message);
        let left = |after: &[Finding]| {
            wanted.iter().filter(|one| after.iter().any(|other| key(other) == key(one))).count()
        };
        let found = found.filter(|found| best.as_ref().is_none_or(|best| left(&found.1) < left(&best.1)));
        best = found.or(best);
        let is_done = best.as_ref().is_some_and(|best| left(&best.1) == 0);
        if !is_done && search.is_over() {
            gave_up = Some(format!("it ended after {} s", TIME.as_secs()));
        }
        if is_done || search.is_over() {
            break;
        }
    }
    let (text, after) = best.unwrap_or_else(|| (text.to_owned(), before.clone()));
    let is_left = |finding: &&Finding| after.iter().any(|other| key(other) == key(finding));
    let (left, mends): (Vec<&Finding>, Vec<&Finding>) = wanted.iter().partition(|finding| is_left(finding));
    let owned = |list: Vec<&Finding>| list.into_iter().cloned().collect();
    if not_looked_at > 0 {
        let why = format!("{LOOKED_AT} findings are looked at in one go, and there are {not_looked_at} more");
        gave_up = Some(gave_up.map_or(why.clone(), |other| format!("{other}; {why}")));
    }
    Some(Suggestion { text, mends: owned(mends), left: owned(left), gave_up })
}

impl<R: Repertoire> Searching<'_, R> {
    /// The finder for a document, and the changes that it chooses among: those that the reader has nothing against.
    /// `own` is what others than the rules have to say.
    fn finder(
        &self,
        file: &SourceFile,
        document: &R::Document,
        own: &[&Finding],
        mut changes: Vec<R::Change>,
    ) -> Result<Option<Offered<R>>, Box<Finding>> {
        let repertoire = self.repertoire;
        let rules = repertoire.rules(document, &changes)?;
        let base = repertoire.instance(&rules, document);
        let mut effects: Vec<Change> = Vec::new();
        let mut others: Vec<Vec<usize>> = vec![Vec::new(); own.len()];
        changes.retain(|change| {
            if self.is_over() {
                return false;
            }
            let edits = repertoire.edits(change);
            let Some(judged) = repertoire.read(&Sources::new(), &apply(self.text, edits)) else {
                return false;
            };
            let Some(changed) = judged.document.filter(|_| !self.is_worse(&judged.findings)) else {
                return false;
            };
            for (finding, ways) in own.iter().zip(&mut others) {
                if !judged.findings.iter().any(|other| key(other) == key(finding)) {
                    ways.push(effects.len());
                }
            }
            let back = |place: Place| if place.file == file.id() { before(edits, place) } else { place };
            effects.push(base.change_to(&repertoire.instance(&rules, &changed), &back));
            true
        });
        if changes.is_empty() {
            return Ok(None);
        }
        let fit = |one: usize, other: usize| repertoire.fit(&changes[one], &changes[other]);
        let apart: Vec<Vec<usize>> = (0..changes.len())
            .map(|at| (at + 1..changes.len()).filter(|&other| !fit(at, other)).collect())
            .collect();
        let left = self.end.saturating_duration_since(Instant::now());
        Ok(Some((base.repairs(&effects, &apart, &others, left)?, changes)))
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.end
    }

    /// The fewest changes that correct everything, or else as much as can be, one thing after the other.
    fn search(
        &self,
        repairs: &mut Repairs,
        document: &R::Document,
        changes: &[R::Change],
    ) -> (Option<Verified>, Option<Box<Finding>>) {
        let mut retries = RETRIES;
        let everything: Vec<usize> = (0..repairs.demands()).collect();
        match self.verified(repairs, document, changes, &everything, &mut retries) {
            Ok(None) => {}
            Ok(found) => return (found, None),
            Err(finding) => return (None, Some(finding)),
        }
        let mut asked = Vec::new();
        let mut best = None;
        for demand in everything {
            if self.is_over() {
                break;
            }
            asked.push(demand);
            retries = retries.max(2);
            match self.verified(repairs, document, changes, &asked, &mut retries) {
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
        document: &R::Document,
        changes: &[R::Change],
        demands: &[usize],
        retries: &mut usize,
    ) -> Result<Option<Verified>, Box<Finding>> {
        while let Some(chosen) = repairs.smallest(demands)? {
            let together: Vec<&R::Change> = chosen.iter().map(|&at| &changes[at]).collect();
            let text = apply(self.text, &self.repertoire.edits_together(document, &together));
            let after = self.repertoire.read(&Sources::new(), &text).and_then(|judged| {
                let more = self.repertoire.check(&judged.document?);
                Some([judged.findings, more].concat())
            });
            if let Some(after) = after
                && !self.is_worse(&after)
                && self.mends(&after, demands.len() == repairs.demands())
            {
                return Ok(Some((text, after)));
            }
            let Some(left) = retries.checked_sub(1).filter(|_| !self.is_over()) else { return Ok(None) };
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
