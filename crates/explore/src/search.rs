//! Breadth-first search.
//!
//! Level by level: the states of a level are cut into chunks, workers take chunks, and the new states they find make
//! up the next level (see [`crate::frontier`]). One worker leads, and goes alone through levels that are not worth
//! sharing; the others wait at a [`Gate`]. The level boundary is what makes results independent of timing: a search
//! that has found a violation finishes the level, then takes the least violation in a fixed order (length of the
//! trace, kind, property, fingerprints), and of the predecessors of a state in the level before, the one with the
//! least fingerprint is kept.
//!
//! States live only in the frontier; of those behind it, only the fingerprint and the predecessor are kept. What does
//! not fit into memory goes to disk, if there is one (see [`spill`]).

mod held;
mod initial;
mod limits;
mod live;
mod outcome;
mod saving;
mod spill;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::disk::files::Files;
use crate::fingerprint_set::{Exhausted, FingerprintSet, Inserter, Kept, NO_NODE, Node, Seen};
use crate::frontier::{Body, CHUNK, Chunk, Frontier, Waiting};
use crate::gate::Gate;
use crate::limits::Reason;
use crate::model::{Explorable, Figures, Model, Reduction};
use crate::options::Options;
use crate::recorder::Recorder;
use crate::report::{ActionCoverage, ProductSize, Report, TraceStep, Verdict, Violation, ViolationKind};
use crate::sync::{Apart, lock};
use held::Held;
use initial::Initial;
use live::Recorded;
use spill::{Spill, Tail};

/// Explores every reachable state of `model`.
pub fn explore<M: Explorable>(model: &M, options: &Options<'_>) -> Report<M> {
    let files = spill::files(options);
    // A search that begins anew writes over the files of one that was saved there.
    if let (Some(files), None) = (&files, options.disk.and_then(|disk| disk.saved)) {
        files.begin();
    }
    let report = explore_with(model, options, files.as_ref());
    // What was saved stays only where there is something left to be done.
    if let (Some(files), Verdict::Holds | Verdict::Violated) = (&files, report.verdict) {
        files.finish();
    }
    report
}

fn explore_with<'a, M: Explorable>(
    model: &'a M,
    options: &'a Options<'a>,
    files: Option<&'a Files<'a>>,
) -> Report<M> {
    let mut search = Search::new(model, options, files);
    let mut leader = search.hand(0);
    let mut others = Vec::new();
    if options.temporal.is_some()
        && model.reduction() != Reduction::None
        && !options.temporal_despite_reduction
    {
        search.halt(Some(Reason::Reduction));
    } else {
        others = search.run(&mut leader);
        search.conclude(&mut leader);
        search.check_temporal(&mut leader);
    }
    search.report(leader, others)
}

/// A level that should take one worker less than this is not shared out: starting threads would take longer.
const WORTH_SHARING: Duration = Duration::from_micros(150);
/// A worker looks at clock and limits after this many steps, if a chunk takes that long.
const STEPS_BETWEEN_CHECKS: u32 = 4096;
/// And after so many states, if there are several workers: what they count together goes from one to the other each
/// time.
const STATES_BETWEEN_CHECKS: u64 = 256;

/// The data that the workers share.
struct Search<'a, M: Model> {
    model: &'a M,
    options: &'a Options<'a>,
    start: Instant,
    set: FingerprintSet,
    initial: Initial<M::State>,
    frontier: Frontier<'a, M::State>,
    spill: Option<Spill<'a>>,
    recorded: Recorded<'a>,
    keep_least_parent: bool,
    wants_figures: bool,
    is_held_back: bool,
    /// Whether there is a state constraint, and states with the same fingerprint are the same to it.
    is_constrained: bool,
    /// Set when workers must stop now; `reason` says why, if it is a limit. The model may see it too.
    halted: Arc<AtomicBool>,
    reason: AtomicU8,
    counts: Apart<Counts>,
    coverage: Mutex<Vec<ActionCoverage>>,
    /// The sizes of the levels.
    sizes: Mutex<Vec<u64>>,
    last_progress: Mutex<Instant>,
    found: Mutex<Vec<Candidate<M>>>,
    course: Course,
    temporal: Mutex<Vec<Violation<M>>>,
    product: ProductSize,
}

