//! The engine in a simulated world, from a seed: workers that crash or are paused, calls and replies that are lost or
//! come late, calls that are accepted and done later, failures that leave something, a database that fails, people
//! who change their mind, two commands at once, and a store that is lost. Everything depends on the seed, so that a
//! failing run can be repeated: `LOCUS_SEEDS=7..8 cargo test -p locus-drivers --test simulation`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use locus_engine::{
    About, Acceptance, Answer, At, Cause, Condition, Does, Effect, Failure, Input, Job, Kind, Left,
    Observation, OnFailure, Outcome, Phase, Planned, Progress, RequestStatus, State, Status, StepState, step,
    verify, verify_end,
};
use locus_store::{Memory, Store, Stored, StoredEvent};

/// Numbers from a seed.
struct Luck(u64);

impl Luck {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }
}

/// The goal of a user: a version for each node. Each node needs those before it that its number names.
type Wish = BTreeMap<usize, u32>;

fn needs(node: usize) -> Vec<usize> {
    (0..node).filter(|other| (node * 7 + other * 3).is_multiple_of(4)).collect()
}

fn key(node: usize, version: u32) -> String {
    format!("{node}@{version}")
}

fn parse(key: &str) -> (usize, u32) {
    let (node, version) = key.split_once('@').expect("a key of ours");
    (node.parse().unwrap(), version.parse().unwrap())
}

/// From what is there to what is wanted: what is new is made after what it needs; what is old goes after what is new,
/// and after those that need it.
fn plan(state: &State, wish: &Wish) -> Vec<Planned> {
    let there: BTreeSet<String> =
        state.nodes.iter().filter(|(_, node)| node.present).map(|(key, _)| key.clone()).collect();
    let conditions = state.conditions();
    let is_damaged = |key: &String| conditions.get(key.as_str()) == Some(&Condition::Damaged);
    let wanted: BTreeSet<String> = wish.iter().map(|(&node, &version)| key(node, version)).collect();
    let mut steps: Vec<Planned> = Vec::new();
    let mut made: BTreeMap<usize, u32> = BTreeMap::new();
    for (&node, &version) in wish {
        let mut before: Vec<u32> = needs(node).iter().filter_map(|other| made.get(other).copied()).collect();
        let key = key(node, version);
        if is_damaged(&key) {
            // What is left of it goes first.
            before.push(steps.len() as u32);
            steps.push(planned(&key, Does::Delete, Vec::new(), false));
        } else if there.contains(&key) {
            continue;
        }
        made.insert(node, steps.len() as u32);
        steps.push(planned(&key, Does::Create, before, false));
    }
    let creations: Vec<u32> = made.values().copied().collect();
    let mut gone: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for old in there.difference(&wanted).collect::<Vec<_>>().into_iter().rev() {
        let (node, _) = parse(old);
        let users = gone.iter().filter(|(user, _)| needs(**user).contains(&node));
        let mut before: Vec<u32> = users.flat_map(|(_, steps)| steps.iter().copied()).collect();
        before.extend(&creations);
        gone.entry(node).or_default().push(steps.len() as u32);
        steps.push(planned(old, Does::Delete, before, true));
    }
    steps
}

fn planned(node: &str, does: Does, needs: Vec<u32>, cleanup: bool) -> Planned {
    Planned {
        node: node.to_owned(),
        does,
        operation: does.as_str().to_owned(),
        desired: String::new(),
        needs,
        cleanup,
    }
}

/// A call on its way to the cloud.
#[derive(Clone)]
struct Flying {
    worker: usize,
    run: u64,
    node: String,
    token: String,
    does: Does,
    sent: u64,
}

/// The cloud, which remembers tokens. What it made is seen by others only after a while.
#[derive(Default)]
struct Cloud {
    /// Each creation: the token, the node, whether it is still there, from when on it is seen.
    made: Vec<(String, String, bool, u64)>,
    /// Tokens of deletions and creations that took place.
    used: BTreeSet<String>,
    /// Remains of failed creations: the token and the node.
    left: BTreeSet<(String, String)>,
    /// Accepted calls that are done later: each call with the time at which it is.
    accepted: Vec<(Flying, u64)>,
    /// The tokens of what was accepted and failed.
    broken: BTreeSet<String>,
}

/// A call accepted under a token.
fn accepted(token: &str) -> Acceptance {
    Acceptance { handle: format!("operation of {token}"), after: 7, within: None }
}

