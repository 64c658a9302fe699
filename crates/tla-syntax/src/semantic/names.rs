//! Names: what they mean, and what they are applied to.

use locus_source::words::nearest;
use locus_source::{Finding, Severity, Span};

use super::program::{
    Arg, Builtin, ConstId, Constant, DefId, DefKind, ExprId, ExprKind, Local, LocalId, LocalKind, OpRef,
    SubstValue,
};
use super::resolver::Resolver;
use super::scope::{Entity, Entry};
use super::units::parameters;
use crate::rules::{ARITY, MISPLACED, UNKNOWN_NAME, UNSUPPORTED};
use crate::syntax::ast::{self, ExprKind as Tree, NamePart, PartName};

/// Which standard module to extend for what, where it is missed.
const WELL_KNOWN: &[(&str, &[&str])] = &[
    ("Naturals", &["Nat", "+", "-", "*", "^", "..", "<", ">", "<=", ">=", "%", "\\div"]),
    ("Integers", &["Int", "-."]),
    ("Reals", &["Real", "/", "Infinity"]),
    ("Sequences", &["Seq", "Len", "\\o", "Append", "Head", "Tail", "SubSeq", "SelectSeq"]),
    ("FiniteSets", &["Cardinality", "IsFiniteSet"]),
    (
        "TLC",
        &[
            "@@",
            ":>",
            "Print",
            "PrintT",
            "Assert",
            "Permutations",
            "SortSeq",
            "JavaTime",
            "TLCGet",
            "TLCSet",
            "ToString",
        ],
    ),
    (
        "Bags",
        &[
            "(+)",
            "(-)",
            "IsABag",
            "BagToSet",
            "SetToBag",
            "BagCardinality",
            "CopiesIn",
            "EmptyBag",
            "\\sqsubseteq",
        ],
    ),
];

/// A compound name, followed as far as instances go.
struct Path<'t> {
    entity: Entity,
    /// The arguments of the instances.
    supplied: Vec<Arg>,
    /// The part that names the entity, with its arguments.
    last: &'t NamePart,
    /// The name so far.
    full: ast::Ident,
    /// The rest of the name: parts of a definition.
    rest: &'t [NamePart],
}

