//! OpenStack: resources of Heat templates, made by the services themselves.
//!
//! `wish` reads what a step is to do, `local` does what needs no cloud, `attributes` are what others may ask of a
//! resource. The calls, and the types as data, are in `locus-openstack`.

mod attributes;
mod local;
mod machine;
mod wish;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use locus_engine::{Cause, Does, Failure, Left, Observation, Outcome, Progress};
use locus_openstack::kinds::{self, Kind, Link, Mark};
use locus_openstack::{
    Cloud, Found as At, Http, Kind as Why, Named, Session, State, Thing, Transport, Trouble, Work,
};

use self::wish::Wish;
use crate::ability::{Ability, Sort, Tokens};
use crate::driver::{Driver, Found, Imported, Order, Page, Reply, Seen, acceptance};
use crate::secret::mask;
use crate::sites::{Site, Surroundings};

pub use machine::Here;

/// All that it can do: the types of the table, and those that need no cloud.
pub(crate) static ABILITY: LazyLock<Ability> = LazyLock::new(|| {
    let of_kind = |kind: &'static Kind| {
        let fixed: Vec<&'static str> = kind
            .fields
            .iter()
            .map(|field| field.property)
            .filter(|property| kind.is_fixed(property))
            .collect();
        // What only one can have must be gone first: a name, or a volume.
        let is_link = kind.as_link().is_some();
        let old_first = match kind.as_link() {
            Some(link) => link == Link::Attachment,
            None => matches!(kind.mark, Mark::Name | Mark::Same),
        };
        let fixed: &'static [&'static str] = if is_link { &["*"] } else { fixed.leak() };
        Sort { fixed, old_first, ..Sort::new(kind.sort) }
    };
    let own = [Sort { fixed: &["*"], ..Sort::new(local::RANDOM) }, Sort::new(local::OUTPUTS)];
    let sorts: Vec<Sort> = kinds::all().map(of_kind).chain(own).collect();
    Ability { tokens: Tokens::Looked, lists: true, imports: true, sorts: sorts.leak() }
});

/// How long a call that got no answer may still take effect.
const SETTLES: Duration = Duration::from_secs(3);

/// The first and the longest time after which a resource is asked for again.
const FIRST_POLL: u64 = 300;
const LONGEST_POLL: u64 = 5_000;

/// A cloud, with a session that begins with the first call.
pub struct OpenStack {
    session: Session,
    deployment: String,
    /// Where texts are kept that are secret.
    secrets: PathBuf,
}

/// Why a node cannot be made, as far as its type and its properties tell; none if it can.
pub fn refuses(sort: &str, specification: &serde_json::Value) -> Option<String> {
    if [local::RANDOM, local::OUTPUTS].contains(&sort) {
        return None;
    }
    let Some(kind) = kinds::kind(sort) else {
        return Some(format!("nothing of the type {sort} is made by Locus"));
    };
    if specification.get("external").is_some() {
        return None;
    }
    kind.refuses(specification["properties"].as_object().unwrap_or(&serde_json::Map::new()))
}

/// The names in the properties of nodes that stand for nothing in a cloud, or for several things: the node, and in
/// words which. Nodes are their names, types and specifications.
///
/// # Errors
/// If the cloud is not configured, or cannot be asked; in words.
pub(crate) fn unresolved(
    site: &Site,
    nodes: &[(&str, &str, &serde_json::Value)],
) -> Result<Vec<(String, String)>, String> {
    let session = session(&named(site))?;
    let given =
        |specification: &serde_json::Value| specification["properties"]["name"].as_str().map(str::to_owned);
    let own: BTreeSet<String> =
        nodes.iter().filter_map(|(_, _, specification)| given(specification)).collect();
    let mut all = Vec::new();
    for (name, sort, specification) in nodes {
        let properties = specification["properties"].as_object();
        if let (Some(kind), Some(properties)) = (kinds::kind(sort), properties) {
            let said = session.unresolved(kind, properties, &own).map_err(|trouble| trouble.reason)?;
            all.extend(said.into_iter().map(|why| ((*name).to_owned(), why)));
        }
    }
    Ok(all)
}

