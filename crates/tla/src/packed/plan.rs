//! Actions and predicates taken apart, so that each part reads as little of the state as possible.
//!
//! Where an action goes several ways, by a disjunction or by `\E` over a set that is the same in every state, there is
//! a part for each; where it goes through a set of the state that has a bit for each element, one for each element. A
//! part is the whole action, of which one way is taken ([`Choices`]). Conditions that come before the ways
//! are asked first, once for all of them.

use rustc_hash::FxHashSet;

use locus_tla_eval::eval::ir::{Act, ActId, ActKind, Bind, Kind, Node, Pattern, Slot, Var};
use locus_tla_eval::eval::{Choices, Context, NO_LABEL, with_stack};
use locus_tla_eval::value::{Symbolic, Value};

use super::exchange::{Asking, PartId, Subject};
use super::layout::{FieldId, ShapeId, ShapeKind};
use super::memo::Memo;
use super::switch::{self, Switch};
use super::{Packing, trace};

/// The most ways that one bound makes.
const MAX_WAYS: usize = 256;
/// The most parts of actions and predicates in all.
const MAX_PARTS: usize = 100_000;
/// The most disjunctions of which one way is taken: of those that follow one another there are twice as many parts with
/// each.
const MAX_CHOSEN: usize = 8;

/// An action taken apart.
#[derive(Debug)]
pub(crate) enum Plan<'m> {
    All(Several<'m>),
    /// Only if these conditions are true.
    Gate(u32, Vec<&'m Node>, Choices, Box<Plan<'m>>),
    /// A plan for each element of a set.
    Elements(Box<Elements<Plan<'m>>>),
    One(u32, Choices),
    /// The same as the plan before it, in pieces.
    Pieces(Box<Pieces<'m>>),
}

/// Plans that are all followed, but for those that are ruled out.
#[derive(Default, Debug)]
pub(crate) struct Several<'m> {
    pub(crate) plans: Vec<Plan<'m>>,
    pub(crate) switch: Switch,
}

impl<'m> Several<'m> {
    /// No more than a switch is for are beside each other.
    fn new(plans: Vec<Plan<'m>>) -> Self {
        let mut flat = Vec::new();
        for plan in plans {
            match plan {
                Plan::All(inner) => flat.extend(inner.plans),
                plan => flat.push(plan),
            }
        }
        while flat.len() > switch::MOST {
            let mut outer = Vec::new();
            while !flat.is_empty() {
                let rest = flat.split_off(flat.len().min(switch::MOST));
                outer.push(Plan::All(Self { plans: flat, switch: Switch::default() }));
                flat = rest;
            }
            flat = outer;
        }
        Self { plans: flat, switch: Switch::default() }
    }
}

/// An action that goes one way, in pieces that are looked up one by one. That is slower where all of it can be looked
/// up at once, but a piece reads less than all of them.
#[derive(Debug)]
pub(crate) struct Pieces<'m> {
    /// The region of the whole action.
    pub(crate) region: u32,
    pub(crate) choices: Choices,
    pub(crate) label: u32,
    pub(crate) all: Vec<(u32, Piece<'m>)>,
    /// In how many states it was looked for, and how often a piece was not known when that was last looked at.
    pub(crate) walked: u32,
    pub(crate) missed: u64,
}

/// A piece of an action.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Piece<'m> {
    Condition(&'m Node),
    /// The next value of a variable; with a place in it, and the slot for the argument, the part there of a function.
    Value(Var, Option<(usize, Slot)>, &'m Node),
}

/// A predicate taken apart.
#[derive(Debug)]
pub(crate) enum Test<'m> {
    One(u32, &'m Node, Choices),
    /// The same for a part of an action that is but a condition.
    Act(u32, &'m Act, Choices),
    All(Vec<Test<'m>>),
    Any(Vec<Test<'m>>, Switch),
    Not(Box<Test<'m>>),
    /// For all elements of a set, or for one.
    Elements(bool, &'m Node, Box<Elements<Test<'m>>>),
    /// Whether a part of the state is in a set.
    Member(u32, ShapeId, Value),
    /// Whether a set of the state is a subset of another one.
    Within(Box<Within>),
    /// Whether a variable has a certain value in the next state.
    Becomes(Box<Becomes<'m>>),
    /// Whether variables keep their values.
    Same(Box<Same<'m>>),
    /// Several of these that are looked up at once, as long as that is of use.
    Group(Box<Group<'m>>),
}

/// The memberships that have been asked already of a state of which everything that is asked must be true.
#[derive(Default)]
pub(crate) struct Asked(FxHashSet<(u32, Value)>);

impl Asked {
    /// Whether this is new: a part of the state, and the set that it must be in.
    fn is_new(&mut self, part: u32, set: &Value) -> bool {
        // Others take long to be compared.
        !matches!(set, Value::Set(_) | Value::Interval(_)) || self.0.insert((part, set.clone()))
    }
}

impl Test<'_> {
    /// Takes out what was asked before, such as a type invariant that is part of another one. None if nothing is left.
    pub(crate) fn but_for(self, asked: &mut Asked) -> Option<Self> {
        match self {
            Test::Member(region, shape, set) => {
                asked.is_new(shape, &set).then_some(Test::Member(region, shape, set))
            }
            Test::All(tests) => {
                let mut left: Vec<Self> = tests.into_iter().filter_map(|test| test.but_for(asked)).collect();
                match left.len() {
                    0 => None,
                    1 => left.pop(),
                    _ => Some(Test::All(left)),
                }
            }
            Test::Group(group) if matches!(group.tests, Test::All(_)) => {
                let Group { region, tests } = *group;
                let tests = tests.but_for(asked)?;
                Some(if matches!(tests, Test::All(_)) {
                    Test::Group(Box::new(Group { region, tests }))
                } else {
                    tests
                })
            }
            test => Some(test),
        }
    }
}

/// Tests that are looked up at once.
#[derive(Debug)]
pub(crate) struct Group<'m> {
    /// None if it is of no use.
    pub(crate) region: Option<u32>,
    pub(crate) tests: Test<'m>,
}

/// Whether a set of the state that has a bit for each element is a subset of another one.
#[derive(Debug)]
pub(crate) struct Within {
    pub(crate) field: FieldId,
    pub(crate) set: Value,
    /// The elements that are in the other set, as bits, as far as it was asked.
    pub(crate) good: Vec<u32>,
    pub(crate) asked: usize,
}

/// `x' = e`: what `e` writes is found out as for an action, so that nothing of the next state needs to be kept.
#[derive(Debug)]
pub(crate) struct Becomes<'m> {
    pub(crate) region: u32,
    pub(crate) var: Var,
    pub(crate) value: &'m Node,
    /// All of it.
    pub(crate) node: &'m Node,
    pub(crate) choices: Choices,
}

/// `UNCHANGED`: the words of a state in which the variables are, and which bits of them.
#[derive(Debug)]
pub(crate) struct Same<'m> {
    pub(crate) bits: Vec<(u32, u32)>,
    /// All of it.
    pub(crate) node: &'m Node,
    pub(crate) choices: Choices,
}

/// Something for each element of a set of the state, made when the element is first met.
#[derive(Debug)]
pub(crate) struct Elements<T> {
    pub(crate) field: FieldId,
    pub(crate) slot: Slot,
    pub(crate) choices: Choices,
    /// How many conditions have been asked already.
    pub(crate) asked: usize,
    pub(crate) made: Vec<Option<T>>,
    /// The elements for which there is something to be done, as bits.
    pub(crate) live: Vec<u32>,
    /// The places of the elements in their order, if they are to be met in it.
    pub(crate) ranks: Vec<u32>,
}

/// Takes actions and predicates apart. The context is in some state, and its trace is there.
pub(crate) struct Planner<'a> {
    pub(crate) packing: &'a Packing,
    pub(crate) context: &'a mut Context,
    pub(crate) memo: &'a mut Memo,
}

impl Plan<'_> {
    /// Whether there are no successors in any state.
    pub(crate) fn is_dead(&self, memo: &Memo) -> bool {
        match self {
            Plan::One(region, _) | Plan::Gate(region, ..) => memo.is_dead(*region),
            Plan::All(several) => several.plans.iter().all(|plan| plan.is_dead(memo)),
            Plan::Elements(_) | Plan::Pieces(_) => false,
        }
    }
}

/// The conditions and variables on the way to the first place where an action branches.
#[derive(Default)]
struct Way<'m> {
    conditions: Vec<&'m Node>,
    /// Whether a variable may have got a value, or what comes is not certain to be reached.
    is_past: bool,
    given: Vec<bool>,
}

enum Fork<'m> {
    /// None: there is one way.
    None,
    Or(ActId, usize),
    Exists(&'m [Bind]),
    /// There may be several, but they are not looked into.
    Stop,
}

impl Way<'_> {
    /// Whether all variables may have values, so that what follows is but a condition.
    fn is_settled(&self) -> bool {
        self.given.iter().all(|given| *given)
    }
}

impl<'m> Way<'m> {
    fn give(&mut self, var: u32) {
        self.is_past = true;
        self.given[var as usize] = true;
    }

    fn follow(&mut self, act: &'m Act, choices: &Choices) -> Fork<'m> {
        with_stack(|| self.follow_act(act, choices))
    }

    fn follow_act(&mut self, act: &'m Act, choices: &Choices) -> Fork<'m> {
        match &act.kind {
            ActKind::Guard(node) => {
                if !self.is_past {
                    self.conditions.push(node);
                }
                Fork::None
            }
            ActKind::Assign(var, _) => {
                self.give(*var);
                Fork::None
            }
            ActKind::Keep(vars, _) => {
                vars.iter().for_each(|var| self.give(*var));
                Fork::None
            }
            ActKind::Seq(acts) => {
                for act in acts {
                    match self.follow(act, choices) {
                        Fork::None => {}
                        fork => return fork,
                    }
                }
                Fork::None
            }
            ActKind::Or(acts) => self.disjunction(act, acts, choices),
            ActKind::Choice(choice) => self.disjunction(act, &choice.acts, choices),
            ActKind::Exists(binds, body) => {
                if binds.iter().all(|bind| is_pinned(choices, bind)) {
                    return self.follow(body, choices);
                }
                if self.is_settled() { Fork::Stop } else { Fork::Exists(binds) }
            }
            ActKind::Label(_, inner) | ActKind::Scope(_, inner) => self.follow(inner, choices),
            ActKind::If(_, branches) => {
                let outer = std::mem::replace(&mut self.is_past, true);
                let is_single =
                    branches.iter().all(|branch| matches!(self.follow(branch, choices), Fork::None));
                self.is_past |= outer;
                if is_single { Fork::None } else { Fork::Stop }
            }
            _ => Fork::Stop,
        }
    }

    fn disjunction(&mut self, act: &'m Act, acts: &'m [Act], choices: &Choices) -> Fork<'m> {
        match choices.chosen(act.id) {
            Some(part) => self.follow(&acts[part], choices),
            None if self.is_settled() || choices.chosen.len() >= MAX_CHOSEN => Fork::Stop,
            None => Fork::Or(act.id, acts.len()),
        }
    }
}

/// The pieces of an action that goes one way.
struct Straight<'m> {
    label: u32,
    pieces: Vec<Piece<'m>>,
    given: Vec<bool>,
}

impl<'m> Straight<'m> {
    /// False if there is more than conditions and values for variables.
    fn follow(&mut self, act: &'m Act, choices: &Choices) -> bool {
        with_stack(|| self.follow_act(act, choices))
    }

    fn follow_act(&mut self, act: &'m Act, choices: &Choices) -> bool {
        match &act.kind {
            ActKind::Guard(node) => {
                self.pieces.push(Piece::Condition(node));
                true
            }
            ActKind::Assign(var, node) => {
                self.pieces.push(Piece::Value(*var, None, node));
                !std::mem::replace(&mut self.given[*var as usize], true)
            }
            ActKind::Keep(vars, _) => {
                vars.iter().all(|var| !std::mem::replace(&mut self.given[*var as usize], true))
            }
            ActKind::Seq(acts) => acts.iter().all(|act| self.follow(act, choices)),
            ActKind::Or(acts) => self.disjunction(act, acts, choices),
            ActKind::Choice(choice) => self.disjunction(act, &choice.acts, choices),
            ActKind::Exists(binds, body) => {
                binds.iter().all(|bind| is_pinned(choices, bind)) && self.follow(body, choices)
            }
            ActKind::Label(label, inner) => {
                self.label = *label;
                self.follow(inner, choices)
            }
            ActKind::Scope(_, inner) => self.follow(inner, choices),
            _ => false,
        }
    }

    fn disjunction(&mut self, act: &Act, acts: &'m [Act], choices: &Choices) -> bool {
        choices.chosen(act.id).is_some_and(|part| self.follow(&acts[part], choices))
    }
}

/// Whether there is a value for what a bound binds.
fn is_pinned(choices: &Choices, bind: &Bind) -> bool {
    match bind.pattern {
        Pattern::One(slot) => choices.pinned(slot).is_some(),
        Pattern::Tuple(_) => false,
    }
}

impl<'m> Planner<'_> {
    /// The pieces of an action, if it goes one way and there are several.
    pub(crate) fn pieces(&mut self, act: &'m Act, region: u32, choices: &Choices) -> Option<Pieces<'m>> {
        let given = vec![false; self.context.state.len()];
        let mut straight = Straight { label: NO_LABEL, pieces: Vec::new(), given };
        if !straight.follow(act, choices) || straight.given.contains(&false) {
            return None;
        }
        let mut all = Vec::new();
        for piece in straight.pieces {
            let parts = match piece {
                Piece::Value(var, None, node) => self.parts(var, node, choices),
                _ => None,
            };
            for piece in parts.unwrap_or_else(|| vec![piece]) {
                let region = match piece {
                    Piece::Condition(node) => self.truth(node, choices),
                    Piece::Value(_, part, node) => {
                        self.one(Asking::Value(part.map(|(at, _)| at)), node, choices)
                    }
                };
                all.push((region, piece));
            }
        }
        let choices = choices.clone();
        (all.len() > 1).then_some(Pieces {
            region,
            choices,
            label: straight.label,
            all,
            walked: 0,
            missed: 0,
        })
    }

    /// The parts of `[x \in S |-> e]` for a variable that is a function with the domain `S` in every state.
    fn parts(&mut self, var: Var, node: &'m Node, choices: &Choices) -> Option<Vec<Piece<'m>>> {
        let function = match &node.kind {
            Kind::Function(function) if function.this.is_none() => function,
            Kind::ByName(inner) => return self.parts(var, inner, choices),
            Kind::Scope(_, inner) => return self.parts(var, inner, choices),
            _ => return None,
        };
        let [Bind { pattern: Pattern::One(slot), set }] = &*function.binds else { return None };
        let set = self.fixed(set, choices)?;
        let layout = &self.packing.tables.layout;
        let ShapeKind::Function(domain, parts) = &layout.shapes[layout.roots[var as usize] as usize].kind
        else {
            return None;
        };
        let part = |at| Piece::Value(var, Some((at, *slot)), &function.body);
        set.same(&domain.set(parts.len())).then(|| (0..parts.len()).map(part).collect())
    }

    /// Room for what is found out of a part of the specification.
    fn one(&mut self, asking: Asking, part: impl Into<PartId>, choices: &Choices) -> u32 {
        let exchange = self.packing.exchange.as_ref();
        self.memo
            .region(exchange.and_then(|exchange| exchange.number(Subject::new(asking, part.into(), choices))))
    }

    /// Room for the value of a term of a view.
    pub(crate) fn term(&mut self, node: &Node) -> u32 {
        self.one(Asking::Term, node, &Choices::default())
    }

    /// Room for the truth of a condition.
    fn truth(&mut self, node: &Node, choices: &Choices) -> u32 {
        self.one(Asking::True(1), node, choices)
    }

    /// Takes an action apart; `asked` conditions on the way have been asked already.
    pub(crate) fn action(&mut self, act: &'m Act, choices: &Choices, asked: usize) -> Plan<'m> {
        let mut way = Way { given: vec![false; self.context.state.len()], ..Way::default() };
        let fork = way.follow(act, choices);
        let conditions = way.conditions;
        let inner = match fork {
            _ if self.memo.regions() > MAX_PARTS => None,
            Fork::Or(disjunction, count) => {
                let part = |at| {
                    let mut inner = choices.clone();
                    inner.chosen.push((disjunction, at));
                    inner
                };
                Some((0..count).map(part).collect())
            }
            Fork::Exists(binds) => {
                let ways = self.ways(binds, choices);
                if ways.is_none()
                    && let [bind] = binds
                    && let Some(elements) = self.elements(bind, choices, conditions.len())
                {
                    let inner = Plan::Elements(Box::new(elements));
                    return self.gate(&conditions, asked, choices, inner);
                }
                ways
            }
            Fork::None | Fork::Stop => None,
        };
        let Some(ways) = inner else {
            return Plan::One(self.one(Asking::Successors, act, choices), choices.clone());
        };
        let ways: Vec<Choices> = ways;
        let plans = ways.iter().map(|way| self.action(act, way, conditions.len())).collect();
        self.gate(&conditions, asked, choices, Plan::All(Several::new(plans)))
    }

    fn gate(
        &mut self,
        conditions: &[&'m Node],
        asked: usize,
        choices: &Choices,
        inner: Plan<'m>,
    ) -> Plan<'m> {
        if conditions.len() <= asked {
            return inner;
        }
        let conditions = conditions[asked..].to_vec();
        let region = self.one(Asking::True(conditions.len()), conditions[0], choices);
        Plan::Gate(region, conditions, choices.clone(), Box::new(inner))
    }

    /// The values of bounds whose sets are the same in every state.
    fn ways(&mut self, binds: &[Bind], choices: &Choices) -> Option<Vec<Choices>> {
        let mut ways = vec![choices.clone()];
        for bind in binds {
            let Pattern::One(slot) = bind.pattern else { return None };
            let values = self.fixed_elements(&bind.set, choices)?;
            if ways.len() * values.len() > MAX_WAYS {
                return None;
            }
            let longer = |way: &Choices| {
                let way = way.clone();
                values.iter().map(move |value| {
                    let mut longer = way.clone();
                    longer.pins.push((slot, value.clone()));
                    longer
                })
            };
            ways = ways.iter().flat_map(|way| longer(way).collect::<Vec<_>>()).collect();
        }
        Some(ways)
    }

    /// Evaluates something that does not depend on the state, if it does not.
    fn fixed(&mut self, node: &Node, choices: &Choices) -> Option<Value> {
        self.context.begin_part(choices, false);
        let value = self.context.eval(node).ok()?;
        let is_fixed = trace::reads(self.context)?.is_empty();
        is_fixed.then_some(value)
    }

    fn fixed_elements(&mut self, set: &Node, choices: &Choices) -> Option<Vec<Value>> {
        let set = self.fixed(set, choices)?;
        if !set.is_at_most(MAX_WAYS as i64) {
            return None;
        }
        Some(set.explicit("a bound").ok()?.slice.to_vec())
    }

    /// A bound over a set that has a bit for each element.
    fn elements<T>(&mut self, bind: &Bind, choices: &Choices, asked: usize) -> Option<Elements<T>> {
        let Pattern::One(slot) = bind.pattern else { return None };
        self.context.begin_part(choices, false);
        let (spot, _) = self.context.noted_set(&bind.set)?;
        let field = self.field_of(spot.part)?;
        let is_fixed = trace::reads(self.context)?.is_empty();
        let (made, live, ranks) = (Vec::new(), Vec::new(), Vec::new());
        is_fixed.then(|| Elements { field, slot, choices: choices.clone(), asked, made, live, ranks })
    }

    /// Takes a predicate apart.
    pub(crate) fn test(&mut self, node: &'m Node, choices: &Choices) -> Test<'m> {
        if self.memo.regions() > MAX_PARTS {
            return Test::One(self.truth(node, choices), node, choices.clone());
        }
        with_stack(|| self.test_kind(node, choices))
    }

    fn test_kind(&mut self, node: &'m Node, choices: &Choices) -> Test<'m> {
        match &node.kind {
            Kind::And(parts) => {
                let tests = parts.iter().map(|part| self.test(part, choices)).collect();
                self.group(true, tests)
            }
            Kind::Or(parts) => {
                let tests = parts.iter().map(|part| self.test(part, choices)).collect();
                self.group(false, tests)
            }
            Kind::Not(inner) => Test::Not(Box::new(self.test(inner, choices))),
            Kind::Implies(pair) => {
                let premise = Test::Not(Box::new(self.test(&pair[0], choices)));
                let conclusion = self.test(&pair[1], choices);
                self.group(false, vec![premise, conclusion])
            }
            Kind::Scope(_, inner) => self.test(inner, choices),
            Kind::ByName(inner) | Kind::Lazy(_, inner) => self.test(inner, choices),
            Kind::Quantifier(all, body) => {
                if let Some(ways) = self.ways(&body.binds, choices) {
                    let parts = ways.iter().map(|way| self.test(&body.body, way)).collect();
                    return self.group(*all, parts);
                }
                if let [bind] = &*body.binds
                    && let Some(elements) = self.elements(bind, choices, 0)
                {
                    return Test::Elements(*all, &body.body, Box::new(elements));
                }
                Test::One(self.truth(node, choices), node, choices.clone())
            }
            Kind::Unchanged(vars) => {
                let bits = self.bits_of(vars);
                Test::Same(Box::new(Same { bits, node, choices: choices.clone() }))
            }
            Kind::Equal(pair) if let Some(var) = primed(&pair[0]) => {
                let region = self.one(Asking::Becomes, node, choices);
                let (value, choices) = (&pair[1], choices.clone());
                Test::Becomes(Box::new(Becomes { region, var, value, node, choices }))
            }
            Kind::In(pair) => match self.membership(pair, choices) {
                Some(test) => test,
                None => Test::One(self.truth(node, choices), node, choices.clone()),
            },
            _ => Test::One(self.truth(node, choices), node, choices.clone()),
        }
    }

    /// Takes a part of an action apart that is but a condition, since all variables have values.
    pub(crate) fn condition(&mut self, act: &'m Act, choices: &Choices) -> Test<'m> {
        with_stack(|| self.condition_of(act, choices))
    }

    fn condition_of(&mut self, act: &'m Act, choices: &Choices) -> Test<'m> {
        match &act.kind {
            ActKind::Guard(node) => self.test(node, choices),
            ActKind::Seq(acts) | ActKind::Or(acts) => {
                let tests = acts.iter().map(|act| self.condition(act, choices)).collect();
                self.group(matches!(act.kind, ActKind::Seq(_)), tests)
            }
            ActKind::Exists(binds, body) | ActKind::Forall(binds, body, _)
                if let Some(ways) = self.ways(binds, choices) =>
            {
                let tests = ways.iter().map(|way| self.condition(body, way)).collect();
                self.group(matches!(act.kind, ActKind::Forall(..)), tests)
            }
            ActKind::Label(_, inner) | ActKind::Scope(_, inner) => self.condition(inner, choices),
            _ => Test::Act(self.one(Asking::Possible, act, choices), act, choices.clone()),
        }
    }

    /// All of some tests, or any of them.
    fn group(&mut self, all: bool, mut tests: Vec<Test<'m>>) -> Test<'m> {
        if tests.len() == 1 {
            return tests.remove(0);
        }
        // What its tests say is quickly put together again.
        let region = Some(self.memo.region(None));
        let tests = if all { Test::All(tests) } else { Test::Any(tests, Switch::default()) };
        Test::Group(Box::new(Group { region, tests }))
    }

    /// The words in which variables are, each once, and which bits of them.
    fn bits_of(&self, vars: &[Var]) -> Vec<(u32, u32)> {
        let layout = &self.packing.tables.layout;
        let mut masks = vec![0; layout.words];
        for var in vars {
            for &(word, mask) in &layout.shapes[layout.roots[*var as usize] as usize].bits {
                masks[word as usize] |= mask;
            }
        }
        (0..).zip(masks).filter(|(_, mask)| *mask != 0).collect()
    }

    /// Whether a part of the state is in a set that does not depend on the state.
    fn membership(&mut self, pair: &[Node; 2], choices: &Choices) -> Option<Test<'m>> {
        self.context.begin_part(choices, false);
        let shape = self.context.part_of(&pair[0])?;
        if !trace::reads(self.context)?.is_empty() {
            return None;
        }
        let set = self.fixed(&pair[1], choices)?;
        Some(self.member(shape, &set))
    }

    fn member(&mut self, shape: ShapeId, set: &Value) -> Test<'m> {
        if let Some(field) = self.field_of(shape)
            && let Value::Lazy(lazy) = set
            && let Symbolic::Subset(set) = &lazy.kind
        {
            let set = set.clone();
            return Test::Within(Box::new(Within { field, set, good: Vec::new(), asked: 0 }));
        }
        let parts_of = || -> Option<Vec<(ShapeId, Value)>> {
            let shape = &self.packing.tables.layout.shapes[shape as usize];
            let (ShapeKind::Function(domain, parts), Value::Lazy(lazy)) = (&shape.kind, set) else {
                return None;
            };
            let own = domain.set(parts.len());
            match &lazy.kind {
                Symbolic::Functions(domain, range) if domain.same(&own) => {
                    Some(parts.iter().map(|part| (*part, range.clone())).collect())
                }
                Symbolic::Records(names, sets) if Value::Set(names.clone()).same(&own) => {
                    Some(parts.iter().copied().zip(sets.iter().cloned()).collect())
                }
                _ => None,
            }
        };
        match parts_of() {
            Some(parts) => {
                let tests = parts.iter().map(|(part, set)| self.member(*part, set)).collect();
                self.group(true, tests)
            }
            None => Test::Member(self.memo.region(None), shape, set.clone()),
        }
    }

    /// The field of a set with a bit for each element.
    fn field_of(&self, shape: ShapeId) -> Option<FieldId> {
        match self.packing.tables.layout.shapes[shape as usize].kind {
            ShapeKind::Set(field) => Some(field),
            _ => None,
        }
    }
}

/// The variable of which an expression is the value in the next state.
fn primed(node: &Node) -> Option<Var> {
    match &node.kind {
        Kind::Primed(var) => Some(*var),
        Kind::ByName(inner) => primed(inner),
        _ => None,
    }
}
