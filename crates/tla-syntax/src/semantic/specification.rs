//! A specification that has been read and resolved.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use locus_source::{FileId, Finding, Place, Severity, SourceFile, Sources, Span, sort_and_dedup};

use super::captures::find_captures;
use super::levels::{Levels, check_levels};
use super::loader::{ModuleLoader, NoModules, StandardModules};
use super::names::nearest_of;
use super::program::{
    ConstId, Constant, DefId, DefKind, Definition, Expr, ExprId, ExprKind, Level, Local, LocalId, LocalKind,
    ModuleId, Name, Program,
};
use super::resolver::{Resolver, State};
use super::scope::Entity;
use crate::syntax::{ast, parse_expression};

/// A specification, and the names of its root module.
///
/// ```
/// use locus_source::Sources;
/// use locus_tla_syntax::config::{Model, parse};
/// use locus_tla_syntax::semantic::{NoModules, Specification};
///
/// let sources = Sources::new();
/// let spec = "---- MODULE Spec ----\nCONSTANT N\nVARIABLE x\nInit == x = N\nNext == x' = x\n====";
/// let spec = sources.add("Spec.tla", spec);
/// let loaded = Specification::load(&sources, &spec, &NoModules, |_| None);
/// let mut specification = loaded.specification.expect("nothing is wrong with it");
///
/// let config = sources.add("Spec.cfg", "CONSTANT N = {a, b}\nINIT Init\nNEXT Next");
/// let parsed = parse(config.id(), config.text());
/// let (model, findings) =
///     Model::resolve(&parsed.tree.unwrap(), &mut specification, &sources, config.id());
/// assert!(findings.is_empty());
/// assert_eq!(model.constants.len(), 1);
/// assert_eq!(specification.program().root_variables.len(), 1);
/// ```
#[derive(Debug)]
pub struct Specification {
    state: State,
    standard: StandardModules,
}

/// The result of loading a specification.
#[derive(Debug)]
pub struct Loaded {
    /// The specification, unless something is wrong with it.
    pub specification: Option<Specification>,
    /// The findings: errors, and what is only strange.
    pub findings: Vec<Finding>,
}

impl Specification {
    /// Reads the root module from `file`, and what it needs through `loader` and from `standard`. An algorithm in a
    /// module that has no translation, or has changed since it was translated, is translated first.
    pub fn load(
        sources: &Sources,
        file: &Arc<SourceFile>,
        loader: &dyn ModuleLoader,
        standard: StandardModules,
    ) -> Loaded {
        let mut resolver = Resolver::new(sources, loader, standard, file.id());
        resolver.root(file);
        let mut findings = std::mem::take(&mut resolver.findings);
        let mut state = std::mem::take(&mut resolver.state);
        if is_sound(&findings) {
            find_captures(&mut state.program, 0);
            let State { program, levels, instance_places, .. } = &mut state;
            check_levels(program, levels, instance_places, &mut findings);
        }
        sort_and_dedup(&mut findings, sources);
        let specification = is_sound(&findings).then_some(Self { state, standard });
        Loaded { specification, findings }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.state.program
    }

    /// The program, to intern names in and to redirect definitions of.
    pub fn program_mut(&mut self) -> &mut Program {
        &mut self.state.program
    }

    /// The meaning of a name at the end of the root module; with `!`, a definition of an instance.
    pub fn find(&self, name: &str) -> Option<Entity> {
        let names = &self.state.program.names;
        let mut parts = name.split('!');
        let mut entity = self.state.scope.get(names.find(parts.next()?)?)?.entity;
        for part in parts {
            let Entity::Instance(index) = entity else { return None };
            let instance = &self.state.instances[index as usize];
            if !instance.arities.is_empty() {
                return None;
            }
            entity = instance.exports.get(&names.find(part)?)?.entity;
        }
        Some(entity)
    }

