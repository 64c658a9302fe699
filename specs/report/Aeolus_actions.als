/**
 * What can happen in a deployment: the five actions of Aeolus in location graphs, section 8.3 of INRIA report RR-9317.
 *
 * Components change their states, are bound and unbound, are created and deleted. Each action is defined twice:
 *
 * - globally: how a configuration becomes another, as the rules of Aeolus say it (Global_…_Transition);
 * - locally: what the administrator, each component and each binding do on their own, and what they tell one another
 *   at their notification roles; the whole is what comes out when these transitions synchronize and the rest of the
 *   configuration stands by (…_Transition).
 *
 * The checks at the end say that the local definition does what the global one says, and that well-formed
 * configurations stay so.
 *
 * Where the report's text cannot be meant as it stands:
 *
 * - State change. The text defines the predicates for sets of components; the checks use one set of predicates for a
 *   single component and another, Multi…, that is defined nowhere. The Multi… predicates are the general ones here,
 *   the others take a single component to them.
 * - In its global form each new component comes from an old one, but an old one may vanish: its bindings would dangle.
 *   In its local form every signal must go with every new component, which no two components satisfy: so the multiple
 *   state change, whose consistency the report could not check by machine, is not consistent as printed. Both say
 *   here: each old component has one new one, and one signal.
 * - Bind. `r + r1 + r2 not in t.env.eatoms` holds when one of the three roles is new; all of them must be. The
 *   administrator sends a BdpOp to both ends while the requiring end expects a BdrOp. Unbound forbids any other
 *   binding of the interface name in the configuration; what the sentence above it and Aeolus say is: between these
 *   components.
 * - Unbind. RemoveRequiredRole takes the role from the provided ones. `process.template` of an administrator is
 *   `process.templates`.
 * - New. `process.pprov = u.pports` equates ports with names; the ports of a new component bear these names and have
 *   no roles yet.
 * - Delete. BindingsToComponent forgets its first argument and takes the bindings of the whole world. The
 *   administrator signals with Plus to bindings that signal with Plus; no such signals match.
 * - The predicates SCTransition to DelTransition all call State_Change_Transition; and `[c1.c2, …]` lacks its comma in
 *   two checks.
 * - UbOp and DelOp are `one sig` in the report and `lone sig` here: with them in every instance, binding needs 21
 *   values, and the report looks for it among 20.
 *
 * A new component keeps the sort of the one that it replaces. What follows from the facts of Aeolus is not repeated:
 * the roles of a component follow from its ports, the parts of a configuration from its locations.
 */
module Aeolus_actions
open LG_Semantics
open Aeolus

// What actions have in common

/** t takes the configuration c1 to the configuration c2, and asks nothing of anybody outside. */
pred Leads [c1, c2 : Configuration, t : Transition] {
  t.init = c1.locations
  t.term = c2.locations
  no t.label.signals
}

/** The administrator a1 becomes a2, with these roles for notifications and this picture of what is deployed. */
pred Admin_Becomes [a1, a2 : Administrator, notif : set Role, zs : set Aeolus_component, bs : set Aeolus_binding] {
  a2.name = a1.name
  a2.sort = a1.sort
  a2.provided = a1.provided
  a2.required = a1.required - a1.process.anotif + notif
  a2.process.anotif = notif
  a2.process.templates = a1.process.templates
  a2.process.zconfig.zcomponents = zs
  a2.process.zconfig.zbindings = bs
}

/** The component z becomes zp, in the state q and with these ports. */
pred Component_Becomes [z, zp : Aeolus_component, q : DL_State, pp, pr : set Port] {
  zp.name = z.name
  zp.sort = z.sort
  zp.process.cnotif = z.process.cnotif
  zp.process.template = z.process.template
  zp.process.current = q
  zp.process.pprov = pp
  zp.process.preq = pr
}