/// The counts that workers keep together.
#[derive(Default)]
struct Counts {
    generated: AtomicU64,
    distinct: AtomicU64,
    queue: AtomicU64,
    /// How many of them turned out to be known.
    repeated: AtomicU64,
    outside: AtomicU64,
    /// The time that they spent on the level that is being explored, together, in nanoseconds.
    worked: AtomicU64,
    frontier_bytes: AtomicUsize,
    graph_bytes: AtomicUsize,
    peak_bytes: AtomicUsize,
}

/// How the search went.
#[derive(Default)]
struct Course {
    /// The number of initial states.
    initial: u64,
    depth: u32,
    /// The states of the level that is being explored.
    states: usize,
    /// The first nodes of the levels.
    levels: Vec<Node>,
}

/// The level that is being explored.
#[derive(Clone, Copy, Default)]
struct Level {
    /// How many states a shortest path to one of its states has.
    depth: u32,
    /// The first node of the level that is being found.
    next: Node,
}

/// A task that workers do together.
#[derive(Clone, Copy)]
enum Task {
    /// Look at initial states that the leader finds.
    Initial,
    /// Find initial states, as the leader does.
    DividedInitial,
    Level(Level),
}

/// The workers as the leader sees them.
struct Team<'a> {
    /// How many there are, the leader included.
    workers: usize,
    gate: &'a Gate<Task>,
    /// Has the others do a task.
    open: &'a mut dyn FnMut(Task),
}

/// The data of one worker, in lines of the cache that hold nothing else.
#[repr(align(128))]
struct Hand<'a, M: Model> {
    worker: M::Worker,
    tally: Tally<'a, M>,
    held: Held<M>,
}

/// The part of a [`Hand`] that changes while the model is at work.
struct Tally<'a, M: Model> {
    /// The number of the worker.
    number: usize,
    level: Level,
    /// While it works, if there is something to record.
    recorder: Option<Recorder<'a>>,
    next: Vec<Chunk<'a, M::State>>,
    /// Where it writes states that do not fit into memory.
    tail: Option<Tail<'a>>,
    /// The fingerprint of the state that is being checked, if it may turn out to be known.
    about: Option<u64>,
    next_bytes: usize,
    generated: u64,
    distinct: u64,
    outside: u64,
    coverage: Vec<ActionCoverage>,
    violated: Vec<usize>,
    found: Vec<Candidate<M>>,
    until_check: u32,
    /// States that were explored since limits were looked at, and those that were not yet told of, with their bytes.
    unchecked: u64,
    explored: u64,
    explored_bytes: usize,
    /// States of the present chunk whose exploration has begun.
    begun: u64,
}

/// A violation before its trace is made: the path to `node`, then `last`.
struct Candidate<M: Model> {
    kind: ViolationKind<M::Error>,
    node: Node,
    /// The fingerprint of the node.
    fingerprint: u64,
    /// The fingerprint of the state that it is about: if that turns out to be known, this is nothing new.
    about: Option<u64>,
    last: Option<TraceStep<M>>,
    /// The fingerprint of that, if it may be found again.
    again: Option<u64>,
    order: Order,
}

/// The state whose successors are looked at.
struct Origin<'s, M: Model> {
    node: Node,
    /// The link to it.
    link: u64,
    state: &'s M::State,
}

/// A step from there.
struct Meeting<'s, M: Model> {
    action: &'s M::Action,
    state: &'s M::State,
    /// The result of looking up in advance whether the state is known.
    seen: Seen,
}

impl<M: Model> Clone for Meeting<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Model> Copy for Meeting<'_, M> {}

