//! The listing of a state graph.

mod common;

use common::{DieHard, Explicit, Peterson};
use locus_explore::{GraphError, Model, Options, explore, state_graph};

#[test]
fn a_listing_has_what_the_search_counts() {
    let graph = state_graph(&DieHard, 1000).unwrap_or_else(|_| panic!("small"));
    assert_eq!((graph.states.len(), graph.steps.len(), graph.initial), (16, 96, vec![0]));
    let model = Peterson { forgets_turn: false };
    let graph = state_graph(&model, 1000).unwrap_or_else(|_| panic!("small"));
    let report = explore(&model, &Options::default());
    assert_eq!(graph.states.len() as u64, report.statistics.distinct);
    assert_eq!(graph.steps.len() as u64 + 1, report.statistics.generated);
    for step in &graph.steps {
        let mut found = false;
        let result = model.successors(&mut (), &graph.states[step.from], &mut |(), action, next| {
            found |= *action == step.action && *next == graph.states[step.to];
            std::ops::ControlFlow::Continue(())
        });
        assert!(result.is_ok() && found);
    }
}

#[test]
fn a_listing_stays_within_limits_and_constraints() {
    assert!(matches!(state_graph(&DieHard, 50), Err(GraphError::TooLarge { limit: 50 })));
    let mut model = Explicit {
        initial: vec![0, 0],
        edges: vec![vec![1, 1, 2], vec![0], vec![1]],
        outside: vec![false, false, true],
        bad: vec![false; 3],
        broken: vec![false; 3],
    };
    let graph = state_graph(&model, 100).unwrap_or_else(|_| panic!("small"));
    let steps: Vec<_> = graph.steps.iter().map(|step| (step.from, step.action, step.to)).collect();
    assert_eq!((graph.states, graph.initial), (vec![0, 1], vec![0]));
    assert_eq!(steps, [(0, 0, 1), (0, 1, 1), (1, 0, 0)]);
    model.broken[1] = true;
    assert!(matches!(state_graph(&model, 100), Err(GraphError::Model(1))));
}
