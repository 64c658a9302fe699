//! From a resolved specification and settings to a machine.

use std::sync::Arc;

use locus_explore::{Formula, Obligations};

use crate::eval::ir::{Act, Node};
use crate::eval::{Compiler, Context, Meaning, Mode, Scope, Session, Shared};
use crate::semantic::{DefId, Entity, ExprId, Program, Specification};
use crate::value::{Fault, FaultKind, Names, Outcome, Value};

use super::formula::{Part, PartKind, parts};
use super::machine::{Machine, Named};
use super::settings::{Assigned, Literal, Settings};
use super::symmetry::Symmetry;
use super::temporal::{Atoms, Translator};

/// Everything that a check needs.
pub(crate) struct Setup {
    pub(crate) machine: Machine,
    /// Whether there is a behaviour to explore at all.
    pub(crate) behaviour: bool,
    pub(crate) assumptions: Vec<Named>,
    pub(crate) postcondition: Option<Named>,
    pub(crate) obligations: Obligations,
}

/// Compiles a specification under settings.
pub(crate) fn set_up(specification: &Specification, settings: &Settings) -> Outcome<Setup> {
    let names = Arc::new(Names::new());
    let program = specification.program();
    intern_strings(program, &names);
    let mut builder = Builder { specification, settings, compiler: Compiler::new(program, Arc::clone(&names)) };
    builder.constants()?;
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
    specification: &'a Specification,
    settings: &'a Settings,
    compiler: Compiler<'a>,
}

