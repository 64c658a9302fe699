//! Packed states against values: from each reachable state the same steps, and the same verdict of each predicate.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use locus_explore::{AtomSet, Model as _, Options};
use locus_source::{SourceFile, Sources};

use super::super::{How, Settings, prepare};
use super::{Machine, example};
use crate::check::{CheckOptions, Engine, check};
use crate::packed::layout::Learned;
use crate::packed::view::View;
use crate::packed::{End, Packed};
use locus_tla_eval::eval::Values;
use locus_tla_eval::value::Means;
use locus_tla_syntax::config::{Model, parse};
use locus_tla_syntax::semantic::{ModuleLoader, NoModules, Specification};

/// The most states of a specification that are compared.
const MOST: usize = 150;

/// The steps from a state as the evaluator finds them, in order: labels and states.
fn steps(machine: &Machine, state: &Values) -> Vec<(u32, Values)> {
    let mut found = Vec::new();
    let mut context = machine.worker();
    let _ = machine.successors(&mut context, state, &mut |_, label, next| {
        found.push((*label, next.clone()));
        ControlFlow::Continue(())
    });
    found
}

/// The values of the predicates on a state and a step: invariants violated, whether it is within, and the atoms.
type Said = (Vec<usize>, bool, AtomSet, Vec<usize>, AtomSet);

fn said<M>(machine: &Machine, model: &M, worker: &mut M::Worker, from: &M::State, to: &M::State) -> Said
where
    M: locus_explore::Explorable<Action = u32>,
{
    let (mut violated, mut of_step) = (Vec::new(), Vec::new());
    let mut atoms = AtomSet::new(machine.state_atoms.len());
    let mut step_atoms = AtomSet::new(machine.step_atoms.len());
    let _ = model.check_state(worker, to, &mut violated);
    let within = model.is_within(worker, to).unwrap_or(false);
    let _ = model.state_atoms(worker, to, &mut atoms);
    let _ = model.check_step(worker, from, &0, to, &mut of_step);
    let _ = model.step_atoms(worker, from, Some(&0), to, &mut step_atoms);
    (violated, within, atoms, of_step, step_atoms)
}

/// The initial states of a model as values, sorted; none if they are not found.
fn initial<M: locus_explore::Model>(model: &M, values: impl Fn(&M::State) -> Values) -> Option<Vec<Values>> {
    let mut found = Vec::new();
    let result = model.initial_states(&mut model.worker(), &mut |_, state| {
        found.push(values(state));
        ControlFlow::Continue(())
    });
    found.sort();
    result.ok().map(|()| found)
}

