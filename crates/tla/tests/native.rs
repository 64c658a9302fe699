//! State machines in Rust beside the same machines in TLA+: the state graphs are compared node for node and step for
//! step, so that the two ways into `locus-explore` check each other.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::path::Path;

use locus_explore::{InitialSink, Options, StepSink, explore, state_graph};
use locus_source::{Severity, Sources};
use locus_tla::check::{CheckOptions, CheckResult, check};
use locus_tla::config::{Model, parse};
use locus_tla::semantic::{NoModules, Specification};

/// The properties on which two graphs have to agree. States are texts.
#[derive(Debug, PartialEq, Eq)]
struct Graph {
    states: BTreeSet<String>,
    initial: BTreeSet<String>,
    steps: BTreeSet<(String, String, String)>,
    generated: u64,
    depth: u32,
}

/// The graph of a specification of this repository.
fn of_specification(path: &str, config: &str) -> Graph {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let sources = Sources::new();
    let file = sources.add(path, std::fs::read_to_string(root.join(path)).unwrap());
    let loaded = Specification::load(&sources, &file, &NoModules, locus_tla::standard::text);
    let mut specification = loaded.specification.unwrap_or_else(|| panic!("{:?}", loaded.findings));
    let file = sources.add("Spec.cfg", config);
    let tree = parse(file.id(), file.text()).tree.expect("a configuration");
    let (model, findings) = Model::resolve(&tree, &mut specification, &sources, file.id());
    assert!(findings.iter().all(|finding| finding.severity < Severity::Error), "{findings:?}");
    let options = CheckOptions { graph: Some(100_000), ..CheckOptions::default() };
    let result: CheckResult = check(&sources, &specification, &model, &options);
    let graph = result.graph.expect("asked for").expect("small");
    let texts: Vec<String> = graph.states.iter().map(|state| state.values[0].1.clone()).collect();
    let initial = texts.iter().zip(&graph.states).filter(|(_, state)| state.initial);
    let initial = initial.map(|(text, _)| text.clone()).collect();
    let steps = graph
        .steps
        .iter()
        .map(|step| (texts[step.from].clone(), step.action.clone(), texts[step.to].clone()));
    let steps = steps.collect();
    Graph {
        states: texts.into_iter().collect(),
        initial,
        steps,
        generated: result.generated,
        depth: result.depth,
    }
}

/// The graph of a model in Rust.
fn of_model<M>(model: &M, text: impl Fn(&M::State) -> String) -> Graph
where
    M: locus_explore::Explorable<Action = String, Error = Infallible>,
{
    let listed = state_graph(model, 100_000).unwrap_or_else(|_| panic!("small"));
    let texts: Vec<String> = listed.states.iter().map(text).collect();
    let steps = listed
        .steps
        .iter()
        .map(|step| (texts[step.from].clone(), step.action.clone(), texts[step.to].clone()));
    let steps = steps.collect();
    let initial = listed.initial.iter().map(|&i| texts[i].clone()).collect();
    let report = explore(model, &Options { deadlock: false, ..Options::default() });
    assert_eq!(report.statistics.distinct, texts.len() as u64);
    Graph {
        states: texts.into_iter().collect(),
        initial,
        steps,
        generated: report.statistics.generated,
        depth: report.statistics.depth,
    }
}

/// The life of a CloudFormation stack, as a table of what leads where.
struct Stack;

const USABLE: [&str; 5] = [
    "CREATE_COMPLETE",
    "UPDATE_COMPLETE",
    "UPDATE_ROLLBACK_COMPLETE",
    "IMPORT_COMPLETE",
    "IMPORT_ROLLBACK_COMPLETE",
];
const RESTING_NOT_USABLE: [&str; 8] = [
    "CREATE_FAILED",
    "UPDATE_FAILED",
    "ROLLBACK_COMPLETE",
    "ROLLBACK_FAILED",
    "DELETE_FAILED",
    "IMPORT_ROLLBACK_FAILED",
    "UPDATE_ROLLBACK_FAILED",
    "REVIEW_IN_PROGRESS",
];

