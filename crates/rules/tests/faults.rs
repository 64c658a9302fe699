//! Mistakes in the text of rules.

use std::fmt::Write as _;

use locus_alloy::NoFiles;
use locus_rules::Rules;
use locus_source::Sources;

const SIGS: &str = "module m
sig Thing { wait: lone Int, name: one String, parts: set Part }
sig Part { size: lone Int }
";

fn faults(rules: &str) -> String {
    let sources = Sources::new();
    let file = sources.add("m.als", format!("{SIGS}{rules}"));
    let (loaded, findings) = Rules::load(&sources, &NoFiles, file.id());
    let loaded = loaded.unwrap_or_else(|| panic!("{findings:?}"));
    let mut out = String::new();
    for finding in loaded.faults(&sources, file.id()) {
        let place = sources.start(finding.primary.place);
        let _ = writeln!(out, "{place} {} {}", finding.code, finding.message);
        if let Some(help) = &finding.help {
            let _ = writeln!(out, "  help: {help}");
        }
    }
    out
}

#[test]
fn a_comment_says_what_rules_can_say() {
    let rule = |comment: &str| {
        format!("/** OWN001 named: Things have names.\n{comment} */\nfact f {{ all p: Thing | some p.name }}")
    };
    let good = " * @severity warning\n * @message {p} is called {p.name}, and has {p.parts.size}\n * @at p.name\n * @also p.parts a part\n * @help mend {p}\n";
    assert_eq!(faults(&rule(good)), "");
    insta::assert_snapshot!(faults(&rule(" * @severty warning")), @r"
    5:4 USR002 `@severty` is nothing that the comment of a rule can say
      help: did you mean `@severity`?
    ");
    insta::assert_snapshot!(faults(&rule(" * @severity hihg")), @r"
    5:4 USR002 `hihg` is not a severity
      help: a rule is an `error`, a `warning` or a `note`
    ");
    insta::assert_snapshot!(faults(&rule(" * @message {q} has no name")), @r"
    5:14 USR002 this rule has no variable `q`
      help: findings can speak of the variables of the outermost `all`: `p`
    ");
    insta::assert_snapshot!(faults(&rule(" * @at p.nowhere")), @r"
    5:8 USR002 `Thing` has no field `nowhere`
    ");
    insta::assert_snapshot!(faults(&rule(" * @at p.nme")), @r"
    5:8 USR002 `Thing` has no field `nme`
      help: did you mean `name`?
    ");
    insta::assert_snapshot!(faults(&rule(" * @message {p has no name")), @r"
    5:4 USR002 the brace in this message is never closed
      help: a variable stands in braces: `{p}`
    ");
    let nameless = "/** Things have names.\n * @at p */\nfact f { all p: Thing | some p.name }";
    insta::assert_snapshot!(faults(nameless), @r"
    4:1 USR002 the comment of this rule does not begin with a code, a name and a sentence
      help: begin it with `OWN001 short-name: A sentence that says what holds.`
    ");
    // A comment that is no description of a rule is nobody's business.
    assert_eq!(faults("/** Things have names. */\nfact f { all p: Thing | some p.name }"), "");
}

#[test]
fn variables_are_those_that_findings_have_values_for() {
    let rule = |body: &str| format!("/** OWN001 x: Y.\n * @message {{a}} and {{b}} */\nfact f {{ {body} }}");
    assert_eq!(faults(&rule("all disj a, b: Thing | no a.parts & b.parts")), "");
    assert_eq!(faults(&rule("all a: Thing | some a.parts implies all b: a.parts | one b.size")), "");
    assert_eq!(faults(&rule("no a, b: Thing | a.name = b.name")), "");
    assert_eq!(faults(&rule("not some a, b: Thing | a.name = b.name")), "");
    let some = faults(&rule("all a: Thing | some b: a.parts | one b.size"));
    assert!(some.contains("no variable `b`"), "{some}");
}

#[test]
fn a_file_without_a_rule_says_so() {
    insta::assert_snapshot!(faults("pred named { all t: Thing | some t.name }"), @r"
    4:6 USR003 `m.als` has no rule: nothing in it is a `fact`
      help: a `pred` says something only where it is used: write `fact { named }`, or make it a fact
    ");
    assert_eq!(faults("pred named { all t: Thing | some t.name }\nfact { named }"), "");
}

#[test]
fn what_may_have_no_value_is_pointed_out() {
    insta::assert_snapshot!(faults("fact { all t: Thing | not (t.wait <= 22) }"), @r"
    4:28 USR004 `t.wait` may have no value, and it counts as 0 then
      help: say what is meant if it has none: `some t.wait and …`, or `no t.wait or …`
    ");
    insta::assert_snapshot!(faults("fact { all t: Thing | t.parts in Part }"), @r"
    4:23 USR004 `t.parts` may have no value, and `in` holds of it then
      help: say what is meant if it has none: `some t.parts and …`, or `no t.parts or …`
    ");
    assert_eq!(faults("fact { all t: Thing | no t.wait or t.wait <= 22 }"), "");
    assert_eq!(faults("fact { all t: Thing | some t.parts and t.parts in Part }"), "");
    assert_eq!(faults("fact { all t: Thing | t.name in \"x\" }"), "");
}
