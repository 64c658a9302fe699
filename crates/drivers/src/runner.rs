//! Has the steps of a deployment done, side by side, until nothing goes on any more.
//!
//! One thread talks to the store; others wait for drivers. What the store has is always as new as what was done in the
//! world, or older: a process that ends anywhere loses nothing but time.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use locus_engine::{
    At, Effect, Input, Job, Observation, Outcome, Phase, Planned, State, StepState, Ticket, Time, step,
};
use locus_store::{Error, Store, Stored};

use crate::{Driver, Order, Reply, Tokens, limits};

/// Makes the plan to undo what was done.
pub trait Planner {
    /// The steps from what is there to what was there before; none if there is no plan.
    fn compensate(&self, state: &State) -> Option<Vec<Planned>>;
}

/// How a run is done.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The name of this worker, which no other has.
    pub worker: String,
    /// How many steps are done side by side.
    pub parallel: usize,
    /// How long a claim is good without a sign of life.
    pub lease: Duration,
    /// How long a call may be under way after its worker has gone.
    pub deadline: Duration,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// Nothing goes on any more.
    Rests,
    /// Whether these nodes were made, changed or deleted cannot be told. A person must find out.
    Unknown(Vec<String>),
    /// The run was asked to leave, and another process is to continue it.
    Left,
}

/// Runs a deployment.
pub struct Runner<'a> {
    /// Where it is kept.
    pub store: &'a dyn Store,
    /// The driver that performs its steps.
    pub driver: Arc<dyn Driver>,
    /// How it is done.
    pub settings: Settings,
    /// The planner of rollbacks.
    pub planner: &'a dyn Planner,
    /// Whether a worker is known to be gone. Only the certain answer is yes.
    pub is_gone: &'a dyn Fn(&str) -> bool,
    /// The time, in milliseconds since 1970.
    pub clock: &'a dyn Fn() -> Time,
    /// The callback that receives whatever was stored.
    pub watch: &'a mut dyn FnMut(&Stored),
    /// How often somebody asked to stop. Once: what goes on is undone. Twice: it is left as it is, for another process
    /// to go on with.
    pub interrupts: &'a dyn Fn() -> usize,
}

/// A step and what a thread does with it.
struct Task {
    job: Job,
    order: Order,
    /// Until when calls may be made, in milliseconds since 1970 as this process sees it.
    good_until: Arc<AtomicU64>,
}

fn wall() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// The threads that wait for drivers.
struct Crew {
    tasks: Sender<Task>,
    ended: Receiver<(Ticket, Option<Outcome>)>,
    queue: Arc<Mutex<Receiver<Task>>>,
    report: Sender<(Ticket, Option<Outcome>)>,
    driver: Arc<dyn Driver>,
    threads: usize,
    most: usize,
    under_way: HashMap<(u32, u64), Order>,
    good_until: Arc<AtomicU64>,
}

impl Crew {
    fn new(driver: Arc<dyn Driver>, most: usize) -> Self {
        let (tasks, queue) = mpsc::channel();
        let (report, ended) = mpsc::channel();
        let queue = Arc::new(Mutex::new(queue));
        Self {
            tasks,
            ended,
            queue,
            report,
            driver,
            threads: 0,
            most,
            under_way: HashMap::new(),
            good_until: Arc::default(),
        }
    }

    fn hand_out(&mut self, task: Task) {
        self.under_way.insert((task.job.ticket.step, task.job.ticket.fence), task.order.clone());
        if self.threads < self.most && self.threads < self.under_way.len() {
            self.threads += 1;
            let (queue, report, driver) =
                (Arc::clone(&self.queue), self.report.clone(), Arc::clone(&self.driver));
            // The threads end with the channel. One that still waits for the world is left behind: what it does is
            // intended, and the next worker looks for it.
            std::thread::spawn(move || {
                loop {
                    let task = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok(Task { job, order, good_until }) = task else { return };
                    let ticket = job.ticket.clone();
                    let outcome = work(&*driver, job, &order, &good_until);
                    if report.send((ticket, outcome)).is_err() {
                        return;
                    }
                }
            });
        }
        let _ = self.tasks.send(task);
    }

    /// Ends what is under way, where that does no harm.
    fn stop(&self) {
        // They end side by side, in whichever order.
        #[expect(clippy::iter_over_hash_type, reason = "each is told on a thread of its own")]
        for order in self.under_way.values() {
            let (driver, order) = (Arc::clone(&self.driver), order.clone());
            std::thread::spawn(move || driver.stop(&order));
        }
    }

