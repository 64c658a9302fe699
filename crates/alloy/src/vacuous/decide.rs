//! Which expressions are certain to be empty, and which formulas are certain to be true or false, by syntax alone.
//!
//! A name is certain to be empty if all that it can stand for is. Everything that is not understood is not certain.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Absent, name_of, own_name};
use crate::ast::{BinOp, Decl, Expr, ExprKind, Formula, Func, ListOp, Mult, Paragraph, Quant, UnOp};
use crate::modules::RawModule;

/// The things that names can stand for in a model.
pub(super) struct Names<'a> {
    /// Signatures, by whether all of a name are absent.
    sigs: FxHashMap<&'a str, bool>,
    /// Signatures with exactly one atom.
    ones: FxHashSet<&'a str>,
    /// Fields: whether all of a name are absent, and how many columns each has, if they agree.
    fields: FxHashMap<&'a str, (bool, Option<usize>)>,
    funcs: FxHashMap<&'a str, Vec<&'a Func>>,
    /// Names of macros and of the parameters of modules, which can stand for anything.
    others: FxHashSet<&'a str>,
    /// The answers that were found about functions, by name. One that is being looked at is not certain.
    known: RefCell<FxHashMap<(&'a str, Asked), bool>>,
}

/// A question about an expression or a formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Asked {
    Empty,
    True,
    False,
}

/// The variables that are bound where an expression stands, with the number of their columns, if that is known.
type Scope<'a> = Vec<(&'a str, Option<usize>)>;

impl<'a> Names<'a> {
    pub(super) fn of(modules: &'a [RawModule], absent: &Absent<'_>) -> Self {
        let mut names = Self {
            sigs: FxHashMap::default(),
            ones: FxHashSet::default(),
            fields: FxHashMap::default(),
            funcs: FxHashMap::default(),
            others: FxHashSet::default(),
            known: RefCell::default(),
        };
        for module in modules {
            let name = name_of(module);
            let parameters = module.ast.module.iter().flat_map(|declared| &declared.parameters);
            names.others.extend(parameters.map(|(parameter, _)| &*parameter.text));
            for paragraph in &module.ast.paragraphs {
                match paragraph {
                    Paragraph::Sig(sig) => {
                        for own in &sig.names {
                            let own = &*own.text;
                            *names.sigs.entry(own).or_insert(true) &= absent(name, own);
                            if matches!(sig.mult, Some((Mult::One, _))) {
                                names.ones.insert(own);
                            }
                        }
                        sig.fields.iter().for_each(|decl| names.add_fields(name, decl, absent));
                    }
                    Paragraph::Enum(declared) => {
                        let all = std::iter::once(&declared.name).chain(&declared.members);
                        names.sigs.extend(all.map(|own| (&*own.text, false)));
                    }
                    Paragraph::Func(func) => names.funcs.entry(&func.name.text).or_default().push(func),
                    Paragraph::Macro(declared) => drop(names.others.insert(&declared.name.text)),
                    Paragraph::Fact(_) | Paragraph::Assert(_) | Paragraph::Command(_) => {}
                }
            }
        }
        names
    }

    fn add_fields(&mut self, module: &str, decl: &'a Decl, absent: &Absent<'_>) {
        // Only the usual form counts: a set of something after the signature's own column.
        let columns = matches!(&decl.bound.kind, ExprKind::Unary(_, inner) if !has_arrow(inner))
            || matches!(decl.bound.kind, ExprKind::Name(_));
        let columns = columns.then_some(2);
        for own in &decl.names {
            let own = &*own.text;
            let (all_absent, known) = self.fields.entry(own).or_insert((true, columns));
            *all_absent &= absent(module, own);
            if *known != columns {
                *known = None;
            }
        }
    }

