//! Breadth-first search.
//!
//! Level by level: the states of a level are cut into chunks, workers take chunks, and the new states they find
//! make up the next level (see [`crate::frontier`]). One worker leads, and goes alone through levels that are not worth
//! sharing; the others wait at a [`Gate`]. The level boundary is what makes results independent of timing: a search that has
//! found a violation finishes the level, then takes the least violation in a fixed order (length of the trace,
//! kind, property, fingerprints), and of the predecessors of a state in the level before, the one with the least
//! fingerprint is kept.
//!
//! States live only in the frontier; of those behind it, only the fingerprint and the predecessor are kept.

mod initial;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::fingerprint_set::{Exhausted, FingerprintSet, Inserter, NO_NODE, Node};
use crate::frontier::{CHUNK, Chunk, Frontier, Waiting};
use crate::gate::Gate;
use crate::graph::Graph;
use crate::limits::{Progress, Reason};
use crate::model::{Figures, Model, Reduction};
use crate::options::Options;
use crate::recorder::Recorder;
use crate::report::{
    ActionCoverage, ProductSize, Report, Statistics, Trace, TraceEnd, TraceStep, Verdict, Violation,
    ViolationKind,
};
use crate::trace::{self, Wanted};
use initial::Initial;

/// Explores every reachable state of `model`.
pub fn explore<M: Model>(model: &M, options: &Options<'_>) -> Report<M> {
    let mut search = Search::new(model, options);
    let mut hands: Vec<Hand<'_, M>> =
        (0..options.workers.max(1)).map(|number| Hand::new(model, options, number)).collect();
    if options.temporal.is_some()
        && model.reduction() != Reduction::None
        && !options.temporal_despite_reduction
    {
        search.halt(Some(Reason::Reduction));
    } else {
        search.run(&mut hands);
        search.check_temporal(&mut hands);
    }
    search.report(hands)
}

/// A level that should take one worker less than this is not shared out: starting threads would take longer.
const WORTH_SHARING: Duration = Duration::from_micros(150);
/// A worker looks at clock and limits after this many steps, if a chunk takes that long.
const STEPS_BETWEEN_CHECKS: u32 = 4096;

/// What the workers share.
struct Search<'a, M: Model> {
    model: &'a M,
    options: &'a Options<'a>,
    start: Instant,
    set: FingerprintSet,
    initial: Initial<M::State>,
    frontier: Frontier<M::State>,
    keep_least_parent: bool,
    wants_figures: bool,
    /// Set when workers must stop now; `reason` says why, if it is a limit.
    halted: AtomicBool,
    reason: AtomicU8,
    generated: AtomicU64,
    distinct: AtomicU64,
    queue: AtomicU64,
    frontier_bytes: AtomicUsize,
    graph_bytes: AtomicUsize,
    peak_bytes: AtomicUsize,
    last_progress: Mutex<Instant>,
    found: Mutex<Vec<Candidate<M>>>,
    course: Course,
    temporal: Mutex<Vec<Violation<M>>>,
    product: ProductSize,
}

/// How the search went.
#[derive(Default)]
struct Course {
    /// The number of initial states.
    initial: u64,
    depth: u32,
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

/// What workers do together.
#[derive(Clone, Copy)]
enum Task {
    /// Look at initial states that the leader finds.
    Initial,
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

/// What one worker has for itself, in lines of the cache that are nobody else's.
#[repr(align(128))]
struct Hand<'a, M: Model> {
    worker: M::Worker,
    tally: Tally<'a, M>,
}

/// The part of a [`Hand`] that changes while the model is at work.
struct Tally<'a, M: Model> {
    /// The number of the worker.
    number: usize,
    level: Level,
    recorder: Option<Recorder<'a>>,
    /// Bytes of the recorder that are known to the others.
    recorded_bytes: usize,
    next: Vec<Chunk<M::State>>,
    next_bytes: usize,
    generated: u64,
    distinct: u64,
    outside: u64,
    coverage: Vec<ActionCoverage>,
    violated: Vec<usize>,
    found: Vec<Candidate<M>>,
    until_check: u32,
    /// States of the present chunk whose exploration has begun.
    begun: u64,
}

