//! The ways of a plan when operations fail, as a TLA+ specification: the same states as [`crate::verify`] explores
//! without exchanging components that are alike.

use std::fmt::Write;

use super::tla::{self, set, tuple};
use crate::verify::{Failures, Undo};

/// The specification, as a module with this name, which must be an identifier. Check it with the invariants `Correct`
/// and `EndsWell`.
pub fn failures(model: &Failures<'_>, module: &str) -> String {
    let operations = model.operations();
    let plan = operations.plan;
    let numbers = |list: &[u32]| set(list.iter().map(|one| (one + 1).to_string()));
    let mut out = format!("---- MODULE {module} ----\n");
    out.push_str("\\* Written by locus plan --verify. A behaviour is a way in which the plan can go when operations fail.\n");
    out.push_str(
        "EXTENDS Naturals, FiniteSets, Sequences\n\nVARIABLES mode, status\n\nvars == <<mode, status>>\n\n",
    );
    let all = &operations.all;
    let _ = writeln!(out, "Retries == {}\n\nOperations == 1..{}\n", model.retries(), all.len());
    for (index, operation) in all.iter().enumerate() {
        let (verb, rest) =
            super::words::step(operations.universe, plan, &plan.steps[operation.step as usize]);
        let _ = writeln!(out, "\\* {}. {verb} {}", index + 1, rest.replace(['\n', '\r'], " "));
    }
    let _ = writeln!(out, "\nBefore == {}\n", tuple(all.iter().map(|one| numbers(&one.before))));
    let _ = writeln!(out, "Later == {}\n", tuple(all.iter().map(|one| numbers(&one.later))));
    out.push_str("\\* The operations with which each step of the plan happens.\n");
    let _ = writeln!(out, "Owners == {}\n", tuple(operations.owners.iter().map(|one| numbers(one))));
    out.push_str("\\* What is taken back as a whole has one number, other operations have 0.\n");
    let unit = |undo: Undo, unit: u32| if undo == Undo::Remove { unit + 1 } else { 0 };
    let _ = writeln!(out, "Unit == {}\n", tuple(all.iter().map(|one| unit(one.undo, one.unit).to_string())));
    let which = |fits: &dyn Fn(&crate::verify::Operation) -> bool| {
        set((1..).zip(all).filter(|(_, one)| fits(one)).map(|(number, _): (u32, _)| number.to_string()))
    };
    let _ = writeln!(out, "Never == {}\n", which(&|one| one.undo == Undo::Never));
    let _ = writeln!(out, "Cleanup == {}\n", which(&|one| one.is_cleanup));
    let _ = writeln!(out, "Components == 1..{}\n", plan.components.len());
    tla::lives(&mut out, operations.universe, operations.start, plan);
    tla::bindings(&mut out, operations.start, plan);
    tla::ports(&mut out, operations.universe, plan);
    out.push_str(RULES);
    out.push_str(tla::CORRECT);
    out.push_str("====\n");
    out
}

const RULES: &str = "\
\\* A status is 0 for what is to do, 1 for what is done, 2 for what failed for good, and 3 on for each attempt.
Init == mode = \"forward\" /\\ status = [o \\in Operations |-> 0]

Happened(s) == s = 0 \\/ \\E o \\in Owners[s] : status[o] = 1

PastReturn == \\E o \\in Never : status[o] # 0

CanStart(o) == mode = \"forward\" /\\ status[o] = 0 /\\ \\A b \\in Before[o] : status[b] = 1

Start(o) == CanStart(o) /\\ status' = [status EXCEPT ![o] = 3] /\\ UNCHANGED mode

Finish(o) == status[o] >= 3 /\\ status' = [status EXCEPT ![o] = 1] /\\ UNCHANGED mode

Fail(o) ==
  /\\ status[o] >= 3
  /\\ IF mode = \"forward\" /\\ status[o] - 3 < Retries
     THEN status' = [status EXCEPT ![o] = @ + 1] /\\ UNCHANGED mode
     ELSE status' = [status EXCEPT ![o] = 2] /\\ mode' = IF PastReturn THEN mode ELSE \"back\"

Cancel ==
  /\\ mode = \"forward\" /\\ ~PastReturn
  /\\ \\E o \\in Operations : status[o] # 1
  /\\ mode' = \"back\" /\\ UNCHANGED status

Own(u) == {o \\in Operations : Unit[o] = u}

CanRemove(u) ==
  /\\ mode = \"back\"
  /\\ \\E o \\in Own(u) : status[o] # 0
  /\\ \\A o \\in Own(u) :
       status[o] < 3 /\\ (status[o] # 0 => \\A l \\in Later[o] \\ Own(u) : status[l] = 0)

Remove(u) ==
  /\\ CanRemove(u)
  /\\ status' = [o \\in Operations |-> IF o \\in Own(u) THEN 0 ELSE status[o]]
  /\\ UNCHANGED mode

CanUndo(o) ==
  /\\ mode = \"back\" /\\ Unit[o] = 0 /\\ o \\notin Never
  /\\ status[o] \\in {1, 2}
  /\\ \\A l \\in Later[o] : status[l] = 0

Undo(o) == CanUndo(o) /\\ status' = [status EXCEPT ![o] = 0] /\\ UNCHANGED mode

Units == {Unit[o] : o \\in Operations} \\ {0}

GoesOn ==
  \\/ \\E o \\in Operations : status[o] >= 3 \\/ CanStart(o) \\/ CanUndo(o)
  \\/ \\E u \\in Units : CanRemove(u)

Next ==
  \\/ \\E o \\in Operations : Start(o) \\/ Finish(o) \\/ Fail(o) \\/ Undo(o)
  \\/ \\E u \\in Units : Remove(u)
  \\/ Cancel
  \\/ ~GoesOn /\\ UNCHANGED vars

Spec == Init /\\ [][Next]_vars

\\* Every way ends in what is wanted, or where it started, or in what is wanted with remains that were not deleted.
EndsWell ==
  GoesOn \\/ IF mode = \"back\" THEN \\A o \\in Operations : status[o] = 0
            ELSE \\A o \\in Operations : status[o] = 1 \\/ o \\in Cleanup

";
