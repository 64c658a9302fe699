//! From a resolved program and configuration to a machine.

use std::sync::Arc;

use locus_explore::Obligations;
use locus_source::Sources;

use locus_tla_eval::compile::{Compiler, Meaning, Mode, Points};
use locus_tla_eval::eval::ir::{Act, ActKind, Label, Node};
use locus_tla_eval::eval::{Context, Counts, PointKind, Session, Shared};
use locus_tla_eval::value::{Fault, FaultKind, Names, Outcome, Value};
use locus_tla_syntax::config::{Binding, Model, Selected};
use locus_tla_syntax::pluscal::LabeledStep;
use locus_tla_syntax::semantic::{ExprKind, Level, Program};

use super::formula::{self, Closure, Part, follow, parts};
use super::strings;
use super::symmetry;
use super::temporal::{Atoms, Translator};
use super::vacuity;
use crate::machine::clause::Clause;
use crate::machine::possible::Possible;
use crate::machine::{Behaviour, Machine, Named, Predicate, Resets};

/// Everything that a check needs.
pub(crate) struct Setup {
    pub(crate) machine: Machine,
    /// Whether there is a behaviour to explore at all.
    pub(crate) behaviour: bool,
    pub(crate) assumptions: Vec<Named>,
    pub(crate) postconditions: Vec<Named>,
    pub(crate) obligations: Obligations,
}

/// How a specification is compiled.
#[derive(Clone, Copy)]
pub(crate) struct How {
    /// See [`Machine::incremental`].
    pub(crate) incremental: bool,
    /// Whether it is counted how often what is evaluated.
    pub(crate) coverage: bool,
}

impl Default for How {
    fn default() -> Self {
        Self { incremental: true, coverage: false }
    }
}

/// Compiles a program under a configuration. `names` takes the names in values, those of a fault included.
pub(crate) fn set_up(
    sources: &Sources,
    program: &Program,
    model: &Model,
    how: How,
    names: &Arc<Names>,
) -> Outcome<Setup> {
    strings::number(sources, program, names);
    let mut builder = Builder { program, model, compiler: Compiler::new(program, Arc::clone(names)) };
    builder.compiler.points = how.coverage.then(|| Points::new(program));
    builder.constants();
    let mut setup = builder.build(Arc::clone(names))?;
    setup.machine.incremental = how.incremental;
    Ok(setup)
}

fn constant_context(compiler: &Compiler<'_>, variables: usize) -> Context {
    let shared = Shared {
        names: Arc::clone(&compiler.names),
        variables: vec!["a variable".into(); variables],
        labels: Vec::new(),
        counts: Counts::default(),
        session: Session::default(),
    };
    Context::new(&Arc::new(shared), compiler.slots as usize)
}

/// Gives the actions of a translation the names and places that they have in the algorithm, and says in which process
/// or procedure each is.
fn name_steps(program: &Program, labels: &mut [Label]) -> Vec<String> {
    let mut within = vec![String::new(); labels.len()];
    for (label, within) in labels.iter_mut().zip(&mut within) {
        // An action without anything that stands in the algorithm is only in the translation.
        let is_step = |step: &&LabeledStep| {
            *step.action == *label.name && [step.file, step.place.file].contains(&label.place.file)
        };
        if let Some(step) = program.algorithm.iter().find(is_step) {
            label.name = step.label.as_str().into();
            label.place = step.place;
            within.clone_from(&step.within);
        }
    }
    within
}

