//! The core beside `specs/engine/Worker.tla`, and what happens when something is left out of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use locus_explore::{Options, Verdict, explore};

use super::canonical::{canonical, of_specification};
use super::{Environment, Explored, assert_same, may, must, planned, projected};
use crate::failure::{Cause, Failure, Left, Patience, Retry};
use crate::input::{Acceptance, Answer, Input, Outcome};
use crate::job::{At, Earlier, Job, Observation, Progress};
use crate::state::{Does, Kind, OnFailure, Planned, Rules, State, StepState};

/// Workers that may crash or be paused, and a cloud that loses calls.
#[derive(Clone, Copy)]
struct Workers {
    count: usize,
    nodes: usize,
    faults: u8,
    /// Whether the cloud makes nothing twice for one token.
    honours: bool,
    /// Whether the cloud may accept a call and do it later.
    accepts: bool,
    /// Whether the cloud may refuse a creation and leave a part of it.
    fails: bool,
    rules: Rules,
}

/// The current job of a worker, and its operation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Doing {
    job: Job,
    operation: u8,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Flying {
    worker: usize,
    doing: Doing,
}

#[derive(Clone, Hash)]
struct World {
    core: State,
    operation: u8,
    doing: Vec<Option<Doing>>,
    flight: BTreeSet<Flying>,
    objects: Vec<u8>,
    created: Vec<u8>,
    /// The operation that was accepted for a node and is not done yet, or 0.
    pending: Vec<u8>,
    /// Whether a creation that failed has left a part of a node.
    left: Vec<bool>,
    faults: u8,
}

fn failed(cause: Cause) -> Outcome {
    Outcome::Failed(Failure::new(cause, "").leaving(Left::Something))
}

fn accepted() -> Acceptance {
    Acceptance { handle: "x".to_owned(), after: 0, within: None }
}

fn done() -> Outcome {
    Outcome::Done { id: "x".to_owned(), outputs: BTreeMap::new() }
}

impl Workers {
    /// Each node needs the one before it; they are deleted the other way round.
    fn plan(&self, operation: u8) -> Vec<Planned> {
        let step = |node: usize| {
            let (does, needs) = if operation == 1 {
                (Does::Create, (node > 0).then(|| node as u32 - 1))
            } else {
                (Does::Delete, (node + 1 < self.nodes).then_some(node as u32 + 1))
            };
            planned(&node.to_string(), does, needs.into_iter().collect(), false)
        };
        (0..self.nodes).map(step).collect()
    }

    fn ask(&self, core: &State, kind: Kind, operation: u8) -> State {
        let request = core.requests.len();
        let core = must(
            core,
            Input::Submit {
                kind,
                on_failure: OnFailure::RollBack,
                desired: String::new(),
                by: String::new(),
            },
        );
        let core = must(&core, Input::Check { request, valid: true });
        let core = must(&core, Input::Process { request });
        must(&core, Input::Begin { request, plan: Some(self.plan(operation)) })
    }

    fn holds(world: &World, doing: &Doing) -> bool {
        let step = &world.core.steps[doing.job.ticket.step as usize];
        step.token == doing.job.ticket.token && step.fence == doing.job.ticket.fence
    }

    fn in_flight(world: &World, node: u32) -> bool {
        world.flight.iter().any(|flying| flying.doing.job.ticket.step == node)
    }

    fn took_place(world: &World, node: u32, operation: u8) -> bool {
        let (objects, left) = (world.objects[node as usize], world.left[node as usize]);
        if operation == 1 { objects > 0 } else { objects == 0 && !left }
    }

    /// Whether nobody has to know of calls that are under way.
    fn is_careless(&self) -> bool {
        self.honours && !self.fails
    }

    fn seen(world: &World, node: u32, operation: u8) -> Observation {
        if Workers::took_place(world, node, operation) {
            Observation::Done { id: "x".to_owned(), outputs: BTreeMap::new() }
        } else if world.pending[node as usize] == operation {
            Observation::Accepted(accepted())
        } else if operation == 1 && world.left[node as usize] {
            Observation::Failed(Failure::refused("").leaving(Left::Something))
        } else {
            Observation::Absent
        }
    }

