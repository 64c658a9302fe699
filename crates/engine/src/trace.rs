//! Whether a list of events can have happened: the rules of the core, applied to what was written down.

use std::collections::{BTreeMap, BTreeSet};

use crate::state::{Does, Phase, State, StepState};
use crate::status::{Move, Status};

/// An event as it was stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Happened {
    /// Its number, from 1.
    pub sequence: u64,
    /// The subject.
    pub about: About,
    /// The new status of the subject.
    pub status: String,
    /// The effect of a step on its node; none for other events, and for those of versions that did not say.
    pub does: Option<Does>,
}

/// The subject of a stored event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum About {
    /// The deployment.
    Deployment,
    /// A request, by rank.
    Request(u32),
    /// A node.
    Node(String),
    /// A step, by token.
    Step(String),
}

/// Why a list of events cannot have happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The number of the event that is wrong.
    pub sequence: u64,
    /// In words.
    pub reason: String,
}

const MOVES: [Move; 12] = [
    Move::Review,
    Move::Create,
    Move::Update,
    Move::Import,
    Move::Delete,
    Move::RollBack,
    Move::Cancel,
    Move::CleanUp,
    Move::Complete,
    Move::Fail,
    Move::Undo,
    Move::Discard,
];

/// The statuses that may follow each status of a request; nothing stands before the first.
fn request_leads_to(from: &str) -> &'static [&'static str] {
    match from {
        "" => &["submitted"],
        "submitted" => &["queued", "rejected"],
        "queued" => &["processing", "superseded"],
        "processing" => &["partial", "failure", "superseded"],
        "partial" => &["success", "partialFailure", "kept"],
        "partialFailure" => &["rolledback", "rollbackFailed"],
        "rollbackFailed" | "kept" => &["partialFailure", "superseded"],
        _ => &[],
    }
}

/// The statuses of a request whose steps are done or undone.
const GOES_ON: [&str; 2] = ["partial", "partialFailure"];

/// The knowledge about a step from its events.
#[derive(Default)]
struct Trail {
    /// Whether somebody has a claim that nobody released. One that was released is as good as ever until somebody else
    /// has another, so that its worker may still intend and record.
    is_held: bool,
    is_claimed: bool,
    is_intended: bool,
    is_unknown: bool,
    has_ended: bool,
}

impl Trail {
    /// Takes an event in, if it may follow.
    fn follow(&mut self, status: &str) -> bool {
        let may = !self.has_ended
            && match status {
                "claimed" => !self.is_held && !self.is_unknown,
                "released" => self.is_held,
                "intended" => self.is_claimed && !self.is_intended && !self.is_unknown,
                "done" => self.is_intended,
                "accepted" | "failed" | "unknown" | "again" => self.is_intended && !self.is_unknown,
                "absent" => self.is_unknown,
                _ => false,
            };
        match status {
            "claimed" => (self.is_held, self.is_claimed) = (true, true),
            "released" | "accepted" => self.is_held = false,
            "intended" => self.is_intended = true,
            "absent" => self.is_unknown = false,
            "again" => (self.is_held, self.is_claimed, self.is_intended) = (false, false, false),
            "unknown" => (self.is_held, self.is_unknown) = (false, true),
            _ => self.has_ended = true,
        }
        may
    }
}

