/**
 * Aeolus, a model of deployment, in location graphs: sections 8.1 and 8.2 of INRIA report RR-9317.
 *
 * A component of Aeolus goes through a lifecycle while it is deployed: not installed, installed, running. The lifecycle
 * is a finite automaton, and each of its states says which ports of the component are active, and how many bindings a
 * port must have at least, or may have at most. A configuration is correct when the active ports of all its components
 * are content.
 *
 * Here a component is a location and so is a binding. One more location, the administrator, stands for whoever deploys:
 * it knows the component types (the templates), keeps a picture of what is deployed (its zconfig), and has a role in
 * common with each component and each binding, for notifications.
 *
 * Where the report's text cannot be meant as it stands:
 *
 * - It types the interface names of ports as Name in the templates and as Sort in the deployed components and in the
 *   bindings. Names and sorts are disjoint, so no component could have a port. They are names here.
 * - `activates.ap.sort` in DL_Machine is `activates.ap.asort`.
 * - BindingsConnectDifferentComponents asks that a Port be among the names `template.rports`; it means the component's
 *   ports. The same mix of ports and names in the cardinality predicates is put right.
 * - AllComponentsHaveTemplatesFromAdmin applies a function StripDLMachineFromRoles that is defined nowhere. Templates
 *   have no roles that could be stripped, so it is left out.
 * - ActivePPorts and ActiveRPorts take the ports that are active in any state. Here: in the current state.
 * - A state has one activation, and an activation one cardinality for each port: the original's activation function is
 *   a function. Cardinalities are not negative. The report says neither.
 * - The cardinality predicates count the roles of a port. A port keeps its role when the component at the other end of
 *   a binding is deleted (see Aeolus_actions), so bindings are counted here, and for a required port only those to
 *   active ports: as the original demands (definition 3 in the report).
 */
module Aeolus
open LocationGraphs

sig Configuration extends LocationGraph {
  admin : one Administrator,
  components : set Aeolus_component,
  bindings : set Aeolus_binding
} {
  locations = components + bindings + admin
  // The administrator's picture is exact.
  admin.process.zconfig.zcomponents = components
  admin.process.zconfig.zbindings = bindings
  AllComponentsHaveNotif[this]
  AllBindingsHaveNotif[this]
}

/** Whoever deploys. */
sig Administrator extends Location {} {
  process in Admin_process
  process.anotif in required
}

/** What the administrator knows: component types, what is deployed, and the roles through which it hears of it. */
sig Admin_process extends Process {
  templates : set DL_Machine,
  zconfig : one ZConfiguration,
  anotif : set Role
} {
  zconfig.zcomponents.process.template in templates
}

/** A picture of what is deployed: a configuration without its administrator. */
sig ZConfiguration extends LocationGraph {
  zcomponents : set Aeolus_component,
  zbindings : set Aeolus_binding
} {
  locations = zcomponents + zbindings
}

/**
 * A component type: a deployment lifecycle (DL), and the interface names of the ports that components of the type
 * provide and require. Final states are the report's addition: the ones in which a deployment may end.
 */
sig DL_Machine {
  dinit : one DL_State,
  dstates : set DL_State,
  dtransitions : set DL_Transition,
  pports : set Name,
  rports : set Name,
  activates : set Activation,
  dfinal : set DL_State
} {
  dinit in dstates
  dtransitions.(initial + terminal) in dstates
  dfinal in dstates
  activates.astate in dstates
  no disj a, b : activates | a.astate = b.astate
  activates.ap.asort in pports
  activates.ar.asort in rports
}

/** A state of a lifecycle. It is a value, since components tell it to their administrator. */
sig DL_State extends Value {}

sig DL_Transition {
  initial : one DL_State,
  terminal : one DL_State
}

/** The ports that are active in a state. */
sig Activation {
  astate : one DL_State,
  ap : set PortCard,
  ar : set PortCard
} {
  no disj p, q : ap | p.asort = q.asort
  no disj p, q : ar | p.asort = q.asort
}

/**
 * A port and its cardinality. For a provided port: the most bindings it may have, 0 for any number. For a required
 * port: the fewest bindings it must have, where 0 means a conflict: no other component may have such a port active.
 */
sig PortCard {
  asort : one Name,
  acard : one Int
} {
  acard >= 0
}

/** A deployed component. */
sig Aeolus_component extends Location {} {
  process in Aeolus_process
  provided = process.pprov.roles + process.cnotif
  required = process.preq.roles
}

/** The state of a deployed component, its type, its ports, and the role through which it notifies the administrator. */
sig Aeolus_process extends Process {
  current : one DL_State,
  template : one DL_Machine,
  pprov : set Port,
  preq : set Port,
  cnotif : one Role
} {
  current in template.dstates
  // There is a port for each interface name of the type.
  pprov.psort = template.pports
  preq.psort = template.rports
  no disj p, q : pprov | p.psort = q.psort
  no disj p, q : preq | p.psort = q.psort
  // A role stands for one binding, at one port.
  no disj p, q : pprov | some p.roles & q.roles
  no disj p, q : preq | some p.roles & q.roles
}