    /// The facts that are not certain to hold, by the number of their module and their own.
    pub(super) fn facts_that_matter(&self, modules: &'a [RawModule]) -> FxHashSet<(usize, usize)> {
        let facts = modules.iter().enumerate().flat_map(|(at, module)| {
            let paragraphs = module.ast.paragraphs.iter().enumerate();
            paragraphs.filter_map(move |(number, paragraph)| match paragraph {
                Paragraph::Fact(fact) => Some((at, number, fact)),
                _ => None,
            })
        });
        let is_open = |at: usize, fact: &'a Formula| {
            modules[at].is_repeated || !self.is(Asked::True, &fact.body, &mut Vec::new())
        };
        let open = facts.filter(|(at, _, fact)| is_open(*at, fact));
        open.map(|(at, number, _)| (at, number)).collect()
    }

    fn is(&self, asked: Asked, expr: &'a Expr, scope: &mut Scope<'a>) -> bool {
        match asked {
            Asked::Empty => self.is_empty(expr, scope),
            Asked::True => self.is_true(expr, scope),
            Asked::False => self.is_false(expr, scope),
        }
    }

    /// Whether the body of every function of a name is so, whatever its arguments are, and nothing else has the name.
    fn is_of_func(&self, asked: Asked, name: &'a str) -> bool {
        let Some(funcs) = self.funcs.get(name) else { return false };
        if self.sigs.contains_key(name) || self.fields.contains_key(name) || self.others.contains(name) {
            return false;
        }
        if let Some(&known) = self.known.borrow().get(&(name, asked)) {
            return known;
        }
        self.known.borrow_mut().insert((name, asked), false);
        let found = funcs.iter().all(|func| {
            let parameters = func.parameters.iter().flat_map(|decl| &decl.names);
            let mut scope: Scope<'a> = parameters.map(|name| (&*name.text, None)).collect();
            (func.returns.is_some() == (asked == Asked::Empty)) && self.is(asked, &func.body, &mut scope)
        });
        self.known.borrow_mut().insert((name, asked), found);
        found
    }

    /// Returns the name that is called, if an expression may be a call: `f`, `x.f`, `f[x]`.
    fn called(&self, expr: &'a Expr, scope: &Scope<'a>) -> Option<&'a str> {
        match &expr.kind {
            ExprKind::Name(name) => {
                let own = own_name(name);
                let is_bound = scope.iter().any(|(bound, _)| *bound == name);
                let is_called = self.funcs.contains_key(own) || self.others.contains(own);
                (!is_bound && is_called).then_some(own)
            }
            ExprKind::Binary(BinOp::Join, _, right) => self.called(right, scope),
            ExprKind::Box(target, _) => self.called(target, scope),
            _ => None,
        }
    }

    /// Whether an expression may still want arguments, which are then not joined to it.
    fn may_take_arguments(&self, expr: &'a Expr, scope: &Scope<'a>) -> bool {
        self.called(expr, scope).is_some_and(|name| {
            let takes = |func: &&Func| !func.parameters.is_empty() || func.receiver.is_some();
            self.others.contains(name) || self.funcs.get(name).is_some_and(|funcs| funcs.iter().any(takes))
        })
    }

    fn is_empty(&self, expr: &'a Expr, scope: &mut Scope<'a>) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => self.is_empty_name(name, scope),
            ExprKind::Unary(
                UnOp::Transpose | UnOp::Closure | UnOp::SomeOf | UnOp::LoneOf | UnOp::OneOf | UnOp::SetOf,
                inner,
            ) => self.is_empty(inner, scope),
            ExprKind::Binary(op, a, b) => match op {
                BinOp::Join => {
                    (!self.may_take_arguments(b, scope) && self.is_empty(a, scope)) || self.is_empty(b, scope)
                }
                BinOp::Arrow(..) | BinOp::Domain | BinOp::Range | BinOp::Intersect => {
                    self.is_empty(a, scope) || self.is_empty(b, scope)
                }
                BinOp::Minus => self.is_empty(a, scope),
                BinOp::Override => self.is_empty(a, scope) && self.is_empty(b, scope),
                _ => false,
            },
            ExprKind::Box(target, arguments) => {
                let joined = !self.may_take_arguments(target, scope);
                self.is_empty(target, scope)
                    || (joined && arguments.iter().any(|argument| self.is_empty(argument, scope)))
            }
            ExprKind::List(ListOp::Union, parts) => parts.iter().all(|part| self.is_empty(part, scope)),
            ExprKind::Block(parts) => match &parts[..] {
                [one] => self.is_empty(one, scope),
                _ => false,
            },
            ExprKind::IfElse(_, a, b) => self.is_empty(a, scope) && self.is_empty(b, scope),
            ExprKind::Let(name, _, body) => self.is_of_let(Asked::Empty, &name.text, body, scope),
            ExprKind::Quant(Quant::Comprehension, decls, body) => {
                self.ranges_over_nothing(decls, body, Asked::False, scope)
            }
            _ => false,
        }
    }

    fn is_empty_name(&self, name: &'a str, scope: &Scope<'a>) -> bool {
        if name == "none" {
            return true;
        }
        let own = own_name(name);
        if scope.iter().any(|(bound, _)| *bound == name) || self.others.contains(own) {
            return false;
        }
        match (self.sigs.get(own), self.fields.get(own)) {
            (None, None) => self.is_of_func(Asked::Empty, own),
            (sig, field) => {
                !self.funcs.contains_key(own)
                    && sig.is_none_or(|absent| *absent)
                    && field.is_none_or(|(absent, _)| *absent)
            }
        }
    }

    fn is_true(&self, formula: &'a Expr, scope: &mut Scope<'a>) -> bool {
        match &formula.kind {
            ExprKind::Block(parts) | ExprKind::List(ListOp::And, parts) => {
                parts.iter().all(|part| self.is_true(part, scope))
            }
            ExprKind::List(ListOp::Or, parts) => parts.iter().any(|part| self.is_true(part, scope)),
            ExprKind::Unary(UnOp::Not, inner) => self.is_false(inner, scope),
            ExprKind::Unary(UnOp::No | UnOp::Lone, inner) => self.is_empty(inner, scope),
            ExprKind::Binary(BinOp::In, a, _) => self.is_empty(a, scope),
            ExprKind::Binary(BinOp::Equals, a, b) => self.is_empty(a, scope) && self.is_empty(b, scope),
            ExprKind::Binary(BinOp::NotEquals, a, b) => self.differ(a, b, scope),
            ExprKind::Binary(BinOp::Implies, a, b) => self.is_false(a, scope) || self.is_true(b, scope),
            ExprKind::IfElse(_, a, b) => self.is_true(a, scope) && self.is_true(b, scope),
            ExprKind::Let(name, _, body) => self.is_of_let(Asked::True, &name.text, body, scope),
            ExprKind::Quant(Quant::All, decls, body) => {
                self.ranges_over_nothing(decls, body, Asked::True, scope)
            }
            ExprKind::Quant(Quant::No | Quant::Lone, decls, body) => {
                self.ranges_over_nothing(decls, body, Asked::False, scope)
            }
            ExprKind::Name(_) | ExprKind::Box(..) | ExprKind::Binary(BinOp::Join, ..) => {
                self.called(formula, scope).is_some_and(|name| self.is_of_func(Asked::True, name))
            }
            _ => false,
        }
    }

    fn is_false(&self, formula: &'a Expr, scope: &mut Scope<'a>) -> bool {
        match &formula.kind {
            ExprKind::Block(parts) | ExprKind::List(ListOp::And, parts) => {
                parts.iter().any(|part| self.is_false(part, scope))
            }
            ExprKind::List(ListOp::Or, parts) => parts.iter().all(|part| self.is_false(part, scope)),
            ExprKind::Unary(UnOp::Not, inner) => self.is_true(inner, scope),
            ExprKind::Unary(UnOp::Some | UnOp::One, inner) => self.is_empty(inner, scope),
            ExprKind::Binary(BinOp::NotIn, a, _) => self.is_empty(a, scope),
            ExprKind::Binary(BinOp::Equals, a, b) => self.differ(a, b, scope),
            ExprKind::Binary(BinOp::Implies, a, b) => self.is_true(a, scope) && self.is_false(b, scope),
            ExprKind::IfElse(_, a, b) => self.is_false(a, scope) && self.is_false(b, scope),
            ExprKind::Let(name, _, body) => self.is_of_let(Asked::False, &name.text, body, scope),
            ExprKind::Quant(Quant::Some | Quant::One, decls, body) => {
                self.ranges_over_nothing(decls, body, Asked::False, scope)
            }
            ExprKind::Name(_) | ExprKind::Box(..) | ExprKind::Binary(BinOp::Join, ..) => {
                self.called(formula, scope).is_some_and(|name| self.is_of_func(Asked::False, name))
            }
            _ => false,
        }
    }

    /// Whether one of two sets is empty and the other is not.
    fn differ(&self, a: &'a Expr, b: &'a Expr, scope: &mut Scope<'a>) -> bool {
        let has_one = |expr: &Expr, scope: &Scope<'a>| match &expr.kind {
            ExprKind::Text(_) => true,
            ExprKind::Name(name) => {
                let own = own_name(name);
                let elsewhere = self.fields.contains_key(own) || self.funcs.contains_key(own);
                self.ones.contains(own)
                    && !elsewhere
                    && !self.others.contains(own)
                    && !scope.iter().any(|(bound, _)| *bound == name)
            }
            _ => false,
        };
        (has_one(b, scope) && self.is_empty(a, scope)) || (has_one(a, scope) && self.is_empty(b, scope))
    }

    /// Whether variables have no values, or what is said of them is so for all of them.
    fn ranges_over_nothing(
        &self,
        decls: &'a [Decl],
        body: &'a Expr,
        asked: Asked,
        scope: &mut Scope<'a>,
    ) -> bool {
        let outer = scope.len();
        let mut found = false;
        for decl in decls {
            let bound = match &decl.bound.kind {
                ExprKind::Unary(UnOp::OneOf | UnOp::SomeOf, inner) => inner,
                _ => &decl.bound,
            };
            let columns = self.columns(bound, scope);
            // A variable over sets or relations has a value even so: the empty one.
            found |= columns == Some(1) && self.is_empty(bound, scope);
            scope.extend(decl.names.iter().map(|name| (&*name.text, columns)));
        }
        found = found || self.is(asked, body, scope);
        scope.truncate(outer);
        found
    }

    /// The same of what a `let` is about. What it stands for is not looked at.
    fn is_of_let(&self, asked: Asked, name: &'a str, body: &'a Expr, scope: &mut Scope<'a>) -> bool {
        scope.push((name, None));
        let found = self.is(asked, body, scope);
        scope.pop();
        found
    }

    /// How many columns a relation has, if the syntax shows it. A set is a relation with one; `set s` and `lone s`
    /// are none.
    fn columns(&self, expr: &'a Expr, scope: &Scope<'a>) -> Option<usize> {
        match &expr.kind {
            ExprKind::Name(name) => self.columns_of_name(name, scope),
            ExprKind::Unary(UnOp::Transpose | UnOp::Closure | UnOp::ReflexiveClosure, _) => Some(2),
            ExprKind::Binary(op, a, b) => match op {
                BinOp::Join if self.may_take_arguments(b, scope) => self.columns_returned(b, 1, scope),
                BinOp::Join => (self.columns(a, scope)? + self.columns(b, scope)?).checked_sub(2),
                BinOp::Arrow(Mult::Set, Mult::Set) => Some(self.columns(a, scope)? + self.columns(b, scope)?),
                BinOp::Intersect | BinOp::Minus => self.columns(a, scope).or_else(|| self.columns(b, scope)),
                BinOp::Domain => self.columns(b, scope),
                BinOp::Range => self.columns(a, scope),
                _ => None,
            },
            ExprKind::Box(target, arguments) if self.may_take_arguments(target, scope) => {
                self.columns_returned(target, arguments.len(), scope)
            }
            ExprKind::Box(target, arguments) => {
                let joined =
                    arguments.iter().map(|argument| self.columns(argument, scope)).sum::<Option<usize>>()?;
                (self.columns(target, scope)? + joined).checked_sub(2 * arguments.len())
            }
            ExprKind::List(ListOp::Union, parts) => parts.iter().find_map(|part| self.columns(part, scope)),
            ExprKind::Quant(Quant::Comprehension, decls, _) => {
                Some(decls.iter().map(|decl| decl.names.len()).sum())
            }
            ExprKind::Block(parts) => match &parts[..] {
                [one] => self.columns(one, scope),
                _ => None,
            },
            _ => None,
        }
    }

    fn columns_of_name(&self, name: &'a str, scope: &Scope<'a>) -> Option<usize> {
        if let Some((_, columns)) = scope.iter().rev().find(|(bound, _)| *bound == name) {
            return *columns;
        }
        let own = own_name(name);
        if matches!(name, "univ" | "none" | "Int" | "String") {
            return Some(1);
        }
        if self.others.contains(own) {
            return None;
        }
        match (self.sigs.contains_key(own), self.fields.get(own), self.funcs.get(own)) {
            (true, None, None) => Some(1),
            (false, Some((_, columns)), None) => *columns,
            (false, None, Some(funcs)) => returned(funcs, 0),
            _ => None,
        }
    }

    /// The columns of what a function returns that is named alone and given some arguments.
    fn columns_returned(&self, called: &'a Expr, arguments: usize, scope: &Scope<'a>) -> Option<usize> {
        let ExprKind::Name(name) = &called.kind else { return None };
        let own = self.called(called, scope).filter(|own| !self.others.contains(own))?;
        let elsewhere = self.sigs.contains_key(own) || self.fields.contains_key(own);
        (!elsewhere && own_name(name) == own).then(|| returned(self.funcs.get(own)?, arguments)).flatten()
    }
}