/// The cloud and the region that a site names.
fn named(site: &Site) -> Named {
    let setting = |name: &str| site.settings.get(name).filter(|value| !value.is_empty()).cloned();
    Named { cloud: setting("cloud"), region: setting("region") }
}

/// Begins with the cloud that a site names.
pub(crate) fn open(site: &Site, around: &Surroundings) -> Result<Arc<dyn Driver>, String> {
    Ok(Arc::new(OpenStack::connect(&named(site), around)?))
}

/// A session with a cloud, as this machine is configured.
///
/// # Errors
/// If it is not; in words.
pub fn session(named: &Named) -> Result<Session, String> {
    let cloud = Cloud::find(named, &Here)?;
    let http = Http::new(&cloud.roots, cloud.verify)?;
    Ok(Session::new(cloud, Arc::new(http)))
}

impl OpenStack {
    /// The driver of a cloud that is configured on this machine.
    ///
    /// # Errors
    /// If it is not; in words.
    pub fn connect(named: &Named, around: &Surroundings) -> Result<Self, String> {
        let session = session(named)?;
        Ok(Self { session, deployment: around.deployment.clone(), secrets: around.folder.join("secrets") })
    }

    /// The driver of a cloud that is reached in another way.
    pub fn over(cloud: Cloud, transport: Arc<dyn Transport>, around: &Surroundings) -> Self {
        let (deployment, secrets) = (around.deployment.clone(), around.folder.join("secrets"));
        Self { session: Session::new(cloud, transport), deployment, secrets }
    }