/// Compares all that is said of the first states of a machine. Gives how many were packed. Where there are several
/// workers, they take turns, so that one knows what another one has found out.
fn compare(machine: &Machine, what: &str, workers: usize) -> usize {
    if !machine.not_packed().is_empty() {
        return 0;
    }
    let Some(first) = example(machine) else { return 0 };
    let mut learned = Learned::default();
    for _ in 0..100 {
        let Some(model) = Packed::new(machine, &first, &learned) else { return 0 };
        let model = model.within(&Options { workers, ..Options::default() });
        let mut hands: Vec<_> = (0..workers).map(|_| model.worker()).collect();
        let begun = initial(&model, |state| model.unpack(state));
        if model.packing.ended().is_none() {
            assert_eq!(begun, initial(machine, Clone::clone), "{what}");
        }
        let mut context = machine.worker();
        let mut seen: Vec<Values> = Vec::new();
        let mut waiting: Vec<_> = Vec::new();
        let begun = model.initial_states(&mut hands[0], &mut |_, state| {
            waiting.push(state.clone());
            if waiting.len() < MOST { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let mut at = 0;
        while begun.is_ok() && at < waiting.len() && seen.len() < MOST {
            let state = waiting[at].clone();
            at += 1;
            let values = model.unpack(&state);
            if seen.contains(&values) {
                continue;
            }
            seen.push(values.clone());
            let worker = &mut hands[seen.len() % workers];
            let mut found = Vec::new();
            let mut packed = Vec::new();
            let result = model.successors(worker, &state, &mut |_, label, next| {
                found.push((*label, model.unpack(next)));
                packed.push(next.clone());
                ControlFlow::Continue(())
            });
            if model.packing.ended().is_some() {
                break;
            }
            let pairs: Vec<_> = packed.iter().zip(found.iter().map(|(_, values)| values.clone())).collect();
            for (next, next_values) in &pairs {
                let expected = said(machine, machine, &mut context, &values, next_values);
                let got = said(machine, &model, worker, &state, next);
                if model.packing.ended().is_some() {
                    break;
                }
                assert_eq!(got, expected, "{what}: {values:?} -> {next_values:?}");
            }
            // Under a view it may matter which state is met first.
            let mut expected = steps(machine, &values);
            if !View::of(machine.view.as_ref(), values.len()).is_partial() {
                found.sort();
                expected.sort();
            }
            if result.is_ok() {
                assert_eq!(found, expected, "{what}: {values:?}");
            }
            waiting.extend(packed);
        }
        match model.packing.ended() {
            Some(End::Misfit(misfit)) if learned.learn(misfit.clone()) => {}
            Some(_) => return 0,
            None => return seen.len(),
        }
    }
    0
}

struct Beside(std::path::PathBuf);

impl ModuleLoader for Beside {
    fn load(&self, sources: &Sources, name: &str) -> Option<Result<Arc<SourceFile>, String>> {
        let text = std::fs::read_to_string(self.0.join(format!("{name}.tla"))).ok()?;
        Some(Ok(sources.add(name, text)))
    }
}

/// Compares a specification both ways; gives how many states were packed, and checks that the whole search agrees.
fn both_ways(name: &str, module: &str, config: &str, loader: &dyn ModuleLoader, whole: bool) -> usize {
    let sources = Sources::new();
    let file = sources.add(format!("{name}.tla"), module);
    let loaded = Specification::load(&sources, &file, loader, locus_tla_eval::standard::text);
    let mut specification = loaded.specification.unwrap_or_else(|| panic!("{:?}\n{module}", loaded.findings));
    let file = sources.add("Spec.cfg", config);
    let tree = parse(file.id(), file.text()).tree.expect("a configuration");
    let (model, _) = Model::resolve(&tree, &mut specification, &sources, file.id());
    let settings = Settings { started: Instant::now(), deadlock: true, workers: 1, simulation: None };
    let means = Arc::new(Means::default());
    let Ok((setup, _)) = prepare(&sources, specification.program(), &model, How::default(), settings, &means)
    else {
        return 0;
    };
    let compared = compare(&setup.machine, module, 1 + module.len() % 2);
    if whole {
        let run = |engine, coverage| {
            let options = CheckOptions { engine, coverage, states: Some(20_000), ..CheckOptions::default() };
            let result = check(&sources, &specification, &model, &options);
            (
                result.verdict,
                result.generated,
                result.distinct,
                result.depth,
                result.trace.len(),
                result.message,
            )
        };
        let (values, packed) = (run(Engine::Values, false), run(Engine::Packed, false));
        assert_eq!(values, run(Engine::Values, true), "counting changes nothing: {module}");
        if values.0 == crate::check::Verdict::Ok {
            assert_eq!(values, packed, "{module}");
        } else {
            assert_eq!((values.0, values.4), (packed.0, packed.4), "{module}\n{values:?}\n{packed:?}");
        }
    }
    compared
}

#[test]
fn the_specifications_of_this_repository_are_the_same_both_ways() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("specs");
    let mut compared = 0;
    let listed = |path: &Path| {
        let mut files: Vec<_> = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    };
    for folder in listed(&root).into_iter().filter(|path| path.is_dir()) {
        let files = listed(&folder);
        for cfg in files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "cfg")) {
            let stem = cfg.file_stem().unwrap().to_str().unwrap();
            let module =
                (1..=stem.len()).rev().map(|end| cfg.with_file_name(format!("{}.tla", &stem[..end])));
            let Some(module) = module.into_iter().find(|path| path.is_file()) else { continue };
            let name = module.file_stem().unwrap().to_str().unwrap();
            let text = std::fs::read_to_string(&module).unwrap();
            let config = std::fs::read_to_string(cfg).unwrap();
            compared += both_ways(name, &text, &config, &Beside(folder.clone()), false);
        }
    }
    assert!(compared > 300, "{compared}");
}

