//! Levels: constant, state, action, temporal; and which operators take what.
//!
//! Expressions are looked at in the order of the arena, in which parts come before wholes and definitions before
//! uses, so there is no recursion here. Operators declared RECURSIVE are uses before definitions: the pass is
//! repeated until nothing changes, and only the last one reports.

use std::collections::BTreeMap;

use locus_source::{Finding, Place};
use rustc_hash::{FxHashMap, FxHashSet};

use super::program::{
    Arg, Builtin, ConstId, DefId, Expr, ExprId, ExprKind, Level, LocalId, LocalKind, OpRef, Program,
    SubstValue,
};
use super::visit::Part;
use crate::rules::LEVEL;

/// More findings about levels than this help nobody, and each is compared with all instances.
const FINDINGS_LIMIT: usize = 1000;

/// The level information of an expression, or of a definition's body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Info {
    /// The level when all parameters are constants.
    level: Level,
    /// The parameters whose arguments raise the level.
    weights: Vec<LocalId>,
    /// The highest levels that arguments of parameters may have, where there is one.
    limits: Vec<(LocalId, Level)>,
    /// The levels at which operators that are parameters get arguments: parameter, position, level.
    given: Vec<(LocalId, u32, Level)>,
    /// Which parameters operators that are parameters get as arguments: operator, position, parameter.
    passed: Vec<(LocalId, u32, LocalId)>,
}

impl Info {
    fn add_weights(&mut self, other: &[LocalId]) {
        // Sorted, so that this stays fast for operators of very many parameters.
        for local in other {
            if let Err(at) = self.weights.binary_search(local) {
                self.weights.insert(at, *local);
            }
        }
    }

    fn limit(&mut self, local: LocalId, level: Level) {
        match self.limits.binary_search_by_key(&local, |(known, _)| *known) {
            Ok(at) => self.limits[at].1 = level.min(self.limits[at].1),
            Err(at) => self.limits.insert(at, (local, level)),
        }
    }

    fn give(&mut self, local: LocalId, position: u32, level: Level) {
        match self.given.iter_mut().find(|(known, at, _)| (*known, *at) == (local, position)) {
            Some((.., known)) => *known = level.max(*known),
            None => self.given.push((local, position, level)),
        }
    }

    /// Takes over what does not depend on where an expression stands.
    fn add_constraints(&mut self, other: &Self) {
        for (local, level) in &other.limits {
            self.limit(*local, *level);
        }
        for (local, position, level) in &other.given {
            self.give(*local, *position, *level);
        }
        for passed in &other.passed {
            if !self.passed.contains(passed) {
                self.passed.push(*passed);
            }
        }
    }
}

/// The levels of expressions and definitions, as far as they were computed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Levels {
    exprs: Vec<Info>,
    defs: Vec<Info>,
    substs: usize,
    /// The definitions that a configuration lets stand for constants that take arguments.
    operators: BTreeMap<ConstId, DefId>,
    /// Whether a configuration put definitions in place of others.
    replaced: bool,
}

impl Levels {
    /// Nothing known but that definitions were replaced, and which operators stand for constants.
    pub(crate) fn with_operators(operators: BTreeMap<ConstId, DefId>) -> Self {
        Self { operators, replaced: true, ..Self::default() }
    }
}