/// A violation before its trace is made: the path to `node`, then `last`.
struct Candidate<M: Model> {
    kind: ViolationKind<M::Error>,
    node: Node,
    last: Option<TraceStep<M>>,
    order: Order,
}

/// The fixed order of violations: length of the trace, kind, property, fingerprints of the end.
type Order = (u32, u8, usize, u64, u64);

impl<'a, M: Model> Search<'a, M> {
    fn new(model: &'a M, options: &'a Options<'a>) -> Self {
        let start = Instant::now();
        Search {
            model,
            options,
            start,
            set: FingerprintSet::new(options.limits.bytes.unwrap_or(usize::MAX)),
            initial: Initial::default(),
            frontier: Frontier::new(options.workers.max(1)),
            keep_least_parent: model.reduction() != Reduction::View,
            wants_figures: model.wants_figures(),
            halted: AtomicBool::new(false),
            reason: AtomicU8::new(0),
            generated: AtomicU64::new(0),
            distinct: AtomicU64::new(0),
            queue: AtomicU64::new(0),
            frontier_bytes: AtomicUsize::new(0),
            graph_bytes: AtomicUsize::new(0),
            peak_bytes: AtomicUsize::new(0),
            last_progress: Mutex::new(start),
            found: Mutex::new(Vec::new()),
            course: Course::default(),
            temporal: Mutex::new(Vec::new()),
            product: ProductSize::default(),
        }
    }

