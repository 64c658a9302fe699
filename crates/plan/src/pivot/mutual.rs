//! Things that need each other, in different phases: directly or through others.
//!
//! They can be made, phase by phase, and none of them could ever go if each kept what it needs to the end. So what they need
//! of each other counts while they are made, and no longer.

use locus_graph::lifecycle::Thing;
use rustc_hash::FxHashMap;

const NONE: u32 = u32::MAX;

/// The group of each thing by name: two are in the same one exactly if each needs the other.
pub(super) fn groups(things: &[Thing]) -> FxHashMap<&str, u32> {
    let index = super::by_name(things);
    let needs = |at: usize| {
        things[at].needs.iter().filter_map(|need| index.get(need.target.as_str()).map(|&at| at as u32))
    };
    let targets: Vec<Vec<u32>> = (0..things.len()).map(|at| needs(at).collect()).collect();
    let found = Search::new(&targets).run();
    things.iter().enumerate().map(|(at, thing)| (thing.name.as_str(), found[at])).collect()
}

/// Tarjan's search for strongly connected components, with a stack of its own.
struct Search<'a> {
    targets: &'a [Vec<u32>],
    number: Vec<u32>,
    low: Vec<u32>,
    group: Vec<u32>,
    open: Vec<u32>,
    count: u32,
    groups: u32,
}

impl<'a> Search<'a> {
    fn new(targets: &'a [Vec<u32>]) -> Self {
        let none = vec![NONE; targets.len()];
        let (number, low, group) = (none.clone(), none.clone(), none);
        Self { targets, number, low, group, open: Vec::new(), count: 0, groups: 0 }
    }

    fn run(mut self) -> Vec<u32> {
        for root in 0..self.targets.len() as u32 {
            if self.number[root as usize] == NONE {
                self.from(root);
            }
        }
        self.group
    }

    fn enter(&mut self, at: u32) {
        (self.number[at as usize], self.low[at as usize]) = (self.count, self.count);
        self.count += 1;
        self.open.push(at);
    }

    fn from(&mut self, root: u32) {
        self.enter(root);
        let mut path = vec![(root, 0usize)];
        while let Some((at, next)) = path.last_mut() {
            let at = *at as usize;
            if let Some(&target) = self.targets[at].get(*next) {
                *next += 1;
                if self.number[target as usize] == NONE {
                    self.enter(target);
                    path.push((target, 0));
                } else if self.group[target as usize] == NONE {
                    self.low[at] = self.low[at].min(self.number[target as usize]);
                }
                continue;
            }
            path.pop();
            if let Some(&(above, _)) = path.last() {
                self.low[above as usize] = self.low[above as usize].min(self.low[at]);
            }
            if self.low[at] == self.number[at] {
                while let Some(member) = self.open.pop() {
                    self.group[member as usize] = self.groups;
                    if member as usize == at {
                        break;
                    }
                }
                self.groups += 1;
            }
        }
    }
}