/// A failure for good of which half is there.
fn half(token: &str) -> Failure {
    Failure::refused("half of it is there").leaving(Left::Named(token.to_owned()))
}

impl Cloud {
    fn perform(&mut self, call: &Flying, seen: u64) {
        if !self.used.insert(call.token.clone()) {
            return;
        }
        match call.does {
            Does::Create => {
                self.left.remove(&(call.token.clone(), call.node.clone()));
                self.made.push((call.token.clone(), call.node.clone(), true, seen));
            }
            Does::Delete => {
                // It is called by what it is, so that those of other stores stay.
                let own = call.token.rsplit_once('/').map_or("", |(own, _)| own);
                self.left.retain(|(token, node)| *node != call.node || !token.starts_with(own));
                let is_its = |object: &&mut (String, String, bool, u64)| {
                    object.1 == call.node && object.0.starts_with(own)
                };
                for object in self.made.iter_mut().filter(is_its) {
                    object.2 = false;
                }
            }
            Does::Change => {}
        }
    }

    fn has_accepted(&self, token: &str) -> bool {
        self.accepted.iter().any(|(call, _)| call.token == token)
    }

    /// The answer to asking for what was accepted.
    fn poll(&self, token: &str) -> Progress {
        if self.has_accepted(token) {
            Progress::GoesOn(accepted(token))
        } else if self.used.contains(token) {
            Progress::Ended(Outcome::Done { id: token.to_owned(), outputs: BTreeMap::new() })
        } else if self.broken.contains(token) {
            Progress::Ended(Outcome::Failed(half(token)))
        } else {
            Progress::Forgotten
        }
    }

    /// The observation of a step. A creation that is not seen yet looks as if it had not taken place.
    fn observe(&self, token: &str, does: Does, now: u64) -> Observation {
        let is_seen = match does {
            Does::Create => self.made.iter().any(|object| object.0 == token && object.3 <= now),
            Does::Change | Does::Delete => self.used.contains(token),
        };
        if is_seen {
            Observation::Done { id: token.to_owned(), outputs: BTreeMap::new() }
        } else if self.has_accepted(token) {
            Observation::Accepted(accepted(token))
        } else if self.left.iter().any(|(by, _)| by == token) {
            Observation::Failed(half(token))
        } else {
            Observation::Absent
        }
    }
}

struct Worker {
    name: String,
    /// How often it was started: replies to an earlier run do not reach it.
    run: u64,
    job: Option<Job>,
    /// It does nothing until then.
    paused_until: u64,
    /// When its claim runs out, by its own clock.
    until: u64,
    /// Since when it is in doubt.
    since: u64,
}

struct World {
    luck: Luck,
    store: Memory,
    stored: Stored,
    cloud: Cloud,
    workers: Vec<Worker>,
    flight: Vec<Flying>,
    clock: u64,
    /// Whether things may go wrong.
    is_rough: bool,
}

const LEASE: u64 = 40;

/// How long a call may be under way, and how long what it made may not be seen.
const DEADLINE: u64 = 30;
const UNSEEN: usize = 20;

impl World {
    /// A transaction, which may fail before or after it took place. A worker that gets no answer starts over.
    fn transact(&mut self, input: Input) -> Result<Vec<Effect>, ()> {
        if self.is_rough && self.luck.percent(2) {
            return Err(());
        }
        self.stored = self.store.load("x").unwrap().unwrap();
        let (state, effects) = step(std::mem::take(&mut self.stored.state), input);
        self.stored.state = state;
        if effects.iter().any(|effect| matches!(effect, Effect::Store(_) | Effect::Event(_))) {
            self.store.commit(&mut self.stored, &effects, self.clock).unwrap();
        }
        if self.is_rough && self.luck.percent(2) { Err(()) } else { Ok(effects) }
    }

    fn restart(&mut self, worker: usize) {
        let worker = &mut self.workers[worker];
        (worker.job, worker.run) = (None, worker.run + 1);
    }