/** i is the exchange of v at the role r, on the side p. */
pred Signal [i : Interaction, r : Role, p : Polarity, v : Value] {
  i.irole = r
  i.polarity = p
  i.payload = v
}

// State change: components follow transitions of their lifecycles, all at once

/** A component tells its new state. */
sig ScOp extends Value {
  scstate : one DL_State
}

pred ChangeState [zp, z : Aeolus_component, q : DL_State] {
  Component_Becomes[z, zp, q, z.process.pprov, z.process.preq]
}

/** z becomes zp by a transition of its lifecycle. */
pred Steps [zp, z : Aeolus_component] {
  some d : z.process.template.dtransitions | d.initial = z.process.current and ChangeState[zp, z, d.terminal]
}

/**
 * Each of zs becomes one of zps, and each of zps comes from one of zs. (`some` is `one` here, since names are unique in
 * a graph; it is easier to decide.)
 */
pred All_Step [zps, zs : set Aeolus_component] {
  all z : zs | some zp : zps | Steps[zp, z]
  all zp : zps | some z : zs | Steps[zp, z]
}

pred Global_Multi_StateChange_Transition [c1, c2 : Configuration, zs, zps : set Aeolus_component, t : Transition] {
  some zs
  zs in c1.components
  All_Step[zps, zs]
  Leads[c1, c2, t]
  Admin_Becomes[c1.admin, c2.admin, c1.admin.process.anotif, c1.components - zs + zps, c1.bindings]
}

pred Global_StateChange_Transition [c1, c2 : Configuration, z : Aeolus_component, t : Transition] {
  some zp : Aeolus_component | Global_Multi_StateChange_Transition[c1, c2, z, zp, t]
}

/** The administrator hears the new state of each of these components, and corrects its picture. */
pred Admin_State_Change_Transition [a1 : Administrator, zs, zps : set Aeolus_component, t : Transition] {
  let zc = a1.process.zconfig | some a2 : Administrator {
    zs in zc.zcomponents
    All_Step[zps, zs]
    t.init = a1
    t.term = a2
    Admin_Becomes[a1, a2, a1.process.anotif, zc.zcomponents - zs + zps, zc.zbindings]
    t.label.signals.irole = zs.process.cnotif
    t.label.signals.polarity = Minus
    t.label.signals.payload in ScOp
    all z : zs, zp : zps, i : t.label.signals | zp.name = z.name and i.irole = z.process.cnotif implies
      i.payload.scstate = zp.process.current
  }
}

/** A component changes its state and tells it. */
pred Comp_State_Change_Transition [z : Aeolus_component, t : Transition] {
  some zp : Aeolus_component, i : Interaction, v : ScOp {
    Steps[zp, z]
    t.init = z
    t.term = zp
    t.label.signals = i
    Signal[i, z.process.cnotif, Plus, v]
    v.scstate = zp.process.current
  }
}

pred Multi_StateChange_Transition [c1, c2 : Configuration, zs, zps : set Aeolus_component, tzs : set Transition,
  t : Transition] {
  some ta, t1 : Transition {
    some zs
    zs in c1.components
    Admin_State_Change_Transition[c1.admin, zs, zps, ta]
    all tz : tzs | some z : zs | Comp_State_Change_Transition[z, tz]
    tzs.init = zs
    Synchronizing_Transition[t1, ta + tzs]
    Uncoupling_Transition[t, t1, c1.locations - (c1.admin + zs)]
    t.term = c2.locations
  }
}

pred State_Change_Transition [c1, c2 : Configuration, z : Aeolus_component, t : Transition] {
  some zp : Aeolus_component, tz : Transition | Multi_StateChange_Transition[c1, c2, z, zp, tz, t]
}

// Bind: z1 provides to z2 under the interface name s

/** The administrator gives the provider, or the requirer, the new role of its port. */
sig BdpOp extends Value {
  bdprole : one Role
}

sig BdrOp extends Value {
  bdrrole : one Role
}