    /// Of a name such as `I!Op`, the instance with parameters because of which the name alone has no meaning, and how
    /// many it has.
    pub fn parametrised<'n>(&self, name: &'n str) -> Option<(&'n str, usize)> {
        let (instance, _) = name.split_once('!')?;
        match self.find(instance)? {
            Entity::Instance(index) => {
                let takes = self.state.instances[index as usize].arities.len();
                (takes > 0).then_some((instance, takes))
            }
            _ => None,
        }
    }

    /// The definition of a name of the root module.
    pub fn definition(&self, name: &str) -> Option<DefId> {
        match self.find(name)? {
            Entity::Def(def) => Some(def),
            _ => None,
        }
    }

    /// How many arguments an entity takes; nothing for instances and modules.
    pub fn arity(&self, entity: Entity) -> Option<usize> {
        use super::program::{OpRef, SubstValue};
        let program = &self.state.program;
        Some(match entity {
            Entity::Constant(id) => program.constants[id.index()].arity as usize,
            Entity::Local(id) => program.local(id).arity as usize,
            Entity::Def(id) => self.state.signatures[id.index()].len(),
            Entity::Builtin(builtin) => builtin.arity(),
            Entity::Variable(_) => 0,
            Entity::Subst(id) => match &program.subst(id).value {
                SubstValue::Op(OpRef::Def(def)) => self.state.signatures[def.index()].len(),
                _ => 0,
            },
            Entity::Times => 2,
            Entity::Instance(_) => return None,
        })
    }

    /// The name of the root module nearest to one that has no meaning.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        let names = &self.state.program.names;
        nearest_of(name, self.state.scope.names().map(|name| names.text(name)))
    }

    /// Reads and resolves an expression that fills `span` of a file, with the names of the root module.
    pub fn expression(
        &mut self,
        sources: &Sources,
        file: FileId,
        text: &str,
        span: Span,
    ) -> Result<ExprId, Vec<Finding>> {
        let parsed = parse_expression(file, text, span);
        let Some(tree) = parsed.tree.filter(|_| parsed.findings.is_empty()) else {
            return Err(parsed.findings);
        };
        self.resolve(sources, file, &tree)
    }

    /// Resolves an expression with the names of the root module.
    pub fn resolve(
        &mut self,
        sources: &Sources,
        file: FileId,
        tree: &ast::Expr,
    ) -> Result<ExprId, Vec<Finding>> {
        self.resolve_with(sources, file, tree, false)
    }

    /// Resolves the value of a constant: names without a meaning are model values.
    pub fn resolve_value(
        &mut self,
        sources: &Sources,
        file: FileId,
        tree: &ast::Expr,
    ) -> Result<ExprId, Vec<Finding>> {
        self.resolve_with(sources, file, tree, true)
    }

    /// The constants that stand for model values in what [`resolve_value`](Self::resolve_value) resolved.
    pub fn model_values(&self) -> Vec<(ConstId, Name)> {
        self.state.model_values.iter().map(|(name, id)| (*id, *name)).collect()
    }

    /// A constant that stands for the model value `name`.
    pub(crate) fn model_value(&mut self, name: &str, place: Place) -> ConstId {
        let name = self.state.program.names.intern(name);
        if let Some(id) = self.state.model_values.get(&name) {
            return *id;
        }
        let constants = &mut self.state.program.constants;
        let module = self.state.program.root.unwrap_or(ModuleId(0));
        constants.push(Constant { name, arity: 0, module, place });
        let id = ConstId(constants.len() as u32 - 1);
        self.state.model_values.insert(name, id);
        id
    }

    /// A new expression.
    pub(crate) fn push(&mut self, kind: ExprKind, place: Place) -> ExprId {
        self.state.program.exprs.push(Expr { kind, place, level: Level::Constant });
        ExprId(self.state.program.exprs.len() as u32 - 1)
    }

    /// A new parameter.
    pub(crate) fn parameter(&mut self, name: &str, place: Place) -> LocalId {
        let name = self.state.program.names.intern(name);
        self.state.program.locals.push(Local { name, arity: 0, kind: LocalKind::Parameter, place });
        LocalId(self.state.program.locals.len() as u32 - 1)
    }

    /// A new definition.
    pub(crate) fn define(&mut self, name: &str, params: Vec<LocalId>, body: ExprId, place: Place) -> DefId {
        let name = self.state.program.names.intern(name);
        self.state.signatures.push(vec![0; params.len()]);
        self.state.program.defs.push(Definition {
            name,
            base_name: name,
            origin: self.state.program.root.unwrap_or(ModuleId(0)),
            kind: DefKind::Module,
            params,
            instance_params: 0,
            body: Some(body),
            recursive: false,
            captures: Vec::new(),
            level: Level::Constant,
            place,
            name_place: place,
        });
        DefId(self.state.program.defs.len() as u32 - 1)
    }

    /// Whether a module is another or extends it, directly or through others.
    pub(crate) fn extends(&self, module: ModuleId, other: ModuleId) -> bool {
        let (mut todo, mut seen) = (vec![module], BTreeSet::new());
        while let Some(at) = todo.pop() {
            if at == other {
                return true;
            }
            if seen.insert(at) {
                todo.extend(self.state.extends.get(&at).into_iter().flatten());
            }
        }
        false
    }

    /// Where the instance stands that a copy of a definition was made for.
    pub(crate) fn instance_place(&self, def: DefId) -> Option<Place> {
        self.state.instance_places.get(&def).copied()
    }

    /// Checks all levels once more, after bodies were replaced, with operators that stand for constants.
    pub(crate) fn check_levels_again(
        &mut self,
        operators: BTreeMap<ConstId, DefId>,
        findings: &mut Vec<Finding>,
    ) {
        let State { program, levels, instance_places, .. } = &mut self.state;
        *levels = Levels::with_operators(operators);
        check_levels(program, levels, instance_places, findings);
    }

    fn resolve_with(
        &mut self,
        sources: &Sources,
        file: FileId,
        tree: &ast::Expr,
        model_values: bool,
    ) -> Result<ExprId, Vec<Finding>> {
        let state = std::mem::take(&mut self.state);
        let from = state.program.defs.len();
        let mut resolver = Resolver::resume(sources, &NoModules, self.standard, file, state);
        resolver.let_depth = 1;
        resolver.model_values_allowed = model_values;
        let expr = resolver.value(tree);
        let mut findings = std::mem::take(&mut resolver.findings);
        self.state = std::mem::take(&mut resolver.state);
        if is_sound(&findings) {
            find_captures(&mut self.state.program, from);
            let State { program, levels, instance_places, .. } = &mut self.state;
            check_levels(program, levels, instance_places, &mut findings);
        }
        if is_sound(&findings) { Ok(expr) } else { Err(findings) }
    }
}

fn is_sound(findings: &[Finding]) -> bool {
    findings.iter().all(|finding| finding.severity < Severity::Error)
}
