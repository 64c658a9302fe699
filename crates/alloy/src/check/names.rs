//! Expressions as written, with what their names can mean.

use std::sync::Arc;

use locus_source::{FileId, Finding, Place, Span};

use super::build::{Build, bad, moved, node, var};
use super::resolve::Resolve;
use super::{Index, Warnings};
use crate::ast::{self, BinOp, ExprKind, ListOp, Quant, UnOp};
use crate::model::{Decl, Declared, E, Expr, FuncId, Kind, MacroDef, ModuleId, Var, World};
use crate::rules;
use crate::types::{SigId, Type};

/// How many parts an expression may have after the macros in it are expanded.
const MAX_EXPANDED: u64 = 200_000;

/// How often macros may expand within each other.
const MACRO_DEPTH: u32 = 20;

/// How deep expressions may nest, macros included.
const MAX_DEPTH: u32 = 300;

/// Where an expression stands, which decides what names can mean.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Within {
    /// The bound of a field: no calls, and only fields of the signature and those above it.
    Field(SigId),
    /// A field defined by `=`.
    DefinedField(SigId),
    /// The facts of a signature.
    SigFact(SigId),
    /// Parameters and return types: no calls.
    Params,
    /// Anything else.
    Formula,
}

impl Within {
    fn sig(self) -> Option<SigId> {
        match self {
            Self::Field(sig) | Self::DefinedField(sig) | Self::SigFact(sig) => Some(sig),
            _ => None,
        }
    }

    fn allows_calls(self) -> bool {
        !matches!(self, Self::Field(_) | Self::Params)
    }
}

