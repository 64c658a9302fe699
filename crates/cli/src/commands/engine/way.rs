//! The judge of `locus up`: the rules of the language asked of every configuration on the way from what is deployed to
//! what is wanted.
//!
//! The document of what is deployed is kept with it. Where there is none, or what is there is not what it describes,
//! the way cannot be judged, which is said.

use std::time::Duration;

use locus_deploy::{Document, Path, is_described};
use locus_engine::RequestStatus;
use locus_judge::Way;
use locus_store::Stored;
use serde_json::Value;

use super::Home;
use super::describe::{Before, Described};
use crate::commands::plan::on_the_way::OnTheWay;
use crate::page::Page;
use crate::session::Session;

/// A document of which single things are made as several.
pub(super) const PARTS: &str = "what the file has as one thing is made as several; 'locus plan OLD NEW' judges the way between \
                     two files";

/// When the judge gives up. Nothing is begun then, so that it has more patience than `locus plan`.
const PATIENCE: Duration = Duration::from_mins(1);

/// The document of what is there.
pub(super) enum Old {
    /// Nothing is there.
    Nothing,
    /// It was kept, and describes what is there.
    Read(Box<Before>),
    /// It is not known, and why.
    Unknown(&'static str),
}

/// The judgement of a way, or why there is none.
pub(super) enum Judged {
    /// It was judged.
    Told(Box<OnTheWay>),
    /// It could not be judged.
    NotAsked(&'static str),
}

/// A deployment of a version that kept no document.
const NONE: &str = "the file that it was deployed from was not kept, as it is from now on; 'locus plan OLD NEW' judges \
                    the way between two files";

/// A deployment that is not as its file says.
const OTHERWISE: &str = "what is there is not what the file that it was deployed from describes; 'locus plan OLD NEW' \
                         judges the way between two files";

/// Reads the document of what is there, as one of the sources of a session.
pub(super) fn old(home: &Home, stored: &Stored, session: &Session) -> anyhow::Result<Old> {
    if stored.state.nodes.values().all(|node| !node.present) {
        return Ok(Old::Nothing);
    }
    let kept = home.store.documents(stored)?;
    if kept.is_empty() {
        return Ok(Old::Unknown(NONE));
    }
    // What was undone, or never begun, is not there.
    let is_there = |request: &usize| {
        let request = stored.state.requests.get(*request).map(|request| request.status);
        matches!(request, Some(RequestStatus::Success | RequestStatus::Kept))
    };
    for (_, text) in kept.into_iter().filter(|(request, _)| is_there(request)) {
        let folder = format!("{} (deployed)", stored.name);
        let Some((before, nodes)) = Before::read(&Document::parse(&text)?, session, &folder) else {
            continue;
        };
        if is_described(&stored.state, &nodes)? {
            return Ok(Old::Read(Box::new(before)));
        }
    }
    Ok(Old::Unknown(OTHERWISE))
}

impl Old {
    /// The document, for the judge.
    pub(super) fn asked<'o>(&'o self, session: &'o Session) -> Option<locus_judge::Asked<'o>> {
        match self {
            Old::Read(before) => Some(before.asked(session)),
            Old::Nothing | Old::Unknown(_) => None,
        }
    }

    /// Why the way from there cannot be judged, if it cannot.
    pub(super) fn not_judged(&self) -> Option<&'static str> {
        match self {
            Old::Unknown(why) => Some(why),
            Old::Nothing | Old::Read(_) => None,
        }
    }
}

/// Judges the way from what is there.
pub(super) fn judge(
    home: &Home,
    stored: &Stored,
    described: &Described,
    path: &Path,
) -> anyhow::Result<Judged> {
    if described.has_parts() {
        return Ok(Judged::NotAsked(PARTS));
    }
    let old = old(home, stored, &described.session)?;
    if let Some(why) = old.not_judged() {
        return Ok(Judged::NotAsked(why));
    }
    let (old, new) = (old.asked(&described.session), Some(described.asked()));
    let (pivot, plan) = (path.pivot(), path.plan());
    Ok(Judged::Told(Box::new(OnTheWay::of(&Way { old, new, pivot, plan }, PATIENCE))))
}

impl Judged {
    /// Whether no rule is broken, as far as that is known.
    pub(super) fn is_right(&self) -> bool {
        match self {
            Judged::Told(way) => way.is_right(),
            Judged::NotAsked(_) => true,
        }
    }

    /// Why the judge could not tell, though it was asked.
    pub(super) fn open(&self) -> Option<&str> {
        match self {
            Judged::Told(way) => way.open(),
            Judged::NotAsked(_) => None,
        }
    }

    /// Why the judge was not asked.
    pub(super) fn not_asked(&self) -> Option<&'static str> {
        match self {
            Judged::Told(_) => None,
            Judged::NotAsked(why) => Some(why),
        }
    }

    /// For people: each rule that is broken, with the steps between which it is.
    pub(super) fn show(&self, described: &Described, path: &Path, page: &mut Page) {
        if let Judged::Told(way) = self {
            way.show(&path.pivot().universe, path.plan(), page, &described.session.sources);
        }
    }

    /// For programs.
    pub(super) fn json(&self, described: &Described) -> Vec<Value> {
        match self {
            Judged::Told(way) => way.json(&described.session.sources),
            Judged::NotAsked(_) => Vec::new(),
        }
    }
}