impl Stack {
    fn steps(from: &str) -> Vec<(&'static str, &'static str)> {
        let mut steps = Vec::new();
        if USABLE.contains(&from) {
            steps.extend([("Import", "IMPORT_IN_PROGRESS"), ("Update", "UPDATE_IN_PROGRESS")]);
        }
        if USABLE.contains(&from) || RESTING_NOT_USABLE.contains(&from) {
            steps.push(("Delete", "DELETE_IN_PROGRESS"));
        }
        let more: &[(&str, &str)] = match from {
            "absent" => &[("CreateChangeSet", "REVIEW_IN_PROGRESS"), ("Create", "CREATE_IN_PROGRESS")],
            "REVIEW_IN_PROGRESS" => &[("Create", "CREATE_IN_PROGRESS"), ("Import", "IMPORT_IN_PROGRESS")],
            "CREATE_IN_PROGRESS" => &[
                ("CreateEnds", "CREATE_COMPLETE"),
                ("CreateEnds", "CREATE_FAILED"),
                ("CreateEnds", "ROLLBACK_IN_PROGRESS"),
                ("CreateEnds", "DELETE_IN_PROGRESS"),
                ("Delete", "DELETE_IN_PROGRESS"),
            ],
            "CREATE_FAILED" => {
                &[("Update", "UPDATE_IN_PROGRESS"), ("RollBackCreate", "ROLLBACK_IN_PROGRESS")]
            }
            "UPDATE_FAILED" => {
                &[("Update", "UPDATE_IN_PROGRESS"), ("RollBackUpdate", "UPDATE_ROLLBACK_IN_PROGRESS")]
            }
            "ROLLBACK_IN_PROGRESS" => {
                &[("RollbackEnds", "ROLLBACK_COMPLETE"), ("RollbackEnds", "ROLLBACK_FAILED")]
            }
            "DELETE_IN_PROGRESS" => &[("DeleteEnds", "DELETE_COMPLETE"), ("DeleteEnds", "DELETE_FAILED")],
            "UPDATE_IN_PROGRESS" => &[
                ("CancelUpdate", "UPDATE_ROLLBACK_IN_PROGRESS"),
                ("UpdateEnds", "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS"),
                ("UpdateEnds", "UPDATE_COMPLETE"),
                ("UpdateEnds", "UPDATE_FAILED"),
                ("UpdateEnds", "UPDATE_ROLLBACK_IN_PROGRESS"),
            ],
            "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS" => &[("UpdateEnds", "UPDATE_COMPLETE")],
            "UPDATE_ROLLBACK_IN_PROGRESS" => &[
                ("UpdateRollbackEnds", "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS"),
                ("UpdateRollbackEnds", "UPDATE_ROLLBACK_COMPLETE"),
                ("UpdateRollbackEnds", "UPDATE_ROLLBACK_FAILED"),
            ],
            "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS" => {
                &[("UpdateRollbackEnds", "UPDATE_ROLLBACK_COMPLETE")]
            }
            "UPDATE_ROLLBACK_FAILED" => &[("ContinueRollback", "UPDATE_ROLLBACK_IN_PROGRESS")],
            "IMPORT_IN_PROGRESS" => {
                &[("ImportEnds", "IMPORT_COMPLETE"), ("ImportEnds", "IMPORT_ROLLBACK_IN_PROGRESS")]
            }
            "IMPORT_ROLLBACK_IN_PROGRESS" => {
                &[("ImportEnds", "IMPORT_ROLLBACK_COMPLETE"), ("ImportEnds", "IMPORT_ROLLBACK_FAILED")]
            }
            _ => &[],
        };
        steps.extend(more);
        steps
    }
}

impl locus_explore::Model for Stack {
    type State = &'static str;
    type Action = String;
    type Error = Infallible;
    type Worker = ();

    fn worker(&self) {}

    fn initial_states(&self, worker: &mut (), sink: &mut InitialSink<'_, Self>) -> Result<(), Infallible> {
        let _ = sink(worker, &"absent");
        Ok(())
    }

    fn successors(
        &self,
        worker: &mut (),
        state: &&'static str,
        sink: &mut StepSink<'_, Self>,
    ) -> Result<(), Infallible> {
        let _ =
            Stack::steps(state).iter().try_for_each(|(action, to)| sink(worker, &(*action).to_owned(), to));
        Ok(())
    }