/// Reads expressions of one module.
pub(crate) struct Context<'a> {
    pub(crate) world: &'a World,
    pub(crate) index: &'a Index,
    pub(crate) warnings: &'a Warnings,
    pub(crate) module: ModuleId,
    pub(crate) within: Within,
    file: FileId,
    env: Vec<(String, E)>,
    unrolls: u32,
    /// How deep the expression here is, with the macros it is in.
    depth: u32,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        world: &'a World,
        index: &'a Index,
        warnings: &'a Warnings,
        module: ModuleId,
        within: Within,
    ) -> Self {
        let file = world.module(module).file;
        Self { world, index, warnings, module, within, file, env: Vec::new(), unrolls: MACRO_DEPTH, depth: 0 }
    }

    /// The same, for a text that stands in a file of its own.
    pub(crate) fn in_file(mut self, file: FileId) -> Self {
        self.file = file;
        self
    }

    pub(crate) fn bind(&mut self, v: &Arc<Var>) {
        let value = var(v, v.place);
        self.env.push((v.name.clone(), value));
    }

    pub(crate) fn bind_value(&mut self, name: &str, value: E) {
        self.env.push((name.to_owned(), value));
    }

    fn build(&self) -> Build<'a> {
        Build { world: self.world }
    }

    pub(crate) fn resolver(&self) -> Resolve<'a> {
        Resolve { world: self.world, warnings: Some(self.warnings), steps: &self.index.steps }
    }

    pub(crate) fn place(&self, span: Span) -> Place {
        Place::new(self.file, span)
    }

    pub(crate) fn new_var(&self, name: &str, ty: Type, place: Place) -> Arc<Var> {
        Arc::new(Var { id: self.index.next_var(), name: name.to_owned(), ty, place })
    }

    /// An expression with every reading of its names.
    pub(crate) fn visit(&mut self, e: &ast::Expr) -> E {
        if self.depth > MAX_DEPTH {
            let message = format!("with its macros, this expression nests more than {MAX_DEPTH} levels deep");
            return bad(Finding::new(&rules::TOO_DEEP, self.place(e.span), message));
        }
        self.depth += 1;
        let visited = self.visit_inner(e);
        self.depth -= 1;
        visited
    }

    fn visit_inner(&mut self, e: &ast::Expr) -> E {
        let place = self.place(e.span);
        let build = self.build();
        let leaf = |kind, ty| node(kind, ty, place, 0, None);
        match &e.kind {
            ExprKind::Name(name) => self.name(name, place),
            ExprKind::Number(n) => leaf(Kind::Number(*n), Type::int()),
            ExprKind::Text(text) => leaf(Kind::Text(text.as_str().into()), Type::sig(SigId::STRING)),
            ExprKind::IntMin => leaf(Kind::IntMin, Type::int()),
            ExprKind::IntMax => leaf(Kind::IntMax, Type::int()),
            ExprKind::IntNext => {
                leaf(Kind::IntNext, Type::product_of([SigId::INT, SigId::INT].into_iter().collect()))
            }
            ExprKind::Unary(op, sub) => {
                let sub = self.visit(sub);
                build.unary(*op, sub, place)
            }
            ExprKind::Binary(BinOp::Join, left, right) => {
                let left = self.visit(left);
                let right = self.visit(right);
                self.join(left, right, place)
            }
            ExprKind::Binary(op, left, right) => {
                let left = self.visit(left);
                let right = self.visit(right);
                if *op == BinOp::Domain
                    && let (Kind::Sig(sig), Kind::Field(field)) = (&left.kind, &right.kind)
                    && self.world.field(*field).sig == *sig
                {
                    return moved(&right, place, 0);
                }
                build.binary(*op, left, right, place)
            }
            ExprKind::List(op, parts) => {
                let parts = parts.iter().map(|part| self.visit(part)).collect();
                build.list(*op, parts, place)
            }
            ExprKind::Block(parts) => {
                self.warn_implicit_and(parts);
                let mut parts: Vec<E> = parts.iter().map(|part| self.visit(part)).collect();
                if parts.len() == 1 { parts.remove(0) } else { build.list(ListOp::And, parts, place) }
            }
            ExprKind::Box(target, args) => {
                let mut target = self.visit(target);
                for arg in args {
                    let arg = self.visit(arg);
                    target = self.join(arg, target, place);
                }
                target
            }
            ExprKind::IfElse(condition, then, other) => {
                let condition = self.visit(condition);
                let then = self.visit(then);
                let other = self.visit(other);
                build.if_else(condition, then, other, place)
            }
            ExprKind::Let(name, value, body) => {
                let value = self.visit(value);
                let value = self.resolver().resolve(&value, &value.ty);
                let v = self.new_var(&name.text, value.ty.clone(), self.place(name.span));
                self.bind(&v);
                let body = self.visit(body);
                self.env.pop();
                Build::let_(v, value, body, place)
            }
            ExprKind::Quant(quant, decls, body) => self.quant(*quant, decls, body, place),
        }
    }

    fn warn_implicit_and(&self, parts: &[ast::Expr]) {
        for pair in parts.windows(2) {
            let between = Span::new(pair[0].span.end as usize, pair[1].span.start as usize);
            if !self.index.text_between(self.file, between).contains('\n') {
                let finding = Finding::new(
                    &rules::IMPLICIT_AND,
                    self.place(pair[1].span),
                    "this formula stands on the same line as the one before it, without a connective",
                );
                let help = if between.is_empty() {
                    "a call has its arguments in brackets: `f[x]`"
                } else {
                    "write `and` between them"
                };
                self.warnings.push(finding.also(self.place(pair[0].span), "both are required").help(help));
            }
        }
    }

    fn quant(&mut self, quant: Quant, decls: &[ast::Decl], body: &ast::Expr, place: Place) -> E {
        let before = self.env.len();
        let mut resolved = Vec::with_capacity(decls.len());
        for decl in decls {
            let bound = self.visit(&decl.bound);
            let mut bound = self.resolver().as_set(bound);
            if bound.mult == 0 && bound.ty.arity() == Some(1) && bound.errors.is_none() {
                let at = bound.place;
                bound = self.build().unary(UnOp::OneOf, bound, at);
            }
            let vars: Vec<Arc<Var>> = decl
                .names
                .iter()
                .map(|name| self.new_var(&name.text, bound.ty.clone(), self.place(name.span)))
                .collect();
            for v in &vars {
                self.bind(v);
            }
            let disjoint = decl.disjoint.map(|span| self.place(span));
            resolved.push(Decl { vars, bound, disjoint });
        }
        let body = self.visit(body);
        let broken = resolved.iter().any(|decl| decl.bound.errors.is_some());
        // What is wrong with a bound makes its variables wrong too: say only the first.
        let body = match (quant, broken) {
            (_, true) => body,
            (Quant::Sum, _) => self.resolver().as_int(body),
            _ => self.resolver().as_formula(body),
        };
        self.env.truncate(before);
        self.build().quant(quant, resolved, body, place)
    }

    /// `left.right`, or the call or macro that `right` is, with one more argument.
    fn join(&mut self, left: E, right: E, place: Place) -> E {
        if let Kind::PartialMacro(definition, args) = &right.kind {
            let mut args = args.clone();
            args.push(left);
            return self.expand(definition, args, place);
        }
        if left.ty.is_int() && matches!(right.kind, Kind::Sig(SigId::INT)) {
            return left;
        }
        let build = self.build();
        let left = build.as_set(left);
        let Kind::Choice(readings) = &right.kind else {
            return build.binary(BinOp::Join, left, right, place);
        };
        if left.errors.is_some() {
            return build.binary(BinOp::Join, left, right, place);
        }
        let readings =
            readings.iter().map(|(reading, from)| (self.applied(reading, &left, place), *from)).collect();
        build.choice(readings, place)
    }

    fn applied(&self, reading: &E, arg: &E, place: Place) -> E {
        let build = self.build();
        match &reading.kind {
            Kind::PartialCall(func, args) if args.len() < self.world.func(*func).count() => {
                let extra = reading.weight - args.iter().map(|a| a.weight).sum::<u32>().min(reading.weight);
                let mut args = args.clone();
                args.push(Arc::clone(arg));
                if self.applicable(*func, &args) {
                    build.call(*func, args, extra, place)
                } else {
                    build.partial_call(*func, args, extra, place)
                }
            }
            _ => build.binary(BinOp::Join, Arc::clone(arg), Arc::clone(reading), place),
        }
    }

    fn applicable(&self, func: FuncId, args: &[E]) -> bool {
        let f = self.world.func(func);
        f.count() <= args.len()
            && f.params().zip(args).all(|(param, arg)| {
                arg.ty.shares_arity(&param.ty)
                    && (!arg.ty.has_tuple()
                        || !param.ty.has_tuple()
                        || arg.ty.intersects(&param.ty, &self.world.hierarchy))
            })
    }

    fn expand(&mut self, definition: &Arc<MacroDef>, args: Vec<E>, place: Place) -> E {
        let params = &definition.ast.parameters;
        if args.len() < params.len() {
            let message = format!("the macro `{}` has {} parameters", definition.ast.name.text, params.len());
            let errors = super::build::one(Finding::new(&rules::CALL, place, message));
            return node(Kind::PartialMacro(Arc::clone(definition), args), Type::wrong(), place, 0, errors);
        }
        if super::too_many(&self.index.steps) {
            return bad(super::too_complex(place));
        }
        if self.unrolls == 0 {
            let message = format!("the macro `{}` expands itself without end", definition.ast.name.text);
            return bad(Finding::new(&rules::RECURSION, place, message));
        }
        let mut inner =
            Context::new(self.world, self.index, self.warnings, definition.module, Within::Formula);
        inner.unrolls = self.unrolls - 1;
        inner.depth = self.depth;
        let (mine, rest) = args.split_at(params.len());
        for (param, arg) in params.iter().zip(mine) {
            let arg = match &arg.kind {
                Kind::PartialMacro(..) => Arc::clone(arg),
                _ => self.resolver().resolve(arg, &arg.ty),
            };
            inner.bind_value(&param.text, arg);
        }
        let mut result = moved(&inner.visit(&definition.ast.body), place, 0);
        // Arguments are shared, so this may be far more than was written.
        if result.size > MAX_EXPANDED {
            let name = &definition.ast.name.text;
            let message = format!("with `{name}` expanded, this has more than {MAX_EXPANDED} parts");
            let finding = Finding::new(&rules::TOO_LARGE, place, message);
            return bad(finding.help("make the macros in it functions or predicates"));
        }
        for arg in rest {
            result = self.join(Arc::clone(arg), result, place);
        }
        result
    }

    fn name(&mut self, name: &str, place: Place) -> E {
        if let Some(definition) = self.qualified_macro(name) {
            return self.expand(&definition, Vec::new(), place);
        }
        if let Some((_, value)) = self.env.iter().rev().find(|(bound, _)| bound == name) {
            return match &value.kind {
                Kind::PartialMacro(definition, args) if args.len() >= definition.ast.parameters.len() => {
                    let (definition, args) = (Arc::clone(definition), args.clone());
                    self.expand(&definition, args, place)
                }
                _ => moved(value, place, 0),
            };
        }
        let macros: Vec<&Arc<MacroDef>> = self.index.macros(self.module, name);
        match &macros[..] {
            [definition] => {
                let definition = Arc::clone(definition);
                return self.expand(&definition, Vec::new(), place);
            }
            [] => {}
            _ => {
                let message = format!("there are several macros called `{name}`");
                return bad(Finding::new(&rules::AMBIGUOUS_NAME, place, message));
            }
        }
        self.meanings(name, place)
    }

    fn qualified_macro(&self, name: &str) -> Option<Arc<MacroDef>> {
        let path = name.strip_prefix("this/").unwrap_or(name);
        if path == name && !name.contains('/') {
            return None;
        }
        let mut module = self.module;
        let mut rest = path;
        while let Some((alias, tail)) = rest.split_once('/') {
            let open = self.world.module(module).opens.iter().find(|open| open.alias == alias)?;
            if open.private && module != self.module {
                return None;
            }
            (module, rest) = (open.module, tail);
        }
        let own = module == self.module;
        let found = self.world.module(module).macros.iter().find(|m| m.ast.name.text == rest)?;
        (own || found.ast.private.is_none()).then(|| Arc::clone(found))
    }

    /// All that a name can mean: signatures, calls, fields.
    fn meanings(&self, written: &str, place: Place) -> E {
        let build = self.build();
        let (at, name) = match written.strip_prefix('@') {
            Some(name) => (true, name),
            None => (false, written),
        };
        match name {
            "univ" => return build.sig(SigId::UNIV, place),
            "Int" => return build.sig(SigId::INT, place),
            "seq/Int" => return build.sig(SigId::SEQ_INT, place),
            "String" => return build.sig(SigId::STRING, place),
            "none" => return build.sig(SigId::NONE, place),
            "iden" => {
                let ty = Type::product_of([SigId::UNIV, SigId::UNIV].into_iter().collect());
                return node(Kind::Iden, ty, place, 0, None);
            }
            "steps" => return bad(not_yet(place, "`steps`")),
            _ => {}
        }
        let this =
            self.env.iter().rev().find(|(bound, _)| bound == "this").map(|(_, value)| moved(value, place, 0));
        let mut readings: Vec<(E, Declared)> = Vec::new();
        for sig in self.index.sigs(self.world, self.module, name) {
            readings.push((build.sig(sig, place), Declared::Sig(sig)));
        }
        if self.within.allows_calls() {
            for func in self.index.funcs(self.world, self.module, name) {
                self.call_readings(func, this.as_ref(), place, &mut readings);
            }
        }
        self.field_readings(name, at, this.as_ref(), place, &mut readings);
        if readings.is_empty() {
            return bad(self.unknown(written, place));
        }
        build.choice(readings, place)
    }

    fn call_readings(&self, func: FuncId, this: Option<&E>, place: Place, readings: &mut Vec<(E, Declared)>) {
        let build = self.build();
        let f = self.world.func(func);
        if self.within.sig().is_some()
            && let Some(this) = this
            && let Some(first) = f.params().next()
            && this.ty.has_arity(1)
            && first.ty.intersects(&this.ty, &self.world.hierarchy)
        {
            let args = vec![Arc::clone(this)];
            let reading = if f.count() == 1 {
                build.call(func, args, 1, place)
            } else {
                build.partial_call(func, args, 1, place)
            };
            readings.push((reading, Declared::FuncOfThis(func)));
        }
        let reading = if f.count() == 0 {
            build.call(func, Vec::new(), 0, place)
        } else {
            build.partial_call(func, Vec::new(), 0, place)
        };
        readings.push((reading, Declared::Func(func)));
    }

    fn field_readings(
        &self,
        name: &str,
        at: bool,
        this: Option<&E>,
        place: Place,
        readings: &mut Vec<(E, Declared)>,
    ) {
        let build = self.build();
        for field in self.index.fields(self.world, self.module, name) {
            let declared = self.world.field(field);
            let leaf = node(Kind::Field(field), declared.ty.clone(), place, 0, None);
            let reading = match self.within.sig() {
                None => leaf,
                Some(sig) if self.world.is_same_or_below(sig, declared.sig) => match this {
                    Some(this) if !at => build.binary(BinOp::Join, Arc::clone(this), leaf, place),
                    _ => leaf,
                },
                Some(_) if !matches!(self.within, Within::Field(_)) => moved(&leaf, place, 1),
                Some(_) => continue,
            };
            readings.push((reading, Declared::Field(field)));
        }
    }

    fn unknown(&self, written: &str, place: Place) -> Finding {
        let finding = Finding::new(&rules::UNKNOWN_NAME, place, undeclared(written));
        if written == "this" {
            return finding.help(
                "`this` stands for an atom in the fields and facts of a signature, and in `pred Sig.name`",
            );
        }
        if is_meta(written) {
            let help = "`sig$`, `field$`, `A$` and `A$f` stand for signatures and fields themselves; name those that you mean";
            return not_yet(place, &format!("the meta-signature `{written}`")).help(help);
        }
        let known = self.index.all_names(self.world, self.module, self.within.allows_calls());
        let bound = self.env.iter().map(|(name, _)| name.as_str());
        if known.iter().any(|name| name == written) {
            return finding.help(format!(
                "`{written}` is declared elsewhere, but cannot be seen from here: it is `private`, or its module is not opened"
            ));
        }
        match crate::nearest(written, known.iter().map(String::as_str).chain(bound)) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding,
        }
    }
}

