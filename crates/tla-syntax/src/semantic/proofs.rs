//! Proofs: what they name has to be there.
//!
//! A proof means nothing to a checker, so it is resolved and forgotten: names that mean nothing, steps that are
//! nowhere, and names with two meanings are reported as anywhere else. Not looked at are the levels of steps, whether a
//! step fits its goal, and the parts of formulas that are named by number (`Inv!2`).

use locus_source::{Finding, Severity, Span};

use crate::rules::{MISPLACED, MODULE_MISSING, NAME_CLASH};
use crate::syntax::ast::{
    self, AssumeProve, ExprKind as Tree, Fact, Facts, Hypothesis, Proof, ProofStep, Statement, StepKind,
};

use super::program::{Builtin, DefKind, ExprKind, LocalKind};
use super::resolver::Resolver;
use super::scope::{Context, Entity, Entry};

impl Resolver<'_> {
    /// Looks at the names in what a theorem assumes, and in its proof.
    pub(crate) fn check_proof(&mut self, body: &Statement, proof: Option<&Proof>) {
        if matches!(body, Statement::Formula(_)) && proof.is_none() {
            return;
        }
        self.forgetting(|r| {
            if let Statement::AssumeProve(tree) = body {
                r.assume_prove(tree);
            }
            if let Some(proof) = proof {
                r.proof(proof);
            }
        });
    }

    /// Looks at the names in `USE` or `HIDE` outside of proofs.
    pub(crate) fn check_facts(&mut self, facts: &Facts) {
        self.forgetting(|r| r.facts(facts));
    }

    /// Runs `work` on a text that has no meaning, and takes back what it made. In a copy of a module there is nothing
    /// to do: the module's own elaboration has the findings.
    fn forgetting(&mut self, work: impl FnOnce(&mut Self)) {
        if self.muted || self.state.program.modules[self.module.index()].standard {
            return;
        }
        let mark = self.state.scope.mark();
        let outside = std::mem::replace(&mut self.in_proof, true);
        let let_defs = std::mem::take(&mut self.let_defs);
        let program = &self.state.program;
        let (exprs, defs) = (program.exprs.len(), program.defs.len());
        let (locals, substs) = (program.locals.len(), program.substs.len());
        let (instances, modules) = (self.state.instances.len(), program.modules.len());
        self.let_depth += 1;
        work(self);
        self.let_depth -= 1;
        self.let_defs = let_defs;
        self.in_proof = outside;
        self.state.scope.undo(mark);
        // A module that was read for an instance stays, and what it is made of with it.
        if self.state.program.modules.len() > modules {
            return;
        }
        let state = &mut self.state;
        state.program.exprs.truncate(exprs);
        state.program.defs.truncate(defs);
        state.program.locals.truncate(locals);
        state.program.substs.truncate(substs);
        state.signatures.truncate(defs);
        state.instances.truncate(instances);
        state.label_params.retain(|label, _| label.index() < exprs);
        state.functions.retain(|def, _| def.index() < defs);
        state.assume_prove.retain(|def| def.index() < defs);
        state.instance_places.retain(|def, _| def.index() < defs);
    }

    fn proof(&mut self, proof: &Proof) {
        match proof {
            Proof::Nothing => {}
            Proof::By(facts) => self.facts(facts),
            Proof::Steps(steps) => {
                let mark = self.state.scope.mark();
                for step in steps {
                    self.proof_step(step);
                }
                self.state.scope.undo(mark);
            }
        }
    }

    /// A step. What it introduces stays in scope up to the end of its level.
    fn proof_step(&mut self, step: &ProofStep) {
        let mark = self.state.scope.mark();
        match &step.kind {
            StepKind::Qed => {}
            StepKind::Define(units) => {
                self.local_definitions(units);
            }
            StepKind::UseOrHide(facts) => self.facts(facts),
            StepKind::Instance(instance) => self.unnamed_instance(instance, true, &mut Context::default()),
            StepKind::Exprs(exprs) => {
                for expr in exprs {
                    self.value(expr);
                }
            }
            StepKind::Take(bounds) => {
                let sets = self.bound_sets(bounds);
                self.bind(bounds, sets);
            }
            StepKind::Pick(bounds, body) => {
                let sets = self.bound_sets(bounds);
                self.bind(bounds, sets);
                self.value(body);
                self.state.scope.undo(mark);
            }
            StepKind::Assert(_, Statement::Formula(formula)) => self.asserted(formula),
            StepKind::Assert(_, Statement::AssumeProve(tree)) => {
                self.assume_prove(tree);
                self.state.scope.undo(mark);
            }
        }
        // Its own proof may name a step: then what it assumes is meant.
        if let Some(name) = &step.name {
            self.declare_step(name, &step.kind);
        }
        let before_proof = self.state.scope.mark();
        if let StepKind::Assert(false, Statement::AssumeProve(tree)) = &step.kind {
            self.declare_new(tree);
        }
        if let Some(proof) = &step.proof {
            self.proof(proof);
        }
        self.state.scope.undo(before_proof);
        match &step.kind {
            StepKind::Pick(bounds, _) => {
                self.bind(bounds, bounds.iter().map(|_| None).collect());
            }
            StepKind::Assert(true, Statement::AssumeProve(tree)) => self.declare_new(tree),
            _ => {}
        }
    }

    /// A step can be named as a fact. As a formula it can be used only if it claims one; which one does not matter
    /// here.
    fn declare_step(&mut self, name: &ast::Ident, kind: &StepKind) {
        let def = self.new_def(name, DefKind::Statement, Vec::new());
        let formula = self.push(ExprKind::Builtin(Builtin::True, Vec::new()), name.span);
        self.state.program.defs[def.index()].body = Some(formula);
        if !matches!(kind, StepKind::Assert(false, Statement::Formula(_))) {
            self.state.assume_prove.insert(def);
        }
        let known = self.intern(&name.text);
        let place = self.place(name.span);
        if let Some(Entry { place: Some(first), .. }) = self.state.scope.get(known) {
            // Strange, but no more to SANY than a warning.
            let message = format!("there are two steps `{}` at one level", name.text);
            let mut finding = Finding::new(&NAME_CLASH, place, message).also(first, "the first one");
            finding.severity = Severity::Warning;
            self.report(finding);
        }
        self.state.scope.insert(known, Entry { entity: Entity::Def(def), place: Some(place) });
    }

    /// A formula that a step claims. `@ = e` goes on from the right-hand side of the step before.
    fn asserted(&mut self, formula: &ast::Expr) {
        let goes_on = matches!(&formula.kind, Tree::Infix { left, .. } if matches!(left.kind, Tree::At));
        let outside = self.at;
        if goes_on {
            let ident = ast::Ident { text: "@".into(), span: formula.span };
            self.at = Some((self.local(&ident, 0, LocalKind::At), false));
        }
        self.value(formula);
        self.at = outside;
    }

    /// `ASSUME … PROVE …`. What is NEW in it stays in scope.
    fn assume_prove(&mut self, tree: &AssumeProve) {
        for assumption in &tree.assumptions {
            match assumption {
                Hypothesis::Formula(formula) => {
                    self.value(formula);
                }
                Hypothesis::AssumeProve(tree) => {
                    let mark = self.state.scope.mark();
                    self.assume_prove(tree);
                    self.state.scope.undo(mark);
                }
                Hypothesis::New { declaration, set } => {
                    if let Some(set) = set {
                        self.value(set);
                    }
                    self.bind_params(std::slice::from_ref(declaration));
                }
            }
        }
        self.value(&tree.goal);
    }

    /// Brings what is NEW in an `ASSUME` into scope.
    fn declare_new(&mut self, tree: &AssumeProve) {
        for assumption in &tree.assumptions {
            if let Hypothesis::New { declaration, .. } = assumption {
                self.bind_params(std::slice::from_ref(declaration));
            }
        }
    }

    fn facts(&mut self, facts: &Facts) {
        for fact in &facts.facts {
            match fact {
                Fact::Module(module) => self.fact_module(module),
                Fact::Expr(ast::Expr { kind: Tree::Name(parts), span }) => {
                    self.fact(parts, *span, facts.hidden);
                }
                Fact::Expr(formula) => {
                    self.value(formula);
                    if facts.hidden {
                        self.not_hidden(formula.span);
                    }
                }
            }
        }
        for definition in &facts.definitions {
            match definition {
                Fact::Module(module) => self.fact_module(module),
                Fact::Expr(ast::Expr { kind: Tree::Name(parts), .. }) => self.defined(parts),
                Fact::Expr(other) => self.wrong(&MISPLACED, other.span, "DEF takes names of definitions"),
            }
        }
    }

    pub(crate) fn not_hidden(&mut self, span: Span) {
        let message =
            "HIDE takes the names of theorems, assumptions and steps, or behind DEF those of definitions";
        self.wrong(&MISPLACED, span, message);
    }

    fn fact_module(&mut self, module: &ast::Ident) {
        if !self.knows_module(module) {
            let message =
                format!("module `{}` is used here, but nothing extends or instantiates it", module.text);
            self.wrong(&MODULE_MISSING, module.span, message);
        }
    }
}