impl<M: Model> Clone for Origin<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Model> Copy for Origin<'_, M> {}

/// The fixed order of violations: length of the trace, kind, property, fingerprints of the end.
type Order = (u32, u8, usize, u64, u64);

impl<'a, M: Explorable> Search<'a, M> {
    fn new(model: &'a M, options: &'a Options<'a>, files: Option<&'a Files<'a>>) -> Self {
        let start = Instant::now();
        let bytes = files.and_then(|_| spill::bytes(options));
        Search {
            model,
            options,
            start,
            set: FingerprintSet::new(
                options.workers.max(1),
                options.limits.bytes.unwrap_or(usize::MAX),
                spill::room(options, bytes),
            ),
            initial: Initial::default(),
            frontier: Frontier::new(options.workers.max(1)),
            spill: files.and_then(|files| Spill::new(model, options, files, bytes)),
            recorded: Recorded::new(options),
            keep_least_parent: model.reduction() != Reduction::View,
            wants_figures: model.wants_figures(),
            is_held_back: model.is_held_back() && !model.wants_figures(),
            is_constrained: model.is_constrained() && model.reduction() == Reduction::None,
            halted: Arc::default(),
            reason: AtomicU8::new(0),
            counts: Apart::default(),
            coverage: Mutex::new(vec![ActionCoverage::default(); model.action_kinds()]),
            sizes: Mutex::default(),
            last_progress: Mutex::new(start),
            found: Mutex::new(Vec::new()),
            course: Course::default(),
            temporal: Mutex::new(Vec::new()),
            product: ProductSize::default(),
        }
    }

    /// Explores the states. Gives what is left of the other workers.
    fn run(&mut self, leader: &mut Hand<'a, M>) -> Vec<Tally<'a, M>> {
        let gate = Gate::new();
        let tallies = Mutex::new(Vec::new());
        let (shared, gate) = (&*self, &gate);
        let workers = shared.workers();
        let mut others = 1..workers;
        let follow = |number| {
            // Made by the thread that uses it, so that its memory is not in lines of the cache that are also another
            // worker's.
            let make = || shared.hand(number);
            let mut hand = None;
            gate.follow(|task| shared.follow(hand.get_or_insert_with(make), task));
            lock(&tallies).extend(hand.map(|hand| hand.tally));
        };
        let follow = &follow;
        self.course = std::thread::scope(|scope| {
            let _closing = gate.closing();
            let mut open = |task| {
                gate.open(task, workers - 1);
                // They are not called before there is something to do.
                for number in others.by_ref() {
                    scope.spawn(move || follow(number));
                }
            };
            shared.lead(leader, &mut Team { workers, gate, open: &mut open })
        });
        let mut tallies = tallies.into_inner().unwrap_or_else(PoisonError::into_inner);
        tallies.sort_by_key(|tally| tally.number);
        tallies
    }

    /// Makes a worker.
    fn hand(&self, number: usize) -> Hand<'a, M> {
        let mut hand = Hand::new(self.model, number);
        self.model.watch(&mut hand.worker, &self.halted);
        hand
    }

    fn workers(&self) -> usize {
        self.options.workers.max(1)
    }

    /// Goes from level to level.
    fn lead(&self, hand: &mut Hand<'a, M>, team: &mut Team<'_>) -> Course {
        let mut course = if let Some(course) = self.go_on() {
            course
        } else {
            if !self.find_initial(hand, team) {
                return Course::default();
            }
            let mut course = Course { initial: self.distinct(), levels: vec![0], ..Course::default() };
            self.end_level(&mut course);
            course
        };
        // The first level is a guess; each one after is taken to cost what the one before did: the time that workers
        // were at it, without what it took them to meet. Otherwise a level that was shared for no good would have the
        // next one shared as well.
        let mut seconds_per_state = 5e-6;
        while !self.is_over(&course) {
            let level = Level { depth: course.depth, next: self.set.end() };
            course.levels.push(level.next);
            self.set.expect(course.states / team.workers);
            let seconds = seconds_per_state * course.states as f64;
            // One state is for one worker.
            let is_shared = team.workers.min(course.states) > 1 && seconds > WORTH_SHARING.as_secs_f64();
            if !self.explore_level(hand, team, (level, is_shared), &course) {
                break;
            }
            let worked = Duration::from_nanos(self.counts.worked.swap(0, Ordering::Relaxed));
            seconds_per_state = worked.as_secs_f64() / course.states.max(1) as f64;
            self.end_level(&mut course);
        }
        course
    }

