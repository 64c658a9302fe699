//! The runner itself in a simulated world, several at once in real time: runners that leave in the middle and come
//! back, a cloud that fails, loses calls and is slow, and a store that says that it failed although it did not. The
//! cloud's own log, the events and what is stored agree in the end.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use locus_drivers::{Driver, End, Planner, Runner, Settings, Simulated};
use locus_engine::{
    About, Cause, Does, Effect, Input, Kind, OnFailure, Patience, Phase, Planned, RequestStatus, Retry,
    State, Time, step, verify, verify_end,
};
use locus_store::{Error, Memory, Store, Stored, StoredEvent};

/// A store whose transactions now and then fail before they took place, or after.
struct Shaky {
    inner: Memory,
    count: AtomicU64,
    seed: u64,
}

impl Shaky {
    fn fails(&self) -> Option<bool> {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let luck = (count ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58;
        [(0, false), (1, true)].into_iter().find(|(number, _)| *number == luck).map(|(_, is_late)| is_late)
    }
}

fn failed() -> Error {
    Error::Failed("the server is gone".to_owned())
}

impl Store for Shaky {
    fn all(&self) -> Result<Vec<Stored>, Error> {
        self.inner.all()
    }
    fn load(&self, name: &str) -> Result<Option<Stored>, Error> {
        self.inner.load(name)
    }
    fn create(&self, name: &str, newest: Option<&Stored>) -> Result<Stored, Error> {
        self.inner.create(name, newest)
    }
    fn commit(&self, stored: &mut Stored, effects: &[Effect], now: Time) -> Result<(), Error> {
        self.inner.commit(stored, effects, now)
    }
    fn change(
        &self,
        stored: &mut Stored,
        now: Time,
        make: &mut dyn FnMut(&mut State) -> Vec<Effect>,
    ) -> Result<Vec<Effect>, Error> {
        let fails = self.fails();
        if fails == Some(false) {
            return Err(failed());
        }
        let effects = self.inner.change(stored, now, make)?;
        if fails == Some(true) {
            // The server did it, and the answer is lost: what is known of it is worth nothing.
            stored.version = u64::MAX;
            return Err(failed());
        }
        Ok(effects)
    }
    fn keep_document(&self, stored: &Stored, request: usize, content: &str) -> Result<(), Error> {
        self.inner.keep_document(stored, request, content)
    }
    fn documents(&self, stored: &Stored) -> Result<Vec<(usize, String)>, Error> {
        self.inner.documents(stored)
    }
    fn forget(&self, name: &str) -> Result<(), Error> {
        self.inner.forget(name)
    }
    fn events(&self, stored: &Stored, after: u64) -> Result<Vec<StoredEvent>, Error> {
        self.inner.events(stored, after)
    }
    fn working(&self) -> Result<Vec<String>, Error> {
        self.inner.working()
    }
    fn wait(&self, patience: Duration) {
        self.inner.wait(patience.min(Duration::from_millis(5)));
    }
}

fn planned(node: usize, does: Does, needs: Vec<u32>) -> Planned {
    let (node, operation) = (format!("n{node}"), does.as_str().to_owned());
    Planned { node, does, operation, desired: String::new(), needs, cleanup: false }
}

/// Undoes by deleting all that is there, the last first.
struct Away;

impl Planner for Away {
    fn compensate(&self, state: &State) -> Option<Vec<Planned>> {
        Some(deletions(state))
    }
}

fn deletions(state: &State) -> Vec<Planned> {
    let there = state.nodes.iter().filter(|(_, node)| node.present);
    let mut numbers: Vec<usize> = there.map(|(name, _)| name[1..].parse().expect("a name of ours")).collect();
    numbers.sort_unstable_by(|a, b| b.cmp(a));
    let needs = |place: usize| if place == 0 { Vec::new() } else { vec![place as u32 - 1] };
    numbers.iter().enumerate().map(|(place, &node)| planned(node, Does::Delete, needs(place))).collect()
}

fn clock() -> Time {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("it is after 1970").as_millis() as Time
}

fn put(store: &dyn Store, stored: &mut Stored, input: &Input) {
    let mut make = |state: &mut State| {
        let (next, effects) = step(std::mem::take(state), input.clone());
        *state = next;
        effects
    };
    let effects = store.change(stored, clock(), &mut make).expect("it is in memory");
    assert!(!matches!(effects[..], [Effect::Refused(_)]), "{input:?}: {effects:?}");
}

fn begin(store: &Memory, stored: &mut Stored, kind: Kind, plan: Vec<Planned>) {
    let request = stored.state.requests.len();
    let on_failure = OnFailure::RollBack;
    put(store, stored, &Input::Submit { kind, on_failure, desired: String::new(), by: String::new() });
    put(store, stored, &Input::Check { request, valid: true });
    put(store, stored, &Input::Process { request });
    put(store, stored, &Input::Begin { request, plan: Some(plan) });
}

/// Runners work until nothing goes on. Each leaves after a while, and another one takes its place.
fn work(store: &Shaky, cloud: &Arc<Simulated>, seed: u64) {
    let began = Instant::now();
    let born = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                loop {
                    let mut stored = store.load("x").expect("it is in memory").expect("it is there");
                    if stored.state.phase == Phase::Idle {
                        return;
                    }
                    assert!(began.elapsed() < Duration::from_mins(1), "seed {seed}: it does not end");
                    let number = born.fetch_add(1, Ordering::Relaxed);
                    let asked = AtomicU64::new(0);
                    let patience = 3 + (seed + number) % 40;
                    let mut runner = Runner {
                        store,
                        driver: Arc::clone(cloud) as Arc<dyn Driver>,
                        settings: Settings {
                            worker: format!("w{number}"),
                            parallel: 1 + (seed + number) as usize % 4,
                            lease: Duration::from_millis(60),
                            deadline: Duration::from_millis(40),
                        },
                        planner: &Away,
                        is_gone: &|_| false,
                        clock: &clock,
                        watch: &mut |_| {},
                        interrupts: &|| {
                            if asked.fetch_add(1, Ordering::Relaxed) > patience { 2 } else { 0 }
                        },
                    };
                    match runner.run(&mut stored) {
                        Ok(End::Rests | End::Left) | Err(Error::Failed(_)) => {}
                        other => panic!("seed {seed}: {other:?}"),
                    }
                }
            });
        }
    });
}

