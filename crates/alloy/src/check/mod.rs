//! Names and types of a whole model.
//!
//! Signatures come first, then fields, then the declarations of predicates and functions, and only then bodies and
//! facts, which can use all of these. Errors are collected; as long as there are any, there is no model.

mod build;
mod declare;
mod index;
mod names;
mod patterns;
mod resolve;

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use locus_source::{Finding, Place, Sources, Span};

use crate::ast::{self, BinOp, CommandKind, Paragraph, Quant, Target, UnOp};
use crate::model::{
    Command, Decl, E, Expr, Field, FieldDecl, FieldId, Func, FuncId, Kind, ModuleId, Scope, Statement, Var,
    World,
};
use crate::modules::Loaded;
use crate::rules;
use crate::types::{SigId, Type};

use build::Build;
pub(crate) use index::Index;
use names::{Context, Within};
pub(crate) use resolve::uses;

/// Warnings found so far.
#[derive(Default)]
pub(crate) struct Warnings(RefCell<Vec<Finding>>);

impl Warnings {
    pub(crate) fn push(&self, finding: Finding) {
        self.0.borrow_mut().push(finding);
    }
}

/// How many macros may be expanded and how many choices made between readings of names, in one model. Both can grow
/// exponentially with the nesting of an expression; models that people wrote stay below a few thousand.
const MAX_STEPS: u32 = 100_000;

/// Counts a step; true if there have been too many.
pub(crate) fn too_many(steps: &AtomicU32) -> bool {
    let taken = steps.load(Ordering::Relaxed).saturating_add(1);
    steps.store(taken, Ordering::Relaxed);
    taken > MAX_STEPS
}

pub(crate) fn too_complex(place: Place) -> Finding {
    let message = "the names here have too many readings or expansions to go through";
    Finding::new(&rules::TOO_LARGE, place, message)
        .help("say which is meant: `Sig <: field`, or name parts by `let`")
}

/// Whether two expressions are the same, places apart.
pub(crate) fn same(a: &Expr, b: &Expr) -> bool {
    let all = |x: &[E], y: &[E]| x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y));
    match (&a.kind, &b.kind) {
        (Kind::Sig(x), Kind::Sig(y)) => x == y,
        (Kind::Field(x), Kind::Field(y)) => x == y,
        (Kind::Var(x), Kind::Var(y)) => x.id == y.id,
        (Kind::Number(x), Kind::Number(y)) => x == y,
        (Kind::Text(x), Kind::Text(y)) => x == y,
        (Kind::Iden, Kind::Iden)
        | (Kind::IntMin, Kind::IntMin)
        | (Kind::IntMax, Kind::IntMax)
        | (Kind::IntNext, Kind::IntNext) => true,
        (Kind::Unary(o, x), Kind::Unary(p, y)) => o == p && same(x, y),
        (Kind::Binary(o, x1, x2), Kind::Binary(p, y1, y2)) => o == p && same(x1, y1) && same(x2, y2),
        (Kind::List(o, x), Kind::List(p, y)) => o == p && all(x, y),
        (Kind::Call(f, x), Kind::Call(g, y)) => f == g && all(x, y),
        _ => false,
    }
}

/// Names and types of a loaded model. Without errors there is a model.
pub(crate) fn check(
    loaded: Loaded,
    sources: &Sources,
    findings: &mut Vec<Finding>,
) -> Option<(World, Index)> {
    let world = declare::declare(loaded, findings)?;
    let mut index = Index::new(&world, sources);
    let order = {
        let mut resolver = declare::Parents::new(world, &index);
        resolver.resolve();
        findings.append(&mut resolver.findings);
        let declare::Parents { world, order, .. } = resolver;
        (world, order)
    };
    let (world, order) = order;
    if !findings.is_empty() {
        return None;
    }
    let mut checker = Checker { world, index: &mut index, warnings: Warnings::default(), errors: Vec::new() };
    for &sig in &order {
        checker.fields(sig, false);
    }
    checker.func_decls();
    if checker.errors.is_empty() {
        for &sig in &order {
            checker.fields(sig, true);
        }
        checker.field_clashes();
    }
    if checker.errors.is_empty() {
        checker.bodies();
    }
    if checker.errors.is_empty() {
        checker.commands();
        patterns::check(&checker.world, &mut checker.errors);
    }
    let Checker { world, warnings, mut errors, .. } = checker;
    names::forget_parts_of_meta(&mut errors);
    let failed = !errors.is_empty();
    findings.extend(errors);
    let own = world.modules[0].file;
    // What is odd in a module that comes from elsewhere is for those who wrote it.
    findings.extend(warnings.0.into_inner().into_iter().filter(|finding| finding.primary.place.file == own));
    (!failed).then_some((world, index))
}