    /// A worker does the next thing.
    fn turn(&mut self, worker: usize) {
        let Some(job) = self.workers[worker].job.clone() else {
            self.look_for_work(worker);
            return;
        };
        let ticket = job.ticket.clone();
        let next = match job.at.clone() {
            At::Claimed => match self.transact(Input::Intend { ticket }) {
                Ok(effects) => effects.iter().find_map(Job::of),
                Err(()) => return self.restart(worker),
            },
            // The world cannot see that its claim has run out.
            At::Intended if self.clock > self.workers[worker].until => return self.restart(worker),
            At::Intended => {
                self.send(worker, &job);
                Some(Job { at: At::Calling, ..job })
            }
            // It has waited for long enough.
            At::Calling => self.luck.percent(20).then(|| job.clone().without_reply()).or(Some(job)),
            At::Doubting(_) if self.clock < self.workers[worker].since + DEADLINE + UNSEEN as u64 => {
                // It waits for longer than a claim is good, and says that it is alive.
                let until = self.clock + LEASE;
                let renew = Input::Renew { worker: self.workers[worker].name.clone(), until };
                if self.transact(renew).is_err() {
                    return self.restart(worker);
                }
                self.workers[worker].until = until;
                Some(job)
            }
            At::Polling => {
                self.workers[worker].since = self.clock;
                Some(job.polled(self.cloud.poll(&self.stored.token(&ticket.token))))
            }
            At::Asking | At::Doubting(_) => {
                let Some(found) = self.stored.state.steps.iter().find(|step| step.token == ticket.token)
                else {
                    return self.restart(worker);
                };
                let seen = if self.is_rough && self.luck.percent(2) {
                    Observation::Unsure { reason: "the cloud does not say".to_owned() }
                } else {
                    self.cloud.observe(&self.stored.token(&ticket.token), found.planned.does, self.clock)
                };
                let job = job.having_seen(seen);
                if matches!(job.at, At::Doubting(_)) {
                    self.workers[worker].since = self.clock;
                }
                Some(job)
            }
            At::Ended(outcome) => {
                let now = self.clock;
                match self.transact(Input::Record { ticket, outcome, now }) {
                    Ok(_) => None,
                    Err(()) => return self.restart(worker),
                }
            }
        };
        self.workers[worker].job = next;
    }

    fn send(&mut self, worker: usize, job: &Job) {
        // The step may belong to an operation that is over: what was planned is in the worker's memory.
        let found = self.stored.state.steps.iter().find(|step| step.token == job.ticket.token);
        if let Some(found) = found {
            let (node, does) = (found.planned.node.clone(), found.planned.does);
            let run = self.workers[worker].run;
            let (token, sent) = (self.stored.token(&job.ticket.token), self.clock);
            self.flight.push(Flying { worker, run, node, token, does, sent });
        }
    }

    fn look_for_work(&mut self, worker: usize) {
        self.stored = self.store.load("x").unwrap().unwrap();
        let state = &self.stored.state;
        let late: Vec<u32> = (0u32..)
            .zip(&state.steps)
            .filter(|(_, step)| step.claim.as_ref().is_some_and(|claim| claim.until < self.clock))
            .map(|(place, _)| place)
            .collect();
        let ready: Vec<u32> = (0u32..)
            .zip(&state.steps)
            .filter(|(_, step)| state.is_claimable(step) && state.waits_until(step, self.clock).is_none())
            .map(|(place, _)| place)
            .collect();
        if let Some(&step) = late.first() {
            let _ = self.transact(Input::Expire { step });
        } else if !ready.is_empty() && self.luck.percent(90) {
            let step = ready[self.luck.below(ready.len())];
            let (now, until) = (self.clock, self.clock + LEASE);
            let name = self.workers[worker].name.clone();
            match self.transact(Input::Claim { step, worker: name, now, until }) {
                Ok(effects) => {
                    self.workers[worker].job = effects.iter().find_map(Job::of);
                    self.workers[worker].until = until;
                }
                Err(()) => self.restart(worker),
            }
        } else if let Ok(effects) = self.transact(Input::Settle)
            && effects.contains(&Effect::Plan)
        {
            let previous = wish_of(self.stored.state.previous());
            let plan = Some(plan(&self.stored.state, &previous));
            let _ = self.transact(Input::Compensate { plan });
        }
    }

