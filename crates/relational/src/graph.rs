//! Graph theory: strongly connected parts, to bound the length of paths.

use rustc_hash::FxHashMap;

/// A number of edges that no simple path or cycle of this graph exceeds.
pub(crate) fn longest_path_bound(edges: &[(u64, u64)]) -> usize {
    let mut numbers: FxHashMap<u64, usize> = FxHashMap::default();
    let mut successors: Vec<Vec<usize>> = Vec::new();
    for &(from, to) in edges {
        let mut number = |atom: u64| {
            let next = numbers.len();
            *numbers.entry(atom).or_insert(next)
        };
        let (from, to) = (number(from), number(to));
        successors.resize(numbers.len(), Vec::new());
        successors[from].push(to);
    }
    let (parts, count) = strong_parts(&successors);
    let mut sizes = vec![0usize; count];
    for &part in &parts {
        sizes[part] += 1;
    }
    // Parts are numbered so that edges go from higher to lower numbers: ascending order sees successors first.
    let mut by_part: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (node, &part) in parts.iter().enumerate() {
        by_part[part].push(node);
    }
    // The most nodes on a path that begins in a part.
    let mut most = vec![0usize; count];
    for part in 0..count {
        let next = by_part[part]
            .iter()
            .flat_map(|&node| &successors[node])
            .map(|&to| parts[to])
            .filter(|&to| to != part)
            .map(|to| most[to])
            .max();
        most[part] = sizes[part] + next.unwrap_or(0);
    }
    // A cycle through n nodes has n edges, so this counts nodes, not nodes less one.
    most.into_iter().max().unwrap_or(0)
}

/// The nodes that lie on a cycle, ascending.
pub(crate) fn on_cycles(edges: &[(u32, u32)]) -> Vec<u32> {
    let mut names: Vec<u32> = edges.iter().flat_map(|&(from, to)| [from, to]).collect();
    names.sort_unstable();
    names.dedup();
    let number = |name: u32| names.partition_point(|&other| other < name);
    let mut successors: Vec<Vec<usize>> = vec![Vec::new(); names.len()];
    let mut on_cycle = vec![false; names.len()];
    for &(from, to) in edges {
        successors[number(from)].push(number(to));
        if from == to {
            on_cycle[number(from)] = true;
        }
    }
    let (parts, count) = strong_parts(&successors);
    let mut sizes = vec![0usize; count];
    for &part in &parts {
        sizes[part] += 1;
    }
    (0..names.len()).filter(|&i| on_cycle[i] || sizes[parts[i]] > 1).map(|i| names[i]).collect()
}

/// The strongly connected part of each node (Tarjan's algorithm without recursion), and how many there are. An edge
/// between parts goes from the higher to the lower number.
pub fn strong_parts(successors: &[Vec<usize>]) -> (Vec<usize>, usize) {
    const NEW: usize = usize::MAX;
    let n = successors.len();
    let mut index = vec![NEW; n];
    let mut low = vec![0; n];
    let mut part = vec![NEW; n];
    let (mut stack, mut calls, mut counter, mut count) = (Vec::new(), Vec::new(), 0, 0);
    for root in 0..n {
        if index[root] != NEW {
            continue;
        }
        calls.push((root, 0));
        while let Some((node, edge)) = calls.pop() {
            if edge == 0 {
                index[node] = counter;
                low[node] = counter;
                counter += 1;
                stack.push(node);
            }
            if let Some(&to) = successors[node].get(edge) {
                calls.push((node, edge + 1));
                if index[to] == NEW {
                    calls.push((to, 0));
                } else if part[to] == NEW {
                    low[node] = low[node].min(index[to]);
                }
                continue;
            }
            if low[node] == index[node] {
                while let Some(member) = stack.pop() {
                    part[member] = count;
                    if member == node {
                        break;
                    }
                }
                count += 1;
            }
            if let Some(&(caller, _)) = calls.last() {
                low[caller] = low[caller].min(low[node]);
            }
        }
    }
    (part, count)
}

#[cfg(test)]
mod tests {
    use super::{longest_path_bound, on_cycles};

    #[test]
    fn chains_and_cycles() {
        assert_eq!(longest_path_bound(&[]), 0);
        assert_eq!(longest_path_bound(&[(1, 2), (2, 3), (3, 4)]), 4);
        assert_eq!(longest_path_bound(&[(1, 2), (2, 1)]), 2);
        assert_eq!(longest_path_bound(&[(1, 2), (2, 1), (2, 3), (3, 4), (4, 3), (5, 1)]), 5);
        assert_eq!(longest_path_bound(&[(7, 7)]), 1);
        assert_eq!(on_cycles(&[(1, 2), (2, 3), (3, 2), (4, 4), (3, 5)]), [2, 3, 4]);
    }
}
