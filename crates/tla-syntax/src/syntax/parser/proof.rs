//! Proofs and what only they contain.

use locus_source::Span;

use super::{Parse, Parser};
use crate::rules::SYNTAX;
use crate::syntax::ast::{
    AssumeProve, Fact, Facts, Hypothesis, Ident, Proof, ProofStep, Statement, StepKind, Unit, UnitKind,
};
use crate::syntax::operators::id;
use crate::syntax::token::{Kind, StepLevel, Token, Word};

const IN: u8 = id("\\in");

impl Parser<'_> {
    /// The proof of a theorem, if it has one.
    pub(super) fn optional_proof(&mut self) -> Parse<Option<Proof>> {
        let outside = std::mem::replace(&mut self.in_proof, true);
        let proved = self.proof(None);
        self.in_proof = outside;
        proved
    }

    /// A proof below a step of `level` (or of a theorem), if there is one.
    fn proof(&mut self, level: Option<u32>) -> Parse<Option<Proof>> {
        let announced = self.eat(Kind::Word(Word::Proof)).is_some();
        match self.kind() {
            Kind::Word(Word::By) => {
                self.bump();
                Ok(Some(Proof::By(self.facts()?)))
            }
            Kind::Word(Word::Obvious | Word::Omitted) => {
                self.bump();
                Ok(Some(Proof::Nothing))
            }
            Kind::Step(step) => {
                let own = match step {
                    StepLevel::Number(n) => n,
                    StepLevel::Next => level.map_or(0, |l| l.saturating_add(1)),
                    // After PROOF a level begins; without it, the step belongs to the level it stands in.
                    StepLevel::Same if announced => level.map_or(0, |l| l.saturating_add(1)),
                    StepLevel::Same => level.unwrap_or(0),
                };
                if level.is_some_and(|level| own <= level) {
                    return Ok(None);
                }
                let outside = std::mem::replace(&mut self.proof_level, own);
                let steps = self.nested(|p| p.steps(own));
                self.proof_level = outside;
                Ok(Some(Proof::Steps(steps?)))
            }
            _ if announced => self.expected("BY, OBVIOUS, OMITTED or a step after PROOF"),
            _ => Ok(None),
        }
    }

    /// Steps of one level, up to its QED.
    fn steps(&mut self, level: u32) -> Parse<Vec<ProofStep>> {
        let mut steps: Vec<ProofStep> = Vec::new();
        loop {
            let Kind::Step(step) = self.kind() else {
                return self.expected("a step of the proof, up to its QED");
            };
            let own = match step {
                StepLevel::Number(n) => n,
                StepLevel::Same => level,
                StepLevel::Next if steps.is_empty() => level,
                StepLevel::Next => level.saturating_add(1),
            };
            if own != level {
                let finding = self
                    .finding(
                        &SYNTAX,
                        self.token().span,
                        format!("a step of level {own} among those of level {level}"),
                    )
                    .help("each level of a proof ends with a QED step");
                return self.fail(finding);
            }
            let token = self.bump();
            let name = self.step_name(token);
            if name.is_some() && !matches!(step, StepLevel::Number(_)) {
                let finding = self
                    .finding(&SYNTAX, token.span, "a step that has a name says its level as a number")
                    .help(format!("write `<{level}>` in place of `<*>` or `<+>`, or leave the name out"));
                return self.fail(finding);
            }
            let (kind, may_be_proved) = self.step()?;
            let proof = if may_be_proved { self.proof(Some(level))? } else { None };
            let ends = kind == StepKind::Qed;
            steps.push(ProofStep { name, kind, proof });
            if ends {
                return Ok(steps);
            }
        }
    }

    /// The name of a step, `<1>a` whether written `<1>a`, `<1>a.`, `<01>a` or within level 1 `<*>a`; none for `<1>`.
    pub(super) fn step_name(&self, token: Token) -> Option<Ident> {
        let Kind::Step(level) = token.kind else { return None };
        let level = match level {
            StepLevel::Number(n) => n,
            StepLevel::Same => self.proof_level,
            StepLevel::Next => self.proof_level.saturating_add(1),
        };
        let text = self.slice(token.span);
        let name = text[text.find('>')? + 1..].trim_end_matches('.');
        let is_name = name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        is_name.then(|| Ident { text: format!("<{level}>{name}").into(), span: token.span })
    }

    /// The step behind its number, and whether a proof of it may follow.
    fn step(&mut self) -> Parse<(StepKind, bool)> {
        Ok(match self.kind() {
            Kind::Word(Word::Qed) => {
                self.bump();
                (StepKind::Qed, true)
            }
            Kind::Word(Word::Define) => {
                self.bump();
                (StepKind::Define(self.step_definitions()?), false)
            }
            Kind::Word(Word::Use | Word::Hide) => (StepKind::UseOrHide(self.use_or_hide()?), false),
            Kind::Word(Word::Instance) => (StepKind::Instance(self.instance()?), false),
            Kind::Word(Word::Have) => {
                self.bump();
                (StepKind::Exprs(vec![self.expr()?]), false)
            }
            Kind::Word(Word::Witness) => {
                self.bump();
                (StepKind::Exprs(self.list(Self::expr)?), false)
            }
            Kind::Word(Word::Take) => {
                self.bump();
                (StepKind::Take(self.bounds()?), false)
            }
            Kind::Word(Word::Pick) => {
                self.bump();
                let bounds = self.bounds()?;
                self.expect(Kind::Colon, "`:`")?;
                (StepKind::Pick(bounds, self.expr()?), true)
            }
            Kind::Word(Word::Case) => {
                self.bump();
                (StepKind::Exprs(vec![self.expr()?]), true)
            }
            _ if self.begins_definition() => (StepKind::Define(self.step_definitions()?), false),
            _ => {
                let suffices = self.eat(Kind::Word(Word::Suffices)).is_some();
                (StepKind::Assert(suffices, self.statement()?), true)
            }
        })
    }

    fn step_definitions(&mut self) -> Parse<Vec<Unit>> {
        let mut units = Vec::new();
        loop {
            let start = self.token().span;
            let kind = if self.eat(Kind::Word(Word::Recursive)).is_some() {
                UnitKind::Recursive(self.list(Self::declaration)?)
            } else if self.begins_definition() {
                UnitKind::Definition(self.definition()?)
            } else {
                return Ok(units);
            };
            units.push(Unit { kind, local: None, span: self.span_from(start) });
        }
    }

    /// `USE …` or `HIDE …`.
    pub(super) fn use_or_hide(&mut self) -> Parse<Facts> {
        let hidden = self.bump().kind == Kind::Word(Word::Hide);
        let outside = std::mem::replace(&mut self.in_proof, true);
        let facts = self.facts();
        self.in_proof = outside;
        Ok(Facts { hidden, ..facts? })
    }

    /// The facts behind BY, USE and HIDE.
    fn facts(&mut self) -> Parse<Facts> {
        self.eat(Kind::Word(Word::Only));
        let mut facts = Facts::default();
        if !self.is_word(Word::Def) {
            facts.facts = self.list(Self::fact)?;
        }
        if self.eat(Kind::Word(Word::Def)).is_some() {
            facts.definitions = self.list(Self::defined)?;
        }
        Ok(facts)
    }

    fn fact(&mut self) -> Parse<Fact> {
        if self.eat(Kind::Word(Word::Module)).is_some() {
            return Ok(Fact::Module(self.field_name("the name of a module")?));
        }
        Ok(Fact::Expr(self.expr()?))
    }

    /// An item after DEF: a name, a symbol, a step or a module.
    fn defined(&mut self) -> Parse<Fact> {
        match self.kind() {
            Kind::Word(Word::Module) => {
                self.bump();
                Ok(Fact::Module(self.field_name("the name of a module")?))
            }
            Kind::Ident | Kind::Op(_) | Kind::Step(_) => Ok(Fact::Expr(self.name()?)),
            _ => self.expected("the name of a definition"),
        }
    }

    pub(super) fn begins_assume(&self) -> bool {
        let assume = |n| matches!(self.kind_at(n), Kind::Word(Word::Assume | Word::BoxAssume));
        assume(0) || (self.kind() == Kind::Ident && self.kind_at(1) == Kind::ColonColon && assume(2))
    }

    /// A formula, or `ASSUME … PROVE …`.
    pub(super) fn statement(&mut self) -> Parse<Statement> {
        if self.begins_assume() {
            return Ok(Statement::AssumeProve(Box::new(self.assume_prove()?)));
        }
        Ok(Statement::Formula(self.expr()?))
    }

    /// `ASSUME … PROVE …`.
    fn assume_prove(&mut self) -> Parse<AssumeProve> {
        let start: Span = self.token().span;
        self.nested(|p| {
            if p.kind() == Kind::Ident {
                p.bump();
                p.bump();
            }
            p.bump();
            let assumptions = p.list(Self::hypothesis)?;
            if p.eat(Kind::Word(Word::BoxProve)).is_none() {
                p.expect(Kind::Word(Word::Prove), "`,` or PROVE")?;
            }
            let goal = p.expr()?;
            Ok(AssumeProve { assumptions, goal, span: p.span_from(start) })
        })
    }

    fn hypothesis(&mut self) -> Parse<Hypothesis> {
        if self.begins_assume() {
            return Ok(Hypothesis::AssumeProve(Box::new(self.assume_prove()?)));
        }
        let new = self.eat(Kind::Word(Word::New)).is_some();
        let sort = matches!(
            self.kind(),
            Kind::Word(Word::Constant | Word::Variable | Word::State | Word::Action | Word::Temporal)
        );
        if sort {
            self.bump();
        }
        if !new && !sort {
            return Ok(Hypothesis::Formula(self.expr()?));
        }
        let declaration = self.declaration()?;
        let set = if self.eat(Kind::Op(IN)).is_some() { Some(self.expr()?) } else { None };
        Ok(Hypothesis::New { declaration, set })
    }
}