impl Resolver<'_> {
    /// A name, possibly applied, possibly through instances.
    pub(crate) fn name(&mut self, parts: &[NamePart], span: Span) -> ExprId {
        let Some(Path { entity, supplied, last, full, rest }) = self.path(parts) else {
            return self.nothing(span);
        };
        if rest.is_empty() {
            return self.apply(entity, supplied, &last.args, &full, span);
        }
        self.part(entity, supplied, last, &full, rest, span).unwrap_or_else(|| self.nothing(span))
    }

    /// A named part of a definition.
    fn part(
        &mut self,
        entity: Entity,
        supplied: Vec<Arg>,
        last: &NamePart,
        full: &ast::Ident,
        rest: &[NamePart],
        span: Span,
    ) -> Option<ExprId> {
        let Entity::Def(def) = entity else {
            let message =
                format!("`{}` is neither an instance nor a definition, so it has no parts", full.text);
            self.wrong(&UNKNOWN_NAME, last.span, message);
            return None;
        };
        let signature = self.state.signatures[def.index()].clone();
        let args = self.args(&last.args, &signature, full, span)?;
        if self.in_proof {
            return None;
        }
        let (part, further) = self.select(def, rest, span)?;
        let mut all = self.implicit_args(part, supplied.len(), span);
        all.extend(supplied);
        all.extend(args);
        all.extend(further);
        Some(self.push(ExprKind::Apply(part, all), span))
    }

    /// Follows a compound name through instances, collecting their arguments.
    fn path<'t>(&mut self, parts: &'t [NamePart]) -> Option<Path<'t>> {
        let (first, rest) = parts.split_first()?;
        let ident = self.part_name(first)?;
        let mut entity = self.lookup(ident)?;
        let mut full = ident.clone();
        let (mut part, mut supplied) = (first, Vec::new());
        for (i, next) in rest.iter().enumerate() {
            let Entity::Instance(index) = entity else {
                let supplied = self.taken(entity, supplied);
                return Some(Path { entity, supplied, last: part, full, rest: &rest[i..] });
            };
            let arities = self.state.instances[index as usize].arities.clone();
            let passes = self.state.instances[index as usize].passes;
            let args = self.args(&part.args, &arities, &full, part.span)?;
            if passes {
                supplied.extend(args);
            }
            let ident = self.part_name(next)?;
            let name = self.intern(&ident.text);
            let Some(entry) = self.state.instances[index as usize].exports.get(&name).copied() else {
                self.unknown_in_instance(index, &full, ident);
                return None;
            };
            entity = entry.entity;
            full = ast::Ident { text: format!("{}!{}", full.text, ident.text).into(), span: ident.span };
            part = next;
        }
        let supplied = self.taken(entity, supplied);
        Some(Path { entity, supplied, last: part, full, rest: &[] })
    }

    /// The arguments of instances that a definition takes: one from a module that declares nothing does not take those
    /// of the instances around its own.
    fn taken(&self, entity: Entity, mut supplied: Vec<Arg>) -> Vec<Arg> {
        if let Entity::Def(def) = entity {
            let takes = self.state.program.def(def).instance_params;
            supplied.drain(..supplied.len().saturating_sub(takes));
        }
        supplied
    }

    fn part_name<'t>(&mut self, part: &'t NamePart) -> Option<&'t ast::Ident> {
        match &part.name {
            PartName::Name(ident) => Some(ident),
            PartName::Selector(_) => {
                let finding = Finding::new(
                    &UNSUPPORTED,
                    self.place(part.span),
                    "parts of an expression cannot be named here",
                )
                .help("define the part under a name of its own");
                self.report(finding);
                None
            }
        }
    }

    pub(crate) fn lookup(&mut self, ident: &ast::Ident) -> Option<Entity> {
        let name = self.intern(&ident.text);
        if let Some(Entry { entity, .. }) = self.state.scope.get(name) {
            return Some(entity);
        }
        if self.model_values_allowed {
            return self.model_value(ident);
        }
        self.unknown(ident);
        None
    }

    /// A name of a configuration that means nothing else: a model value, unless it looks like a slip.
    fn model_value(&mut self, ident: &ast::Ident) -> Option<Entity> {
        let name = self.intern(&ident.text);
        if let Some(id) = self.state.model_values.get(&name) {
            return Some(Entity::Constant(*id));
        }
        let is_name = ident.text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if !is_name || self.nearest_in_scope(&ident.text).is_some() {
            self.unknown(ident);
            return None;
        }
        let place = self.place(ident.span);
        let constants = &mut self.state.program.constants;
        constants.push(Constant { name, arity: 0, module: self.module, place });
        let id = ConstId(constants.len() as u32 - 1);
        self.state.model_values.insert(name, id);
        Some(Entity::Constant(id))
    }

    fn unknown(&mut self, ident: &ast::Ident) {
        let text = &*ident.text;
        if text.starts_with('<') && self.in_proof {
            let finding = Finding::new(
                &UNKNOWN_NAME,
                self.place(ident.span),
                format!("there is no step `{text}` here"),
            )
            .help("a step can be named after it, up to the QED of its level");
            self.report(finding);
            return;
        }
        if self.muted || (self.in_proof && self.has_untold_theorems()) {
            return;
        }
        let mut finding =
            Finding::new(&UNKNOWN_NAME, self.place(ident.span), format!("`{text}` has no meaning here"));
        let module = WELL_KNOWN.iter().find(|(_, names)| names.contains(&text)).map(|(module, _)| module);
        let near = self.nearest_in_scope(text);
        if let Some(module) = module {
            finding = finding.help(format!("`EXTENDS {module}` defines it"));
        } else if let Some(near) = near {
            finding = finding.help(format!("did you mean `{near}`?"));
        }
        self.report(finding);
    }

    /// Whether a module was read that would have theorems, but has none here.
    fn has_untold_theorems(&self) -> bool {
        let program = &self.state.program;
        let untold = |name: &str| name.ends_with("Theorems") || name.ends_with("Induction");
        program.modules.iter().any(|module| module.standard && untold(program.text(module.name)))
    }

    /// A name that a proof uses as a fact: of a theorem, a step or a formula; if it is hidden, not of a formula.
    pub(crate) fn fact(&mut self, parts: &[NamePart], span: Span, hidden: bool) {
        let Some(Path { entity, supplied, last, full, rest }) = self.path(parts) else { return };
        match entity {
            Entity::Instance(_) => return,
            Entity::Def(def) if self.state.assume_prove.contains(&def) => return,
            _ if rest.is_empty() => {
                self.apply(entity, supplied, &last.args, &full, span);
            }
            _ => {
                self.part(entity, supplied, last, &full, rest, span);
            }
        }
        let is_statement = |def: DefId| self.state.program.def(def).kind == DefKind::Statement;
        if hidden && !matches!(entity, Entity::Def(def) if is_statement(def)) {
            self.not_hidden(span);
        }
    }

    /// A name behind `DEF`: of a definition, also of an instance, which gets no arguments here.
    pub(crate) fn defined(&mut self, parts: &[NamePart]) {
        let Some((first, rest)) = parts.split_first() else { return };
        let Some(mut full) = self.part_name(first).cloned() else { return };
        let Some(mut entity) = self.lookup(&full) else { return };
        for part in rest {
            let Entity::Instance(index) = entity else { return };
            let Some(ident) = self.part_name(part) else { return };
            let name = self.intern(&ident.text);
            let Some(entry) = self.state.instances[index as usize].exports.get(&name).copied() else {
                self.unknown_in_instance(index, &full, ident);
                return;
            };
            entity = entry.entity;
            full = ident.clone();
        }
        if matches!(entity, Entity::Constant(_) | Entity::Variable(_) | Entity::Local(_)) {
            let message = format!("`{}` is declared, not defined: DEF takes definitions", full.text);
            self.wrong(&MISPLACED, full.span, message);
        }
    }

    /// The name in scope nearest to one that has no meaning, as long as not too many are asked for.
    fn nearest_in_scope(&mut self, text: &str) -> Option<String> {
        self.suggestions = self.suggestions.checked_sub(1)?;
        nearest_of(text, self.state.scope.names().map(|name| self.text(name))).map(str::to_owned)
    }

    fn unknown_in_instance(&mut self, index: u32, full: &ast::Ident, ident: &ast::Ident) {
        // An instance that could not be made has its own error, and names nothing.
        let is_error = |finding: &Finding| finding.severity == Severity::Error;
        if self.state.instances[index as usize].failed && self.findings.iter().any(is_error) {
            return;
        }
        let message = format!("the instance `{}` defines no `{}`", full.text, ident.text);
        let mut finding = Finding::new(&UNKNOWN_NAME, self.place(ident.span), message);
        if let Some(left) = self.suggestions.checked_sub(1) {
            self.suggestions = left;
            let names = self.state.instances[index as usize].exports.keys();
            if let Some(near) = nearest_of(&ident.text, names.map(|name| self.text(*name))) {
                finding = finding.help(format!("did you mean `{near}`?"));
            }
        }
        self.report(finding);
    }

    /// How many arguments an entity takes, if it is an operator or a value.
    pub(crate) fn entity_takes(&self, entity: Entity) -> Option<usize> {
        match entity {
            Entity::Constant(id) => self.op_arity(OpRef::Constant(id)),
            Entity::Variable(_) => Some(0),
            Entity::Subst(id) => self.op_arity(OpRef::Subst(id)),
            Entity::Local(id) => self.op_arity(OpRef::Local(id)),
            Entity::Def(id) => self.op_arity(OpRef::Def(id)),
            Entity::Builtin(builtin) => Some(builtin.arity()),
            Entity::Times => Some(2),
            Entity::Instance(_) => None,
        }
    }

    /// An entity that takes no arguments, as a value.
    pub(crate) fn entity_value(&mut self, entity: Entity, ident: &ast::Ident) -> ExprId {
        self.apply(entity, Vec::new(), &[], ident, ident.span)
    }

    /// An entity applied to arguments.
    pub(crate) fn apply(
        &mut self,
        entity: Entity,
        supplied: Vec<Arg>,
        args: &[ast::Expr],
        ident: &ast::Ident,
        span: Span,
    ) -> ExprId {
        let arities = match entity {
            Entity::Def(def) => self.state.signatures[def.index()].clone(),
            _ => {
                if let Some(n) = self.entity_takes(entity) {
                    vec![0; n]
                } else {
                    let sort = if matches!(entity, Entity::Instance(_)) { "an instance" } else { "a module" };
                    let message = format!("`{}` is {sort}, not a value", ident.text);
                    let finding = Finding::new(&MISPLACED, self.place(span), message)
                        .help(format!("write `{}!Name` for a definition of it", ident.text));
                    self.report(finding);
                    return self.nothing(span);
                }
            }
        };
        let Some(args) = self.args(args, &arities, ident, span) else { return self.nothing(span) };
        self.apply_args(entity, supplied, args, span)
    }

    /// An operator symbol that is defined or declared, applied to operands.
    pub(crate) fn apply_to(
        &mut self,
        entity: Entity,
        args: Vec<ExprId>,
        op: &ast::Ident,
        span: Span,
    ) -> ExprId {
        if self.entity_takes(entity) != Some(args.len()) {
            let takes = parameters(self.entity_takes(entity).unwrap_or(0));
            let message = format!("`{}` here is an operator of {takes}", op.text);
            self.wrong(&ARITY, op.span, message);
            return self.nothing(span);
        }
        let args = args.into_iter().map(Arg::Expr).collect();
        self.apply_args(entity, Vec::new(), args, span)
    }

    fn apply_args(&mut self, entity: Entity, supplied: Vec<Arg>, args: Vec<Arg>, span: Span) -> ExprId {
        let kind = match entity {
            Entity::Def(def) if self.state.assume_prove.contains(&def) => {
                self.wrong(
                    &UNSUPPORTED,
                    span,
                    "this is no formula: an ASSUME … PROVE has no value, nor has a step that claims none",
                );
                return self.nothing(span);
            }
            Entity::Def(def) => {
                let mut all = self.implicit_args(def, supplied.len(), span);
                all.extend(supplied);
                all.extend(args);
                ExprKind::Apply(def, all)
            }
            Entity::Variable(id) => ExprKind::Variable(id),
            Entity::Constant(id) if args.is_empty() => ExprKind::Constant(id),
            Entity::Constant(id) => ExprKind::ApplyConstant(id, args),
            Entity::Local(id) if args.is_empty() => ExprKind::Local(id),
            Entity::Local(id) => ExprKind::ApplyLocal(id, args),
            Entity::Subst(id) if args.is_empty() => ExprKind::Subst(id),
            Entity::Subst(id) => ExprKind::ApplySubst(id, args),
            Entity::Builtin(builtin) => builtin_kind(builtin, exprs(&args)),
            Entity::Times => ExprKind::Times(exprs(&args)),
            Entity::Instance(_) => return self.nothing(span),
        };
        self.push(kind, span)
    }

    /// The instance parameters of a definition that are in scope themselves and so need not be written.
    fn implicit_args(&mut self, def: DefId, supplied: usize, span: Span) -> Vec<Arg> {
        let definition = self.state.program.def(def);
        let implicit = definition.instance_params.saturating_sub(supplied);
        let params: Vec<LocalId> = definition.params[..implicit].to_vec();
        params.into_iter().map(|param| self.local_arg(param, span)).collect()
    }

    fn local_arg(&mut self, local: LocalId, span: Span) -> Arg {
        if self.state.program.local(local).arity > 0 {
            Arg::Op(OpRef::Local(local))
        } else {
            Arg::Expr(self.push(ExprKind::Local(local), span))
        }
    }

    /// Arguments for parameters of the given arities.
    fn args(
        &mut self,
        args: &[ast::Expr],
        arities: &[u32],
        ident: &ast::Ident,
        span: Span,
    ) -> Option<Vec<Arg>> {
        if args.len() != arities.len() {
            let message = match (args.len(), arities.len()) {
                (0, n) => format!("`{}` is an operator of {}, not a value", ident.text, parameters(n)),
                (_, 0) => format!("`{}` takes no arguments", ident.text),
                (given, n) => {
                    format!(
                        "`{}` takes {n} argument{} but gets {given}",
                        ident.text,
                        if n == 1 { "" } else { "s" }
                    )
                }
            };
            let mut finding = Finding::new(&ARITY, self.place(span), message);
            let name = self.intern(&ident.text);
            if let Some(Entry { place: Some(place), .. }) = self.state.scope.get(name) {
                finding = finding.also(place, "defined here");
            }
            self.report(finding);
            return None;
        }
        let mut resolved = Vec::with_capacity(args.len());
        for (arg, arity) in args.iter().zip(arities) {
            resolved.push(match arity {
                0 => Arg::Expr(self.value(arg)),
                arity => Arg::Op(self.op_arg(arg, *arity)?),
            });
        }
        Some(resolved)
    }

    /// An argument that has to be an operator of `arity` parameters.
    pub(crate) fn op_arg(&mut self, tree: &ast::Expr, arity: u32) -> Option<OpRef> {
        let op = match &tree.kind {
            Tree::Lambda { params, body } => Some(self.lambda(params, body, tree.span)),
            Tree::Operator(ident) => {
                let entity = self.lookup(ident)?;
                self.entity_as_op(entity)
            }
            Tree::Name(parts) if parts.last().is_some_and(|part| part.args.is_empty()) => {
                let Path { entity, supplied, rest: [], .. } = self.path(parts)? else {
                    self.wrong(&UNSUPPORTED, tree.span, "a part of a definition cannot be an operator here");
                    return None;
                };
                match entity {
                    Entity::Def(def) => Some(self.def_as_op(def, supplied, tree.span)),
                    entity => self.entity_as_op(entity),
                }
            }
            Tree::Error => return None,
            _ => None,
        };
        match op {
            Some(OpRef::Def(def)) if self.state.signatures[def.index()].iter().any(|arity| *arity > 0) => {
                let message = "an operator that itself takes operators cannot be an argument";
                self.wrong(&ARITY, tree.span, message);
                None
            }
            Some(op) if self.op_arity(op) == Some(arity as usize) => Some(op),
            Some(op) => {
                let takes = self.op_arity(op).unwrap_or(0);
                let message = format!(
                    "an operator of {} is expected here, not one of {}",
                    parameters(arity as usize),
                    takes
                );
                self.wrong(&ARITY, tree.span, message);
                None
            }
            None => {
                let message = format!("an operator of {} is expected here", parameters(arity as usize));
                let finding = Finding::new(&ARITY, self.place(tree.span), message)
                    .help("give the name of an operator, or a LAMBDA");
                self.report(finding);
                None
            }
        }
    }

    /// An entity as an operator that is handed on.
    pub(crate) fn entity_as_op(&mut self, entity: Entity) -> Option<OpRef> {
        match entity {
            Entity::Def(def) => {
                let span = Span::default();
                Some(self.def_as_op(def, Vec::new(), span))
            }
            Entity::Constant(id) => Some(OpRef::Constant(id)),
            Entity::Local(id) => Some(OpRef::Local(id)),
            Entity::Subst(id) => match self.state.program.subst(id).value {
                SubstValue::Op(_) => Some(OpRef::Subst(id)),
                SubstValue::Expr(_) => None,
            },
            Entity::Builtin(builtin) => Some(OpRef::Builtin(builtin)),
            Entity::Variable(_) | Entity::Times | Entity::Instance(_) => None,
        }
    }

    /// A definition handed on. One that also takes the parameters of its instance becomes a LAMBDA that fills them.
    fn def_as_op(&mut self, def: DefId, supplied: Vec<Arg>, span: Span) -> OpRef {
        if self.state.program.def(def).instance_params == 0 {
            return OpRef::Def(def);
        }
        let signature = self.state.signatures[def.index()].clone();
        let mut args = self.implicit_args(def, supplied.len(), span);
        args.extend(supplied);
        let ident = ast::Ident { text: "LAMBDA".into(), span };
        let lambda = self.new_def(&ident, DefKind::Lambda, signature.clone());
        let mut params = Vec::new();
        for arity in signature {
            let name = self.intern("_");
            let place = self.place(span);
            self.state.program.locals.push(Local { name, arity, kind: LocalKind::Parameter, place });
            let local = LocalId(self.state.program.locals.len() as u32 - 1);
            params.push(local);
            args.push(self.local_arg(local, span));
        }
        let body = self.push(ExprKind::Apply(def, args), span);
        let definition = &mut self.state.program.defs[lambda.index()];
        definition.params = params;
        definition.body = Some(body);
        OpRef::Def(lambda)
    }

    /// `LAMBDA x : e`.
    fn lambda(&mut self, params: &[ast::Ident], body: &ast::Expr, span: Span) -> OpRef {
        let ident = ast::Ident { text: "LAMBDA".into(), span };
        let def = self.new_def(&ident, DefKind::Lambda, vec![0; params.len()]);
        let mark = self.state.scope.mark();
        let mut locals = Vec::new();
        for param in params {
            let local = self.local(param, 0, LocalKind::Parameter);
            self.declare(param, Entity::Local(local));
            locals.push(local);
        }
        let body = self.expr(body);
        self.state.scope.undo(mark);
        let definition = &mut self.state.program.defs[def.index()];
        definition.params = locals;
        definition.body = Some(body);
        OpRef::Def(def)
    }
}

fn exprs(args: &[Arg]) -> Vec<ExprId> {
    args.iter()
        .filter_map(|arg| match arg {
            Arg::Expr(expr) => Some(*expr),
            Arg::Op(_) => None,
        })
        .collect()
}

/// The node of an operator of the language.
pub(crate) fn builtin_kind(builtin: Builtin, args: Vec<ExprId>) -> ExprKind {
    match builtin {
        Builtin::And => ExprKind::And(args),
        Builtin::Or => ExprKind::Or(args),
        builtin => ExprKind::Builtin(builtin, args),
    }
}

/// The nearest of names that come in any order: of equals the first by the alphabet, so that it is always the same.
/// Any letter is one edit away from any other, so nothing is said of a single one.
pub(crate) fn nearest_of<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if wanted.chars().count() < 2 {
        return None;
    }
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    nearest(wanted, names.into_iter().map(|name| (name, name)))
}
