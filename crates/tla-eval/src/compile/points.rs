//! Where evaluations are counted: points are set while a specification is compiled.

use locus_source::{FileId, Place};
use rustc_hash::FxHashMap;

use crate::eval::ir::{Act, ActKind, Entry, Kind, Node};
use crate::eval::{Point, PointId, PointKind};
use crate::semantic::{ExprId, Program};
use crate::value::Outcome;

use super::Compiler;
use super::scope::{Mode, Scope};

/// The points of what has been compiled.
#[derive(Debug)]
pub struct Points {
    /// The files of standard modules, in which nothing is counted.
    standard: Vec<FileId>,
    numbers: FxHashMap<ExprId, PointId>,
    all: Vec<Point>,
}

impl Points {
    /// None yet, for a program.
    pub fn new(program: &Program) -> Self {
        let standard = program.modules.iter().filter(|module| module.standard);
        Self {
            standard: standard.map(|module| module.place.file).collect(),
            numbers: FxHashMap::default(),
            all: Vec::new(),
        }
    }

    /// The points, by their numbers.
    pub fn into_all(self) -> Vec<Point> {
        self.all
    }

    fn at(&mut self, expr: ExprId, place: Place, kind: PointKind) -> Option<PointId> {
        if self.standard.contains(&place.file) {
            return None;
        }
        Some(*self.numbers.entry(expr).or_insert_with(|| {
            self.all.push(Point { place, kind });
            self.all.len() as PointId - 1
        }))
    }
}

impl Compiler<'_> {
    /// Compiles what stands where a truth is asked for.
    pub(super) fn truth(&mut self, id: ExprId, scope: &Scope, mode: Mode) -> Outcome<Node> {
        let node = self.expr(id, scope, mode)?;
        Ok(self.counted(id, node, PointKind::Truth))
    }

    /// The same for several.
    pub(super) fn truths(&mut self, exprs: &[ExprId], scope: &Scope, mode: Mode) -> Outcome<Vec<Node>> {
        exprs.iter().map(|expr| self.truth(*expr, scope, mode)).collect()
    }

    /// Compiles a branch of a conditional expression.
    pub(super) fn taken(&mut self, id: ExprId, scope: &Scope, mode: Mode) -> Outcome<Node> {
        let node = self.expr(id, scope, mode)?;
        Ok(self.counted(id, node, PointKind::Value))
    }

    /// Counts the evaluations of `node` as those of the expression `id`.
    pub fn counted(&mut self, id: ExprId, node: Node, kind: PointKind) -> Node {
        let place = self.place(id);
        let Some(points) = &mut self.points else { return node };
        // A truth that is always the same is not of interest.
        if kind == PointKind::Truth && matches!(node.kind, Kind::Const(_)) {
            return node;
        }
        let Some(point) = points.at(id, place, kind) else { return node };
        let entry = Entry { reset: Box::new([]), point: Some(point) };
        let place = node.place;
        Node::new(Kind::Scope(entry, Box::new(node)), place)
    }

    /// Counts the evaluations of an action that has turned out to be a condition.
    pub(super) fn condition(&mut self, id: ExprId, act: Act) -> Act {
        match act.kind {
            ActKind::Guard(node) => ActKind::Guard(self.counted(id, node, PointKind::Truth)).into(),
            _ => act,
        }
    }

    /// Counts how often a branch of an action is tried and passed.
    pub(super) fn branch(&mut self, id: ExprId, act: Act) -> Act {
        let place = self.place(id);
        let Some(points) = &mut self.points else { return act };
        if matches!(act.kind, ActKind::Guard(_) | ActKind::Assign(..) | ActKind::Among(..)) {
            // Counted as what it is.
            return act;
        }
        let Some(point) = points.at(id, place, PointKind::Branch) else { return act };
        let entry = Entry { reset: Box::new([]), point: Some(point) };
        let act = Act::from(ActKind::Seq(Box::new([act, Act::from(ActKind::Passed(point))])));
        Act::from(ActKind::Scope(entry, Box::new(act)))
    }
}
