/**
 * Location graphs: the pivot model of Locus, as section 2.1 of INRIA report RR-9317 defines it.
 *
 * A location graph is a set of locations. A location has a name, a sort, a process, and roles that it provides or
 * requires. A role that one location provides and another requires is bound: it lets the two interact.
 */
module LocationGraphs

sig LocationGraph {
  locations : set Location
}

sig Location {
  name : one Name,
  process : one Process,
  sort : one Sort,
  provided : set Role,
  required : set Role
} {
  // A location does not serve itself: another location must stand between.
  no provided & required
}

/** What can be exchanged in an interaction: the model is of higher order. */
sig Value {}

sig Name, Role extends Value {}

/** How a location behaves. It may speak of names and roles, as code does in its variables. */
sig Process extends Value {
  patoms : set Name + Role
}

/** What a location is. It may speak of names and roles too. */
sig Sort extends Value {
  satoms : set Name + Role
}

/** The graph without locations: neutral in composition. */
one sig Null extends LocationGraph {}

fact NullHasNoLocations {
  no Null.locations
}

// Static semantics

/** Locations have different names. */
pred UniquelyNamedLocations [c : set Location] {
  no disj l, h : c | l.name = h.name
}

/** A role is provided by one location at most. */
pred UniquelyProvidedRoles [c : set Location] {
  no disj l, h : c | some l.provided & h.provided
}

/** A role is required by one location at most. */
pred UniquelyRequiredRoles [c : set Location] {
  no disj l, h : c | some l.required & h.required
}

pred WellFormedLocationSet [c : set Location] {
  UniquelyNamedLocations[c]
  UniquelyProvidedRoles[c]
  UniquelyRequiredRoles[c]
}

pred WellFormedLocationGraph [g : LocationGraph] {
  WellFormedLocationSet[g.locations]
}

fact AllLocationGraphsAreWellFormed {
  all g : LocationGraph | WellFormedLocationGraph[g]
}

// Consequences

/** There are location graphs. */
pred Model {
  some g : LocationGraph | #g.locations > 2 and #g.locations.required > 2 and #g.locations.provided > 3
}
run Model for 10 expect 1

/** Whoever provides a role and whoever requires it are two locations. */
assert RoleIsProvidedAndRequiredByTwoDistinctLocations {
  all lg : set Location, r : Role, l, h : Location |
    WellFormedLocationSet[lg] implies
      (l in lg and h in lg and r in l.provided and r in h.required implies l != h)
}
check RoleIsProvidedAndRequiredByTwoDistinctLocations for 40 expect 0

/** A role binds two locations at most. */
assert ARoleBindsAtMostTwoLocations {
  all lg : set Location, r : Role |
    WellFormedLocationSet[lg] implies
      all ls : set lg | (all h : ls | r in h.required + h.provided) implies #ls < 3
}
check ARoleBindsAtMostTwoLocations for 40 expect 0
