//! From a resolved program and configuration to a machine.

use std::sync::Arc;

use locus_explore::{Formula, Obligations};

use crate::config::{Binding, Model, Selected};
use crate::eval::ir::{Act, Node};
use crate::eval::{Compiler, Context, Meaning, Mode, Scope, Session, Shared};
use crate::semantic::{ExprId, Program};
use crate::value::{Fault, FaultKind, Names, Outcome, Value};

use super::formula::{Part, PartKind, conjuncts, parts};
use super::machine::{Machine, Named, Predicate};
use super::symmetry::Symmetry;
use super::temporal::{Atoms, Translator};

/// Everything that a check needs.
pub(crate) struct Setup {
    pub(crate) machine: Machine,
    /// Whether there is a behaviour to explore at all.
    pub(crate) behaviour: bool,
    pub(crate) assumptions: Vec<Named>,
    pub(crate) postconditions: Vec<Named>,
    pub(crate) obligations: Obligations,
}

/// Compiles a program under a configuration.
pub(crate) fn set_up(program: &Program, model: &Model) -> Outcome<Setup> {
    let names = Arc::new(Names::new());
    intern_strings(program, &names);
    let mut builder = Builder { program, model, compiler: Compiler::new(program, Arc::clone(&names)) };
    builder.constants();
    builder.build(names)
}

/// Gives strings their numbers in the order in which they stand in the files, whatever is compiled first.
fn intern_strings(program: &Program, names: &Names) {
    for expr in &program.exprs {
        match &expr.kind {
            crate::semantic::ExprKind::String(name) | crate::semantic::ExprKind::Field(_, name) => {
                names.intern(program.text(*name));
            }
            crate::semantic::ExprKind::Record(fields) | crate::semantic::ExprKind::RecordSet(fields) => {
                for field in fields {
                    names.intern(program.text(field.name));
                }
            }
            _ => {}
        }
    }
}

fn constant_context(compiler: &Compiler<'_>, variables: usize) -> Context {
    let shared = Shared {
        names: Arc::clone(&compiler.names),
        variables: vec!["a variable".into(); variables],
        labels: Vec::new(),
        session: Session::default(),
    };
    Context::new(&Arc::new(shared), compiler.slots as usize)
}

struct Builder<'a> {
    program: &'a Program,
    model: &'a Model,
    compiler: Compiler<'a>,
}

