//! How many atoms each signature has in a command.
//!
//! The rules are those of Alloy: what the command says; one atom for `one`, at most one for `lone`; an abstract
//! signature has as many as those that extend it together; other top-level signatures take the overall scope
//! (3 if the command says nothing at all), and the rest that of what they extend.

use locus_source::Finding;

use crate::ast::Mult;
use crate::model::{Command, Parent, World};
use crate::rules;
use crate::types::SigId;

/// More atoms than this are refused.
pub(crate) const MAX_ATOMS: i64 = 1 << 20;

/// The scopes of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scopes {
    /// Per signature: how many atoms at most, and whether exactly so. Subset signatures have none.
    pub sizes: Vec<Option<(i64, bool)>>,
    /// Integers have this many bits.
    pub bitwidth: u32,
    /// Sequences have at most this many elements.
    pub max_seq: i64,
    /// There are at least this many strings.
    pub strings: Option<i64>,
}

impl Scopes {
    /// The scopes of a command, or why there are none.
    pub fn compute(world: &World, command: &Command) -> Result<Self, Box<Finding>> {
        let mut computing = Computing {
            world,
            command,
            sizes: vec![None; world.sigs.len()],
            exact: vec![false; world.sigs.len()],
            strings: None,
        };
        computing.said()?;
        computing.exact_by_modules()?;
        computing.derive()?;
        let (bitwidth, max_seq) = computing.integers()?;
        let Computing { sizes, exact, strings, .. } = computing;
        let sizes =
            sizes.into_iter().zip(exact).map(|(size, exact)| size.map(|size| (size, exact))).collect();
        Ok(Self { sizes, bitwidth, max_seq, strings })
    }

    /// The number of atoms of a signature, 0 if it has no scope.
    pub fn size(&self, sig: SigId) -> i64 {
        self.sizes[sig.index()].map_or(0, |(size, _)| size)
    }

    /// Whether a signature has exactly as many atoms.
    pub fn is_exact(&self, sig: SigId) -> bool {
        self.sizes[sig.index()].is_some_and(|(_, exact)| exact)
    }

    /// The smallest integer.
    pub fn min_int(&self) -> i64 {
        if self.bitwidth == 0 { 0 } else { i64::MIN >> (64 - self.bitwidth) }
    }

    /// The largest integer; less than the smallest if there are none.
    pub fn max_int(&self) -> i64 {
        !self.min_int()
    }
}

struct Computing<'a> {
    world: &'a World,
    command: &'a Command,
    sizes: Vec<Option<i64>>,
    exact: Vec<bool>,
    strings: Option<i64>,
}

type Computed<X> = Result<X, Box<Finding>>;