    /// Does something with the resource of an order.
    fn with<R>(
        &self,
        order: &Order,
        act: impl FnOnce(&Wish, &Work<'_>) -> Result<R, Trouble>,
    ) -> Result<R, Trouble> {
        let wish = Wish::read(self, order).map_err(Trouble::refused)?;
        let hidden = |trouble: Trouble| Trouble { reason: mask(&trouble.reason, &wish.secrets()), ..trouble };
        let Some(kind) = kinds::kind(&wish.sort) else {
            return Err(Trouble::refused(format!("nothing of the type {} is made here", wish.sort)));
        };
        let work = Work {
            session: &self.session,
            kind,
            properties: &wish.properties,
            token: &order.token,
            name: &wish.name,
        };
        act(&wish, &work).map_err(hidden)
    }

    fn create(&self, order: &Order) -> Reply {
        let made = self.with(order, |wish, work| {
            if let Some(id) = &wish.external {
                let thing = work.read(id)?;
                return Ok(Reply::done(id, attributes::outputs(work.kind, &thing, &wish.secrets())));
            }
            // Nothing was asked for as long as it is only looked for.
            let before = |trouble: Trouble| match trouble.kind {
                Why::Lost => Trouble { kind: Why::NotSent, ..trouble },
                _ => trouble,
            };
            let is_certain = !matches!(work.kind.mark, Mark::Same);
            let found = if is_certain { work.find().map_err(before)? } else { At::Nothing };
            let thing = match found {
                At::Ours(thing) => thing,
                At::Nothing | At::Perhaps(_) => match work.create() {
                    Ok(thing) => thing,
                    Err(trouble) => return Ok(reply(trouble, Left::Something)),
                },
            };
            let id = thing.id.clone();
            match work.complete(thing) {
                Ok(thing) => Ok(Self::settled(wish, work, &thing)),
                Err(trouble) => Ok(reply(trouble, Left::Named(id))),
            }
        });
        made.unwrap_or_else(|trouble| reply(trouble, Left::Nothing))
    }

    fn change(&self, order: &Order) -> Reply {
        let changed = self.with(order, |wish, work| {
            if wish.external.is_some() {
                let thing = work.read(&order.id)?;
                return Ok(Reply::done(&order.id, attributes::outputs(work.kind, &thing, &wish.secrets())));
            }
            let thing = work.update(&order.id)?;
            Ok(Self::settled(wish, work, &thing))
        });
        changed.unwrap_or_else(|trouble| match trouble.kind {
            Why::Missing => Reply::failed(Failure::refused(format!("{} is gone", order.node))),
            _ => reply(trouble, Left::Nothing),
        })
    }

    fn delete(&self, order: &Order) -> Reply {
        let deleted = (|| {
            let (kind, is_external) = Wish::kind(order).map_err(Trouble::refused)?;
            if is_external {
                return Ok(Reply::done(&order.id, BTreeMap::new()));
            }
            let Some(id) = self.to_delete(order, kind)? else {
                return Ok(Reply::done("", BTreeMap::new()));
            };
            let empty = serde_json::Map::new();
            let work =
                Work { session: &self.session, kind, properties: &empty, token: &order.token, name: "" };
            let is_gone = work.delete(&id)?;
            Ok(if is_gone {
                Reply::done(&id, BTreeMap::new())
            } else {
                Reply::accepted(handle(&id, 0), Duration::from_millis(FIRST_POLL))
            })
        })();
        deleted.unwrap_or_else(|trouble| reply(trouble, Left::Nothing))
    }

    /// The id of what is to be deleted: if none is known, that of what the tokens of the node are on.
    fn to_delete(&self, order: &Order, kind: &'static Kind) -> Result<Option<String>, Trouble> {
        if !order.id.is_empty() {
            return Ok(Some(order.id.clone()));
        }
        if !matches!(kind.mark, Mark::Name | Mark::Same) {
            let empty = serde_json::Map::new();
            let work = Work { session: &self.session, kind, properties: &empty, token: "", name: "" };
            let found = work.of_tokens(&format!("{}#", node_of(&order.token)))?;
            return Ok(found.into_iter().next().map(|(thing, _)| thing.id));
        }
        self.with(order, |_, work| {
            Ok(match work.find()? {
                At::Ours(thing) => Some(thing.id),
                At::Perhaps(_) | At::Nothing => None,
            })
        })
    }

    /// The reply for a resource that was made or changed.
    fn settled(wish: &Wish, work: &Work<'_>, thing: &Thing) -> Reply {
        match Self::progress(wish, work, thing, 0) {
            Ok(Progress::Ended(outcome)) => Reply::Ended(outcome),
            Ok(Progress::GoesOn(accepted)) => Reply::Accepted(accepted),
            Ok(Progress::Forgotten) => Reply::Lost,
            Err(trouble) => reply(trouble, Left::Named(thing.id.clone())),
        }
    }

    fn progress(wish: &Wish, work: &Work<'_>, thing: &Thing, times: u32) -> Result<Progress, Trouble> {
        let state = match work.kind.as_link() {
            Some(_) => work.link_state(&thing.id)?,
            None => work.state(thing),
        };
        Ok(match state {
            State::Ready => {
                let outputs = attributes::outputs(work.kind, thing, &wish.secrets());
                Progress::Ended(Outcome::Done { id: thing.id.clone(), outputs })
            }
            State::Failed(reason) => {
                let failure = Failure::refused(mask(&reason, &wish.secrets()));
                Progress::Ended(Outcome::Failed(failure.leaving(Left::Named(thing.id.clone()))))
            }
            State::UnderWay => Progress::GoesOn(acceptance(handle(&thing.id, times), pause(times))),
        })
    }
}

/// The node and all before it in a token.
fn node_of(token: &str) -> &str {
    token.rsplit_once('#').map_or(token, |(node, _)| node)
}

/// The name under which a resource is asked for again: with how often that was done.
fn handle(id: &str, times: u32) -> String {
    format!("{id}\n{times}")
}

fn pause(times: u32) -> Duration {
    let factor = 1.4_f64.powi(times.min(20) as i32);
    Duration::from_millis(((FIRST_POLL as f64 * factor) as u64).min(LONGEST_POLL))
}

/// The reply that tells of trouble. `left` is what may be there if it cannot be told.
fn reply(trouble: Trouble, left: Left) -> Reply {
    let Trouble { kind, reason, after } = trouble;
    let failure = |cause: Cause, reason: String| {
        let failure = Failure::new(cause, reason);
        match after {
            Some(after) => failure.after(after),
            None => failure,
        }
    };
    let is_named = matches!(left, Left::Named(_));
    let kept = |failure: Failure| if is_named { failure.leaving(left.clone()) } else { failure };
    Reply::failed(match kind {
        Why::NotSent if !is_named => return Reply::NotSent(reason),
        Why::Lost => return Reply::Lost,
        Why::NotSent => kept(failure(Cause::Network, reason)),
        Why::Conflict => kept(failure(Cause::Conflict, reason)),
        Why::Quota => kept(failure(Cause::Quota, reason)),
        Why::Throttled => kept(failure(Cause::Throttled, reason)),
        Why::Busy => kept(Failure { after, ..Failure::busy(reason) }),
        Why::Broken => Failure::busy(reason).leaving(left),
        Why::Missing | Why::Exists | Why::Refused => kept(Failure::refused(reason)),
    })
}

impl Driver for OpenStack {
    fn ability(&self) -> &Ability {
        &ABILITY
    }