    /// The steps that have ended, after waiting for at most so long. A step that a worker gave up is among them without
    /// an outcome.
    fn gather(&mut self, patience: Duration) -> Vec<(Ticket, Option<Outcome>)> {
        let mut all = match self.ended.recv_timeout(patience) {
            Ok(one) => vec![one],
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Vec::new(),
        };
        all.extend(self.ended.try_iter());
        for (ticket, _) in &all {
            self.under_way.remove(&(ticket.step, ticket.fence));
        }
        all
    }
}

/// How often one worker calls for a step whose calls get lost, before it leaves it to a person.
const CALLS: usize = 20;

/// How often to look again for what a lost call may do yet.
const LOOKS: Duration = Duration::from_secs(1);

/// From the intent to the outcome: calls, and looks where there is no answer. None if the worker was paused for so long
/// that somebody else may have the step now.
fn work(driver: &dyn Driver, mut job: Job, order: &Order, good_until: &AtomicU64) -> Option<Outcome> {
    let mut calls = 0;
    let mut asked_since = Instant::now();
    loop {
        job = match job.at {
            At::Ended(outcome) => return Some(limits::storable(outcome, order.does)),
            At::Doubting(_) => {
                std::thread::sleep(driver.settles_within(order));
                let seen = driver.observe(order);
                job.having_seen(seen)
            }
            At::Polling => {
                let progress = driver.poll(order);
                asked_since = Instant::now();
                job.polled(progress)
            }
            At::Asking => {
                let seen = driver.observe(order);
                let within = driver.settles_within(order);
                let is_early = asked_since.elapsed() < within && driver.honours(order) == Tokens::Looked;
                if seen == Observation::Absent && is_early {
                    // A call that nobody knows of may still take effect, and another would do it twice.
                    std::thread::sleep(within.saturating_sub(asked_since.elapsed()).min(LOOKS));
                    continue;
                }
                job.having_seen(seen)
            }
            At::Claimed | At::Intended | At::Calling if calls == CALLS => {
                return Some(Outcome::Unknown { reason: format!("{CALLS} calls got no answer") });
            }
            At::Claimed | At::Intended | At::Calling => {
                if wall() >= good_until.load(Ordering::Acquire) {
                    return None;
                }
                calls += 1;
                match driver.call(order) {
                    Reply::Ended(outcome) => job.with_reply(outcome),
                    Reply::Accepted(accepted) => job.with_reply(Outcome::Accepted(accepted)),
                    Reply::Lost => {
                        asked_since = Instant::now();
                        job.without_reply()
                    }
                    Reply::NotSent(reason) => job.not_sent(reason),
                }
            }
        };
    }
}

