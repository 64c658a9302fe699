//! Whether a list of events can have happened: the rules of the core, applied to what was written down.

use std::collections::BTreeMap;

use crate::status::{Move, Status};

/// An event as it was stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Happened {
    /// Its number, from 1.
    pub sequence: u64,
    /// What it is about: nothing for the deployment, a rank for a request, a token for a step.
    pub about: About,
    /// What became of it.
    pub status: String,
}

/// What a stored event is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum About {
    /// The deployment.
    Deployment,
    /// A request, by rank.
    Request(u32),
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

/// What may follow each status of a request; nothing stands before the first.
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

/// What may follow each status of a step. A step that was intended and released is claimed again to be looked up, so
/// whether it was ever intended is kept apart.
fn step_leads_to(from: &str, intended: bool) -> &'static [&'static str] {
    match (from, intended) {
        ("" | "again", _) | ("released", false) => &["claimed"],
        ("claimed", false) => &["intended", "released"],
        ("claimed" | "intended", true) => &["done", "failed", "unknown", "again", "released"],
        ("unknown", true) => &["done", "absent"],
        ("absent" | "released", true) => &["claimed"],
        _ => &[],
    }
}

/// Checks events, which must be all of a deployment from the first.
///
/// # Errors
/// With the first event that cannot have happened.
pub fn verify(events: &[Happened]) -> Result<(), Fault> {
    let mut status = Status::Absent;
    let mut requests: BTreeMap<u32, String> = BTreeMap::new();
    let mut steps: BTreeMap<&str, (&str, bool)> = BTreeMap::new();
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
            About::Step(token) => {
                let (before, intended) = steps.entry(token).or_default();
                if !step_leads_to(before, *intended).contains(&event.status.as_str()) {
                    return fault(format!("the step {token} cannot be {} after '{before}'", event.status));
                }
                *intended = event.status == "intended" || *intended && event.status != "again";
                *before = &event.status;
            }
        }
    }
    Ok(())
}