impl Builder<'_> {
    /// Applies what the configuration says of constants.
    fn constants(&mut self) {
        for (constant, name) in &self.model.model_values {
            let value = Value::Model(self.compiler.names.intern(name));
            self.compiler.constants.insert(*constant, Meaning::Value(value));
        }
        for (constant, binding) in &self.model.constants {
            let meaning = match binding {
                Binding::Expr(expr) => Meaning::Expr(*expr),
                Binding::Operator(def) => Meaning::Def(*def),
            };
            self.compiler.constants.insert(*constant, meaning);
        }
    }

    /// A context to evaluate constants in, as far as things are compiled.
    fn context(&self) -> Context {
        constant_context(&self.compiler, self.program.root_variables.len())
    }

    fn named(&mut self, selected: &Selected) -> Outcome<Named> {
        let node = self.compiler.expr(selected.expr, &Scope::default(), Mode::default())?;
        Ok(Named { name: selected.name.to_string(), node })
    }

    fn predicate(&mut self, name: &str, expr: ExprId) -> Outcome<Predicate> {
        let (node, _) = self.compiler.predicate(expr)?;
        let conjuncts = conjuncts(self.program, expr)
            .into_iter()
            .map(|part| self.compiler.predicate(part))
            .collect::<Outcome<Vec<_>>>()?;
        Ok(Predicate { name: name.to_owned(), node, conjuncts })
    }

    fn parts(&self, selected: &Selected) -> Outcome<Vec<Part>> {
        parts(self.program, selected.expr)
    }

    fn build(mut self, names: Arc<Names>) -> Outcome<Setup> {
        let program = self.program;
        let init_mode = Mode { init: true, ..Mode::default() };
        let mut init = Vec::new();
        let mut next = None;
        let mut invariants = Vec::new();
        let mut initial = Vec::new();
        let mut steps = Vec::new();
        let mut constraints = Vec::new();
        let mut behaviour = false;
        let mut assumptions_of_behaviours = Vec::new();
        if let Some(selected) = &self.model.specification {
            behaviour = true;
            let name = &selected.name;
            for part in self.parts(selected)? {
                match part.kind {
                    PartKind::Initial(expr) => {
                        init.push(self.compiler.act(expr, &part.scope, init_mode, false)?);
                    }
                    PartKind::Steps { action, .. } => {
                        if next.is_some() {
                            let what = "a specification with two next-state actions".to_owned();
                            return Err(
                                Fault::kind(FaultKind::Unsupported(what)).at(program.expr(action).place)
                            );
                        }
                        next = Some(self.compiler.act(action, &part.scope, Mode::default(), true)?);
                    }
                    PartKind::Invariant(expr) => {
                        constraints.push(self.predicate(name, expr)?);
                    }
                    PartKind::Temporal(expr) => assumptions_of_behaviours.push((expr, part.scope)),
                }
            }
        }
        if let Some(selected) = &self.model.init {
            behaviour = true;
            init.push(self.compiler.act(selected.expr, &Scope::default(), init_mode, false)?);
        }
        if let Some(selected) = &self.model.next {
            behaviour = true;
            next = Some(self.compiler.act(selected.expr, &Scope::default(), Mode::default(), true)?);
        }
        for selected in &self.model.invariants {
            invariants.push(self.predicate(&selected.name, selected.expr)?);
        }
        let mut temporal = Vec::new();
        for name in &self.model.properties {
            self.property(name, &mut invariants, &mut initial, &mut steps, &mut temporal)?;
        }
        let mut atoms = Atoms::default();
        let mut obligations = Obligations::default();
        let mut temporal_names = Vec::new();
        if !temporal.is_empty() {
            for (expr, scope) in assumptions_of_behaviours {
                obligations.assumptions.push(self.translate(&mut atoms, expr, scope)?);
            }
        }
        for (name, expr, scope) in temporal {
            obligations.properties.push(self.translate(&mut atoms, expr, scope)?);
            temporal_names.push((name, program.expr(expr).place));
        }
        obligations.state_atoms = atoms.states.len();
        obligations.step_atoms = atoms.steps.len();
        for selected in &self.model.constraints {
            constraints.push(self.predicate(&selected.name, selected.expr)?);
        }
        let step_constraints = self
            .model
            .action_constraints
            .iter()
            .map(|name| Ok(self.named(name)?.node))
            .collect::<Outcome<Vec<Node>>>()?;
        let view = match &self.model.view {
            Some(name) => Some(self.named(name)?.node),
            None => None,
        };
        let symmetry = match &self.model.symmetry {
            Some(name) => {
                let node = self.named(name)?.node;
                let mut context = self.context();
                let value = context.eval(&node)?;
                Some(Symmetry::new(&value)?)
            }
            None => None,
        };
        let mut assumptions = Vec::new();
        for assumption in &program.assumptions {
            let node = self.compiler.expr(assumption.body, &Scope::default(), Mode::default())?;
            let name = assumption.name.map_or("ASSUME".to_owned(), |name| program.text(name).to_owned());
            assumptions.push(Named { name, node });
        }
        let postconditions = self
            .model
            .postconditions
            .iter()
            .map(|selected| self.named(selected))
            .collect::<Outcome<Vec<_>>>()?;
        if behaviour && next.is_none() && !program.root_variables.is_empty() {
            return Err(Fault::other(
                "there is no next-state action: the specification has no conjunct [][Next]_vars",
            ));
        }
        let variables = program
            .root_variables
            .iter()
            .map(|v| program.text(program.variables[v.index()].name).into())
            .collect();
        let shared = Arc::new(Shared {
            names,
            variables,
            labels: std::mem::take(&mut self.compiler.labels),
            session: Session::default(),
        });
        let machine = Machine {
            shared,
            slots: self.compiler.slots as usize,
            init: Act::Seq(init.into()),
            next: next.unwrap_or(Act::Or(Box::new([]))),
            invariants,
            initial,
            steps,
            constraints,
            incremental: true,
            step_constraints,
            view,
            symmetry,
            state_atoms: atoms.states,
            step_atoms: atoms.steps,
            temporal: temporal_names,
        };
        Ok(Setup { machine, behaviour, assumptions, postconditions, obligations })
    }

    fn translate(&mut self, atoms: &mut Atoms, expr: ExprId, scope: Scope) -> Outcome<Formula> {
        let variables = self.program.root_variables.len();
        let context = |compiler: &Compiler<'_>| constant_context(compiler, variables);
        let mut translator = Translator { compiler: &mut self.compiler, atoms, context: &context };
        translator.formula(expr, &scope.into())
    }

    fn property(
        &mut self,
        selected: &Selected,
        invariants: &mut Vec<Predicate>,
        initial: &mut Vec<Named>,
        steps: &mut Vec<Named>,
        temporal: &mut Vec<(String, ExprId, Scope)>,
    ) -> Outcome<()> {
        let name = &selected.name;
        for part in self.parts(selected)? {
            let mode = Mode::default();
            match part.kind {
                PartKind::Initial(expr) => {
                    let node = self.compiler.expr(expr, &part.scope, mode)?;
                    initial.push(Named { name: name.to_string(), node });
                }
                PartKind::Invariant(expr) => {
                    invariants.push(self.predicate(name, expr)?);
                }
                PartKind::Steps { square, .. } => {
                    let node = self.compiler.expr(square, &part.scope, mode)?;
                    steps.push(Named { name: name.to_string(), node });
                }
                PartKind::Temporal(expr) => temporal.push((name.to_string(), expr, part.scope)),
            }
        }
        Ok(())
    }
}