/** The bindings by which z1 provides to z2 under the name s: one at most, as long as they come from Bind. */
fun BindingBetween [bs : set Aeolus_binding, z1, z2 : Aeolus_component, s : Name] : set Aeolus_binding {
  { b : bs | b.bsort = s and b.prov in z1.process.pprov.roles and b.req in z2.process.preq.roles }
}

pred AddRoleToPort [q, p : Port, r : Role] {
  q.psort = p.psort
  q.roles = p.roles + r
}

pred AddProvidedRole [zp, z : Aeolus_component, s : Name, r : Role] {
  some p : z.process.pprov, q : Port {
    p.psort = s
    AddRoleToPort[q, p, r]
    Component_Becomes[z, zp, z.process.current, z.process.pprov - p + q, z.process.preq]
  }
}

pred AddRequiredRole [zp, z : Aeolus_component, s : Name, r : Role] {
  some p : z.process.preq, q : Port {
    p.psort = s
    AddRoleToPort[q, p, r]
    Component_Becomes[z, zp, z.process.current, z.process.pprov, z.process.preq - p + q]
  }
}

/** b is a new binding under the name s, made of new atoms. */
pred NewBinding [b : Aeolus_binding, s : Name, e : Context] {
  b.bsort = s
  b.prov != b.req and b.prov != b.bnotif and b.req != b.bnotif
  no (b.name + b.prov + b.req + b.bnotif) & e.eatoms
}

pred Global_Bind_Transition [c1, c2 : Configuration, z1, z2 : Aeolus_component, s : Name, t : Transition] {
  z1 != z2
  z1 + z2 in c1.components
  s in z1.process.pprov.psort & z2.process.preq.psort
  no BindingBetween[c1.bindings, z1, z2, s]
  Leads[c1, c2, t]
  some b : c2.bindings, z1p, z2p : c2.components {
    NewBinding[b, s, t.env]
    AddProvidedRole[z1p, z1, s, b.prov]
    AddRequiredRole[z2p, z2, s, b.req]
    Admin_Becomes[c1.admin, c2.admin, c1.admin.process.anotif + b.bnotif,
      c1.components - (z1 + z2) + z1p + z2p, c1.bindings + b]
  }
}

/** The administrator creates the binding and tells both ends their new roles. */
pred Admin_Binding_Transition [a1 : Administrator, z1, z2 : Aeolus_component, s : Name, t : Transition] {
  let zc = a1.process.zconfig {
    z1 != z2
    z1 + z2 in zc.zcomponents
    s in z1.process.pprov.psort & z2.process.preq.psort
    no BindingBetween[zc.zbindings, z1, z2, s]
    t.init = a1
    some a2 : Administrator, b : Aeolus_binding, z1p, z2p : Aeolus_component {
      NewBinding[b, s, t.env]
      AddProvidedRole[z1p, z1, s, b.prov]
      AddRequiredRole[z2p, z2, s, b.req]
      Admin_Becomes[a1, a2, a1.process.anotif + b.bnotif, zc.zcomponents - (z1 + z2) + z1p + z2p, zc.zbindings + b]
      t.term = a2 + b
      some i1, i2 : Interaction, v1 : BdpOp, v2 : BdrOp {
        t.label.signals = i1 + i2
        Signal[i1, z1.process.cnotif, Minus, v1] and v1.bdprole = b.prov
        Signal[i2, z2.process.cnotif, Minus, v2] and v2.bdrrole = b.req
      }
    }
  }
}

/** The provider takes the role that it is given. */
pred Provided_Comp_Binding_Transition [z : Aeolus_component, s : Name, t : Transition] {
  some zp : Aeolus_component, i : Interaction, v : BdpOp {
    t.init = z
    t.term = zp
    t.label.signals = i
    Signal[i, z.process.cnotif, Plus, v]
    AddProvidedRole[zp, z, s, v.bdprole]
  }
}

