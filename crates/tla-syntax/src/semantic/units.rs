//! The units of a module and the definitions of a LET.

use std::collections::BTreeMap;
use std::rc::Rc;

use locus_source::Finding;
use rustc_hash::FxHashMap;

use super::program::{
    Assumption, ConstId, Constant, DefId, DefKind, Definition, ExprId, ExprKind, Level, LocalId, LocalKind,
    Name, OpRef, SubstId, SubstValue, Substitution, VarId, Variable,
};
use super::resolver::{Resolver, Universe};
use super::scope::{Context, Declared, Entity, Entry, NamedInstance};
use crate::rules::{ARITY, MISPLACED, NAME_CLASH, RECURSIVE, SUBSTITUTION};
use crate::syntax::ast::{self, DefinitionBody, ExprKind as Tree, Statement, UnitKind};
use locus_source::words::nearest;

/// Definitions announced by RECURSIVE and not yet given.
pub(crate) type Announced = BTreeMap<Name, (DefId, ast::Ident)>;

impl Resolver<'_> {
    /// The units of a module, in order.
    pub(crate) fn units(&mut self, units: &[ast::Unit], context: &mut Context) {
        let mut announced = Announced::new();
        for unit in units {
            let local = unit.local.is_some();
            self.check_place_of(unit, &announced);
            match &unit.kind {
                UnitKind::Constants(declarations) => {
                    for declaration in declarations {
                        self.declare_constant(declaration, context);
                    }
                }
                UnitKind::Variables(names) => {
                    for name in names {
                        self.declare_variable(name, context);
                    }
                }
                UnitKind::Recursive(declarations) => {
                    for declaration in declarations {
                        let kind = self.module_kind();
                        let name = self.announce(declaration, kind, &mut announced);
                        self.export(name, local, context);
                    }
                }
                UnitKind::Definition(definition) => {
                    let kind = self.module_kind();
                    self.definition(definition, kind, &mut announced);
                    let name = self.intern(&definition.name.text);
                    self.export(name, local, context);
                }
                UnitKind::Instance(instance) => self.unnamed_instance(instance, local, context),
                UnitKind::Assumption { axiom, name, body } => {
                    self.assumption(*axiom, name.as_ref(), body, unit, context);
                }
                UnitKind::Theorem { name, body, proof } => {
                    self.theorem(name.as_ref(), body, unit, context);
                    self.check_proof(body, proof.as_ref());
                }
                UnitKind::Module(tree) => {
                    self.inner_module(tree, context);
                }
                UnitKind::UseOrHide(facts) => self.check_facts(facts),
            }
        }
        self.check_announced(&announced);
    }

    /// Between RECURSIVE and the definition it announces stand only other definitions.
    fn check_place_of(&mut self, unit: &ast::Unit, announced: &Announced) {
        let Some((_, ident)) = announced.values().next() else { return };
        let what = match &unit.kind {
            UnitKind::Constants(_) => "constants are declared",
            UnitKind::Variables(_) => "variables are declared",
            UnitKind::Theorem { .. } => "a theorem stands",
            UnitKind::Module(_) => "a module stands",
            UnitKind::UseOrHide(_) => "USE or HIDE stands",
            UnitKind::Recursive(_)
            | UnitKind::Definition(_)
            | UnitKind::Instance(_)
            | UnitKind::Assumption { .. } => return,
        };
        let message = format!("{what} between `RECURSIVE {}` and its definition", ident.text);
        let finding = Finding::new(&RECURSIVE, self.place(unit.span), message)
            .also(self.place(ident.span), "announced here")
            .help("only definitions may stand between them; move this before the RECURSIVE");
        self.report(finding);
    }

    fn module_kind(&self) -> DefKind {
        if self.universe.within_let { DefKind::Let } else { DefKind::Module }
    }

    /// Makes a name part of what the module gives to others.
    fn export(&mut self, name: Name, local: bool, context: &mut Context) {
        if !local && let Some(entry) = self.state.scope.get(name) {
            if let Some(i) = context.own.get(&name) {
                context.exports[*i].1 = entry;
            } else {
                context.own.insert(name, context.exports.len());
                context.exports.push((name, entry));
            }
        }
    }

    fn declare_constant(&mut self, declaration: &ast::Declaration, context: &mut Context) {
        let name = self.intern(&declaration.name.text);
        let place = self.place(declaration.name.span);
        let entity = if let Some(subst) = self.substituted(name) {
            Entity::Subst(subst)
        } else {
            let constants = &mut self.state.program.constants;
            constants.push(Constant { name, arity: declaration.arity, module: self.module, place });
            Entity::Constant(ConstId(constants.len() as u32 - 1))
        };
        self.declare(&declaration.name, entity);
        context.declared.push(Declared { name, arity: declaration.arity, variable: false, entity, place });
    }

    fn declare_variable(&mut self, ident: &ast::Ident, context: &mut Context) {
        let name = self.intern(&ident.text);
        let place = self.place(ident.span);
        let entity = if let Some(subst) = self.substituted(name) {
            Entity::Subst(subst)
        } else {
            self.state.program.variables.push(Variable { name, module: self.module, place });
            Entity::Variable(VarId(self.state.program.variables.len() as u32 - 1))
        };
        self.declare(ident, entity);
        context.declared.push(Declared { name, arity: 0, variable: true, entity, place });
    }

    fn substituted(&self, name: Name) -> Option<SubstId> {
        self.universe.substs.as_ref()?.get(&name).copied()
    }

    /// `RECURSIVE F(_)`.
    pub(crate) fn announce(
        &mut self,
        declaration: &ast::Declaration,
        kind: DefKind,
        announced: &mut Announced,
    ) -> Name {
        let def = self.new_def(&declaration.name, kind, vec![0; declaration.arity as usize]);
        self.state.program.defs[def.index()].recursive = true;
        self.declare(&declaration.name, Entity::Def(def));
        let name = self.intern(&declaration.name.text);
        announced.insert(name, (def, declaration.name.clone()));
        name
    }

    pub(crate) fn check_announced(&mut self, announced: &Announced) {
        for (_, ident) in announced.values() {
            let message = format!("`{}` is declared RECURSIVE but not defined here", ident.text);
            self.wrong(&RECURSIVE, ident.span, message);
        }
    }

    /// A definition without its parameters and body.
    pub(crate) fn new_def(&mut self, ident: &ast::Ident, kind: DefKind, signature: Vec<u32>) -> DefId {
        let place = self.place(ident.span);
        let base_name = self.intern(&ident.text);
        let is_module = !matches!(kind, DefKind::Lambda) && !self.is_inner_let(kind);
        let params = if is_module { self.universe.params.clone() } else { Vec::new() };
        let name = if is_module && !self.universe.prefix.is_empty() {
            let full = format!("{}{}", self.universe.prefix, ident.text);
            self.intern(&full)
        } else {
            base_name
        };
        self.state.program.defs.push(Definition {
            name,
            base_name,
            origin: self.module,
            kind,
            instance_params: params.len(),
            params,
            body: None,
            recursive: false,
            captures: Vec::new(),
            level: Level::Constant,
            place,
            name_place: place,
        });
        self.state.signatures.push(signature);
        DefId(self.state.program.defs.len() as u32 - 1)
    }

    /// Whether a definition of `kind` being made now is one of a LET within a definition, rather than one of a
    /// module that is instantiated within a LET.
    fn is_inner_let(&self, kind: DefKind) -> bool {
        kind == DefKind::Let && self.let_depth > 0
    }

    /// An operator, function or instance.
    pub(crate) fn definition(&mut self, tree: &ast::Definition, kind: DefKind, announced: &mut Announced) {
        if let DefinitionBody::Instance(instance) = &tree.body {
            self.named_instance(tree, instance);
            return;
        }
        let name = self.intern(&tree.name.text);
        let signature: Vec<u32> = tree.params.iter().map(|param| param.arity).collect();
        let def = if let Some((def, ident)) = announced.remove(&name) {
            let expected = self.state.signatures[def.index()].len();
            if expected != signature.len() {
                let message = format!(
                    "`{}` is defined with {} but was declared RECURSIVE with {}",
                    tree.name.text,
                    parameters(signature.len()),
                    parameters(expected)
                );
                let finding = Finding::new(&ARITY, self.place(tree.name.span), message)
                    .also(self.place(ident.span), "the declaration");
                self.report(finding);
            }
            let place = self.place(tree.name.span);
            self.state.program.defs[def.index()].name_place = place;
            self.state.signatures[def.index()] = signature;
            def
        } else {
            let def = self.new_def(&tree.name, kind, signature);
            // Its own name has a meaning only after it, but must not have one before.
            self.check_new(&tree.name);
            def
        };
        self.state.program.defs[def.index()].place = self.place(tree.span);
        let mark = self.state.scope.mark();
        let params = self.bind_params(&tree.params);
        let body = match &tree.body {
            DefinitionBody::Operator(body) if self.is_native(body) => None,
            DefinitionBody::Operator(body) => Some(self.within_definition(|r| r.expr(body))),
            DefinitionBody::Function { bounds, value } => {
                Some(self.within_definition(|r| r.function_definition(tree, bounds, value)))
            }
            DefinitionBody::Instance(_) => None,
        };
        self.state.scope.undo(mark);
        if let Some(body) = body {
            self.check_labels(body);
        }
        let definition = &mut self.state.program.defs[def.index()];
        definition.params.truncate(definition.instance_params);
        definition.params.extend(params);
        definition.body = body;
        if let DefinitionBody::Function { bounds, .. } = &tree.body {
            let takes = bounds.iter().map(|bound| if bound.tuple { 1 } else { bound.names.len() }).sum();
            self.state.functions.insert(def, takes);
        }
        let place = self.place(tree.name.span);
        self.state.scope.insert(name, Entry { entity: Entity::Def(def), place: Some(place) });
    }

    fn within_definition<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        self.let_depth += 1;
        let result = inner(self);
        self.let_depth -= 1;
        result
    }

    /// `NATIVE` in a standard module: the evaluator provides the operator.
    fn is_native(&self, body: &ast::Expr) -> bool {
        let Tree::Name(parts) = &body.kind else { return false };
        let [ast::NamePart { name: ast::PartName::Name(ident), .. }] = parts.as_slice() else { return false };
        &*ident.text == "NATIVE" && self.state.program.modules[self.module.index()].standard
    }

    fn check_new(&mut self, ident: &ast::Ident) {
        let name = self.intern(&ident.text);
        if let Some(old) = self.state.scope.get(name) {
            let message = format!("`{}` already has a meaning here", ident.text);
            let mut finding = Finding::new(&NAME_CLASH, self.place(ident.span), message);
            finding = match old.place {
                Some(first) => finding.also(first, "its first meaning"),
                None => finding.note("it belongs to the language"),
            };
            self.report(finding.help("TLA+ has no shadowing; use another name"));
        }
    }

    pub(crate) fn bind_params(&mut self, params: &[ast::Declaration]) -> Vec<LocalId> {
        let bind = |param: &ast::Declaration| {
            let local = self.local(&param.name, param.arity, LocalKind::Parameter);
            self.declare(&param.name, Entity::Local(local));
            local
        };
        params.iter().map(bind).collect()
    }

    /// `f[x \in S] == e`.
    fn function_definition(
        &mut self,
        tree: &ast::Definition,
        bounds: &[ast::Bound],
        value: &ast::Expr,
    ) -> ExprId {
        let sets = self.bound_sets(bounds);
        let mark = self.state.scope.mark();
        let this = self.local(&tree.name, 0, LocalKind::This);
        let name = self.intern(&tree.name.text);
        let place = self.place(tree.name.span);
        self.state.scope.insert(name, Entry { entity: Entity::Local(this), place: Some(place) });
        let bounds = self.bind(bounds, sets);
        let before = self.state.program.exprs.len();
        let body = self.expr(value);
        self.state.scope.undo(mark);
        let uses_this = |expr: &super::program::Expr| match &expr.kind {
            ExprKind::Local(local) => *local == this,
            _ => false,
        };
        let recursive = self.state.program.exprs[before..].iter().any(uses_this);
        let this = recursive.then_some(this);
        self.push(ExprKind::Function { bounds, body, this }, tree.span)
    }

    /// `INSTANCE M WITH …` as a unit: all its definitions come into scope.
    pub(crate) fn unnamed_instance(&mut self, instance: &ast::Instance, local: bool, context: &mut Context) {
        let Some((exports, _)) = self.instantiate(instance, "", &[]) else { return };
        let asked = self.place(instance.span);
        for (name, entry) in exports {
            if self.import(name, entry, asked) && !local {
                context.exports.push((name, entry));
            }
        }
    }

    /// `I(x) == INSTANCE M WITH …`.
    pub(crate) fn named_instance(&mut self, tree: &ast::Definition, instance: &ast::Instance) {
        let mark = self.state.scope.mark();
        let params = self.bind_params(&tree.params);
        let made = self.instantiate(instance, &tree.name.text, &params);
        self.state.scope.undo(mark);
        let failed = made.is_none();
        let (exports, passes) = made.unwrap_or_default();
        let exports: FxHashMap<Name, Entry> = exports.into_iter().collect();
        let arities = tree.params.iter().map(|param| param.arity).collect();
        self.state.instances.push(NamedInstance { arities, passes, exports, failed });
        let index = self.state.instances.len() as u32 - 1;
        self.declare(&tree.name, Entity::Instance(index));
    }

    /// The names that an instance gives, and whether its definitions take the instance's parameters.
    fn instantiate(
        &mut self,
        instance: &ast::Instance,
        name: &str,
        params: &[LocalId],
    ) -> Option<(Vec<(Name, Entry)>, bool)> {
        let index = self.find_module(&instance.module)?;
        let place = self.place(instance.span);
        let base = self.base(index, Some(place))?;
        let first = self.state.program.substs.len();
        let substs = self.substitutions(instance, &base);
        let own = first..self.state.program.substs.len();
        if base.declared.is_empty() {
            return Some((base.exports.clone(), false));
        }
        let (Some(substs), false) = (substs, self.too_many_instances(place)) else {
            return Some((base.exports.clone(), false));
        };
        let prefix = if name.is_empty() {
            self.universe.prefix.clone()
        } else {
            format!("{}{name}!", self.universe.prefix)
        };
        let within_let = self.universe.within_let || self.let_depth > 0;
        // Within a LET the parameters of instances around it are captured like any others.
        let mut all = if self.let_depth > 0 { Vec::new() } else { self.universe.params.clone() };
        all.extend(params);
        let universe = Universe {
            substs: Some(Rc::new(substs)),
            params: all,
            prefix,
            within_let,
            ..Universe::default()
        };
        let muted = std::mem::replace(&mut self.muted, true);
        let depth = std::mem::take(&mut self.let_depth);
        let before = self.state.program.defs.len();
        let exprs = self.state.program.exprs.len() as u32;
        let (context, _) = self.elaborate(index, universe);
        let within = exprs..self.state.program.exprs.len() as u32;
        for substitution in &mut self.state.program.substs[own] {
            substitution.within = within.clone();
        }
        if within_let {
            self.let_defs.extend((before..self.state.program.defs.len()).map(|i| DefId(i as u32)));
        }
        self.let_depth = depth;
        self.muted = muted;
        for i in before..self.state.program.defs.len() {
            // Of instances within instances, the innermost is the one.
            self.state.instance_places.entry(DefId(i as u32)).or_insert(place);
        }
        Some((context.exports.clone(), true))
    }

    /// The substitution for each declared name; nothing if one is missing.
    fn substitutions(
        &mut self,
        instance: &ast::Instance,
        base: &Context,
    ) -> Option<FxHashMap<Name, SubstId>> {
        let mut substs = FxHashMap::default();
        let mut complete = true;
        // What speaks of no variables can be said of anything; beside variables, constants are constant.
        let constant_module = base.declared.iter().all(|declared| !declared.variable);
        for substitution in &instance.substitutions {
            let name = self.intern(&substitution.name.text);
            let Some(declared) = base.declared.iter().find(|declared| declared.name == name).copied() else {
                self.unknown_substitution(instance, substitution, base);
                complete = false;
                continue;
            };
            if substs.contains_key(&name) {
                let message = format!("`{}` is substituted twice", substitution.name.text);
                self.wrong(&SUBSTITUTION, substitution.name.span, message);
                continue;
            }
            let place = self.place(substitution.name.span.to(substitution.value.span));
            let value = if declared.arity > 0 {
                self.op_arg(&substitution.value, declared.arity).map(SubstValue::Op)
            } else {
                Some(SubstValue::Expr(self.value(&substitution.value)))
            };
            let Some(value) = value else {
                complete = false;
                continue;
            };
            substs.insert(name, self.add_subst(declared, value, constant_module, place));
        }
        for declared in &base.declared {
            if substs.contains_key(&declared.name) {
                continue;
            }
            match self.implied(declared, instance) {
                Some(value) => {
                    let place = self.place(instance.span);
                    substs.insert(declared.name, self.add_subst(*declared, value, constant_module, place));
                }
                None => complete = false,
            }
        }
        complete.then_some(substs)
    }

    fn add_subst(
        &mut self,
        declared: Declared,
        value: SubstValue,
        constant_module: bool,
        place: locus_source::Place,
    ) -> SubstId {
        let Declared { name, variable, .. } = declared;
        let highest = match (variable, constant_module) {
            (true, _) => Level::State,
            (false, true) => Level::Temporal,
            (false, false) => Level::Constant,
        };
        let within = 0..0;
        self.state.program.substs.push(Substitution { name, variable, highest, value, place, within });
        SubstId(self.state.program.substs.len() as u32 - 1)
    }

    /// The implied `x <- x`.
    fn implied(&mut self, declared: &Declared, instance: &ast::Instance) -> Option<SubstValue> {
        let text = self.text(declared.name).to_owned();
        let module = &instance.module.text;
        let sort = if declared.variable { "variable" } else { "constant" };
        let Some(entry) = self.state.scope.get(declared.name) else {
            let message = format!("this instance says nothing of `{text}`, a {sort} of module {module}");
            let finding = Finding::new(&SUBSTITUTION, self.place(instance.span), message)
                .also(declared.place, format!("the {sort}"))
                .help(format!("add `{text} <- …` to its WITH, or declare `{text}` here"));
            self.report(finding);
            return None;
        };
        let ident = ast::Ident { text: text.clone().into(), span: instance.span };
        let value = if declared.arity > 0 {
            let op = self.entity_as_op(entry.entity);
            op.filter(|op| self.op_arity(*op) == Some(declared.arity as usize)).map(SubstValue::Op)
        } else if self.entity_takes(entry.entity) == Some(0) {
            Some(SubstValue::Expr(self.entity_value(entry.entity, &ident)))
        } else {
            None
        };
        if value.is_none() {
            let message = format!(
                "`{text}` here cannot stand for the {sort} `{text}` of module {module}: it takes other arguments"
            );
            let finding =
                Finding::new(&SUBSTITUTION, self.place(instance.span), message).also(declared.place, "there");
            self.report(finding);
        }
        value
    }

    fn unknown_substitution(
        &mut self,
        instance: &ast::Instance,
        substitution: &ast::Substitution,
        base: &Context,
    ) {
        let (name, module) = (&substitution.name.text, &instance.module.text);
        let message = format!("module {module} declares no constant or variable `{name}`");
        let mut finding = Finding::new(&SUBSTITUTION, self.place(substitution.name.span), message);
        let declared: Vec<&str> = base.declared.iter().map(|declared| self.text(declared.name)).collect();
        if let Some(near) = nearest(name, declared.iter().map(|name| (*name, *name))) {
            finding = finding.help(format!("did you mean `{near}`?"));
        } else if declared.is_empty() {
            finding = finding.note(format!("module {module} declares nothing"));
        }
        self.report(finding);
    }

    fn assumption(
        &mut self,
        axiom: bool,
        name: Option<&ast::Ident>,
        body: &Statement,
        unit: &ast::Unit,
        context: &mut Context,
    ) {
        let Statement::Formula(tree) = body else {
            self.wrong(&MISPLACED, unit.span, "ASSUME … PROVE stands in a theorem");
            return;
        };
        let formula = self.within_definition(|r| r.expr(tree));
        let text = name.map(|ident| self.intern(&ident.text));
        let place = self.place(unit.span);
        self.assumptions.push(Assumption { axiom, name: text, body: formula, place });
        context.assumptions.push(self.assumptions.len() as u32 - 1);
        if let Some(ident) = name {
            self.statement(ident, formula, unit, context);
            self.check_labels(formula);
        } else {
            self.refuse_labels(formula);
        }
    }

    fn theorem(
        &mut self,
        name: Option<&ast::Ident>,
        body: &Statement,
        unit: &ast::Unit,
        context: &mut Context,
    ) {
        let formula = match body {
            Statement::Formula(tree) => self.within_definition(|r| r.expr(tree)),
            // Nothing can refer to it, so any value does.
            Statement::AssumeProve(tree) => {
                self.push(ExprKind::Builtin(super::program::Builtin::True, Vec::new()), tree.span)
            }
        };
        if let Some(ident) = name {
            let def = self.statement(ident, formula, unit, context);
            if matches!(body, Statement::AssumeProve(_)) {
                self.state.assume_prove.insert(def);
            }
            self.check_labels(formula);
        } else {
            self.refuse_labels(formula);
        }
    }

    /// A named theorem or assumption is also a definition.
    fn statement(
        &mut self,
        ident: &ast::Ident,
        formula: ExprId,
        unit: &ast::Unit,
        context: &mut Context,
    ) -> DefId {
        let def = self.new_def(ident, DefKind::Statement, Vec::new());
        let place = self.place(unit.span);
        let definition = &mut self.state.program.defs[def.index()];
        definition.body = Some(formula);
        definition.place = place;
        self.declare(ident, Entity::Def(def));
        let name = self.intern(&ident.text);
        self.export(name, unit.local.is_some(), context);
        def
    }

    /// How many arguments an operator takes that is handed on.
    pub(crate) fn op_arity(&self, op: OpRef) -> Option<usize> {
        let program = &self.state.program;
        match op {
            OpRef::Def(def) => Some(self.state.signatures[def.index()].len()),
            OpRef::Constant(id) => Some(program.constants[id.index()].arity as usize),
            OpRef::Local(local) => Some(program.local(local).arity as usize),
            OpRef::Subst(subst) => match program.subst(subst).value {
                SubstValue::Op(op) => self.op_arity(op),
                SubstValue::Expr(_) => Some(0),
            },
            OpRef::Builtin(builtin) => Some(builtin.arity()),
        }
    }
}

/// "2 parameters".
pub(crate) fn parameters(n: usize) -> String {
    match n {
        0 => "no parameters".to_owned(),
        1 => "1 parameter".to_owned(),
        n => format!("{n} parameters"),
    }
}