/// Fills the levels of all expressions and definitions that `levels` does not know yet, and reports what does
/// not fit.
pub(crate) fn check_levels(
    program: &mut Program,
    levels: &mut Levels,
    instances: &BTreeMap<DefId, Place>,
    findings: &mut Vec<Finding>,
) {
    let (first_expr, first_def) = (levels.exprs.len(), levels.defs.len());
    // What a configuration puts in place of something may come after its uses, as recursive operators do.
    let recursive = levels.replaced || program.defs[first_def..].iter().any(|def| def.recursive);
    let mut checker = Checker {
        program,
        exprs: std::mem::take(&mut levels.exprs),
        defs: std::mem::take(&mut levels.defs),
        operators: &levels.operators,
        ends: FxHashMap::default(),
        found: Vec::new(),
    };
    checker.start(first_def);
    // Levels only rise and there are four of them, so a few rounds reach the end in practice; a limit keeps
    // long chains of mutual recursion from taking long.
    for _ in 0..if recursive { 6 } else { 1 } {
        let before = checker.defs[first_def..].to_vec();
        checker.found.clear();
        checker.pass(first_expr);
        if checker.defs[first_def..] == before {
            break;
        }
    }
    let Checker { exprs, defs, mut found, .. } = checker;
    for (expr, info) in program.exprs.iter_mut().zip(&exprs).skip(first_expr) {
        expr.level = info.level;
    }
    for (def, info) in program.defs.iter_mut().zip(&defs).skip(first_def) {
        def.level = info.level;
    }
    check_recursive(program, first_def, &defs, &mut found);
    let substituted = found.len();
    check_substitutions(program, levels.substs, &defs, &mut found);
    if found.len() > substituted {
        // What is wrong in an instance comes of what is wrong with its substitutions.
        found = found
            .into_iter()
            .enumerate()
            .filter(|(i, f)| *i >= substituted || instance_of(program, instances, f).is_none())
            .map(|(_, f)| f)
            .collect();
    }
    if first_expr == 0 {
        check_assumptions(program, &mut found);
    }
    levels.exprs = exprs;
    levels.defs = defs;
    levels.substs = program.substs.len();
    report(program, instances, found, findings);
}

/// Where a recursive operator primes a parameter, another call of it may prime it again.
fn check_recursive(program: &Program, first: usize, defs: &[Info], found: &mut Vec<Finding>) {
    for (def, info) in program.defs.iter().zip(defs).skip(first).filter(|(def, _)| def.recursive) {
        let primed = |param: &&LocalId| {
            info.limits.iter().any(|(local, level)| local == *param && *level < Level::Action)
        };
        if let Some(param) = def.params.iter().find(primed) {
            let (name, param) = (program.text(def.name), program.text(program.local(*param).name));
            let message = format!("the recursive operator `{name}` primes its parameter `{param}`");
            let finding = Finding::new(&LEVEL, def.name_place, message)
                .help("prime the argument where the operator is applied");
            found.push(finding);
        }
    }
}

fn check_assumptions(program: &Program, found: &mut Vec<Finding>) {
    for assumption in &program.assumptions {
        let level = program.expr(assumption.body).level;
        if level > Level::Constant {
            let message = format!("an assumption speaks of constants, but this is {}", a_level(level));
            found.push(Finding::new(&LEVEL, assumption.place, message));
        }
    }
}

/// Adds what was found, once for each place: instances repeat what their modules have.
fn report(
    program: &Program,
    instances: &BTreeMap<DefId, Place>,
    found: Vec<Finding>,
    findings: &mut Vec<Finding>,
) {
    let mut seen = FxHashSet::default();
    for mut finding in found.into_iter().take(FINDINGS_LIMIT) {
        if !seen.insert(finding.primary.place) {
            continue;
        }
        // Where only an instance is wrong, its module is not at fault.
        if let Some(place) = instance_of(program, instances, &finding) {
            finding = finding.also(place, "perhaps only in this instance of the module");
        }
        findings.push(finding);
    }
}

/// Where the instance stands that a finding may be due to.
fn instance_of(program: &Program, instances: &BTreeMap<DefId, Place>, finding: &Finding) -> Option<Place> {
    let at = finding.primary.place;
    let within = |def: DefId| {
        let place = program.def(def).place;
        place.file == at.file && place.span.start <= at.span.start && at.span.end <= place.span.end
    };
    let (_, place) = instances.iter().find(|(def, _)| within(**def))?;
    (*place != at).then_some(*place)
}

