//! Changes to a file after which fewer rules are broken.

use std::time::Duration;

use locus_alloy::{Change, Repairs, Terms};
use locus_source::{Finding, Place, Severity};

use crate::Instance;

impl Instance<'_> {
    /// Returns the effect of a change to the text on this instance: the other one was made of the changed text, by the
    /// same rules. `back` leads from its places to those in the text of this one.
    pub fn change_to(&self, other: &Instance<'_>, back: &dyn Fn(Place) -> Place) -> Change {
        Change::between(&self.data, &self.aligned(other, back))
    }

    /// The ways to repair broken rules by some of the changes. What only notes speak of stays as it is. `apart` has for
    /// each change those after it that cannot be made with it, and `others` for each thing to repair that no rule
    /// speaks of the changes any one of which does it.
    ///
    /// # Errors
    /// If a rule cannot be evaluated or solved for; the finding says which and why.
    pub fn repairs(
        &self,
        changes: &[Change],
        apart: &[Vec<usize>],
        others: &[Vec<usize>],
        timeout: Duration,
    ) -> Result<Repairs, Box<Finding>> {
        let is_asked = |fact: usize| {
            let description = self.rules.description(fact);
            description.native.is_none() && description.rule.severity > Severity::Note
        };
        self.rules.model.repairs(&self.data, changes, &Terms { is_asked: &is_asked, apart, others, timeout })
    }
}