    fn fingerprint(&self, (): &mut (), state: &&'static str) -> Result<u64, Infallible> {
        Ok(of_bytes(state.as_bytes()))
    }
}

impl locus_explore::Properties for Stack {}
impl locus_explore::Saving for Stack {}
impl locus_explore::Tuning for Stack {}

/// FNV-1a, which tells so few texts apart.
fn of_bytes(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The name of a step of the stack: requests have names, and everything else is the service's doing.
fn request_or_service(action: &str) -> String {
    let requests = [
        "CreateChangeSet",
        "Create",
        "Import",
        "Update",
        "RollBackCreate",
        "RollBackUpdate",
        "CancelUpdate",
        "ContinueRollback",
        "Delete",
    ];
    if requests.contains(&action) { action.to_owned() } else { "service".to_owned() }
}

#[test]
fn the_stack_in_rust_and_in_tla_has_one_state_graph() {
    let renamed = |graph: Graph| Graph {
        steps: graph
            .steps
            .into_iter()
            .map(|(from, name, to)| (from, request_or_service(&name), to))
            .collect(),
        ..graph
    };
    let specification = of_specification(
        "specs/cloudformation/StackLifecycle.tla",
        "SPECIFICATION Spec CHECK_DEADLOCK FALSE",
    );
    let model = of_model(&Stack, |state| format!("\"{state}\""));
    assert_eq!((model.states.len(), model.steps.len()), (24, 55));
    assert_eq!(renamed(specification), renamed(model));
}

/// The rolling update of `examples/Rollout.tla`: for each server 0 old, 1 out, 2 new.
struct Rollout {
    servers: usize,
    at_once: usize,
}

impl locus_explore::Model for Rollout {
    type State = Vec<u8>;
    type Action = String;
    type Error = Infallible;
    type Worker = ();

    fn worker(&self) {}

    fn initial_states(&self, worker: &mut (), sink: &mut InitialSink<'_, Self>) -> Result<(), Infallible> {
        let _ = sink(worker, &vec![0; self.servers]);
        Ok(())
    }

    fn successors(
        &self,
        worker: &mut (),
        state: &Vec<u8>,
        sink: &mut StepSink<'_, Self>,
    ) -> Result<(), Infallible> {
        let out: usize = state.iter().map(|server| usize::from(*server == 1)).sum();
        let mut steps = Vec::new();
        for server in 0..self.servers {
            let mut step = |action: &str, now: u8| {
                let mut next = state.clone();
                next[server] = now;
                steps.push((format!("{action}({})", server + 1), next));
            };
            match state[server] {
                0 if out < self.at_once => step("TakeOut", 1),
                1 => {
                    step("PutBack", 2);
                    step("Fail", 0);
                }
                _ => {}
            }
        }
        if state.iter().all(|server| *server == 2) {
            steps.push(("Done".to_owned(), state.clone()));
        }
        let _ = steps.iter().try_for_each(|(action, next)| sink(worker, action, next));
        Ok(())
    }

    fn fingerprint(&self, (): &mut (), state: &Vec<u8>) -> Result<u64, Infallible> {
        Ok(of_bytes(state))
    }
}

impl locus_explore::Properties for Rollout {}
impl locus_explore::Saving for Rollout {}
impl locus_explore::Tuning for Rollout {}

#[test]
fn the_rollout_in_rust_and_in_tla_has_one_state_graph() {
    for (servers, at_once) in [(1, 1), (3, 1), (4, 2), (5, 5)] {
        let config = format!(
            "CONSTANTS Servers = 1..{servers} AtOnce = {at_once} Needed = 0 SPECIFICATION Unfair INVARIANT TypeOK"
        );
        let specification = of_specification("examples/Rollout.tla", &config);
        let model = of_model(&Rollout { servers, at_once }, |state| {
            let texts: Vec<_> =
                state.iter().map(|server| ["\"old\"", "\"out\"", "\"new\""][usize::from(*server)]).collect();
            format!("<<{}>>", texts.join(", "))
        });
        assert_eq!(specification, model, "{servers} servers, {at_once} at once");
    }
}