    /// The cloud does something with a call that is on its way.
    fn arrive(&mut self) {
        let call = self.flight.swap_remove(self.luck.below(self.flight.len()));
        if call.sent + DEADLINE < self.clock || self.is_rough && self.luck.percent(10) {
            return;
        }
        let refuses = self.is_rough && call.does == Does::Create && self.luck.percent(3);
        let passing = [Cause::Busy, Cause::Throttled, Cause::Network, Cause::Conflict, Cause::Quota];
        let busy = (self.is_rough && self.luck.percent(5)).then(|| passing[self.luck.below(5)]);
        let is_new = !self.cloud.used.contains(&call.token) && !self.cloud.has_accepted(&call.token);
        let is_slow = is_new && self.luck.percent(25);
        let outcome = if (refuses || busy.is_some()) && is_new {
            let remains = call.does == Does::Create && self.luck.percent(50);
            if remains {
                self.cloud.left.insert((call.token.clone(), call.node.clone()));
            }
            let left = if remains { Left::Something } else { Left::Nothing };
            let failure = Failure::new(busy.unwrap_or(Cause::Refused), "no").leaving(left);
            Outcome::Failed(Failure { after: Some(self.luck.below(30) as u64), ..failure })
        } else if is_slow || self.cloud.has_accepted(&call.token) {
            if is_slow {
                self.cloud.accepted.push((call.clone(), self.clock + self.luck.below(80) as u64));
            }
            Outcome::Accepted(accepted(&call.token))
        } else {
            let seen = self.clock + self.luck.below(UNSEEN) as u64;
            self.cloud.perform(&call, seen);
            Outcome::Done { id: call.token.clone(), outputs: BTreeMap::new() }
        };
        if self.is_rough && self.cloud.used.contains(&call.token) && self.luck.percent(10) {
            // The call comes twice.
            self.flight.push(call.clone());
        }
        if self.is_rough && self.luck.percent(15) {
            return;
        }
        let worker = &mut self.workers[call.worker];
        if let Some(job) = &mut worker.job
            && worker.run == call.run
            && job.at == At::Calling
            && self.stored.token(&job.ticket.token) == call.token
        {
            *job = job.clone().with_reply(outcome);
            worker.since = self.clock;
        }
    }

    /// Does what was accepted when its time has come, or fails half-way.
    fn go_on(&mut self) {
        let now = self.clock;
        let (due, later) =
            std::mem::take(&mut self.cloud.accepted).into_iter().partition(|(_, at)| *at <= now);
        self.cloud.accepted = later;
        let due: Vec<(Flying, u64)> = due;
        for (call, _) in due {
            if self.is_rough && call.does == Does::Create && self.luck.percent(10) {
                self.cloud.left.insert((call.token.clone(), call.node.clone()));
                self.cloud.broken.insert(call.token);
            } else {
                self.cloud.perform(&call, now);
            }
        }
    }

    fn person(&mut self) {
        let state = &self.stored.state;
        let unknown = state.steps.iter().position(|step| step.state == StepState::Unknown);
        if let Some(place) = unknown {
            let token = self.stored.token(&state.steps[place].token);
            if self.cloud.has_accepted(&token) || self.flight.iter().any(|call| call.token == token) {
                // Who says that nothing was done has waited for as long as a call may be under way.
                return;
            }
            let left = self.cloud.left.iter().find(|(by, _)| *by == token).cloned();
            if let Some((token, node)) = left {
                // Whoever finds half of something makes the rest of it by hand.
                self.cloud.left.remove(&(token.clone(), node.clone()));
                self.cloud.used.insert(token.clone());
                self.cloud.made.push((token, node, true, self.clock));
            }
            let was_done = self.cloud.used.contains(&token);
            let answer = if was_done { Answer::Done(token) } else { Answer::Absent };
            let _ = self.transact(Input::Resolve { step: place as u32, answer });
        } else if self.is_rough && self.luck.percent(2) {
            let _ = self.transact(Input::Cancel { discard: false });
        }
    }

    fn tick(&mut self) {
        self.clock += 1;
        self.go_on();
        match self.luck.below(10) {
            0 | 1 if !self.flight.is_empty() => self.arrive(),
            2 => self.person(),
            _ => {
                let worker = self.luck.below(self.workers.len());
                if self.workers[worker].paused_until > self.clock {
                    return;
                }
                match self.luck.below(50) {
                    0 if self.is_rough => self.restart(worker),
                    1 if self.is_rough => {
                        // Longer than its lease, and it does not notice.
                        self.workers[worker].paused_until = self.clock + LEASE + self.luck.below(60) as u64;
                    }
                    _ => self.turn(worker),
                }
            }
        }
    }

