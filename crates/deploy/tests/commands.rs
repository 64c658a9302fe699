//! Commands that are given at once, and a store that is lost, beside `specs/engine/Commands.tla`.
//!
//! The functions that `locus up` and `locus down` call are run here, on a store in memory, one after the other in every
//! order. A state is reached again by doing again what led to it.

#[path = "../../engine/src/model/canonical.rs"]
mod canonical;

use std::collections::{BTreeSet, HashMap, VecDeque};

use locus_deploy::{Asked, Error, begin, put};
use locus_engine::{Does, Effect, Input, Job, Kind, OnFailure, Outcome, Planned, Status, StepState, Ticket};
use locus_store::{Memory, Store, Stored};

use canonical::{Graph, assert_same, canonical, of_specification};

const NAME: &str = "shop";

/// The next thing that a command does.
#[derive(Clone)]
enum Command {
    Looks,
    /// It found this one, or none, in the store of this number.
    Makes(Option<Box<Stored>>, usize),
    Asks(Box<Stored>, usize),
    Ended,
}

/// Anything that can happen next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Act {
    Command(usize),
    /// The engine goes on with an incarnation.
    Work(usize),
    Lose,
}

/// Two commands that build, one that deletes, and a store that may be lost once.
struct World {
    store: Memory,
    losses: usize,
    commands: Vec<Command>,
    /// The incarnations of this store, and the step that is being done.
    made: Vec<(Stored, Option<Ticket>)>,
    /// The origins of the stores, so that they have numbers.
    origins: Vec<Vec<String>>,
    /// The things that exist: under which token, and for which store it was made.
    things: Vec<(String, usize)>,
    ever: Vec<String>,
    twice: Vec<String>,
}

const UPS: usize = 2;
const COMMANDS: usize = 3;
const LOSSES: usize = 1;

fn planned(does: Does) -> Vec<Planned> {
    let (node, operation) = ("a".to_owned(), "x".to_owned());
    vec![Planned { node, does, operation, desired: String::new(), needs: Vec::new(), cleanup: false }]
}

impl World {
    fn new() -> Self {
        World {
            store: Memory::default(),
            losses: 0,
            commands: vec![Command::Looks; COMMANDS],
            made: Vec::new(),
            origins: vec![Vec::new()],
            things: Vec::new(),
            ever: Vec::new(),
            twice: Vec::new(),
        }
    }

    /// An incarnation as it is now.
    fn now(&self, at: usize) -> Stored {
        let mut stored = self.made[at].0.clone();
        self.store.change(&mut stored, 0, &mut |_| Vec::new()).expect("it is there");
        stored
    }

