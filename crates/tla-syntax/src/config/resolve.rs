//! The meaning of the names of a configuration in a specification.

use std::collections::{BTreeMap, BTreeSet};

use locus_source::words::nearest;
use locus_source::{FileId, Finding, Place, Rule, Severity, Sources, Span, sort_and_dedup};

use super::circle::{Item, find_circle};
use super::redirect::{self, Redirect};
use super::{Assigned, Assignment, Config, Expression, Value};
use crate::rules::{ARITY, CONFIG_CIRCLE, CONFIG_MISSING, CONFIG_NAME, CONFIG_TWICE, LEVEL, UNKNOWN_NAME};
use crate::semantic::{
    Builtin, Case, ConstId, DefId, Entity, ExprId, ExprKind as Resolved, Level, LocalId, ModuleId, Name,
    OpRef, Part, Program, Specification,
};
use crate::syntax::ast::{Expr, ExprKind as Tree, Ident, NamePart, PartName};
use crate::syntax::parse_expression;

/// A configuration resolved in a specification: what to check, and what stands for what.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// `SPECIFICATION`.
    pub specification: Option<Selected>,
    /// `INIT`.
    pub init: Option<Selected>,
    /// `NEXT`.
    pub next: Option<Selected>,
    /// `VIEW`.
    pub view: Option<Selected>,
    /// `SYMMETRY`.
    pub symmetry: Option<Selected>,
    /// `ALIAS`.
    pub alias: Option<Selected>,
    /// `INVARIANT`.
    pub invariants: Vec<Selected>,
    /// `PROPERTY`.
    pub properties: Vec<Selected>,
    /// `CONSTRAINT`.
    pub constraints: Vec<Selected>,
    /// `ACTION_CONSTRAINT`.
    pub action_constraints: Vec<Selected>,
    /// `POSTCONDITION`.
    pub postconditions: Vec<Selected>,
    /// `_POSSIBLE`.
    pub possible: Vec<Selected>,
    /// The expressions that traces show beside the variables, or about which the events of a log say something.
    pub expressions: Vec<Selected>,
    /// `CHECK_DEADLOCK`; TLC checks unless told otherwise.
    pub check_deadlock: Option<bool>,
    /// The bindings of the declared constants. References to definitions that something else stands for already go to
    /// that.
    pub constants: Vec<(ConstId, Binding)>,
    /// Further constants, which stand for model values in the values of others, with their names.
    pub model_values: Vec<(ConstId, Box<str>)>,
}

/// A definition that a configuration names.
#[derive(Clone, Debug)]
pub struct Selected {
    /// As the configuration names it.
    pub name: Box<str>,
    /// The definition applied to nothing.
    pub expr: ExprId,
    /// Where the configuration names it.
    pub place: Place,
}

/// The binding of a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binding {
    /// An expression of constant level. It may refer to other constants.
    Expr(ExprId),
    /// For a constant that takes arguments, a definition that takes as many.
    Operator(DefId),
}

/// The target that a configuration replaces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Target {
    /// A declared constant.
    Constant(ConstId),
    /// A definition as a module has it.
    Def(DefId, ModuleId),
    /// A definition in all its copies.
    Everywhere(DefId),
    /// A definition of another module, as far as the text of this one refers to it.
    Within(DefId, ModuleId),
}

impl Model {
    /// Finds what a configuration names, and replaces the definitions that it replaces. `file` is the
    /// configuration's.
    pub fn resolve(
        config: &Config,
        specification: &mut Specification,
        sources: &Sources,
        file: FileId,
    ) -> (Self, Vec<Finding>) {
        let mut resolver = Resolver {
            specification,
            sources,
            file,
            model: Self::default(),
            findings: Vec::new(),
            given: BTreeMap::new(),
            tables: BTreeMap::new(),
            redirects: Vec::new(),
            stand_ins: BTreeMap::new(),
            limits: Vec::new(),
        };
        resolver.check_chains(&config.constants);
        for assignment in &config.constants {
            resolver.assignment(assignment);
        }
        resolver.finish_tables();
        resolver.missing_constants();
        resolver.select_all(config);
        resolver.missing_behaviour(config);
        redirect::apply(resolver.specification.program_mut(), &resolver.redirects);
        resolver.check_circle();
        resolver.check_levels();
        resolver.check_selected_levels();
        resolver.check_constant_levels();
        let Resolver { mut model, mut findings, .. } = resolver;
        model.check_deadlock = config.check_deadlock;
        model.model_values = specification
            .model_values()
            .into_iter()
            .map(|(id, name)| (id, specification.program().text(name).into()))
            .collect();
        sort_and_dedup(&mut findings, sources);
        (model, findings)
    }
}