    /// The outcome of looking, which may tell nothing.
    fn looks(&self, world: &World, worker: usize, doing: &Doing, next: &mut Vec<World>) {
        let step = doing.job.ticket.step;
        let is_sure = matches!(doing.job.at, At::Asking) && self.is_careless();
        if !is_sure && Workers::in_flight(world, step) {
            return;
        }
        let with = |seen: Observation, faults: u8| {
            let mut world = World { faults, ..world.clone() };
            world.doing[worker] = Some(Doing { job: doing.job.clone().having_seen(seen), ..doing.clone() });
            world
        };
        next.push(with(Workers::seen(world, step, doing.operation), world.faults));
        if world.faults < self.faults {
            next.push(with(Observation::Unsure { reason: String::new() }, world.faults + 1));
        }
    }

    /// The outcome of asking for what was accepted. That it goes on is a fault, so that there is an end of it.
    fn polls(&self, world: &World, worker: usize, doing: &Doing, next: &mut Vec<World>) {
        let (progress, faults) = match Workers::seen(world, doing.job.ticket.step, doing.operation) {
            Observation::Done { .. } => (Progress::Ended(done()), 0),
            Observation::Accepted(accepted) => (Progress::GoesOn(accepted), 1),
            Observation::Failed(failure) => (Progress::Ended(Outcome::Failed(failure)), 0),
            Observation::Absent | Observation::Unsure { .. } => (Progress::Forgotten, 0),
        };
        let mut asked = World { faults: world.faults + faults, ..world.clone() };
        asked.doing[worker] = Some(Doing { job: doing.job.clone().polled(progress), ..doing.clone() });
        if asked.faults <= self.faults {
            next.push(asked);
        }
    }

    /// The next moves of a worker with its step.
    fn turn(&self, world: &World, worker: usize, doing: &Doing, next: &mut Vec<World>) {
        let ticket = &doing.job.ticket;
        let with_job = |job: Job| {
            let mut world = world.clone();
            world.doing[worker] = Some(Doing { job, ..doing.clone() });
            world
        };
        let with = |at: At| with_job(Job { at, ..doing.job.clone() });
        let without = || {
            let mut world = world.clone();
            world.doing[worker] = None;
            world
        };
        let send = |world: &mut World| {
            // The world does not know what the worker doubts.
            let job = Job { at: At::Calling, earlier: Earlier::None, ..doing.job.clone() };
            world.flight.insert(Flying { worker, doing: Doing { job, ..doing.clone() } });
        };
        match &doing.job.at {
            At::Claimed => match may(&world.core, Input::Intend { ticket: ticket.clone() }) {
                Ok((core, _)) => next.push(World { core, ..with(At::Intended) }),
                Err(_) => next.push(without()),
            },
            At::Intended if !self.rules.is_called_first => {
                let record = Input::Record { ticket: ticket.clone(), outcome: done(), now: 0 };
                if let Ok((core, _)) = may(&world.core, record) {
                    // It is about to call.
                    next.push(World { core, ..with(At::Calling) });
                }
            }
            At::Calling if !self.rules.is_called_first => {
                let mut world = without();
                send(&mut world);
                next.push(world);
            }
            At::Intended if self.is_careless() || Workers::holds(world, doing) => {
                let mut world = with(At::Calling);
                send(&mut world);
                next.push(world);
            }
            At::Intended => next.push(without()),
            At::Calling => next.push(with_job(doing.job.clone().without_reply())),
            At::Polling => self.polls(world, worker, doing, next),
            At::Asking | At::Doubting(_) => self.looks(world, worker, doing, next),
            At::Ended(outcome) => {
                let record = Input::Record { ticket: ticket.clone(), outcome: outcome.clone(), now: 0 };
                let core = may(&world.core, record).map_or_else(|_| world.core.clone(), |(core, _)| core);
                next.push(World { core, ..without() });
            }
        }
    }

