//! Promises of the core that show only after several inputs.

#[path = "../../source/tests/effort/mod.rs"]
mod effort;

use std::collections::BTreeMap;
use std::time::Duration;

use crate::{
    About, Acceptance, Cause, Claim, Condition, Does, Effect, Failure, Happened, Input, Job, Kind, Left,
    OnFailure, Outcome, Phase, Planned, RequestStatus, State, Status, StepState, Subject, Ticket, step,
    verify, verify_end,
};

fn put(state: &mut State, input: Input) -> Vec<Effect> {
    let told = format!("{input:?}");
    let (next, effects) = step(std::mem::take(state), input);
    *state = next;
    assert!(!matches!(effects[..], [Effect::Refused(_)]), "{told}: {effects:?}");
    assert!(state.is_connected(), "{told}");
    effects
}

fn planned(node: &str, does: Does, needs: Vec<u32>) -> Planned {
    let operation = does.as_str().to_owned();
    Planned { node: node.to_owned(), does, operation, desired: "{}".to_owned(), needs, cleanup: false }
}

fn creations(nodes: &[&str]) -> Vec<Planned> {
    nodes.iter().map(|node| planned(node, Does::Create, Vec::new())).collect()
}

fn begin(state: &mut State, kind: Kind, on_failure: OnFailure, plan: Vec<Planned>) {
    let request = state.requests.len();
    put(state, Input::Submit { kind, on_failure, desired: "{}".to_owned(), by: String::new() });
    put(state, Input::Check { request, valid: true });
    put(state, Input::Process { request });
    put(state, Input::Begin { request, plan: Some(plan) });
}

fn intend(state: &mut State, place: u32) -> Ticket {
    let claim = Input::Claim { step: place, worker: "w".to_owned(), now: 1_000_000, until: 2_000_000 };
    let ticket = put(state, claim).iter().find_map(Job::of).expect("it is claimed").ticket;
    if state.steps[place as usize].state == StepState::Waiting {
        put(state, Input::Intend { ticket: ticket.clone() });
    }
    ticket
}

fn end(state: &mut State, place: u32, outcome: Outcome) {
    let ticket = intend(state, place);
    put(state, Input::Record { ticket, outcome, now: 1_000_000 });
}

fn done() -> Outcome {
    Outcome::Done { id: "i".to_owned(), outputs: BTreeMap::new() }
}

fn failed(passing: bool, remains: bool) -> Outcome {
    let cause = if passing { Cause::Busy } else { Cause::Refused };
    let left = if remains { Left::Something } else { Left::Nothing };
    Outcome::Failed(Failure::new(cause, "no").leaving(left))
}

/// It failed for a reason that may pass, left something, and is not tried again, since something else fails for good.
#[test]
fn what_a_failure_left_is_known_although_it_is_not_tried_again() {
    for remains in [false, true] {
        let mut state = State::default();
        begin(&mut state, Kind::Deploy, OnFailure::RollBack, creations(&["left", "broken"]));
        end(&mut state, 0, failed(true, remains));
        assert_eq!(state.steps[0].state, StepState::Waiting, "it may be tried again");
        end(&mut state, 1, failed(false, false));
        put(&mut state, Input::Settle);
        assert_eq!((state.phase, state.steps[0].state), (Phase::DrainToUndo, StepState::Skipped));
        assert_eq!(state.nodes["left"].present, remains);
        let known = state.conditions().get("left").copied();
        assert_eq!(known, remains.then_some(Condition::Damaged));
        assert!(!state.conditions().contains_key("broken"));
    }
}

/// Another step for a node never has a token that one had before, whatever was found out about the node meanwhile.
#[test]
fn what_has_drifted_keeps_count_of_its_steps() {
    let mut state = State::default();
    begin(&mut state, Kind::Deploy, OnFailure::RollBack, creations(&["a"]));
    end(&mut state, 0, done());
    let (token, fence) = (state.steps[0].token.clone(), state.nodes["a"].fence);
    put(&mut state, Input::Settle);
    assert_eq!(state.status, Status::CreateComplete);
    put(&mut state, Input::Drift { node: "a".to_owned(), is_there: false, reason: String::new() });
    assert!(!state.nodes["a"].present);
    begin(&mut state, Kind::Deploy, OnFailure::RollBack, creations(&["a"]));
    assert_ne!(state.steps[0].token, token);
    let ticket = intend(&mut state, 0);
    assert!(ticket.fence > fence, "a claim from before is not as good as this one");
}

