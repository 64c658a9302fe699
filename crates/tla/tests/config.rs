//! Configurations: what is read, what is found in a specification, what is refused.

#![allow(clippy::format_collect, reason = "texts of tests are short")]

mod common;

use std::fmt::Write as _;
use std::sync::Arc;

use locus_source::{SourceFile, Sources};
use locus_tla::config::{Binding, Model, parse};
use locus_tla::semantic::{ExprId, ExprKind, ModuleLoader, Specification};

const NATURALS: &str = "---- MODULE Naturals ----\nNat == {}\na + b == {a, b}\na .. b == {a, b}\n====\n";
const SPEC: &str = r"---- MODULE Spec ----
EXTENDS Naturals, Base
CONSTANTS N, Procs, Op(_, _), Null
VARIABLE x
NoValue == CHOOSE v : v \notin Procs
Small == 0..3
Plus(a, b) == a + b + x
Init == x = 0
Next == x' = Op(x, N)
Live == <>(x = 1)
Inv == x \in Nat
Sym == {Procs}
Full == Init /\ [][Next]_x
I == INSTANCE Other WITH y <- x
Mine(a) == LET O == INSTANCE Base IN O!Twice(a)
Use == Twice(1)
Between == Small
Loop == {Between}
Once == {Small}
====
";
const OTHER: &str = "---- MODULE Other ----\nEXTENDS Naturals\nVARIABLE y\nInv == y \\in Nat\n====\n";

const BASE: &str =
    "---- MODULE Base ----\nVARIABLE z\nTwice(a) == <<a, z>>\nThrice(a) == <<Twice(a), a>>\n====\n";

struct Beside;