/// Arguments and value: one line of an operator given by its values.
type Row = (Vec<Value>, Value, Place);

struct Resolver<'a> {
    specification: &'a mut Specification,
    sources: &'a Sources,
    file: FileId,
    model: Model,
    findings: Vec<Finding>,
    /// Where each target got what stands for it.
    given: BTreeMap<Target, Place>,
    /// The operators given by their values.
    tables: BTreeMap<Target, Vec<Row>>,
    /// The definitions that are replaced.
    redirects: Vec<Redirect>,
    /// The definitions that stand for others, and where the configuration says so.
    stand_ins: BTreeMap<DefId, Place>,
    /// The selected definitions, for which section, and the highest level that each may have.
    limits: Vec<(Selected, &'static str, Level)>,
}

impl Resolver<'_> {
    fn place(&self, span: Span) -> Place {
        Place::new(self.file, span)
    }

    fn wrong(&mut self, rule: &Rule, span: Span, message: impl Into<String>) {
        let finding = Finding::new(rule, self.place(span), message);
        self.findings.push(finding);
    }

    fn unknown(&mut self, ident: &Ident, what: &str) -> &mut Finding {
        let message = format!("the specification {what} no `{}`", ident.text);
        let mut finding = Finding::new(&CONFIG_NAME, self.place(ident.span), message);
        if let Some((instance, takes)) = self.specification.parametrised(&ident.text) {
            let rest = &ident.text[instance.len()..];
            let arguments = vec!["…"; takes].join(", ");
            let name: String = rest.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
            finding = finding.note(format!("`{instance}` is an instance with {takes} parameters"));
            finding = finding.help(format!(
                "define what is meant in the specification, as `{instance}{name} == {instance}({arguments}){rest}`, and name that"
            ));
        } else if let Some(near) = self.specification.nearest(&ident.text) {
            finding = finding.help(format!("did you mean `{near}`?"));
        }
        self.findings.push(finding);
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }

    /// The targets of an assignment, and how many arguments they take.
    fn targets(&mut self, assignment: &Assignment) -> Option<(Vec<Target>, usize)> {
        let Assignment { name, module, .. } = assignment;
        if let Some(module) = module {
            return self.targets_in(name, module);
        }
        let entity = self.specification.find(&name.text);
        let arity = entity.and_then(|entity| self.specification.arity(entity)).unwrap_or(0);
        match entity {
            Some(Entity::Constant(id)) => Some((vec![Target::Constant(id)], arity)),
            Some(Entity::Def(def)) => {
                let root = self.specification.program().root?;
                Some((vec![Target::Def(def, root)], arity))
            }
            Some(_) => {
                let message = format!("`{}` is no constant and no definition", name.text);
                self.wrong(&CONFIG_NAME, name.span, message);
                None
            }
            None => {
                // TLC takes `a = a` for a mention of the model value `a`, whatever the specification says.
                let is_mention = matches!(&assignment.value, Assigned::Value(Value::Model(value)) if value.text == name.text);
                let is_value = matches!(assignment.value, Assigned::Value(_));
                if !is_mention {
                    let finding = self.unknown(name, "declares or defines");
                    // TLC says nothing at all; if a constant is missing for it, that is an error of its own.
                    if is_value {
                        finding.severity = Severity::Warning;
                    }
                }
                None
            }
        }
    }

    /// The targets that `name` means in the text of `module`.
    fn targets_in(&mut self, name: &Ident, module: &Ident) -> Option<(Vec<Target>, usize)> {
        let program = self.specification.program();
        let is_module = |id: ModuleId| program.text(program.modules[id.index()].name) == &*module.text;
        let constants = (0..program.constants.len() as u32).map(ConstId).filter(|id| {
            let constant = &program.constants[id.index()];
            is_module(constant.module) && program.text(constant.name) == &*name.text
        });
        let mut targets: Vec<Target> = constants.map(Target::Constant).collect();
        let named = |id: &DefId| program.text(program.def(*id).base_name) == &*name.text;
        let defs: Vec<DefId> = (0..program.defs.len() as u32).map(DefId).filter(named).collect();
        let own = defs.iter().copied().filter(|id| is_module(program.def(*id).origin));
        targets.extend(own.map(Target::Everywhere));
        if targets.is_empty() {
            // Not its own: then what it gets from elsewhere, as far as its own text goes.
            let ids = (0..program.modules.len() as u32).map(ModuleId).filter(|id| is_module(*id));
            for id in ids {
                targets.extend(
                    defs.iter().filter(|def| refers(program, id, **def)).map(|def| Target::Within(*def, id)),
                );
            }
        }
        let Some(first) = targets.first().copied() else {
            let message = format!("module `{}` declares, defines and uses no `{}`", module.text, name.text);
            self.wrong(&CONFIG_NAME, name.span.to(module.span), message);
            return None;
        };
        let entity = match first {
            Target::Constant(id) => Entity::Constant(id),
            Target::Def(id, _) | Target::Everywhere(id) | Target::Within(id, _) => Entity::Def(id),
        };
        let arity = self.specification.arity(entity).unwrap_or(0);
        Some((targets, arity))
    }

    fn assignment(&mut self, assignment: &Assignment) {
        let Some((targets, arity)) = self.targets(assignment) else { return };
        let place = self.place(assignment.span);
        if !assignment.args.is_empty() {
            self.table_row(assignment, &targets, arity);
            return;
        }
        if let Some(first) = targets.iter().find_map(|target| self.given.get(target)) {
            let message = format!("`{}` is given twice", assignment.name.text);
            let mut finding = Finding::new(&CONFIG_TWICE, place, message).also(*first, "first here");
            let text = self.sources.get(self.file);
            if text.slice(place.span).split_whitespace().eq(text.slice(first.span).split_whitespace()) {
                finding.severity = Severity::Warning;
            }
            self.findings.push(finding);
            return;
        }
        for target in &targets {
            self.given.insert(*target, place);
        }
        let Some(binding) = self.binding(assignment, arity) else { return };
        for target in targets {
            self.replace(target, binding, place);
        }
    }

    /// Lets a binding stand for a target.
    fn replace(&mut self, target: Target, binding: Binding, place: Place) {
        match target {
            Target::Constant(id) => self.model.constants.push((id, binding)),
            // `I!Foo <- Foo` says nothing where both names mean one definition.
            Target::Def(def, _) | Target::Everywhere(def) if binding == Binding::Operator(def) => {}
            Target::Def(def, module) => {
                let to = self.stand_in(binding, place);
                self.redirects.extend(Redirect::of(self.specification, def, to, module));
            }
            Target::Everywhere(def) => {
                let to = self.stand_in(binding, place);
                self.redirects.push(Redirect::everywhere(self.specification.program(), def, to));
            }
            Target::Within(def, module) => {
                let to = self.stand_in(binding, place);
                self.redirects.push(Redirect::within(def, to, module));
            }
        }
    }

    /// A definition that does what a binding says.
    fn stand_in(&mut self, binding: Binding, place: Place) -> DefId {
        let def = match binding {
            Binding::Operator(def) => def,
            Binding::Expr(expr) => self.specification.define("value", Vec::new(), expr, place),
        };
        self.stand_ins.insert(def, place);
        def
    }

    fn binding(&mut self, assignment: &Assignment, arity: usize) -> Option<Binding> {
        let name = &assignment.name;
        match &assignment.value {
            Assigned::Definition(ident) => self.definition(assignment, ident, arity),
            Assigned::Value(_) if arity > 0 => {
                let message =
                    format!("`{}` is an operator of {arity} arguments and needs a definition", name.text);
                let finding = Finding::new(&ARITY, self.place(assignment.span), message)
                    .help(format!("define it in the specification and write `{} <- Definition`", name.text));
                self.findings.push(finding);
                None
            }
            Assigned::Value(value) => {
                self.check_model_value(assignment, value);
                self.value(value, self.place(assignment.span)).map(Binding::Expr)
            }
        }
    }

    fn definition(&mut self, assignment: &Assignment, ident: &Ident, arity: usize) -> Option<Binding> {
        let Some(entity) = self.specification.find(&ident.text) else {
            self.unknown(ident, "defines");
            return None;
        };
        let takes = self.specification.arity(entity);
        if takes != Some(arity) {
            let takes = takes.map_or("none: it is no operator".to_owned(), |n| n.to_string());
            let message = format!(
                "`{}` takes {arity} arguments but `{}` takes {takes}",
                assignment.name.text, ident.text
            );
            self.wrong(&ARITY, assignment.span, message);
            return None;
        }
        match entity {
            Entity::Def(def) if arity > 0 || assignment.module.is_some() => Some(Binding::Operator(def)),
            // Without arguments, the definition itself replaces another, but its value stands for a constant.
            Entity::Def(def)
                if matches!(self.specification.find(&assignment.name.text), Some(Entity::Def(_))) =>
            {
                Some(Binding::Operator(def))
            }
            _ if arity > 0 => {
                let message = format!("`{}` is not defined by the specification itself", ident.text);
                self.wrong(&CONFIG_NAME, ident.span, message);
                None
            }
            _ => self.select(ident, "defines").map(|selected| Binding::Expr(selected.expr)),
        }
    }

    /// A value as an expression.
    fn value(&mut self, value: &Value, place: Place) -> Option<ExprId> {
        let kind = match value {
            Value::Expr(tree) => {
                return match self.specification.resolve_value(self.sources, self.file, tree) {
                    Ok(expr) => Some(expr),
                    Err(findings) => {
                        self.findings.extend(findings);
                        None
                    }
                };
            }
            Value::Number(digits) => Resolved::Number(digits.parse().unwrap_or_default()),
            Value::String(text) => Resolved::String(self.specification.program_mut().names.intern(text)),
            Value::Bool(value) => {
                Resolved::Builtin(if *value { Builtin::True } else { Builtin::False }, Vec::new())
            }
            Value::Model(ident) => {
                Resolved::Constant(self.specification.model_value(&ident.text, self.place(ident.span)))
            }
            Value::Set(items) => {
                let mut exprs = Vec::with_capacity(items.len());
                for item in items {
                    exprs.push(self.value(item, place)?);
                }
                Resolved::SetOf(exprs)
            }
        };
        Some(self.specification.push(kind, place))
    }

    /// Says so if a model value is called like a definition: `N = Foo` where `N <- Foo` was meant.
    fn check_model_value(&mut self, assignment: &Assignment, value: &Value) {
        let Value::Model(ident) = value else { return };
        if ident.text == assignment.name.text
            || !matches!(self.specification.find(&ident.text), Some(Entity::Def(_)))
        {
            return;
        }
        let (name, value) = (&assignment.name.text, &ident.text);
        let message =
            format!("`{name} = {value}` makes `{value}` a model value, not the definition of that name");
        let mut finding = Finding::new(&CONFIG_NAME, self.place(assignment.span), message)
            .help(format!("write `{name} <- {value}` if the definition is meant"));
        finding.severity = Severity::Warning;
        self.findings.push(finding);
    }

    /// `Op(1, 2) = 3`.
    fn table_row(&mut self, assignment: &Assignment, targets: &[Target], arity: usize) {
        if assignment.args.len() != arity {
            let message = format!(
                "`{}` takes {arity} arguments but gets {}",
                assignment.name.text,
                assignment.args.len()
            );
            self.wrong(&ARITY, assignment.span, message);
            return;
        }
        let Assigned::Value(value) = &assignment.value else { return };
        let place = self.place(assignment.span);
        for target in targets {
            self.given.entry(*target).or_insert(place);
            self.tables.entry(*target).or_default().push((assignment.args.clone(), value.clone(), place));
        }
    }

    /// Makes definitions of the operators given by their values: one CASE each.
    fn finish_tables(&mut self) {
        for (target, rows) in std::mem::take(&mut self.tables) {
            let Some((args, _, place)) = rows.first() else { continue };
            let place = *place;
            let params: Vec<LocalId> =
                (0..args.len()).map(|_| self.specification.parameter("argument", place)).collect();
            let mut arms = Vec::new();
            for (args, value, place) in &rows {
                let mut equal = Vec::new();
                for (arg, param) in args.iter().zip(&params) {
                    let Some(arg) = self.value(arg, *place) else { return };
                    let param = self.specification.push(Resolved::Local(*param), *place);
                    equal.push(
                        self.specification.push(Resolved::Builtin(Builtin::Eq, vec![param, arg]), *place),
                    );
                }
                let condition = self.specification.push(Resolved::And(equal), *place);
                let Some(value) = self.value(value, *place) else { return };
                arms.push(Case { condition, value });
            }
            let body = self.specification.push(Resolved::Case(arms, None), place);
            let def = self.specification.define("table", params, body, place);
            self.replace(target, Binding::Operator(def), place);
        }
    }

    /// Checks that no replacement is replaced itself: `A <- B` beside `B <- C` could mean either of two things, and `A
    /// <- B` beside `B <- A` nothing.
    fn check_chains(&mut self, assignments: &[Assignment]) {
        let key = |assignment: &Assignment, name: &Ident| {
            (name.text.clone(), assignment.module.as_ref().map(|module| module.text.clone()))
        };
        let mut replaced = BTreeMap::new();
        for assignment in assignments {
            if matches!(assignment.value, Assigned::Definition(_)) {
                replaced.entry(key(assignment, &assignment.name)).or_insert(assignment.span);
            }
        }
        for assignment in assignments {
            let Assigned::Definition(ident) = &assignment.value else { continue };
            let Some(other) = replaced.get(&key(assignment, ident)).copied() else { continue };
            let (name, place) = (&ident.text, self.place(assignment.span));
            let message = format!("`{name}` is to the right of one `<-` and to the left of another");
            let finding = if other == assignment.span {
                Finding::new(&CONFIG_CIRCLE, place, format!("`{name}` would stand for itself"))
            } else {
                Finding::new(&CONFIG_CIRCLE, place, message)
                    .also(self.place(other), "here it is replaced")
                    .help(format!("let `{}` stand for what is meant in the end", assignment.name.text))
            };
            self.findings.push(finding);
        }
    }

    /// Variables and properties need a behaviour: without one, nothing would be checked of them.
    fn missing_behaviour(&mut self, config: &Config) {
        let checked = [
            &config.invariants,
            &config.properties,
            &config.possible,
            &config.constraints,
            &config.action_constraints,
        ];
        let first = checked.iter().find_map(|idents| idents.first());
        let program = self.specification.program();
        let variables = program.root_variables.iter().map(|id| &program.variables[id.index()]);
        let mut own = variables.filter(|variable| !program.modules[variable.module.index()].standard);
        let variable = own.next().map(|variable| variable.place);
        let missing = match (&config.specification, &config.init, &config.next) {
            (Some(_), _, _) | (_, Some(_), Some(_)) => return,
            (None, None, None) if variable.is_none() && first.is_none() => return,
            (None, None, None) => "which behaviours: there is no SPECIFICATION, and no INIT with NEXT",
            (None, Some(_), None) => "the next-state action: there is an INIT without a NEXT",
            (None, None, Some(_)) => "the initial predicate: there is a NEXT without an INIT",
        };
        let given = config.init.as_ref().or(config.next.as_ref()).or(first);
        let place = given.map(|ident| self.place(ident.span)).or(variable);
        let place = place.unwrap_or(self.place(Span::point(0)));
        let finding =
            Finding::new(&CONFIG_MISSING, place, format!("the configuration does not say {missing}")).help(
                "add `SPECIFICATION Spec`, or `INIT Init` and `NEXT Next`, with the names they have here",
            );
        self.findings.push(finding);
    }

    /// Nothing may stand for itself.
    fn check_circle(&mut self) {
        let program = self.specification.program();
        let Some(circle) = find_circle(program, &self.model.constants) else { return };
        let name = |item: &Item| match item {
            Item::Def(def) => program.text(program.def(*def).name),
            Item::Constant(id) => program.text(program.constants[id.index()].name),
        };
        let way: Vec<&str> = circle.iter().map(name).collect();
        let message =
            format!("with this configuration, definitions need each other in a circle: {}", way.join(" → "));
        let given = circle.iter().find_map(|item| match item {
            Item::Def(def) => self.stand_ins.get(def),
            Item::Constant(id) => self.given.get(&Target::Constant(*id)),
        });
        let place = given.or(self.given.values().next()).copied().unwrap_or(self.place(Span::point(0)));
        self.findings.push(Finding::new(&CONFIG_CIRCLE, place, message));
    }

    /// Checks levels once more if bodies were replaced or operators stand for constants: levels may have changed.
    fn check_levels(&mut self) {
        let operators = self.model.constants.iter().filter_map(|(id, binding)| match binding {
            Binding::Operator(def) => Some((*id, *def)),
            Binding::Expr(_) => None,
        });
        let operators: BTreeMap<ConstId, DefId> = operators.collect();
        if !self.redirects.is_empty() || !operators.is_empty() {
            self.specification.check_levels_again(operators, &mut self.findings);
        }
    }

    /// Values that stand for constants are constant. Operators may be anything: TLC lets them.
    fn check_constant_levels(&mut self) {
        for (id, binding) in &self.model.constants {
            let Binding::Expr(expr) = binding else { continue };
            let program = self.specification.program();
            let level = program.expr(*expr).level;
            if level > Level::Constant {
                let name = program.text(program.constants[id.index()].name);
                let message =
                    format!("`{name}` is a constant, but what stands for it is {}", level_name(level));
                let place = self.given.get(&Target::Constant(*id)).copied();
                let place = place.unwrap_or(program.constants[id.index()].place);
                self.findings.push(Finding::new(&LEVEL, place, message));
            }
        }
    }

    fn missing_constants(&mut self) {
        let program = self.specification.program();
        let mut findings = Vec::new();
        for id in &program.root_constants {
            if self.given.contains_key(&Target::Constant(*id)) {
                continue;
            }
            let constant = &program.constants[id.index()];
            let name = program.text(constant.name);
            let help = if constant.arity > 0 {
                format!("add `CONSTANT {name} <- Definition` to the configuration")
            } else {
                format!("add `CONSTANT {name} = …` to the configuration")
            };
            let message = format!("the constant `{name}` has no value");
            findings.push(Finding::new(&CONFIG_MISSING, constant.place, message).help(help));
        }
        self.findings.extend(findings);
    }

    fn select_all(&mut self, config: &Config) {
        use Level::{Action, State, Temporal};
        let one = |r: &mut Self, ident: &Option<Ident>, what: &'static str, highest| {
            ident.as_ref().and_then(|ident| r.selected(ident, what, highest))
        };
        self.model.specification = one(self, &config.specification, "SPECIFICATION", Temporal);
        self.model.init = one(self, &config.init, "INIT", State);
        self.model.next = one(self, &config.next, "NEXT", Action);
        self.model.view = one(self, &config.view, "VIEW", State);
        self.model.symmetry = one(self, &config.symmetry, "SYMMETRY", Level::Constant);
        self.model.alias = one(self, &config.alias, "ALIAS", Action);
        let many = |r: &mut Self, idents: &[Ident], what: &'static str, highest| -> Vec<Selected> {
            idents.iter().filter_map(|ident| r.selected(ident, what, highest)).collect()
        };
        self.model.invariants = many(self, &config.invariants, "INVARIANT", State);
        self.model.properties = many(self, &config.properties, "PROPERTY", Temporal);
        self.model.constraints = many(self, &config.constraints, "CONSTRAINT", State);
        self.model.action_constraints = many(self, &config.action_constraints, "ACTION_CONSTRAINT", Action);
        self.model.possible = many(self, &config.possible, "_POSSIBLE", Action);
        self.model.postconditions = many(self, &config.postconditions, "POSTCONDITION", Action);
        self.model.expressions =
            config.expressions.iter().filter_map(|given| self.expression(given)).collect();
        if let (Some(spec), Some(other)) =
            (&config.specification, config.init.as_ref().or(config.next.as_ref()))
        {
            let finding =
                Finding::new(&CONFIG_TWICE, self.place(other.span), "INIT and NEXT beside SPECIFICATION")
                    .also(self.place(spec.span), "which already says it all");
            self.findings.push(finding);
        }
    }

    /// Resolves an expression given beside the configuration. It can name model values, but only existing ones.
    fn expression(&mut self, given: &Expression) -> Option<Selected> {
        let file = self.sources.get(given.file);
        let span = Span::new(0, file.text().len());
        let parsed = parse_expression(given.file, file.text(), span);
        let Some(tree) = parsed.tree.filter(|_| parsed.findings.is_empty()) else {
            self.findings.extend(parsed.findings);
            return None;
        };
        let known: BTreeSet<Name> =
            self.specification.model_values().into_iter().map(|(_, name)| name).collect();
        let expr = match self.specification.resolve_value(self.sources, given.file, &tree) {
            Ok(expr) => expr,
            Err(findings) => {
                self.findings.extend(findings);
                return None;
            }
        };
        let unknown = self.specification.model_values().into_iter().filter(|(_, name)| !known.contains(name));
        let unknown: Vec<ConstId> = unknown.map(|(id, _)| id).collect();
        for id in &unknown {
            let constant = &self.specification.program().constants[id.index()];
            let (name, place) = (self.specification.program().text(constant.name), constant.place);
            let mut finding = Finding::new(&UNKNOWN_NAME, place, format!("`{name}` has no meaning here"));
            let values = known.iter().map(|name| self.specification.program().text(*name));
            let near = nearest(name, values.map(|value| (value, value)));
            if let Some(near) = near.or_else(|| self.specification.nearest(name)) {
                finding = finding.help(format!("did you mean `{near}`?"));
            }
            self.findings.push(finding);
        }
        let selected = Selected { name: file.text().trim().into(), expr, place: file.place(span) };
        self.limits.push((selected.clone(), given.user, given.highest));
        unknown.is_empty().then_some(selected)
    }

    fn selected(&mut self, ident: &Ident, what: &'static str, highest: Level) -> Option<Selected> {
        let selected = self.select(ident, "defines")?;
        self.limits.push((selected.clone(), what, highest));
        Some(selected)
    }

    /// Whether what is selected has a level that fits; after replacing, since that can change it.
    fn check_selected_levels(&mut self) {
        for (selected, what, highest) in std::mem::take(&mut self.limits) {
            let level = self.specification.program().expr(selected.expr).level;
            if level > highest {
                let (found, wanted) = (level_name(level), level_name(highest));
                let message = format!("{what} needs {wanted}, but `{}` is {found}", selected.name);
                let mut finding = Finding::new(&LEVEL, selected.place, message);
                if what == "INVARIANT" {
                    finding = finding.help("check it as a PROPERTY");
                }
                self.findings.push(finding);
            }
        }
    }

    /// A definition without parameters, by name.
    fn select(&mut self, ident: &Ident, what: &str) -> Option<Selected> {
        match self.specification.find(&ident.text).map(|entity| self.specification.arity(entity)) {
            None => {
                self.unknown(ident, what);
                return None;
            }
            Some(Some(0)) => {}
            Some(takes) => {
                let message = match takes {
                    Some(n) => {
                        format!("`{}` takes {n} arguments; a definition without any is needed", ident.text)
                    }
                    None => format!("`{}` is a module or an instance of one, not a definition", ident.text),
                };
                self.wrong(&ARITY, ident.span, message);
                return None;
            }
        }
        let part = |text: &str| NamePart {
            name: PartName::Name(Ident { text: text.into(), span: ident.span }),
            args: Vec::new(),
            span: ident.span,
        };
        let tree = Expr { kind: Tree::Name(ident.text.split('!').map(part).collect()), span: ident.span };
        match self.specification.resolve(self.sources, self.file, &tree) {
            Ok(expr) => Some(Selected { name: ident.text.clone(), expr, place: self.place(ident.span) }),
            Err(findings) => {
                self.findings.extend(findings);
                None
            }
        }
    }
}

fn level_name(level: Level) -> &'static str {
    match level {
        Level::Constant => "a constant",
        Level::State => "a state predicate or function",
        Level::Action => "an action",
        Level::Temporal => "a temporal formula",
    }
}

/// Whether the text of a module refers to a definition.
fn refers(program: &Program, module: ModuleId, def: DefId) -> bool {
    program.exprs.iter().any(|expr| {
        let mut found = false;
        expr.kind
            .parts(&mut |part| found |= matches!(part, Part::Def(d) | Part::Op(OpRef::Def(d)) if d == def));
        found && redirect::module_of(program, expr.place) == Some(module)
    })
}
