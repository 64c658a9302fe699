//! Building trees from what a reader meets, within the limits.

use std::collections::HashMap;
use std::sync::Arc;

use super::arena::Arena;
use super::schema::Schema;
use super::{Node, Shape, Style, Tree, keys};
use crate::{Limits, SourceFile, Span};

/// A fault of a tree, in whatever language it is written.
#[derive(Debug)]
pub(crate) enum Problem {
    /// Collections in collections, more than [`Limits::depth`]; the span is where the limit is passed.
    TooDeep(Span),
    /// More nodes than [`Limits::nodes`], counting what aliases repeat.
    TooManyNodes(Span),
    /// An alias inside of what it stands for.
    Cycle { alias: Span, anchor: Span },
    /// A key for the second time.
    Repeated { key: String, first: Span, again: Span },
    /// A merge key whose value cannot be merged.
    BadMerge { value: Span, kind: &'static str },
}

/// An anchor that has been met.
struct Anchored {
    node: u32,
    anchor: Span,
    /// Nodes that an alias to it repeats; none while the node is still open.
    size: Option<u64>,
    /// Levels of collections in it.
    height: usize,
}

/// A collection that is still open.
struct Open {
    node: u32,
    is_mapping: bool,
    has_merge: bool,
    anchor: Option<usize>,
    children: usize,
    /// Number of nodes reached before it.
    before: u64,
    /// Levels of collections met in it so far.
    height: usize,
    /// Where its last child ends.
    end: u32,
}

/// Builds the trees of one file.
pub(crate) struct Builder {
    arena: Arena,
    merge_keys: bool,
    depth: usize,
    nodes: u64,
    open: Vec<Open>,
    anchors: HashMap<usize, Anchored>,
    /// Where the document starts on the tape.
    root: u32,
    /// Nodes of the document so far, counting what aliases repeat.
    reached: u64,
    documents: Vec<u32>,
    /// The faults that do not stop the document.
    pub(crate) problems: Vec<Problem>,
    /// How many more there are than are kept.
    pub(crate) more_problems: usize,
}

impl Builder {
    pub(crate) fn new(file: &Arc<SourceFile>, schema: Schema, limits: &Limits, merge_keys: bool) -> Self {
        Self {
            arena: Arena::new(Arc::clone(file), schema),
            merge_keys,
            depth: limits.depth,
            nodes: limits.nodes as u64,
            open: Vec::new(),
            anchors: HashMap::new(),
            root: 0,
            reached: 0,
            documents: Vec::new(),
            problems: Vec::new(),
            more_problems: 0,
        }
    }

    /// Adds a node; a collection stays open until [`Builder::close`].
    pub(crate) fn add(&mut self, shape: Shape<'_>, span: Span) -> Result<u32, Problem> {
        self.count(1, span)?;
        let node = self.arena.push(shape, span);
        let is_key = self.open.last_mut().is_some_and(|parent| {
            parent.children += 1;
            parent.end = parent.end.max(span.end);
            parent.is_mapping && parent.children % 2 == 1
        });
        if is_key && self.merge_keys && keys::is_merge(&self.arena, node) {
            self.open.last_mut().expect("a key has a mapping").has_merge = true;
        }
        if matches!(shape, Shape::Sequence(_) | Shape::Mapping(_)) {
            if self.open.len() >= self.depth {
                return Err(Problem::TooDeep(span));
            }
            self.open.push(Open {
                node,
                is_mapping: matches!(shape, Shape::Mapping(_)),
                has_merge: false,
                anchor: None,
                children: 0,
                before: self.reached - 1,
                height: 1,
                end: span.end,
            });
        }
        Ok(node)
    }

    /// Whether the next node is a key.
    pub(crate) fn expects_key(&self) -> bool {
        self.open.last().is_some_and(|parent| parent.is_mapping && parent.children % 2 == 0)
    }

    /// Counts nodes that are reached. The tape has 32-bit indices, which caps the limit.
    fn count(&mut self, nodes: u64, span: Span) -> Result<(), Problem> {
        self.reached = self.reached.saturating_add(nodes);
        let room = self.arena.here() < u32::MAX - 64;
        if self.reached <= self.nodes && room { Ok(()) } else { Err(Problem::TooManyNodes(span)) }
    }

    /// Gives the node just added a tag.
    pub(crate) fn tag(&mut self, node: u32, name: &str, span: Span) {
        self.arena.push_tag(node, name, span);
        // `!!merge` makes a merge key of a quoted scalar too.
        if name == "!!merge"
            && self.merge_keys
            && keys::is_merge(&self.arena, node)
            && let Some(parent) = self.open.last_mut().filter(|p| p.is_mapping && p.children % 2 == 1)
        {
            parent.has_merge = true;
        }
    }