/// The specification and the properties taken apart, with the names they have in the configuration.
#[derive(Default)]
struct Formulas {
    behaviour: bool,
    init: Vec<Closure>,
    next: Option<Closure>,
    fairness: Vec<Closure>,
    constraints: Vec<(String, Closure)>,
    step_constraints: Vec<(String, Closure)>,
    invariants: Vec<(String, Closure)>,
    initial: Vec<(String, Closure)>,
    steps: Vec<(String, Closure)>,
    temporal: Vec<(String, Closure)>,
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
        self.compiled(&selected.name, &selected.expr.into())
    }

    /// Where the text of a formula stands, behind the names it has.
    fn place(&self, formula: &Closure) -> locus_source::Place {
        self.program.expr(follow(self.program, formula.clone(), true).expr).place
    }

    fn compiled(&mut self, name: &str, formula: &Closure) -> Outcome<Named> {
        let node = self.node(formula)?;
        Ok(Named { name: name.to_owned(), place: self.place(formula), node })
    }

    fn node(&mut self, formula: &Closure) -> Outcome<Node> {
        let Closure { expr, around } = formula;
        let node = self.compiler.expr(*expr, &around.scope, Mode::default())?;
        // What is wrong with all of it is wrong with the text behind its names, and not with a name in the
        // configuration.
        Ok(Node { place: self.place(formula), ..self.compiler.scoped(&around.arguments, node) })
    }

    /// A predicate on states, and which variables it reads.
    fn watched(&mut self, formula: &Closure) -> Outcome<(Node, u64)> {
        let behind = follow(self.program, formula.clone(), true).expr;
        let Closure { expr, around } = formula;
        let place = self.program.expr(behind).place;
        self.compiler.watched(|compiler| {
            let node = compiler.expr(*expr, &around.scope, Mode::default())?;
            let node = compiler.counted(behind, Node { place, ..node }, PointKind::Truth);
            Ok(compiler.scoped(&around.arguments, Node { place, ..node }))
        })
    }

    /// An action or an initial predicate.
    fn act(&mut self, formula: &Closure, mode: Mode, top: bool) -> Outcome<Act> {
        let Closure { expr, around } = formula;
        let act = self.compiler.act(*expr, &around.scope, mode, top)?;
        let reset = self.compiler.resets(&around.arguments);
        Ok(if reset.is_empty() { act } else { Act::from(ActKind::Scope(reset.into(), Box::new(act))) })
    }

    fn predicate(&mut self, name: &str, formula: &Closure) -> Outcome<Predicate> {
        let node = self.node(formula)?;
        let mut conjuncts = Vec::new();
        for part in formula::conjuncts(self.program, formula) {
            conjuncts.push(self.watched(&part)?);
        }
        Ok(Predicate {
            name: name.to_owned(),
            place: self.place(formula),
            node,
            conjuncts,
            premises: Vec::new(),
        })
    }

    fn build(mut self, names: Arc<Names>) -> Outcome<Setup> {
        let program = self.program;
        let formulas = self.formulas()?;
        self.expect_next(&formulas)?;
        let mut resets = Resets::default();
        let init = self.init(&formulas)?;
        let formulas = self.section(false)?;
        self.compiler.root_action = formulas.next.as_ref().map(|next| program.expr(next.expr).place);
        let next = match &formulas.next {
            Some(next) => self.act(next, Mode::default(), true)?,
            None => Act::from(ActKind::Or(Box::new([]))),
        };
        resets.next = self.compiler.end_memo();
        let formulas = self.section(false)?;
        let constraints = self.predicates(&formulas.constraints)?;
        resets.constraints = self.compiler.end_memo();
        let formulas = self.section(false)?;
        let mut invariants = self.predicates(&formulas.invariants)?;
        // From here on, what is evaluated is evaluated beside what the specification says.
        let points = self.compiler.points.take();
        for (invariant, (_, formula)) in invariants.iter_mut().zip(&formulas.invariants) {
            invariant.premises = vacuity::premises(&mut self.compiler, formula)?;
        }
        let initial = self.all_named(&formulas.initial)?;
        let possible = self.possible(false)?;
        resets.invariants = self.compiler.end_memo();
        let formulas = self.section(true)?;
        let steps = self.all_named(&formulas.steps)?;
        let possible_steps = self.possible(true)?;
        let step_constraints =
            self.all_named(&formulas.step_constraints)?.into_iter().map(|named| named.node).collect();
        let alias = match &self.model.alias {
            Some(selected) => Some(self.named(selected)?.node),
            None => None,
        };
        let expressions =
            self.model.expressions.iter().map(|selected| self.named(selected)).collect::<Outcome<_>>()?;
        resets.steps = self.compiler.end_memo();
        let formulas = self.section(true)?;
        let mut atoms = Atoms::default();
        let mut temporal = Vec::new();
        let obligations = self.obligations(&formulas, &mut atoms, &mut temporal)?;
        resets.atoms = self.compiler.end_memo();
        let view = match &self.model.view {
            Some(selected) => Some(self.named(selected)?.node),
            None => None,
        };
        let symmetry = match &self.model.symmetry {
            Some(selected) => {
                let Named { node, place, .. } = self.named(selected)?;
                let value = self.context().eval(&node).map_err(|fault| fault.at(place))?;
                Some(Arc::new(symmetry::group(&value).map_err(|fault| fault.at(place))?))
            }
            None => None,
        };
        // Assumptions and postconditions are evaluated once, before and after everything else.
        let ordered = self.compiler.ordered;
        let pure = !self.compiler.facts.varies();
        let mut assumptions = Vec::new();
        for assumption in program.assumptions.iter().filter(|assumption| !assumption.axiom) {
            let name = assumption.name.map_or("ASSUME".to_owned(), |name| program.text(name).to_owned());
            assumptions.push(self.compiled(&name, &assumption.body.into())?);
        }
        let postconditions = self
            .model
            .postconditions
            .iter()
            .map(|selected| self.named(selected))
            .collect::<Outcome<Vec<_>>>()?;
        let variables = program
            .root_variables
            .iter()
            .map(|v| program.text(program.variables[v.index()].name).into())
            .collect();
        let mut labels = std::mem::take(&mut self.compiler.labels);
        let within = name_steps(program, &mut labels);
        let counts = Counts::new(points.map(Points::into_all).unwrap_or_default());
        let shared = Arc::new(Shared { names, variables, labels, counts, session: Session::default() });
        let machine = Machine {
            shared,
            slots: self.compiler.slots as usize,
            init,
            beginning: formulas.init.first().map(|formula| self.place(formula)),
            next,
            invariants,
            possible,
            possible_steps,
            initial,
            steps,
            constraints,
            incremental: true,
            step_constraints,
            view,
            symmetry,
            alias,
            expressions,
            within,
            state_atoms: atoms.states,
            step_atoms: atoms.steps,
            resets,
            ordered,
            pure,
            temporal,
            watched: Vec::new(),
        };
        Ok(Setup { machine, behaviour: formulas.behaviour, assumptions, postconditions, obligations })
    }

    /// There is a next-state action, or it is said why not and what to do about it.
    fn expect_next(&self, formulas: &Formulas) -> Outcome<()> {
        if !formulas.behaviour || formulas.next.is_some() || self.program.root_variables.is_empty() {
            return Ok(());
        }
        let Some(selected) = &self.model.specification else {
            return Err(Fault::other("there is an INIT but no NEXT: the configuration needs both"));
        };
        let what = format!("the specification {} has no conjunct [][Next]_vars", selected.name);
        // What is no fairness may well hold the action.
        let is_fairness = |formula: &&Closure| {
            matches!(self.program.expr(formula.expr).kind, ExprKind::Weak(..) | ExprKind::Strong(..))
        };
        if let Some(formula) = formulas.fairness.iter().find(|formula| !is_fairness(formula)) {
            let advice = "a next-state action is found through definitions (with arguments too), instances and LET, \
                 but not in what stands here: write Init /\\ [][Next]_vars /\\ Fairness, with the choice inside of Next";
            return Err(Fault::other(format!("{what}; {advice}")).at(self.program.expr(formula.expr).place));
        }
        let place = self.place(&selected.expr.into());
        Err(Fault::other(format!("there is no next-state action: {what}")).at(place))
    }

    /// Begins what is evaluated together, with formulas of its own: the arguments of an operator that a formula was
    /// found in are compiled once for all who share them, and what they keep is reset with the rest of the section
    /// only.
    fn section(&mut self, primed: bool) -> Outcome<Formulas> {
        self.compiler.begin_memo(primed);
        self.formulas()
    }

    /// Takes the specification and the properties apart.
    fn formulas(&mut self) -> Outcome<Formulas> {
        let mut formulas = Formulas::default();
        if let Some(selected) = &self.model.specification {
            formulas.behaviour = true;
            for part in parts(&mut self.compiler, selected.expr)? {
                match part {
                    Part::Initial(expr) => formulas.init.push(expr),
                    Part::Steps { action, .. } => {
                        let place = self.program.expr(action.expr).place;
                        if formulas.next.replace(action).is_some() {
                            let what = "a specification with two next-state actions".to_owned();
                            return Err(Fault::kind(FaultKind::Unsupported(what)).at(place));
                        }
                    }
                    Part::Invariant(expr) => formulas.constraints.push((selected.name.to_string(), expr)),
                    Part::Temporal(expr) => formulas.fairness.push(expr),
                }
            }
        }
        if let Some(selected) = &self.model.init {
            formulas.behaviour = true;
            formulas.init.push(selected.expr.into());
        }
        if let Some(selected) = &self.model.next {
            formulas.behaviour = true;
            formulas.next = Some(selected.expr.into());
        }
        let named = |selected: &Selected| (selected.name.to_string(), selected.expr.into());
        formulas.invariants.extend(self.model.invariants.iter().map(named));
        formulas.constraints.extend(self.model.constraints.iter().map(named));
        formulas.step_constraints.extend(self.model.action_constraints.iter().map(named));
        for selected in &self.model.properties {
            let name = selected.name.to_string();
            for part in parts(&mut self.compiler, selected.expr)? {
                match part {
                    Part::Initial(expr) => formulas.initial.push((name.clone(), expr)),
                    Part::Invariant(expr) => formulas.invariants.push((name.clone(), expr)),
                    Part::Steps { square, .. } => formulas.steps.push((name.clone(), square)),
                    Part::Temporal(formula) if formula.level(&self.compiler) == Level::Action => {
                        let what = "an action as a property: write `[][A]_v` for what every step must be";
                        let place = self.program.expr(formula.expr).place;
                        return Err(Fault::kind(FaultKind::Unsupported(what.to_owned())).at(place));
                    }
                    Part::Temporal(formula) => formulas.temporal.push((name.clone(), formula)),
                }
            }
        }
        Ok(formulas)
    }

    fn init(&mut self, formulas: &Formulas) -> Outcome<Act> {
        let mode = Mode { init: true, ..Mode::default() };
        let mut acts = Vec::new();
        for formula in &formulas.init {
            acts.push(self.act(formula, mode, false)?);
        }
        Ok(Act::from(ActKind::Seq(acts.into())))
    }

    /// The predicates that must be possible: of steps, or of states.
    fn possible(&mut self, of_steps: bool) -> Outcome<Vec<Possible>> {
        let (program, model) = (self.program, self.model);
        let is_of = |selected: &&Selected| (program.expr(selected.expr).level == Level::Action) == of_steps;
        model.possible.iter().filter(is_of).map(|selected| self.named(selected).map(Possible::new)).collect()
    }

    fn predicates(&mut self, formulas: &[(String, Closure)]) -> Outcome<Vec<Predicate>> {
        formulas.iter().map(|(name, formula)| self.predicate(name, formula)).collect()
    }

    fn all_named(&mut self, formulas: &[(String, Closure)]) -> Outcome<Vec<Named>> {
        formulas.iter().map(|(name, formula)| self.compiled(name, formula)).collect()
    }

    /// The assumptions about behaviours, and the properties of them. The properties are kept in `temporal` as well, to
    /// be explained.
    fn obligations(
        &mut self,
        formulas: &Formulas,
        atoms: &mut Atoms,
        temporal: &mut Vec<Behaviour>,
    ) -> Outcome<Obligations> {
        let mut obligations = Obligations::default();
        if formulas.temporal.is_empty() {
            return Ok(obligations);
        }
        for formula in &formulas.fairness {
            obligations.assumptions.push(self.translate(atoms, formula)?.formula());
        }
        for (name, formula) in &formulas.temporal {
            let clause = self.translate(atoms, formula)?;
            obligations.properties.push(clause.formula());
            temporal.push(Behaviour { name: name.clone(), place: self.place(formula), clause });
        }
        obligations.state_atoms = atoms.states.len();
        obligations.step_atoms = atoms.steps.len();
        Ok(obligations)
    }

    fn translate(&mut self, atoms: &mut Atoms, formula: &Closure) -> Outcome<Clause> {
        let variables = self.program.root_variables.len();
        let context = |compiler: &Compiler<'_>| constant_context(compiler, variables);
        let mut translator = Translator { compiler: &mut self.compiler, atoms, context: &context };
        translator.formula(formula.expr, &formula.around)
    }
}
