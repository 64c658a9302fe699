/**
 * How location graphs move: section 2.2 of INRIA report RR-9317.
 *
 * A transition takes a set of locations to another, in a context (the names and roles known before it), with a label:
 * the interactions that it offers to locations outside of it. Transitions compose in two ways: several synchronize,
 * if their interactions on bound roles match; and one goes on beside locations that it does not touch.
 *
 * Two slips of the report's text are put right: `MixableLG[c1.c2]` lacks its comma, and names are written with
 * underscores throughout, where the text has dots in places.
 */
module LG_Semantics
open LocationGraphs

sig Transition {
  env : one Context,
  init : set Location,
  label : one Label,
  term : set Location
}

/** The names and roles that are known; what is not among them is new. */
sig Context {
  eatoms : set Name + Role
}

sig Label {
  signals : set Interaction
}

/** A value is exchanged at a role: on the providing side (Plus) or on the requiring side (Minus). */
sig Interaction {
  irole : one Role,
  polarity : one Polarity,
  payload : one Value
}

abstract sig Polarity {}
one sig Plus, Minus extends Polarity {}

// Roles and atoms of location sets

pred Bound_in_LS [r : Role, c : set Location] {
  some l, h : c | r in l.provided & h.required
}

pred Bound_in_LG [r : Role, c : LocationGraph] { Bound_in_LS[r, c.locations] }

fun Bound_roles_in_LS [c : set Location] : set Role { { r : Role | Bound_in_LS[r, c] } }

fun Bound_roles_in_LG [c : LocationGraph] : set Role { Bound_roles_in_LS[c.locations] }

fun Unbound_roles_in_LS [c : set Location] : set Role { c.provided + c.required - Bound_roles_in_LS[c] }

fun Unbound_roles_in_LG [c : LocationGraph] : set Role { Unbound_roles_in_LS[c.locations] }

fun AtomsInGraph [lg : set Location] : set Name + Role {
  lg.process.patoms + lg.sort.satoms + lg.provided + lg.required + lg.name
}

/** Two sets of locations can be put together. */
pred MixableLS [c, d : set Location] {
  no c.name & d.name
  no c.provided & d.provided
  no c.required & d.required
}

pred MixableLG [c, d : LocationGraph] { MixableLS[c.locations, d.locations] }

pred Compose [g, c, d : LocationGraph] { g.locations = c.locations + d.locations }

// What makes a transition well-formed

fact TransitionsContextsGatherAllAtoms {
  all t : Transition | AtomsInGraph[t.init] in t.env.eatoms
}

fact ATransitionInitialGraphsNotEmpty {
  all t : Transition | some t.init
}

fact SignalsInTransitionsEmittedOnUnboundRoles {
  all t : Transition | t.label.signals.irole in Unbound_roles_in_LS[t.init]
}

fact SignalsInTransitionsEmittedOnAGivenRoleAreUnique {
  all t : Transition, r : Role | lone m : t.label.signals | m.irole = r
}

// Composition

fun LocationGraphFromLocation [l : Location] : set LocationGraph {
  { c : LocationGraph | c.locations = l }
}

pred Matched_Polarities [p, q : Polarity] {
  (p in Plus and q in Minus) or (p in Minus and q in Plus)
}

/** One side gives what the other takes, at the same role. */
pred Matched_Signal_Pair [m, n : Interaction] {
  m.irole = n.irole
  m.payload = n.payload
  Matched_Polarities[m.polarity, n.polarity]
}

pred WF_Signals [s : set Interaction] {
  all m, n : s | m.irole = n.irole and m.polarity = n.polarity implies m = n
}

pred Matched_Signals [s : set Interaction] {
  WF_Signals[s]
  all m : s | one n : s | Matched_Signal_Pair[m, n]
}

/** The interactions of some transitions that take place among themselves. */
fun Internal_signals [ts : set Transition] : set Interaction {
  { m : ts.label.signals | m.irole in Bound_roles_in_LS[ts.init] }
}

pred Synchronized_Transitions [ts : set Transition] {
  one ts.env
  all disj t, u : ts | MixableLS[t.init, u.init]
  WellFormedLocationSet[ts.init]
  Matched_Signals[Internal_signals[ts]]
  WellFormedLocationSet[ts.term]
}

pred Synchronizing_Transition [t : Transition, ts : set Transition] {
  Synchronized_Transitions[ts]
  t.env = ts.env
  t.init = ts.init
  t.label.signals = ts.label.signals - Internal_signals[ts]
  t.term = ts.term
}

pred Uncoupled_Transition [t : Transition, c : set Location] {
  MixableLS[t.init, c]
  MixableLS[t.term, c]
  no t.label.signals.irole & (c.provided + c.required)
}

pred Uncoupling_Transition [tt, t : Transition, c : set Location] {
  Uncoupled_Transition[t, c]
  tt.env = t.env
  tt.init = t.init + c
  tt.label = t.label
  tt.term = t.term + c
}

// There are such things

run Model { some t : Transition | t.label.signals != none }
  for 10 but exactly 5 Transition, exactly 3 Interaction, exactly 3 Label expect 1

run ModelMatchedSignals { some s, t : Interaction | Matched_Signals[s + t] } for 10 expect 1

run ModelMixableLS {
  some c, d : set Location {
    #c > 1 and #d > 1
    #c.provided > 1 and #d.required > 2 and #d.provided > 1
    MixableLS[c, d]
    WellFormedLocationSet[c] and WellFormedLocationSet[d]
  }
} for 10 expect 1

run ModelSynchronized {
  some t, u : Transition | Synchronized_Transitions[t + u] and #(t + u).label.signals > 3
} for 10 expect 1

run ModelSynchronizing {
  some t : Transition, ts : set Transition |
    Synchronizing_Transition[t, ts] and #ts > 2 and #ts.label.signals > 3
} for 10 expect 1

run ModelUncoupling {
  some t, tt : Transition, c : set Location | Uncoupling_Transition[tt, t, c] and #t.label.signals > 1
} for 10 expect 1

// Consequences

assert UnboundRolesNotBound {
  all c : LocationGraph | no Unbound_roles_in_LG[c] & Bound_roles_in_LG[c]
}
check UnboundRolesNotBound for 20 expect 0

assert MixableLGsAreComposable {
  all c, d : LocationGraph | MixableLG[c, d] implies WellFormedLocationSet[c.locations + d.locations]
}
check MixableLGsAreComposable for 20 expect 0

assert MixableLS_Symmetric {
  all c, d : set Location | MixableLS[c, d] iff MixableLS[d, c]
}
check MixableLS_Symmetric for 20 expect 0

assert Roles_In_Synchronizing_Transition_Labels_Are_Unbound {
  all t, t1, t2 : Transition |
    Synchronizing_Transition[t, t1 + t2] implies no t.label.signals.irole & Bound_roles_in_LS[t.init]
}
check Roles_In_Synchronizing_Transition_Labels_Are_Unbound for 20 expect 0