/** A port has a role for each of its bindings. (The report has it abstract, which means nothing without extensions.) */
sig Port {
  psort : one Name,
  roles : set Role
}

/** A binding joins a required and a provided port with the same interface name. */
sig Aeolus_binding extends Location {
  bsort : one Name,
  req : one Role,
  prov : one Role,
  bnotif : one Role
} {
  provided = req + bnotif
  required = prov
}

// Active ports

fun CurrentActivation [z : Aeolus_component] : lone Activation {
  { a : z.process.template.activates | a.astate = z.process.current }
}

fun ActivePPorts [z : Aeolus_component] : set Port {
  { p : z.process.pprov | p.psort in CurrentActivation[z].ap.asort }
}

fun ActiveRPorts [z : Aeolus_component] : set Port {
  { p : z.process.preq | p.psort in CurrentActivation[z].ar.asort }
}

/** The cardinality of an active provided port. */
fun PPortCardForPort [z : Aeolus_component, p : Port] : lone PortCard {
  { q : CurrentActivation[z].ap | q.asort = p.psort }
}

/** The cardinality of an active required port. */
fun RPortCardForPort [z : Aeolus_component, p : Port] : lone PortCard {
  { q : CurrentActivation[z].ar | q.asort = p.psort }
}

// Well-formed configurations

pred ZconfigReflectsConfig [c : Configuration] {
  c.admin.process.zconfig.locations = c.locations - c.admin
}

pred BindingsConnectDifferentComponents [c : Configuration] {
  all b : c.bindings | some disj y, z : c.components, p : y.process.preq, q : z.process.pprov {
    p.psort = b.bsort
    q.psort = b.bsort
    b.req in p.roles
    b.prov in q.roles
  }
}

pred AllComponentsHaveNotif [c : Configuration] {
  all z : c.components | z.process.cnotif in c.admin.process.anotif
}

pred AllBindingsHaveNotif [c : Configuration] {
  all b : c.bindings | b.bnotif in c.admin.process.anotif
}

pred AllComponentsHaveTemplatesFromAdmin [c : Configuration] {
  c.components.process.template in c.admin.process.templates
}

pred WFConfiguration [c : Configuration] {
  WellFormedLocationSet[c.locations]
  ZconfigReflectsConfig[c]
  BindingsConnectDifferentComponents[c]
  AllComponentsHaveNotif[c]
  AllBindingsHaveNotif[c]
  AllComponentsHaveTemplatesFromAdmin[c]
}

// Correct configurations

pred AllComponentsRespectTheirProvidedPortsCardinalityConstraints [c : Configuration] {
  all z : c.components, p : ActivePPorts[z] | let n = PPortCardForPort[z, p].acard |
    n > 0 implies #{ b : c.bindings | b.prov in p.roles } <= n
}

pred AllComponentsRespectTheirRequiredPortsCardinalityConstraints [c : Configuration] {
  all z : c.components, p : ActiveRPorts[z] | let n = RPortCardForPort[z, p].acard |
    n > 0 implies
      #{ b : c.bindings | b.req in p.roles and some y : c.components | b.prov in ActivePPorts[y].roles } >= n
}

pred AllConflictsConstraintsAreMet [c : Configuration] {
  all z : c.components, p : ActiveRPorts[z] | RPortCardForPort[z, p].acard = 0 implies
    no y : c.components - z | p.psort in ActivePPorts[y].psort
}

/** All active ports are content. */
pred CorrectConfiguration [c : Configuration] {
  AllComponentsRespectTheirProvidedPortsCardinalityConstraints[c]
  AllComponentsRespectTheirRequiredPortsCardinalityConstraints[c]
  AllConflictsConstraintsAreMet[c]
}

/** Deployment may end here. */
pred TargetConfiguration [c : Configuration] {
  WFConfiguration[c]
  all z : c.components | z.process.current in z.process.template.dfinal
}

/** There are configurations. */
run Model {
  some c : Configuration | WFConfiguration[c] and #c.components > 1 and #c.components.process.template.activates.ap > 1
} for 10 but exactly 1 Configuration, exactly 2 DL_Machine, exactly 4 Aeolus_component, exactly 2 PortCard expect 1

// Not in the report, which defines correctness and never uses it. Values are 14 and locations 4, since two components
// and a binding between them need that many.

/** There are correct configurations in which a component needs a binding and has it. */
run ModelCorrect {
  some c : Configuration, z : c.components, p : ActiveRPorts[z] {
    WFConfiguration[c] and CorrectConfiguration[c]
    RPortCardForPort[z, p].acard = 1
  }
} for 3 but 14 Value, 4 Location expect 1

/** A component whose active port must have a binding has one, in a correct configuration. */
assert RequiredPortsAreBound {
  all c : Configuration, z : c.components, p : ActiveRPorts[z] |
    CorrectConfiguration[c] and RPortCardForPort[z, p].acard > 0 implies some b : c.bindings | b.req in p.roles
}
check RequiredPortsAreBound for 3 but 14 Value, 4 Location expect 0