/// Random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// Variables of every shape: a number, a function, a function of functions, a record, a function to records, a set that
/// grows, a function to sets, a sequence.
const INIT: &str =
    "n = 0 /\\ f = [p \\in P |-> 0] /\\ g = [p \\in P |-> [q \\in P |-> FALSE]] /\\ r = [a |-> 0, b |-> {}]
    /\\ h = [p \\in P |-> [at |-> 1, of |-> p]] /\\ s = {} /\\ t = [p \\in P |-> {}] /\\ w = <<>>";

/// The same with several values for some of them, of which a condition that stands behind them leaves some.
fn many_initial(random: &mut Random) -> String {
    let (left, right) = (condition(random), condition(random));
    let rest =
        random.one(&["n >= 0", "(\\E p \\in P : <<p, p>> \\in s \\/ f[p] = n)", "h = [p \\in P |-> h[p]]"]);
    format!(
        "n \\in 0..2 /\\ f \\in [P -> 0..1] /\\ g = [p \\in P |-> [q \\in P |-> p = q]] /\\ r = [a |-> 0, b |-> {{}}]
    /\\ h = [p \\in P |-> [at |-> 1, of |-> p]] /\\ s \\in SUBSET {{<<p, p>> : p \\in P}} /\\ t = [p \\in P |-> {{}}] /\\ w = <<>>
    /\\ (\\A p, q \\in P : ({left}) \\/ ({right})) /\\ {rest}"
    )
}

fn number(random: &mut Random) -> &'static str {
    random.one(&[
        "n",
        "f[p]",
        "f[q]",
        "r.a",
        "h[p].at",
        "h[q].at",
        "Len(w)",
        "Cardinality(s)",
        "Cardinality(t[p])",
        "1",
        "2",
        "Cardinality({y \\in s : y[1] = p})",
        "(IF g[p][q] THEN n ELSE f[h[p].of])",
        "(LET y == h[q] IN y.at)",
        "Cardinality({y \\in P : f[y] = n})",
        "(CHOOSE y \\in 0..3 : y >= n % 3)",
        "Sum(f)",
        "(Total([y \\in P |-> f[y] + n], P) % 3)",
    ])
}

fn condition(random: &mut Random) -> String {
    let (a, b) = (number(random), number(random));
    match random.below(14) {
        0 => format!("{a} < {b}"),
        1 => format!("{a} = {b}"),
        2 => "<<p, q>> \\in s".to_owned(),
        3 => "q \\in t[p]".to_owned(),
        4 => "g[p][q]".to_owned(),
        5 => format!("\\E x \\in s : x[1] = p /\\ f[x[2]] <= {a}"),
        6 => "\\A x \\in s : x[1] = p => x[2] \\in t[p]".to_owned(),
        7 => "s \\subseteq (P \\X {p})".to_owned(),
        8 => format!("\\A x \\in P : f[x] <= {a} \\/ x = q"),
        9 => "w # <<>> /\\ Head(w) = p".to_owned(),
        10 => "DOMAIN h = P /\\ r.b = {}".to_owned(),
        11 => format!("(IF {a} > 1 THEN p # q ELSE TRUE)"),
        12 => format!("ENABLED (n' = n + {a} /\\ n' < {b})"),
        _ => "t[p] \\cap r.b = {}".to_owned(),
    }
}

