//! Properties of every store, tested on each of them.

mod common;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use locus_engine::{
    Answer, Does, Effect, Input, Job, Kind, OnFailure, Outcome, Planned, RequestStatus, Status, StepState,
    step, verify,
};
use locus_store::{Error, Memory, Postgres, Sqlite, Store, Stored};

fn put(store: &dyn Store, stored: &mut Stored, input: Input) -> Result<Vec<Effect>, Error> {
    let (state, effects) = step(std::mem::take(&mut stored.state), input);
    stored.state = state;
    store.commit(stored, &effects, 7)?;
    Ok(effects)
}

fn planned(node: &str, needs: Vec<u32>) -> Planned {
    Planned {
        node: node.to_owned(),
        does: Does::Create,
        operation: "create".to_owned(),
        desired: format!("{{\"name\":\"{node}\",\"text\":\"'; \\\\ ü\"}}"),
        needs,
        cleanup: false,
    }
}

/// Asserts that a loaded deployment equals the one that was stored.
fn assert_kept(store: &dyn Store, stored: &Stored) {
    let loaded = store.load(&stored.name).expect("it can be read").expect("it is there");
    assert_eq!(loaded, *stored);
}

fn begin(store: &dyn Store, name: &str, plan: Vec<Planned>) -> Stored {
    let mut stored = store.create(name, None).expect("it can be made");
    let desired = "what is wanted".to_owned();
    for input in [
        Input::Submit { kind: Kind::Deploy, on_failure: OnFailure::RollBack, desired, by: "me".to_owned() },
        Input::Check { request: 0, valid: true },
        Input::Process { request: 0 },
        Input::Begin { request: 0, plan: Some(plan) },
    ] {
        put(store, &mut stored, input).expect("it can be stored");
        assert_kept(store, &stored);
    }
    stored
}

/// Documents stay as long as they may be of use, and go with their deployment.
fn documents_are_kept(store: &dyn Store) {
    let all = |stored: &Stored| {
        let all = store.documents(stored).expect("they can be read");
        all.into_iter().map(|(request, content)| format!("{request} {content}")).collect::<Vec<_>>()
    };
    let mut stored = begin(store, "d", vec![planned("x", vec![])]);
    assert_eq!(all(&stored), [""; 0]);
    for content in ["first", "first again"] {
        store.keep_document(&stored, 0, content).expect("it can be written");
    }
    assert_eq!(all(&stored), ["0 first again"]);
    stored.state.requests[0].status = RequestStatus::Success;
    store.keep_document(&stored, 1, "second").expect("it can be written");
    assert_eq!(all(&stored), ["1 second", "0 first again"]);
    let request = stored.state.requests[0].clone();
    stored.state.requests.push(request);
    store.keep_document(&stored, 2, "third '; ü").expect("it can be written");
    assert_eq!(all(&stored), ["2 third '; ü", "1 second"]);
    store.forget("d").expect("it can be forgotten");
    assert_eq!(all(&stored), [""; 0]);
}

fn a_deployment_is_kept(store: &dyn Store) {
    assert!(store.load("a").expect("it can be read").is_none());
    let mut stored = begin(store, "a", vec![planned("x", vec![]), planned("y", vec![0])]);
    assert_eq!(store.working().expect("it can be read"), ["a"]);
    for place in 0..2 {
        let claim = Input::Claim { step: place, worker: "w".to_owned(), now: 1, until: 99 };
        let effects = put(store, &mut stored, claim).expect("it can be stored");
        let ticket = effects.iter().find_map(Job::of).expect("it is claimed").ticket;
        assert_kept(store, &stored);
        put(store, &mut stored, Input::Intend { ticket: ticket.clone() }).expect("it can be stored");
        assert_kept(store, &stored);
        let outputs = BTreeMap::from([("url".to_owned(), "http://x/?a='b'".to_owned())]);
        let outcome = if place == 0 {
            Outcome::Done { id: "i-1".to_owned(), outputs }
        } else {
            Outcome::Unknown { reason: "who knows".to_owned() }
        };
        put(store, &mut stored, Input::Record { ticket, outcome, now: 2 }).expect("it can be stored");
        assert_kept(store, &stored);
    }
    assert_eq!(stored.state.steps[1].state, StepState::Unknown);
    let answer = Answer::Done("i-2".to_owned());
    put(store, &mut stored, Input::Resolve { step: 1, answer }).expect("it can be stored");
    put(store, &mut stored, Input::Settle).expect("it can be stored");
    assert_eq!(stored.state.status, Status::CreateComplete);
    assert_kept(store, &stored);
    let events = store.events(&stored, 0).expect("they can be read");
    assert_eq!(store.events(&stored, 3).expect("they can be read"), events[3..]);
    let happened: Vec<_> = events.into_iter().map(|event| event.happened).collect();
    assert_eq!(verify(&happened), Ok(()));
    assert!(store.working().expect("it can be read").is_empty());
    let again = store.create("a", Some(&stored)).expect("it can be made");
    assert_eq!((again.incarnation, store.all().expect("they can be read").len()), (2, 1));
    assert_ne!(again.token("x#1"), stored.token("x#1"));
    assert_kept(store, &again);
}