    /// A call arrives and is done, accepted or refused, or is lost.
    fn arrive(&self, world: &World, flying: &Flying, next: &mut Vec<World>) {
        let mut lost = world.clone();
        lost.flight.remove(flying);
        let node = flying.doing.job.ticket.step as usize;
        let operation = flying.doing.operation;
        let reply = |world: &mut World, outcome: Outcome| {
            let waits = |doing: &&mut Doing| {
                doing.job.at == At::Calling
                    && doing.job.ticket == flying.doing.job.ticket
                    && doing.operation == operation
            };
            if let Some(doing) = world.doing[flying.worker].as_mut().filter(waits) {
                doing.job = doing.job.clone().with_reply(outcome);
            }
        };
        if world.pending[node] != operation {
            let mut landed = lost.clone();
            if operation == 2 {
                (landed.objects[node], landed.left[node]) = (0, false);
            } else if !self.honours || landed.created[node] == 0 {
                landed.objects[node] += 1;
                landed.created[node] += 1;
                landed.left[node] = false;
            }
            reply(&mut landed, done());
            next.push(landed);
        }
        let was_made = self.honours && operation == 1 && world.created[node] > 0;
        if self.accepts
            && !Workers::took_place(world, node as u32, operation)
            && [0, operation].contains(&world.pending[node])
            && !was_made
        {
            let mut accepts = lost.clone();
            accepts.pending[node] = operation;
            reply(&mut accepts, Outcome::Accepted(accepted()));
            next.push(accepts);
        }
        if self.fails && operation == 1 && world.objects[node] == 0 && world.pending[node] == 0 {
            for (cause, faults) in [(Cause::Refused, 0), (Cause::Busy, 1)] {
                let mut refuses = World { faults: world.faults + faults, ..lost.clone() };
                refuses.left[node] = true;
                reply(&mut refuses, failed(cause));
                if refuses.faults <= self.faults {
                    next.push(refuses);
                }
            }
        }
        next.push(lost);
    }

    /// Has what was accepted done, or fail and leaves a part.
    fn finish(&self, world: &World, node: usize, next: &mut Vec<World>) {
        let mut finished = world.clone();
        finished.pending[node] = 0;
        match world.pending[node] {
            0 => return,
            1 => {
                if self.fails {
                    let mut half = finished.clone();
                    half.left[node] = true;
                    next.push(half);
                }
                finished.objects[node] += 1;
                finished.created[node] += 1;
            }
            _ => finished.objects[node] = 0,
        }
        finished.left[node] = false;
        next.push(finished);
    }

    /// Leases that run out, and people who find out.
    fn around(&self, world: &World, next: &mut Vec<World>) {
        for node in 0..self.nodes as u32 {
            self.finish(world, node as usize, next);
            if !self.is_careless() && Workers::in_flight(world, node) {
                continue;
            }
            if let Ok((core, _)) = may(&world.core, Input::Expire { step: node }) {
                let is_remembered = world
                    .doing
                    .iter()
                    .flatten()
                    .any(|doing| doing.job.ticket.step == node && Workers::holds(world, doing));
                let faults = world.faults + u8::from(is_remembered);
                if faults <= self.faults {
                    next.push(World { core, faults, ..world.clone() });
                }
            }
            let answer = if Workers::took_place(world, node, world.operation) {
                Answer::Done("x".to_owned())
            } else {
                Answer::Absent
            };
            if world.pending[node as usize] == world.operation {
                continue;
            }
            if let Ok((core, _)) = may(&world.core, Input::Resolve { step: node, answer }) {
                next.push(World { core, ..world.clone() });
            }
        }
        let is_done = world.core.steps.iter().all(|step| step.state == StepState::Done);
        if world.operation == 1 && is_done {
            let core = must(&world.core, Input::Settle);
            let core = self.ask(&core, Kind::Delete, 2);
            next.push(World { core, operation: 2, ..world.clone() });
        }
        let has_failed = world.core.steps.iter().any(|step| step.state == StepState::Failed);
        if world.operation == 1 && has_failed && world.core.is_drained() {
            let core = must(&world.core, Input::Settle);
            let core = must(&core, Input::Settle);
            let core = must(&core, Input::Compensate { plan: Some(self.plan(2)) });
            next.push(World { core, operation: 2, ..world.clone() });
        }
    }
}

impl Environment for Workers {
    type State = World;

    fn initial(&self) -> Vec<World> {
        // Time does not pass here.
        let at_once = Retry { failures: u8::MAX, pause: 0, longest: 0 };
        let patience = Patience::default().with(Cause::Busy, at_once);
        let core = State { rules: self.rules, patience, ..State::default() };
        vec![World {
            core: self.ask(&core, Kind::Deploy, 1),
            operation: 1,
            doing: vec![None; self.count],
            flight: BTreeSet::new(),
            objects: vec![0; self.nodes],
            created: vec![0; self.nodes],
            pending: vec![0; self.nodes],
            left: vec![false; self.nodes],
            faults: 0,
        }]
    }