    /// A command does the next thing. Whether it has more to do.
    fn command(&mut self, command: &mut Command) -> bool {
        let (request, kind) = (command.request, command.kind);
        let input = match command.done {
            0 => {
                let (on_failure, desired) = (command.on_failure, text_of(&command.wish));
                Input::Submit { kind, on_failure, desired, by: "me".to_owned() }
            }
            1 => Input::Check { request, valid: true },
            2 => Input::Process { request },
            3 => {
                for older in 0..request {
                    let _ = self.transact(Input::Supersede { request: older });
                }
                self.stored = self.store.load("x").unwrap().unwrap();
                command.planned_for = self.stored.version;
                command.plan = plan(&self.stored.state, &command.wish);
                command.done += 1;
                return true;
            }
            _ => {
                self.stored = self.store.load("x").unwrap().unwrap();
                if self.stored.version != command.planned_for {
                    // Somebody else has changed something: it plans again.
                    command.done = 3;
                    return true;
                }
                Input::Begin { request, plan: Some(std::mem::take(&mut command.plan)) }
            }
        };
        let effects = self.transact(input).expect("it is not rough");
        if command.done == 0 {
            command.request = self.stored.state.requests.len() - 1;
        }
        command.done += 1;
        // Whoever is refused leaves it to the other one.
        command.done < 5 && !matches!(effects[..], [Effect::Refused(_)])
    }

    /// Asks for something, and lets time pass until nothing goes on. Sometimes two ask at once.
    fn ask(&mut self, kind: Kind, wish: &Wish, on_failure: OnFailure) {
        let one = || Command {
            kind,
            on_failure,
            wish: wish.clone(),
            request: 0,
            plan: Vec::new(),
            planned_for: 0,
            done: 0,
        };
        let mut commands = vec![one()];
        if self.luck.percent(40) {
            let wish: Wish = (0..=self.luck.below(6)).map(|node| (node, 9)).collect();
            let kind = if self.luck.percent(80) { kind } else { Kind::Delete };
            let wish = if kind == Kind::Delete { Wish::new() } else { wish };
            commands.push(Command { kind, wish, ..one() });
        }
        for passed in 0..60_000 {
            if !commands.is_empty() && self.luck.percent(50) {
                self.is_rough = false;
                let place = self.luck.below(commands.len());
                if !self.command(&mut commands[place]) {
                    commands.swap_remove(place);
                }
            }
            // At some time things get better.
            self.is_rough = passed < 3_000;
            self.tick();
            if commands.is_empty() && self.store.load("x").unwrap().unwrap().state.phase == Phase::Idle {
                break;
            }
        }
        self.stored = self.store.load("x").unwrap().unwrap();
        assert_eq!(self.stored.state.phase, Phase::Idle, "it comes to rest: {:?}", self.stored.state.status);
    }
}

/// A user who asks for something, step by step as `locus up` and `locus down` do.
struct Command {
    kind: Kind,
    on_failure: OnFailure,
    wish: Wish,
    request: usize,
    plan: Vec<Planned>,
    /// The version of the deployment that the plan is for.
    planned_for: u64,
    /// How much of it is done.
    done: u32,
}

fn text_of(wish: &Wish) -> String {
    wish.iter().map(|(node, version)| key(*node, *version)).collect::<Vec<_>>().join(" ")
}

fn wish_of(text: &str) -> Wish {
    text.split_whitespace().map(parse).collect()
}

/// Asserts that the contents of the cloud, its own log, the stored state and the goal agree.
fn judge(world: &World) {
    let state = &world.stored.state;
    let own = world.stored.token("");
    let mut tokens = BTreeSet::new();
    for (token, ..) in &world.cloud.made {
        assert!(tokens.insert(token), "{token} was made twice");
    }
    let events = world.store.events(&world.stored, 0).unwrap();
    let done: BTreeSet<String> = events
        .iter()
        .filter(|event| event.happened.status == "done")
        .map(|event| match &event.happened.about {
            About::Step(token) => world.stored.token(token),
            other => panic!("{other:?}"),
        })
        .collect();
    let ours = || world.cloud.made.iter().filter(|object| object.0.starts_with(&own));
    for (token, node, is_there, _) in ours() {
        let short = token.strip_prefix(&own).unwrap_or_default().to_owned();
        let is_its = |event: &&StoredEvent| event.happened.about == About::Step(short.clone());
        let its = events.iter().filter(is_its).map(|event| (event.at, &event.happened.status, &event.reason));
        let its: Vec<_> = its.collect();
        assert!(done.contains(token), "{node} was made by {token}, and no event says so: {its:?}");
        let is_known = state.nodes.get(node).is_some_and(|node| node.present);
        assert_eq!(*is_there, is_known && state.nodes[node].id == *token, "{node} by {token}");
    }
    let whole = ours().filter(|object| object.2).map(|object| &object.1);
    let left = world.cloud.left.iter().filter(|(token, _)| token.starts_with(&own)).map(|(_, node)| node);
    let there: BTreeSet<&String> = whole.chain(left).collect();
    let known: BTreeSet<&String> =
        state.nodes.iter().filter(|(_, node)| node.present).map(|(key, _)| key).collect();
    assert_eq!(there, known);
    let happened: Vec<_> = events.into_iter().map(|event| event.happened).collect();
    assert_eq!(verify(&happened), Ok(()));
    assert_eq!(verify_end(&happened, state), Ok(()));
}

