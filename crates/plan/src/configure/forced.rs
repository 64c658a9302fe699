//! Components that a configuration must have in any case: where just one kind of component mends something, it is added
//! without a search. So a chain of components that need each other takes time in its length.

use std::collections::VecDeque;

use locus_aeolus::{PortId, Want};

use super::{Counts, MOST, MOST_COMPONENTS, Mend, Node, Search};

/// The ports to look at, each once, and who requires them.
struct Ports {
    requirers: Vec<Vec<(Node, u64)>>,
    is_queued: Vec<bool>,
    queue: VecDeque<PortId>,
}

impl Ports {
    /// Has the ports looked at that a component requires; another of its kind may have been there before.
    fn require(&mut self, search: &Search<'_>, node: Node, is_first: bool) {
        for requirement in search.nodes.state(node).requires.iter().filter(|r| r.number > 0) {
            let port = requirement.port;
            if is_first {
                self.requirers[port.index()].push((node, u64::from(requirement.number)));
            }
            self.look_at(port);
        }
    }

    fn look_at(&mut self, port: PortId) {
        if !std::mem::replace(&mut self.is_queued[port.index()], true) {
            self.queue.push_back(port);
        }
    }
}

impl Search<'_> {
    /// Adds the components without which nothing that has these components is correct and as wanted, as far as that can
    /// be told by looking at one condition or one port at a time.
    pub(super) fn force(&self, counts: &mut Counts, want: &Want) {
        self.force_wanted(counts, want);
        let count = self.nodes.universe.port_count();
        let mut ports = Ports {
            requirers: vec![Vec::new(); count],
            is_queued: vec![false; count],
            queue: VecDeque::new(),
        };
        for &node in counts.keys() {
            ports.require(self, node, true);
        }
        let mut total: u64 = counts.values().sum();
        let mut left = MOST + self.nodes.len();
        while let Some(port) = ports.queue.pop_front() {
            ports.is_queued[port.index()] = false;
            let requirers: Vec<(Node, u64, u64)> = ports.requirers[port.index()]
                .iter()
                .map(|&(node, asks)| (node, asks, counts[&node]))
                .collect();
            let Some(Mend::Add(usable, missing)) = self.port(counts, port, &requirers) else { continue };
            let [node] = usable[..] else { continue };
            total = total.saturating_add(missing);
            if left == 0 || total > MOST_COMPONENTS {
                return;
            }
            left -= 1;
            let is_first = !counts.contains_key(&node);
            *counts.entry(node).or_default() += missing;
            ports.require(self, node, is_first);
            ports.look_at(port);
        }
    }

    /// The same for what is wanted by itself.
    fn force_wanted(&self, counts: &mut Counts, want: &Want) {
        match want {
            Want::And(all) => {
                for want in all {
                    self.force_wanted(counts, want);
                }
            }
            Want::Compare(sum, relation) => {
                if let Some(Mend::Add(nodes, number)) = self.compared(counts, sum, *relation)
                    && let [node] = nodes[..]
                {
                    *counts.entry(node).or_default() += number;
                }
            }
            _ => {}
        }
    }
}
