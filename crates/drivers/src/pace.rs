//! Limits of calls to one endpoint: how many are under way at once, and how many there are a second. Deployments take
//! turns, so that a large one keeps no other waiting.
//!
//! Out of scope: what an endpoint says when there were too many calls all the same; that is a failure of the kind
//! throttled.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use locus_engine::{Failure, Observation, Progress};

use crate::ability::{Ability, Tokens};
use crate::driver::{Driver, Imported, Order, Page, Reply, Seen};

/// The limits of an endpoint, shared by all who call it.
#[derive(Debug)]
pub(crate) struct Gate {
    /// How many calls may be under way; none if that is not limited.
    at_once: Option<usize>,
    /// The time from one call to the next.
    apart: Duration,
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Debug)]
struct State {
    under_way: usize,
    /// When the next call may begin.
    next: Instant,
    /// How many calls of each deployment wait.
    waiting: BTreeMap<String, usize>,
    /// The deployment that called last.
    last: String,
}

impl Gate {
    pub(crate) fn new(at_once: Option<usize>, per_second: Option<u32>) -> Self {
        let apart = per_second.map_or(Duration::ZERO, |calls| Duration::from_secs(1) / calls.max(1));
        let state =
            State { under_way: 0, next: Instant::now(), waiting: BTreeMap::new(), last: String::new() };
        Self { at_once, apart, state: Mutex::new(state), moved: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a call of a deployment may begin. It is under way until the answer is dropped.
    fn enter(&self, deployment: &str) -> Pass<'_> {
        let mut state = self.state();
        *state.waiting.entry(deployment.to_owned()).or_default() += 1;
        loop {
            let has_room = self.at_once.is_none_or(|most| state.under_way < most.max(1));
            let now = Instant::now();
            if has_room && state.turn() == Some(deployment) {
                if state.next <= now {
                    break;
                }
                let left = state.next - now;
                state = self.moved.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
            } else {
                state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
        state.under_way += 1;
        state.next = Instant::now() + self.apart;
        deployment.clone_into(&mut state.last);
        if let Some(waiting) = state.waiting.get_mut(deployment) {
            *waiting -= 1;
            if *waiting == 0 {
                state.waiting.remove(deployment);
            }
        }
        // It is the turn of somebody else now.
        self.moved.notify_all();
        Pass(self)
    }
}

impl State {
    /// The deployment that calls next: the first one that waits after the last one that called.
    fn turn(&self) -> Option<&str> {
        let after = (std::ops::Bound::Excluded(self.last.as_str()), std::ops::Bound::Unbounded);
        let next = self.waiting.range::<str, _>(after).next().or_else(|| self.waiting.iter().next());
        next.map(|(name, _)| name.as_str())
    }
}

/// A call that is under way.
struct Pass<'a>(&'a Gate);

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.0.state().under_way -= 1;
        self.0.moved.notify_all();
    }
}

/// A driver whose calls keep to the limits of its endpoint.
pub(crate) struct Paced {
    driver: Arc<dyn Driver>,
    gate: Arc<Gate>,
    deployment: String,
}

impl Paced {
    pub(crate) fn new(driver: Arc<dyn Driver>, gate: Arc<Gate>, deployment: &str) -> Self {
        Self { driver, gate, deployment: deployment.to_owned() }
    }

    fn pass(&self) -> Pass<'_> {
        self.gate.enter(&self.deployment)
    }
}

impl Driver for Paced {
    fn ability(&self) -> &Ability {
        self.driver.ability()
    }

    fn honours(&self, order: &Order) -> Tokens {
        self.driver.honours(order)
    }

    fn call(&self, order: &Order) -> Reply {
        let _pass = self.pass();
        self.driver.call(order)
    }

    fn poll(&self, order: &Order) -> Progress {
        let _pass = self.pass();
        self.driver.poll(order)
    }

    fn observe(&self, order: &Order) -> Observation {
        let _pass = self.pass();
        self.driver.observe(order)
    }

    fn settles_within(&self, order: &Order) -> Duration {
        self.driver.settles_within(order)
    }

    fn look(&self, order: &Order) -> Seen {
        let _pass = self.pass();
        self.driver.look(order)
    }

    fn look_all(&self, orders: &[Order]) -> Vec<Seen> {
        let _pass = self.pass();
        self.driver.look_all(orders)
    }

    fn list(&self, tokens: &str, from: Option<&str>) -> Result<Page, Failure> {
        let _pass = self.pass();
        self.driver.list(tokens, from)
    }

    fn import(&self, order: &Order, id: &str) -> Result<Imported, Failure> {
        let _pass = self.pass();
        self.driver.import(order, id)
    }

    /// A person who cancels does not wait for others.
    fn stop(&self, order: &Order) {
        self.driver.stop(order);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn no_more_calls_are_under_way_than_may_be() {
        let (gate, now, most) = (Gate::new(Some(3), None), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| {
                    let _pass = gate.enter("a");
                    let under_way = now.fetch_add(1, Ordering::SeqCst) + 1;
                    most.fetch_max(under_way, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(2));
                    now.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!((now.into_inner(), gate.state().under_way), (0, 0));
        assert!((1..=3).contains(&most.into_inner()));
    }

    #[test]
    fn deployments_take_turns() {
        let gate = Gate::new(Some(1), None);
        let order = Mutex::new(Vec::new());
        let first = gate.enter("large");
        std::thread::scope(|scope| {
            let call = |deployment: &'static str| {
                let _pass = gate.enter(deployment);
                order.lock().expect("nobody panics").push(deployment);
            };
            for _ in 0..6 {
                scope.spawn(move || call("large"));
            }
            while gate.state().waiting.get("large") != Some(&6) {
                std::thread::yield_now();
            }
            scope.spawn(move || call("small"));
            while gate.state().waiting.get("small") != Some(&1) {
                std::thread::yield_now();
            }
            drop(first);
        });
        assert_eq!(order.into_inner().expect("nobody panics")[0], "small", "it came last and is next");
    }

    #[test]
    fn calls_are_apart() {
        let gate = Gate::new(None, Some(100));
        let began = Instant::now();
        for _ in 0..6 {
            drop(gate.enter("a"));
        }
        // Five times ten milliseconds lie between six calls.
        let taken = began.elapsed();
        assert!(taken >= Duration::from_millis(50), "{taken:?}");
    }
}
