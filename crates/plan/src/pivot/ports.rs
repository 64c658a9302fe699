//! The ports of components: each is known by its thing, its phase and its version, and never by its name, which is made
//! for people.

use locus_aeolus::{PortId, Universe};
use locus_meaning::Key;
use locus_meaning::things::Thing;
use rustc_hash::FxHashMap;

/// The version of a thing that provides a port.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Version {
    /// The one that stays, or the only one.
    First,
    /// The same thing after a change in place.
    Updated,
    /// The new one that replaces another.
    Replaced,
    /// The old one that is no longer there.
    Retired,
    /// The old one that is taken down step by step.
    TakenDown,
}

/// A port of a thing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct PortKey<'a> {
    pub(super) thing: &'a Key,
    /// The phase that the thing has reached; none if it is ready.
    pub(super) phase: Option<&'a str>,
    pub(super) version: Version,
}

impl<'a> PortKey<'a> {
    /// The port of a thing that is ready.
    pub(super) fn ready(thing: &'a Key, version: Version) -> Self {
        Self { thing, phase: None, version }
    }

    /// The port of a thing that has reached a phase.
    pub(super) fn phase(thing: &'a Key, phase: &'a str, version: Version) -> Self {
        Self { thing, phase: Some(phase), version }
    }
}

/// The ports of a universe by their keys.
pub(super) struct Ports<'a> {
    ids: FxHashMap<PortKey<'a>, PortId>,
    /// The names of things, for those of ports.
    names: FxHashMap<&'a Key, &'a str>,
}

impl<'a> Ports<'a> {
    /// No ports yet, for these things.
    pub(super) fn of(things: impl Iterator<Item = &'a Thing>) -> Self {
        Self { ids: FxHashMap::default(), names: things.map(|thing| (&thing.key, &*thing.name)).collect() }
    }

    /// The port with this key; made if there is none yet. Its name is that of no other.
    pub(super) fn id(&mut self, universe: &mut Universe, key: PortKey<'a>) -> PortId {
        *self.ids.entry(key).or_insert_with(|| {
            let mut name = self.names.get(key.thing).copied().unwrap_or_default().to_owned();
            if let Some(phase) = key.phase {
                name.push(' ');
                name.push_str(phase);
            }
            name.push_str(match key.version {
                Version::First => "",
                Version::Updated => " updated",
                Version::Replaced => " replaced",
                Version::Retired => " retired",
                Version::TakenDown => " taken down",
            });
            while universe.find_port(&name).is_some() {
                name.push('\'');
            }
            universe.port(&name)
        })
    }
}