/// The columns of what the one function returns that takes these arguments, if there is just one of its name.
fn returned(funcs: &[&Func], arguments: usize) -> Option<usize> {
    let [func] = funcs else { return None };
    let wanted: usize = func.parameters.iter().map(|decl| decl.names.len()).sum();
    let returns = func.returns.as_ref().filter(|_| wanted == arguments && func.receiver.is_none())?;
    columns_of_type(returns)
}

/// The columns of what a declaration says: arrows between names, with multiplicities.
fn columns_of_type(expr: &Expr) -> Option<usize> {
    match &expr.kind {
        // A name in what a function returns is that of a signature, or else it is not in the usual form.
        ExprKind::Name(name) => own_name(name).chars().next()?.is_uppercase().then_some(1),
        ExprKind::Unary(UnOp::SetOf | UnOp::OneOf | UnOp::LoneOf | UnOp::SomeOf, inner) => {
            columns_of_type(inner)
        }
        ExprKind::Binary(BinOp::Arrow(..), a, b) => Some(columns_of_type(a)? + columns_of_type(b)?),
        ExprKind::List(ListOp::Union, parts) => parts.iter().find_map(columns_of_type),
        _ => None,
    }
}

fn has_arrow(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(_) => false,
        ExprKind::List(ListOp::Union, parts) => parts.iter().any(has_arrow),
        _ => true,
    }
}
