//! Configurations that the model finder gives for `specs/report/Aeolus.als`, read back: both sides agree on which are
//! correct.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use locus_aeolus::{
    Binding, Component, ComponentId, ComponentType, Configuration, Provision, Requirement, State, StateId,
    TypeId, Universe,
};
use locus_alloy::{Answer, Instance, Model, ModuleLoader, Options};
use locus_source::Sources;

/// Queries for the model finder, as far as they can be written without the word "correct": each is asked with and
/// without it.
const CASES: [&str; 4] = [
    "some c.bindings and some CurrentActivation[c.components].ar",
    "some z : c.components, p : ActiveRPorts[z] | RPortCardForPort[z, p].acard = 0",
    "some b : c.bindings, z : c.components, p : ActivePPorts[z] | b.prov in p.roles and PPortCardForPort[z, p].acard > 0",
    "#c.components = 3 and some ActivePPorts[c.components] and some ActiveRPorts[c.components]",
];
/// How many instances of each are looked at.
const INSTANCES: usize = 12;

struct Files;

impl ModuleLoader for Files {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        match std::fs::read(name) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs/report")
}

/// An instance, with what a reader of it needs.
struct Reader<'a> {
    model: &'a Model,
    sources: &'a Sources,
    instance: &'a Instance,
}

impl Reader<'_> {
    fn eval(&self, text: &str) -> Answer {
        self.model
            .eval(self.sources, self.instance, text)
            .unwrap_or_else(|findings| panic!("{text}: {findings:?}"))
    }

    fn holds(&self, text: &str) -> bool {
        self.eval(text) == Answer::Truth(true)
    }

    fn all(&self, text: &str) -> Vec<String> {
        let Answer::Tuples(tuples) = self.eval(text) else { panic!("{text} is a set") };
        tuples.into_iter().map(|mut tuple| tuple.remove(0)).collect()
    }

    fn one(&self, text: &str) -> String {
        let mut all = self.all(text);
        assert_eq!(all.len(), 1, "{text}");
        all.remove(0)
    }

    fn number(&self, text: &str) -> u32 {
        let Answer::Tuples(tuples) = self.eval(text) else { panic!("{text} is a set") };
        tuples[0][0].parse().unwrap_or_else(|_| panic!("{text} is {tuples:?}"))
    }

    /// The universe and the configuration of the instance.
    fn read(&self) -> (Universe, Configuration) {
        let mut universe = Universe::new();
        let mut types: BTreeMap<String, (TypeId, Vec<String>)> = BTreeMap::new();
        for machine in self.all("DL_Machine") {
            let states = self.all(&format!("{machine}.dstates"));
            let kind = self.machine(&mut universe, &machine, &states);
            types.insert(machine, (universe.add(kind), states));
        }
        let mut configuration = Configuration::new();
        let components = self.all("Configuration.components");
        let id = |name: &str| {
            let at =
                components.iter().position(|one| one == name).expect("an end of a binding is a component");
            ComponentId(at as u32)
        };
        for name in &components {
            let (kind, states) = &types[&self.one(&format!("{name}.process.template"))];
            let current = self.one(&format!("{name}.process.current"));
            let state = states.iter().position(|state| *state == current).expect("it is a state of the type");
            let component = Component { kind: *kind, state: StateId(state as u32) };
            configuration.components.insert(id(name), component);
        }
        for name in self.all("Configuration.bindings") {
            let end = |role: &str, ports: &str| {
                let ends =
                    format!("{{ z : Configuration.components | {name}.{role} in z.process.{ports}.roles }}");
                id(&self.one(&ends))
            };
            let port = universe.port(&self.one(&format!("{name}.bsort")));
            configuration.bindings.insert(Binding {
                port,
                requirer: end("req", "preq"),
                provider: end("prov", "pprov"),
            });
        }
        (universe, configuration)
    }

    fn machine(&self, universe: &mut Universe, machine: &str, states: &[String]) -> ComponentType {
        let index = |name: &str| StateId(states.iter().position(|one| one == name).expect("a state") as u32);
        let mut kind = ComponentType { name: machine.to_owned(), cost: 1, ..ComponentType::default() };
        kind.initial = index(&self.one(&format!("{machine}.dinit")));
        for name in states {
            let leads = format!("{{ t : {machine}.dtransitions | t.initial = {name} }}.terminal");
            let mut state = State { name: name.clone(), ..State::default() };
            state.next = self.all(&leads).iter().map(|next| index(next)).collect();
            let active = format!("{{ a : {machine}.activates | a.astate = {name} }}");
            for card in self.all(&format!("{active}.ap")) {
                let port = universe.port(&self.one(&format!("{card}.asort")));
                let capacity = Some(self.number(&format!("{card}.acard"))).filter(|&number| number > 0);
                state.provides.push(Provision { port, capacity });
            }
            for card in self.all(&format!("{active}.ar")) {
                let port = universe.port(&self.one(&format!("{card}.asort")));
                state.requires.push(Requirement { port, number: self.number(&format!("{card}.acard")) });
            }
            kind.states.push(state);
        }
        for (ports, list) in [("pports", &mut kind.provided), ("rports", &mut kind.required)] {
            list.extend(self.all(&format!("{machine}.{ports}")).iter().map(|port| universe.port(port)));
        }
        kind
    }
}

#[test]
fn the_model_finder_and_the_definition_agree_on_what_is_correct() {
    let mut text = "open Aeolus\n".to_owned();
    for (index, case) in CASES.iter().enumerate() {
        for (name, correct) in [("Is", ""), ("IsNot", "not ")] {
            let _ = writeln!(
                text,
                "run {name}{index} {{ some c : Configuration {{ WFConfiguration[c] {correct}CorrectConfiguration[c] \
                 {case} }} }} for 3 but 14 Value, 4 Location, exactly 1 Configuration, 3 Int"
            );
        }
    }
    let sources = Sources::new();
    let file = sources.add(folder().join("correct.als").to_string_lossy(), text);
    let (model, findings) = Model::load(&sources, &Files, file.id());
    let model = model.unwrap_or_else(|| panic!("{findings:?}"));
    let (mut correct, mut incorrect, mut bound) = (0, 0, 0);
    for index in 0..model.commands().len() {
        let options = Options { timeout: Some(Duration::from_mins(1)), ..Options::default() };
        let mut instances = model.instances(index, &options).expect("it can be looked for");
        for _ in 0..INSTANCES {
            let Some(instance) = instances.next().expect("it is found in time") else { break };
            let reader = Reader { model: &model, sources: &sources, instance: &instance };
            let (universe, configuration) = reader.read();
            let theirs = reader.holds("all c : Configuration | CorrectConfiguration[c]");
            assert_eq!(theirs, index % 2 == 0);
            let ours = configuration.is_correct(&universe);
            assert_eq!(
                ours,
                theirs,
                "{:?}\n{configuration:?}\n{universe:?}",
                configuration.violations(&universe)
            );
            correct += usize::from(ours);
            incorrect += usize::from(!ours);
            bound += usize::from(!configuration.bindings.is_empty());
        }
    }
    assert!(correct >= 36 && incorrect >= 36 && bound >= 24, "{correct}, {incorrect}, {bound} with bindings");
}
