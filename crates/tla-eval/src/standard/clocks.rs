//! Logs of several nodes in an order in which causes come first: `VectorClocks`.

use crate::eval::Context;
use crate::eval::ir::Lambda;
use crate::value::{Fault, Outcome, Value, tick};

use super::Provided;

pub(super) fn provided(name: &str) -> Option<Provided> {
    (name == "CausalOrder").then_some(Provided::Over(causal_order, &[0, 1, 1, 1]))
}

/// A line of a log: what its clock says of the other nodes.
struct Line {
    text: Value,
    time: i64,
    /// Nodes, by their number, and how many of their lines come before this one.
    after: Vec<(usize, i64)>,
}

/// `CausalOrder(log, clock, node, domain)`: of the many orders, the one in which the nodes take turns.
///
/// The lines of each node are in the order of its own time. A line may be taken when as many lines of each other node
/// have been taken as its clock says. The clocks must have no gaps, as the module demands.
fn causal_order(context: &mut Context, args: &[Value], lambdas: &[Lambda]) -> Outcome<Value> {
    let log = args[0].items("CausalOrder")?;
    let [clock, node, domain] = lambdas else { unreachable!("three operators are given") };
    let mut read: Vec<(Value, Value, Value)> = Vec::with_capacity(log.len());
    for line in log {
        read.push((node.call(context, &[line])?, clock.call(context, &[line])?, line.clone()));
    }
    let mut nodes: Vec<Value> = read.iter().map(|(node, ..)| node.clone()).collect();
    nodes.sort_by(Value::compare);
    nodes.dedup_by(|a, b| a.same(b));
    let mut lines: Vec<Vec<Line>> = nodes.iter().map(|_| Vec::new()).collect();
    for (node, clock, line) in read {
        let own = place(&nodes, &node).unwrap_or_default();
        let time = clock.apply(&node)?.to_int("CausalOrder")?;
        let mut after = Vec::new();
        for other in &domain.call(context, &[&clock])?.explicit("CausalOrder")?.slice {
            let count = clock.apply(other)?.to_int("CausalOrder")?;
            match place(&nodes, other) {
                Some(other) if other != own => after.push((other, count)),
                None if count > 0 => return gap(),
                _ => {}
            }
        }
        lines[own].push(Line { text: line, time, after });
    }
    for lines in &mut lines {
        lines.sort_by_key(|line| line.time);
    }
    take_turns(&lines, log.len())
}

fn take_turns(lines: &[Vec<Line>], count: usize) -> Outcome<Value> {
    let mut taken = vec![0_usize; lines.len()];
    let mut order = Vec::with_capacity(count);
    while order.len() < count {
        let before = order.len();
        for (node, lines) in lines.iter().enumerate() {
            tick(1)?;
            let Some(line) = lines.get(taken[node]) else { continue };
            if line.after.iter().all(|(other, count)| taken[*other] as i64 >= *count) {
                order.push(line.text.clone());
                taken[node] += 1;
            }
        }
        if order.len() == before {
            return gap();
        }
    }
    Ok(Value::seq(order))
}

/// The number of a node.
fn place(nodes: &[Value], node: &Value) -> Option<usize> {
    nodes.binary_search_by(|known| known.compare(node)).ok()
}

fn gap<T>() -> Outcome<T> {
    Err(Fault::other("CausalOrder: the clocks speak of lines that are not in the log, or of a circle"))
}
