//! A deployed component that others need while it changes: another does its work meanwhile.
//!
//! The other is made from nothing and waits for nothing that is yet to happen, so it exists before the deployed one
//! leaves. Those who are bound to the deployed one turn to it; those who are yet to come are bound to it from the
//! start. At the end they turn to what is wanted, if that can serve them, and the other is deleted
//! ([`helpers`](super::helpers)).

use super::{Event, NONE, Schedule, Stuck};
use crate::lines::Service;

impl Schedule<'_, '_> {
    /// Serves by others what keeps a deployed component from an event.
    pub(super) fn substitute(&mut self, event: u32, open: &[u32]) -> Result<(), Stuck> {
        let first = self.lines.services.len();
        let entered = self.of.iter().map(|of| of.iter().take_while(|&&event| self.was(event)).count() as u32);
        let entered: Vec<u32> = entered.collect();
        let found = self.lines.stand_in(open, entered).map_err(|_| Stuck)?;
        self.make_events();
        for service in first..self.lines.services.len() {
            self.constrain(service);
        }
        for (&index, next) in open.iter().zip(found) {
            self.let_go(event, index);
            let ready = self.of[next.provider as usize][next.a as usize];
            let enters = self.of[next.requirer as usize][next.from as usize];
            if self.was(enters) {
                let hand_over = self.events.len() as u32;
                self.events.push(Event::default());
                self.comes_before(ready, hand_over);
                self.comes_before(hand_over, event);
                if let Some(releases) = self.release(&next) {
                    self.comes_before(hand_over, releases);
                }
                self.hand_over(index, next, hand_over);
            } else {
                self.comes_before(ready, enters);
                self.lines.services[index as usize] = next;
                self.by_provider[next.provider as usize].push(index);
                self.constrain_back(&next);
            }
        }
        Ok(())
    }

    /// A service ends with an event, and another takes its place.
    pub(super) fn hand_over(&mut self, index: u32, next: Service, event: u32) {
        let number = self.add_service(next);
        self.constrain_back(&next);
        self.handed.insert(index, (event, number));
        self.taken_over.insert(number);
        self.events[event as usize].handed_over.push((index, number));
    }

    /// Whether an event has happened, or was before the start.
    fn was(&self, event: u32) -> bool {
        event == NONE || self.events[event as usize].is_done
    }

    fn comes_before(&mut self, first: u32, then: u32) {
        if !self.was(first) {
            self.events[first as usize].next.push((then, true));
            self.events[then as usize].forward += 1;
        }
    }
}