    fn run(&mut self, hands: &mut [Hand<'_, M>]) {
        let Some((leader, mut others)) = hands.split_first_mut() else { return };
        let workers = others.len() + 1;
        let gate = Gate::new();
        let (shared, gate) = (&*self, &gate);
        self.course = std::thread::scope(|scope| {
            let _closing = gate.closing();
            let mut open = |task| {
                gate.open(task, workers - 1);
                // They are not called before there is something to do.
                for hand in std::mem::take(&mut others) {
                    scope.spawn(|| gate.follow(|task| shared.follow(hand, task)));
                }
            };
            shared.lead(leader, &mut Team { workers, gate, open: &mut open })
        });
    }

    /// Goes from level to level.
    fn lead(&self, hand: &mut Hand<'_, M>, team: &mut Team<'_>) -> Course {
        if !self.find_initial(hand, team) {
            return Course::default();
        }
        let mut course = Course { initial: self.distinct.load(Ordering::Relaxed), depth: 0, levels: vec![0] };
        let mut states = self.end_level(&mut course);
        // The first level is a guess; each one after is taken to cost what the one before did.
        let mut time_per_state = Duration::from_micros(5);
        while !self.is_over(&course) {
            let level = Level { depth: course.depth, next: self.set.end() };
            course.levels.push(level.next);
            self.set.expect(states / team.workers);
            let shared_out = team.workers > 1 && time_per_state * states as u32 > WORTH_SHARING;
            let begin = Instant::now();
            if shared_out {
                (team.open)(Task::Level(level));
            }
            self.work(hand, level);
            if shared_out && !team.gate.wait() {
                break;
            }
            let working = if shared_out { team.workers as u32 } else { 1 };
            time_per_state = begin.elapsed() * working / states.max(1) as u32;
            states = self.end_level(&mut course);
        }
        course
    }

    /// A follower's part of a task.
    fn follow(&self, hand: &mut Hand<'_, M>, task: Task) {
        match task {
            Task::Initial => self.look_at_initial(hand),
            Task::Level(level) => self.work(hand, level),
        }
    }

    /// Whether to stop at a level's end.
    fn is_over(&self, course: &Course) -> bool {
        let enough = self.options.violations.max(1);
        if self.halted.load(Ordering::Relaxed) || lock(&self.found).len() >= enough {
            return true;
        }
        if self.frontier.is_empty() {
            return true;
        }
        if self.options.limits.depth.is_some_and(|limit| course.depth >= limit) {
            self.halt(Some(Reason::Depth));
            return true;
        }
        false
    }

    /// Makes what the workers found the next level. Gives the number of its states.
    fn end_level(&self, course: &mut Course) -> usize {
        let states = self.frontier.advance();
        if states > 0 {
            course.depth += 1;
        }
        let mut found = lock(&self.found);
        found.sort_by_key(|candidate| candidate.order);
        found.truncate(self.options.violations.max(1));
        self.check_bytes();
        states
    }

    /// Hands in what a worker found on a level.
    fn hand_in(&self, tally: &mut Tally<'_, M>) {
        self.frontier.add(tally.number, &mut tally.next);
        lock(&self.found).append(&mut tally.found);
        self.publish(tally);
    }

    /// One worker's part of a level.
    fn work(&self, hand: &mut Hand<'_, M>, level: Level) {
        hand.tally.level = level;
        let mut inserter = self.set.inserter();
        while !self.halted.load(Ordering::Relaxed) {
            let Some((chunk, is_foreign)) = self.frontier.take(hand.tally.number) else { break };
            let mut done = 0;
            let mut bytes = 0;
            for Waiting { node, bytes: counted, state } in chunk {
                if self.halted.load(Ordering::Relaxed) {
                    break;
                }
                hand.tally.begun = done + 1;
                let state = if is_foreign { self.model.adopt(&mut hand.worker, state) } else { state };
                self.expand(hand, &mut inserter, node, &state);
                if self.halted.load(Ordering::Relaxed) {
                    break;
                }
                done += 1;
                bytes += counted as usize;
            }
            self.queue.fetch_sub(done, Ordering::Relaxed);
            hand.tally.begun = 0;
            self.frontier_bytes.fetch_sub(bytes, Ordering::Relaxed);
            self.check_limits(&mut hand.tally);
        }
        self.hand_in(&mut hand.tally);
    }

    fn expand(&self, hand: &mut Hand<'_, M>, inserter: &mut Inserter<'_>, node: Node, state: &M::State) {
        let Hand { worker, tally } = hand;
        let depth = tally.level.depth;
        if let Some(recorder) = &mut tally.recorder {
            recorder.begin();
        }
        let mut is_dead = true;
        let link = self.set.link_to(node);
        self.model.at_depth(worker, depth);
        self.tell_figures(worker, tally, 0);
        let result = self.model.successors(worker, state, &mut |worker, action, next| {
            is_dead = false;
            tally.generated += 1;
            self.tell_figures(worker, tally, 0);
            if let Some(coverage) = tally.coverage.get_mut(self.model.action_kind(action)) {
                coverage.generated += 1;
            }
            if let Err(error) = self.step(worker, tally, inserter, (link, state), action, next) {
                self.fail(tally, error, node, Some((Some(action), next)), depth + 1);
            }
            self.flow(tally)
        });
        if let Err(error) = result {
            self.fail(tally, error, node, None, depth);
        } else if self.options.deadlock && is_dead && !self.halted.load(Ordering::Relaxed) {
            let order = (depth, 3, 0, self.set.fingerprint(node), 0);
            self.violate(tally, ViolationKind::Deadlock, node, None, order);
        }
        if let Some(recorder) = &mut tally.recorder
            && let Err(error) = recorder.end(self.model, worker, (state, node))
        {
            self.fail(tally, error, node, None, depth);
        }
    }

    /// Looks at one successor: constraints, whether it is new, invariants if so, properties of the step.
    fn step(
        &self,
        worker: &mut M::Worker,
        tally: &mut Tally<'_, M>,
        inserter: &mut Inserter<'_>,
        (link, state): (u64, &M::State),
        action: &M::Action,
        next: &M::State,
    ) -> Result<(), M::Error> {
        let from = link as Node;
        let within =
            self.model.is_within(worker, next)? && self.model.is_step_within(worker, state, action, next)?;
        let fingerprint = self.model.fingerprint(worker, next)?;
        let mut known = None;
        let mut new = true;
        if within {
            let (node, inserted) = match inserter.insert(fingerprint, link) {
                Ok(result) => result,
                Err(exhausted) => {
                    self.exhaust(exhausted);
                    return Ok(());
                }
            };
            new = inserted;
            known = Some(node);
            if new {
                self.keep(tally, node, next);
                if let Some(coverage) = tally.coverage.get_mut(self.model.action_kind(action)) {
                    coverage.distinct += 1;
                }
            } else if self.keep_least_parent && node >= tally.level.next {
                self.set.offer_link(node, link);
            }
        }
        tally.outside += u64::from(!within);
        if new {
            self.tell_figures(worker, tally, u64::from(within));
            self.model.check_state(worker, next, &mut tally.violated)?;
            for property in std::mem::take(&mut tally.violated) {
                let kind = ViolationKind::Invariant(property);
                let length = tally.level.depth + 1;
                // The predecessor of a state within is settled only when the level is done.
                if let Some(node) = known {
                    self.violate(tally, kind, node, None, (length, 1, property, fingerprint, 0));
                } else {
                    let order = (length, 1, property, fingerprint, self.set.fingerprint(from));
                    self.violate(tally, kind, from, Some((Some(action), next)), order);
                }
            }
        }
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

    /// Puts a new state into the next level.
    fn keep(&self, tally: &mut Tally<'_, M>, node: Node, state: &M::State) {
        tally.distinct += 1;
        let bytes = size_of::<Waiting<M::State>>() + self.model.heap_bytes(state);
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        tally.next_bytes += bytes as usize;
        let waiting = Waiting { node, bytes, state: state.clone() };
        match tally.next.last_mut() {
            Some(chunk) if chunk.len() < CHUNK => chunk.push(waiting),
            _ => {
                let mut chunk = Vec::with_capacity(16);
                chunk.push(waiting);
                tally.next.push(chunk);
            }
        }
    }

    /// Notes an error of the model at the end of a path, as a violation.
    fn fail(
        &self,
        tally: &mut Tally<'_, M>,
        error: M::Error,
        node: Node,
        last: Option<(Option<&M::Action>, &M::State)>,
        length: u32,
    ) {
        tally.violated.clear();
        let fingerprint = self.set.fingerprint(node);
        self.violate(tally, ViolationKind::Error(error), node, last, (length, 4, 0, fingerprint, 0));
    }

    fn violate(
        &self,
        tally: &mut Tally<'_, M>,
        kind: ViolationKind<M::Error>,
        node: Node,
        last: Option<(Option<&M::Action>, &M::State)>,
        order: Order,
    ) {
        if let ViolationKind::Error(error) = &kind
            && let Some(reason) = self.model.gave_up(error)
        {
            self.halt(Some(reason));
            return;
        }
        let last = last.map(|(action, state)| TraceStep { action: action.cloned(), state: state.clone() });
        tally.found.push(Candidate { kind, node, last, order });
        let limit = self.options.violations.max(1);
        if tally.found.len() >= 2 * limit {
            tally.found.sort_by_key(|candidate| candidate.order);
            tally.found.truncate(limit);
        }
        if self.options.at_once && tally.found.len() >= limit {
            self.halt(None);
        }
    }

    /// Tells the model how far the search is, if it wants to know. Of the states found, the last `looked_at` are still
    /// being looked at.
    #[inline]
    fn tell_figures(&self, worker: &mut M::Worker, tally: &Tally<'_, M>, looked_at: u64) {
        if self.wants_figures {
            self.count_figures(worker, tally, looked_at);
        }
    }

    #[cold]
    fn count_figures(&self, worker: &mut M::Worker, tally: &Tally<'_, M>, looked_at: u64) {
        let queue = self.queue.load(Ordering::Relaxed) + tally.distinct;
        let figures = Figures {
            generated: self.generated.load(Ordering::Relaxed) + tally.generated,
            distinct: self.distinct.load(Ordering::Relaxed) + tally.distinct,
            queue: queue.saturating_sub(tally.begun + looked_at),
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
        self.halted.store(true, Ordering::Relaxed);
    }

    fn reason(&self) -> Option<Reason> {
        (self.reason.load(Ordering::Relaxed) as usize).checked_sub(1).map(|index| REASONS[index])
    }

    /// Whether the model should go on producing states.
    fn flow(&self, tally: &mut Tally<'_, M>) -> ControlFlow<()> {
        tally.until_check -= 1;
        if tally.until_check == 0 {
            self.check_limits(tally);
        }
        if self.halted.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Makes a worker's counts known to the others.
    fn publish(&self, tally: &mut Tally<'_, M>) {
        self.generated.fetch_add(std::mem::take(&mut tally.generated), Ordering::Relaxed);
        let distinct = std::mem::take(&mut tally.distinct);
        self.distinct.fetch_add(distinct, Ordering::Relaxed);
        self.queue.fetch_add(distinct, Ordering::Relaxed);
        self.frontier_bytes.fetch_add(std::mem::take(&mut tally.next_bytes), Ordering::Relaxed);
        if let Some(recorder) = &tally.recorder {
            let bytes = recorder.bytes();
            let known = std::mem::replace(&mut tally.recorded_bytes, bytes);
            self.graph_bytes.fetch_add(bytes - known, Ordering::Relaxed);
        }
    }

    fn check_limits(&self, tally: &mut Tally<'_, M>) {
        tally.until_check = STEPS_BETWEEN_CHECKS;
        self.publish(tally);
        let limits = &self.options.limits;
        let distinct = self.distinct.load(Ordering::Relaxed);
        self.check_bytes();
        if let Some(reason) = self.interruption() {
            self.halt(Some(reason));
        } else if limits.states.is_some_and(|limit| distinct >= limit) {
            self.halt(Some(Reason::States));
        }
        self.tell(tally.level.depth);
    }

    fn check_bytes(&self) {
        let bytes = self.bytes();
        self.peak_bytes.fetch_max(bytes, Ordering::Relaxed);
        let Some(limit) = self.options.limits.bytes else { return };
        if bytes > limit || self.options.limits.used.is_some_and(|used| used() > limit) {
            self.halt(Some(Reason::Memory));
        }
    }

    fn bytes(&self) -> usize {
        let moving = [&self.frontier_bytes, &self.graph_bytes];
        self.set.bytes() + moving.iter().map(|bytes| bytes.load(Ordering::Relaxed)).sum::<usize>()
    }

    fn tell(&self, depth: u32) {
        let Some(progress) = self.options.progress else { return };
        // Whoever finds the lock taken leaves it to the other.
        let Ok(mut last) = self.last_progress.try_lock() else { return };
        if last.elapsed() >= self.options.progress_every {
            *last = Instant::now();
            progress(&Progress {
                generated: self.generated.load(Ordering::Relaxed),
                distinct: self.distinct.load(Ordering::Relaxed),
                queue: self.queue.load(Ordering::Relaxed),
                depth,
                elapsed: self.start.elapsed(),
            });
        }
    }

    fn report(mut self, mut hands: Vec<Hand<'_, M>>) -> Report<M> {
        let found = std::mem::take(get_mut(&mut self.found));
        let worker = &mut hands[0].worker;
        let mut violations: Vec<Violation<M>> =
            found.into_iter().map(|candidate| self.violation(worker, candidate)).collect();
        violations.append(get_mut(&mut self.temporal));
        let generated = self.generated.load(Ordering::Relaxed);
        let distinct = self.distinct.load(Ordering::Relaxed);
        let verdict = match (violations.is_empty(), self.reason()) {
            (false, _) => Verdict::Violated,
            (true, Some(reason)) => Verdict::Incomplete(reason),
            (true, None) => Verdict::Holds,
        };
        let mut coverage = vec![ActionCoverage::default(); self.model.action_kinds()];
        for hand in &hands {
            for (sum, part) in coverage.iter_mut().zip(&hand.tally.coverage) {
                sum.generated += part.generated;
                sum.distinct += part.distinct;
            }
        }
        let bytes = self.bytes();
        let statistics = Statistics {
            generated,
            distinct,
            outside: hands.iter().map(|hand| hand.tally.outside).sum(),
            initial: self.course.initial,
            depth: self.course.depth,
            queue: self.queue.load(Ordering::Relaxed),
            elapsed: self.start.elapsed(),
            bytes: self.peak_bytes.load(Ordering::Relaxed).max(bytes),
            collision_estimate: distinct as f64 * (generated - distinct) as f64 / 2_f64.powi(64),
            collision_actual: violations.is_empty().then(|| self.set.closest_collision(hands.len())),
            product: self.product,
        };
        Report { verdict, violations, statistics, coverage }
    }

    fn violation(&self, worker: &mut M::Worker, candidate: Candidate<M>) -> Violation<M> {
        let nodes = if candidate.node == NO_NODE { Vec::new() } else { self.path(candidate.node) };
        let wanted = |fingerprint| Wanted { fingerprint, step: None };
        let path: Vec<Wanted> = nodes.into_iter().map(wanted).collect();
        let mut steps = trace::rebuild(self.model, worker, &path);
        let missing = path.len() - steps.len();
        steps.extend(candidate.last);
        Violation { kind: candidate.kind, trace: Trace { steps, end: TraceEnd::Finite, missing } }
    }

    /// Checks the temporal properties, if everything was explored and there is nothing more urgent to report.
    fn check_temporal(&mut self, hands: &mut [Hand<'_, M>]) {
        let Some(temporal) = self.options.temporal else { return };
        let limit = self.options.violations.max(1);
        let found = get_mut(&mut self.found);
        // Where the model failed, steps are missing, and fairness cannot be judged.
        let failed = found.iter().any(|candidate| matches!(candidate.kind, ViolationKind::Error(_)));
        let found = found.len();
        if self.halted.load(Ordering::Relaxed) || failed || found >= limit {
            return;
        }
        let max_bytes = self.options.limits.bytes.unwrap_or(usize::MAX);
        // While the graph is put together, its logs are still there.
        if self.bytes() + self.graph_bytes.load(Ordering::Relaxed) > max_bytes {
            self.halt(Some(Reason::Memory));
            return;
        }
        let recorders = hands.iter_mut().filter_map(|hand| hand.tally.recorder.take());
        let graph = Graph::new(&self.set, &self.course.levels, recorders.map(Recorder::into_log).collect());
        self.peak_bytes.fetch_max(self.bytes() + graph.bytes(), Ordering::Relaxed);
        self.graph_bytes.store(graph.bytes(), Ordering::Relaxed);
        self.product.transitions = graph.transitions() as u64;
        let means = (hands.len(), max_bytes.saturating_sub(self.bytes()));
        match temporal.check(&graph, limit - found, means, &|| self.interruption()) {
            Ok((lassos, visited, fair)) => {
                self.product.visited = visited;
                self.product.fair = fair;
                for (property, lasso) in lassos {
                    let kind = ViolationKind::Temporal(property);
                    let trace = lasso.trace(self.model, &mut hands[0].worker, &graph, temporal);
                    get_mut(&mut self.temporal).push(Violation { kind, trace });
                }
            }
            Err(reason) => self.halt(Some(reason)),
        }
    }

    /// Whether to stop from outside.
    fn interruption(&self) -> Option<Reason> {
        let limits = &self.options.limits;
        if limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Some(Reason::Stopped);
        }
        limits.time.is_some_and(|limit| self.start.elapsed() >= limit).then_some(Reason::Time)
    }

    /// The fingerprints from an initial state to `node`.
    fn path(&self, node: Node) -> Vec<u64> {
        let nodes = std::iter::successors(Some(node), |&node| self.set.parent(node));
        let mut path: Vec<u64> = nodes.map(|node| self.set.fingerprint(node)).collect();
        path.reverse();
        path
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn get_mut<T>(mutex: &mut Mutex<T>) -> &mut T {
    mutex.get_mut().unwrap_or_else(PoisonError::into_inner)
}

const REASONS: [Reason; 8] = [
    Reason::States,
    Reason::Depth,
    Reason::Memory,
    Reason::Time,
    Reason::Stopped,
    Reason::Numbers,
    Reason::Reduction,
    Reason::Product,
];

impl<'a, M: Model> Hand<'a, M> {
    fn new(model: &M, options: &Options<'a>, number: usize) -> Self {
        Hand {
            worker: model.worker(),
            tally: Tally {
                number,
                level: Level::default(),
                recorder: options.temporal.map(|temporal| Recorder::new(temporal.obligations())),
                recorded_bytes: 0,
                next: Vec::new(),
                next_bytes: 0,
                generated: 0,
                distinct: 0,
                outside: 0,
                coverage: vec![ActionCoverage::default(); model.action_kinds()],
                violated: Vec::new(),
                found: Vec::new(),
                until_check: STEPS_BETWEEN_CHECKS,
                begun: 0,
            },
        }
    }
}