fn run(seed: u64) {
    let mut luck = Luck(seed);
    let nodes = 1 + luck.below(6);
    let store = Memory::default();
    let stored = store.create("x", None).unwrap();
    let workers = (0..=luck.below(3))
        .map(|number| Worker {
            name: number.to_string(),
            run: 0,
            job: None,
            paused_until: 0,
            until: 0,
            since: 0,
        })
        .collect();
    let mut world = World {
        luck,
        store,
        stored,
        cloud: Cloud::default(),
        workers,
        flight: Vec::new(),
        clock: 0,
        is_rough: false,
    };
    let mut wish: Wish = (0..nodes).map(|node| (node, 1)).collect();
    for round in 0..4 {
        let on_failure = [OnFailure::RollBack, OnFailure::Keep, OnFailure::Delete][world.luck.below(3)];
        world.ask(Kind::Deploy, &wish, on_failure);
        judge(&world);
        let known: BTreeSet<String> = world
            .stored
            .state
            .nodes
            .iter()
            .filter(|(_, node)| node.present)
            .map(|(key, _)| key.clone())
            .collect();
        let of = |wish: &Wish| -> BTreeSet<String> {
            wish.iter().map(|(node, version)| key(*node, *version)).collect()
        };
        let state = &world.stored.state;
        // Of two who ask at once before there is anything, both may be refused.
        let Some(shown) = state.shown.map(|shown| &state.requests[shown]) else { continue };
        match shown.status {
            RequestStatus::Success => {
                assert!(known.is_superset(&of(&wish_of(&shown.desired))), "as wanted");
            }
            RequestStatus::RolledBack => {
                assert!(known.is_superset(&of(&wish_of(state.previous()))), "as before");
            }
            RequestStatus::Kept => {}
            // Nothing fails for good when things get better, but a rollback may have failed before.
            RequestStatus::RollbackFailed => break,
            other => panic!("{other:?}"),
        }
        if !world.stored.state.status.is_usable()
            && world.stored.state.status != Status::CreateFailed
            && world.stored.state.status != Status::UpdateFailed
        {
            break;
        }
        wish = (0..=world.luck.below(6)).map(|node| (node, round + 2 - world.luck.below(2) as u32)).collect();
    }
    if world.luck.percent(10) {
        // The store is lost. Another one knows nothing of what was made, and takes nothing of it for its own.
        let before: Vec<_> = world.cloud.made.clone();
        world.store = Memory::default();
        world.stored = world.store.create("x", None).unwrap();
        (world.flight, world.cloud.accepted) = (Vec::new(), Vec::new());
        (0..world.workers.len()).for_each(|worker| world.restart(worker));
        let wish: Wish = (0..nodes).map(|node| (node, 1)).collect();
        world.ask(Kind::Deploy, &wish, OnFailure::Keep);
        judge(&world);
        if world.stored.state.status != Status::DeleteComplete {
            world.ask(Kind::Delete, &Wish::new(), OnFailure::Keep);
            judge(&world);
        }
        assert_eq!(
            world.cloud.made[..before.len()],
            before[..],
            "what the other store had made is as it was"
        );
        return;
    }
    if world.stored.state.status != Status::DeleteComplete {
        world.ask(Kind::Delete, &Wish::new(), OnFailure::Keep);
        judge(&world);
        if world.stored.state.status == Status::DeleteComplete {
            assert!(world.cloud.made.iter().all(|object| !object.2), "nothing is left");
            assert!(world.cloud.left.is_empty(), "nothing is left of what failed");
        }
    }
}

fn seeds() -> Range<u64> {
    let given = std::env::var("LOCUS_SEEDS").ok();
    let range = given.as_deref().and_then(|text| text.split_once(".."));
    range.map_or(0..1_000, |(from, to)| from.parse().unwrap()..to.parse().unwrap())
}

#[test]
fn every_seed_ends_as_it_should() {
    for seed in seeds() {
        let result = std::panic::catch_unwind(|| run(seed));
        assert!(result.is_ok(), "repeat it with LOCUS_SEEDS={seed}..{}", seed + 1);
    }
}