/** The requirer takes the role that it is given. */
pred Required_Comp_Binding_Transition [z : Aeolus_component, s : Name, t : Transition] {
  some zp : Aeolus_component, i : Interaction, v : BdrOp {
    t.init = z
    t.term = zp
    t.label.signals = i
    Signal[i, z.process.cnotif, Plus, v]
    AddRequiredRole[zp, z, s, v.bdrrole]
  }
}

pred Binding_Transition [c1, c2 : Configuration, z1, z2 : Aeolus_component, s : Name, t : Transition] {
  some ta, tz1, tz2, t1 : Transition {
    z1 + z2 in c1.components
    Admin_Binding_Transition[c1.admin, z1, z2, s, ta]
    Provided_Comp_Binding_Transition[z1, s, tz1]
    Required_Comp_Binding_Transition[z2, s, tz2]
    Synchronizing_Transition[t1, ta + tz1 + tz2]
    Uncoupling_Transition[t, t1, c1.locations - (c1.admin + z1 + z2)]
    t.term = c2.locations
  }
}

// Unbind: the binding by which z1 provides to z2 under the interface name s goes

/** The administrator tells the binding to go, and the provider and the requirer which role they lose. */
lone sig UbOp extends Value {}

sig UbpOp extends Value {
  ubprole : one Role
}

sig UbrOp extends Value {
  ubrrole : one Role
}

pred RemoveRoleFromPort [q, p : Port, r : Role] {
  q.psort = p.psort
  q.roles = p.roles - r
}

pred RemoveProvidedRole [zp, z : Aeolus_component, s : Name, r : Role] {
  some p : z.process.pprov, q : Port {
    p.psort = s
    RemoveRoleFromPort[q, p, r]
    Component_Becomes[z, zp, z.process.current, z.process.pprov - p + q, z.process.preq]
  }
}

pred RemoveRequiredRole [zp, z : Aeolus_component, s : Name, r : Role] {
  some p : z.process.preq, q : Port {
    p.psort = s
    RemoveRoleFromPort[q, p, r]
    Component_Becomes[z, zp, z.process.current, z.process.pprov, z.process.preq - p + q]
  }
}

pred Global_Unbind_Transition [c1, c2 : Configuration, z1, z2 : Aeolus_component, s : Name, t : Transition] {
  z1 != z2
  z1 + z2 in c1.components
  Leads[c1, c2, t]
  some b : c1.bindings, z1p, z2p : c2.components {
    b = BindingBetween[c1.bindings, z1, z2, s]
    RemoveProvidedRole[z1p, z1, s, b.prov]
    RemoveRequiredRole[z2p, z2, s, b.req]
    Admin_Becomes[c1.admin, c2.admin, c1.admin.process.anotif - b.bnotif,
      c1.components - (z1 + z2) + z1p + z2p, c1.bindings - b]
  }
}

/** The administrator tells the binding and both its ends. */
pred Admin_Unbinding_Transition [a1 : Administrator, z1, z2 : Aeolus_component, s : Name, t : Transition] {
  let zc = a1.process.zconfig {
    z1 != z2
    z1 + z2 in zc.zcomponents
    t.init = a1
    some a2 : Administrator, b : zc.zbindings, z1p, z2p : Aeolus_component {
      b = BindingBetween[zc.zbindings, z1, z2, s]
      RemoveProvidedRole[z1p, z1, s, b.prov]
      RemoveRequiredRole[z2p, z2, s, b.req]
      Admin_Becomes[a1, a2, a1.process.anotif - b.bnotif, zc.zcomponents - (z1 + z2) + z1p + z2p, zc.zbindings - b]
      t.term = a2
      some i, i1, i2 : Interaction, v : UbOp, v1 : UbpOp, v2 : UbrOp {
        t.label.signals = i + i1 + i2
        Signal[i, b.bnotif, Minus, v]
        Signal[i1, z1.process.cnotif, Minus, v1] and v1.ubprole = b.prov
        Signal[i2, z2.process.cnotif, Minus, v2] and v2.ubrrole = b.req
      }
    }
  }
}