    fn status(&self, at: usize) -> &'static str {
        let stored = self.now(at);
        let is_open = stored.state.steps.iter().any(|step| step.state == StepState::Open);
        match (stored.state.status, is_open) {
            (Status::Absent, _) => "new",
            (Status::CreateInProgress, false) => "building",
            (Status::CreateInProgress, true) => "making",
            (Status::CreateComplete, _) => "built",
            (Status::DeleteInProgress, false) => "deleting",
            (Status::DeleteInProgress, true) => "unmaking",
            (Status::DeleteComplete, _) => "deleted",
            other => panic!("{other:?}"),
        }
    }

    fn possible(&self) -> Vec<Act> {
        let goes_on = |command: &Command| !matches!(command, Command::Ended);
        let commands = (0..COMMANDS).filter(|&at| goes_on(&self.commands[at])).map(Act::Command);
        let is_at_work = |at: usize| !matches!(self.status(at), "new" | "built" | "deleted");
        let works = (0..self.made.len()).filter(|&at| is_at_work(at)).map(Act::Work);
        commands.chain(works).chain((self.losses < LOSSES).then_some(Act::Lose)).collect()
    }

    fn act(&mut self, act: Act) {
        match act {
            Act::Command(at) => self.commands[at] = self.command(at),
            Act::Work(at) => self.work(at),
            Act::Lose => {
                self.store = Memory::default();
                self.losses += 1;
                self.made.clear();
                self.origins.push(Vec::new());
            }
        }
    }

    fn command(&mut self, at: usize) -> Command {
        let builds = at < UPS;
        match self.commands[at].clone() {
            Command::Looks => {
                let newest = self.store.load(NAME).expect("it is in memory");
                match newest {
                    Some(found) if found.state.status != Status::DeleteComplete => {
                        Command::Asks(Box::new(found), self.losses)
                    }
                    found if builds => Command::Makes(found.map(Box::new), self.losses),
                    _ => Command::Ended,
                }
            }
            Command::Makes(newest, _) => match self.store.create(NAME, newest.as_deref()) {
                Ok(made) => {
                    self.made.push((made.clone(), None));
                    self.origins[self.losses].push(made.origin.clone());
                    Command::Asks(Box::new(made), self.losses)
                }
                Err(locus_store::Error::Conflict) => Command::Looks,
                Err(other) => panic!("{other}"),
            },
            Command::Asks(mut stored, _) => {
                self.ask(&mut stored, builds);
                Command::Ended
            }
            Command::Ended => unreachable!(),
        }
    }

    fn ask(&self, stored: &mut Stored, builds: bool) {
        // What is there already is planned for, as the commands do.
        let (kind, does) = if builds { (Kind::Deploy, Does::Create) } else { (Kind::Delete, Does::Delete) };
        match self.store.change(stored, 0, &mut |_| Vec::new()) {
            Ok(_) => {}
            Err(locus_store::Error::NotThere) => return,
            Err(other) => panic!("{other}"),
        }
        let is_built = stored.state.nodes.values().any(|node| node.present);
        let is_new = stored.state.status == Status::Absent;
        let goes_on = stored.state.status.as_str().ends_with("IN_PROGRESS");
        if !goes_on && !(if builds { is_new } else { is_built }) {
            return;
        }
        let asked = Asked { kind, on_failure: OnFailure::Keep, by: "", document: None };
        match begin(&self.store, stored, asked, None, &|| 0, |_| Ok(planned(does))) {
            Ok(()) => assert!(!goes_on, "one goes on already"),
            Err(Error::Busy { .. }) => assert!(goes_on),
            Err(other) => panic!("{other}"),
        }
    }

    /// Looks for what an incarnation wants, and makes it if it is not there; or records it.
    fn work(&mut self, at: usize) {
        let mut stored = self.now(at);
        let token = stored.token("");
        let put = |stored: &mut Stored, input: Input| {
            put(&self.store, stored, &input, 0).expect("it is in memory").expect("it is taken")
        };
        if let Some(ticket) = self.made[at].1.take() {
            let outcome = Outcome::Done { id: "i".to_owned(), outputs: std::collections::BTreeMap::new() };
            put(&mut stored, Input::Record { ticket, outcome, now: 0 });
            put(&mut stored, Input::Settle);
            return;
        }
        let effects: Vec<Effect> =
            put(&mut stored, Input::Claim { step: 0, worker: "w".to_owned(), now: 0, until: 9 });
        let job = effects.iter().find_map(Job::of).expect("it is claimed");
        put(&mut stored, Input::Intend { ticket: job.ticket.clone() });
        let is_creation = stored.state.steps[0].planned.does == Does::Create;
        if !is_creation {
            self.things.retain(|(thing, _)| *thing != token);
        } else if !self.things.iter().any(|(thing, _)| *thing == token) {
            let again = if self.ever.contains(&token) { &mut self.twice } else { &mut self.ever };
            again.push(token.clone());
            self.things.push((token, self.losses));
        }
        self.made[at].1 = Some(job.ticket);
    }

    /// The number of the store, and of the incarnation, that a token names.
    fn named(&self, token: &str) -> String {
        let mut all = self.origins.iter().enumerate();
        let found = all.find_map(|(store, origins)| {
            let at = origins
                .iter()
                .position(|origin| token == format!("{origin}/{NAME}/{}/", incarnation(token)))?;
            assert_eq!(at + 1, incarnation(token));
            Some(format!("<<{store}, {}>>", at + 1))
        });
        found.expect("it names one of them")
    }

    /// The state as the specification has it.
    fn text(&self) -> String {
        let statuses: Vec<String> = (0..self.made.len()).map(|at| format!("{:?}", self.status(at))).collect();
        let command = |command: &Command| {
            let (pc, of, at) = match command {
                Command::Looks => ("looks", 0, 0),
                Command::Makes(found, at) => {
                    ("makes", found.as_ref().map_or(0, |found| found.incarnation), *at)
                }
                Command::Asks(found, at) => ("asks", found.incarnation, *at),
                Command::Ended => ("ended", 0, 0),
            };
            format!("[pc |-> {pc:?}, of |-> {of}, at |-> {at}]")
        };
        let commands: Vec<String> = self.commands.iter().map(command).collect();
        let thing = |(token, by): &(String, usize)| format!("[token |-> {}, by |-> {by}]", self.named(token));
        let things: Vec<String> = self.things.iter().map(thing).collect();
        let set = |tokens: &[String]| {
            let tokens: BTreeSet<String> = tokens.iter().map(|token| self.named(token)).collect();
            tokens.into_iter().collect::<Vec<_>>().join(", ")
        };
        canonical(&format!(
            "[store |-> <<{}>>, losses |-> {}, command |-> <<{}>>, \
             world |-> {{{}}}, made |-> {{{}}}, twice |-> {{{}}}]",
            statuses.join(", "),
            self.losses,
            commands.join(", "),
            things.join(", "),
            set(&self.ever),
            set(&self.twice)
        ))
    }
}

fn incarnation(token: &str) -> usize {
    token.trim_end_matches('/').rsplit('/').next().expect("it has one").parse().expect("it is a number")
}

fn after(acts: &[Act]) -> World {
    let mut world = World::new();
    for &act in acts {
        world.act(act);
    }
    world
}

/// All that the commands can do, as a graph.
fn of_code() -> Graph {
    let initial = World::new().text();
    let mut found: HashMap<String, Vec<Act>> = HashMap::from([(initial.clone(), Vec::new())]);
    let mut steps = BTreeSet::new();
    let mut waiting = VecDeque::from([initial.clone()]);
    while let Some(text) = waiting.pop_front() {
        let acts = found[&text].clone();
        for act in after(&acts).possible() {
            let longer = [&acts[..], &[act]].concat();
            let next = after(&longer).text();
            if next != text {
                steps.insert((text.clone(), next.clone()));
            }
            if !found.contains_key(&next) {
                found.insert(next.clone(), longer);
                waiting.push_back(next);
            }
        }
    }
    Graph { states: found.into_keys().collect(), initial: BTreeSet::from([initial]), steps }
}

#[test]
fn commands_do_as_specified() {
    let config = format!(
        "SPECIFICATION Spec CHECK_DEADLOCK FALSE CONSTANTS Ups = {{1, 2}} Downs = {{3}} MaxLosses = {LOSSES} \
         Compares = TRUE NamesStore = TRUE"
    );
    assert_same(&of_code(), &of_specification("specs/engine/Commands.tla", &config));
}