    fn next(&self, world: &World) -> Vec<(String, World)> {
        let mut next = Vec::new();
        for worker in 0..self.count {
            if let Some(doing) = &world.doing[worker] {
                self.turn(world, worker, doing, &mut next);
                if world.faults < self.faults {
                    let mut crashed = World { faults: world.faults + 1, ..world.clone() };
                    crashed.doing[worker] = None;
                    next.push(crashed);
                }
                continue;
            }
            for step in 0..self.nodes as u32 {
                let claim = Input::Claim { step, worker: worker.to_string(), now: 0, until: 0 };
                if let Ok((core, effects)) = may(&world.core, claim) {
                    let mut claimed = World { core, ..world.clone() };
                    let job = effects.iter().find_map(Job::of).expect("a claim has a job");
                    claimed.doing[worker] = Some(Doing { job, operation: world.operation });
                    next.push(claimed);
                }
            }
        }
        for flying in &world.flight {
            self.arrive(world, flying, &mut next);
        }
        self.around(world, &mut next);
        next.into_iter().map(|world| (String::new(), world)).collect()
    }

    fn violated(&self, world: &World) -> Vec<usize> {
        let mut violated = Vec::new();
        for (node, step) in world.core.steps.iter().enumerate() {
            let present = world.core.nodes[&node.to_string()].present;
            if world.created[node] > 1 {
                violated.push(NOTHING_TWICE);
            }
            let is_there = world.objects[node] > 0 || world.left[node] || world.pending[node] == 1;
            if is_there && !present && !step.state.is_open() {
                violated.push(NO_ORPHAN);
            }
            let is_true = present == (world.objects[node] == 1) && present == (world.operation == 1);
            if step.state == StepState::Done && !is_true {
                violated.push(RECORD_IS_TRUE);
            }
        }
        violated
    }
}

const NOTHING_TWICE: usize = 0;
const NO_ORPHAN: usize = 1;
const RECORD_IS_TRUE: usize = 2;

fn upper(value: bool) -> &'static str {
    if value { "TRUE" } else { "FALSE" }
}

fn project(environment: Workers, world: &World) -> String {
    let list = |of: &dyn Fn(usize) -> String| {
        let texts: Vec<String> = (0..environment.nodes).map(of).collect();
        format!("<<{}>>", texts.join(", "))
    };
    let step = |node: usize| &world.core.steps[node];
    let known = |node: usize| &world.core.nodes[&node.to_string()];
    let mut text = format!("[op |-> {}, ", world.operation);
    let owner = |node: usize| {
        let claim = step(node).claim.as_ref();
        claim.map_or("None".to_owned(), |claim| format!("{}", claim.worker.parse::<usize>().unwrap() + 1))
    };
    write!(text, "step |-> {}, ", list(&|node| format!("\"{}\"", step(node).state.as_str()))).unwrap();
    write!(text, "owner |-> {}, ", list(&owner)).unwrap();
    write!(text, "fence |-> {}, ", list(&|node| known(node).fence.to_string())).unwrap();
    write!(text, "record |-> {}, ", list(&|node| upper(known(node).present).to_owned())).unwrap();
    let work = |doing: &Option<Doing>| {
        let Some(doing) = doing else {
            return "[pc |-> \"idle\", node |-> None, fence |-> 0, op |-> 0, doubt |-> FALSE]".to_owned();
        };
        let pc = match &doing.job.at {
            At::Claimed => "claimed",
            At::Intended => "intended",
            At::Calling => "calling",
            At::Polling => "polling",
            At::Asking => "asking",
            At::Doubting(outcome) if *outcome == failed(Cause::Busy) => "doubtingBusy",
            At::Doubting(_) => "doubtingFailed",
            At::Ended(Outcome::Unknown { .. }) => "unsure",
            At::Ended(Outcome::Accepted(_)) => "accepted",
            At::Ended(outcome) if *outcome == failed(Cause::Busy) => "busy",
            At::Ended(Outcome::Failed(_)) => "failed",
            At::Ended(Outcome::Done { .. }) => "replied",
        };
        let ticket = &doing.job.ticket;
        let (node, fence, op) = (ticket.step + 1, ticket.fence, doing.operation);
        let doubt = upper(doing.job.earlier != Earlier::None);
        format!("[pc |-> \"{pc}\", node |-> {node}, fence |-> {fence}, op |-> {op}, doubt |-> {doubt}]")
    };
    let works: Vec<String> = world.doing.iter().map(work).collect();
    write!(text, "work |-> <<{}>>, ", works.join(", ")).unwrap();
    let flights: Vec<String> = world
        .flight
        .iter()
        .map(|flying| {
            let ticket = &flying.doing.job.ticket;
            let (worker, node, fence) = (flying.worker + 1, ticket.step + 1, ticket.fence);
            let op = flying.doing.operation;
            format!("[worker |-> {worker}, node |-> {node}, fence |-> {fence}, op |-> {op}]")
        })
        .collect();
    write!(text, "flight |-> {{{}}}, ", flights.join(", ")).unwrap();
    write!(text, "objects |-> {}, ", list(&|node| world.objects[node].to_string())).unwrap();
    write!(text, "created |-> {}, ", list(&|node| world.created[node].to_string())).unwrap();
    write!(text, "pending |-> {}, ", list(&|node| world.pending[node].to_string())).unwrap();
    write!(text, "left |-> {}, ", list(&|node| upper(world.left[node]).to_owned())).unwrap();
    write!(text, "faults |-> {}]", world.faults).unwrap();
    canonical(&text)
}

