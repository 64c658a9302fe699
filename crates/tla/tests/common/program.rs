//! A resolved program as text.

use std::fmt::Write as _;

use locus_tla::semantic::{
    Arg, Bound, DefKind, ExprId, ExprKind, Level, LocalId, OpRef, Program, Step, SubstValue,
};

/// The declarations and the definitions of all modules but the standard ones, one a line.
pub(crate) fn program(p: &Program) -> String {
    let mut text = String::new();
    for id in &p.root_constants {
        let constant = &p.constants[id.index()];
        writeln!(text, "constant {}/{}", p.text(constant.name), constant.arity).unwrap();
    }
    for id in &p.root_variables {
        writeln!(text, "variable {}", p.text(p.variables[id.index()].name)).unwrap();
    }
    for (i, subst) in p.substs.iter().enumerate() {
        let value = match &subst.value {
            SubstValue::Expr(value) => expr(p, *value),
            SubstValue::Op(value) => op(p, *value),
        };
        writeln!(text, "subst {i}: {} <- {value}", p.text(subst.name)).unwrap();
    }
    for def in &p.defs {
        let params: Vec<String> = def.params.iter().map(|local| local_name(p, *local)).collect();
        let kind = match def.kind {
            DefKind::Module => "",
            DefKind::Let => "let ",
            DefKind::Lambda => "lambda ",
            DefKind::Statement => "statement ",
        };
        let level = level(def.level);
        let body = def.body.map_or("native".to_owned(), |body| expr(p, body));
        write!(text, "{kind}{}({}) : {level}", p.text(def.name), params.join(", ")).unwrap();
        if !def.captures.is_empty() {
            let captures: Vec<String> = def.captures.iter().map(|local| local_name(p, *local)).collect();
            write!(text, " captures {}", captures.join(", ")).unwrap();
        }
        writeln!(text, " == {body}").unwrap();
    }
    for assumption in &p.assumptions {
        writeln!(text, "assume {}", expr(p, assumption.body)).unwrap();
    }
    text
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Constant => "constant",
        Level::State => "state",
        Level::Action => "action",
        Level::Temporal => "temporal",
    }
}

fn local_name(p: &Program, local: LocalId) -> String {
    format!("{}.{}", p.text(p.local(local).name), local.0)
}

fn op(p: &Program, op: OpRef) -> String {
    match op {
        OpRef::Def(def) => format!("&{}", p.text(p.def(def).name)),
        OpRef::Constant(id) => format!("&{}", p.text(p.constants[id.index()].name)),
        OpRef::Local(local) => format!("&{}", local_name(p, local)),
        OpRef::Subst(subst) => format!("&subst{}", subst.0),
        OpRef::Builtin(builtin) => format!("&{}", builtin.symbol()),
    }
}

fn exprs(p: &Program, items: &[ExprId]) -> String {
    items.iter().map(|item| expr(p, *item)).collect::<Vec<_>>().join(" ")
}

fn args(p: &Program, items: &[Arg]) -> String {
    let one = |arg: &Arg| match arg {
        Arg::Expr(arg) => expr(p, *arg),
        Arg::Op(arg) => op(p, *arg),
    };
    items.iter().map(|item| format!(" {}", one(item))).collect()
}

fn bounds(p: &Program, items: &[Bound]) -> String {
    let one = |bound: &Bound| {
        let locals = bound.locals.iter().map(|local| local_name(p, *local)).collect::<Vec<_>>().join(" ");
        let locals = if bound.tuple { format!("<<{locals}>>") } else { locals };
        bound.set.map_or(locals.clone(), |set| format!("{locals} in {}", expr(p, set)))
    };
    format!("[{}]", items.iter().map(one).collect::<Vec<_>>().join(", "))
}