/** The provider gives up the role that it is told. */
pred Provided_Comp_Unbinding_Transition [z : Aeolus_component, s : Name, t : Transition] {
  some zp : Aeolus_component, i : Interaction, v : UbpOp {
    t.init = z
    t.term = zp
    t.label.signals = i
    Signal[i, z.process.cnotif, Plus, v]
    RemoveProvidedRole[zp, z, s, v.ubprole]
  }
}

/** The requirer gives up the role that it is told. */
pred Required_Comp_Unbinding_Transition [z : Aeolus_component, s : Name, t : Transition] {
  some zp : Aeolus_component, i : Interaction, v : UbrOp {
    t.init = z
    t.term = zp
    t.label.signals = i
    Signal[i, z.process.cnotif, Plus, v]
    RemoveRequiredRole[zp, z, s, v.ubrrole]
  }
}

/** The binding goes. */
pred Remove_Binding_Unbinding_Transition [b : Aeolus_binding, t : Transition] {
  some i : Interaction, v : UbOp {
    t.init = b
    no t.term
    t.label.signals = i
    Signal[i, b.bnotif, Plus, v]
  }
}

pred Unbinding_Transition [c1, c2 : Configuration, z1, z2 : Aeolus_component, s : Name, t : Transition] {
  some ta, tz1, tz2, tb, t1 : Transition, b : c1.bindings {
    z1 + z2 in c1.components
    Admin_Unbinding_Transition[c1.admin, z1, z2, s, ta]
    Provided_Comp_Unbinding_Transition[z1, s, tz1]
    Required_Comp_Unbinding_Transition[z2, s, tz2]
    Remove_Binding_Unbinding_Transition[b, tb]
    Synchronizing_Transition[t1, ta + tb + tz1 + tz2]
    Uncoupling_Transition[t, t1, c1.locations - (c1.admin + z1 + z2 + b)]
    t.term = c2.locations
  }
}

// New: a component of the type u is created, in the initial state and without bindings

pred NewComponentFromTemplate [z : Aeolus_component, u : DL_Machine, e : Context] {
  z.process.template = u
  z.process.current = u.dinit
  no z.process.(pprov + preq).roles
  no (z.name + z.process.cnotif) & e.eatoms
}

pred Global_New_Component_Transition [c1, c2 : Configuration, u : DL_Machine, t : Transition] {
  u in c1.admin.process.templates
  Leads[c1, c2, t]
  some z : c2.components {
    NewComponentFromTemplate[z, u, t.env]
    Admin_Becomes[c1.admin, c2.admin, c1.admin.process.anotif + z.process.cnotif, c1.components + z, c1.bindings]
  }
}

/** The administrator creates the component. */
pred Admin_New_Transition [a1 : Administrator, u : DL_Machine, t : Transition] {
  let zc = a1.process.zconfig | some a2 : Administrator, z : Aeolus_component {
    u in a1.process.templates
    NewComponentFromTemplate[z, u, t.env]
    Admin_Becomes[a1, a2, a1.process.anotif + z.process.cnotif, zc.zcomponents + z, zc.zbindings]
    t.init = a1
    t.term = a2 + z
    no t.label.signals
  }
}

pred New_Transition [c1, c2 : Configuration, u : DL_Machine, t : Transition] {
  some ta : Transition {
    Admin_New_Transition[c1.admin, u, ta]
    Uncoupling_Transition[t, ta, c1.locations - c1.admin]
    t.term = c2.locations
  }
}

// Delete: a component goes, with all its bindings. The components at their other ends keep the roles, now unbound

lone sig DelOp extends Value {}

fun BindingsToComponent [bs : set Aeolus_binding, z : Aeolus_component] : set Aeolus_binding {
  { b : bs | b.prov in z.process.pprov.roles or b.req in z.process.preq.roles }
}