    /// Explores a level, with pauses to make room in memory. False if a worker was lost.
    fn explore_level(
        &self,
        hand: &mut Hand<'a, M>,
        team: &mut Team<'_>,
        (mut level, is_shared): (Level, bool),
        course: &Course,
    ) -> bool {
        loop {
            if is_shared {
                (team.open)(Task::Level(level));
            }
            self.work(hand, level);
            if is_shared && !team.gate.wait() {
                return false;
            }
            if !self.is_pausing() || self.halted.load(Ordering::Relaxed) {
                return true;
            }
            if self.make_room(course) {
                level.next = 0;
            }
        }
    }

    /// A follower's part of a task.
    fn follow(&self, hand: &mut Hand<'a, M>, task: Task) {
        match task {
            Task::Initial => self.look_at_initial(hand),
            Task::DividedInitial => self.find_share(hand),
            Task::Level(level) => self.work(hand, level),
        }
    }

    /// Whether to stop at a level's end.
    fn is_over(&self, course: &Course) -> bool {
        let enough = self.options.violations.max(1);
        if self.halted.load(Ordering::Relaxed) || lock(&self.found).len() >= enough {
            return true;
        }
        if course.states == 0 {
            return true;
        }
        if self.options.limits.depth.is_some_and(|limit| course.depth >= limit) {
            self.halt(Some(Reason::Depth));
            return true;
        }
        false
    }

    /// Makes what the workers found the next level.
    fn end_level(&self, course: &mut Course) {
        let repeats = self.settle_level();
        course.states = self.frontier.advance() - repeats as usize;
        if course.states > 0 {
            course.depth += 1;
            lock(&self.sizes).push(course.states as u64);
        }
        let mut found = lock(&self.found);
        found.sort_by_key(|candidate| candidate.order);
        found.truncate(self.options.violations.max(1));
        drop(found);
        self.check_bytes();
        self.check_states();
    }

    /// Hands in what a worker found on a level.
    fn hand_in(&self, tally: &mut Tally<'a, M>) {
        self.frontier.add(tally.number, &mut tally.next);
        lock(&self.found).append(&mut tally.found);
        self.counts.outside.fetch_add(std::mem::take(&mut tally.outside), Ordering::Relaxed);
        for (sum, part) in lock(&self.coverage).iter_mut().zip(&mut tally.coverage) {
            // What is taken back was handed in before.
            sum.generated = sum.generated.wrapping_add(std::mem::take(&mut part.generated));
            sum.distinct = sum.distinct.wrapping_add(std::mem::take(&mut part.distinct));
        }
        self.publish(tally);
    }

