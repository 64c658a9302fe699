//! How often the parts of a specification were evaluated, and with which result.
//!
//! Points are set while a specification is compiled, and only if coverage is asked for: at whatever stands where a
//! truth is asked for (conjuncts, disjuncts, conditions, bodies of quantifiers), at the values of variables, and at the
//! branches of actions. A definition that is used twice has its points once. Counting happens where a point is entered
//! ([`Context::enter`]); the search itself is the ordinary one on values.

use std::sync::atomic::{AtomicU64, Ordering};

use locus_source::{FileId, Place};
use rustc_hash::FxHashMap;

use crate::semantic::{ExprId, Program};
use crate::value::Outcome;

use super::Context;
use super::compile::Compiler;
use super::ir::{Act, Entry, Kind, Node};
use super::scope::{Mode, Scope};

/// The number of a point.
pub(crate) type PointId = u32;

/// A place of the specification where evaluations are counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) place: Place,
    pub(crate) kind: PointKind,
}

/// How the second figure of a point is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PointKind {
    /// Where a truth is asked for: counts how often it was false.
    Truth,
    /// A value; there is no second figure.
    Value,
    /// A branch of an action: counts how often it was passed.
    Branch,
}

/// The points of what has been compiled.
#[derive(Debug)]
pub(crate) struct Points {
    /// The files of standard modules, in which nothing is counted.
    standard: Vec<FileId>,
    numbers: FxHashMap<ExprId, PointId>,
    all: Vec<Point>,
}

impl Points {
    pub(crate) fn new(program: &Program) -> Self {
        let standard = program.modules.iter().filter(|module| module.standard);
        Self {
            standard: standard.map(|module| module.place.file).collect(),
            numbers: FxHashMap::default(),
            all: Vec::new(),
        }
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

/// The figures of the points.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    points: Vec<Point>,
    figures: Box<[Figures]>,
}

#[derive(Debug, Default)]
struct Figures {
    entered: AtomicU64,
    second: AtomicU64,
}

impl Counts {
    pub(crate) fn new(points: Option<Points>) -> Self {
        let points = points.map(|points| points.all).unwrap_or_default();
        let figures = points.iter().map(|_| Figures::default()).collect();
        Self { points, figures }
    }

    /// Whether evaluations are counted.
    pub(crate) fn are_wanted(&self) -> bool {
        !self.points.is_empty()
    }

    /// Every point with how often it was evaluated and, where that is known, true.
    pub(crate) fn all(&self) -> impl Iterator<Item = (Place, u64, Option<u64>)> + '_ {
        self.points.iter().zip(&self.figures).map(|(point, figures)| {
            let entered = figures.entered.load(Ordering::Relaxed);
            let second = figures.second.load(Ordering::Relaxed);
            let held = match point.kind {
                PointKind::Truth => Some(entered.saturating_sub(second)),
                PointKind::Value => None,
                PointKind::Branch => Some(second),
            };
            (point.place, entered, held)
        })
    }

    fn enter(&self, point: PointId) {
        if let Some(figures) = self.figures.get(point as usize) {
            figures.entered.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn second(&self, point: PointId) {
        if let Some(figures) = self.figures.get(point as usize) {
            figures.second.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Context {
    /// What is done before an expression or action is evaluated.
    #[inline]
    pub(crate) fn enter(&mut self, entry: &Entry) {
        self.reset(&entry.reset);
        if let Some(point) = entry.point
            && !self.repeats
        {
            self.shared.counts.enter(point);
        }
    }

    /// Notes that what was entered is false.
    #[inline]
    pub(crate) fn refuted(&self, entry: &Entry) {
        if let Some(point) = entry.point
            && !self.repeats
        {
            self.shared.counts.second(point);
        }
    }

    /// Notes that a branch of an action was passed.
    pub(crate) fn passed(&self, point: PointId) {
        if !self.repeats {
            self.shared.counts.second(point);
        }
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
    pub(crate) fn counted(&mut self, id: ExprId, node: Node, kind: PointKind) -> Node {
        let place = self.place(id);
        let Some(points) = &mut self.points else { return node };
        // A truth that is always the same is not of interest.
        if kind == PointKind::Truth && matches!(node.kind, Kind::Const(_)) {
            return node;
        }
        let Some(point) = points.at(id, place, kind) else { return node };
        let entry = Entry { reset: Box::new([]), point: Some(point) };
        let place = node.place;
        Node { kind: Kind::Scope(entry, Box::new(node)), place }
    }

    /// Counts the evaluations of an action that has turned out to be a condition.
    pub(super) fn condition(&mut self, id: ExprId, act: Act) -> Act {
        match act {
            Act::Guard(node) => Act::Guard(self.counted(id, node, PointKind::Truth)),
            other => other,
        }
    }

    /// Counts how often a branch of an action is tried and passed.
    pub(super) fn branch(&mut self, id: ExprId, act: Act) -> Act {
        let place = self.place(id);
        let Some(points) = &mut self.points else { return act };
        if matches!(act, Act::Guard(_) | Act::Assign(..) | Act::Among(..)) {
            // Counted as what it is.
            return act;
        }
        let Some(point) = points.at(id, place, PointKind::Branch) else { return act };
        let entry = Entry { reset: Box::new([]), point: Some(point) };
        let act = Act::Seq(Box::new([act, Act::Passed(point)]));
        Act::Scope(entry, Box::new(act))
    }
}