fn check_substitutions(program: &Program, first: usize, defs: &[Info], found: &mut Vec<Finding>) {
    for subst in &program.substs[first..] {
        let level = match subst.value {
            SubstValue::Expr(expr) => program.expr(expr).level,
            SubstValue::Op(OpRef::Builtin(builtin)) => builtin_levels(builtin).0,
            SubstValue::Op(OpRef::Def(def)) => program.def(def).level,
            SubstValue::Op(_) => Level::Constant,
        };
        let name = program.text(subst.name);
        if level > subst.highest {
            let sort = if subst.variable { "variable" } else { "constant" };
            let message = format!("`{name}` is a {sort}, but {} is substituted for it", a_level(level));
            found.push(Finding::new(&LEVEL, subst.place, message));
        } else if is_opaque(program, &subst.value, defs) {
            let message =
                format!("`{name}` cannot be an operator that looks at more of its argument than its value");
            let finding = Finding::new(&LEVEL, subst.place, message).note(
                "primes, `[]`, `<>` and ENABLED are such operators: equal arguments may give unequal results",
            );
            found.push(finding);
        }
    }
}

/// Whether an operator primes its argument or looks at other states of it.
fn is_opaque(program: &Program, value: &SubstValue, defs: &[Info]) -> bool {
    match value {
        SubstValue::Op(OpRef::Builtin(builtin)) => !builtin_levels(*builtin).2,
        SubstValue::Op(OpRef::Def(def)) => {
            let limits = &defs[def.index()].limits;
            limits
                .iter()
                .any(|(local, level)| *level <= Level::State && program.def(*def).params.contains(local))
        }
        _ => false,
    }
}

struct Checker<'p> {
    program: &'p Program,
    exprs: Vec<Info>,
    defs: Vec<Info>,
    operators: &'p BTreeMap<ConstId, DefId>,
    /// The definitions whose body an expression is.
    ends: FxHashMap<ExprId, Vec<DefId>>,
    found: Vec<Finding>,
}

