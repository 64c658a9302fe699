/**
 * The core of the Fractal component model in location graphs: section 3 of INRIA report RR-9317.
 *
 * Fractal's foundation is the kell: a component with gates (its interfaces) and subcomponents. A kell becomes a
 * location graph with one distinguished location, its top, which bears the kell's identity; every location in it is a
 * KellComp. Subcomponents hang on roles of their parent's top: what Fractal keeps apart, composition and binding, is
 * one thing here.
 */
module Fractal
open LocationGraphs

/** The roles of a kell's location are gates, or hold it to its parent and its subkells to it. */
abstract sig KellComp extends Location {
  grequired, gprovided : set Role,
  subrequired, subprovided : set Role
}

fact Gates_are_not_subs {
  all k : KellComp | no (k.grequired + k.gprovided) & (k.subrequired + k.subprovided)
}

fact Gates_and_subs_are_location_roles {
  all k : KellComp | k.grequired + k.subrequired = k.required and k.gprovided + k.subprovided = k.provided
}

abstract sig Kell extends LocationGraph {
  top : one KellComp,
  sc : set Kell,
  gates : set Role,
  kid : one Name
}

fact Top_is_functional {
  all h, k : Kell | h.top = k.top implies h = k
}

fact All_locations_in_a_kell_are_kellcomps {
  all k : Kell | k.locations in KellComp
}

fact All_locations_in_a_subkell_are_also_in_top_graph {
  all k : Kell | k.^sc.locations + k.top = k.locations
}

fact All_top_subkells_locations_are_bound_to_top {
  all k : Kell, h : k.sc.top | some r : h.subprovided | r in k.top.subrequired
}

fact All_bound_sub_roles_are_to_subkells_top_location {
  all k : Kell | k.top.subrequired in k.sc.top.subprovided
}

fact All_gates_are_gprovided_or_grequired_roles_of_its_top_location {
  all k : Kell | k.gates = k.top.gprovided + k.top.grequired
}

fact A_kell_id_is_the_name_of_its_top_location {
  all k : Kell | k.kid = k.top.name
}

/** Several kells that need not be parts of one another: what corresponds to a location graph in general. */
abstract sig KellSystem extends LocationGraph {
  kells : set Kell
}

fact All_locations_in_kells_of_kell_system_are_in_kell_system_graph {
  all ks : KellSystem | ks.locations = ks.kells.locations
}

fact All_subkells_in_kell_system_are_in_kell_system_kells {
  all ks : KellSystem | ks.kells.^sc in ks.kells
}

/** A role holds k to h. */
pred linked [h, k : Kell] {
  some r : h.top.subrequired | r in k.top.subprovided
}

/** The same, at any depth below h. Predicates cannot be recursive, hence the closure of sc. */
pred tlinked [h, k : Kell] {
  some p : h.*sc | linked[p, k]
}

run Model {} expect 1

// What holds

assert Top_for_every_kell {
  all k : Kell | some kc : KellComp | k.top = kc
}
check Top_for_every_kell for 20 expect 0

assert All_immediate_subkells_linked {
  all k : Kell, h : k.sc | linked[k, h]
}
check All_immediate_subkells_linked for 20 expect 0

/**
 * The report expects this to hold, for 15. It does not: a kell in another graph, unrelated to h, may provide the same
 * role, since roles are unique only within a graph. Alloy finds this from scope 5 on. Within a kell system it holds;
 * see the next assertion.
 */
assert All_linked_kells_are_subkells {
  all h, k : Kell | linked[h, k] implies k in h.sc
}
check All_linked_kells_are_subkells for 15 expect 1

assert All_linked_kells_in_kell_system_are_subkells {
  all ks : KellSystem, h, k : ks.kells | linked[h, k] implies k in h.sc
}
check All_linked_kells_in_kell_system_are_subkells for 15 expect 0

assert All_subkells_in_kell_system_are_linked {
  all ks : KellSystem, h, k : ks.kells | k in h.sc implies linked[h, k]
}
check All_subkells_in_kell_system_are_linked for 15 expect 0

assert All_tlinked_kells_in_kell_system_are_descendant_subkells {
  all ks : KellSystem, h, k : ks.kells | tlinked[h, k] implies k in h.^sc
}
check All_tlinked_kells_in_kell_system_are_descendant_subkells for 11 expect 0

assert All_descendant_subkells_in_a_kell_system_are_tlinked {
  all ks : KellSystem, h, k : ks.kells | k in h.^sc implies tlinked[h, k]
}
check All_descendant_subkells_in_a_kell_system_are_tlinked for 10 expect 0

// What does not hold: kells may contain each other in a circle, and share subkells

assert Well_foundedness {
  no p : Kell | p in p.^sc
}
check Well_foundedness for 10 expect 1

assert Sharing_not_possible {
  all k : Kell | no p, q, h : k.^sc |
    h in p.sc and h in q.sc and p != q and p not in q.sc and q not in p.sc
}
check Sharing_not_possible for 10 expect 1

assert Sharing_not_possible_bis {
  all ks : KellSystem, k : ks.kells | no p, q, h : ks.kells |
    tlinked[k, p] and tlinked[k, q] and tlinked[k, h] and p != q and not tlinked[q, p] and not tlinked[p, q]
}
check Sharing_not_possible_bis for 10 expect 1