/// Of several who found the same newest deployment, or none, one makes the next. The others are told.
fn one_of_many_creates(store: &Arc<dyn Store>) {
    let mut newest = None;
    for incarnation in 1..=5 {
        let made: Vec<Result<Stored, Error>> = std::thread::scope(|scope| {
            let create = || store.create("many", newest.as_ref());
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(create)).collect();
            threads.into_iter().map(|thread| thread.join().expect("it ends")).collect()
        });
        let (made, refused): (Vec<_>, Vec<_>) = made.into_iter().partition(Result::is_ok);
        assert!(refused.iter().all(|one| matches!(one, Err(Error::Conflict))), "{refused:?}");
        let [Ok(made)] = &made[..] else { panic!("{made:?}") };
        assert_eq!(made.incarnation, incarnation);
        newest = Some(made.clone());
    }
    assert!(matches!(store.create("many", None), Err(Error::Conflict)));
}

/// Those of a name that was forgotten are counted anew, with numbers that were given before: they are others all the
/// same.
fn what_was_forgotten_is_another_one(store: &dyn Store) {
    let mut forgotten = store.create("again", None).expect("it can be made");
    store.forget("again").expect("it can be forgotten");
    let made = store.create("again", None).expect("it can be made");
    assert_eq!((forgotten.incarnation, made.incarnation), (1, 1));
    assert!(matches!(store.create("again", Some(&forgotten)), Err(Error::Conflict)));
    let submit = |to: &mut Stored| {
        let desired = String::new();
        put(
            store,
            to,
            Input::Submit { kind: Kind::Deploy, on_failure: OnFailure::RollBack, desired, by: String::new() },
        )
    };
    assert!(matches!(submit(&mut forgotten.clone()), Err(Error::NotThere)));
    let changed = store.change(&mut forgotten, 0, &mut |_| Vec::new());
    assert!(matches!(changed, Err(Error::NotThere)), "{changed:?}");
    assert_kept(store, &made);
    store.forget("again").expect("it can be forgotten");
}

/// A token names the deployment, so that one with the same name in another store is another.
#[test]
fn tokens_name_the_store() {
    let tokens = [Memory::default(), Memory::default()].map(|store| {
        let stored = store.create("shop", None).expect("it can be made");
        (stored.token("web#1"), stored)
    });
    assert_ne!(tokens[0].0, tokens[1].0);
    assert!(tokens[0].0.ends_with("/shop/1/web#1"), "{}", tokens[0].0);
    // Those of before go on under the tokens that they had.
    let before = Stored { origin: String::new(), ..tokens[0].1.clone() };
    assert_eq!(before.token("web#1"), "shop/1/web#1");
}