pred Global_Delete_Component_Transition [c1, c2 : Configuration, z : Aeolus_component, t : Transition] {
  let bs = BindingsToComponent[c1.bindings, z] {
    z in c1.components
    Leads[c1, c2, t]
    Admin_Becomes[c1.admin, c2.admin, c1.admin.process.anotif - (z.process.cnotif + bs.bnotif),
      c1.components - z, c1.bindings - bs]
  }
}

/** The administrator tells the component and its bindings to go. */
pred Admin_Delete_Transition [a1 : Administrator, z : Aeolus_component, t : Transition] {
  let zc = a1.process.zconfig, bs = BindingsToComponent[zc.zbindings, z], gone = z.process.cnotif + bs.bnotif {
    z in zc.zcomponents
    some a2 : Administrator {
      Admin_Becomes[a1, a2, a1.process.anotif - gone, zc.zcomponents - z, zc.zbindings - bs]
      t.init = a1
      t.term = a2
    }
    t.label.signals.irole = gone
    t.label.signals.polarity = Minus
    t.label.signals.payload in DelOp
  }
}

/** A component, or a binding, goes when it is told to. */
pred Component_Delete_Transition [z : Aeolus_component, t : Transition] {
  some i : Interaction, v : DelOp {
    t.init = z
    no t.term
    t.label.signals = i
    Signal[i, z.process.cnotif, Plus, v]
  }
}

pred Binding_Delete_Transition [b : Aeolus_binding, t : Transition] {
  some i : Interaction, v : DelOp {
    t.init = b
    no t.term
    t.label.signals = i
    Signal[i, b.bnotif, Plus, v]
  }
}

pred Delete_Transition [c1, c2 : Configuration, z : Aeolus_component, t : Transition] {
  some ta, tz, t1 : Transition, tbs : set Transition {
    z in c1.components
    Admin_Delete_Transition[c1.admin, z, ta]
    Component_Delete_Transition[z, tz]
    all tb : tbs | some b : c1.bindings | Binding_Delete_Transition[b, tb]
    Synchronizing_Transition[t1, ta + tz + tbs]
    Uncoupling_Transition[t, t1, c1.locations - (c1.admin + z + tbs.init)]
    t.term = c2.locations
  }
}

// There are such transitions

run ModelGlobalSC {
  some c1, c2 : Configuration, z : Aeolus_component, t : Transition | Global_StateChange_Transition[c1, c2, z, t]
} for 10 expect 1

run ModelSC {
  some c1, c2 : Configuration, z : Aeolus_component, t : Transition | State_Change_Transition[c1, c2, z, t]
} for 10 expect 1

run ModelGlobalBind {
  some c1, c2 : Configuration, z1, z2 : Aeolus_component, s : Name, t : Transition |
    Global_Bind_Transition[c1, c2, z1, z2, s, t]
} for 20 expect 1

run ModelBind {
  some c1, c2 : Configuration, z1, z2 : Aeolus_component, s : Name, t : Transition |
    Binding_Transition[c1, c2, z1, z2, s, t]
} for 20 expect 1

run ModelGlobalUnbind {
  some c1, c2 : Configuration, z1, z2 : Aeolus_component, s : Name, t : Transition |
    Global_Unbind_Transition[c1, c2, z1, z2, s, t]
} for 20 expect 1

run ModelUnbind {
  some c1, c2 : Configuration, z1, z2 : Aeolus_component, s : Name, t : Transition |
    Unbinding_Transition[c1, c2, z1, z2, s, t]
} for 25 expect 1

run ModelGlobalNew {
  some c1, c2 : Configuration, u : DL_Machine, t : Transition | Global_New_Component_Transition[c1, c2, u, t]
} for 10 expect 1

run ModelNew {
  some c1, c2 : Configuration, u : DL_Machine, t : Transition | New_Transition[c1, c2, u, t]
} for 10 expect 1