/// Whether a name is that of a meta-signature: `sig$`, `A$`, `A$f`. Those of atoms (`A$0`) and of witnesses (`$x`)
/// are not.
fn is_meta(name: &str) -> bool {
    name.split_once('$').is_some_and(|(sig, rest)| {
        !sig.is_empty() && (rest.is_empty() || !rest.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

pub(crate) fn not_yet(place: Place, what: &str) -> Finding {
    Finding::new(&rules::NOT_YET, place, format!("{what} cannot be analysed yet"))
}

/// The members of meta-signatures: where these cannot be analysed, a declaration is not what is missing.
const PARTS_OF_META: [&str; 4] = ["fields", "subfields", "parent", "value"];

/// Takes away what follows from a meta-signature that cannot be analysed: the names that only such signatures have.
pub(crate) fn forget_parts_of_meta(errors: &mut Vec<Finding>) {
    if errors.iter().any(|error| error.code == rules::NOT_YET.code) {
        let part = |error: &Finding| PARTS_OF_META.iter().any(|name| error.message == undeclared(name));
        errors.retain(|error| error.code != rules::UNKNOWN_NAME.code || !part(error));
    }
}

fn undeclared(name: &str) -> String {
    format!("the name `{name}` is not declared")
}

/// Whether an expression calls a predicate or function.
pub(crate) fn calls(e: &Expr) -> bool {
    match &e.kind {
        Kind::Call(..) => true,
        Kind::Unary(_, a) => calls(a),
        Kind::Binary(_, a, b) | Kind::Let(_, a, b) => calls(a) || calls(b),
        Kind::IfElse(a, b, c) => calls(a) || calls(b) || calls(c),
        Kind::List(_, all) => all.iter().any(|e| calls(e)),
        Kind::Quant(_, decls, body) => decls.iter().any(|d| calls(&d.bound)) || calls(body),
        _ => false,
    }
}