/// A step that a rollback did not reach is not taken for done when the rollback is resumed.
#[test]
fn what_a_rollback_did_not_come_to_is_left_to_be_done() {
    let mut state = State::default();
    begin(&mut state, Kind::Deploy, OnFailure::RollBack, creations(&["a", "b", "c"]));
    end(&mut state, 0, done());
    end(&mut state, 1, done());
    end(&mut state, 2, failed(false, false));
    put(&mut state, Input::Settle);
    put(&mut state, Input::Settle);
    let back = vec![planned("b", Does::Delete, vec![]), planned("a", Does::Delete, vec![0])];
    put(&mut state, Input::Compensate { plan: Some(back) });
    end(&mut state, 0, failed(false, false));
    put(&mut state, Input::Settle);
    put(&mut state, Input::Settle);
    assert_eq!(state.status, Status::RollbackFailed);
    assert_eq!(state.steps[1].state, StepState::Failed, "it was never begun");
    assert_eq!(state.conditions()["a"], Condition::Damaged);
}

/// No wait is longer than was agreed, whatever the clock says.
#[test]
fn a_clock_that_is_put_back_keeps_nobody_waiting() {
    let mut state = State::default();
    begin(&mut state, Kind::Deploy, OnFailure::RollBack, creations(&["a"]));
    end(&mut state, 0, failed(true, false));
    let due = state.next_due(1_000_000).expect("it is to wait a little");
    assert_eq!(due, 1_000_000 + state.patience.of(Cause::Busy).pause);
    let claim = |now| Input::Claim { step: 0, worker: "w".to_owned(), now, until: now + 10 };
    assert!(matches!(step(state.clone(), claim(due - 1)).1[..], [Effect::Refused(_)]));
    assert_eq!(state.next_due(5), None, "an hour before it failed it need not wait for an hour");
    put(&mut state, claim(5));
}

/// Settling a large deployment does not look at all of its steps for each of them.
#[test]
fn the_next_step_is_found_without_looking_at_all() {
    let count = 100_000_u32;
    let mut state = State::default();
    let plan = (0..count).map(|place| planned(&place.to_string(), Does::Create, Vec::new())).collect();
    begin(&mut state, Kind::Deploy, OnFailure::RollBack, plan);
    // With a look at each step for each of them it takes minutes.
    effort::within(Duration::from_secs(20), || {
        for place in 0..count {
            let next = state.claimable().next().expect("something is left");
            assert_eq!(next, place);
            let claim = Input::Claim { step: next, worker: "w".to_owned(), now: 1, until: 9 };
            let (claimed, effects) = step(std::mem::take(&mut state), claim);
            let ticket = effects.iter().find_map(Job::of).expect("it is claimed").ticket;
            let (intended, _) = step(claimed, Input::Intend { ticket: ticket.clone() });
            let (recorded, _) = step(intended, Input::Record { ticket, outcome: done(), now: 2 });
            let (settled, _) = step(recorded, Input::Settle);
            state = settled;
        }
    });
    assert_eq!(state.status, Status::CreateComplete);
}

/// The stored state is compared with the outcomes that the events report.
#[test]
fn a_store_that_differs_from_its_events_is_noticed() {
    let (mut state, mut happened) = (State::default(), Vec::new());
    let mut note = |effects: Vec<Effect>| {
        for effect in effects {
            let Effect::Event(event) = effect else { continue };
            let mut does = None;
            let about = match event.subject {
                Subject::Deployment => About::Deployment,
                Subject::Request(rank) => About::Request(rank),
                Subject::Node(name) => About::Node(name),
                Subject::Step { token, does: done, .. } => {
                    does = Some(done);
                    About::Step(token)
                }
            };
            let sequence = happened.len() as u64 + 1;
            happened.push(Happened { sequence, about, status: event.status.to_owned(), does });
        }
    };
    let desired = String::new();
    note(put(
        &mut state,
        Input::Submit { kind: Kind::Deploy, on_failure: OnFailure::Keep, desired, by: String::new() },
    ));
    note(put(&mut state, Input::Check { request: 0, valid: true }));
    note(put(&mut state, Input::Process { request: 0 }));
    note(put(&mut state, Input::Begin { request: 0, plan: Some(creations(&["a", "b"])) }));
    for place in 0..2 {
        let claim = Input::Claim { step: place, worker: "w".to_owned(), now: 1, until: 2 };
        let effects = put(&mut state, claim);
        let ticket = effects.iter().find_map(Job::of).expect("it is claimed").ticket;
        note(effects);
        note(put(&mut state, Input::Intend { ticket: ticket.clone() }));
        note(put(&mut state, Input::Record { ticket, outcome: done(), now: 2 }));
    }
    note(put(&mut state, Input::Settle));
    assert_eq!((verify(&happened), verify_end(&happened, &state)), (Ok(()), Ok(())));
    for spoil in [
        |state: &mut State| state.status = Status::UpdateComplete,
        |state: &mut State| state.set(1, StepState::Failed),
        |state: &mut State| state.requests[0].status = RequestStatus::Kept,
        |state: &mut State| {
            state.alter(0, |step| step.claim = Some(Claim { worker: "w".to_owned(), until: 9 }));
        },
    ] {
        let mut spoilt = state.clone();
        spoil(&mut spoilt);
        assert!(verify_end(&happened, &spoilt).is_err(), "{spoilt:?}");
    }
    let mut ordered = state.clone();
    ordered.steps[0].planned.needs = vec![1];
    let fault = verify_end(&happened, &ordered).expect_err("the first was begun before the second");
    assert!(fault.reason.contains("a#1 was begun before b#1"), "{}", fault.reason);
}