run ModelGlobalDelete {
  some c1, c2 : Configuration, z : Aeolus_component, t : Transition | Global_Delete_Component_Transition[c1, c2, z, t]
} for 10 expect 1

run ModelDelete {
  some c1, c2 : Configuration, z : Aeolus_component, t : Transition | Delete_Transition[c1, c2, z, t]
} for 10 expect 1

run ModelGlobalMultiSC {
  some c1, c2 : Configuration, zs, zps : set Aeolus_component, t : Transition |
    Global_Multi_StateChange_Transition[c1, c2, zs, zps, t] and #zs > 1
} for 12 expect 1

/** The one that the report could not find. Two components change to states that they were not in. */
run ModelMultiSC {
  some c1, c2 : Configuration, zs, zps : set Aeolus_component, tzs : set Transition, t : Transition |
    Multi_StateChange_Transition[c1, c2, zs, zps, tzs, t] and #zs > 1 and no zs.process.current & zps.process.current
} for 8 but 15 Value expect 1

// State change

assert Global_StateChange_Respects_WF {
  all c1, c2 : Configuration, z : Aeolus_component, t : Transition |
    WFConfiguration[c1] and Global_StateChange_Transition[c1, c2, z, t] implies WFConfiguration[c2]
}
check Global_StateChange_Respects_WF for 10 expect 0

assert Global_Multi_StateChange_Respects_WF {
  all c1, c2 : Configuration, z, zp : Aeolus_component, t : Transition |
    WFConfiguration[c1] and Global_Multi_StateChange_Transition[c1, c2, z, zp, t] implies WFConfiguration[c2]
}
check Global_Multi_StateChange_Respects_WF for 10 expect 0

assert Global_StateChange_Respects_Template {
  all c1, c2 : Configuration, z : Aeolus_component, t : Transition |
    WFConfiguration[c1] and Global_StateChange_Transition[c1, c2, z, t] implies
      some zp : Aeolus_component, d : z.process.template.dtransitions |
        zp.name = z.name and d.initial = z.process.current and d.terminal = zp.process.current
}
check Global_StateChange_Respects_Template for 10 expect 0

assert State_Change_Transition_Satisfies_Global_StateChange_Transition {
  all c1, c2 : Configuration, z : Aeolus_component, t : Transition |
    WFConfiguration[c1] and State_Change_Transition[c1, c2, z, t] implies Global_StateChange_Transition[c1, c2, z, t]
}
check State_Change_Transition_Satisfies_Global_StateChange_Transition for 10 expect 0

assert Multi_StateChange_Transition_Satisfies_Global_Multi_StateChange_Transition {
  all c1, c2 : Configuration, z1, z2, zp1, zp2 : Aeolus_component, tz1, tz2, t : Transition |
    WFConfiguration[c1] and Multi_StateChange_Transition[c1, c2, z1 + z2, zp1 + zp2, tz1 + tz2, t] implies
      Global_Multi_StateChange_Transition[c1, c2, z1 + z2, zp1 + zp2, t]
}
check Multi_StateChange_Transition_Satisfies_Global_Multi_StateChange_Transition for 10 expect 0

// Bind

assert Global_Bind_Respects_WF {
  all c1, c2 : Configuration, z1, z2 : Aeolus_component, t : Transition, s : Name |
    WFConfiguration[c1] and Global_Bind_Transition[c1, c2, z1, z2, s, t] implies WFConfiguration[c2]
}
check Global_Bind_Respects_WF for 10 expect 0

/** The report says this of all bindings with the name s, in keeping with its too strong Unbound. */
assert In_Global_Bind_Transition_Binding_Not_In_Initial_Configuration {
  all c1, c2 : Configuration, z1, z2 : Aeolus_component, s : Name, t : Transition, b : Aeolus_binding |
    Global_Bind_Transition[c1, c2, z1, z2, s, t] and b in BindingBetween[Aeolus_binding, z1, z2, s]
      implies b not in c1.bindings
}
check In_Global_Bind_Transition_Binding_Not_In_Initial_Configuration for 10 expect 0

