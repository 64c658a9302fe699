//! The nesting of nodes, and through which frames each edge passes.
//!
//! Level 0 is the picture itself, level `g + 1` the inside of group `g`. An edge between things in different
//! groups is cut at every frame it passes: on the level that holds both ends it runs *across*, and on every
//! level below, from the thing that is or holds its end to a *gate* in the frame.

use crate::acyclic;
use crate::scene::{End, GroupId, NodeId, Scene};

/// An item of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Thing {
    Node(NodeId),
    Group(GroupId),
}

/// How an edge runs.
#[derive(Debug, Clone)]
pub(crate) struct Course {
    pub(crate) across: Across,
    /// For the start and the end of the edge, the gates it passes, from the inside to the outside: the level,
    /// and the thing on that level that is or holds the end.
    pub(crate) gates: [Vec<(usize, Thing)>; 2],
    /// Whether the end of the edge is above its start.
    pub(crate) turned: bool,
}

/// How an edge runs on the innermost level that holds both its ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Across {
    /// Between two things.
    Between(usize, Thing, Thing),
    /// From a thing to itself.
    Loop(usize, Thing),
    /// From the frame of a group to something inside it: all of it is gates.
    Frame,
}

/// The levels of a scene and the courses of its edges.
pub(crate) struct Structure {
    /// The items of every level, in the order they were added.
    pub(crate) members: Vec<Vec<Thing>>,
    /// The level that holds each level; that of level 0 is itself.
    pub(crate) parent: Vec<usize>,
    pub(crate) depth: Vec<usize>,
    pub(crate) courses: Vec<Course>,
}

impl Structure {
    pub(crate) fn new(scene: &Scene) -> Self {
        let levels = scene.groups().len() + 1;
        let mut structure = Self {
            members: vec![Vec::new(); levels],
            parent: vec![0; levels],
            depth: vec![0; levels],
            courses: Vec::with_capacity(scene.edges().len()),
        };
        for (at, node) in scene.nodes().iter().enumerate() {
            structure.members[level_in(node.group)].push(Thing::Node(NodeId(at as u32)));
        }
        for (at, group) in scene.groups().iter().enumerate() {
            let parent = level_in(group.parent);
            structure.members[parent].push(Thing::Group(GroupId(at as u32)));
            structure.parent[at + 1] = parent;
            structure.depth[at + 1] = structure.depth[parent] + 1;
        }
        for edge in scene.edges() {
            let course = structure.course(position(scene, edge.from), position(scene, edge.to));
            structure.courses.push(course);
        }
        structure.turn(scene);
        structure
    }

    /// Climbs from both ends of an edge to the level that holds both.
    fn course(&self, from: (usize, Thing), to: (usize, Thing)) -> Course {
        let mut ends = [from, to];
        let mut gates = [Vec::new(), Vec::new()];
        while ends[0].0 != ends[1].0 {
            let deeper = usize::from(self.depth[ends[1].0] > self.depth[ends[0].0]);
            gates[deeper].push(ends[deeper]);
            let level = ends[deeper].0;
            ends[deeper] = (self.parent[level], Thing::Group(GroupId(level as u32 - 1)));
        }
        let level = ends[0].0;
        let across = if ends[0].1 != ends[1].1 {
            Across::Between(level, ends[0].1, ends[1].1)
        } else if gates.iter().all(Vec::is_empty) {
            Across::Loop(level, ends[0].1)
        } else {
            Across::Frame
        };
        // From inside a group to its frame, the end inside is the upper one.
        Course { across, turned: across == Across::Frame && gates[0].is_empty(), gates }
    }

    /// Turns edges round, on each level by itself, until no cycle is left.
    fn turn(&mut self, scene: &Scene) {
        let mut on_level: Vec<Vec<(usize, Thing, Thing)>> = vec![Vec::new(); self.members.len()];
        for (edge, course) in self.courses.iter().enumerate() {
            if let Across::Between(level, from, to) = course.across {
                on_level[level].push((edge, from, to));
            }
        }
        for (level, edges) in on_level.iter().enumerate() {
            let members = &self.members[level];
            let local = |thing: Thing| members.binary_search(&thing).unwrap_or(0);
            let pairs: Vec<(usize, usize)> = edges.iter().map(|&(_, a, b)| (local(a), local(b))).collect();
            let directed = edges.iter().any(|&(edge, ..)| scene.edges()[edge].directed);
            let turned = if directed {
                acyclic::reversed(members.len(), &pairs)
            } else {
                acyclic::reversed_undirected(members.len(), &pairs)
            };
            for (&(edge, ..), turned) in edges.iter().zip(turned) {
                self.courses[edge].turned = turned;
            }
        }
    }
}

impl Course {
    /// Whether the start (0) or end (1) of the edge is its upper end, so that it leaves downwards.
    pub(crate) fn leaves_down(&self, end: usize) -> bool {
        (end == 0) != self.turned
    }
}

fn level_in(group: Option<GroupId>) -> usize {
    group.map_or(0, |g| g.index() + 1)
}

fn position(scene: &Scene, end: End) -> (usize, Thing) {
    match end {
        End::Node(node) => (level_in(scene.nodes()[node.index()].group), Thing::Node(node)),
        End::Port(port) => position(scene, End::Node(scene.ports()[port.index()].0)),
        End::Group(group) => (level_in(scene.groups()[group.index()].parent), Thing::Group(group)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Edge, Group, Node};

    #[test]
    fn an_edge_is_cut_at_the_frames_it_passes() {
        let mut scene = Scene::new("t");
        let outer = scene.add_group(Group::new("o", "outer"));
        let inner = scene.add_group(Group::new("i", "inner").inside(outer));
        let deep = scene.add_node(Node::new("a", "a").inside(inner));
        let flat = scene.add_node(Node::new("b", "b"));
        scene.add_edge(Edge::arrow(deep, flat));
        scene.add_edge(Edge::arrow(flat, deep));
        scene.add_edge(Edge::arrow(outer, deep));
        scene.add_edge(Edge::arrow(deep, deep));
        let structure = Structure::new(&scene);
        let course = &structure.courses[0];
        assert_eq!(course.gates[0], [(2, Thing::Node(deep)), (1, Thing::Group(inner))]);
        assert_eq!(course.gates[1], []);
        assert_eq!(course.across, Across::Between(0, Thing::Group(outer), Thing::Node(flat)));
        // One of the two edges between the same things is turned.
        assert_ne!(structure.courses[0].turned, structure.courses[1].turned);
        assert_eq!(structure.courses[2].across, Across::Frame);
        assert!(structure.courses[2].turned && structure.courses[2].leaves_down(1));
        assert_eq!(structure.courses[3].across, Across::Loop(2, Thing::Node(deep)));
    }
}