/// Of two transactions on one version one is accepted, and nothing is lost of what was accepted.
fn one_of_two_wins(store: &Arc<dyn Store>) {
    let stored = begin(&**store, "b", (0..8).map(|n| planned(&n.to_string(), vec![])).collect());
    let mut first = stored.clone();
    let mut second = stored;
    let renew = Input::Renew { worker: "w".to_owned(), until: 5 };
    let claim = |step: u32| Input::Claim { step, worker: "w".to_owned(), now: 1, until: 99 };
    put(&**store, &mut first, claim(0)).expect("it is the first");
    assert!(matches!(put(&**store, &mut second, claim(1)), Err(Error::Conflict)));
    put(&**store, &mut first, renew).expect("it has the newest version");
    let threads: Vec<_> = (0..4u32)
        .map(|number| {
            let store = Arc::clone(store);
            std::thread::spawn(move || {
                for place in [number + 1, number + 4] {
                    let worker = number.to_string();
                    loop {
                        let mut stored = store.load("b").expect("it can be read").expect("it is there");
                        let claim = Input::Claim { step: place, worker: worker.clone(), now: 1, until: 99 };
                        match put(&*store, &mut stored, claim) {
                            Ok(_) => break,
                            Err(Error::Conflict) => {}
                            Err(error) => panic!("{error}"),
                        }
                    }
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().expect("it ends");
    }
    let stored = store.load("b").expect("it can be read").expect("it is there");
    assert!(stored.state.steps.iter().all(|step| step.claim.is_some()));
    let events = store.events(&stored, 0).expect("they can be read");
    let happened: Vec<_> = events.into_iter().map(|event| event.happened).collect();
    assert_eq!(verify(&happened), Ok(()), "no number is missing");
}

/// A process that has an older version sees what others have done since, and nothing else.
fn what_others_do_is_seen(store: &dyn Store) {
    let mut mine = begin(store, "c", vec![planned("x", vec![]), planned("y", vec![0]), planned("z", vec![])]);
    let mut theirs = mine.clone();
    let claim = |step: u32| Input::Claim { step, worker: "w".to_owned(), now: 1, until: 99 };
    let effects = put(store, &mut mine, claim(0)).expect("it can be stored");
    let ticket = effects.iter().find_map(Job::of).expect("it is claimed").ticket;
    put(store, &mut mine, Input::Intend { ticket: ticket.clone() }).expect("it can be stored");
    let outcome = Outcome::Done { id: "i".to_owned(), outputs: BTreeMap::new() };
    put(store, &mut mine, Input::Record { ticket, outcome, now: 2 }).expect("it can be stored");
    let change = |stored: &mut Stored, input: Input| {
        store.change(stored, 8, &mut |state| {
            let (next, effects) = step(std::mem::take(state), input.clone());
            *state = next;
            effects
        })
    };
    let effects = change(&mut theirs, claim(1)).expect("it can be stored");
    assert!(effects.iter().any(|effect| Job::of(effect).is_some()), "what it needs was done by the other");
    assert_kept(store, &theirs);
    // What is refused is not stored, and gives back what is in the store now.
    let refused = change(&mut mine, claim(1)).expect("it can be read");
    assert!(matches!(refused[..], [Effect::Refused(_)]), "{refused:?}");
    change(&mut mine, claim(2)).expect("it can be stored");
    assert_kept(store, &mine);
    // Other steps take the place of those that were known.
    change(&mut mine, Input::Cancel { discard: false }).expect("it can be stored");
    change(&mut mine, Input::Compensate { plan: Some(vec![planned("w", vec![])]) })
        .expect("it can be stored");
    assert_kept(store, &mine);
    change(&mut theirs, claim(0)).expect("it can be stored");
    assert_kept(store, &theirs);
    assert_eq!(theirs.state.steps.len(), 1);
}

fn all(store: &Arc<dyn Store>) {
    a_deployment_is_kept(&**store);
    documents_are_kept(&**store);
    one_of_many_creates(store);
    what_was_forgotten_is_another_one(&**store);
    one_of_two_wins(store);
    what_others_do_is_seen(&**store);
}

#[test]
fn in_memory() {
    let store: Arc<dyn Store> = Arc::new(Memory::default());
    all(&store);
}

#[test]
fn in_sqlite() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("store.db");
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(&path).expect("it can be made"));
    all(&store);
    assert_eq!(Sqlite::open(&path).expect("it can be opened again").all().expect("it can be read").len(), 4);
}

#[test]
fn in_postgres() {
    let Some(server) = common::Server::start() else { return };
    let store: Arc<dyn Store> = Arc::new(Postgres::connect(&server.address()).expect("it can be made"));
    all(&store);
    // Others are told, and at once.
    let other = Postgres::connect(&server.address()).expect("it can be opened again");
    other.wait(Duration::from_millis(1));
    let started = Instant::now();
    let writer = Arc::clone(&store);
    let writing = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        let mut stored = writer.load("b").expect("it can be read").expect("it is there");
        let renew = Input::Renew { worker: "1".to_owned(), until: 5 };
        put(&*writer, &mut stored, renew).expect("it can be stored");
    });
    other.wait(Duration::from_secs(30));
    assert!(started.elapsed() < Duration::from_secs(20), "it need not wait for long");
    writing.join().expect("it ends");
    // One that is paused within a transaction does not keep the others from theirs.
    let mut paused = other.load("a").expect("it can be read").expect("it is there");
    let (begun, has_begun) = std::sync::mpsc::channel();
    let pausing = std::thread::spawn(move || {
        let result = other.change(&mut paused, 1, &mut |_| {
            begun.send(()).expect("somebody waits");
            std::thread::sleep(Duration::from_secs(8));
            Vec::new()
        });
        (other, result)
    });
    has_begun.recv().expect("it begins");
    let mut stored = store.load("a").expect("it can be read").expect("it is there");
    let started = Instant::now();
    store.change(&mut stored, 1, &mut |_| Vec::new()).expect("the server ends the session of the other");
    assert!(started.elapsed() > Duration::from_secs(1), "the row was locked");
    let (other, result) = pausing.join().expect("it ends");
    assert!(matches!(result, Err(Error::Failed(_))), "what it did is rolled back");
    // The server dies and comes back: nothing is lost, and the next transaction connects again.
    let before = store.load("b").expect("it can be read");
    server.kill();
    assert!(matches!(store.load("b"), Err(Error::Failed(_))));
    server.begin();
    let started = Instant::now();
    let after = loop {
        match store.load("b") {
            Ok(after) => break after,
            Err(error) => assert!(started.elapsed() < Duration::from_secs(20), "{error}"),
        }
    };
    assert_eq!(before, after);
    assert_eq!(other.all().or_else(|_| other.all()).expect("it can be read").len(), 4);
}

/// A replica would be asked what is there, and would answer with what was there before.
#[test]
fn only_a_primary_is_taken() {
    let Some(server) = common::Server::start() else { return };
    let store = Postgres::connect(&server.address()).expect("it is the primary");
    let stored = begin(&store, "kept", vec![planned("a", Vec::new())]);
    server.begin_as_replica(true);
    let refused = Postgres::connect(&server.address()).map(|_| ()).expect_err("it takes no writes");
    assert!(refused.to_string().contains("does not allow writes"), "{refused}");
    assert!(store.load("kept").is_err(), "nor does one that was connected before go on with a replica");
    server.begin_as_replica(false);
    assert_kept(&store, &stored);
}