impl Builder<'_> {
    /// Applies what the configuration says of constants and operators.
    fn constants(&mut self) -> Outcome<()> {
        let program = self.specification.program();
        for assignment in &self.settings.constants {
            let meaning = match &assignment.value {
                Assigned::Value(literal) => Meaning::Value(self.literal(literal)?),
                Assigned::Definition(name) => Meaning::Def(self.find(name)?),
                Assigned::Expression(expr) => Meaning::Value(self.constant_value(*expr)?),
            };
            let Some(entity) = self.specification.find(&assignment.name) else {
                if assignment.module.is_some() {
                    self.override_in(&assignment.name, assignment.module.as_deref(), &meaning)?;
                    continue;
                }
                return Err(self.unknown(&assignment.name));
            };
            match entity {
                Entity::Constant(constant) => {
                    self.compiler.constants.insert(constant, meaning);
                }
                Entity::Def(def) => {
                    let definition = program.def(def);
                    let (origin, base) = (definition.origin, definition.base_name);
                    let all = program.defs.iter().enumerate().filter(|(_, other)| {
                        other.origin == origin
                            && other.base_name == base
                            && other.kind == crate::semantic::DefKind::Module
                    });
                    for (i, _) in all {
                        self.compiler.overrides.insert(DefId(i as u32), meaning.clone());
                    }
                }
                _ => {
                    let message =
                        format!("{} is neither a constant nor a definition and cannot be given a value", assignment.name);
                    return Err(Fault::other(message));
                }
            }
        }
        Ok(())
    }

    fn override_in(&mut self, name: &str, module: Option<&str>, meaning: &Meaning) -> Outcome<()> {
        let program = self.specification.program();
        let mut found = false;
        for (i, definition) in program.defs.iter().enumerate() {
            let origin = program.text(program.modules[definition.origin.index()].name);
            if program.text(definition.base_name) == name && module.is_none_or(|module| module == origin) {
                self.compiler.overrides.insert(DefId(i as u32), meaning.clone());
                found = true;
            }
        }
        for (i, constant) in program.constants.iter().enumerate() {
            let origin = program.text(program.modules[constant.module.index()].name);
            if program.text(constant.name) == name && module.is_none_or(|module| module == origin) {
                self.compiler.constants.insert(crate::semantic::ConstId(i as u32), meaning.clone());
                found = true;
            }
        }
        if found { Ok(()) } else { Err(self.unknown(name)) }
    }

    fn unknown(&self, name: &str) -> Box<Fault> {
        let mut message = format!("{name} is not defined in the specification");
        if let Some(nearest) = self.specification.nearest(name) {
            message.push_str(&format!("; did you mean {nearest}?"));
        }
        Fault::other(message)
    }

    fn find(&self, name: &str) -> Outcome<DefId> {
        self.specification.definition(name).ok_or_else(|| self.unknown(name))
    }

    fn literal(&self, literal: &Literal) -> Outcome<Value> {
        let names = &self.compiler.names;
        Ok(match literal {
            Literal::Model(name) => Value::Model(names.intern(name)),
            Literal::Integer(text) => {
                Value::from_big(text.parse().map_err(|_| Fault::other(format!("{text} is not an integer")))?)
            }
            Literal::String(text) => Value::string(names, text),
            Literal::Boolean(truth) => Value::Bool(*truth),
            Literal::Set(items) => {
                Value::set_of(items.iter().map(|item| self.literal(item)).collect::<Outcome<Vec<_>>>()?)
            }
        })
    }

    fn constant_value(&mut self, expr: ExprId) -> Outcome<Value> {
        let node = self.compiler.expr(expr, &Scope::default(), Mode::default())?;
        self.context().eval(&node)
    }

    /// A context to evaluate constants in, as far as things are compiled.
    fn context(&self) -> Context {
        constant_context(&self.compiler, self.specification.program().root_variables.len())
    }

    fn named(&mut self, name: &str) -> Outcome<Named> {
        let def = self.find(name)?;
        let node = self.compiler.definition(def, Mode::default())?;
        Ok(Named { name: name.to_owned(), node })
    }

    fn parts(&self, name: &str) -> Outcome<Vec<Part>> {
        let program = self.specification.program();
        let overrides = &self.compiler.overrides;
        let overridden = |def: DefId| match overrides.get(&def) {
            Some(Meaning::Def(other)) => Some(*other),
            _ => None,
        };
        let def = self.find(name)?;
        let def = overridden(def).unwrap_or(def);
        let body = program
            .def(def)
            .body
            .ok_or_else(|| Fault::kind(FaultKind::Unsupported(format!("{name} as a formula"))))?;
        parts(program, body, &overridden)
    }

    fn build(mut self, names: Arc<Names>) -> Outcome<Setup> {
        let program = self.specification.program();
        let init_mode = Mode { init: true, ..Mode::default() };
        let mut init = Vec::new();
        let mut next = None;
        let mut invariants = Vec::new();
        let mut initial = Vec::new();
        let mut steps = Vec::new();
        let mut constraints = Vec::new();
        let mut behaviour = false;
        let mut assumptions_of_behaviours = Vec::new();
        if let Some(name) = &self.settings.specification {
            behaviour = true;
            for part in self.parts(name)? {
                match part.kind {
                    PartKind::Initial(expr) => {
                        init.push(self.compiler.act(expr, &part.scope, init_mode, false)?);
                    }
                    PartKind::Steps { action, .. } => {
                        if next.is_some() {
                            let what = "a specification with two next-state actions".to_owned();
                            return Err(Fault::kind(FaultKind::Unsupported(what)).at(program.expr(action).place));
                        }
                        next = Some(self.compiler.act(action, &part.scope, Mode::default(), true)?);
                    }
                    PartKind::Invariant(expr) => {
                        constraints.push(self.compiler.expr(expr, &part.scope, Mode::default())?);
                    }
                    PartKind::Temporal(expr) => assumptions_of_behaviours.push((expr, part.scope)),
                }
            }
        }
        if let Some(name) = &self.settings.init {
            behaviour = true;
            let def = self.find(name)?;
            init.push(self.compiler.definition_act(def, init_mode, false)?);
        }
        if let Some(name) = &self.settings.next {
            behaviour = true;
            let def = self.find(name)?;
            next = Some(self.compiler.definition_act(def, Mode::default(), true)?);
        }
        for name in &self.settings.invariants {
            invariants.push(self.named(name)?);
        }
        let mut temporal = Vec::new();
        for name in &self.settings.properties {
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
        for name in &self.settings.constraints {
            constraints.push(self.named(name)?.node);
        }
        let step_constraints = self
            .settings
            .action_constraints
            .iter()
            .map(|name| Ok(self.named(name)?.node))
            .collect::<Outcome<Vec<Node>>>()?;
        let view = match &self.settings.view {
            Some(name) => Some(self.named(name)?.node),
            None => None,
        };
        let symmetry = match &self.settings.symmetry {
            Some(name) => {
                let node = self.named(name)?.node;
                let mut context = self.context();
                let value = context.eval(&node)?;
                Some(Symmetry::new(&context, &value)?)
            }
            None => None,
        };
        let mut assumptions = Vec::new();
        for assumption in &program.assumptions {
            let node = self.compiler.expr(assumption.body, &Scope::default(), Mode::default())?;
            let name = assumption.name.map_or("ASSUME".to_owned(), |name| program.text(name).to_owned());
            assumptions.push(Named { name, node });
        }
        let postcondition = match &self.settings.postcondition {
            Some(name) => Some(self.named(name)?),
            None => None,
        };
        if behaviour && next.is_none() && !program.root_variables.is_empty() {
            return Err(Fault::other("there is no next-state action: the specification has no conjunct [][Next]_vars"));
        }
        let variables =
            program.root_variables.iter().map(|v| program.text(program.variables[v.index()].name).into()).collect();
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
            step_constraints,
            view,
            symmetry,
            state_atoms: atoms.states,
            step_atoms: atoms.steps,
            temporal: temporal_names,
        };
        Ok(Setup { machine, behaviour, assumptions, postcondition, obligations })
    }

    fn translate(&mut self, atoms: &mut Atoms, expr: ExprId, scope: Scope) -> Outcome<Formula> {
        let variables = self.specification.program().root_variables.len();
        let context = |compiler: &Compiler<'_>| constant_context(compiler, variables);
        let mut translator = Translator { compiler: &mut self.compiler, atoms, context: &context };
        translator.formula(expr, &scope.into())
    }

    fn property(
        &mut self,
        name: &str,
        invariants: &mut Vec<Named>,
        initial: &mut Vec<Named>,
        steps: &mut Vec<Named>,
        temporal: &mut Vec<(String, ExprId, Scope)>,
    ) -> Outcome<()> {
        for part in self.parts(name)? {
            let mode = Mode::default();
            match part.kind {
                PartKind::Initial(expr) => {
                    let node = self.compiler.expr(expr, &part.scope, mode)?;
                    initial.push(Named { name: name.to_owned(), node });
                }
                PartKind::Invariant(expr) => {
                    let node = self.compiler.expr(expr, &part.scope, mode)?;
                    invariants.push(Named { name: name.to_owned(), node });
                }
                PartKind::Steps { square, .. } => {
                    let node = self.compiler.expr(square, &part.scope, mode)?;
                    steps.push(Named { name: name.to_owned(), node });
                }
                PartKind::Temporal(expr) => temporal.push((name.to_owned(), expr, part.scope)),
            }
        }
        Ok(())
    }
}