impl Checker<'_> {
    fn start(&mut self, first: usize) {
        for (i, def) in self.program.defs.iter().enumerate().skip(first) {
            // Of what the evaluator provides, and of recursive operators at first, only this is known: the
            // level of an application is at least that of its arguments.
            let mut weights = def.params.clone();
            weights.sort_unstable();
            self.defs.push(Info { weights, ..Info::default() });
            if let Some(body) = def.body {
                self.ends.entry(body).or_default().push(DefId(i as u32));
            }
        }
    }

    fn pass(&mut self, first: usize) {
        self.exprs.truncate(first);
        for i in first..self.program.exprs.len() {
            let expr = &self.program.exprs[i];
            let info = self.info(expr);
            if let Some(defs) = self.ends.get(&ExprId(i as u32)) {
                for def in defs {
                    let mut info = info.clone();
                    if self.program.def(*def).recursive {
                        // A recursive operator passes its arguments on to itself.
                        let known = &self.defs[def.index()].weights.clone();
                        info.add_weights(known);
                    }
                    self.defs[def.index()] = info;
                }
            }
            self.exprs.push(info);
        }
    }

    fn wrong(&mut self, place: Place, message: String, help: Option<&str>) {
        let mut finding = Finding::new(&LEVEL, place, message);
        if let Some(help) = help {
            finding = finding.help(help);
        }
        self.found.push(finding);
    }

    fn of(&self, expr: ExprId) -> &Info {
        &self.exprs[expr.index()]
    }

    fn info(&mut self, expr: &Expr) -> Info {
        use ExprKind as K;
        match &expr.kind {
            K::Number(_) | K::Decimal(_) | K::String(_) | K::Constant(_) => Info::default(),
            K::Variable(_) => Info { level: Level::State, ..Info::default() },
            K::Local(local) => self.local(*local),
            K::Subst(subst) => match self.program.subst(*subst).value {
                SubstValue::Expr(value) => self.of(value).clone(),
                SubstValue::Op(_) => Info::default(),
            },
            K::Builtin(builtin, args) => self.builtin(*builtin, args, expr),
            K::Apply(def, args) => self.apply(OpRef::Def(*def), args, expr),
            K::ApplyConstant(id, args) => self.apply(OpRef::Constant(*id), args, expr),
            K::ApplyLocal(id, args) => self.apply(OpRef::Local(*id), args, expr),
            K::ApplySubst(id, args) => self.apply(OpRef::Subst(*id), args, expr),
            K::Square(action, subscript) | K::Angle(action, subscript) => {
                let form = if matches!(expr.kind, K::Square(..)) { "[A]_v" } else { "<<A>>_v" };
                let mut info = self.capped(*action, Level::Action, &format!("the action of `{form}`"));
                info.add_constraints(&self.capped(
                    *subscript,
                    Level::State,
                    &format!("the subscript of `{form}`"),
                ));
                Info { level: Level::Action, weights: Vec::new(), ..info }
            }
            K::Weak(subscript, action) | K::Strong(subscript, action) => {
                let mut info = self.capped(*action, Level::Action, "the action of a fairness condition");
                info.add_constraints(&self.capped(
                    *subscript,
                    Level::State,
                    "the subscript of a fairness condition",
                ));
                Info { level: Level::Temporal, weights: Vec::new(), ..info }
            }
            K::TemporalQuantifier(_, _, body) => {
                let info = self.of(*body).clone();
                Info { level: Level::Temporal, weights: Vec::new(), ..info }
            }
            K::And(items) | K::Or(items) => {
                self.check_mixed(items, expr);
                self.joined(expr, Level::Temporal, "")
            }
            K::Quantifier(_, bounds, _) => {
                let info = self.joined(expr, Level::Temporal, "");
                for set in bounds.iter().filter_map(|bound| bound.set) {
                    let level = self.of(set).level;
                    if level == Level::Temporal || (level == Level::Action && info.level == Level::Temporal) {
                        let place = self.program.expr(set).place;
                        let message = format!("{} cannot be the set of a quantifier here", a_level(level));
                        self.wrong(place, message, None);
                    }
                }
                info
            }
            K::If(..) | K::Case(..) | K::Let(..) | K::Label(..) | K::Record(_) | K::Function { .. } => {
                self.joined(expr, Level::Temporal, "")
            }
            _ => self.joined(expr, Level::Action, "a value"),
        }
    }

    fn local(&self, local: LocalId) -> Info {
        match self.program.local(local).kind {
            LocalKind::Parameter => Info { weights: vec![local], ..Info::default() },
            LocalKind::Temporal => Info { level: Level::State, ..Info::default() },
            LocalKind::Bound | LocalKind::At | LocalKind::This => Info::default(),
        }
    }

    /// The joined information of all parts, none of which may be above `highest`.
    fn joined(&mut self, expr: &Expr, highest: Level, what: &str) -> Info {
        let mut parts = Vec::new();
        expr.kind.parts(&mut |part| {
            if let Part::Expr(part) = part {
                parts.push(part);
            }
        });
        let mut info = Info::default();
        for part in parts {
            let of = if highest == Level::Temporal {
                self.of(part).clone()
            } else {
                self.capped(part, highest, what)
            };
            info.level = info.level.max(of.level);
            info.add_weights(&of.weights);
            info.add_constraints(&of);
        }
        info
    }

    /// A part that may not be above `highest`; its parameters are limited likewise.
    fn capped(&mut self, part: ExprId, highest: Level, what: &str) -> Info {
        let mut info = self.of(part).clone();
        if info.level > highest {
            let place = self.program.expr(part).place;
            let message = format!("{} cannot be {what}: it is {}", self.short(part), a_level(info.level));
            self.wrong(place, message, None);
            info.level = highest;
        }
        for local in info.weights.clone() {
            info.limit(local, highest);
        }
        info
    }

    /// How to call an expression in a message.
    fn short(&self, expr: ExprId) -> String {
        match &self.program.expr(expr).kind {
            ExprKind::Apply(def, _) => format!("`{}`", self.program.text(self.program.def(*def).name)),
            _ => "this".to_owned(),
        }
    }

    fn check_mixed(&mut self, items: &[ExprId], expr: &Expr) {
        let find = |level| items.iter().find(|item| self.of(**item).level == level);
        if let (Some(action), Some(_)) = (find(Level::Action), find(Level::Temporal)) {
            let place = self.program.expr(*action).place;
            let message = "an action stands beside a temporal formula".to_owned();
            let mut finding = Finding::new(&LEVEL, place, message).help(
                "a temporal formula contains actions only as `[][A]_v` or `<><<A>>_v`, or in WF and SF",
            );
            finding = finding.also(expr.place, "joined here");
            self.found.push(finding);
        }
    }

    fn builtin(&mut self, builtin: Builtin, args: &[ExprId], expr: &Expr) -> Info {
        use Builtin as B;
        let (level, highest, raises) = builtin_levels(builtin);
        match (builtin, args) {
            (B::Always, [arg]) if self.of(*arg).level == Level::Action && !self.is(*arg, true) => {
                let help = "write `[][A]_v`: what holds of every step must allow steps that change nothing";
                self.wrong(expr.place, "`[]` before an action that is not `[A]_v`".to_owned(), Some(help));
            }
            (B::Eventually, [arg]) if self.of(*arg).level == Level::Action && !self.is(*arg, false) => {
                let help = "write `<><<A>>_v`";
                self.wrong(expr.place, "`<>` before an action that is not `<<A>>_v`".to_owned(), Some(help));
            }
            (B::LeadsTo | B::PlusArrow, args) => {
                for arg in args {
                    if self.of(*arg).level == Level::Action {
                        let place = self.program.expr(*arg).place;
                        let message = format!("an action cannot be an operand of `{}`", builtin.symbol());
                        self.wrong(place, message, None);
                    }
                }
            }
            (B::Implies | B::Equiv, args) => self.check_mixed(args, expr),
            _ => {}
        }
        let mut info = Info { level, ..Info::default() };
        for arg in args {
            let what = match builtin {
                B::Prime if self.of(*arg).level == Level::Action => "primed once more".to_owned(),
                B::Prime => "primed".to_owned(),
                _ => format!("an operand of `{}`", builtin.symbol()),
            };
            let of = self.capped(*arg, highest, &what);
            if raises {
                info.level = info.level.max(of.level);
                info.add_weights(&of.weights);
            }
            info.add_constraints(&of);
        }
        info
    }

    /// Whether an expression is `[A]_v` (or `<<A>>_v`), or a name for one.
    fn is(&self, expr: ExprId, square: bool) -> bool {
        match &self.program.expr(expr).kind {
            ExprKind::Square(..) => square,
            ExprKind::Angle(..) => !square,
            // Only what is written out counts; a label or LET around it is as good, an operator is not.
            ExprKind::Label(_, inner) | ExprKind::Let(_, inner) => self.is(*inner, square),
            _ => false,
        }
    }

    /// The information about an operator: that of its body, and its own parameters.
    fn operator(&self, op: OpRef) -> (Info, Vec<LocalId>) {
        match op {
            OpRef::Def(def) => (self.defs[def.index()].clone(), self.program.def(def).params.clone()),
            OpRef::Subst(subst) => match self.program.subst(subst).value {
                SubstValue::Op(op) => self.operator(op),
                SubstValue::Expr(_) => (Info::default(), Vec::new()),
            },
            OpRef::Constant(id) => match self.operators.get(&id) {
                Some(def) => self.operator(OpRef::Def(*def)),
                None => (Info::default(), Vec::new()),
            },
            OpRef::Local(_) | OpRef::Builtin(_) => (Info::default(), Vec::new()),
        }
    }

    fn apply(&mut self, op: OpRef, args: &[Arg], expr: &Expr) -> Info {
        let op = self.underlying(op);
        if let OpRef::Builtin(builtin) = op {
            let args: Vec<ExprId> = args.iter().copied().filter_map(as_expr).collect();
            return self.builtin(builtin, &args, expr);
        }
        let (body, params) = self.operator(op);
        let mut info = Info { level: body.level, ..Info::default() };
        let own = |local: &LocalId| params.contains(local);
        info.weights = body.weights.iter().filter(|local| !own(local)).copied().collect();
        info.limits.extend(body.limits.iter().filter(|(local, _)| !own(local)));
        info.given.extend(body.given.iter().filter(|(local, ..)| !own(local)));
        if let OpRef::Local(local) = op {
            info.add_weights(&[local]);
        }
        for (i, arg) in args.iter().enumerate() {
            let param = params.get(i).copied();
            let raises = param.is_none_or(|param| body.weights.contains(&param));
            let highest = param
                .and_then(|param| body.limits.iter().find(|(local, _)| *local == param))
                .map_or(Level::Temporal, |(_, level)| *level);
            match arg {
                Arg::Expr(arg) => {
                    let what = format!("argument {} of {}", i + 1, self.op_name(op));
                    let of = self.capped(*arg, highest, &what);
                    if let OpRef::Local(local) = op {
                        info.give(local, i as u32, of.level);
                        info.passed.extend(of.weights.iter().map(|weight| (local, i as u32, *weight)));
                    }
                    if raises {
                        info.level = info.level.max(of.level);
                        info.add_weights(&of.weights);
                    }
                    info.add_constraints(&of);
                }
                Arg::Op(given) => self.operator_argument(*given, param, &body, expr, &mut info),
            }
        }
        self.check_passed(&body, &params, args, &mut info);
        info
    }

    /// Where an operator applies one of its parameters to another: whether the arguments go together.
    fn check_passed(&mut self, body: &Info, params: &[LocalId], args: &[Arg], info: &mut Info) {
        let argument =
            |local: LocalId| params.iter().position(|param| *param == local).and_then(|i| args.get(i));
        for (op, position, param) in &body.passed {
            match (argument(*op), argument(*param)) {
                (Some(Arg::Op(OpRef::Local(local))), Some(Arg::Expr(arg))) => {
                    let of = self.of(*arg).clone();
                    info.give(*local, *position, of.level);
                    info.passed.extend(of.weights.iter().map(|weight| (*local, *position, *weight)));
                }
                (Some(Arg::Op(given)), Some(Arg::Expr(arg))) => {
                    if let Some(highest) = self.highest(*given, *position) {
                        let what = format!("handed to {} there", self.op_name(*given));
                        let of = self.capped(*arg, highest, &what);
                        info.add_constraints(&of);
                    }
                }
                (Some(Arg::Op(given)), None) => {
                    if let Some(highest) = self.highest(*given, *position) {
                        info.limit(*param, highest);
                    }
                }
                (None, Some(Arg::Expr(arg))) => {
                    let of = self.of(*arg).clone();
                    info.give(*op, *position, of.level);
                    info.passed.extend(of.weights.iter().map(|weight| (*op, *position, *weight)));
                }
                _ => {}
            }
        }
    }

    /// The highest level that an argument of an operator may have, if there is a limit.
    fn highest(&self, op: OpRef, position: u32) -> Option<Level> {
        match self.underlying(op) {
            OpRef::Builtin(builtin) => Some(builtin_levels(builtin).1),
            op => {
                let (info, params) = self.operator(op);
                let param = params.get(position as usize)?;
                info.limits.iter().find(|(local, _)| local == param).map(|(_, level)| *level)
            }
        }
    }

    /// An operator handed to another: what it adds, and whether it takes what it is given there.
    fn operator_argument(
        &mut self,
        given: OpRef,
        param: Option<LocalId>,
        body: &Info,
        expr: &Expr,
        info: &mut Info,
    ) {
        let given = self.underlying(given);
        let uses: Vec<(u32, Level)> = body
            .given
            .iter()
            .filter(|(local, ..)| Some(*local) == param)
            .map(|(_, position, level)| (*position, *level))
            .collect();
        match given {
            OpRef::Builtin(builtin) => {
                let (level, highest, _) = builtin_levels(builtin);
                info.level = info.level.max(level);
                for (_, used) in uses {
                    if used > highest {
                        let message =
                            format!("`{}` gets {} as an argument here", builtin.symbol(), a_level(used));
                        self.wrong(expr.place, message, None);
                    }
                }
            }
            OpRef::Local(local) => {
                info.add_weights(&[local]);
                for (position, used) in uses {
                    info.give(local, position, used);
                }
            }
            given => {
                let (of, params) = self.operator(given);
                info.level = info.level.max(of.level);
                let free: Vec<LocalId> =
                    of.weights.iter().filter(|local| !params.contains(local)).copied().collect();
                info.add_weights(&free);
                for (local, level) in of.limits.iter().filter(|(local, _)| !params.contains(local)) {
                    info.limit(*local, *level);
                }
                for (position, used) in uses {
                    let limit = params.get(position as usize);
                    let limit = of.limits.iter().find(|(local, _)| Some(local) == limit);
                    if let Some((_, highest)) = limit
                        && used > *highest
                    {
                        let message = format!(
                            "{} gets {} as argument {} here, but takes at most {}",
                            self.op_name(given),
                            a_level(used),
                            position + 1,
                            a_level(*highest)
                        );
                        self.wrong(expr.place, message, None);
                    }
                }
            }
        }
    }

    /// The operator that a substitution stands for.
    fn underlying(&self, op: OpRef) -> OpRef {
        match op {
            OpRef::Subst(subst) => match self.program.subst(subst).value {
                SubstValue::Op(op) => self.underlying(op),
                SubstValue::Expr(_) => op,
            },
            op => op,
        }
    }

    fn op_name(&self, op: OpRef) -> String {
        let program = self.program;
        let name = match op {
            OpRef::Def(def) => program.text(program.def(def).name),
            OpRef::Constant(id) => program.text(program.constants[id.index()].name),
            OpRef::Local(id) => program.text(program.local(id).name),
            OpRef::Subst(id) => program.text(program.subst(id).name),
            OpRef::Builtin(builtin) => builtin.symbol(),
        };
        format!("`{name}`")
    }
}

fn as_expr(arg: Arg) -> Option<ExprId> {
    match arg {
        Arg::Expr(expr) => Some(expr),
        Arg::Op(_) => None,
    }
}

/// The level of an operator itself, the highest that its operands may have, and whether they raise its level.
fn builtin_levels(builtin: Builtin) -> (Level, Level, bool) {
    use Builtin as B;
    use Level as L;
    match builtin {
        B::And | B::Or | B::Not | B::Implies | B::Equiv => (L::Constant, L::Temporal, true),
        B::Prime | B::Unchanged => (L::Action, L::State, false),
        B::Enabled => (L::State, L::Action, false),
        B::Cdot => (L::Action, L::Action, false),
        B::Always | B::Eventually | B::LeadsTo | B::PlusArrow => (L::Temporal, L::Temporal, false),
        _ => (L::Constant, L::Action, true),
    }
}

fn a_level(level: Level) -> &'static str {
    match level {
        Level::Constant => "a constant",
        Level::State => "a state function",
        Level::Action => "an action",
        Level::Temporal => "a temporal formula",
    }
}
