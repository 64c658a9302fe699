//! Names of parts of definitions: `Inv!2`, `Inv!Label`, `Op(x)!1`, `Next!(p)`.
//!
//! A part that is named becomes a definition of its own. Its parameters are those of the definition that it is
//! part of, and the variables that are bound between the two.

use locus_source::{Finding, Place, Span};

use super::program::{Arg, Bound, DefId, Definition, ExprId, ExprKind, Level, LocalId, Name};
use super::resolver::Resolver;
use super::visit::Part;
use crate::rules::UNSUPPORTED;
use crate::syntax::ast::{self, NamePart, PartName};

/// A way into a definition.
struct Way {
    expr: ExprId,
    /// Variables bound on the way.
    bound: Vec<LocalId>,
}

impl Resolver<'_> {
    /// The part of `def` that `parts` select, with the arguments given on the way.
    pub(crate) fn select(&mut self, def: DefId, parts: &[NamePart], span: Span) -> Option<(DefId, Vec<Arg>)> {
        let Some(body) = self.state.program.def(def).body.filter(|_| !self.state.assume_prove.contains(&def))
        else {
            self.no_such_part(span, "it has no expression for a body");
            return None;
        };
        let mut way = Way { expr: body, bound: Vec::new() };
        let mut args = Vec::new();
        for part in parts {
            way = self.step(way, part)?;
            for arg in &part.args {
                args.push(Arg::Expr(self.value(arg)));
            }
            if args.len() != way.bound.len() {
                let message = format!(
                    "{} variables are bound on the way to this part, but {} arguments are given",
                    way.bound.len(),
                    args.len()
                );
                self.no_such_part(part.span, &message);
                return None;
            }
        }
        let Definition { base_name, origin, params, instance_params, .. } =
            self.state.program.def(def).clone();
        let text = self.sources.get(self.file).slice(span).to_owned();
        let name = self.intern(&text);
        let mut params: Vec<LocalId> = params;
        params.extend(&way.bound);
        let place = self.state.program.expr(way.expr).place;
        let mut signature = self.state.signatures[def.index()].clone();
        signature.extend(way.bound.iter().map(|_| 0));
        self.state.signatures.push(signature);
        self.state.program.defs.push(Definition {
            name,
            base_name,
            origin,
            kind: self.state.program.def(def).kind,
            params,
            instance_params,
            body: Some(way.expr),
            recursive: false,
            captures: Vec::new(),
            level: Level::Constant,
            place,
            name_place: place,
        });
        Some((DefId(self.state.program.defs.len() as u32 - 1), args))
    }

    fn no_such_part(&mut self, span: Span, why: &str) {
        let finding = Finding::new(
            &UNSUPPORTED,
            self.place(span),
            format!("no part of the definition is named so: {why}"),
        )
        .help("define the part under a name of its own");
        self.report(finding);
    }

    fn step(&mut self, way: Way, part: &NamePart) -> Option<Way> {
        match &part.name {
            PartName::Name(ident) => self.label(way, ident),
            PartName::Selector(span) => {
                let text = self.sources.get(self.file).slice(*span).to_owned();
                match &*text {
                    ":" => Some(way),
                    "<<" | "⟨" => self.nth(way, 1, *span),
                    ">>" | "⟩" => self.nth(way, 2, *span),
                    "(" => self.instantiated(way, *span),
                    text if text.bytes().all(|b| b.is_ascii_digit()) => {
                        self.nth(way, text.parse().unwrap_or(usize::MAX), *span)
                    }
                    _ => {
                        self.no_such_part(*span, "this selector is not supported");
                        None
                    }
                }
            }
        }
    }

    /// The part that bears a label.
    fn label(&mut self, way: Way, ident: &ast::Ident) -> Option<Way> {
        let name = self.intern(&ident.text);
        let (expr, bound) = match self.find_labels(way.expr, name).as_slice() {
            [(label, bound)] => {
                let ExprKind::Label(_, body) = self.state.program.expr(*label).kind else { return None };
                let params = self.state.label_params.get(label).cloned().unwrap_or_default();
                if params.len() != bound.len() || bound.iter().any(|local| !params.contains(local)) {
                    let message = "its label does not name all the variables bound around it";
                    self.no_such_part(ident.span, message);
                    return None;
                }
                (body, params)
            }
            [] => {
                self.no_such_part(ident.span, &format!("it has no label `{}`", ident.text));
                return None;
            }
            _ => {
                self.no_such_part(ident.span, &format!("it has several labels `{}`", ident.text));
                return None;
            }
        };
        let mut all = way.bound;
        all.extend(bound);
        Some(Way { expr, bound: all })
    }

    /// Finds labels below `from`, and the variables bound on the way to them.
    fn find_labels(&self, from: ExprId, label: Name) -> Vec<(ExprId, Vec<LocalId>)> {
        let mut found = Vec::new();
        let mut todo = vec![(from, Vec::new())];
        while let Some((expr, bound)) = todo.pop() {
            let kind = &self.state.program.expr(expr).kind;
            if matches!(kind, ExprKind::Label(name, _) if *name == label) {
                found.push((expr, bound));
                continue;
            }
            let (mut parts, mut binds) = (Vec::new(), bound.clone());
            kind.parts(&mut |part| match part {
                Part::Expr(part) => parts.push(part),
                Part::Binds(local) => binds.push(local),
                _ => {}
            });
            todo.extend(parts.into_iter().map(|part| (part, binds.clone())));
        }
        found
    }

    /// The `n`th operand, conjunct or argument.
    fn nth(&mut self, way: Way, n: usize, span: Span) -> Option<Way> {
        let expr = self.state.program.expr(way.expr).clone();
        let items: Vec<ExprId> = match &expr.kind {
            ExprKind::Label(_, inner) => return self.nth(Way { expr: *inner, ..way }, n, span),
            ExprKind::And(items) | ExprKind::Or(items) => {
                if items.len() > 2 && !self.is_list(&expr.place, items) {
                    self.no_such_part(span, "operands of more than two are counted only in lists");
                    return None;
                }
                items.clone()
            }
            ExprKind::Builtin(_, items)
            | ExprKind::SetOf(items)
            | ExprKind::Tuple(items)
            | ExprKind::Times(items) => items.clone(),
            ExprKind::If(a, b, c) => vec![*a, *b, *c],
            ExprKind::FunctionSet(a, b)
            | ExprKind::Square(a, b)
            | ExprKind::Angle(a, b)
            | ExprKind::Weak(a, b)
            | ExprKind::Strong(a, b) => vec![*a, *b],
            ExprKind::Record(fields) | ExprKind::RecordSet(fields) => {
                fields.iter().map(|field| field.value).collect()
            }
            // The updates have `@` in them, and the name of a field is no expression.
            ExprKind::Except(first, _) | ExprKind::Field(first, _) => vec![*first],
            ExprKind::Quantifier(_, bounds, _)
            | ExprKind::Map(_, bounds)
            | ExprKind::Function { bounds, this: None, .. } => {
                bounds.iter().filter_map(|bound| bound.set).collect()
            }
            ExprKind::Choose(bound, _) | ExprKind::Filter(bound, _) => bound.set.into_iter().collect(),
            ExprKind::Index(function, args) if args.len() == 1 => vec![*function, args[0]],
            ExprKind::Apply(_, args) if args.iter().all(|arg| matches!(arg, Arg::Expr(_))) => {
                let expr = |arg: &Arg| if let Arg::Expr(expr) = arg { Some(*expr) } else { None };
                args.iter().filter_map(expr).collect()
            }
            _ => {
                self.no_such_part(span, "its operands cannot be counted");
                return None;
            }
        };
        let Some(expr) = n.checked_sub(1).and_then(|i| items.get(i)) else {
            self.no_such_part(span, &format!("there are {} operands", items.len()));
            return None;
        };
        Some(Way { expr: *expr, ..way })
    }

    /// Whether conjuncts or disjuncts were written as a list: then a bullet stands before the first.
    fn is_list(&self, place: &Place, items: &[ExprId]) -> bool {
        items.first().is_some_and(|first| self.state.program.expr(*first).place.span.start > place.span.start)
    }

    /// `!(x)`: the body of a quantifier.
    fn instantiated(&mut self, way: Way, span: Span) -> Option<Way> {
        let locals =
            |bounds: &[Bound]| bounds.iter().flat_map(|bound| bound.locals.clone()).collect::<Vec<_>>();
        let (bound, expr) = match &self.state.program.expr(way.expr).kind {
            ExprKind::Quantifier(_, bounds, body)
            | ExprKind::Map(body, bounds)
            | ExprKind::Function { bounds, body, this: None } => (locals(bounds), *body),
            ExprKind::Choose(bound, body) | ExprKind::Filter(bound, body) => {
                (locals(std::slice::from_ref(bound)), *body)
            }
            _ => {
                self.no_such_part(span, "nothing is bound there");
                return None;
            }
        };
        let mut all = way.bound;
        all.extend(bound);
        Some(Way { expr, bound: all })
    }
}
