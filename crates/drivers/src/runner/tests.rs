//! Properties of the runner alone: it keeps to its lease, and takes up claims of its own that no worker executes.

use locus_engine::{Does, Failure, Kind, Left, OnFailure};
use locus_store::Memory;

use super::*;
use crate::{Ability, Seen, simulated};

/// A world that does at once what it is asked to, and counts how often.
#[derive(Default)]
struct Willing(AtomicU64);

impl Driver for Willing {
    fn call(&self, order: &Order) -> Reply {
        self.0.fetch_add(1, Ordering::Relaxed);
        Reply::Ended(Outcome::Done { id: order.token.clone(), outputs: BTreeMap::new() })
    }

    fn observe(&self, _: &Order) -> Observation {
        Observation::Absent
    }

    fn look(&self, _: &Order) -> Seen {
        Seen::There
    }

    fn ability(&self) -> &Ability {
        &simulated::ABILITY
    }
}

struct Nobody;

impl Planner for Nobody {
    fn compensate(&self, _: &State) -> Option<Vec<Planned>> {
        None
    }
}

fn put(store: &dyn Store, stored: &mut Stored, input: &Input) -> Vec<Effect> {
    let mut make = |state: &mut State| {
        let (next, effects) = step(std::mem::take(state), input.clone());
        *state = next;
        effects
    };
    store.change(stored, 0, &mut make).expect("it is in memory")
}

/// A deployment with one step that was begun.
fn begun(store: &dyn Store) -> Stored {
    let mut stored = store.create("x", None).expect("it is in memory");
    let planned = Planned {
        node: "a".to_owned(),
        does: Does::Create,
        operation: "create".to_owned(),
        desired: "{}".to_owned(),
        needs: Vec::new(),
        cleanup: false,
    };
    for input in [
        Input::Submit {
            kind: Kind::Deploy,
            on_failure: OnFailure::Keep,
            desired: String::new(),
            by: String::new(),
        },
        Input::Check { request: 0, valid: true },
        Input::Process { request: 0 },
        Input::Begin { request: 0, plan: Some(vec![planned]) },
    ] {
        put(store, &mut stored, &input);
    }
    stored
}

#[test]
fn whoever_was_paused_past_its_lease_calls_nothing() {
    let store = Memory::default();
    let mut stored = begun(&store);
    let claim = Input::Claim { step: 0, worker: "w".to_owned(), now: 0, until: 10 };
    let effects = put(&store, &mut stored, &claim);
    let job = effects.iter().find_map(Job::of).expect("it is claimed").intended();
    let (driver, order) = (Willing::default(), order(&stored, 0));
    assert_eq!(work(&driver, job.clone(), &order, &AtomicU64::new(wall() - 1)), None);
    assert_eq!(driver.0.load(Ordering::Relaxed), 0, "somebody else may be at it");
    // The same after a look at a call that was lost.
    assert_eq!(work(&driver, job.clone().without_reply(), &order, &AtomicU64::new(wall() - 1)), None);
    assert_eq!(driver.0.load(Ordering::Relaxed), 0);
    let outcome = work(&driver, job, &order, &AtomicU64::new(wall() + 60_000));
    assert!(matches!(outcome, Some(Outcome::Done { .. })), "{outcome:?}");
}

/// The transaction with the claim took place, and the worker never heard of it.
#[test]
fn a_claim_of_its_own_that_it_does_not_know_is_taken_up_again() {
    let store = Memory::default();
    let mut stored = begun(&store);
    let claim = Input::Claim { step: 0, worker: "me".to_owned(), now: 0, until: Time::MAX / 2 };
    put(&store, &mut stored, &claim);
    let driver = Arc::new(Willing::default());
    // With no step at a time nothing would ever be done either.
    let settings = Settings {
        worker: "me".to_owned(),
        parallel: 0,
        lease: Duration::from_secs(30),
        deadline: Duration::from_secs(20),
    };
    let started = Instant::now();
    let mut runner = Runner {
        store: &store,
        driver: Arc::clone(&driver) as Arc<dyn Driver>,
        settings,
        planner: &Nobody,
        is_gone: &|_| false,
        clock: &|| 5,
        watch: &mut |_| {},
        interrupts: &|| if started.elapsed() > Duration::from_secs(10) { 2 } else { 0 },
    };
    assert_eq!(runner.run(&mut stored).expect("it is in memory"), End::Rests);
    assert!(stored.state.nodes["a"].present);
    assert_eq!(driver.0.load(Ordering::Relaxed), 1);
}

/// Output that could not be stored, or not be handed on, does not reach the store.
#[test]
fn what_the_world_says_is_checked_before_it_is_recorded() {
    struct Odd;
    impl Driver for Odd {
        fn call(&self, _: &Order) -> Reply {
            let outputs = BTreeMap::from([("a".to_owned(), "\0".to_owned())]);
            Reply::Ended(Outcome::Done { id: String::new(), outputs })
        }
        fn observe(&self, _: &Order) -> Observation {
            Observation::Absent
        }
        fn look(&self, _: &Order) -> Seen {
            Seen::There
        }
        fn ability(&self) -> &Ability {
            &simulated::ABILITY
        }
    }
    let store = Memory::default();
    let mut stored = begun(&store);
    let claim = Input::Claim { step: 0, worker: "w".to_owned(), now: 0, until: 10 };
    let job = put(&store, &mut stored, &claim).iter().find_map(Job::of).expect("it is claimed").intended();
    let outcome = work(&Odd, job, &order(&stored, 0), &AtomicU64::new(wall() + 60_000));
    assert!(matches!(outcome, Some(Outcome::Failed(Failure { left: Left::Something, .. }))), "{outcome:?}");
}
