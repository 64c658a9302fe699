//! Reachability, for the modules about graphs and relations.

use rustc_hash::FxHashMap;

use crate::eval::Context;
use crate::value::{Fault, Outcome, SetBuilder, Value};

use super::Provided;

pub(super) fn provided(name: &str) -> Option<Provided> {
    Some(match name {
        "Reachable" | "RelationClosure" => Provided::Native(closure),
        _ => return None,
    })
}

/// The pairs that are connected by one edge or more.
fn closure(_: &mut Context, args: &[Value]) -> Outcome<Value> {
    let edges = args[0].explicit("a set of edges")?;
    #[expect(
        clippy::mutable_key_type,
        reason = "only the cached hash of a value changes, never what it equals"
    )]
    let mut numbers: FxHashMap<Value, usize> = FxHashMap::default();
    let mut nodes: Vec<Value> = Vec::new();
    let mut next: Vec<Vec<usize>> = Vec::new();
    for edge in &edges.slice {
        let [from, to] = edge.items("a set of edges")? else {
            return Err(Fault::wrong("a set of edges", "pairs", edge));
        };
        let mut number = |node: &Value| {
            *numbers.entry(node.clone()).or_insert_with(|| {
                nodes.push(node.clone());
                next.push(Vec::new());
                nodes.len() - 1
            })
        };
        let (from, to) = (number(from), number(to));
        next[from].push(to);
    }
    let mut pairs = SetBuilder::default();
    for start in 0..nodes.len() {
        let mut seen = vec![false; nodes.len()];
        let mut todo = next[start].clone();
        while let Some(node) = todo.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                pairs.push(Value::seq(vec![nodes[start].clone(), nodes[node].clone()]))?;
                todo.extend(&next[node]);
            }
        }
    }
    Ok(pairs.finish())
}