struct Checker<'a> {
    world: World,
    index: &'a mut Index,
    warnings: Warnings,
    errors: Vec<Finding>,
}

impl Checker<'_> {
    fn context(&self, module: ModuleId, within: Within) -> Context<'_> {
        Context::new(&self.world, self.index, &self.warnings, module, within)
    }

    /// Notes what is wrong with an expression; gives it if nothing is.
    fn accept(&mut self, e: E) -> Option<E> {
        match &e.errors {
            None => Some(e),
            Some(errors) => {
                self.errors.extend(errors.iter().cloned());
                None
            }
        }
    }

    /// The same for a body, fact or goal of this type. One that is right but for what cannot be analysed yet is refused
    /// when a command needs it, so that the other commands have an answer.
    fn accept_whole(&mut self, e: E, ty: &Type) -> Option<E> {
        let Some(errors) = &e.errors else { return Some(e) };
        let mut errors = Vec::clone(errors);
        names::forget_parts_of_meta(&mut errors);
        if errors.iter().all(|error| error.code == rules::NOT_YET.code) {
            return Some(build::node(Kind::Bad, ty.clone(), e.place, 0, Some(Arc::new(errors))));
        }
        self.errors.extend(errors);
        None
    }

    fn error(&mut self, rule: &locus_source::Rule, place: Place, message: impl Into<String>) {
        self.errors.push(Finding::new(rule, place, message));
    }

    fn fields(&mut self, sig: SigId, defined: bool) {
        let module = self.world.sig(sig).module;
        let ast = Arc::clone(&self.world.module(module).ast);
        let Some(declared) = declare::sig_syntax(&self.world, &ast, sig) else { return };
        let file = self.world.module(module).file;
        let mut seen: Vec<&ast::Name> = Vec::new();
        for decl in &declared.fields {
            for name in &decl.names {
                if !defined && let Some(before) = seen.iter().find(|n| n.text == name.text) {
                    let message =
                        format!("`{}` has two fields called `{}`", self.world.short(sig), name.text);
                    let finding = Finding::new(&rules::DUPLICATE_NAME, Place::new(file, name.span), message);
                    self.errors.push(finding.also(Place::new(file, before.span), "the other"));
                }
                seen.push(name);
            }
            let is_defined = matches!(decl.bound.kind, ast::ExprKind::Unary(UnOp::ExactlyOf, _));
            if is_defined != defined {
                continue;
            }
            let this = Arc::clone(&self.world.sig(sig).this);
            let within = if defined { Within::DefinedField(sig) } else { Within::Field(sig) };
            let mut context = self.context(module, within);
            context.bind(&this);
            let bound = context.visit(&decl.bound);
            let bound = context.resolver().as_set(bound);
            let Some(bound) = self.accept(bound) else { continue };
            self.add_fields(sig, decl, bound, file);
        }
    }

    fn add_fields(&mut self, sig: SigId, decl: &ast::Decl, bound: E, file: locus_source::FileId) {
        let sigs = &self.world.hierarchy;
        let first = Place::new(file, decl.names[0].span);
        if names::calls(&bound) {
            self.error(&rules::DECLARATION, first, "a field cannot be declared by a call");
            return;
        }
        if bound.ty.arity().is_some() && !bound.ty.has_tuple() {
            let exact = matches!(bound.kind, Kind::Unary(UnOp::ExactlyOf, _));
            if !exact {
                self.error(&rules::DECLARATION, first, "a field cannot be declared to be always empty");
                return;
            }
        }
        let ty = self.world.sig(sig).ty.product(&bound.ty, sigs);
        if bound.mult == 0 && bound.ty.arity() == Some(1) {
            let at = bound.place;
            let bound = Build { world: &self.world }.unary(UnOp::OneOf, bound, at);
            return self.push_fields(sig, decl, bound, &ty, file);
        }
        self.push_fields(sig, decl, bound, &ty, file);
    }

    fn push_fields(&mut self, sig: SigId, decl: &ast::Decl, bound: E, ty: &Type, file: locus_source::FileId) {
        let mut fields = Vec::new();
        for name in &decl.names {
            let id = FieldId(self.world.fields.len() as u32);
            self.world.fields.push(Field {
                name: name.text.clone(),
                sig,
                place: Place::new(file, name.span),
                private: decl.private.is_some(),
                is_variable: decl.var.is_some(),
                ty: ty.clone(),
                doc: decl.doc.map(|span| Place::new(file, span)),
            });
            self.index.add_field(&name.text, id);
            fields.push(id);
        }
        let place = |span: Option<Span>| span.map(|span| Place::new(file, span));
        self.world.sigs[sig.index()].decls.push(FieldDecl {
            fields,
            bound,
            disjoint: place(decl.disjoint),
            disjoint_range: place(decl.disjoint_range),
        });
    }

    fn field_clashes(&mut self) {
        let fields = &self.world.fields;
        let mut clashes = Vec::new();
        for (i, field) in fields.iter().enumerate() {
            for other in &fields[..i] {
                if field.name == other.name && field.ty.first_column_meets(&other.ty, &self.world.hierarchy) {
                    let message = format!(
                        "`{}` and `{}` can have atoms in common, so they cannot both have a field `{}`",
                        self.world.short(other.sig),
                        self.world.short(field.sig),
                        field.name
                    );
                    let finding = Finding::new(&rules::DUPLICATE_NAME, field.place, message);
                    clashes.push(finding.also(other.place, "the other one"));
                }
            }
        }
        self.errors.extend(clashes);
    }

    fn func_decls(&mut self) {
        for m in 0..self.world.modules.len() {
            let module = ModuleId(m as u32);
            let ast = Arc::clone(&self.world.modules[m].ast);
            for paragraph in &ast.paragraphs {
                if let Paragraph::Func(func) = paragraph {
                    self.func_decl(module, func);
                }
            }
        }
    }

    fn func_decl(&mut self, module: ModuleId, func: &ast::Func) {
        let file = self.world.module(module).file;
        let place = |span| Place::new(file, span);
        let mut context = self.context(module, Within::Params);
        let mut decls: Vec<Decl> = Vec::new();
        let mut problems: Vec<Finding> = Vec::new();
        let receiver = func.receiver.as_ref().map(|receiver| ast::Decl {
            private: None,
            var: None,
            disjoint: None,
            disjoint_range: None,
            names: vec![ast::Name { text: "this".to_owned(), span: receiver.span }],
            bound: ast::Expr {
                kind: ast::ExprKind::Name(receiver.text.clone()),
                span: receiver.span,
                depth: 1,
            },
            doc: None,
        });
        let mut seen: Vec<&ast::Name> = Vec::new();
        for decl in receiver.iter().chain(&func.parameters) {
            if let Some(span) = decl.private.or(decl.var).or(decl.disjoint_range) {
                let message = "a parameter has no `private` or `var`, and no `disj` before its bound";
                problems.push(Finding::new(&rules::DECLARATION, place(span), message));
            }
            let bound = context.visit(&decl.bound);
            let bound = context.resolver().as_set(bound);
            if let Some(errors) = &bound.errors {
                problems.extend(errors.iter().cloned());
            }
            let mut vars = Vec::new();
            for name in &decl.names {
                if seen.iter().any(|n| n.text == name.text) {
                    let message = format!("there are two parameters called `{}`", name.text);
                    problems.push(Finding::new(&rules::DUPLICATE_NAME, place(name.span), message));
                }
                seen.push(name);
                let v = context.new_var(&name.text, bound.ty.clone(), place(name.span));
                context.bind(&v);
                vars.push(v);
            }
            decls.push(Decl { vars, bound, disjoint: decl.disjoint.map(place) });
        }
        let returns = func.returns.as_ref().map(|returns| {
            let returns = context.visit(returns);
            let returns = context.resolver().as_set(returns);
            if let Some(errors) = &returns.errors {
                problems.extend(errors.iter().cloned());
            }
            if returns.mult == 0 && returns.ty.arity() == Some(1) && returns.errors.is_none() {
                let at = returns.place;
                Build { world: &self.world }.unary(UnOp::OneOf, returns, at)
            } else {
                returns
            }
        });
        self.errors.extend(problems);
        let path = &self.world.module(module).path;
        let path = if path.is_empty() { "this" } else { path };
        let id = FuncId(self.world.funcs.len() as u32);
        let label = format!("{path}/{}", func.name.text);
        let body = build::node(Kind::Bad, Type::wrong(), place(func.body.span), 0, None);
        self.world.funcs.push(Func {
            name: func.name.text.clone(),
            label,
            module,
            place: place(func.name.span),
            is_pred: func.returns.is_none(),
            private: func.private.is_some(),
            decls,
            returns,
            body,
            doc: func.doc.map(place),
        });
        self.index.add_func(module, &func.name.text, id);
        self.world.modules[module.index()].funcs.push(id);
    }

    fn bodies(&mut self) {
        for m in 0..self.world.modules.len() {
            let module = ModuleId(m as u32);
            let ast = Arc::clone(&self.world.modules[m].ast);
            let mut funcs = self.world.modules[m].funcs.clone().into_iter();
            for paragraph in &ast.paragraphs {
                match paragraph {
                    Paragraph::Func(func) => {
                        let id = funcs.next().expect("every function has been declared");
                        self.func_body(module, id, func);
                    }
                    Paragraph::Fact(fact) => {
                        if let Some(statement) = self.statement(module, fact) {
                            self.world.facts.push(statement);
                        }
                    }
                    Paragraph::Assert(assertion) => {
                        if let Some(statement) = self.statement(module, assertion) {
                            self.add_assert(module, statement);
                        }
                    }
                    _ => {}
                }
            }
            for sig in self.world.modules[m].sigs.clone() {
                self.sig_fact(module, sig, &ast);
            }
        }
    }

    fn add_assert(&mut self, module: ModuleId, statement: Statement) {
        let same = |&i: &usize| statement.name.is_some() && self.world.asserts[i].name == statement.name;
        if let Some(&before) = self.world.module(module).asserts.iter().find(|i| same(i)) {
            let name = statement.name.unwrap_or_default();
            let other = self.world.asserts[before].place;
            let message = format!("there are two assertions called `{name}`");
            self.errors.push(
                Finding::new(&rules::DUPLICATE_NAME, statement.place, message).also(other, "the other"),
            );
            return;
        }
        let id = self.world.asserts.len();
        self.world.asserts.push(statement);
        self.world.modules[module.index()].asserts.push(id);
    }

    fn func_body(&mut self, module: ModuleId, id: FuncId, func: &ast::Func) {
        let mut context = self.context(module, Within::Formula);
        for param in self.world.func(id).params() {
            context.bind(param);
        }
        let body = context.visit(&func.body);
        let f = self.world.func(id);
        let body =
            if f.is_pred { context.resolver().as_formula(body) } else { context.resolver().as_set(body) };
        let mut problem = None;
        if body.errors.is_none()
            && let Some(returns) = &f.returns
        {
            let (show, rule) = (|ty| self.world.show_type(ty), &rules::RETURN_TYPE);
            if body.ty.arity() != returns.ty.arity() {
                let message = format!(
                    "`{}` returns {}, but its body has type {}",
                    f.name,
                    show(&returns.ty),
                    show(&body.ty)
                );
                problem = Some(Finding::new(&rules::ARITY, body.place, message));
            } else if returns.ty.has_tuple()
                && body.ty.has_tuple()
                && !body.ty.intersects(&returns.ty, &self.world.hierarchy)
            {
                let message = format!(
                    "the body of `{}` has type {}, which has nothing in common with its return type {}",
                    f.name,
                    show(&body.ty),
                    show(&returns.ty)
                );
                self.warnings.push(Finding::new(rule, body.place, message));
            }
        }
        self.errors.extend(problem);
        let ty = f.returns.as_ref().map_or_else(Type::formula, |returns| returns.ty.clone());
        if let Some(body) = self.accept_whole(body, &ty) {
            if body.mult != 0 {
                self.error(&rules::MULTIPLICITY, body.place, "a multiplicity is not allowed here");
            }
            self.world.funcs[id.index()].body = body;
        }
    }

    fn statement(&mut self, module: ModuleId, formula: &ast::Formula) -> Option<Statement> {
        let file = self.world.module(module).file;
        let mut context = self.context(module, Within::Formula);
        let body = context.visit(&formula.body);
        let body = context.resolver().as_formula(body);
        let body = self.accept_whole(body, &Type::formula())?;
        Some(Statement {
            name: formula.name.as_ref().map(|name| name.text.clone()),
            module,
            place: Place::new(file, formula.span),
            body,
            doc: formula.doc.map(|span| Place::new(file, span)),
        })
    }

    fn sig_fact(&mut self, module: ModuleId, sig: SigId, ast: &ast::File) {
        let Some(fact) =
            declare::sig_syntax(&self.world, ast, sig).and_then(|declared| declared.fact.as_ref())
        else {
            return;
        };
        let mut context = self.context(module, Within::SigFact(sig));
        let declared = self.world.sig(sig);
        if declared.is(ast::Mult::One) {
            let value = Build { world: &self.world }.sig(sig, declared.this.place);
            context.bind_value("this", value);
        } else {
            context.bind(&declared.this);
        }
        let body = context.visit(fact);
        let body = context.resolver().as_formula(body);
        if let Some(body) = self.accept_whole(body, &Type::formula()) {
            self.world.sigs[sig.index()].facts.push(body);
        }
    }

    fn commands(&mut self) {
        let root = ModuleId(0);
        let ast = Arc::clone(&self.world.modules[0].ast);
        let mut number = 0;
        for paragraph in &ast.paragraphs {
            if let Paragraph::Command(command) = paragraph {
                number += 1;
                if let Some(command) = self.command(root, command, number) {
                    self.world.commands.push(command);
                }
            }
        }
        if number == 0 {
            let place = Place::new(self.world.module(root).file, Span::point(0));
            self.world.commands.push(Command::default_at(place));
        }
    }

    fn command(&mut self, root: ModuleId, command: &ast::Command, number: usize) -> Option<Command> {
        let place = Place::new(self.world.module(root).file, command.span);
        let (goal, name, func) = match &command.target {
            Target::Name(name) => {
                let (goal, func) = self.target(root, command.kind, name)?;
                (goal, name.text.clone(), func)
            }
            Target::Block(block) => {
                let mut context = self.context(root, Within::Formula);
                let goal = context.visit(block);
                let goal = context.resolver().as_formula(goal);
                let goal = self.accept_whole(goal, &Type::formula())?;
                let word = if command.kind == CommandKind::Run { "run" } else { "check" };
                (goal, format!("{word}${number}"), None)
            }
        };
        let goal = if command.kind == CommandKind::Check {
            let at = goal.place;
            Build { world: &self.world }.unary(UnOp::Not, goal, at)
        } else {
            goal
        };
        let name = command.label.as_ref().map_or(name, |label| label.text.clone());
        let mut resolved = Command {
            kind: command.kind,
            name,
            place,
            goal,
            overall: command.overall.map(|(n, _)| n),
            bitwidth: None,
            max_seq: None,
            steps: None,
            scopes: Vec::new(),
            expect: command.expect,
            func,
        };
        for scope in &command.scopes {
            self.scope(root, scope, &mut resolved);
        }
        Some(resolved)
    }

    fn scope(&mut self, root: ModuleId, scope: &ast::Scope, command: &mut Command) {
        let file = self.world.module(root).file;
        let place = Place::new(file, scope.span);
        let slot = match scope.name.text.as_str() {
            "Int" => Some((&mut command.bitwidth, "the bitwidth")),
            "seq" => Some((&mut command.max_seq, "the length of sequences")),
            "steps" => {
                command.steps = Some(place);
                return;
            }
            _ => None,
        };
        if let Some((slot, what)) = slot {
            if slot.replace(scope.start).is_some() {
                self.error(&rules::SCOPE, place, format!("{what} is given twice"));
            }
            return;
        }
        let found = self.index.sigs(&self.world, root, &scope.name.text);
        let found = if scope.name.text == "String" { vec![SigId::STRING] } else { found };
        match found[..] {
            [sig] => command.scopes.push(Scope { sig, size: scope.start, exact: scope.exact, place }),
            [] => {
                let at = Place::new(file, scope.name.span);
                let message = format!("the signature `{}` is not declared", scope.name.text);
                let finding = Finding::new(&rules::UNKNOWN_NAME, at, message);
                let known: Vec<&str> =
                    self.world.user_sigs().map(|sig| self.world.sig(sig).name.as_str()).collect();
                let near =
                    crate::nearest(&scope.name.text, known).map(|near| format!("did you mean `{near}`?"));
                self.errors.push(match near {
                    Some(help) => finding.help(help),
                    None => finding,
                });
            }
            _ => {
                let at = Place::new(file, scope.name.span);
                self.error(
                    &rules::AMBIGUOUS_NAME,
                    at,
                    format!("`{}` means several signatures here", scope.name.text),
                );
            }
        }
    }

    /// Resolves the paragraph that a command asks for by name.
    fn target(&mut self, root: ModuleId, kind: CommandKind, name: &ast::Name) -> Option<(E, Option<FuncId>)> {
        let place = Place::new(self.world.module(root).file, name.span);
        let several = |this: &mut Self, count: usize, what: &str| {
            let message = format!("there are {count} {what} called `{}`", name.text);
            this.error(&rules::AMBIGUOUS_NAME, place, message);
        };
        if kind == CommandKind::Check {
            let found = prefer_own(self.index.asserts(&self.world, root, &name.text), |&i| {
                self.world.asserts[i].module == root
            });
            return match found[..] {
                [i] => Some((Arc::clone(&self.world.asserts[i].body), None)),
                [] => {
                    let known = self.world.asserts.iter().filter_map(|a| a.name.as_deref());
                    let near = crate::nearest(&name.text, known).map(str::to_owned);
                    self.unknown_target(place, "assertion", &name.text, near);
                    None
                }
                _ => {
                    several(self, found.len(), "assertions");
                    None
                }
            };
        }
        let found = prefer_own(self.index.funcs(&self.world, root, &name.text), |&f| {
            self.world.func(f).module == root
        });
        match found[..] {
            [func] => Some((self.run_goal(func), Some(func))),
            [] => {
                let known = self.world.module(root).funcs.iter().map(|&f| self.world.func(f).name.as_str());
                let near = crate::nearest(&name.text, known).map(str::to_owned);
                self.unknown_target(place, "predicate or function", &name.text, near);
                None
            }
            _ => {
                several(self, found.len(), "predicates or functions");
                None
            }
        }
    }

    fn unknown_target(&mut self, place: Place, what: &str, name: &str, near: Option<String>) {
        let finding =
            Finding::new(&rules::UNKNOWN_NAME, place, format!("there is no {what} called `{name}`"));
        self.errors.push(match near {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding,
        });
    }

    /// To run a predicate is to find arguments for which it holds; of a function, for which it has a value.
    fn run_goal(&self, func: FuncId) -> E {
        let f = self.world.func(func);
        let build = Build { world: &self.world };
        let mut goal = Arc::clone(&f.body);
        if let Some(returns) = &f.returns {
            let at = goal.place;
            goal = build.binary(BinOp::In, goal, Arc::clone(returns), at);
        }
        if !f.decls.is_empty() {
            let at = goal.place;
            goal = build.quant(Quant::Some, f.decls.clone(), goal, at);
        }
        goal
    }
}

fn prefer_own<X>(found: Vec<X>, own: impl Fn(&X) -> bool) -> Vec<X> {
    if found.iter().any(&own) { found.into_iter().filter(own).collect() } else { found }
}

/// Reads an expression in the context of a model's root, for evaluation on an instance. Values of `bound` stand for
/// names of their own.
pub(crate) fn check_expression(
    world: &World,
    index: &Index,
    ast: &ast::Expr,
    file: locus_source::FileId,
    bound: &[(String, E)],
) -> Result<E, Vec<Finding>> {
    let warnings = Warnings::default();
    let mut context = Context::new(world, index, &warnings, ModuleId(0), Within::Formula).in_file(file);
    for (name, value) in bound {
        context.bind_value(name, Arc::clone(value));
    }
    let e = context.visit(ast);
    let e = if e.ty.formula { context.resolver().as_formula(e) } else { context.resolver().as_set(e) };
    match &e.errors {
        None => Ok(e),
        Some(errors) => Err(errors.to_vec()),
    }
}

/// A variable of its own for evaluation.
pub(crate) fn fresh_var(index: &Index, name: &str, ty: Type, place: Place) -> Arc<Var> {
    Arc::new(Var { id: index.next_var(), name: name.to_owned(), ty, place })
}
