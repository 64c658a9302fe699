//! How often the parts of a specification were evaluated, and with which result.
//!
//! Points are set while a specification is compiled, and only if coverage is asked for: at whatever stands where a
//! truth is asked for (conjuncts, disjuncts, conditions, bodies of quantifiers), at the values of variables, and at the
//! branches of actions. A definition that is used twice has its points once. Counting happens where a point is entered
//! ([`Context::enter`]); the search itself is the ordinary one on values.

use std::sync::atomic::{AtomicU64, Ordering};

use locus_source::Place;

use super::Context;
use super::ir::Entry;

/// The number of a point.
pub type PointId = u32;

/// A place of the specification where evaluations are counted.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Where it is in the text.
    pub place: Place,
    /// The meaning of its second figure.
    pub kind: PointKind,
}

/// How the second figure of a point is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointKind {
    /// Where a truth is asked for: counts how often it was false.
    Truth,
    /// A value; there is no second figure.
    Value,
    /// A branch of an action: counts how often it was passed.
    Branch,
}

/// The figures of the points.
#[derive(Debug, Default)]
pub struct Counts {
    points: Vec<Point>,
    figures: Box<[Figures]>,
}

#[derive(Debug, Default)]
struct Figures {
    entered: AtomicU64,
    second: AtomicU64,
}

impl Counts {
    /// No evaluation of these points so far.
    pub fn new(points: Vec<Point>) -> Self {
        let figures = points.iter().map(|_| Figures::default()).collect();
        Self { points, figures }
    }

    /// Whether evaluations are counted.
    pub fn are_wanted(&self) -> bool {
        !self.points.is_empty()
    }

    /// Every point with how often it was evaluated and, where that is known, true.
    pub fn all(&self) -> impl Iterator<Item = (Place, u64, Option<u64>)> + '_ {
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
    /// The work before an expression or action is evaluated.
    #[inline]
    pub fn enter(&mut self, entry: &Entry) {
        self.reset(&entry.reset);
        if let Some(point) = entry.point
            && !self.repeats
        {
            self.shared.counts.enter(point);
        }
    }

    /// Notes that what was entered is false.
    #[inline]
    pub fn refuted(&self, entry: &Entry) {
        if let Some(point) = entry.point
            && !self.repeats
        {
            self.shared.counts.second(point);
        }
    }

    /// Notes that a branch of an action was passed.
    pub fn passed(&self, point: PointId) {
        if !self.repeats {
            self.shared.counts.second(point);
        }
    }
}
