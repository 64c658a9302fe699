//! The scenarios of the convergence tests of Heat, for this engine, with the planner that it really uses: each with one
//! to three workers, and with one kill at every write to the store and at every call of the cloud, before it takes
//! place and after.
//!
//! The scenarios are those of `heat/tests/convergence/scenarios` in our own words: the same resources and the same
//! requests in the same order. Heat begins an update while another is running; here the running one ends first. So the
//! states are compared when no operation is running any more.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use locus_drivers::{Planner, Site};
use locus_engine::{
    At, Does, Effect, Happened, Input, Job, Kind, Observation, OnFailure, Outcome, Phase, RequestStatus,
    State, Status, StepState, Time, verify,
};
use locus_store::{Memory, Store, Stored, StoredEvent};
use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};

use locus_deploy::{Asked, Back, Error, Goal, Needed, Node, Path, VERSION, begin, path, put};
use locus_meaning::Key;

/// An event of a scenario.
enum Act {
    /// A user runs `locus up` with these resources.
    Up(&'static str),
    /// Until so many steps of what goes on are done.
    Wait(usize),
    /// A user runs `locus cancel`.
    Cancel,
    /// A user runs `locus down`.
    Down,
    /// When nothing goes on any more, these resources are there and no others.
    Expect(&'static str),
    /// As before, or these resources if it was too late to cancel.
    ExpectBefore(&'static str, &'static str),
    /// The resource is remembered.
    Remember(&'static str),
    /// It is still the same.
    Same(&'static str),
    /// It is another.
    Other(&'static str),
}

use Act::{Cancel, Down, Expect, ExpectBefore, Other, Remember, Same, Up, Wait};

/// Resources: `name(property=value@target,!fixed=value):needed,needed`. A property with a target refers to it, and one
/// that is fixed can only be changed by replacing the resource.
const BASE: &str = "A B C(a=4alpha):A,B D(c=@C) E(ca=4alpha@C)";
const SHRUNK: &str = "A B C(a=4alpha):A,B D(c=@C)";
const LONG: &str = "A B C(a=4alpha):A,B D(c=@C) E(ca=4alpha@C) F:D,E";
const FIRST: &str = "A(a=initial) B C(!a=initial@A):B D(c=@C) E(ca=initial@C)";
const SECOND: &str = "A(a=updated) B C(!a=updated@A):B D(c=@C) E(ca=updated@C)";
const SECOND_LONG: &str = "A(a=updated) B C(!a=updated@A):B D(c=@C) E(ca=updated@C) F:D,E";
const RENAMED: &str = "A(a=updated) B newC(!a=updated@A):B D(c=@newC) E(ca=updated@newC)";
const RENAMED_LONG: &str = "A(a=updated) B newC(!a=updated@A):B D(c=@newC) E(ca=updated@newC) F:D,E";

/// The scenarios, by the names that Heat gives them.
fn scenarios() -> Vec<(&'static str, Vec<Act>)> {
    let with_f = "A B C(a=4alpha):A,B D(c=@C) E(ca=4alpha@C) F:A";
    let with_f_late = "A B C(a=4alpha):A,B D(c=@C) E(ca=4alpha@C) F:D";
    let disjoint = "A B C(a=4alpha):A D(c=@C) E";
    let without_b = "A C(a=4alpha):A D(c=@C) E(ca=4alpha@C)";
    let (line, line_later) =
        ("A B(a=4alpha):A C(a=foo):B D(a=bar):C", "A B(a=4alpha):A C(a=blarg):B D(a=wibble):C");
    let (upright, inverted) = ("A(!a=initial) B(!b=first):A", "A(!a=updated):B B(!b=second)");
    let (value_1, value_1_later, value_2) = (
        "A(a=initial) B C(!a=initial@A,b=val1) D(c=@C) E(ca=initial@C)",
        "A(a=updated) B C(!a=updated@A,b=val1) D(c=@C) E(ca=updated@C)",
        "A(a=initial) B C(!a=initial@A,b=val2) D(c=@C) E(ca=initial@C)",
    );
    vec![
        ("basic_create", vec![Up(BASE), Expect(BASE)]),
        ("basic_create_rollback", vec![Up(BASE), Wait(3), Cancel, ExpectBefore("", BASE)]),
        ("basic_update_delete", vec![Up(BASE), Wait(2), Up(LONG), Expect(LONG), Down, Expect("")]),
        ("create_early_delete", vec![Up(BASE), Wait(2), Down, Expect("")]),
        ("disjoint_create", vec![Up(disjoint), Expect(disjoint)]),
        (
            "multiple_update",
            vec![
                Up(BASE),
                Expect(BASE),
                Up(SHRUNK),
                Expect(SHRUNK),
                Up(LONG),
                Expect(LONG),
                Down,
                Expect(""),
            ],
        ),
        ("update_add", vec![Up(BASE), Expect(BASE), Up(LONG), Expect(LONG)]),
        ("update_add_concurrent", vec![Up(BASE), Wait(2), Up(LONG), Expect(LONG)]),
        ("update_add_rollback", vec![Up(BASE), Expect(BASE), Up(with_f), Cancel, ExpectBefore(BASE, with_f)]),
        (
            "update_add_rollback_early",
            vec![Up(BASE), Expect(BASE), Up(with_f_late), Cancel, ExpectBefore(BASE, with_f_late)],
        ),
        ("update_interrupt_create", vec![Up(line), Wait(1), Up(line_later), Expect(line_later)]),
        ("update_remove", vec![Up(BASE), Expect(BASE), Up(SHRUNK), Expect(SHRUNK)]),
        (
            "update_remove_rollback",
            vec![
                Up(BASE),
                Expect(BASE),
                Remember("B"),
                Up(without_b),
                Cancel,
                ExpectBefore(BASE, without_b),
                Same("B"),
            ],
        ),
        (
            "update_replace",
            vec![
                Up(FIRST),
                Expect(FIRST),
                Remember("C"),
                Up(SECOND),
                Expect(SECOND),
                Up(SECOND_LONG),
                Expect(SECOND_LONG),
                Other("C"),
                Down,
                Expect(""),
            ],
        ),
        (
            "update_replace_invert_deps",
            vec![Up(upright), Expect(upright), Up(inverted), Expect(inverted), Down, Expect("")],
        ),
        (
            "update_replace_missed_cleanup",
            vec![
                Up(FIRST),
                Expect(FIRST),
                Up(SECOND),
                Wait(4),
                Up(SECOND_LONG),
                Expect(SECOND_LONG),
                Down,
                Expect(""),
            ],
        ),
        (
            "update_replace_missed_cleanup_delete",
            vec![Up(FIRST), Expect(FIRST), Up(SECOND), Wait(4), Down, Expect("")],
        ),
        (
            "update_replace_rollback",
            vec![
                Up(FIRST),
                Expect(FIRST),
                Remember("C"),
                Up(SECOND),
                Wait(2),
                Cancel,
                ExpectBefore(FIRST, SECOND),
                Same("C"),
                Down,
                Expect(""),
            ],
        ),
        (
            "update_user_replace",
            vec![
                Up(FIRST),
                Expect(FIRST),
                Up(RENAMED),
                Expect(RENAMED),
                Up(RENAMED_LONG),
                Expect(RENAMED_LONG),
                Down,
                Expect(""),
            ],
        ),
        (
            "update_user_replace_rollback",
            vec![
                Up(FIRST),
                Expect(FIRST),
                Up(RENAMED),
                Wait(2),
                Cancel,
                ExpectBefore(FIRST, RENAMED),
                Down,
                Expect(""),
            ],
        ),
        (
            "update_user_replace_rollback_update",
            vec![
                Up(value_1),
                Expect(value_1),
                Up(value_1_later),
                Wait(2),
                Cancel,
                ExpectBefore(value_1, value_1_later),
                Up(value_2),
                Expect(value_2),
                Down,
                Expect(""),
            ],
        ),
    ]
}

fn goal(text: &str) -> Goal {
    let mut nodes = Vec::new();
    for word in text.split_whitespace() {
        let (described, needs) = word.split_once(':').unwrap_or((word, ""));
        let (name, properties) = described.split_once('(').unwrap_or((described, ")"));
        let need = |target: &str, via: Option<&str>| Needed {
            target: Key::name(target).into(),
            via: via.map(str::to_owned),
            at: 0,
            phase: None,
            only_to_start: false,
        };
        let plain = name.trim_start_matches('^');
        let mut thing = Node::of_all(&[locus_meaning::things::Thing::new(plain, "resource")]).remove(0);
        if plain != name {
            thing.phases = vec!["created".to_owned(), "started".to_owned()];
            thing.endings = vec!["stopped".to_owned()];
            thing.old_first = Some(1);
        }
        for property in properties.trim_end_matches(')').split(',').filter(|property| !property.is_empty()) {
            let (key, value) = property.split_once('=').expect("a property has a value");
            let (value, target) = value.split_once('@').unwrap_or((value, ""));
            if let Some(key) = key.strip_prefix('!') {
                thing.fixed.push(key.to_owned());
            }
            let key = key.trim_start_matches('!');
            thing.properties.insert(key.to_owned(), value.to_owned());
            thing.needs.extend((!target.is_empty()).then(|| need(target, Some(key))));
        }
        thing.needs.extend(needs.split(',').filter(|name| !name.is_empty()).map(|name| need(name, None)));
        nodes.push(thing);
    }
    Goal {
        version: VERSION,
        driver: Site::new("simulated", [("seed", "0".to_owned())]),
        base: String::new(),
        sites: BTreeMap::new(),
        timeouts: BTreeMap::new(),
        place: String::new(),
        nodes,
    }
}

/// The time of what is written, on which nothing here depends.
fn clock() -> Time {
    0
}

/// A node without what it needs, which nothing is done about when only that changes, and without what it refers to.
fn alone(node: Node) -> String {
    Node { needs: Vec::new(), refers: BTreeMap::new(), ..node }.text()
}

const DELETE: Asked<'static> =
    Asked { kind: Kind::Delete, on_failure: OnFailure::Keep, by: "me", document: None };

/// When somebody is killed: at which of all moments at which that matters.
struct Fate {
    moments: AtomicUsize,
    last: usize,
}

impl Fate {
    /// One more moment: an error if whoever comes by is killed.
    fn pass(&self) -> Result<(), locus_store::Error> {
        let moment = self.moments.fetch_add(1, Ordering::Relaxed);
        if moment == self.last { Err(locus_store::Error::Failed("killed".to_owned())) } else { Ok(()) }
    }
}

/// The store as one sees it who may be killed before and after every write.
struct Mortal<'a> {
    store: &'a Memory,
    fate: &'a Fate,
}

impl Store for Mortal<'_> {
    fn all(&self) -> Result<Vec<Stored>, locus_store::Error> {
        self.store.all()
    }

    fn load(&self, name: &str) -> Result<Option<Stored>, locus_store::Error> {
        self.store.load(name)
    }

    fn create(&self, name: &str, newest: Option<&Stored>) -> Result<Stored, locus_store::Error> {
        self.fate.pass()?;
        let stored = self.store.create(name, newest)?;
        self.fate.pass()?;
        Ok(stored)
    }

    fn keep_document(
        &self,
        stored: &Stored,
        request: usize,
        content: &str,
    ) -> Result<(), locus_store::Error> {
        self.fate.pass()?;
        self.store.keep_document(stored, request, content)
    }

    fn documents(&self, stored: &Stored) -> Result<Vec<(usize, String)>, locus_store::Error> {
        self.store.documents(stored)
    }

    fn forget(&self, name: &str) -> Result<(), locus_store::Error> {
        self.store.forget(name)
    }

    fn commit(&self, stored: &mut Stored, effects: &[Effect], now: Time) -> Result<(), locus_store::Error> {
        self.fate.pass()?;
        self.store.commit(stored, effects, now)?;
        self.fate.pass()
    }

    fn change(
        &self,
        stored: &mut Stored,
        now: Time,
        make: &mut dyn FnMut(&mut State) -> Vec<Effect>,
    ) -> Result<Vec<Effect>, locus_store::Error> {
        self.fate.pass()?;
        let effects = self.store.change(stored, now, make)?;
        self.fate.pass()?;
        Ok(effects)
    }

    fn events(&self, stored: &Stored, after: u64) -> Result<Vec<StoredEvent>, locus_store::Error> {
        self.store.events(stored, after)
    }

    fn working(&self) -> Result<Vec<String>, locus_store::Error> {
        self.store.working()
    }

    fn wait(&self, patience: std::time::Duration) {
        self.store.wait(patience);
    }
}

/// The contents of the cloud: what each object is to be, and the token that made it.
#[derive(Default)]
struct Cloud {
    objects: BTreeMap<String, (String, String)>,
    /// All tokens that did something.
    used: BTreeSet<String>,
}

impl Cloud {
    /// Does a step. It is an error to do anything twice, to make what is there, or to change what is not.
    fn perform(&mut self, node: &str, does: Does, token: &str, desired: &str) {
        assert!(self.used.insert(token.to_owned()), "{token} was done twice");
        match does {
            Does::Create => {
                let before = self.objects.insert(node.to_owned(), (desired.to_owned(), token.to_owned()));
                assert!(before.is_none(), "{node} was there");
            }
            Does::Change => {
                let object = self.objects.get_mut(node).unwrap_or_else(|| panic!("{node} is not there"));
                desired.clone_into(&mut object.0);
            }
            Does::Delete => assert!(self.objects.remove(node).is_some(), "{node} is not there"),
        }
        // At no time does anything refer to what is not there.
        for (user, (desired, _)) in &self.objects {
            for target in Node::parse(desired).expect("it was written by us").refers.values() {
                assert!(self.objects.contains_key(target), "{user} refers to {target}, which is not there");
            }
        }
    }
}

struct Worker {
    name: String,
    job: Option<Job>,
}

/// A run of a scenario.
struct World<'a> {
    store: &'a Memory,
    fate: &'a Fate,
    cloud: Cloud,
    workers: Vec<Worker>,
    /// How many workers there were, whose names are their numbers.
    born: usize,
    clock: Time,
    cancelled: bool,
    remembered: BTreeMap<&'static str, String>,
}

const NAME: &str = "foo";

impl<'a> World<'a> {
    fn new(store: &'a Memory, fate: &'a Fate, workers: usize) -> Self {
        let worker = |number: usize| Worker { name: number.to_string(), job: None };
        Self {
            store,
            fate,
            cloud: Cloud::default(),
            workers: (0..workers).map(worker).collect(),
            born: workers,
            clock: 0,
            cancelled: false,
            remembered: BTreeMap::new(),
        }
    }

    fn mortal(&self) -> Mortal<'a> {
        Mortal { store: self.store, fate: self.fate }
    }

    fn stored(&self) -> Option<Stored> {
        self.store.load(NAME).expect("it can be read")
    }

    fn phase(&self) -> Phase {
        self.stored().map_or(Phase::Idle, |stored| stored.state.phase)
    }

    /// Each worker does one thing. Who is killed is followed by another.
    fn pass_time(&mut self) {
        for number in 0..self.workers.len() {
            self.clock += 1;
            if self.turn(number).is_err() {
                self.workers[number] = Worker { name: self.born.to_string(), job: None };
                self.born += 1;
            }
        }
    }

    fn until(&mut self, what: &str, is_so: impl Fn(&World<'_>) -> bool) {
        for _ in 0..2_000 {
            if is_so(self) {
                return;
            }
            self.pass_time();
        }
        let state = self.stored().map(|stored| (stored.state.status, stored.state.phase));
        panic!("{what} never comes: {state:?}");
    }

    /// Puts an input into the deployment: what follows for the worker.
    fn put(&self, stored: &mut Stored, input: &Input) -> Result<Vec<Effect>, Error> {
        Ok(put(&self.mortal(), stored, input, clock())?.unwrap_or_default())
    }

    fn turn(&mut self, number: usize) -> Result<(), Error> {
        let Some(mut stored) = self.stored() else { return Ok(()) };
        let Some(job) = self.workers[number].job.take() else {
            return self.look_for_work(number, &mut stored);
        };
        let ticket = job.ticket.clone();
        let next = match &job.at {
            At::Claimed => self.put(&mut stored, &Input::Intend { ticket })?.iter().find_map(Job::of),
            At::Intended | At::Calling => {
                let step = &stored.state.steps[ticket.step as usize];
                self.fate.pass()?;
                let token = format!("{}/{}", stored.incarnation, step.token);
                self.cloud.perform(&step.planned.node, step.planned.does, &token, &step.planned.desired);
                self.fate.pass()?;
                Some(job.with_reply(Outcome::Done { id: token, outputs: BTreeMap::new() }))
            }
            At::Asking | At::Polling | At::Doubting(_) => {
                let step = &stored.state.steps[ticket.step as usize];
                let token = format!("{}/{}", stored.incarnation, step.token);
                Some(job.having_seen(if self.cloud.used.contains(&token) {
                    Observation::Done { id: token, outputs: BTreeMap::new() }
                } else {
                    Observation::Absent
                }))
            }
            At::Ended(outcome) => {
                let outcome = outcome.clone();
                self.put(&mut stored, &Input::Record { ticket, outcome, now: self.clock })?;
                None
            }
        };
        self.workers[number].job = next;
        Ok(())
    }

    fn look_for_work(&mut self, number: usize, stored: &mut Stored) -> Result<(), Error> {
        let state = &stored.state;
        let is_gone = |name: &str| self.workers.iter().all(|worker| worker.name != name);
        let mut places = (0u32..).zip(&state.steps);
        let left = places.find(|(_, step)| step.claim.as_ref().is_some_and(|claim| is_gone(&claim.worker)));
        if let Some((step, _)) = left {
            self.put(stored, &Input::Expire { step })?;
            return Ok(());
        }
        let ready: Vec<u32> = (0u32..)
            .zip(&state.steps)
            .filter(|(_, step)| state.is_claimable(step))
            .map(|(place, _)| place)
            .collect();
        if let Some(&step) = ready.get(number % ready.len().max(1)) {
            let worker = self.workers[number].name.clone();
            let claim = Input::Claim { step, worker, now: self.clock, until: Time::MAX };
            self.workers[number].job = self.put(stored, &claim)?.iter().find_map(Job::of);
        } else if self.put(stored, &Input::Settle)?.contains(&Effect::Plan) {
            let plan = Back.compensate(&stored.state);
            assert!(plan.is_some(), "there is a way back");
            self.put(stored, &Input::Compensate { plan })?;
        }
        Ok(())
    }

    /// Runs a command as a user does, again and again until it says that it is done.
    fn command(&mut self, what: &str, run: impl Fn(&Mortal<'_>) -> Result<bool, Error>) {
        let mut last = None;
        for _ in 0..2_000 {
            // Whoever is killed starts again.
            match run(&self.mortal()) {
                Ok(true) => return,
                Ok(false) => {}
                Err(error) => last = Some(error),
            }
            self.pass_time();
        }
        panic!("{what} never ends: {last:?}");
    }

    fn up(&mut self, text: &str) {
        let goal = goal(text);
        let wanted = goal.text();
        self.command("locus up", |store| {
            let newest = store.load(NAME)?;
            let is_there = |stored: &&Stored| stored.state.status != Status::DeleteComplete;
            let mut stored = match newest.as_ref().filter(is_there) {
                Some(stored) => stored.clone(),
                None => store.create(NAME, newest.as_ref())?,
            };
            let state = &stored.state;
            if state.phase != Phase::Idle {
                // It is begun, or something else goes on.
                return Ok(state.applying().is_some_and(|request| state.requests[request].desired == wanted));
            }
            if state.status.is_lost() {
                begin(store, &mut stored, DELETE, None, &clock, |stored| {
                    path(&stored.state, &[]).map(Path::into_steps)
                })?;
                return Ok(false);
            }
            let steps = |stored: &Stored| path(&stored.state, &goal.nodes).map(Path::into_steps);
            if steps(&stored)?.is_empty() && state.status.is_usable() {
                return Ok(true);
            }
            let asked =
                Asked { kind: Kind::Deploy, on_failure: OnFailure::RollBack, by: "me", document: None };
            begin(store, &mut stored, asked, Some(&goal), &clock, steps)?;
            Ok(true)
        });
    }

    fn down(&mut self) {
        self.command("locus down", |store| {
            let Some(mut stored) = store.load(NAME)? else { return Ok(true) };
            let state = &stored.state;
            if matches!(state.status, Status::DeleteComplete | Status::Absent) {
                return Ok(true);
            }
            if state.status == Status::CreateInProgress && state.phase == Phase::Forward {
                let _ = put(store, &mut stored, &Input::Cancel { discard: true }, clock())?;
            } else if state.phase == Phase::Idle {
                begin(store, &mut stored, DELETE, None, &clock, |stored| {
                    path(&stored.state, &[]).map(Path::into_steps)
                })?;
            }
            Ok(false)
        });
    }

    fn cancel(&mut self) {
        self.command("locus cancel", |store| {
            let mut stored = store.load(NAME)?.expect("it is deployed");
            if stored.state.phase == Phase::Forward {
                let _ = put(store, &mut stored, &Input::Cancel { discard: false }, clock())?;
            }
            Ok(true)
        });
        let state = self.stored().expect("it is deployed").state;
        let status = state.requests.last().map(|request| request.status);
        self.cancelled = matches!(status, Some(RequestStatus::PartialFailure | RequestStatus::RolledBack));
    }

    /// The object of a resource.
    fn object(&self, name: &str) -> String {
        let is_meant = |key: &str| key.split('~').next() == Some(name);
        let found = self.cloud.objects.iter().find(|(key, _)| is_meant(key));
        found.map(|(_, (_, token))| token.clone()).unwrap_or_default()
    }

    fn expect(&mut self, text: &str) {
        self.until("rest", |world| world.phase() == Phase::Idle);
        let wanted: BTreeMap<String, String> =
            goal(text).nodes.into_iter().map(|node| (node.name.clone(), alone(node))).collect();
        let there: Vec<(String, String)> = self
            .cloud
            .objects
            .iter()
            .map(|(key, (desired, _))| {
                let node = Node::parse(desired).expect("it was written by us");
                (key.split('~').next().unwrap_or(key).to_owned(), alone(node))
            })
            .collect();
        assert_eq!(there.len(), wanted.len(), "{:?}", self.cloud.objects.keys());
        assert_eq!(there.into_iter().collect::<BTreeMap<_, _>>(), wanted);
        let stored = self.stored().expect("it is deployed");
        let known: BTreeMap<&String, (&String, &String)> = stored
            .state
            .nodes
            .iter()
            .filter(|(_, node)| node.present)
            .map(|(key, node)| (key, (&node.desired, &node.id)))
            .collect();
        let there: BTreeMap<_, _> =
            self.cloud.objects.iter().map(|(key, (desired, token))| (key, (desired, token))).collect();
        assert_eq!(known, there, "what is stored is what is there");
        assert!(stored.state.steps.iter().all(|step| step.state != StepState::Unknown));
        let events = self.store.events(&stored, 0).expect("they can be read");
        let happened: Vec<Happened> = events.into_iter().map(|event| event.happened).collect();
        assert_eq!(verify(&happened), Ok(()));
    }

    fn act(&mut self, act: &Act) {
        match *act {
            Up(text) => self.up(text),
            Down => self.down(),
            Cancel => self.cancel(),
            Wait(number) => self.until("that many steps", |world| {
                let stored = world.stored().expect("it is deployed");
                let done = stored.state.steps.iter().filter(|step| step.state == StepState::Done);
                stored.state.phase == Phase::Idle || done.count() >= number
            }),
            Expect(text) => self.expect(text),
            ExpectBefore(before, after) => self.expect(if self.cancelled { before } else { after }),
            Remember(name) => {
                let object = self.object(name);
                self.remembered.insert(name, object);
            }
            Same(name) if self.cancelled => assert_eq!(self.object(name), self.remembered[name]),
            Same(_) => {}
            Other(name) => assert_ne!(self.object(name), self.remembered[name]),
        }
    }
}

/// Runs a scenario. The number of moments at which somebody could have been killed.
fn run(acts: &[Act], workers: usize, last: usize) -> usize {
    let (store, fate) = (Memory::default(), Fate { moments: AtomicUsize::new(0), last });
    let mut world = World::new(&store, &fate, workers);
    for act in acts {
        world.act(act);
        let undisturbed = last == usize::MAX && matches!(act, Cancel);
        assert!(!undisturbed || world.cancelled, "undisturbed, it is not too late to cancel");
    }
    fate.moments.load(Ordering::Relaxed)
}

#[test]
fn all_scenarios_converge_wherever_somebody_is_killed() {
    let scenarios = scenarios();
    assert_eq!(scenarios.len(), 21);
    let kills: usize = scenarios
        .par_iter()
        .flat_map(|scenario| (1..=3usize).into_par_iter().map(move |workers| (scenario, workers)))
        .map(|((name, acts), workers)| {
            let moments = run(acts, workers, usize::MAX);
            for last in 0..moments {
                let result = std::panic::catch_unwind(|| run(acts, workers, last));
                assert!(result.is_ok(), "{name} with {workers} workers and a kill at moment {last}");
            }
            moments
        })
        .sum();
    assert!(kills > 5_000, "only {kills} kills");
}

#[test]
fn needs_that_are_new_count_when_it_is_taken_down() {
    let (store, fate) = (Memory::default(), Fate { moments: AtomicUsize::new(0), last: usize::MAX });
    let mut world = World::new(&store, &fate, 1);
    for act in [Up("A B"), Expect("A B"), Up("A B:A C"), Expect("A B:A C")] {
        world.act(&act);
    }
    let stored = world.stored().expect("it is deployed");
    let path = path(&stored.state, &[]).expect("there is a way");
    let place = |name: &str| path.steps.iter().position(|step| step.node == name).expect(name);
    assert!(path.steps[place("A")].needs.contains(&(place("B") as u32)), "B needs A, and goes first");
}

#[test]
fn what_took_a_place_leaves_it_before_the_old_one_has_it_again() {
    let (before, after) = ("^A(!image=1) B(n=1)", "^A(!image=2) B(n=2)");
    let wanted = goal(before).nodes;
    for done in 1..8 {
        let (store, fate) = (Memory::default(), Fate { moments: AtomicUsize::new(0), last: usize::MAX });
        let mut world = World::new(&store, &fate, 1);
        for act in [Up(before), Expect(before), Up(after), Wait(done)] {
            world.act(&act);
        }
        let stored = world.stored().expect("it is deployed");
        let back = path(&stored.state, &wanted).expect("there is a way back");
        let steps = || back.steps.iter().enumerate();
        // A container that is there already is started by an update.
        let is_start = |step: &locus_engine::Planned| {
            step.node == "A" && ["start", "update"].contains(&&*step.operation)
        };
        let Some((start, old)) = steps().find(|(_, step)| is_start(step)) else { continue };
        let is_end = |step: &locus_engine::Planned| step.node != "A" && step.node.starts_with('A');
        let Some((end, _)) = steps().find(|(_, step)| is_end(step)) else { continue };
        let mut before = old.needs.clone();
        let mut at = 0;
        while at < before.len() {
            let more = back.steps[before[at] as usize].needs.clone();
            before.extend(more);
            at += 1;
        }
        assert!(end < start && before.contains(&(end as u32)), "after {done} steps: {:#?}", back.steps);
    }
}