impl Runner<'_> {
    /// Runs a deployment until nothing goes on any more.
    ///
    /// # Errors
    /// If the store fails for good.
    pub fn run(&mut self, stored: &mut Stored) -> Result<End, Error> {
        let mut crew = Crew::new(Arc::clone(&self.driver), self.settings.parallel.max(1));
        let lease = self.settings.lease;
        let mut is_cancelled = false;
        let mut is_stopped = false;
        let mut renewed = Instant::now();
        let mut ended = Vec::new();
        loop {
            let cancels = match (self.interrupts)() {
                0 => false,
                1 => !std::mem::replace(&mut is_cancelled, true),
                _ => return Ok(End::Left),
            };
            let renews = renewed.elapsed() > lease / 3 && !crew.under_way.is_empty();
            let good_until = wall() + lease.as_millis() as u64;
            let effects = self.turn(stored, &crew.under_way, &ended, (cancels, renews))?;
            if renews || crew.under_way.is_empty() {
                // Claims that are not renewed now have their own sign of life.
                renewed = Instant::now();
                crew.good_until.store(good_until, Ordering::Release);
            }
            hand_out(stored, &mut crew, &effects);
            if is_cancelled_by_now(&stored.state) && !std::mem::replace(&mut is_stopped, true) {
                crew.stop();
            }
            if stored.state.phase == Phase::Idle {
                return Ok(End::Rests);
            }
            if crew.under_way.is_empty()
                && !self.others_work(stored)
                && let Some(end) = held_up(stored)
            {
                return Ok(end);
            }
            let pause = self.pause(stored, &crew);
            ended = if crew.under_way.is_empty() {
                // Only somebody else, or time, can change anything.
                self.store.wait(pause);
                Vec::new()
            } else {
                crew.gather(pause)
            };
        }
    }

    /// Records what has ended, and claims and intends what comes next, in one transaction. Where the store fails, that
    /// is done again: inputs are refused if the transaction took place.
    fn turn(
        &mut self,
        stored: &mut Stored,
        under_way: &HashMap<(u32, u64), Order>,
        ended: &[(Ticket, Option<Outcome>)],
        (cancels, renews): (bool, bool),
    ) -> Result<Vec<Effect>, Error> {
        let started = Instant::now();
        let mut pause = Duration::from_millis(5);
        loop {
            let now = (self.clock)();
            let mut make = |state: &mut State| {
                let mut turn = Turn { state, effects: Vec::new(), settings: &self.settings, now };
                if cancels {
                    // What cannot be cancelled goes on to its end.
                    turn.put(Input::Cancel { discard: false });
                }
                for (ticket, outcome) in ended {
                    if let (ticket, Some(outcome)) = (ticket.clone(), outcome.clone()) {
                        // What is refused was taken over by somebody else.
                        turn.put(Input::Record { ticket, outcome, now });
                    }
                }
                turn.release(under_way, self.is_gone);
                turn.settle(self.planner);
                turn.claim(under_way.len());
                if renews {
                    turn.renew();
                }
                turn.effects
            };
            match self.store.change(stored, now, &mut make) {
                Ok(effects) => {
                    if effects.iter().any(|effect| matches!(effect, Effect::Event(_))) {
                        (self.watch)(stored);
                    }
                    return Ok(effects);
                }
                Err(Error::Failed(_)) if started.elapsed() <= self.settings.lease * 3 => {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_secs(1));
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn others_work(&self, stored: &Stored) -> bool {
        let state = &stored.state;
        let mut claims = state.claimed().filter_map(|place| state.steps[place as usize].claim.as_ref());
        claims.any(|claim| claim.worker != self.settings.worker)
    }

    /// How long to wait for something to end.
    fn pause(&self, stored: &Stored, crew: &Crew) -> Duration {
        let now = (self.clock)();
        let state = &stored.state;
        let due = state.next_due(now).map(|due| due - now);
        let most = if crew.under_way.is_empty() { 100 } else { 250 };
        Duration::from_millis(due.unwrap_or(most).clamp(1, most))
    }
}

/// The work of a worker on a deployment in one transaction.
struct Turn<'a> {
    state: &'a mut State,
    effects: Vec<Effect>,
    settings: &'a Settings,
    now: Time,
}

impl Turn<'_> {
    /// Puts an input into the core. One that is refused changes nothing.
    fn put(&mut self, input: Input) {
        let (state, effects) = step(std::mem::take(self.state), input);
        *self.state = state;
        self.effects.extend(effects.into_iter().filter(|effect| !matches!(effect, Effect::Refused(_))));
    }

    /// Takes steps from workers that are gone, and from those that have given no sign of life for long enough. A step
    /// that this worker has claimed and does not execute (it was paused, or never learned that its claim was stored) is
    /// free again as well: the worker that claims it next looks for it.
    fn release(&mut self, under_way: &HashMap<(u32, u64), Order>, is_gone: &dyn Fn(&str) -> bool) {
        let deadline = self.settings.deadline.as_millis() as Time;
        let mut gone: BTreeMap<&str, bool> = BTreeMap::new();
        let mut free = Vec::new();
        for place in self.state.claimed() {
            let step = &self.state.steps[place as usize];
            let Some(claim) = &step.claim else { continue };
            let is_free = if claim.worker == self.settings.worker {
                !under_way.contains_key(&(place, step.fence))
            } else {
                claim.until + deadline < self.now
                    || *gone.entry(&claim.worker).or_insert_with(|| is_gone(&claim.worker))
            };
            if is_free {
                free.push(place);
            }
        }
        for step in free {
            self.put(Input::Expire { step });
        }
    }

    fn settle(&mut self, planner: &dyn Planner) {
        loop {
            let before = (self.state.status, self.state.phase);
            let seen = self.effects.len();
            self.put(Input::Settle);
            if self.effects[seen..].contains(&Effect::Plan) {
                let plan = planner.compensate(self.state);
                self.put(Input::Compensate { plan });
            }
            if before == (self.state.status, self.state.phase) {
                return;
            }
        }
    }

    /// Claims what can be claimed, and writes down the intents.
    fn claim(&mut self, under_way: usize) {
        let room = self.settings.parallel.max(1).saturating_sub(under_way);
        let until = self.until();
        let state = &*self.state;
        let is_due = |place: &u32| state.waits_until(&state.steps[*place as usize], self.now).is_none();
        let places: Vec<u32> = state.claimable().filter(is_due).take(room).collect();
        for step in places {
            self.put(Input::Claim { step, worker: self.settings.worker.clone(), now: self.now, until });
            if let Some(Effect::Intend(ticket)) = self.effects.last().cloned() {
                self.put(Input::Intend { ticket });
            }
        }
    }

    fn renew(&mut self) {
        self.put(Input::Renew { worker: self.settings.worker.clone(), until: self.until() });
    }

    fn until(&self) -> Time {
        self.now + self.settings.lease.as_millis() as Time
    }
}

