module fractal/gates
open fractal/core

-- Interfaces and attributes.

/** FRA101 interface-twice: The interfaces of a component have different names.
 *
 *  The report's fact about kells: gates with one identity are one gate. Bindings name interfaces, so of two with one
 *  name nothing could be said. Those of the controller have names of their own.
 *
 *  @message {k} has two interfaces {g.gid}
 *  @at h.gid
 *  @also g.gid the first one
 *  @help give one of them another name
 *  @when end
 *  @report GatesInKellHaveUniqueIds
 */
fact gates_of_a_kell_have_different_names {
  all k: Kell, disj g, h: k.gates | no g.gid & h.gid
}

/** FRA102 interface-of-controller-twice: The interfaces of a controller have different names.
 *
 *  @message the controller of {k} has two interfaces {g.gid}
 *  @at h.gid
 *  @also g.gid the first one
 *  @help give one of them another name
 *  @when end
 */
fact gates_of_a_controller_have_different_names {
  all k: Kell, disj g, h: k.controls | no g.gid & h.gid
}

/** FRA103 role-missing: An interface says whether it offers something or asks for it.
 *
 *  The role may come from a definition that the component is made of.
 *
 *  @message the interface {g} of {k} has no role
 *  @at g
 *  @help give it `role="server"` if the component offers it, or `role="client"` if it needs it
 *  @when end
 */
fact gates_have_a_role {
  all k: Kell & known.true, g: k.gates + k.controls | some g.role
}

/** FRA104 signature-missing: An interface has a signature.
 *
 *  The signature may come from a definition that the component is made of.
 *
 *  @message the interface {g} of {k} has no signature
 *  @at g
 *  @help give it the name of its type: `signature="…"`
 *  @when end
 */
fact gates_have_a_signature {
  all k: Kell & known.true, g: k.gates + k.controls | some g.signature
}

/** FRA105 internal-outside: Only the controller of a component has internal interfaces.
 *
 *  @message the interface {g} of {k} has the role {g.role}, which only interfaces of a controller have
 *  @at g.role
 *  @help write `client` or `server`, or move the interface into the `controller`
 *  @when end
 */
fact internal_gates_are_in_controllers {
  all k: Kell, g: k.gates | not is_internal[g]
}

/** FRA106 multicast-server: An interface that calls several at a time is one that asks.
 *
 *  A multicast interface turns one call into many, so it is a client; a gathercast interface turns many calls into one,
 *  so it is a server.
 *
 *  @severity warning
 *  @message the interface {g} of {k} is a server, and `multicast` is for clients
 *  @at g.cardinality
 *  @help write `gathercast`, or make it a client
 *  @when end
 */
fact multicast_gates_are_clients {
  all k: Kell, g: k.gates | is_server[g] and no k.sc implies no g.cardinality & "multicast"
}

/** FRA107 gathercast-client: An interface that gathers the calls of several is one that offers.
 *
 *  @severity warning
 *  @message the interface {g} of {k} is a client, and `gathercast` is for servers
 *  @at g.cardinality
 *  @help write `multicast`, or make it a server
 *  @when end
 */
fact gathercast_gates_are_servers {
  all k: Kell, g: k.gates | is_client[g] and no k.sc implies no g.cardinality & "gathercast"
}

/** FRA108 reserved-name: An interface does not have the name of one that controllers provide.
 *
 *  Every component has the interface `component`, by which others know it. Bindings to it are taken for that one.
 *
 *  @severity warning
 *  @message {k} has an interface {g.gid}, which is the name of a control interface
 *  @at g.gid
 *  @help choose another name
 *  @when end
 */
fact gates_have_names_of_their_own {
  all k: Kell, g: k.gates | no g.gid & "component"
}

/** FRA109 attribute-twice: The attributes of a component have different names.
 *
 *  @message {k} has two attributes {a.key}
 *  @at b.key
 *  @also a.key the first one
 *  @help remove one of the two
 *  @when end
 */
fact attributes_have_different_names {
  all k: Kell, disj a, b: k.attributes | no a.key & b.key
}

/** FRA110 attributes-without-signature: Attributes have the interface by which they are set.
 *
 *  @message the attributes of {k} have no signature
 *  @at k.has_attributes
 *  @help name the interface that sets them: `signature="…"`
 *  @when end
 */
fact attributes_have_a_signature {
  all k: Kell & known.true | some k.attributes implies some k.attribute_signature
}

/** FRA111 attributes-without-content: What has attributes has a class that they are attributes of.
 *
 *  @severity warning
 *  @message {k} has attributes, and no class that they are set on
 *  @at k.has_attributes
 *  @help give it a `content`, or let a definition do so
 *  @when end
 */
fact attributes_belong_to_a_class {
  all k: Kell & known.true & root.false | some k.attributes implies some k.content
}

/** FRA112 collections-overlap: The interfaces of a collection cannot be taken for others of the component.
 *
 *  An interface of a collection has a name that begins with that of the collection. An interface or another collection
 *  that begins so too could be meant as well.
 *
 *  @severity warning
 *  @message {h.gid} of {k} begins with {g.gid}, which is a collection: it may be taken for one of its interfaces
 *  @at h.gid
 *  @also g.gid the collection
 *  @help choose names of which none begins with the other
 *  @when end
 */
fact collections_do_not_overlap {
  all k: Kell, disj g, h: k.gates |
    g.cardinality = "collection" and g.role = h.role implies h not in g.begun_by
}

/** FRA113 interceptor-unknown: What intercepts the calls of an interface is a component of the controller.
 *
 *  @message the interface {g} of {k} is intercepted by {i.interceptor}, and the controller has no such component
 *  @at i.interceptor
 *  @help name a component of the controller and its interface, or `this.` and the name of a controller
 *  @when end
 */
fact interceptors_are_there {
  all k: Kell & known.true, g: k.gates, i: g.intercepted_by | some i.stands_for
}