    fn call(&self, order: &Order) -> Reply {
        if let Some(reply) = local::call(self, order) {
            return reply;
        }
        match order.does {
            Does::Create => self.create(order),
            Does::Change => self.change(order),
            Does::Delete => self.delete(order),
        }
    }

    fn poll(&self, order: &Order) -> Progress {
        let (id, times) = order.handle.split_once('\n').unwrap_or((&order.handle, "0"));
        let times = times.parse::<u32>().unwrap_or(0) + 1;
        let asked = self.with(order, |wish, work| {
            if order.does == Does::Delete {
                let is_gone = work.is_gone(id)?;
                let done = || Outcome::Done { id: id.to_owned(), outputs: BTreeMap::new() };
                let later = || acceptance(handle(id, times), pause(times));
                return Ok(if is_gone { Progress::Ended(done()) } else { Progress::GoesOn(later()) });
            }
            Self::progress(wish, work, &work.read(id)?, times)
        });
        asked.unwrap_or_else(|trouble| match trouble.kind {
            Why::Missing => Progress::Forgotten,
            Why::Refused => Progress::Ended(Outcome::Failed(
                Failure::refused(trouble.reason).leaving(Left::Named(id.to_owned())),
            )),
            _ => Progress::GoesOn(acceptance(handle(id, times), Duration::from_secs(1))),
        })
    }

    fn observe(&self, order: &Order) -> Observation {
        if local::is_local(order) {
            // It is done again, and comes to the same.
            return Observation::Absent;
        }
        let unsure = |reason: String| Observation::Unsure { reason };
        match order.does {
            // What is there already is changed to the same, and what is gone is deleted.
            Does::Change | Does::Delete => Observation::Absent,
            Does::Create => {
                let seen = self.with(order, |wish, work| {
                    if wish.external.is_some() {
                        return Ok(Observation::Absent);
                    }
                    Ok(match work.find()? {
                        At::Nothing => Observation::Absent,
                        At::Perhaps(thing) => unsure(format!(
                            "there is a {} of that name, {}, and nothing tells whether this step has made it",
                            work.kind.sort, thing.id
                        )),
                        // What more belongs to it is added by the call.
                        At::Ours(_) if work.has_more() => Observation::Absent,
                        At::Ours(thing) => match Self::progress(wish, work, &work.read(&thing.id)?, 0)? {
                            Progress::Ended(Outcome::Done { id, outputs }) => {
                                Observation::Done { id, outputs }
                            }
                            Progress::Ended(Outcome::Failed(failure)) => Observation::Failed(failure),
                            Progress::GoesOn(accepted) => Observation::Accepted(accepted),
                            Progress::Ended(_) | Progress::Forgotten => {
                                unsure("what is there was not expected".to_owned())
                            }
                        },
                    })
                });
                seen.unwrap_or_else(|trouble| unsure(trouble.reason))
            }
        }
    }

    fn settles_within(&self, order: &Order) -> Duration {
        if order.does == Does::Create && !local::is_local(order) { SETTLES } else { Duration::ZERO }
    }

    fn look(&self, order: &Order) -> Seen {
        if local::is_local(order) {
            return Seen::There;
        }
        let looked = self.with(order, |_, work| {
            let thing = work.read(&order.id)?;
            if let State::Failed(reason) = work.state(&thing) {
                return Ok(Seen::Changed(reason));
            }
            Ok(work.drifted(&thing)?.map_or(Seen::There, Seen::Changed))
        });
        looked.unwrap_or_else(|trouble| match trouble.kind {
            Why::Missing => Seen::Gone,
            _ => Seen::Unsure(trouble.reason),
        })
    }

