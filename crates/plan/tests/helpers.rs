//! Helpers: what is needed on the way and not at the end does not stay.

use locus_aeolus::{Action, Document};
use locus_plan::{Answer, Choice, Limits, Method, Problem, check, choose, holds, solve, wanted};
use locus_source::Sources;

fn read(text: &str) -> Document {
    let sources = Sources::new();
    let read = locus_aeolus::read(&sources.add("a.aeolus.yaml", text), &locus_source::Limits::default());
    assert!(read.findings.is_empty(), "{:?}", read.findings);
    read.document
}

/// `P` provides `x` in `p1` and `p2`, and between the two it needs `R`, which needs `x` all the time. So there is
/// another `P` for a while, and at the end `R` is served by the first.
const RELAY: &str = "\
aeolus: 1
types:
  P:
    states:
      p0: {to: p1}
      p1: {provides: {x: CAPACITY}, to: q}
      q: {requires: {y: 1}, to: p2}
      p2: {provides: {x: CAPACITY}}
  R:
    states:
      r0: {to: r1}
      r1: {requires: {x: 1}, provides: {y: unlimited}}
want: P@p2 = 1 and P = 1 and R@r1 = 1
";

/// The plan for what a document wants, without the search that helps where the usual way finds none.
fn planned(document: &Document) -> (locus_plan::Plan, Option<locus_plan::Checked>) {
    let (universe, start) = (&document.universe, &document.configuration);
    let (want, _) = document.want.as_ref().expect("it wants something");
    let Choice::Chosen(chosen) = choose(universe, start, want) else { panic!("it can be had") };
    let (wanted, others) = wanted(universe, start, want, &chosen);
    let problem = Problem { universe, start, names: &document.names, wanted, others };
    match solve(&problem, Limits { searched: 0, ..Limits::default() }) {
        (Answer::Plan(plan), checked) => (plan, checked),
        (answer, _) => panic!("there is a plan: {answer:?}"),
    }
}

/// Four need two each of three that bear three each: if the first two serve three of them, the fourth finds only one.
#[test]
fn capacities_are_used_so_that_all_find_what_they_need() {
    for users in 4..=9usize {
        let document = read(&format!(
            "aeolus: 1\ntypes:\n  user: {{states: {{off: {{to: on}}, on: {{requires: {{db: 2}}}}}}}}\n  \
             base: {{states: {{off: {{to: on}}, on: {{provides: {{db: 3}}}}}}}}\nwant: user@on = {users}\n"
        ));
        let (plan, _) = planned(&document);
        let least = users + (2 * users).div_ceil(3);
        assert_eq!(plan.end.components.len(), least, "{users} users");
    }
}

#[test]
fn what_stays_turns_from_a_helper_to_what_is_wanted() {
    for capacity in ["unlimited", "1"] {
        let document = read(&RELAY.replace("CAPACITY", capacity));
        let (universe, start) = (&document.universe, &document.configuration);
        let (want, _) = document.want.as_ref().expect("it wants something");
        let (plan, checked) = planned(&document);
        assert_eq!(checked.map(|checked| checked.method), Some(Method::Argument));
        assert!(holds(universe, &plan.end, want), "{:?}", plan.end);
        let deleted = plan.steps.iter().filter(|step| matches!(step.action, Action::Delete(_))).count();
        assert_eq!((plan.components.len(), deleted), (3, 1));
        // The judge does not take the same plan if the helper goes too early.
        let unbind = plan.steps.iter().rposition(|step| matches!(step.action, Action::Unbind(_)));
        let unbind = unbind.expect("it is unbound");
        let bind = plan.steps[..unbind].iter().rposition(|step| matches!(step.action, Action::Bind(_)));
        let bind = bind.expect("the other is bound before") as u32;
        let mut early = plan.clone();
        early.steps[unbind].after.retain(|&step| step != bind);
        check(universe, start, &early, 100_000).expect_err("it may be unbound before the other is bound");
    }
}
