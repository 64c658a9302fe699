module fractal/bindings
open fractal/core

-- Bindings lead from a client to a server, within one component.

/** The interface of a subcomponent. */
private pred inner [e: End] { e.own = false }

/** FRA120 binding-without-component: A binding names the component that contains it, or one of its subcomponents.
 *
 *  A binding does not lead across the border of a component: what is inside of another component is reached by an
 *  interface of that.
 *
 *  @message {k} has no subcomponent {e.component}, which a binding names
 *  @at e.written
 *  @also k
 *  @help name a subcomponent, or `this`
 *  @when end
 */
fact bindings_name_components {
  all k: Kell & known.true, e: k.ties.client + k.ties.server | some e.at
}

/** FRA121 binding-without-interface: A binding names interfaces that are there.
 *
 *  An interface of a collection has a name that begins with that of the collection.
 *
 *  @message {e.at} has no interface {e.gate}, which a binding names
 *  @at e.written
 *  @also e.at
 *  @help name one of its interfaces
 *  @when end
 */
fact bindings_name_gates {
  all k: Kell, e: k.ties.client + k.ties.server |
    e.at.known = true and e.control = false implies some e.is
}

/** FRA122 binding-from-server: A binding of a subcomponent begins at an interface that asks for something.
 *
 *  @message a binding begins at {e.gate} of {e.at}, which is no client
 *  @at e.written
 *  @also e.is.role its role
 *  @help begin it at a client interface, or exchange its ends
 *  @when end
 */
fact bindings_begin_at_clients {
  all k: Kell, e: k.ties.client | inner[e] and some e.is.role implies is_client[e.is]
}

/** FRA123 binding-from-own-client: A binding of the component itself begins at an interface that it offers.
 *
 *  Seen from inside, an interface that the component offers is one that asks its subcomponents. An interface that it
 *  needs may be bound to something outside of all components, such as a web service.
 *
 *  @message a binding in {k} begins at its own interface {e.gate}, which is a client
 *  @at e.written
 *  @also e.is.role its role
 *  @help from inside, bindings begin at servers of the component and end at its clients: exchange the ends
 *  @when end
 */
fact bindings_begin_at_own_servers {
  all k: Kell, b: k.ties, e: b.client |
    e.own = true and some b.server and some e.is.role implies
      is_server[e.is] or is_internal[e.is] or is_collective[e.is]
}

/** FRA124 binding-to-client: A binding of a subcomponent ends at an interface that offers something.
 *
 *  @message a binding ends at {e.gate} of {e.at}, which is no server
 *  @at e.written
 *  @also e.is.role its role
 *  @help end it at a server interface, or exchange its ends
 *  @when end
 */
fact bindings_end_at_servers {
  all k: Kell, e: k.ties.server | inner[e] and some e.is.role implies is_server[e.is]
}

/** FRA125 binding-to-own-server: A binding that ends at the component itself ends at an interface that it needs.
 *
 *  Seen from inside, an interface that the component needs is one that offers something to its subcomponents.
 *
 *  @message a binding in {k} ends at its own interface {e.gate}, which is a server
 *  @at e.written
 *  @also e.is.role its role
 *  @help from inside, bindings begin at servers of the component and end at its clients: exchange the ends
 *  @when end
 */
fact bindings_end_at_own_clients {
  all k: Kell, e: k.ties.server |
    e.own = true and some e.is.role implies is_client[e.is] or is_internal[e.is]
}

/** FRA126 mandatory-to-optional: What must be bound is not bound to what need not be there.
 *
 *  @message {c.gate} of {c.at} is mandatory, and {s.gate} of {s.at}, to which it is bound, is optional
 *  @at s.written
 *  @also c.is
 *  @also s.is.contingency it need not be there
 *  @help make the server mandatory, or the client optional
 *  @when end
 */
fact mandatory_gates_are_bound_to_mandatory_ones {
  all b: Kell.ties, c: b.client, s: b.server |
    some c.is and is_mandatory[c.is] implies no s.is.contingency & "optional"
}

/** FRA127 bound-twice: An interface is bound once.
 *
 *  Only a multicast interface has several bindings. Of a collection each interface has a name of its own.
 *
 *  @message {c.gate} of {c.at} is bound twice
 *  @at d.written
 *  @also c.written the other binding
 *  @help remove one of the bindings, or make the interface a collection or `multicast`
 *  @when end
 */
fact gates_are_bound_once {
  all k: Kell, disj b, e: k.ties, c: b.client, d: e.client |
    c.written = d.written implies c.is.cardinality = "multicast" or no c.is
}

/** FRA128 unbound: What a subcomponent cannot do without is bound.
 *
 *  An interface that says nothing is mandatory. A component with such an interface cannot be started until it is bound.
 *  A composite with a controller of its own, such as `parallel`, may bind what is in it.
 *
 *  @message {h} needs {g.gid}, and nothing in {k} is bound to it
 *  @at h
 *  @also g the interface
 *  @also k
 *  @help bind it to an interface that offers this, or make it `contingency="optional"`
 *  @when end
 */
fact mandatory_gates_are_bound {
  all k: Kell & known.true, h: k.sc & known.true, g: h.gates |
    (no k.controller or k.controller = "composite") and is_client[g] and is_mandatory[g] and is_single[g] implies
      some e: Kell.ties.client | e.is = g and e.own = false
}

/** FRA129 offers-nothing: What a composite must offer, a subcomponent does.
 *
 *  Seen from inside, an interface that the composite offers is one that must be bound. Calls to it would have nobody to
 *  go to, and the composite cannot be started.
 *
 *  @severity warning
 *  @message {k} offers {g.gid}, and none of its subcomponents is bound to it
 *  @at g
 *  @also k
 *  @help bind it: `client="this.…"`, or make it `contingency="optional"`
 *  @when end
 */
fact offers_are_kept {
  all k: Kell & known.true, g: k.gates |
    some k.sc and is_server[g] and is_mandatory[g] and is_single[g] and no g.gid & "attribute-controller"
      implies some e: k.ties.client | e.is = g
}

/** FRA130 other-signature: The ends of a binding have the same signature.
 *
 *  The server may have a type below that of the client, which only the code tells. Of interfaces with one name in
 *  another package this is a mistake.
 *
 *  @severity warning
 *  @message {c.gate} of {c.at} has the signature {c.is.signature}, and {s.gate} of {s.at} has {s.is.signature}
 *  @at b
 *  @also c.is.signature the client
 *  @also s.is.signature the server
 *  @help let both be the same, unless the type of the server is below that of the client
 *  @when end
 */
fact ends_have_one_signature {
  all b: Kell.ties, c: b.client, s: b.server |
    some c.is.signature and some s.is.signature and not is_collective[c.is] and not is_collective[s.is] implies
      c.is.signature = s.is.signature
}

/** FRA131 collection-to-itself: A binding of a component with itself goes by way of its composite.
 *
 *  @severity warning
 *  @message {c.at} is bound to itself, from {c.gate} to {s.gate}
 *  @at b
 *  @help calls that a component makes to itself need no binding
 *  @when end
 */
fact nothing_is_bound_to_itself {
  all b: Kell.ties, c: b.client, s: b.server | c.own = false and s.own = false implies no c.at & s.at
}

/** FRA132 bindings-in-a-primitive: What has bindings has subcomponents.
 *
 *  @severity warning
 *  @message {k} has bindings, and no subcomponents that could be bound
 *  @at b
 *  @also k
 *  @help move the binding into the component that contains both ends
 *  @when end
 */
fact bindings_are_in_composites {
  all k: Kell & known.true, b: k.bindings | some k.sc
}