/// Checks events, which must be all of a deployment from the first.
///
/// # Errors
/// With the first event that cannot have happened.
pub fn verify(events: &[Happened]) -> Result<(), Fault> {
    let mut status = Status::Absent;
    let mut requests: BTreeMap<u32, String> = BTreeMap::new();
    let mut steps: BTreeMap<&str, Trail> = BTreeMap::new();
    let mut made: BTreeSet<&str> = BTreeSet::new();
    for (event, expected) in events.iter().zip(1u64..) {
        let fault = |reason: String| Err(Fault { sequence: event.sequence, reason });
        if event.sequence != expected {
            return fault(format!("event {expected} is missing"));
        }
        match &event.about {
            About::Deployment => {
                let next = Status::named(&event.status);
                let possible =
                    next.filter(|next| MOVES.iter().any(|&what| status.after(what) == Some(*next)));
                let Some(next) = possible else {
                    return fault(format!("{} cannot follow {}", event.status, status.as_str()));
                };
                status = next;
            }
            About::Request(rank) => {
                let before = requests.entry(*rank).or_default();
                if !request_leads_to(before).contains(&event.status.as_str()) {
                    return fault(format!("request {rank} cannot be {} after '{before}'", event.status));
                }
                before.clone_from(&event.status);
                let applying = ["partial", "partialFailure", "rollbackFailed", "kept"];
                if requests.values().filter(|status| applying.contains(&status.as_str())).count() > 1 {
                    return fault("two requests are being applied at once".to_owned());
                }
            }
            About::Node(name) => {
                let is_idle = !requests.values().any(|status| GOES_ON.contains(&status.as_str()));
                if !is_idle || !["gone", "changed"].contains(&event.status.as_str()) {
                    return fault(format!("{name} cannot be found {} now", event.status));
                }
                if event.status == "gone" {
                    made.remove(name.as_str());
                }
            }
            About::Step(token) => {
                if !steps.entry(token).or_default().follow(&event.status) {
                    return fault(format!("the step {token} cannot be {} now", event.status));
                }
                let node = token.rsplit_once('#').map_or(token.as_str(), |(node, _)| node);
                match event.does.filter(|_| event.status == "done") {
                    Some(Does::Create) if !made.insert(node) => {
                        return fault(format!("{node} is made by {token}, and was there"));
                    }
                    Some(Does::Delete) => {
                        made.remove(node);
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

/// Checks that what is stored is what the events say: the status of the deployment, of each request, and of each step
/// of what goes on or went on last; that no step of these was begun before those that it needs were done; and that
/// nobody works on what is over.
///
/// # Errors
/// With what is not so, at the last event.
pub fn verify_end(events: &[Happened], state: &State) -> Result<(), Fault> {
    let (mut deployment, mut others) = (Status::Absent.as_str(), BTreeMap::new());
    for event in events {
        match &event.about {
            About::Deployment => deployment = &event.status,
            about @ (About::Request(_) | About::Step(_)) => {
                others.insert(about_key(about), event.status.as_str());
            }
            About::Node(_) => {}
        }
    }
    let sequence = events.last().map_or(0, |event| event.sequence);
    let fault = |reason: String| Err(Fault { sequence, reason });
    if deployment != state.status.as_str() {
        return fault(format!("the events end with {deployment}, and {} is stored", state.status.as_str()));
    }
    for (rank, request) in (1u32..).zip(&state.requests) {
        let said = others.get(&(Some(rank), "")).copied().unwrap_or_default();
        if said != request.status.as_str() {
            let stored = request.status.as_str();
            return fault(format!("request {rank} is '{said}' by the events, and {stored} is stored"));
        }
    }
    for step in &state.steps {
        let said = others.get(&(None, step.token.as_str())).copied().unwrap_or_default();
        let ends_so = match said {
            "done" => step.state == StepState::Done,
            "unknown" => step.state == StepState::Unknown,
            "failed" => step.state == StepState::Failed,
            "accepted" => step.state == StepState::Accepted,
            _ => !matches!(step.state, StepState::Done | StepState::Unknown | StepState::Accepted),
        };
        if !ends_so {
            let (token, stored) = (&step.token, step.state.as_str());
            return fault(format!("the step {token} is '{said}' by the events, and {stored} is stored"));
        }
        if state.phase == Phase::Idle && step.claim.is_some() {
            return fault(format!("somebody works on the step {}, and nothing goes on", step.token));
        }
    }
    in_order(events, state)
}

/// Checks that no step was begun before those that it needs were done.
fn in_order(events: &[Happened], state: &State) -> Result<(), Fault> {
    let (mut begun, mut done): (BTreeMap<&str, u64>, BTreeMap<&str, u64>) = Default::default();
    for event in events {
        let About::Step(token) = &event.about else { continue };
        match event.status.as_str() {
            "intended" => _ = begun.entry(token).or_insert(event.sequence),
            "done" => _ = done.insert(token, event.sequence),
            _ => {}
        }
    }
    for step in &state.steps {
        let Some(&begun) = begun.get(step.token.as_str()) else { continue };
        for &need in &step.planned.needs {
            let need = &state.steps[need as usize].token;
            if done.get(need.as_str()).is_none_or(|&done| done > begun) {
                let reason = format!("the step {} was begun before {need} was done", step.token);
                return Err(Fault { sequence: begun, reason });
            }
        }
    }
    Ok(())
}

/// A request or a step, to look it up by.
fn about_key(about: &About) -> (Option<u32>, &str) {
    match about {
        About::Request(rank) => (Some(*rank), ""),
        About::Step(token) => (None, token),
        About::Deployment | About::Node(_) => (None, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(statuses: &[&str]) -> Result<(), u64> {
        let events: Vec<Happened> = statuses
            .iter()
            .zip(1..)
            .map(|(status, sequence)| Happened {
                sequence,
                about: About::Step("t".to_owned()),
                status: (*status).to_owned(),
                does: None,
            })
            .collect();
        verify(&events).map_err(|fault| fault.sequence)
    }

    #[test]
    fn steps_are_intended_before_they_are_done() {
        assert_eq!(check(&["claimed", "intended", "released", "claimed", "done"]), Ok(()));
        assert_eq!(check(&["claimed", "intended", "again", "claimed", "intended", "failed"]), Ok(()));
        assert_eq!(check(&["claimed", "intended", "unknown", "absent", "claimed", "done"]), Ok(()));
        assert_eq!(check(&["claimed", "intended", "accepted", "done"]), Ok(()));
        assert_eq!(check(&["claimed", "accepted"]), Err(2));
        assert_eq!(check(&["claimed", "done"]), Err(2));
        assert_eq!(check(&["claimed", "claimed"]), Err(2));
        assert_eq!(check(&["claimed", "intended", "done", "done"]), Err(4));
        assert_eq!(check(&["claimed", "intended", "again", "done"]), Err(4));
    }

    #[test]
    fn a_node_is_made_once_until_it_is_deleted_or_gone() {
        let check = |steps: &[(&str, Does)]| {
            let mut events = Vec::new();
            for (token, does) in steps {
                for status in ["claimed", "intended", "done"] {
                    let (sequence, about) = (events.len() as u64 + 1, About::Step((*token).to_owned()));
                    let status = status.to_owned();
                    events.push(Happened { sequence, about, status, does: Some(*does) });
                }
            }
            verify(&events).map_err(|fault| fault.sequence)
        };
        assert_eq!(check(&[("a#1", Does::Create), ("a#2", Does::Delete), ("a#3", Does::Create)]), Ok(()));
        assert_eq!(check(&[("a#1", Does::Create), ("a~2#1", Does::Create)]), Ok(()));
        assert_eq!(check(&[("a#1", Does::Create), ("a#2", Does::Change), ("a#3", Does::Create)]), Err(9));
    }

    #[test]
    fn nothing_is_missing() {
        let event = |sequence, status: &str| Happened {
            sequence,
            about: About::Deployment,
            status: status.to_owned(),
            does: None,
        };
        let first = event(1, "CREATE_IN_PROGRESS");
        assert_eq!(verify(&[first.clone(), event(2, "CREATE_COMPLETE")]), Ok(()));
        assert!(verify(&[first.clone(), event(3, "CREATE_COMPLETE")]).is_err());
        assert!(verify(&[first, event(2, "UPDATE_COMPLETE")]).is_err());
    }

    #[test]
    fn what_has_drifted_is_noted_when_nothing_goes_on() {
        let check = |statuses: &[&str], last: &str| {
            let mut events: Vec<Happened> = (1..)
                .zip(statuses)
                .map(|(sequence, status)| Happened {
                    sequence,
                    about: About::Request(1),
                    status: (*status).to_owned(),
                    does: None,
                })
                .collect();
            let (sequence, about) = (events.len() as u64 + 1, About::Node("web".to_owned()));
            events.push(Happened { sequence, about, status: last.to_owned(), does: None });
            verify(&events).is_ok()
        };
        let begun = ["submitted", "queued", "processing", "partial"];
        assert!(check(&[&begun[..], &["success"]].concat(), "gone"));
        assert!(!check(&begun, "gone"));
        assert!(!check(&[], "done"));
    }
}
