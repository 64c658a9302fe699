//! Temporal formulas over atoms that the model evaluates.

/// A temporal formula.
///
/// Its meaning is given on infinite behaviours. At each place of a behaviour there are a state and the step to
/// the next; a *state atom* is evaluated on the state, a *step atom* on the step. A behaviour may stutter: a step
/// may leave the state as it is, once or for ever. Step atoms come from `[A]_v` (true of every stuttering step)
/// and `<<A>>_v` (false of every one), so that formulas cannot tell how often a behaviour stutters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub enum Formula {
    /// True or false.
    Constant(bool),
    /// A state atom, by index.
    State(usize),
    /// A step atom, by index.
    Step(usize),
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction; true if empty.
    And(Vec<Formula>),
    /// Disjunction; false if empty.
    Or(Vec<Formula>),
    /// `[]`: now and at each place after.
    Always(Box<Formula>),
    /// `<>`: now or at some place after.
    Eventually(Box<Formula>),
}

#[expect(
    clippy::should_implement_trait,
    reason = "`Formula::not(f)` reads as a constructor beside the others"
)]
impl Formula {
    /// `~f`
    pub fn not(self) -> Formula {
        Formula::Not(Box::new(self))
    }

    /// `f /\ g`
    pub fn and(self, other: Formula) -> Formula {
        Formula::And(vec![self, other])
    }

    /// `f \/ g`
    pub fn or(self, other: Formula) -> Formula {
        Formula::Or(vec![self, other])
    }

    /// `f => g`
    pub fn implies(self, other: Formula) -> Formula {
        self.not().or(other)
    }

    /// `f <=> g`
    pub fn equivalent(self, other: Formula) -> Formula {
        self.clone().and(other.clone()).or(self.not().and(other.not()))
    }

    /// `[]f`
    pub fn always(self) -> Formula {
        Formula::Always(Box::new(self))
    }

    /// `<>f`
    pub fn eventually(self) -> Formula {
        Formula::Eventually(Box::new(self))
    }

    /// `f ~> g`, that is `[](f => <>g)`
    pub fn leads_to(self, other: Formula) -> Formula {
        self.implies(other.eventually()).always()
    }

    /// `WF_v(A)`: if from some place on `<<A>>_v` is enabled for ever, it is taken again and again. `enabled` is
    /// `ENABLED <<A>>_v`, `step` is `<<A>>_v`.
    pub fn weak_fairness(enabled: Formula, step: Formula) -> Formula {
        enabled.not().or(step).eventually().always()
    }

    /// `SF_v(A)`: if `<<A>>_v` is enabled again and again, it is taken again and again.
    pub fn strong_fairness(enabled: Formula, step: Formula) -> Formula {
        enabled.not().always().eventually().or(step.eventually().always())
    }
}