    /// A page is what is there of one type.
    fn list(&self, tokens: &str, from: Option<&str>) -> Result<Page, Failure> {
        let listed: Vec<&Kind> = kinds::all().filter(|kind| kind.as_link().is_none()).collect();
        let at = from.and_then(|from| from.parse::<usize>().ok()).unwrap_or(0);
        let Some(&kind) = listed.get(at) else { return Err(Failure::refused("the list has no such page")) };
        let next = (at + 1 < listed.len()).then(|| (at + 1).to_string());
        let is_again = listed[..at].iter().any(|other| other.path == kind.path);
        if is_again || matches!(kind.mark, Mark::Name | Mark::Same) {
            return Ok(Page { found: Vec::new(), next });
        }
        let empty = serde_json::Map::new();
        let work = Work { session: &self.session, kind, properties: &empty, token: "", name: "" };
        match work.of_tokens(tokens) {
            Ok(all) => {
                let found = all.into_iter().map(|(thing, token)| Found { id: thing.id, token });
                Ok(Page { found: found.collect(), next })
            }
            // Whoever may not list them, or has no such service, has made none.
            Err(Trouble { kind: Why::Refused | Why::Missing, .. }) => Ok(Page { found: Vec::new(), next }),
            Err(trouble) => match reply(trouble, Left::Nothing) {
                Reply::Ended(Outcome::Failed(failure)) => Err(failure),
                _ => Err(Failure::new(Cause::Network, "the cloud does not answer")),
            },
        }
    }

    fn import(&self, order: &Order, id: &str) -> Result<Imported, Failure> {
        if local::is_local(order) {
            return Err(Failure::refused("it is nothing in the cloud"));
        }
        let taken = self.with(order, |wish, work| {
            let thing = work.read(id)?;
            if let State::Failed(reason) = work.state(&thing) {
                return Err(Trouble::refused(reason));
            }
            work.adopt(&thing)?;
            let differs = work.drifted(&thing)?;
            let outputs = attributes::outputs(work.kind, &thing, &wish.secrets());
            Ok(Imported { id: thing.id, outputs, differs })
        });
        taken.map_err(|trouble| match trouble.kind {
            Why::Missing => Failure::refused(format!("there is no {id}")),
            Why::NotSent | Why::Lost => Failure::new(Cause::Network, trouble.reason),
            _ => Failure::refused(trouble.reason),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trouble_becomes_a_failure_of_its_kind() {
        let cause = |kind: Why| match reply(Trouble::new(kind, "why"), Left::Nothing) {
            Reply::Ended(Outcome::Failed(failure)) => Some(failure.cause),
            _ => None,
        };
        assert_eq!(cause(Why::Quota), Some(Cause::Quota));
        assert_eq!(cause(Why::Throttled), Some(Cause::Throttled));
        assert_eq!(cause(Why::Exists), Some(Cause::Refused));
        assert_eq!(reply(Trouble::new(Why::Lost, "why"), Left::Nothing), Reply::Lost);
        assert_eq!(
            reply(Trouble::new(Why::NotSent, "why"), Left::Something),
            Reply::NotSent("why".to_owned())
        );
        // An error within a service may have left something.
        let Reply::Ended(Outcome::Failed(failure)) = reply(Trouble::new(Why::Broken, "why"), Left::Something)
        else {
            panic!("it failed")
        };
        assert_eq!(failure.left, Left::Something);
    }

    #[test]
    fn a_resource_is_asked_for_less_and_less_often() {
        assert_eq!(pause(0), Duration::from_millis(FIRST_POLL));
        assert!(pause(3) > pause(2) && pause(30) == Duration::from_millis(LONGEST_POLL));
    }

    #[test]
    fn what_is_told_apart_by_its_name_goes_first() {
        let key = ABILITY.sort("OS::Nova::KeyPair").expect("it is made");
        let net = ABILITY.sort("OS::Neutron::Net").expect("it is made");
        assert!(key.old_first && !net.old_first && ABILITY.sort("OS::Trove::Instance").is_none());
        assert!(net.is_fixed("tenant_id") && !net.is_fixed("name"));
    }
}
