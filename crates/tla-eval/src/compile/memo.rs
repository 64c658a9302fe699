//! Definitions that depend on the state alone are evaluated once per state, however often they are used.
//!
//! Everything that is evaluated together (the invariants, the next-state action, the atoms of temporal formulas) is
//! compiled between [`Compiler::begin_memo`] and [`Compiler::end_memo`]. Within, a use of a definition without
//! parameters, or of what an instance substitutes for a variable, becomes a slot that is filled when first needed;
//! these slots are reset before each evaluation.

use std::sync::Arc;

use locus_source::Place;
use rustc_hash::FxHashMap;

use crate::semantic::{DefId, ExprId, SubstId};
use crate::value::Outcome;

use super::Compiler;
use super::facts::Facts;
use super::scope::{Mode, Scope};
use crate::eval::ir::{Kind, Node, Slot};
use crate::eval::{KeptNext, KeptSlots};

/// The definitions and substitutions that have slots of their own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Key {
    Def(DefId),
    Subst(SubstId),
}

/// The slots given so far.
#[derive(Default)]
pub(super) struct Memo {
    /// Whether the next state is known as a whole, so that primed expressions can be kept too.
    primed: bool,
    kept: FxHashMap<(Key, bool), Kept>,
}

/// The most variables for which a value is remembered.
const FEW: u32 = 4;

enum Kept {
    /// A slot, filled by the node.
    Slot(Slot, Arc<Node>, Facts),
    /// Not worth a slot, or not possible.
    No,
}

impl Compiler<'_> {
    /// Begins to compile what is evaluated together.
    pub fn begin_memo(&mut self, primed: bool) {
        self.memo = Some(Memo { primed, kept: FxHashMap::default() });
    }

    /// Ends it, and gives the slots that have to be reset before an evaluation.
    pub fn end_memo(&mut self) -> KeptSlots {
        let memo = self.memo.take().unwrap_or_default();
        let (mut state, mut next) = (Vec::new(), Vec::new());
        #[expect(clippy::iter_over_hash_type, reason = "the slots are sorted")]
        for ((_, primed), kept) in &memo.kept {
            match kept {
                Kept::Slot(slot, _, facts) if *primed => {
                    let bits = facts.next_vars;
                    // The last bit stands for several variables.
                    let known = bits >> 63 == 0 && bits.count_ones() <= FEW;
                    let vars = (0..63).filter(|var| known && bits >> var & 1 == 1).collect();
                    next.push(KeptNext { slot: *slot, vars });
                }
                Kept::Slot(slot, ..) => state.push(*slot),
                Kept::No => {}
            }
        }
        state.sort_unstable();
        next.sort_unstable_by_key(|kept: &KeptNext| kept.slot);
        KeptSlots { state: state.into(), next: next.into() }
    }

    /// Compiles without keeping anything: for what is evaluated in another state, or shared with others.
    pub(super) fn without_memo<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let memo = self.memo.take();
        let result = work(self);
        self.memo = memo;
        result
    }

    /// A use of an expression that stands outside of all binders, if it is worth a slot.
    pub(super) fn kept(&mut self, key: Key, expr: ExprId, mode: Mode, place: Place) -> Outcome<Option<Node>> {
        let Some(memo) = &self.memo else { return Ok(None) };
        if mode.init || (mode.prime && (!memo.primed || mode.enabled > 0)) {
            return Ok(None);
        }
        if !memo.kept.contains_key(&(key, mode.prime)) {
            let plain = Mode { enabled: 0, ..mode };
            let (node, facts) = self.separately(|this| this.expr(expr, &Scope::default(), plain));
            let node = node?;
            let simple = matches!(
                node.kind,
                Kind::Const(_)
                    | Kind::Cell(_)
                    | Kind::Var(_)
                    | Kind::Primed(_)
                    | Kind::Refuse(_)
                    | Kind::Lazy(..)
            );
            // What an instance with parameters substitutes may speak of these, and is another thing for each argument.
            let varies = facts.varies() || facts.pending.is_some() || facts.unbound || !facts.free.is_empty();
            let other = if mode.prime { facts.state } else { facts.next };
            let kept = if simple || varies || other {
                Kept::No
            } else {
                Kept::Slot(self.slot(), Arc::new(node), facts)
            };
            if let Some(memo) = &mut self.memo {
                memo.kept.insert((key, mode.prime), kept);
            }
        }
        match self.memo.as_ref().and_then(|memo| memo.kept.get(&(key, mode.prime))) {
            Some(Kept::Slot(slot, node, facts)) => {
                let (slot, node, facts) = (*slot, Arc::clone(node), facts.clone());
                self.facts.merge(&facts);
                Ok(Some(Node::new(Kind::Lazy(slot, node), place)))
            }
            _ => Ok(None),
        }
    }
}