/// A conjunct that gives a variable its next value, or leaves it alone.
fn change(var: &str, random: &mut Random) -> String {
    let a = number(random);
    match (var, random.below(5)) {
        (_, 0) => format!("UNCHANGED {var}"),
        ("n", 1) => "n' \\in {n, (n + 1) % 3}".to_owned(),
        ("n", _) => format!("n' = ({a} + 1) % 4"),
        ("f", 1) => format!("f' = [f EXCEPT ![p] = (@ + {a}) % 3]"),
        ("f", 2) => format!("f' = [x \\in P |-> IF x = q THEN {a} % 3 ELSE f[x]]"),
        ("f", 3) => "f' = [f EXCEPT ![p] = f[q], ![q] = f[p]]".to_owned(),
        ("f", _) => "f' = [x \\in P |-> IF f[x] > 1 THEN 0 ELSE f[p]]".to_owned(),
        ("g", 1) => format!("g' = [g EXCEPT ![p][q] = {a} > 1]"),
        ("g", 2) => "g' = [g EXCEPT ![p] = [@ EXCEPT ![q] = ~@]]".to_owned(),
        ("g", _) => "g' = [g EXCEPT ![p] = g[q]]".to_owned(),
        ("r", 1) => format!("r' = [r EXCEPT !.a = ({a} + @) % 3, !.b = @ \\cup {{p}}]"),
        ("r", 2) => "r' = [r EXCEPT !.b = @ \\ {p}]".to_owned(),
        ("r", _) => format!("r' = [a |-> {a} % 3, b |-> r.b]"),
        ("h", 1) => format!("h' = [h EXCEPT ![p].at = {a} % 3]"),
        ("h", 2) => "h' = [h EXCEPT ![p] = [@ EXCEPT !.of = q]]".to_owned(),
        ("h", _) => "h' = [h EXCEPT ![q].of = h[p].of, ![p].at = (@ + 1) % 3]".to_owned(),
        ("s", 1) => "s' = s \\ {<<p, q>>}".to_owned(),
        ("s", 2) => "s' = (s \\ {<<p, q>>}) \\cup {<<q, p>>}".to_owned(),
        ("s", 3) => "s' = {x \\in s : x[1] # p}".to_owned(),
        ("s", _) => "s' = s \\cup {<<p, q>>}".to_owned(),
        ("t", 1) => "t' = [t EXCEPT ![p] = @ \\cup {q}]".to_owned(),
        ("t", 2) => "t' = [t EXCEPT ![p] = @ \\ {p}]".to_owned(),
        ("t", _) => "t' = [t EXCEPT ![q] = t[p] \\cup r.b]".to_owned(),
        ("w", 1) => "w' = IF w = <<>> THEN w ELSE Tail(w)".to_owned(),
        _ => "w' = IF Len(w) < 2 THEN Append(w, p) ELSE <<q>>".to_owned(),
    }
}

fn action(random: &mut Random) -> String {
    let mut parts: Vec<String> = (0..random.below(3)).map(|_| format!("({})", condition(random))).collect();
    let mut vars = ["n", "f", "g", "r", "h", "s", "t", "w"];
    for i in (1..vars.len()).rev() {
        vars.swap(i, random.below(i + 1));
    }
    let changed = 1 + random.below(3);
    for (i, var) in vars.iter().enumerate() {
        parts.push(if i < changed {
            format!("({})", change(var, random))
        } else {
            format!("UNCHANGED {var}")
        });
        if i == changed && random.below(4) == 0 {
            let asked =
                random.one(&["n' # 3", "f'[p] <= 2", "(\\E x \\in P : f'[x] = 0)", "h'[q].at = h[q].at"]);
            parts.push(asked.to_owned());
        }
    }
    if random.below(5) == 0 {
        // What stands behind all assignments is a condition, true in one way.
        parts.push("(\\E x \\in P : f'[x] = n \\/ x = p)".to_owned());
    }
    if random.below(3) == 0 {
        // Ways in the midst of an action.
        let at = random.below(2).min(parts.len());
        parts.insert(at, "((\\E x \\in s : x[1] = q) \\/ n < 2)".to_owned());
    }
    parts.join(" /\\ ")
}