/// A call that the world completes in its own time is polled, by whichever worker comes first, until it is done; the id
/// is stored.
#[test]
fn what_is_accepted_is_asked_for_until_it_is_done() {
    let mut state = State::default();
    begin(&mut state, Kind::Deploy, OnFailure::RollBack, creations(&["a"]));
    let accepted = |within| Outcome::Accepted(Acceptance { handle: "op-1".to_owned(), after: 5_000, within });
    let ticket = intend(&mut state, 0);
    let told = put(&mut state, Input::Record { ticket, outcome: accepted(None), now: 1_000_000 });
    assert!(told.iter().any(|effect| matches!(effect, Effect::Event(event) if event.status == "accepted")));
    assert_eq!(state.steps[0].state, StepState::Accepted);
    assert_eq!(state.steps[0].accepted.as_ref().map(|accepted| accepted.handle.as_str()), Some("op-1"));
    let claim = |now| Input::Claim { step: 0, worker: "v".to_owned(), now, until: now + 10 };
    assert!(matches!(step(state.clone(), claim(1_004_999)).1[..], [Effect::Refused(_)]), "it is not due");
    for now in [1_005_000, 1_010_000] {
        let effects = put(&mut state, claim(now));
        assert!(!effects.iter().any(|effect| matches!(effect, Effect::Event(_))), "{effects:?}");
        let Some(Effect::Poll(ticket)) = effects.last().cloned() else { panic!("{effects:?}") };
        let effects = put(&mut state, Input::Record { ticket, outcome: accepted(None), now });
        assert!(!effects.iter().any(|effect| matches!(effect, Effect::Event(_))), "{effects:?}");
    }
    // It takes longer than it may: a person must find out.
    let mut late = state.clone();
    let Some(Effect::Poll(ticket)) = put(&mut late, claim(1_015_000)).last().cloned() else { panic!() };
    put(&mut late, Input::Record { ticket, outcome: accepted(Some(14_999)), now: 1_015_000 });
    assert_eq!(late.steps[0].state, StepState::Unknown);
    // It is awaited although somebody cancels.
    put(&mut state, Input::Cancel { discard: false });
    assert_eq!(state.phase, Phase::DrainToUndo);
    assert!(!state.is_drained());
    let Some(Effect::Poll(ticket)) = put(&mut state, claim(1_015_000)).last().cloned() else { panic!() };
    put(&mut state, Input::Record { ticket, outcome: done(), now: 1_015_000 });
    assert!(state.is_drained() && state.nodes["a"].present);
}

/// Each kind of failure has its own retries, and the world says when it wants to be asked again.
#[test]
fn failures_are_counted_by_their_kind() {
    let mut state = State::default();
    begin(&mut state, Kind::Deploy, OnFailure::RollBack, creations(&["a"]));
    let patience = state.patience;
    let fail = |state: &mut State, cause: Cause, now: u64| {
        let claim = Input::Claim { step: 0, worker: "w".to_owned(), now, until: now + 10 };
        let ticket = put(state, claim).iter().find_map(Job::of).expect("it is due").ticket;
        put(state, Input::Intend { ticket: ticket.clone() });
        let outcome = Outcome::Failed(Failure::new(cause, "no").after(60_000));
        put(state, Input::Record { ticket, outcome, now });
    };
    let mut now = 0;
    for cause in [Cause::Throttled, Cause::Busy, Cause::Conflict] {
        for _ in 1..patience.of(cause).failures {
            fail(&mut state, cause, now);
            assert_eq!(state.steps[0].state, StepState::Waiting, "{cause:?}");
            assert_eq!(state.next_due(now), Some(now + 60_000));
            now += 60_000;
        }
    }
    fail(&mut state, Cause::Quota, now);
    assert_eq!(state.steps[0].reason, "over a quota: no");
    fail(&mut state, Cause::Busy, now + 60_000);
    assert_eq!(state.steps[0].state, StepState::Failed, "it was busy once too often");
}

/// The rest that a failure left has the name that the world gave it, so that it can be deleted.
#[test]
fn a_failure_names_what_it_left() {
    let mut state = State::default();
    begin(&mut state, Kind::Deploy, OnFailure::RollBack, creations(&["a"]));
    let left = Left::Named("i-77".to_owned());
    end(&mut state, 0, Outcome::Failed(Failure::refused("no").leaving(left)));
    assert_eq!((state.nodes["a"].present, state.nodes["a"].id.as_str()), (true, "i-77"));
}