const SOUND: Workers = Workers {
    count: 2,
    nodes: 1,
    faults: 1,
    honours: true,
    accepts: false,
    fails: false,
    rules: Rules::SOUND,
};

#[test]
fn workers_do_as_specified() {
    let environments = [
        SOUND,
        Workers { honours: false, faults: 2, ..SOUND },
        Workers { honours: false, nodes: 2, ..SOUND },
        Workers { count: 3, honours: false, ..SOUND },
        Workers { accepts: true, ..SOUND },
        Workers { fails: true, ..SOUND },
        Workers { accepts: true, fails: true, faults: 2, ..SOUND },
        Workers { accepts: true, fails: true, honours: false, ..SOUND },
        Workers { accepts: true, fails: true, honours: false, nodes: 2, ..SOUND },
    ];
    for environment in environments {
        let up_to = |count: usize| (1..=count).map(|one| one.to_string()).collect::<Vec<_>>().join(", ");
        let specification = of_specification(
            "specs/engine/Worker.tla",
            &format!(
                "SPECIFICATION Spec CHECK_DEADLOCK FALSE CONSTANTS Nodes = {{{}}} Needs <- InARow \
                 Workers = {{{}}} None = None MaxFaults = {} Honours = {} Accepts = {} Fails = {} Fenced = TRUE \
                 Intends = TRUE CallsFirst = TRUE",
                up_to(environment.nodes),
                up_to(environment.count),
                environment.faults,
                upper(environment.honours),
                upper(environment.accepts),
                upper(environment.fails),
            ),
        );
        let code = projected(environment, |world| project(environment, world));
        assert_same(&code, &specification);
    }
}

fn violated(environment: Workers) -> Option<usize> {
    let report = explore(&Explored(environment), &Options { deadlock: false, ..Options::default() });
    let Verdict::Violated = report.verdict else { return None };
    report.violations.iter().find_map(|violation| match violation.kind {
        locus_explore::ViolationKind::Invariant(index) => Some(index),
        _ => None,
    })
}

#[test]
fn nothing_may_be_left_out() {
    assert_eq!(violated(SOUND), None);
    assert_eq!(violated(Workers { honours: false, ..SOUND }), None);
    assert_eq!(violated(Workers { accepts: true, fails: true, faults: 2, ..SOUND }), None);
    let unfenced = Rules { is_fenced: false, ..Rules::SOUND };
    assert_eq!(violated(Workers { faults: 2, rules: unfenced, ..SOUND }), Some(NO_ORPHAN));
    let unintended = Rules { is_intended: false, ..Rules::SOUND };
    assert_eq!(violated(Workers { honours: false, rules: unintended, ..SOUND }), Some(NO_ORPHAN));
    let recorded_first = Rules { is_called_first: false, ..Rules::SOUND };
    assert_eq!(violated(Workers { rules: recorded_first, ..SOUND }), Some(RECORD_IS_TRUE));
}