/// Has done what was claimed and intended.
fn hand_out(stored: &Stored, crew: &mut Crew, effects: &[Effect]) {
    // A claim is followed by its intent, in the same transaction.
    let mut claimed: HashMap<Ticket, Job> = HashMap::new();
    for job in effects.iter().filter_map(Job::of) {
        if job.at == At::Claimed {
            claimed.insert(job.ticket.clone(), job);
            continue;
        }
        let job = claimed.remove(&job.ticket).map_or(job, Job::intended);
        let order = order(stored, job.ticket.step);
        let good_until = Arc::clone(&crew.good_until);
        crew.hand_out(Task { job, order, good_until });
    }
}

/// Whether somebody has cancelled what was going on, and what was begun is awaited.
fn is_cancelled_by_now(state: &State) -> bool {
    state.phase == Phase::DrainToUndo && state.steps.iter().all(|step| step.state != StepState::Failed)
}

/// Why nothing can be done, if only a person can do something.
fn held_up(stored: &Stored) -> Option<End> {
    let state = &stored.state;
    if state.claimable().next().is_some() {
        return None;
    }
    let unknown = state.steps.iter().filter(|step| step.state == StepState::Unknown);
    let unknown: Vec<String> = unknown.map(|step| step.planned.node.clone()).collect();
    (!unknown.is_empty()).then_some(End::Unknown(unknown))
}

/// The order that a driver receives for a step.
fn order(stored: &Stored, place: u32) -> Order {
    let step = &stored.state.steps[place as usize];
    let node = stored.state.nodes.get(&step.planned.node);
    Order {
        token: stored.token(&step.token),
        deployment: stored.name.clone(),
        node: step.planned.node.clone(),
        does: step.planned.does,
        operation: step.planned.operation.clone(),
        desired: step.planned.desired.clone(),
        id: node.map(|node| node.id.clone()).unwrap_or_default(),
        handle: step.accepted.as_ref().map(|accepted| accepted.handle.clone()).unwrap_or_default(),
        known: known(&stored.state, &step.planned.node, &step.planned.desired),
    }
}

/// All that is told about a node: what drivers said of the nodes that it may refer to, and of itself.
pub fn known(state: &State, node: &str, desired: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut known = BTreeMap::new();
    let mut tell = |name: &str, outputs: &BTreeMap<String, String>| {
        known.insert(name.to_owned(), outputs.clone());
    };
    if state.nodes.len() <= KNOWN {
        // What the programs of a step can refer to: the outputs of the nodes that this one needs, directly or not, are
        // among those of all nodes.
        state.nodes.iter().for_each(|(name, node)| tell(name, &node.outputs));
        return known;
    }
    // Of more, all use their own, and those of the nodes that their properties refer to.
    let desired: serde_json::Value = serde_json::from_str(desired).unwrap_or_default();
    let refers = desired["refers"].as_object().into_iter().flatten();
    let keys = refers.filter_map(|(_, key)| key.as_str()).chain([node]);
    for (name, node) in keys.filter_map(|key| state.nodes.get_key_value(key)) {
        tell(name, &node.outputs);
    }
    known
}

/// The most nodes whose outputs are told to each other.
const KNOWN: usize = 500;

#[cfg(test)]
mod tests;