impl Computing<'_> {
    fn wrong<X>(&self, message: String) -> Computed<X> {
        Err(Box::new(Finding::new(&rules::SCOPE, self.command.place, message)))
    }

    fn name(&self, sig: SigId) -> &str {
        self.world.short(sig)
    }

    fn set(&mut self, sig: SigId, size: i64) -> Computed<()> {
        match self.sizes[sig.index()] {
            Some(before) if before != size => {
                self.wrong(format!("`{}` has the scope {before}, so it cannot be {size}", self.name(sig)))
            }
            _ if size > MAX_ATOMS => {
                let message = format!(
                    "a scope of {size} for `{}` is too large: the limit is {MAX_ATOMS}",
                    self.name(sig)
                );
                Err(Box::new(Finding::new(&rules::TOO_LARGE, self.command.place, message)))
            }
            _ => {
                self.sizes[sig.index()] = Some(size);
                Ok(())
            }
        }
    }

    /// Signatures that are no subsets, each after what it extends, wherever that is declared: a scope that comes from
    /// above has come down to all before what is left is shared out.
    fn prims(&self) -> Vec<SigId> {
        let mut prims: Vec<SigId> =
            self.world.user_sigs().filter(|&sig| self.world.sig(sig).is_prim()).collect();
        prims.sort_by_key(|&sig| self.depth(sig));
        prims
    }

    fn depth(&self, mut sig: SigId) -> usize {
        let mut depth = 0;
        while let Parent::Prim(parent) = self.world.sig(sig).parent
            && parent != SigId::UNIV
        {
            (sig, depth) = (parent, depth + 1);
        }
        depth
    }

    /// Applies the scopes that the command and the multiplicities of signatures declare.
    fn said(&mut self) -> Computed<()> {
        for scope in &self.command.scopes {
            let wrong = |message: String| Err(Box::new(Finding::new(&rules::SCOPE, scope.place, message)));
            let sig = self.world.sig(scope.sig);
            let name = self.name(scope.sig).to_owned();
            if scope.sig == SigId::STRING {
                if !scope.exact {
                    return wrong("the scope of `String` must be exact".to_owned());
                }
                self.strings = Some(scope.size);
                continue;
            }
            if scope.sig.is_built_in() {
                return wrong(format!("`{name}` has no scope of its own"));
            }
            if sig.is_variable && scope.exact {
                return wrong(format!("`{name}` changes (`var`), so its scope cannot be exact"));
            }
            if sig.is_variable && sig.parent != Parent::Prim(SigId::UNIV) {
                return wrong(format!(
                    "`{name}` changes (`var`) and extends another, so it has no scope of its own"
                ));
            }
            if !sig.is_prim() {
                return wrong(format!("`{name}` is a subset, so it has no scope of its own"));
            }
            if sig.is_enum {
                return wrong(format!("`{name}` is an enumeration, so it has no scope of its own"));
            }
            match sig.mult {
                Some((Mult::One, _)) if scope.size != 1 => {
                    return wrong(format!(
                        "`{name}` is declared `one`, so its scope cannot be {}",
                        scope.size
                    ));
                }
                Some((Mult::Lone, _)) if scope.size > 1 => {
                    return wrong(format!(
                        "`{name}` is declared `lone`, so its scope cannot be {}",
                        scope.size
                    ));
                }
                Some((Mult::Some, _)) if scope.size < 1 => {
                    return wrong(format!(
                        "`{name}` is declared `some`, so its scope cannot be {}",
                        scope.size
                    ));
                }
                _ => {}
            }
            self.set(scope.sig, scope.size)?;
            self.exact[scope.sig.index()] |= scope.exact;
        }
        for sig in self.prims() {
            if self.world.sig(sig).is(Mult::One) {
                self.exact[sig.index()] = true;
                self.set(sig, 1)?;
            } else if self.world.sig(sig).is(Mult::Lone) && self.sizes[sig.index()] != Some(0) {
                self.set(sig, 1)?;
            }
        }
        Ok(())
    }

    /// Refuses signatures that are variable and ordered by `util/ordering`: what is ordered does not change.
    fn exact_by_modules(&self) -> Computed<()> {
        match self.world.exact.iter().find(|sig| self.world.sig(**sig).is_variable) {
            Some(&sig) => self.wrong(format!(
                "a module wants all atoms of `{}` to be there always, as `util/ordering` does, but it changes (`var`)",
                self.name(sig)
            )),
            None => Ok(()),
        }
    }

    fn derive(&mut self) -> Computed<()> {
        while self.sum_children()? || self.take_overall()? || self.take_parents()? {}
        Ok(())
    }

    /// An abstract signature and those that extend it: all but one known give the last.
    fn sum_children(&mut self) -> Computed<bool> {
        let mut changed = false;
        for sig in self.prims() {
            let declared = self.world.sig(sig);
            if !declared.is_abstract || declared.children.is_empty() {
                continue;
            }
            let unknown: Vec<SigId> =
                declared.children.iter().copied().filter(|c| self.sizes[c.index()].is_none()).collect();
            let sum: i64 = declared.children.iter().filter_map(|c| self.sizes[c.index()]).sum();
            match (self.sizes[sig.index()], &unknown[..]) {
                (None, []) => {
                    self.set(sig, sum)?;
                    changed = true;
                }
                (Some(size), [last]) => {
                    self.set(*last, (size - sum).max(0))?;
                    changed = true;
                }
                _ => {}
            }
        }
        Ok(changed)
    }

    fn take_overall(&mut self) -> Computed<bool> {
        let said_nothing = self.command.overall.is_none() && self.command.scopes.is_empty();
        let overall = self.command.overall.or(said_nothing.then_some(3));
        let mut changed = false;
        for sig in self.prims() {
            let declared = self.world.sig(sig);
            if declared.parent != Parent::Prim(SigId::UNIV) || self.sizes[sig.index()].is_some() {
                continue;
            }
            let size = if declared.is_enum { Some(0) } else { overall };
            let Some(size) = size else { return self.missing(sig) };
            self.set(sig, size)?;
            changed = true;
        }
        Ok(changed)
    }

    fn missing<X>(&self, sig: SigId) -> Computed<X> {
        let name = self.name(sig);
        let message = format!("this command says nothing about the scope of `{name}`");
        let finding = Finding::new(&rules::SCOPE, self.command.place, message);
        Err(Box::new(
            finding
                .help(format!("add it (`for … but 3 {name}`), or begin with a scope for all: `for 3 but …`")),
        ))
    }

    fn take_parents(&mut self) -> Computed<bool> {
        let mut changed = false;
        let mut trouble = None;
        for sig in self.prims() {
            let Parent::Prim(parent) = self.world.sig(sig).parent else { continue };
            if parent == SigId::UNIV || self.sizes[sig.index()].is_some() {
                continue;
            }
            match self.sizes[parent.index()] {
                Some(size) => {
                    self.set(sig, size)?;
                    changed = true;
                }
                None => trouble = Some(sig),
            }
        }
        match trouble {
            Some(sig) if !changed => self.missing(sig),
            _ => Ok(changed),
        }
    }

    fn integers(&self) -> Computed<(u32, i64)> {
        let bitwidth = self.command.bitwidth.unwrap_or(4);
        if !(0..=20).contains(&bitwidth) {
            let message =
                format!("integers of {bitwidth} bits need 2^{bitwidth} atoms; the limit is 20 bits");
            return Err(Box::new(Finding::new(&rules::TOO_LARGE, self.command.place, message)));
        }
        let bitwidth = bitwidth as u32;
        let max = if bitwidth == 0 { 0 } else { (1_i64 << (bitwidth - 1)) - 1 };
        let max_seq = match self.command.max_seq {
            Some(said) if said > max => {
                return self.wrong(format!(
                    "with integers of {bitwidth} bits, sequences have at most {max} elements, not {said}"
                ));
            }
            Some(said) => said,
            None => self.command.overall.unwrap_or(4).min(max),
        };
        Ok((bitwidth, max_seq.max(0)))
    }
}
