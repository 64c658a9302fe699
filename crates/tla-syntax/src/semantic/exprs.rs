//! Expressions.

use locus_source::{Finding, Span};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::program::{
    Bound, Builtin, Case, DefId, DefKind, ExprId, ExprKind, Field, LocalId, LocalKind, Name, Step, Update,
};
use super::resolver::Resolver;
use super::scope::Entity;
use super::units::Announced;
use crate::rules::{ARITY, DUPLICATE, MISPLACED};
use crate::syntax::ast::{self, ExprKind as Tree, PathStep, UnitKind};

impl Resolver<'_> {
    /// An expression.
    ///
    /// Operators to the left, as in `a + b + c` and `f[x].y'`, nest without nesting in the text, so the way down
    /// to the leftmost operand is a loop.
    pub(crate) fn expr(&mut self, tree: &ast::Expr) -> ExprId {
        let mut spine = Vec::new();
        let mut at = tree;
        loop {
            let next = match &at.kind {
                Tree::Infix { left, .. } => left,
                Tree::Postfix { arg, .. } => arg,
                Tree::Field { record, .. } => record,
                Tree::Apply { function, .. } => function,
                _ => break,
            };
            spine.push(at);
            at = next;
        }
        let mut value = self.operand(at);
        let mut spine = spine.into_iter().rev().peekable();
        while let Some(node) = spine.next() {
            value = match &node.kind {
                Tree::Infix { op, right, .. } if matches!(&*op.text, "/\\" | "\\/") => {
                    let mut items = vec![value, self.expr(right)];
                    let mut span = node.span;
                    while let Some(Tree::Infix { op: next, right, .. }) = spine.peek().map(|node| &node.kind)
                        && next.text == op.text
                    {
                        span = spine.next().map_or(span, |node| node.span);
                        items.push(self.expr(right));
                    }
                    let kind = if &*op.text == "/\\" { ExprKind::And(items) } else { ExprKind::Or(items) };
                    self.push(kind, span)
                }
                Tree::Infix { op, right, .. } => {
                    let right = self.value(right);
                    self.symbol(op, vec![value, right], node.span)
                }
                Tree::Postfix { op, .. } => self.symbol(op, vec![value], node.span),
                Tree::Field { field, .. } => {
                    let field = self.intern(&field.text);
                    self.push(ExprKind::Field(value, field), node.span)
                }
                Tree::Apply { args, .. } => {
                    let args = self.exprs(args);
                    self.check_arguments(value, args.len(), node.span);
                    self.push(ExprKind::Index(value, args), node.span)
                }
                _ => value,
            };
        }
        value
    }

    /// An argument that has to be a value.
    pub(crate) fn value(&mut self, tree: &ast::Expr) -> ExprId {
        match &tree.kind {
            Tree::Lambda { .. } | Tree::Operator(_) => {
                let message = "a value is expected here, not an operator";
                self.wrong(&ARITY, tree.span, message);
                self.nothing(tree.span)
            }
            _ => self.expr(tree),
        }
    }

    fn exprs(&mut self, trees: &[ast::Expr]) -> Vec<ExprId> {
        trees.iter().map(|tree| self.value(tree)).collect()
    }

    /// An operator symbol applied to operands.
    fn symbol(&mut self, op: &ast::Ident, args: Vec<ExprId>, span: Span) -> ExprId {
        let Some(entity) = self.lookup(op) else { return self.nothing(span) };
        if let Entity::Builtin(builtin) = entity {
            return self.push(super::names::builtin_kind(builtin, args), span);
        }
        self.apply_to(entity, args, op, span)
    }

    fn operand(&mut self, tree: &ast::Expr) -> ExprId {
        let span = tree.span;
        match &tree.kind {
            Tree::Number(digits) => {
                let value = BigInt::parse_bytes(digits.as_bytes(), 10).unwrap_or_default();
                self.push(ExprKind::Number(value), span)
            }
            Tree::Decimal(text) => {
                let text = self.intern(text);
                self.push(ExprKind::Decimal(text), span)
            }
            Tree::String(text) => {
                let text = self.intern(text);
                self.push(ExprKind::String(text), span)
            }
            Tree::Name(parts) => self.name(parts, span),
            Tree::Prefix { op, arg } => {
                let arg = self.value(arg);
                self.symbol(op, vec![arg], span)
            }
            Tree::Times(items) => {
                let items = self.exprs(items);
                self.push(ExprKind::Times(items), span)
            }
            Tree::Paren(inner) => self.expr(inner),
            Tree::Junction { and, items } => {
                let items = self.exprs(items);
                self.push(if *and { ExprKind::And(items) } else { ExprKind::Or(items) }, span)
            }
            Tree::SetOf(items) => {
                let items = self.exprs(items);
                self.push(ExprKind::SetOf(items), span)
            }
            Tree::Tuple(items) => {
                let items = self.exprs(items);
                self.push(ExprKind::Tuple(items), span)
            }
            Tree::FunctionSet(domain, range) => {
                let (domain, range) = (self.value(domain), self.value(range));
                self.push(ExprKind::FunctionSet(domain, range), span)
            }
            Tree::Record(fields) => {
                let fields = self.fields(fields);
                self.push(ExprKind::Record(fields), span)
            }
            Tree::RecordSet(fields) => {
                let fields = self.fields(fields);
                self.push(ExprKind::RecordSet(fields), span)
            }
            Tree::If(condition, yes, no) => {
                let (condition, yes, no) = (self.value(condition), self.value(yes), self.value(no));
                self.push(ExprKind::If(condition, yes, no), span)
            }
            Tree::Case { arms, other } => {
                let resolve = |(condition, value): &(ast::Expr, ast::Expr)| Case {
                    condition: self.value(condition),
                    value: self.value(value),
                };
                let arms = arms.iter().map(resolve).collect();
                let other = other.as_ref().map(|other| self.value(other));
                self.push(ExprKind::Case(arms, other), span)
            }
            Tree::ActionBox { angle, action, subscript } => {
                let (action, subscript) = (self.value(action), self.value(subscript));
                let kind = if *angle { ExprKind::Angle } else { ExprKind::Square };
                self.push(kind(action, subscript), span)
            }
            Tree::Fairness { strong, subscript, action } => {
                let (subscript, action) = (self.value(subscript), self.value(action));
                let kind = if *strong { ExprKind::Strong } else { ExprKind::Weak };
                self.push(kind(subscript, action), span)
            }
            Tree::Except { base, updates } => self.except(base, updates, span),
            Tree::Let { units, body } => self.let_in(units, body, span),
            Tree::Label { name, params, body } => {
                let params = self.label_params(params);
                let name = self.intern(&name.text);
                let body = self.value(body);
                let label = self.push(ExprKind::Label(name, body), span);
                self.state.label_params.insert(label, params);
                label
            }
            Tree::At => {
                if let Some((local, used)) = &mut self.at {
                    *used = true;
                    let local = *local;
                    self.push(ExprKind::Local(local), span)
                } else {
                    self.wrong(&MISPLACED, span, "`@` stands for the old value in an EXCEPT, and only there");
                    self.nothing(span)
                }
            }
            Tree::Lambda { .. } | Tree::Operator(_) => self.value(tree),
            Tree::Quantifier { .. }
            | Tree::TemporalQuantifier { .. }
            | Tree::Choose { .. }
            | Tree::Filter { .. }
            | Tree::Map { .. }
            | Tree::Function { .. } => self.binder(tree),
            Tree::Infix { .. } | Tree::Postfix { .. } | Tree::Field { .. } | Tree::Apply { .. } => {
                self.expr(tree)
            }
            Tree::Error => self.nothing(span),
        }
    }

    /// The parameters of a label: variables bound around it.
    fn label_params(&mut self, params: &[ast::Ident]) -> Vec<LocalId> {
        let mut locals = Vec::new();
        for param in params {
            match self.lookup(param) {
                Some(Entity::Local(local)) if !locals.contains(&local) => locals.push(local),
                Some(_) => {
                    let message = format!("`{}` cannot be a parameter of a label here", param.text);
                    let finding = Finding::new(&MISPLACED, self.place(param.span), message)
                        .help("a label takes the variables bound between it and its definition, each once");
                    self.report(finding);
                }
                None => {}
            }
        }
        locals
    }

    /// A function applied to another number of arguments than it is defined with.
    fn check_arguments(&mut self, function: ExprId, given: usize, span: Span) {
        let ExprKind::Apply(def, _) = &self.state.program.expr(function).kind else { return };
        let Some(&takes) = self.state.functions.get(def) else { return };
        // A tuple may stand for all arguments at once.
        if given != takes && given != 1 {
            let place = self.state.program.def(*def).name_place;
            let name = self.text(self.state.program.def(*def).name).to_owned();
            let message = format!("the function `{name}` takes {takes} but gets {given} arguments");
            let finding = Finding::new(&ARITY, self.place(span), message).also(place, "defined here");
            self.report(finding);
        }
    }

    /// Constructs that bind variables.
    fn binder(&mut self, tree: &ast::Expr) -> ExprId {
        let span = tree.span;
        let mark = self.state.scope.mark();
        let kind = match &tree.kind {
            Tree::Quantifier { forall, bounds, body } => {
                let bounds = self.bind_all(bounds);
                ExprKind::Quantifier(*forall, bounds, self.value(body))
            }
            Tree::TemporalQuantifier { forall, names, body } => {
                let mut locals = Vec::new();
                for name in names {
                    let local = self.local(name, 0, LocalKind::Temporal);
                    self.declare(name, Entity::Local(local));
                    locals.push(local);
                }
                ExprKind::TemporalQuantifier(*forall, locals, self.value(body))
            }
            Tree::Choose { bound, body } => {
                let bound = self.bind_one(bound);
                ExprKind::Choose(bound, self.value(body))
            }
            Tree::Filter { bound, body } => {
                let bound = self.bind_one(bound);
                ExprKind::Filter(bound, self.value(body))
            }
            Tree::Map { body, bounds } => {
                let bounds = self.bind_all(bounds);
                ExprKind::Map(self.value(body), bounds)
            }
            Tree::Function { bounds, body } => {
                let bounds = self.bind_all(bounds);
                ExprKind::Function { bounds, body: self.value(body), this: None }
            }
            _ => ExprKind::Builtin(Builtin::False, Vec::new()),
        };
        self.state.scope.undo(mark);
        self.push(kind, span)
    }

    fn bind_all(&mut self, bounds: &[ast::Bound]) -> Vec<Bound> {
        let sets = self.bound_sets(bounds);
        self.bind(bounds, sets)
    }

    fn bind_one(&mut self, bound: &ast::Bound) -> Bound {
        let set = bound.set.as_ref().map(|set| self.value(set));
        self.bind_group(bound, set)
    }

    /// The sets of bounds, which do not see the variables.
    pub(crate) fn bound_sets(&mut self, bounds: &[ast::Bound]) -> Vec<Option<ExprId>> {
        bounds.iter().map(|bound| bound.set.as_ref().map(|set| self.value(set))).collect()
    }

    pub(crate) fn bind(&mut self, bounds: &[ast::Bound], sets: Vec<Option<ExprId>>) -> Vec<Bound> {
        bounds.iter().zip(sets).map(|(bound, set)| self.bind_group(bound, set)).collect()
    }

    fn bind_group(&mut self, bound: &ast::Bound, set: Option<ExprId>) -> Bound {
        let mut locals = Vec::new();
        for name in &bound.names {
            let local = self.local(name, 0, LocalKind::Bound);
            self.declare(name, Entity::Local(local));
            locals.push(local);
        }
        Bound { locals, tuple: bound.tuple, set }
    }

    fn fields(&mut self, fields: &[(ast::Ident, ast::Expr)]) -> Vec<Field> {
        let mut resolved: Vec<Field> = Vec::with_capacity(fields.len());
        let mut known: FxHashMap<Name, Span> = FxHashMap::default();
        for (ident, value) in fields {
            let name = self.intern(&ident.text);
            if let Some(first) = known.insert(name, ident.span) {
                let message = format!("the field `{}` is given twice", ident.text);
                let finding = Finding::new(&DUPLICATE, self.place(ident.span), message)
                    .also(self.place(first), "first here");
                self.report(finding);
            }
            let value = self.value(value);
            resolved.push(Field { name, value });
        }
        resolved
    }

    fn except(&mut self, base: &ast::Expr, updates: &[ast::Update], span: Span) -> ExprId {
        let base = self.value(base);
        let mut resolved = Vec::with_capacity(updates.len());
        for update in updates {
            let mut path = Vec::new();
            for step in &update.path {
                path.push(match step {
                    PathStep::Index(args, _) => Step::Index(self.exprs(args)),
                    PathStep::Field(field) => Step::Field(self.intern(&field.text)),
                });
            }
            let ident = ast::Ident { text: "@".into(), span: update.span };
            let at = self.local(&ident, 0, LocalKind::At);
            let outside = self.at.replace((at, false));
            let value = self.value(&update.value);
            let used = self.at.is_some_and(|(_, used)| used);
            self.at = outside;
            let place = self.place(update.span);
            resolved.push(Update { path, at: used.then_some(at), value, place });
        }
        self.push(ExprKind::Except(base, resolved), span)
    }

    fn let_in(&mut self, units: &[ast::Unit], body: &ast::Expr, span: Span) -> ExprId {
        let mark = self.state.scope.mark();
        let outside = std::mem::take(&mut self.let_defs);
        let mut defs = self.local_definitions(units);
        defs.append(&mut self.let_defs);
        self.let_defs = outside;
        let body = self.value(body);
        self.state.scope.undo(mark);
        self.push(ExprKind::Let(defs, body), span)
    }

    /// Definitions in a `LET` or in a step of a proof. They stay in scope.
    pub(super) fn local_definitions(&mut self, units: &[ast::Unit]) -> Vec<DefId> {
        let mut announced = Announced::new();
        let before = self.state.program.defs.len();
        let mut defs = Vec::new();
        for unit in units {
            match &unit.kind {
                UnitKind::Recursive(declarations) => {
                    for declaration in declarations {
                        self.announce(declaration, DefKind::Let, &mut announced);
                    }
                }
                UnitKind::Definition(definition) => {
                    self.definition(definition, DefKind::Let, &mut announced);
                    let name = self.intern(&definition.name.text);
                    if let Some(Entity::Def(def)) = self.state.scope.get(name).map(|entry| entry.entity)
                        && def.index() >= before
                    {
                        defs.push(def);
                    }
                }
                _ => self.wrong(&MISPLACED, unit.span, "only definitions stand here"),
            }
        }
        self.check_announced(&announced);
        defs
    }
}