fn specification(seed: u64) -> (String, String) {
    let mut random = Random(seed);
    let mut actions = Vec::new();
    let init = if seed % 4 == 2 { many_initial(&mut random) } else { INIT.to_owned() };
    for _ in 0..2 + random.below(3) {
        let bounds = random.one(&[
            "\\E p \\in P, q \\in P : ",
            "\\E p \\in P : \\E q \\in P \\ {p} : ",
            "\\E p, q \\in P : ",
            "\\E e \\in s : LET p == e[1] q == e[2] IN ",
            "\\E p \\in P : \\E q \\in t[p] : ",
        ]);
        let second =
            if random.below(8) == 0 { format!(" \\cdot ({})", action(&mut random)) } else { String::new() };
        actions.push(format!("({bounds}(({}){second}))", action(&mut random)));
    }
    let invariant =
        format!("\\A p, q \\in P : ({}) \\/ ({})", condition(&mut random), condition(&mut random));
    // Actions as predicates on steps.
    let bounds = "\\E p, q \\in P : ";
    let (does, again) = (action(&mut random), action(&mut random));
    let (symmetric, count) = (seed.is_multiple_of(3), 2 + random.below(2));
    let set = if symmetric { "CONSTANT P".to_owned() } else { format!("P == 1..{count}") };
    let module = format!(
        "---- MODULE Spec ----\nEXTENDS Integers, FiniteSets, Sequences, TLC\nVARIABLES n, f, g, r, h, s, t, w\n{set}\nPerms == Permutations(P)\n\
         RECURSIVE Total(_, _)\nTotal(k, S) == IF S = {{}} THEN 0 ELSE LET y == CHOOSE z \\in S : TRUE IN k[y] + Total(k, S \\ {{y}})\n\
         Sum(k) == Total(k, DOMAIN k)\nInit == {init}\nNext == {}\n\
         Type == f \\in [P -> 0..9] /\\ h \\in [P -> [at : 0..9, of : P]] /\\ t \\in [P -> SUBSET P] /\\ s \\subseteq P \\X P /\\ s \\in SUBSET (P \\X P)\n\
         vars == <<n, f, g, r, h, s, t, w>>\nAll == <<n, f, <<g, r>>, <<h, s, t>>, w>>\n\
         Part == <<f, [of |-> s, at |-> n]>>\nMixed == <<n, s, Cardinality(DOMAIN f), {{f[p] : p \\in P}}, Total(f, P), t>>\n\
         Does == [][({bounds}({does})) \\/ n' # n \\/ UNCHANGED <<f, s>>]_vars\nAgain == []<><<{bounds}({again})>>_vars \\/ <>[](n = 0)\n\
         Inv == {invariant}\nSmall == n < 9\nLive == []<>(n = 0) \\/ <>(\\E p \\in P : f[p] = 2 /\\ ENABLED (n' \\in {{f[p], n}} /\\ n' > n))\nGrows == [][s \\subseteq s' \\/ n' # n \\/ f' = f]_<<s, n, f>>\n====",
        actions.join("\n  \\/ "),
    );
    let extra = random.one(&[
        "",
        "INVARIANT Inv",
        "PROPERTY Grows",
        "CONSTRAINT Small",
        "PROPERTY Live",
        "PROPERTY Does",
        "PROPERTY Again",
        "VIEW All",
        "VIEW Part",
        "VIEW Mixed",
    ]);
    // Under a symmetry, a temporal property depends on which of several states was found first.
    let symmetry = match (symmetric, extra) {
        (false, _) => "",
        (true, "PROPERTY Live" | "PROPERTY Again") => "CONSTANT P = {a, b, c}",
        (true, _) => "CONSTANT P = {a, b, c} SYMMETRY Perms",
    };
    (module, format!("INIT Init NEXT Next CHECK_DEADLOCK FALSE INVARIANT Type {extra} {symmetry}"))
}

#[test]
fn random_specifications_are_the_same_both_ways() {
    let mut compared = 0;
    for seed in 0..150 {
        let (module, config) = specification(seed * 7919 + 1);
        compared += both_ways("Spec", &module, &config, &NoModules, seed % 2 == 0);
    }
    assert!(compared > 3000, "{compared}");
}

