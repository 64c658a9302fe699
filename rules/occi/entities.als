module occi/entities
open occi/core

-- What holds of resources and links: the facts of the report's OCCI core, and the constraints of OCCIware's metamodel.

/** OCC120 id-twice: Each entity has an identity of its own.
 *
 *  @message {e} and {f} have the same id {e.id}
 *  @at f.id
 *  @also e.id the first one
 *  @help give one of them another id
 *  @when end
 */
fact ids_are_unique {
  all disj e, f: Entity | no e.id & f.id
}

/** OCC121 kind-missing: An entity has a kind.
 *
 *  @message {e} has no kind
 *  @at e
 *  @help give it a kind
 *  @when end
 */
fact entities_have_a_kind {
  all e: Entity & complete.true & partial.false | some e.kind
}

/** OCC122 resource-of-other-kind: A resource has a kind that derives from `resource`.
 *
 *  @message {r} is a resource, and its kind {r.kind} is not one of resources
 *  @at r.kind
 *  @help give it another kind, or make it a link
 *  @when end
 */
fact resources_are_of_kinds_of_resources {
  all r: Resource & complete.true |
    some r.kind and r.kind.known = true implies is_a[r, "http://schemas.ogf.org/occi/core#resource"]
}

/** OCC123 link-of-other-kind: A link has a kind that derives from `link`.
 *
 *  @message {l} is a link, and its kind {l.kind} is not one of links
 *  @at l.kind
 *  @help give it another kind, or make it a resource
 *  @when end
 */
fact links_are_of_kinds_of_links {
  all l: Link & complete.true |
    some l.kind and l.kind.known = true implies is_a[l, "http://schemas.ogf.org/occi/core#link"]
}

/** OCC124 mixin-of-other-kind: A mixin is added to entities of the kinds that it applies to.
 *
 *  @message {m} does not apply to {e}, which is a {e.kind}
 *  @at e.mixins
 *  @also m
 *  @help remove the mixin, or give the entity a kind that it applies to
 *  @when end
 */
fact mixins_apply_to_their_kinds {
  all e: Entity, m: e.mixins & known.true |
    some m.applies and some e.kind and e.kind.known = true implies some m.applies & e.kind.*parent
}

/** OCC125 attribute-missing: An entity has the attributes that it must have.
 *
 *  Attributes with a default need not be given. Those of the core, and states, are the provider's.
 *
 *  @message {e} has no value for {d.name}, which it must have
 *  @at e
 *  @also d it is defined here
 *  @help give it a value
 *  @when end
 */
fact required_attributes_are_given {
  all e: Entity & complete.true & partial.false, d: e.defined & required.true |
    no d.default and no d.bad_default implies d.name in e.given.key
}

/** OCC126 attribute-unknown: An entity has only attributes that its kind or a mixin defines.
 *
 *  @message {e} has the attribute {g.key}, which neither its kind nor its mixins define
 *  @at g.key
 *  @also e
 *  @help correct the name, or add the mixin that defines it
 *  @when end
 */
fact attributes_are_defined {
  all e: Entity & complete.true, g: e.given | some e.kind implies some g.of
}

/** OCC127 attribute-twice: An entity has each attribute once.
 *
 *  @message {e} has two values for {g.key}
 *  @at h.key
 *  @also g.key the first one
 *  @help remove one of the two
 *  @when end
 */
fact attributes_are_given_once {
  all e: Entity, disj g, h: e.given | g.key != h.key
}

/** OCC128 value-of-other-type: A value is one of the type of its attribute.
 *
 *  @message {g.key} of {e} is {g.value}, which does not fit its type: {g.wrong}
 *  @at g.value
 *  @also g.of it is defined here
 *  @help correct the value
 *  @when end
 */
fact values_fit_their_types {
  all e: Entity, g: e.given | no g.wrong
}

/** OCC129 target-missing: A link leads to a resource that is there.
 *
 *  @message {l} leads to {l.to}, and there is no such resource
 *  @at l
 *  @also l.to
 *  @help correct the target, or add the resource
 *  @when end
 */
fact links_lead_to_resources {
  all l: Link & outside.false | some l.to implies some l.target
}

/** OCC130 target-unsaid: A link says what it leads to.
 *
 *  @message {l} has no target
 *  @at l
 *  @help give it a target
 *  @when end
 */
fact links_have_a_target {
  all l: Link & partial.false | some l.to
}

/** OCC131 other-source: A link begins at the resource that it is in.
 *
 *  In the model of the report a resource owns its links: the source of each is that resource.
 *
 *  @message {l} is in {r}, and says that it begins at {l.from}
 *  @at l.from
 *  @also r
 *  @help remove the source, or move the link
 *  @when end
 *  @report source
 */
fact the_owner_of_a_link_is_its_source {
  all r: Resource, l: r.links | some l.source implies l.source = r
}

/** OCC132 target-of-other-kind: The target of a link has the kind that the link says.
 *
 *  @message {l} says that {l.target} is a {l.to_kind}, and it is a {l.target.kind}
 *  @at l.to_kind
 *  @also l.target
 *  @help correct the kind
 *  @when end
 */
fact targets_have_the_kind_that_is_said {
  all l: Link | some l.to_kind and some l.target.kind and l.target.kind.known = true implies is_a[l.target, l.to_kind]
}

/** OCC133 ends-of-other-kind: A link connects resources of the kinds that its kind says.
 *
 *  @message {l}, a {l.kind}, leads from {l.source} to {l.target}, which are not of the kinds that it connects
 *  @at l
 *  @also l.kind
 *  @help connect other resources, or give the link another kind
 *  @when end
 */
fact links_connect_what_their_kind_says {
  all l: Link | {
    some l.kind.*parent.sources and some l.source.kind and l.source.kind.known = true implies
      some l.kind.*parent.sources & l.source.kind.*parent
    some l.kind.*parent.targets and some l.target.kind and l.target.kind.known = true implies
      some l.kind.*parent.targets & l.target.kind.*parent
  }
}

/** OCC134 action-of-other-kind: An entity offers actions that its kind or a mixin has.
 *
 *  @message {e} offers the action {o.offer}, which neither its kind nor its mixins have
 *  @at o.offer
 *  @also e
 *  @help remove it, or correct its name
 *  @when end
 */
fact offered_actions_are_there {
  all e: Entity & complete.true, o: e.offered |
    some e.kind implies o.offer_term in (e.kind.*parent + e.mixins.*depends).actions.action_term
}

/** OCC135 not-used: What a configuration is made of, it uses.
 *
 *  @severity warning
 *  @message {e} is a {e.kind}, whose extension the configuration does not use
 *  @at e
 *  @also e.kind
 *  @help add a `use` of the extension
 *  @when end
 */
fact kinds_are_in_use {
  all f: File & says.true, e: Entity | some e.kind implies e.kind in f.uses or e.kind.own = true
}

/** OCC136 mixin-not-used: The mixins of a configuration are of extensions that it uses.
 *
 *  @severity warning
 *  @message {e} has the mixin {m}, whose extension the configuration does not use
 *  @at e
 *  @also m
 *  @help add a `use` of the extension
 *  @when end
 */
fact mixins_are_in_use {
  all f: File & says.true, e: Entity, m: e.mixins | m in f.uses or m.own = true
}
