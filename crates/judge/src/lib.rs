//! The judge of a way: whether the rules of a language hold in every configuration that a plan passes through.
//!
//! The steps of a plan are ordered in part, and any set of them that has all that come before its members may be what
//! was done so far: also when some failed, and while they are taken back in the reverse order. Each version of an
//! element is there between two steps. [`judge`] asks the rules that hold always of all these configurations at once
//! ([`locus_rules::judge_way`]), and says of each that is broken after which steps that is so, and before which.
//!
//! - [`in_turn`]: another order, in which things are out of the way before others come.
//! - [`versions`]: when each version of each element is there.
//! - [`order`]: the steps that bring and take versions, in their order.
//!
//! Out of scope: how plans are made, whether the configurations of the planner's components are correct, and any
//! particular language.

#![forbid(unsafe_code)]

mod in_turn;
mod order;
mod versions;

use std::collections::BTreeSet;
use std::time::Duration;

use locus_language::{Document, Request, Ruled};
use locus_meaning::Key;
use locus_plan::{Pivot, Plan, Turn};
use locus_rules::{Broken, Side, Span, judge_way};
use locus_source::Finding;

pub use in_turn::{InTurn, in_turn};
use order::Order;
use versions::Versions;

/// So many turns follow from one finding.
const MOST_TURNS: usize = 64;

/// A rule that some configuration on the way breaks.
#[derive(Clone, PartialEq, Debug)]
pub struct OnTheWay {
    /// The finding, with places in both documents.
    pub finding: Finding,
    /// The steps of the plan after which it is so: the last ones of those that are done then.
    pub after: Vec<u32>,
    /// The steps of the plan that were not done yet, and take away what the finding is about.
    pub before: Vec<u32>,
    /// Which things must be out of the way before others come for the finding not to be so there.
    pub turns: Vec<Turn>,
    /// The things that the finding is about and that come or go.
    pub things: Vec<Key>,
}

/// The judgement of a way.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Judged {
    /// The rules that are broken on the way, whatever the values that are not known turn out to be.
    pub broken: Vec<OnTheWay>,
    /// The rules that may be broken, depending on values that are not known.
    pub unsettled: Vec<OnTheWay>,
    /// The codes of rules of which it could not be told, and why.
    pub not_told: Vec<(String, String)>,
}

/// A document, and the request that it was read with.
#[derive(Clone, Copy)]
pub struct Asked<'w> {
    /// The document.
    pub document: &'w dyn Document,
    /// The request.
    pub request: Request<'w>,
}

/// The two documents between which a plan leads, and the plan.
pub struct Way<'w> {
    /// The document of what is there; none if nothing is.
    pub old: Option<Asked<'w>>,
    /// The document of what is to be; none if nothing is.
    pub new: Option<Asked<'w>>,
    /// All that becomes of each thing.
    pub pivot: &'w Pivot,
    /// The plan.
    pub plan: &'w Plan,
}

/// Judges a way by the rules of its language that hold always. Nothing is broken where the language has no rules.
///
/// # Errors
/// If a rule cannot be evaluated, or the time is up; the finding says which and why.
pub fn judge(way: &Way<'_>, timeout: Duration) -> Result<Judged, Box<Finding>> {
    let ruled = [way.old, way.new].map(|one| one.and_then(|one| one.document.ruled(&one.request)));
    let Some(Ruled { rules, everywhere, .. }) = ruled.iter().flatten().next_back() else {
        return Ok(Judged::default());
    };
    let modules: BTreeSet<String> =
        ruled.iter().flatten().flat_map(|ruled| ruled.modules.iter().cloned()).collect();
    let rules = rules.rules(&modules, None, *everywhere)?;
    let order = Order::of(way.pivot, way.plan);
    let versions = Versions::of(way, &order);
    let instances = ruled.each_ref().map(|ruled| match ruled {
        Some(ruled) => (ruled.instance)(&rules),
        None => rules.instance(),
    });
    let [old, new] = &instances;
    let old = Side { instance: old, passes: &|element| versions.of_old(element) };
    let new = Side { instance: new, passes: &|element| versions.of_new(element) };
    let steps =
        locus_rules::Way { after: &order.after, versions: &versions.spans, marks: &versions.marks, timeout };
    let judged = judge_way(&old, &new, &steps, *everywhere)?;
    let shown = |broken: Vec<Broken>| broken.into_iter().map(|one| shown(one, &order, &versions)).collect();
    Ok(Judged { broken: shown(judged.broken), unsettled: shown(judged.unsettled), not_told: judged.not_told })
}

/// The steps of the plan between which a rule is broken.
fn shown(broken: Broken, order: &Order, versions: &Versions) -> OnTheWay {
    let Broken { finding, done, versions: about } = broken;
    let goes = about.iter().flat_map(|&version| &versions.spans[version]).filter_map(|span| span.goes);
    let mut before: Vec<u32> = goes.filter(|&step| !done[step]).map(|step| step as u32).collect();
    before.sort_unstable();
    before.dedup();
    let mut things: Vec<Key> = about.iter().map(|&version| versions.keys[version].clone()).collect();
    things.dedup();
    let is_done = |step: Option<usize>| step.is_some_and(|step| done[step]);
    let of = |holds: &dyn Fn(&Span) -> bool| -> Vec<&Key> {
        let chosen = about.iter().filter(|&&version| versions.spans[version].iter().any(holds));
        chosen.flat_map(|&version| &versions.things[version]).collect()
    };
    // What the finding names, and what came or went last: a thing may be missing.
    let after = order.last(&done);
    let mut came = of(&|span| is_done(span.comes));
    let is_last = |step: Option<usize>| step.is_some_and(|step| after.contains(&(step as u32)));
    let last = (0..versions.spans.len()).filter(|&version| {
        versions.spans[version].iter().any(|span| is_last(span.comes) || is_last(span.goes))
    });
    came.extend(last.flat_map(|version| &versions.things[version]));
    came.sort_unstable();
    came.dedup();
    let stay = of(&|span| span.goes.is_some() && !is_done(span.goes));
    let pairs = stay.iter().flat_map(|first| came.iter().map(move |then| (*first, *then)));
    let turns = pairs.map(|(first, then)| Turn { first: first.clone(), then: then.clone() });
    let turns = turns.take(MOST_TURNS).collect();
    OnTheWay { finding, after, before, turns, things }
}