impl ModuleLoader for Beside {
    fn load(&self, sources: &Sources, name: &str) -> Option<Result<Arc<SourceFile>, String>> {
        let text = match name {
            "Naturals" => NATURALS,
            "Other" => OTHER,
            "Base" => BASE,
            _ => return None,
        };
        Some(Ok(sources.add(format!("{name}.tla"), text)))
    }
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path("snapshots/config");
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// The result of a configuration of `SPEC`: findings, then what stands for what.
fn check(config: &str) -> String {
    let sources = Sources::new();
    let file = sources.add("Spec.tla", SPEC);
    let mut spec = Specification::load(&sources, &file, &Beside, |_| None).specification.unwrap();
    let file = sources.add("Spec.cfg", config);
    let parsed = parse(file.id(), file.text());
    if !parsed.findings.is_empty() {
        return common::findings(&sources, &parsed.findings);
    }
    let (model, findings) = Model::resolve(&parsed.tree.unwrap(), &mut spec, &sources, file.id());
    let mut text = common::findings(&sources, &findings);
    for (id, binding) in &model.constants {
        let program = spec.program();
        let name = program.text(program.constants[id.index()].name);
        let value = match binding {
            Binding::Expr(expr) => show(&spec, *expr),
            Binding::Operator(def) => format!("operator {}", program.text(program.def(*def).name)),
        };
        writeln!(text, "{name} = {value}").unwrap();
    }
    for (_, name) in &model.model_values {
        writeln!(text, "model value {name}").unwrap();
    }
    let checked = [
        ("specification", model.specification.iter().collect::<Vec<_>>()),
        ("init", model.init.iter().collect()),
        ("next", model.next.iter().collect()),
        ("view", model.view.iter().collect()),
        ("symmetry", model.symmetry.iter().collect()),
        ("alias", model.alias.iter().collect()),
        ("invariant", model.invariants.iter().collect()),
        ("property", model.properties.iter().collect()),
        ("constraint", model.constraints.iter().collect()),
        ("action constraint", model.action_constraints.iter().collect()),
        ("postcondition", model.postconditions.iter().collect()),
    ];
    for (what, selected) in checked {
        for one in selected {
            writeln!(text, "{what} {} is {}", one.name, show(&spec, one.expr)).unwrap();
        }
    }
    if let Some(deadlock) = model.check_deadlock {
        writeln!(text, "deadlock {deadlock}").unwrap();
    }
    text
}

fn show(spec: &Specification, expr: ExprId) -> String {
    let program = spec.program();
    let list = |items: &[ExprId]| items.iter().map(|item| show(spec, *item)).collect::<Vec<_>>().join(", ");
    match &program.expr(expr).kind {
        ExprKind::Number(n) => n.to_string(),
        ExprKind::String(name) => format!("{:?}", program.text(*name)),
        ExprKind::Constant(id) => program.text(program.constants[id.index()].name).to_owned(),
        ExprKind::SetOf(items) => format!("{{{}}}", list(items)),
        ExprKind::Record(fields) => {
            let field =
                |f: &locus_tla::semantic::Field| format!("{}: {}", program.text(f.name), show(spec, f.value));
            format!("[{}]", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        ExprKind::Times(items) => format!("product of {}", list(items)),
        ExprKind::Builtin(builtin, items) => format!("{}({})", builtin.symbol(), list(items)),
        ExprKind::Apply(def, args) => {
            let args = args.iter().filter_map(|arg| match arg {
                locus_tla::semantic::Arg::Expr(arg) => Some(show(spec, *arg)),
                locus_tla::semantic::Arg::Op(_) => None,
            });
            format!("{}({})", program.text(program.def(*def).name), args.collect::<Vec<_>>().join(", "))
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn a_whole_configuration() {
    snapshot(
        "whole",
        &check(
            r#"
\* A comment
CONSTANTS
  N = 3          (* another *)
  Procs = {p1, p2, "three", TRUE, {-4}}
  Op <- Plus
  Null = Null
  NoValue = NoValue
SPECIFICATION Full
INVARIANTS Inv I!Inv
INVARIANT Inv
PROPERTIES Live
CONSTRAINT Inv ACTION_CONSTRAINT Next
SYMMETRY Sym VIEW Small ALIAS Small
POSTCONDITION Small
CHECK_DEADLOCK FALSE
"#,
        ),
    );
}

#[test]
fn values_may_be_expressions() {
    snapshot(
        "expressions",
        &check(
            r"
CONSTANT N = 1 + 2
         Procs = 1..3 \X {a}
         Null = [q |-> a]
         Op <- Plus
INIT Init NEXT Next
",
        ),
    );
}

#[test]
fn definitions_are_replaced_everywhere_or_in_one_module() {
    let base = "INIT Init NEXT Next CONSTANTS N = 1 Procs = {} Null = n Op <- Plus\n";
    let inv = |config: &str, name: &str| {
        let sources = Sources::new();
        let file = sources.add("Spec.tla", SPEC);
        let mut spec = Specification::load(&sources, &file, &Beside, |_| None).specification.unwrap();
        let file = sources.add("Spec.cfg", format!("{base}{config}"));
        let parsed = parse(file.id(), file.text());
        let (_, findings) = Model::resolve(&parsed.tree.unwrap(), &mut spec, &sources, file.id());
        assert!(findings.is_empty(), "{}", common::findings(&sources, &findings));
        let def = spec.program().def(spec.definition(name).unwrap()).clone();
        let ExprKind::Builtin(_, items) = &spec.program().expr(def.body.unwrap()).kind else { panic!() };
        let ExprKind::Apply(nat, _) = spec.program().expr(items[1]).kind else { panic!() };
        let body = spec.program().def(nat).body.unwrap();
        format!("{} {}", spec.program().text(spec.program().def(nat).name), show(&spec, body))
    };
    assert_eq!(inv("Nat <- Small", "Inv"), "Small ..(0, 3)");
    assert_eq!(inv("Nat <- Small", "I!Inv"), "Small ..(0, 3)");
    assert_eq!(inv("Nat <-[Other] Small", "Inv"), "Nat {}");
    assert_eq!(inv("Nat <-[Other] Small", "I!Inv"), "Small ..(0, 3)");
    assert_eq!(inv("Nat = {7}", "Inv"), "value {7}");
}

#[test]
fn operators_may_be_given_by_their_values() {
    let text = check("CONSTANT Op(1, 2) = 3 Op(a, {}) = b N = 1 Procs = {} Null = n INIT Init NEXT Next");
    assert!(text.contains("Op = operator table"), "{text}");
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    snapshot(
        "syntax",
        &check("INVARIENT Inv\nINIT\nNEXT Next Next\nCHECK_DEADLOCK maybe\nCONSTANT N 3\ninit Init"),
    );
    snapshot("unclosed", &check("CONSTANT N = {1, \nINIT Init"));
    snapshot("twice", &check("INIT Init INIT Init NEXT Next CONSTANT N = INVARIANT Inv"));
}

#[test]
fn what_is_not_there_is_said_with_its_place() {
    snapshot(
        "missing",
        &check(
            r"
CONSTANTS
  N = 3
  N = 4
  Nn = 3
  Op <- Small
  Procs = Small
  Null <- Nul
  x <- Small
INIT Inti
NEXT Next
INVARIANTS Live Plus I Next
SPECIFICATION Full
",
        ),
    );
}

#[test]
fn nothing_stands_for_itself() {
    let rest = "Procs = {} Null = n Op <- Plus INIT Init NEXT Next";
    snapshot("circle", &check(&format!("CONSTANT Small <- Loop N = 1 {rest}")));
    snapshot("exchanged", &check(&format!("CONSTANT Small <- Sym Sym <- Small N = 1 {rest}")));
    snapshot("itself", &check(&format!("CONSTANT Small <- Small N <- N {rest}")));
    snapshot("chain", &check(&format!("CONSTANT N <- Small Small <- Sym {rest}")));
    // In the body of what replaces a definition, it keeps its meaning.
    for constants in ["N <- Small", "Small <- Once N = 1"] {
        let text = check(&format!("CONSTANT {constants} {rest}"));
        assert!(!text.contains("circle"), "{text}");
    }
    let text = check(&format!("CONSTANT N = N + 1 {rest}"));
    assert!(text.contains("circle: N → N"), "{text}");
}

/// Without behaviours nothing would be checked.
#[test]
fn variables_need_a_behaviour() {
    let constants = "CONSTANTS N = 1 Procs = {} Null = n Op <- Plus";
    let sections = ["", "INVARIANT Inv", "INIT Init", "NEXT Next INVARIANT Inv"];
    snapshot("behaviour", &sections.map(|rest| check(&format!("{constants} {rest}"))).concat());
}

/// As people write it for TLC: what replaces a definition uses the original through an instance.
#[test]
fn the_original_stays_within_reach() {
    let sources = Sources::new();
    let file = sources.add("Spec.tla", SPEC);
    let mut spec = Specification::load(&sources, &file, &Beside, |_| None).specification.unwrap();
    let config = "CONSTANTS N = 1 Procs = {} Null = n Op <- Plus Twice <- Mine INIT Init NEXT Next";
    let file = sources.add("Spec.cfg", config);
    let parsed = parse(file.id(), file.text());
    let (_, findings) = Model::resolve(&parsed.tree.unwrap(), &mut spec, &sources, file.id());
    assert!(findings.is_empty(), "{}", common::findings(&sources, &findings));
    let body = |name: &str| show(&spec, spec.program().def(spec.definition(name).unwrap()).body.unwrap());
    assert_eq!(body("Use"), "Mine(1)");
    assert!(body("Mine").contains("Let"), "{}", body("Mine"));
    let thrice = body("Thrice");
    assert!(thrice.contains("Tuple"), "{thrice}");
    let program = spec.program();
    let calls = |text: &str| {
        let named = |expr: &&locus_tla::semantic::Expr| match &expr.kind {
            ExprKind::Apply(def, _) => program.text(program.def(*def).name) == text,
            _ => false,
        };
        program.exprs.iter().filter(named).count()
    };
    assert_eq!((calls("O!Twice"), calls("Twice")), (1, 0));
}

#[test]
fn what_is_added_goes_before_what_the_configuration_says() {
    let sources = Sources::new();
    let parsed = |first: &str, added: &str| {
        let file = sources.add("Spec.cfg", format!("{first}\n{added}"));
        locus_tla::config::parse_with(file.id(), file.text(), first.len())
    };
    let both = parsed("CONSTANTS N = 1 M = 2 INIT Init NEXT Next", "CONSTANT N = 3 SPECIFICATION Spec");
    assert!(both.findings.is_empty(), "{:?}", both.findings);
    let config = both.tree.unwrap();
    let constants: Vec<&str> = config.constants.iter().map(|constant| &*constant.name.text).collect();
    assert_eq!(constants, ["M", "N"]);
    assert!(config.init.is_none() && config.next.is_none() && config.specification.is_some());
    let back = parsed("SPECIFICATION Spec", "INIT A NEXT B").tree.unwrap();
    assert!(back.specification.is_none() && back.init.is_some() && back.next.is_some());
    assert_eq!(parsed("SPECIFICATION A", "SPECIFICATION B").findings.len(), 0);
    assert_eq!(parsed("", "SPECIFICATION A SPECIFICATION B").findings.len(), 1);
    assert_eq!(parsed("SPECIFICATION A SPECIFICATION B", "").findings.len(), 1);
}