fn expr(p: &Program, id: ExprId) -> String {
    use ExprKind as K;
    match &p.expr(id).kind {
        K::Number(n) => n.to_string(),
        K::Decimal(name) => p.text(*name).to_owned(),
        K::String(name) => format!("{:?}", p.text(*name)),
        K::Constant(id) => p.text(p.constants[id.index()].name).to_owned(),
        K::Variable(id) => p.text(p.variables[id.index()].name).to_owned(),
        K::Subst(id) => format!("subst{}", id.0),
        K::Local(id) => local_name(p, *id),
        K::Builtin(builtin, items) if items.is_empty() => builtin.symbol().to_owned(),
        K::Builtin(builtin, items) => format!("({} {})", builtin.symbol(), exprs(p, items)),
        K::Apply(def, items) => format!("({}{})", p.text(p.def(*def).name), args(p, items)),
        K::ApplyConstant(id, items) => {
            format!("({}{})", p.text(p.constants[id.index()].name), args(p, items))
        }
        K::ApplyLocal(id, items) => format!("({}{})", local_name(p, *id), args(p, items)),
        K::ApplySubst(id, items) => format!("(subst{}{})", id.0, args(p, items)),
        K::And(items) => format!("(and {})", exprs(p, items)),
        K::Or(items) => format!("(or {})", exprs(p, items)),
        K::Quantifier(forall, b, body) => {
            format!("({} {} {})", if *forall { "forall" } else { "exists" }, bounds(p, b), expr(p, *body))
        }
        K::TemporalQuantifier(forall, locals, body) => {
            let locals = locals.iter().map(|local| local_name(p, *local)).collect::<Vec<_>>().join(" ");
            format!("({} [{locals}] {})", if *forall { "AA" } else { "EE" }, expr(p, *body))
        }
        K::Choose(b, body) => format!("(choose {} {})", bounds(p, std::slice::from_ref(b)), expr(p, *body)),
        K::SetOf(items) => format!("(set {})", exprs(p, items)),
        K::Filter(b, body) => format!("(filter {} {})", bounds(p, std::slice::from_ref(b)), expr(p, *body)),
        K::Map(body, b) => format!("(map {} {})", bounds(p, b), expr(p, *body)),
        K::Function { bounds: b, body, this } => {
            let this = this.map_or(String::new(), |this| format!(" this {}", local_name(p, this)));
            format!("(fn {}{this} {})", bounds(p, b), expr(p, *body))
        }
        K::FunctionSet(a, b) => format!("(-> {} {})", expr(p, *a), expr(p, *b)),
        K::Record(fields) | K::RecordSet(fields) => {
            let one = |field: &locus_tla::semantic::Field| {
                format!(" ({} {})", p.text(field.name), expr(p, field.value))
            };
            format!("(record{})", fields.iter().map(one).collect::<String>())
        }
        K::Except(base, updates) => {
            let mut text = format!("(except {}", expr(p, *base));
            for update in updates {
                let step = |step: &Step| match step {
                    Step::Index(items) => format!("[{}]", exprs(p, items)),
                    Step::Field(name) => format!(".{}", p.text(*name)),
                };
                let path: String = update.path.iter().map(step).collect();
                let at = update.at.map_or(String::new(), |at| format!(" as {}", local_name(p, at)));
                write!(text, " ({path}{at} {})", expr(p, update.value)).unwrap();
            }
            text + ")"
        }
        K::Index(function, items) => format!("(apply {} {})", expr(p, *function), exprs(p, items)),
        K::Field(record, name) => format!("(. {} {})", expr(p, *record), p.text(*name)),
        K::Tuple(items) => format!("(tuple {})", exprs(p, items)),
        K::Times(items) => format!("(times {})", exprs(p, items)),
        K::Square(a, v) => format!("(square {} {})", expr(p, *a), expr(p, *v)),
        K::Angle(a, v) => format!("(angle {} {})", expr(p, *a), expr(p, *v)),
        K::Weak(v, a) => format!("(WF {} {})", expr(p, *v), expr(p, *a)),
        K::Strong(v, a) => format!("(SF {} {})", expr(p, *v), expr(p, *a)),
        K::If(a, b, c) => format!("(if {} {} {})", expr(p, *a), expr(p, *b), expr(p, *c)),
        K::Case(arms, other) => {
            let mut text = "(case".to_owned();
            for arm in arms {
                write!(text, " ({} {})", expr(p, arm.condition), expr(p, arm.value)).unwrap();
            }
            if let Some(other) = other {
                write!(text, " (other {})", expr(p, *other)).unwrap();
            }
            text + ")"
        }
        K::Let(defs, body) => {
            let names = defs.iter().map(|def| p.text(p.def(*def).name)).collect::<Vec<_>>().join(" ");
            format!("(let [{names}] {})", expr(p, *body))
        }
        K::Label(name, body) => format!("(label {} {})", p.text(*name), expr(p, *body)),
    }
}