assert Binding_Transition_Satisfies_Global_Bind_Transition {
  all c1, c2 : Configuration, z1, z2 : Aeolus_component, s : Name, t : Transition |
    WFConfiguration[c1] and Binding_Transition[c1, c2, z1, z2, s, t] implies
      Global_Bind_Transition[c1, c2, z1, z2, s, t]
}
check Binding_Transition_Satisfies_Global_Bind_Transition for 7 expect 0

// Unbind

assert Global_Unbind_Respects_WF {
  all c1, c2 : Configuration, z1, z2 : Aeolus_component, t : Transition, s : Name |
    WFConfiguration[c1] and Global_Unbind_Transition[c1, c2, z1, z2, s, t] implies WFConfiguration[c2]
}
check Global_Unbind_Respects_WF for 10 expect 0

assert Unbinding_Transition_Satisfies_Global_Unbind_Transition {
  all c1, c2 : Configuration, z1, z2 : Aeolus_component, s : Name, t : Transition |
    WFConfiguration[c1] and Unbinding_Transition[c1, c2, z1, z2, s, t] implies
      Global_Unbind_Transition[c1, c2, z1, z2, s, t]
}
check Unbinding_Transition_Satisfies_Global_Unbind_Transition for 8 expect 0

// New

assert Global_New_Respects_WF {
  all c1, c2 : Configuration, u : DL_Machine, t : Transition |
    WFConfiguration[c1] and Global_New_Component_Transition[c1, c2, u, t] implies WFConfiguration[c2]
}
check Global_New_Respects_WF for 10 expect 0

assert New_Transition_Satisfies_Global_New_Component_Transition {
  all c1, c2 : Configuration, u : DL_Machine, t : Transition |
    WFConfiguration[c1] and New_Transition[c1, c2, u, t] implies Global_New_Component_Transition[c1, c2, u, t]
}
check New_Transition_Satisfies_Global_New_Component_Transition for 10 expect 0

// Delete

assert Global_Delete_Respects_WF {
  all c1, c2 : Configuration, z : Aeolus_component, t : Transition |
    WFConfiguration[c1] and Global_Delete_Component_Transition[c1, c2, z, t] implies WFConfiguration[c2]
}
check Global_Delete_Respects_WF for 10 expect 0

assert Delete_Transition_Satisfies_Global_Delete_Component_Transition {
  all c1, c2 : Configuration, z : Aeolus_component, t : Transition |
    WFConfiguration[c1] and Delete_Transition[c1, c2, z, t] implies Global_Delete_Component_Transition[c1, c2, z, t]
}
check Delete_Transition_Satisfies_Global_Delete_Component_Transition for 10 expect 0

// Any of the five

pred SCTransition [t : Transition] {
  some c1, c2 : Configuration, z : Aeolus_component | State_Change_Transition[c1, c2, z, t]
}

pred BindTransition [t : Transition] {
  some c1, c2 : Configuration, z1, z2 : Aeolus_component, s : Name | Binding_Transition[c1, c2, z1, z2, s, t]
}

pred UnbindTransition [t : Transition] {
  some c1, c2 : Configuration, z1, z2 : Aeolus_component, s : Name | Unbinding_Transition[c1, c2, z1, z2, s, t]
}

pred NewTransition [t : Transition] {
  some c1, c2 : Configuration, u : DL_Machine | New_Transition[c1, c2, u, t]
}

pred DelTransition [t : Transition] {
  some c1, c2 : Configuration, z : Aeolus_component | Delete_Transition[c1, c2, z, t]
}

pred AeolusLGTransition [t : Transition] {
  SCTransition[t] or BindTransition[t] or UnbindTransition[t] or NewTransition[t] or DelTransition[t]
}

run ModelAeolusLG { some t : Transition | AeolusLGTransition[t] } for 10 expect 1