    /// One worker's part of a level.
    fn work(&self, hand: &mut Hand<'a, M>, level: Level) {
        if hand.tally.level.depth != level.depth {
            hand.tally.tail = None;
        }
        hand.tally.level = level;
        self.take_recorder(&mut hand.tally);
        let mut inserter = self.set.inserter();
        let repeats = self.repeats();
        let begin = Instant::now();
        while !self.halted.load(Ordering::Relaxed) && !self.is_pausing() {
            let number = hand.tally.number;
            let Some((Chunk { epoch, body }, is_foreign)) = self.frontier.take(number) else { break };
            let (states, is_loaded) = self.states(&mut hand.worker, body);
            let mut states = states.into_iter();
            let mut done = 0;
            let mut bytes = 0;
            while !self.halted.load(Ordering::Relaxed) && !self.is_pausing() {
                let Some(waiting) = states.next() else { break };
                hand.tally.begun = done + 1;
                let freed = waiting.bytes();
                let is_foreign = is_foreign && !is_loaded;
                let is_new = self.explore_state(hand, &mut inserter, (waiting, is_foreign), |fingerprint| {
                    repeats.as_ref().is_some_and(|repeats| repeats.contains(&(epoch, fingerprint)))
                });
                if self.halted.load(Ordering::Relaxed) {
                    break;
                }
                done += u64::from(is_new);
                bytes += freed;
            }
            if states.len() > 0 {
                let body = Body::Here(states.collect());
                self.frontier.put_back(number, Chunk { epoch, body });
            }
            hand.tally.explored += done;
            hand.tally.explored_bytes += bytes;
            hand.tally.begun = 0;
            hand.tally.unchecked += done;
            if self.workers() == 1 || hand.tally.unchecked >= STATES_BETWEEN_CHECKS {
                self.check_limits(&mut hand.tally);
            }
        }
        self.meet_all(hand, &mut inserter);
        let worked = u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.counts.worked.fetch_add(worked, Ordering::Relaxed);
        self.hand_in(&mut hand.tally);
        self.put_recorder(&mut hand.tally);
    }

    /// Explores a state. False if it was only taken for new.
    fn explore_state(
        &self,
        hand: &mut Hand<'a, M>,
        inserter: &mut Inserter<'_>,
        (waiting, is_foreign): (Waiting<M::State>, bool),
        is_repeat: impl FnOnce(u64) -> bool,
    ) -> bool {
        let mut node = waiting.node;
        if self.is_spilled() {
            let fingerprint = match self.model.fingerprint(&mut hand.worker, &waiting.state) {
                Ok(fingerprint) => fingerprint,
                Err(error) => {
                    let depth = hand.tally.level.depth;
                    self.fail(&mut hand.tally, error, NO_NODE, None, depth);
                    return true;
                }
            };
            if is_repeat(fingerprint) {
                hand.tally.pass_over(&waiting);
                return false;
            }
            match self.node_again(inserter, fingerprint) {
                Ok(known) => node = known,
                Err(exhausted) => {
                    self.exhaust(exhausted);
                    return true;
                }
            }
        }
        let Waiting { state, .. } = waiting;
        let state = if is_foreign { self.model.adopt(&mut hand.worker, state) } else { state };
        self.expand(hand, inserter, node, state);
        true
    }