/// A counter that the view hides bounds what can be done, so that it matters which of several states with the same view
/// is met first: the elements of a set come in their order, and not in that in which they were met.
#[test]
fn views_that_hide_what_matters_are_the_same_both_ways() {
    let module = r"
---- MODULE Spec ----
EXTENDS Integers, FiniteSets
VARIABLES sent, got, left, last
Messages == [to : 1..3, n : 0..2]
Init == sent = {} /\ got = [p \in 1..3 |-> 0] /\ left = 7 /\ last = 0
Send == \E m \in Messages : /\ (sent # {} \/ m.to = 3) /\ m \notin sent /\ left > m.to /\ sent' = sent \cup {m}
                            /\ left' = left - m.to /\ last' = m.n /\ UNCHANGED got
Get == \E m \in sent : /\ got[m.to] + m.n < 3 + last /\ got' = [got EXCEPT ![m.to] = @ + m.n]
                       /\ sent' = sent \ {m} /\ left' = left + (m.n % 2) /\ last' = (last + m.to) % 3
Next == Send \/ Get
Seen == <<sent, <<got>>>>
Counted == [sent |-> sent, total |-> got[1] + got[2] + got[3], none |-> left = 0]
Few == Cardinality(sent) <= 3
Inv == \A p \in 1..3 : got[p] < 6
====";
    for view in ["Seen", "Counted"] {
        let config =
            format!("INIT Init NEXT Next CONSTRAINT Few INVARIANT Inv CHECK_DEADLOCK FALSE VIEW {view}");
        let compared = both_ways("Spec", module, &config, &NoModules, true);
        assert!(compared >= 100, "{view}: {compared}");
    }
}

#[test]
fn invariants_with_enabled_are_the_same_both_ways() {
    let module = r"
---- MODULE Spec ----
EXTENDS Integers, FiniteSets
P == 1..4
VARIABLES turn, has, queue
vars == <<turn, has, queue>>
Init == turn = [p \in P |-> 0] /\ has = {} /\ queue \in SUBSET P
Ask(p) == p \notin queue /\ turn[p] < 2 /\ queue' = queue \cup {p} /\ UNCHANGED <<turn, has>>
Take(p) == p \in queue /\ has = {} /\ has' = {p} /\ queue' = queue \ {p} /\ UNCHANGED turn
Give(p) == p \in has /\ has' = {} /\ turn' = [turn EXCEPT ![p] = @ + 1] /\ UNCHANGED queue
Next == \E p \in P : Ask(p) \/ Take(p) \/ Give(p)
Spec == Init /\ [][Next]_vars /\ \A p \in P : WF_vars(Take(p)) /\ SF_vars(Give(p))
One == \A p \in P : ENABLED Take(p) => has = {}
Held == \A p \in P : (ENABLED Give(p)) = (p \in has)
Always == [](\A p \in P : ENABLED Give(p) => ~ ENABLED Take(p))
Never == \A p \in P : turn[p] = 2 => ~ ENABLED Take(p)
Emptied == []<>(has = {})
====";
    let config = "SPECIFICATION Spec CHECK_DEADLOCK FALSE INVARIANTS One Held";
    for (more, least) in [("PROPERTIES Always Emptied", 100), ("INVARIANT Never", 100)] {
        let compared = both_ways("Spec", module, &format!("{config} {more}"), &NoModules, true);
        assert!(compared >= least, "{more}: {compared}");
    }
}

#[test]
fn what_initial_predicates_ask_of_given_variables_is_the_same_both_ways() {
    let module = r"
---- MODULE Spec ----
EXTENDS Integers, FiniteSets
VARIABLES x, y, z, s
Init == /\ x \in 0..20
        /\ y \in 0..20
        /\ s \in SUBSET {1, 2, 3}
        /\ z \in 0..1
        /\ \/ x = y /\ z = 0
           \/ \E k \in s : y = x + k
           \/ (LET m == x - y IN m = 4 /\ x = y + m) /\ y \in {7, 9}
        /\ z = (IF Cardinality(s) > 1 THEN 1 ELSE 0)
        /\ \A k \in s : x # k \/ (x = y /\ s = {k})
Next == x' = (x + 1) % 21 /\ y' = (y + 3) % 21 /\ z' = 1 - z /\ s' = s
Inv == x < 100
====";
    let compared = both_ways("Spec", module, "INIT Init NEXT Next INVARIANT Inv", &NoModules, true);
    assert!(compared >= 100, "{compared}");
}