/// All that the cloud says that happened, what the events say, and what is stored.
fn judge(store: &Memory, cloud: &Simulated, seed: u64) -> Stored {
    let stored = store.load("x").expect("it is in memory").expect("it is there");
    let happened: Vec<_> = store
        .events(&stored, 0)
        .expect("they are in memory")
        .into_iter()
        .map(|event| event.happened)
        .collect();
    assert_eq!(verify(&happened), Ok(()), "seed {seed}");
    assert_eq!(verify_end(&happened, &stored.state), Ok(()), "seed {seed}");
    let done = happened.iter().filter(|event| event.status == "done").map(|event| match &event.about {
        About::Step(token) => stored.token(token),
        other => panic!("{other:?}"),
    });
    let done: BTreeSet<String> = done.collect();
    let mut there: BTreeMap<String, String> = BTreeMap::new();
    let mut tokens = BTreeSet::new();
    for made in cloud.log().expect("it is in memory").into_iter().filter(|made| made.what != "accept") {
        assert!(tokens.insert(made.token.clone()), "seed {seed}: {} twice", made.token);
        if made.what == "delete" {
            there.remove(&made.node);
        } else {
            let before = there.insert(made.node.clone(), made.token);
            assert_eq!(before, None, "seed {seed}: {} is made and was there", made.node);
        }
    }
    assert_eq!(tokens, done, "seed {seed}: what was done is what the events say");
    let known = stored.state.nodes.iter().filter(|(_, node)| node.present);
    let known: BTreeMap<String, String> = known.map(|(name, node)| (name.clone(), node.id.clone())).collect();
    assert_eq!(there, known, "seed {seed}");
    stored
}

fn run(seed: u64) {
    let store = Shaky { inner: Memory::default(), count: AtomicU64::new(0), seed };
    let cloud = Arc::new(Simulated::in_memory(seed, true));
    let mut stored = store.create("x", None).expect("it is in memory");
    let retry = Retry { failures: 6, pause: 3, longest: 20 };
    stored.state.patience = Cause::ALL
        .into_iter()
        .filter(|cause| *cause != Cause::Refused)
        .fold(Patience::default(), |patience, cause| patience.with(cause, retry));
    store.commit(&mut stored, &[Effect::Store(locus_engine::Part::Deployment)], 0).expect("it is in memory");
    let needs = |node: usize| if node < 3 { Vec::new() } else { vec![node as u32 - 3] };
    let creations = (0..12).map(|node| planned(node, Does::Create, needs(node))).collect();
    begin(&store.inner, &mut stored, Kind::Deploy, creations);
    work(&store, &cloud, seed);
    let mut stored = judge(&store.inner, &cloud, seed);
    let present = stored.state.nodes.values().filter(|node| node.present).count();
    match stored.state.requests[0].status {
        RequestStatus::Success => assert_eq!(present, 12, "seed {seed}"),
        RequestStatus::RolledBack => assert_eq!(present, 0, "seed {seed}"),
        other => assert_eq!(other, RequestStatus::RollbackFailed, "seed {seed}"),
    }
    let plan = deletions(&stored.state);
    begin(&store.inner, &mut stored, Kind::Delete, plan);
    work(&store, &cloud, seed);
    judge(&store.inner, &cloud, seed);
}

#[test]
fn several_runners_that_leave_and_come_back_do_everything_once() {
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= 24 {
                        return;
                    }
                    run(seed);
                }
            });
        }
    });
}
