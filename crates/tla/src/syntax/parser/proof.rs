//! Proofs and what only they contain. They are read, so that what follows them is found, and forgotten.

use locus_source::Span;

use super::{Parse, Parser};
use crate::rules::SYNTAX;
use crate::syntax::operators::id;
use crate::syntax::token::{Kind, StepLevel, Word};

const IN: u8 = id("\\in");

impl Parser<'_> {
    /// The proof of a theorem, if it has one, and where it stands.
    pub(super) fn optional_proof(&mut self) -> Parse<Option<Span>> {
        let start = self.token().span;
        let outside = std::mem::replace(&mut self.in_proof, true);
        let proved = self.proof(None);
        self.in_proof = outside;
        Ok(proved?.then(|| self.span_from(start)))
    }

    /// A proof below a step of `level` (or of a theorem), if there is one.
    fn proof(&mut self, level: Option<u32>) -> Parse<bool> {
        let announced = self.eat(Kind::Word(Word::Proof)).is_some();
        match self.kind() {
            Kind::Word(Word::By) => {
                self.bump();
                self.facts()?;
                Ok(true)
            }
            Kind::Word(Word::Obvious | Word::Omitted) => {
                self.bump();
                Ok(true)
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
                    return Ok(false);
                }
                self.nested(|p| p.steps(own))?;
                Ok(true)
            }
            _ if announced => self.expected("BY, OBVIOUS, OMITTED or a step after PROOF"),
            _ => Ok(false),
        }
    }

    /// Steps of one level, up to its QED.
    fn steps(&mut self, level: u32) -> Parse<()> {
        let mut first = true;
        loop {
            let Kind::Step(step) = self.kind() else {
                return self.expected("a step of the proof, up to its QED");
            };
            let own = match step {
                StepLevel::Number(n) => n,
                StepLevel::Same => level,
                StepLevel::Next if first => level,
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
            first = false;
            self.bump();
            if self.step(level)? {
                return Ok(());
            }
        }
    }

    /// What follows the number of a step; whether it was the QED.
    fn step(&mut self, level: u32) -> Parse<bool> {
        match self.kind() {
            Kind::Word(Word::Qed) => {
                self.bump();
                self.proof(Some(level))?;
                return Ok(true);
            }
            Kind::Word(Word::Define) => {
                self.bump();
                self.step_definitions()?;
            }
            Kind::Word(Word::Use | Word::Hide) => self.use_or_hide()?,
            Kind::Word(Word::Instance) => {
                self.instance()?;
            }
            Kind::Word(Word::Have) => {
                self.bump();
                self.expr()?;
            }
            Kind::Word(Word::Witness) => {
                self.bump();
                self.list(Self::expr)?;
            }
            Kind::Word(Word::Take) => {
                self.bump();
                self.bounds()?;
            }
            Kind::Word(Word::Pick) => {
                self.bump();
                self.bounds()?;
                self.expect(Kind::Colon, "`:`")?;
                self.expr()?;
                self.proof(Some(level))?;
            }
            Kind::Word(Word::Case) => {
                self.bump();
                self.expr()?;
                self.proof(Some(level))?;
            }
            _ if self.begins_definition() => self.step_definitions()?,
            _ => {
                self.eat(Kind::Word(Word::Suffices));
                if self.begins_assume() {
                    self.assume_prove()?;
                } else {
                    self.expr()?;
                }
                self.proof(Some(level))?;
            }
        }
        Ok(false)
    }

    fn step_definitions(&mut self) -> Parse<()> {
        loop {
            if self.eat(Kind::Word(Word::Recursive)).is_some() {
                self.list(Self::declaration)?;
            } else if self.begins_definition() {
                self.definition()?;
            } else {
                return Ok(());
            }
        }
    }

    /// `USE …` or `HIDE …`.
    pub(super) fn use_or_hide(&mut self) -> Parse<()> {
        self.bump();
        let outside = std::mem::replace(&mut self.in_proof, true);
        let facts = self.facts();
        self.in_proof = outside;
        facts
    }

    /// What follows BY, USE and HIDE.
    fn facts(&mut self) -> Parse<()> {
        self.eat(Kind::Word(Word::Only));
        let is_def = |p: &Self| p.is_word(Word::Def);
        if !is_def(self) {
            self.list(Self::fact)?;
        }
        if self.eat(Kind::Word(Word::Def)).is_some() {
            self.list(Self::defined)?;
        }
        Ok(())
    }

    fn fact(&mut self) -> Parse<()> {
        if self.eat(Kind::Word(Word::Module)).is_some() {
            self.field_name("the name of a module")?;
        } else {
            self.expr()?;
        }
        Ok(())
    }

    /// An item after DEF: a name, a symbol, a step or a module.
    fn defined(&mut self) -> Parse<()> {
        match self.kind() {
            Kind::Word(Word::Module) => {
                self.bump();
                self.field_name("the name of a module")?;
            }
            Kind::Ident | Kind::Op(_) | Kind::Step(_) => {
                self.name()?;
            }
            _ => return self.expected("the name of a definition"),
        }
        Ok(())
    }

    pub(super) fn begins_assume(&self) -> bool {
        let assume = |n| matches!(self.kind_at(n), Kind::Word(Word::Assume | Word::BoxAssume));
        assume(0) || (self.kind() == Kind::Ident && self.kind_at(1) == Kind::ColonColon && assume(2))
    }

    /// `ASSUME … PROVE …`.
    pub(super) fn assume_prove(&mut self) -> Parse<()> {
        self.nested(|p| {
            if p.kind() == Kind::Ident {
                p.bump();
                p.bump();
            }
            p.bump();
            p.list(Self::hypothesis)?;
            if p.eat(Kind::Word(Word::BoxProve)).is_none() {
                p.expect(Kind::Word(Word::Prove), "`,` or PROVE")?;
            }
            p.expr()?;
            Ok(())
        })
    }

    fn hypothesis(&mut self) -> Parse<()> {
        if self.begins_assume() {
            return self.assume_prove();
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
            self.expr()?;
            return Ok(());
        }
        self.declaration()?;
        if self.eat(Kind::Op(IN)).is_some() {
            self.expr()?;
        }
        Ok(())
    }
}