    /// Whether a successor is within the constraints, its fingerprint, and its node if that was looked for and is
    /// there.
    #[inline]
    fn look<'k>(
        &self,
        worker: &mut M::Worker,
        inserter: &mut Inserter<'k>,
        from: &M::State,
        Meeting { action, state, seen }: Meeting<'_, M>,
    ) -> Result<(bool, u64, Option<Kept<'k>>), M::Error> {
        let fingerprint = self.model.fingerprint(worker, state)?;
        let mut there = inserter.seen(seen, fingerprint);
        if !self.is_constrained {
            let within = self.model.is_within(worker, state)?
                && self.model.is_step_within(worker, from, action, state)?;
            return Ok((within, fingerprint, there));
        }
        // A state that is there was within the constraint when it was found.
        there = there.or_else(|| inserter.find(fingerprint));
        let within = (there.is_some() || self.model.is_within(worker, state)?)
            && self.model.is_step_within(worker, from, action, state)?;
        Ok((within, fingerprint, there))
    }

    /// Counts a step and looks at it.
    fn meet(
        &self,
        worker: &mut M::Worker,
        tally: &mut Tally<'a, M>,
        inserter: &mut Inserter<'_>,
        from: Origin<'_, M>,
        to: Meeting<'_, M>,
    ) {
        tally.generated += 1;
        self.tell_figures(worker, tally, 0);
        if let Some(coverage) = tally.coverage.get_mut(self.model.action_kind(to.action)) {
            coverage.generated += 1;
        }
        if let Err(error) = self.step(worker, tally, inserter, from, to) {
            let length = tally.level.depth + 1;
            self.fail(tally, error, from.node, Some((Some(to.action), to.state)), length);
        }
    }

    /// Looks at one successor: constraints, whether it is new, invariants if so, properties of the step.
    fn step(
        &self,
        worker: &mut M::Worker,
        tally: &mut Tally<'a, M>,
        inserter: &mut Inserter<'_>,
        Origin { node: from, link, state }: Origin<'_, M>,
        to: Meeting<'_, M>,
    ) -> Result<(), M::Error> {
        let (within, fingerprint, there) = self.look(worker, inserter, state, to)?;
        let Meeting { action, state: next, .. } = to;
        let mut known = None;
        let mut new = true;
        if within {
            let inserted = match there {
                Some(kept) => Ok((kept, false)),
                None => inserter.insert(fingerprint, link),
            };
            let (kept, inserted) = match inserted {
                Ok(result) => result,
                Err(exhausted) => {
                    self.exhaust(exhausted);
                    return Ok(());
                }
            };
            new = inserted;
            let node = kept.node;
            known = Some(node);
            if new {
                let kind = self.model.action_kind(action);
                self.keep(tally, node, next, kind);
                if let Some(coverage) = tally.coverage.get_mut(kind) {
                    coverage.distinct = coverage.distinct.wrapping_add(1);
                }
            } else if self.keep_least_parent && node >= tally.level.next {
                kept.offer(link);
            }
        }
        tally.outside += u64::from(!within);
        if new {
            self.tell_figures(worker, tally, u64::from(within));
            tally.about = (within && self.is_spilled()).then_some(fingerprint);
            self.model.check_state(worker, next, &mut tally.violated)?;
            for property in std::mem::take(&mut tally.violated) {
                let kind = ViolationKind::Invariant(property);
                let length = tally.level.depth + 1;
                // The predecessor of a state within is settled only when the level is done, unless the search ends at
                // once.
                if let Some(node) = known.filter(|_| !self.options.at_once) {
                    self.violate(tally, kind, node, None, (length, 1, property, fingerprint, 0));
                } else {
                    let order = (length, 1, property, fingerprint, self.set.fingerprint(from));
                    self.violate(tally, kind, from, Some((Some(action), next)), order);
                    if let Some(candidate) = tally.found.last_mut().filter(|_| known.is_some()) {
                        candidate.again = Some(fingerprint);
                    }
                }
            }
        }
        tally.about = None;
        self.model.check_step(worker, state, action, next, &mut tally.violated)?;
        for property in std::mem::take(&mut tally.violated) {
            let order = (tally.level.depth + 1, 2, property, fingerprint, self.set.fingerprint(from));
            self.violate(tally, ViolationKind::Step(property), from, Some((Some(action), next)), order);
        }
        if let Some(recorder) = &mut tally.recorder {
            recorder.step(self.model, worker, state, action, (next, known))?;
        }
        Ok(())
    }

    /// Puts a new state into the next level, found by an action of this kind.
    fn keep(&self, tally: &mut Tally<'a, M>, node: Node, state: &M::State, kind: usize) {
        tally.distinct += 1;
        let bytes = size_of::<Waiting<M::State>>() + self.model.heap_bytes(state);
        let waiting = Waiting::new(node, bytes, kind, state.clone());
        tally.next_bytes += waiting.bytes();
        let epoch = self.epoch();
        match tally.next.last_mut() {
            Some(Chunk { epoch: same, body: Body::Here(states) })
                if *same == epoch && states.len() < CHUNK =>
            {
                states.push(waiting);
            }
            _ => {
                if self.is_queue_full(tally) {
                    self.store_last(tally);
                }
                let mut states = Vec::with_capacity(16);
                states.push(waiting);
                tally.next.push(Chunk { epoch, body: Body::Here(states) });
            }
        }
    }

    /// Tells the model how far the search is, if it wants to know. Of the states found, the last `looked_at` are still
    /// being looked at.
    #[inline]
    fn tell_figures(&self, worker: &mut M::Worker, tally: &Tally<'a, M>, looked_at: u64) {
        if self.wants_figures {
            self.count_figures(worker, tally, looked_at);
        }
    }

    #[cold]
    fn count_figures(&self, worker: &mut M::Worker, tally: &Tally<'a, M>, looked_at: u64) {
        let queue = self.counts.queue.load(Ordering::Relaxed) + tally.distinct;
        let figures = Figures {
            generated: self.counts.generated.load(Ordering::Relaxed) + tally.generated,
            distinct: self.distinct() + tally.distinct,
            queue: queue.saturating_sub(tally.explored + tally.begun + looked_at),
            depth: tally.level.depth + u32::from(self.set.end() > tally.level.next),
        };
        if self.model.figures(worker, &figures).is_break() {
            self.halt(Some(Reason::Stopped));
        }
    }

    fn exhaust(&self, exhausted: Exhausted) {
        self.halt(Some(match exhausted {
            Exhausted::Memory => Reason::Memory,
            Exhausted::Numbers => Reason::Numbers,
        }));
    }

    fn halt(&self, reason: Option<Reason>) {
        if let Some(reason) = reason {
            let code = REASONS.iter().position(|&other| other == reason).map_or(0, |index| index + 1);
            // The first reason stays.
            let _ = self.reason.compare_exchange(0, code as u8, Ordering::Relaxed, Ordering::Relaxed);
        }
        // Who sees that the search has ended knows the reason too.
        self.halted.store(true, Ordering::Release);
    }

    fn reason(&self) -> Option<Reason> {
        (self.reason.load(Ordering::Relaxed) as usize).checked_sub(1).map(|index| REASONS[index])
    }

    /// Whether the model should go on producing states.
    fn flow(&self, tally: &mut Tally<'a, M>) -> ControlFlow<()> {
        tally.until_check -= 1;
        if tally.until_check == 0 {
            self.check_limits(tally);
        }
        if self.halted.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn get_mut<T>(mutex: &mut Mutex<T>) -> &mut T {
    mutex.get_mut().unwrap_or_else(PoisonError::into_inner)
}

const REASONS: [Reason; 9] = [
    Reason::States,
    Reason::Depth,
    Reason::Memory,
    Reason::Time,
    Reason::Stopped,
    Reason::Numbers,
    Reason::Reduction,
    Reason::Product,
    Reason::Disk,
];

impl<M: Explorable> Tally<'_, M> {
    /// Passes over a state that was counted as new and is not.
    fn pass_over(&mut self, waiting: &Waiting<M::State>) {
        if let Some(coverage) = self.coverage.get_mut(usize::from(waiting.kind)) {
            coverage.distinct = coverage.distinct.wrapping_sub(1);
        }
    }
}

impl<M: Explorable> Hand<'_, M> {
    fn new(model: &M, number: usize) -> Self {
        Hand {
            worker: model.worker(),
            tally: Tally {
                number,
                level: Level::default(),
                recorder: None,
                next: Vec::new(),
                tail: None,
                about: None,
                next_bytes: 0,
                generated: 0,
                distinct: 0,
                outside: 0,
                coverage: vec![ActionCoverage::default(); model.action_kinds()],
                violated: Vec::new(),
                found: Vec::new(),
                until_check: STEPS_BETWEEN_CHECKS,
                unchecked: 0,
                explored: 0,
                explored_bytes: 0,
                begun: 0,
            },
            held: Held::default(),
        }
    }
}