    /// Gives the node just added, which may be open, an anchor that aliases name by `id`.
    pub(crate) fn anchor(&mut self, node: u32, id: usize, span: Span) {
        self.arena.push_anchor(node, span);
        let is_open = match self.open.last_mut() {
            Some(open) if open.node == node => {
                open.anchor = Some(id);
                true
            }
            _ => false,
        };
        let size = if is_open { None } else { Some(1) };
        self.anchors.insert(id, Anchored { node, anchor: span, size, height: 0 });
    }

    /// Adds an alias to the node with an anchor.
    pub(crate) fn alias(&mut self, id: usize, span: Span) -> Result<u32, Problem> {
        let target = self.anchors.get(&id).expect("the event parser knows the anchor");
        let (node, height) = (target.node, target.height);
        let Some(size) = target.size else {
            return Err(Problem::Cycle { alias: span, anchor: target.anchor });
        };
        self.count(size.saturating_sub(1), span)?;
        if self.open.len() + height > self.depth {
            return Err(Problem::TooDeep(span));
        }
        if let Some(parent) = self.open.last_mut() {
            parent.height = parent.height.max(height + 1);
        }
        self.add(Shape::Alias(node), span)
    }

    /// Ends the innermost collection, at `end` or else where its last child ends.
    pub(crate) fn close(&mut self, end: Option<u32>) {
        let open = self.open.pop().expect("a collection is open");
        let end = end.unwrap_or(open.end);
        self.arena.close(open.node, end);
        if let Some(parent) = self.open.last_mut() {
            parent.end = parent.end.max(end);
            parent.height = parent.height.max(open.height + 1);
        }
        if let Some(id) = open.anchor {
            let anchored = self.anchors.get_mut(&id).expect("an open anchor is known");
            anchored.size = Some(self.reached - open.before);
            anchored.height = open.height;
        }
        if open.is_mapping && open.children > 0 {
            self.finish_mapping(&open);
        }
    }

    fn finish_mapping(&mut self, open: &Open) {
        let entries = open.children / 2;
        if entries > 1 {
            let repeated = keys::repeated(&self.arena, open.node);
            if !repeated.is_empty() {
                self.arena.set_repeats(open.node);
            }
            if let Some(index) = keys::index(&self.arena, open.node, entries) {
                self.arena.set_index(open.node, &index);
            }
            let room = self.room(|problem| matches!(problem, Problem::Repeated { .. }));
            self.more_problems += repeated.len().saturating_sub(room);
            for (first, again) in repeated.into_iter().take(room) {
                let node = |at| Node { arena: &self.arena, at };
                let key = if node(again).is_scalar() {
                    node(again).raw().to_owned()
                } else {
                    self.arena.file.slice(node(again).span()).to_owned()
                };
                let (first, again) = (node(first).use_place().span, node(again).use_place().span);
                self.problems.push(Problem::Repeated { key, first, again });
            }
        }
        if open.has_merge {
            let (merged, bad) = keys::merge(&self.arena, open.node);
            let room = self.room(|problem| matches!(problem, Problem::BadMerge { .. }));
            self.more_problems += bad.len().saturating_sub(room);
            for at in bad.into_iter().take(room) {
                let node = Node { arena: &self.arena, at };
                let (value, kind) = (node.use_place().span, node.kind_name());
                self.problems.push(Problem::BadMerge { value, kind });
            }
            self.arena.set_merged(open.node, &merged);
        }
    }

    /// How many problems more of a kind are kept. Each kind has room of its own: some languages bear with one of them.
    fn room(&self, is_such: impl Fn(&Problem) -> bool) -> usize {
        let kept = self.problems.iter().filter(|problem| is_such(problem)).count();
        super::MOST_PROBLEMS.saturating_sub(kept)
    }

    /// How deep we are: the number of open collections.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// The innermost open collection: where it starts and how it is written.
    pub(crate) fn innermost(&self) -> Option<(Span, Style)> {
        self.open.last().map(|open| (self.arena.span(open.node), self.arena.style(open.node)))
    }

    /// A node that has been added.
    pub(crate) fn node(&self, at: u32) -> Node<'_> {
        Node { arena: &self.arena, at }
    }

    /// Ends the document, whose collections are all closed.
    pub(crate) fn end_document(&mut self) {
        debug_assert!(self.open.is_empty(), "the event parser ends what it starts");
        if self.arena.here() > self.root {
            self.documents.push(self.root);
        }
        self.start_document();
    }

    /// Forgets the document.
    pub(crate) fn abandon_document(&mut self) {
        self.arena.truncate(self.root);
        self.start_document();
    }

    fn start_document(&mut self) {
        self.root = self.arena.here();
        self.reached = 0;
        self.open.clear();
        self.anchors.clear();
    }

    /// The documents.
    pub(crate) fn finish(self) -> Vec<Tree> {
        let arena = self.arena.finish();
        self.documents.into_iter().map(|root| Tree::new(Arc::clone(&arena), root)).collect()
    }
}
