//! A store that is forgotten with the process.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use locus_engine::{Effect, Phase, State, Time};

use crate::{Error, Store, Stored, StoredEvent, has_changes, new_origin, numbered, oldest_of_use};

/// A store in memory.
#[derive(Debug, Default)]
pub struct Memory {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    all: BTreeMap<i64, (Stored, Vec<StoredEvent>)>,
    /// The documents of each deployment, by request.
    documents: BTreeMap<i64, BTreeMap<usize, String>>,
    /// The number of the next one.
    next: i64,
}

impl Memory {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for Memory {
    fn all(&self) -> Result<Vec<Stored>, Error> {
        let newest: BTreeMap<String, Stored> =
            self.kept().all.values().map(|(stored, _)| (stored.name.clone(), stored.clone())).collect();
        Ok(newest.into_values().collect())
    }

    fn load(&self, name: &str) -> Result<Option<Stored>, Error> {
        Ok(self
            .kept()
            .all
            .values()
            .rev()
            .find(|(stored, _)| stored.name == name)
            .map(|(stored, _)| stored.clone()))
    }

    fn create(&self, name: &str, newest: Option<&Stored>) -> Result<Stored, Error> {
        let mut kept = self.kept();
        let found = kept.all.values().rev().map(|(stored, _)| stored).find(|stored| stored.name == name);
        if found.map(|found| found.key) != newest.map(|newest| newest.key) {
            return Err(Error::Conflict);
        }
        let before = found.map_or(0, |found| found.incarnation);
        let stored = Stored {
            key: kept.next,
            name: name.to_owned(),
            incarnation: before + 1,
            version: 0,
            events: 0,
            origin: new_origin(),
            state: State::default(),
        };
        kept.next += 1;
        kept.all.insert(stored.key, (stored.clone(), Vec::new()));
        Ok(stored)
    }

    fn commit(&self, stored: &mut Stored, effects: &[Effect], now: Time) -> Result<(), Error> {
        let mut kept = self.kept();
        let (current, events) = kept.all.get_mut(&stored.key).ok_or(Error::NotThere)?;
        if current.origin != stored.origin {
            return Err(Error::NotThere);
        }
        if current.version != stored.version {
            return Err(Error::Conflict);
        }
        let next = events.len() as u64 + 1;
        events.extend(numbered(effects, next, now));
        (stored.version, stored.events) = (stored.version + 1, events.len() as u64);
        current.clone_from(stored);
        Ok(())
    }

    fn change(
        &self,
        stored: &mut Stored,
        now: Time,
        make: &mut dyn FnMut(&mut State) -> Vec<Effect>,
    ) -> Result<Vec<Effect>, Error> {
        let mut kept = self.kept();
        let (current, events) = kept.all.get_mut(&stored.key).ok_or(Error::NotThere)?;
        if current.origin != stored.origin {
            return Err(Error::NotThere);
        }
        if current.version != stored.version {
            stored.clone_from(current);
        }
        let effects = make(&mut stored.state);
        if has_changes(&effects) {
            events.extend(numbered(&effects, events.len() as u64 + 1, now));
            (stored.version, stored.events) = (stored.version + 1, events.len() as u64);
            current.clone_from(stored);
        }
        Ok(effects)
    }

    fn keep_document(&self, stored: &Stored, request: usize, content: &str) -> Result<(), Error> {
        let documents = &mut self.kept().documents;
        let of_use = documents.entry(stored.key).or_default();
        of_use.retain(|&place, _| place >= oldest_of_use(stored));
        of_use.insert(request, content.to_owned());
        Ok(())
    }

    fn documents(&self, stored: &Stored) -> Result<Vec<(usize, String)>, Error> {
        let kept = self.kept();
        let all = kept.documents.get(&stored.key).into_iter().flatten();
        Ok(all.rev().map(|(request, content)| (*request, content.clone())).collect())
    }

    fn forget(&self, name: &str) -> Result<(), Error> {
        let mut kept = self.kept();
        kept.all.retain(|_, (stored, _)| stored.name != name);
        let Kept { all, documents, .. } = &mut *kept;
        documents.retain(|key, _| all.contains_key(key));
        Ok(())
    }

    fn events(&self, stored: &Stored, after: u64) -> Result<Vec<StoredEvent>, Error> {
        let kept = self.kept();
        let (_, events) = kept.all.get(&stored.key).ok_or(Error::NotThere)?;
        Ok(events.iter().skip(after as usize).cloned().collect())
    }

    fn working(&self) -> Result<Vec<String>, Error> {
        let goes_on = |stored: &Stored| stored.state.phase != Phase::Idle;
        Ok(self.all()?.into_iter().filter(goes_on).map(|stored| stored.name).collect())
    }

    fn wait(&self, patience: Duration) {
        std::thread::sleep(patience);
    }
}
