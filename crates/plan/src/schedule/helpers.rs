//! The end of a plan: components that helped on the way are deleted where nothing that stays depends on them.
//!
//! What stays may depend on a helper although a component that is wanted could serve it just as well by now: then it
//! is bound to that one first.

use locus_aeolus::{Action, Binding, PortId};
use rustc_hash::FxHashMap;

use super::{Emission, NONE};
use crate::lines::Service;

/// By port, lines with the number of bindings that they still bear.
type Offers = FxHashMap<PortId, Vec<(u32, u32)>>;

/// Undoes that an offer was taken.
fn give_back(offers: &mut Offers, port: PortId, line: u32) {
    let of_port = offers.get_mut(&port).into_iter().flatten();
    for offer in of_port.filter(|offer| offer.0 == line && offer.1 != u32::MAX) {
        offer.1 += 1;
    }
}

impl Emission<'_, '_, '_> {
    /// Binds what stays to others that stay, instead of to helpers, as far as these bear it. Gives the new providers by
    /// service.
    fn hand_over(&mut self) -> FxHashMap<u32, u32> {
        let lines = &self.schedule.lines.all;
        let is_helper = |line: u32| !lines[line as usize].is_kept && !lines[line as usize].dies;
        let lasting = |service: &Service| {
            let requirer = &lines[service.requirer as usize];
            requirer.is_kept && service.to as usize == requirer.last()
        };
        let services = self.schedule.lines.services.iter().enumerate();
        let mut open: Vec<(u32, Service)> = services
            .filter(|(_, service)| is_helper(service.provider) && lasting(service))
            .map(|(index, &service)| (index as u32, service))
            .collect();
        open.sort_by_key(|(_, service)| service.provider);
        let mut moved = FxHashMap::default();
        let mut offers = self.lasting_offers(&open);
        for of_helper in open.chunk_by(|(_, a), (_, b)| a.provider == b.provider) {
            // All or none: a helper that serves one of them has to stay.
            let mut found: Vec<u32> = Vec::new();
            found.extend(of_helper.iter().map_while(|(_, service)| self.take_offer(&mut offers, service)));
            if found.len() < of_helper.len() {
                for ((_, service), line) in of_helper.iter().zip(found) {
                    give_back(&mut offers, service.port, line);
                }
                continue;
            }
            for (&(index, service), provider) in of_helper.iter().zip(found) {
                self.turn_to(index, provider, self.lasts_from(service.port, provider));
                moved.insert(index, provider);
            }
        }
        moved
    }

    /// Takes one of the offers for a service.
    fn take_offer(&self, offers: &mut Offers, service: &Service) -> Option<u32> {
        let offers = offers.get_mut(&service.port)?;
        let is_bound = |line: u32| {
            let found = self.bound.get(&(service.port, service.requirer, line));
            found.is_some_and(|&(is_bound, _)| is_bound)
        };
        let fits =
            |&&mut (line, left): &&mut (u32, u32)| line != service.requirer && left > 0 && !is_bound(line);
        let offer = offers.iter_mut().find(fits)?;
        offer.1 -= u32::from(offer.1 != u32::MAX);
        Some(offer.0)
    }

    /// The components that are wanted and provide these ports at the end, each with the number of bindings that it
    /// still bears.
    fn lasting_offers(&self, open: &[(u32, Service)]) -> Offers {
        let mut offers = Offers::default();
        for (_, service) in open {
            offers.entry(service.port).or_default();
        }
        let mut used: FxHashMap<(PortId, u32), u32> = FxHashMap::default();
        for (&(port, _, provider), _) in self.bound.iter().filter(|(_, (is_bound, _))| *is_bound) {
            *used.entry((port, provider)).or_default() += 1;
        }
        let universe = self.schedule.lines.nodes.universe;
        for (index, line) in self.schedule.lines.all.iter().enumerate().filter(|(_, line)| line.is_kept) {
            for provision in &universe.state(line.kind, line.path[line.last()]).provides {
                let Some(offers) = offers.get_mut(&provision.port) else { continue };
                let used = used.get(&(provision.port, index as u32)).copied().unwrap_or(0);
                let left = provision.capacity.map_or(u32::MAX, |capacity| capacity.saturating_sub(used));
                offers.push((index as u32, left));
            }
        }
        offers
    }

    /// The state of a line from which on it provides a port until the end.
    fn lasts_from(&self, port: PortId, line: u32) -> u32 {
        let line = &self.schedule.lines.all[line as usize];
        let universe = self.schedule.lines.nodes.universe;
        let provides = |at: usize| universe.state(line.kind, line.path[at]).provision(port).is_some();
        (0..=line.last()).rev().take_while(|&at| provides(at)).last().unwrap_or(line.last()) as u32
    }

    /// Binds the requirer of a service to another provider, which provides the port from a state on, and then no longer
    /// to that which it has.
    pub(super) fn turn_to(&mut self, index: u32, provider: u32, first: u32) {
        let Service { port, requirer, provider: helper, .. } = self.schedule.lines.services[index as usize];
        let ready = self.entered[self.index(provider, first) as usize];
        let before = self.bound.get(&(port, requirer, provider)).copied().unwrap_or((false, NONE));
        let id = |line: u32| self.ids[line as usize];
        let (new, old) = (
            Binding { port, requirer: id(requirer), provider: id(provider) },
            Binding { port, requirer: id(requirer), provider: id(helper) },
        );
        let born = [self.born[requirer as usize], self.born[provider as usize]];
        let mut wait = vec![before.1, ready];
        if !before.0 {
            let bound = self.step(Action::Bind(new), vec![born[0], born[1], ready, before.1]);
            self.bound.insert((port, requirer, provider), (true, bound));
            wait = vec![bound];
        }
        let had = self.bound.get(&(port, requirer, helper)).map_or(NONE, |&(_, step)| step);
        wait.extend([had, self.latest[requirer as usize]]);
        let undone = self.step(Action::Unbind(old), wait);
        self.bound.insert((port, requirer, helper), (false, undone));
        self.released[index as usize] = undone;
    }

    /// Deletes new components on which nothing that stays depends.
    pub(super) fn remove_helpers(&mut self) {
        let moved = self.hand_over();
        let lines = &self.schedule.lines.all;
        let services = &self.schedule.lines.services;
        let mut stays: Vec<bool> = lines.iter().map(|line| line.is_kept).collect();
        let mut todo: Vec<u32> = (0..lines.len() as u32).filter(|&line| stays[line as usize]).collect();
        while let Some(line) = todo.pop() {
            for &index in &self.schedule.by_requirer[line as usize] {
                let service = &services[index as usize];
                let for_ever = service.to as usize == lines[line as usize].last()
                    && !lines[line as usize].dies
                    && !self.schedule.handed.contains_key(&index);
                let provider = moved.get(&index).copied().unwrap_or(service.provider);
                if for_ever && !std::mem::replace(&mut stays[provider as usize], true) {
                    todo.push(provider);
                }
            }
        }
        // Those who require come before those who provide.
        let goes = |line: u32| !stays[line as usize] && !lines[line as usize].dies;
        let mut users = vec![0u32; lines.len()];
        let lasting = |index: &u32| {
            let service = &services[*index as usize];
            service.to as usize == lines[service.requirer as usize].last()
                && !self.schedule.handed.contains_key(index)
        };
        for line in (0..lines.len() as u32).filter(|&line| goes(line)) {
            for index in self.schedule.by_requirer[line as usize].iter().filter(|index| lasting(index)) {
                users[services[*index as usize].provider as usize] += 1;
            }
        }
        let mut ready: Vec<u32> =
            (0..lines.len() as u32).rev().filter(|&line| goes(line) && users[line as usize] == 0).collect();
        while let Some(line) = ready.pop() {
            self.delete(line, vec![self.latest[line as usize]]);
            for index in self.schedule.by_requirer[line as usize].iter().filter(|index| lasting(index)) {
                let provider = services[*index as usize].provider;
                users[provider as usize] -= 1;
                if users[provider as usize] == 0 && goes(provider) {
                    ready.push(provider);
                }
            }
        }
    }
}
