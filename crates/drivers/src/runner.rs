//! Has the steps of a deployment done, side by side, until nothing goes on any more.
//!
//! One thread talks to the store; others wait for drivers. What the store has is always as new as what was done in the
//! world, or older: a process that ends anywhere loses nothing but time.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use locus_engine::{At, Effect, Input, Job, Outcome, Phase, Planned, State, StepState, Ticket, Time, step};
use locus_store::{Error, Store, Stored};

use crate::{Driver, Order, Reply};

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
    /// Somebody wanted to go, and another process is to go on with it.
    Left,
}

/// Runs a deployment.
pub struct Runner<'a> {
    /// Where it is kept.
    pub store: &'a dyn Store,
    /// What does its steps.
    pub driver: Arc<dyn Driver>,
    /// How it is done.
    pub settings: Settings,
    /// Who plans what is undone.
    pub planner: &'a dyn Planner,
    /// Whether a worker is known to be gone. Only the certain answer is yes.
    pub is_gone: &'a dyn Fn(&str) -> bool,
    /// The time, in milliseconds since 1970.
    pub clock: &'a dyn Fn() -> Time,
    /// Who is told that something was stored.
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
    under_way: HashSet<(u32, u64)>,
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
            under_way: HashSet::new(),
            good_until: Arc::default(),
        }
    }

    fn hand_out(&mut self, task: Task) {
        self.under_way.insert((task.job.ticket.step, task.job.ticket.fence));
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

    /// What has ended, after waiting for at most so long. What a worker gave up is among it without an outcome.
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

/// From the intent to the outcome: calls, and looks where there is no answer. None if the worker was paused for so long
/// that somebody else may have the step now.
fn work(driver: &dyn Driver, mut job: Job, order: &Order, good_until: &AtomicU64) -> Option<Outcome> {
    let mut calls = 0;
    loop {
        job = match job.at {
            At::Ended(outcome) => return Some(outcome),
            At::Doubting(_) => {
                std::thread::sleep(driver.settles_within());
                let seen = driver.observe(order);
                job.having_seen(seen)
            }
            At::Asking => {
                let seen = driver.observe(order);
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
                    Reply::Lost => job.without_reply(),
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
        let mut is_cancelled = false;
        let mut renewed = Instant::now();
        loop {
            match (self.interrupts)() {
                0 => {}
                1 if is_cancelled => {}
                1 => {
                    is_cancelled = true;
                    // What cannot be cancelled goes on to its end.
                    self.commit(stored, &[Input::Cancel { discard: false }])?;
                }
                _ => return Ok(End::Left),
            }
            self.settle(stored)?;
            if stored.state.phase == Phase::Idle {
                return Ok(End::Rests);
            }
            self.release(stored)?;
            self.claim(stored, &mut crew)?;
            if crew.under_way.is_empty()
                && !self.others_work(stored)
                && let Some(end) = held_up(stored)
            {
                return Ok(end);
            }
            let pause = self.pause(stored, &crew);
            let ended = if crew.under_way.is_empty() {
                // Only somebody else, or time, can change anything.
                self.store.wait(pause);
                Vec::new()
            } else {
                crew.gather(pause)
            };
            self.record(stored, &mut crew, ended)?;
            if renewed.elapsed() > self.settings.lease / 3 && !crew.under_way.is_empty() {
                renewed = Instant::now();
                let until = (self.clock)() + self.settings.lease.as_millis() as Time;
                let good_until = wall() + self.settings.lease.as_millis() as u64;
                self.commit(stored, &[Input::Renew { worker: self.settings.worker.clone(), until }])?;
                crew.good_until.store(good_until, Ordering::Release);
            }
        }
    }

    /// Puts inputs into the core and keeps what comes of them, all or nothing. Those that are refused change nothing.
    /// Where somebody else was faster, it is done again on the new state.
    fn commit(&mut self, stored: &mut Stored, inputs: &[Input]) -> Result<Vec<Effect>, Error> {
        let started = Instant::now();
        let mut pause = Duration::from_millis(5);
        loop {
            let mut effects = Vec::new();
            for input in inputs {
                let (state, follows) = step(std::mem::take(&mut stored.state), input.clone());
                stored.state = state;
                effects.extend(follows);
            }
            if !effects.iter().any(|effect| matches!(effect, Effect::Store(_) | Effect::Event(_))) {
                return Ok(effects);
            }
            match self.store.commit(stored, &effects, (self.clock)()) {
                Ok(()) => {
                    (self.watch)(stored);
                    return Ok(effects);
                }
                Err(Error::Conflict) => self.reload(stored)?,
                Err(error @ Error::Failed(_)) => {
                    // It may have taken place or not: the inputs are refused if it has.
                    if started.elapsed() > self.settings.lease * 3 {
                        return Err(error);
                    }
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_secs(1));
                    while let Err(error) = self.reload(stored) {
                        if started.elapsed() > self.settings.lease * 3 {
                            return Err(error);
                        }
                        std::thread::sleep(pause);
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn reload(&self, stored: &mut Stored) -> Result<(), Error> {
        let patience = stored.state.patience;
        *stored = self.store.load(&stored.name)?.ok_or(Error::NotThere)?;
        stored.state.patience = patience;
        Ok(())
    }

    fn settle(&mut self, stored: &mut Stored) -> Result<(), Error> {
        loop {
            let before = (stored.state.status, stored.state.phase);
            let effects = self.commit(stored, &[Input::Settle])?;
            if effects.contains(&Effect::Plan) {
                let plan = self.planner.compensate(&stored.state);
                self.commit(stored, &[Input::Compensate { plan }])?;
            }
            if before == (stored.state.status, stored.state.phase) {
                return Ok(());
            }
        }
    }

    /// Takes steps from workers that are gone, and from those that have given no sign of life for long enough.
    fn release(&mut self, stored: &mut Stored) -> Result<(), Error> {
        let now = (self.clock)();
        let deadline = self.settings.deadline.as_millis() as Time;
        let mut inputs = Vec::new();
        for (place, step) in stored.state.steps.iter().enumerate() {
            let Some(claim) = &step.claim else { continue };
            let is_ours = claim.worker == self.settings.worker;
            if !is_ours && (claim.until + deadline < now || (self.is_gone)(&claim.worker)) {
                inputs.push(Input::Expire { step: place as u32 });
            }
        }
        if !inputs.is_empty() {
            self.commit(stored, &inputs)?;
        }
        Ok(())
    }

    /// Claims what can be claimed and writes down the intents, in one transaction, and hands it out.
    fn claim(&mut self, stored: &mut Stored, crew: &mut Crew) -> Result<(), Error> {
        let now = (self.clock)();
        let room = self.settings.parallel.saturating_sub(crew.under_way.len());
        if room == 0 {
            return Ok(());
        }
        let until = now + self.settings.lease.as_millis() as Time;
        let state = &stored.state;
        let ready = state.steps.iter().enumerate();
        let ready = ready.filter(|(_, step)| step.due <= now && state.is_claimable(step)).take(room);
        let places: Vec<u32> = ready.map(|(place, _)| place as u32).collect();
        if places.is_empty() {
            return Ok(());
        }
        let mut inputs = Vec::new();
        for &place in &places {
            let step = &state.steps[place as usize];
            inputs.push(Input::Claim { step: place, worker: self.settings.worker.clone(), now, until });
            let fence = state.nodes.get(&step.planned.node).map_or(0, |node| node.fence) + 1;
            let ticket = Ticket { step: place, token: step.token.clone(), fence };
            // It is refused where the step is claimed to be looked up.
            inputs.push(Input::Intend { ticket });
        }
        let good_until = wall() + self.settings.lease.as_millis() as u64;
        let effects = self.commit(stored, &inputs)?;
        if crew.under_way.is_empty() {
            // What was claimed earlier has its own sign of life.
            crew.good_until.store(good_until, Ordering::Release);
        }
        let mut jobs: BTreeMap<u32, Job> = BTreeMap::new();
        for job in effects.iter().filter_map(Job::of) {
            // A claim is followed by its intent.
            jobs.insert(job.ticket.step, job);
        }
        for (place, job) in jobs {
            let is_intended = stored.state.steps[place as usize].state == StepState::Open;
            let is_ours = stored.state.steps[place as usize].fence == job.ticket.fence;
            if is_intended && is_ours {
                let order = order(stored, place);
                let good_until = Arc::clone(&crew.good_until);
                crew.hand_out(Task { job, order, good_until });
            }
        }
        Ok(())
    }

    fn record(
        &mut self,
        stored: &mut Stored,
        crew: &mut Crew,
        ended: Vec<(Ticket, Option<Outcome>)>,
    ) -> Result<(), Error> {
        if ended.is_empty() {
            if crew.under_way.is_empty() {
                // Somebody else may have gone on with it.
                self.reload(stored)?;
            }
            return Ok(());
        }
        let now = (self.clock)();
        let steps = &stored.state.steps;
        let record = |(ticket, outcome): (Ticket, Option<Outcome>)| {
            if let Some(outcome) = outcome {
                return Some(Input::Record { ticket, outcome, now });
            }
            // It is claimed again by whoever is next, and looked up.
            let is_ours = steps.get(ticket.step as usize).is_some_and(|step| step.fence == ticket.fence);
            is_ours.then_some(Input::Expire { step: ticket.step })
        };
        let inputs: Vec<Input> = ended.into_iter().filter_map(record).collect();
        // What is refused was taken over by somebody else.
        self.commit(stored, &inputs)?;
        Ok(())
    }

    fn others_work(&self, stored: &Stored) -> bool {
        let claims = stored.state.steps.iter().filter_map(|step| step.claim.as_ref());
        claims.into_iter().any(|claim| claim.worker != self.settings.worker)
    }

    /// How long to wait for something to end.
    fn pause(&self, stored: &Stored, crew: &Crew) -> Duration {
        let now = (self.clock)();
        let state = &stored.state;
        let due = state.steps.iter().filter(|step| step.due > now && state.is_claimable(step));
        let due = due.map(|step| step.due - now).min();
        let most = if crew.under_way.is_empty() { 100 } else { 250 };
        Duration::from_millis(due.unwrap_or(most).clamp(1, most))
    }
}

/// Why nothing can be done, if only a person can do something.
fn held_up(stored: &Stored) -> Option<End> {
    let state = &stored.state;
    if state.steps.iter().any(|step| state.is_claimable(step)) {
        return None;
    }
    let unknown = state.steps.iter().filter(|step| step.state == StepState::Unknown);
    let unknown: Vec<String> = unknown.map(|step| step.planned.node.clone()).collect();
    (!unknown.is_empty()).then_some(End::Unknown(unknown))
}

/// What a driver is told about a step.
fn order(stored: &Stored, place: u32) -> Order {
    let step = &stored.state.steps[place as usize];
    let node = stored.state.nodes.get(&step.planned.node);
    let mut known = BTreeMap::new();
    // What the programs of a step can refer to: the outputs of the nodes that this one needs, directly or not, are
    // among those of all nodes. Deployments whose steps use those of others are small; all use their own.
    let is_small = stored.state.nodes.len() <= KNOWN;
    let nodes = stored.state.nodes.iter().filter(|(name, _)| is_small || **name == step.planned.node);
    for (name, node) in nodes {
        for (key, value) in &node.outputs {
            known.insert(format!("{name}.{key}"), value.clone());
        }
    }
    Order {
        token: format!("{}/{}/{}", stored.name, stored.incarnation, step.token),
        deployment: stored.name.clone(),
        node: step.planned.node.clone(),
        does: step.planned.does,
        operation: step.planned.operation.clone(),
        desired: step.planned.desired.clone(),
        id: node.map(|node| node.id.clone()).unwrap_or_default(),
        known,
    }
}

/// The most nodes whose outputs are told to each other.
const KNOWN: usize = 500;
