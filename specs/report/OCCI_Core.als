/**
 * The core of OCCI, the Open Cloud Computing Interface, in location graphs: section 4.1 of INRIA report RR-9317.
 *
 * Resources and the links between them are entities, and entities are locations: a link is no line, but a thing that
 * can have a behaviour, and fail. Kinds, mixins, attributes and actions are left out, as in the report.
 */
module OCCI_Core
open LocationGraphs

/** The roles of OCCI: REST interfaces. */
sig Rest extends Role {}

let URI = Name

abstract sig Entity extends Location {
  id : one URI
} {
  // The identifier is the name of the location.
  name = id
  // All roles are REST interfaces.
  provided in Rest
  required in Rest
}

sig Resource extends Entity {
  links : set Link
} {
  // A resource requires one role of each of its links.
  all l : links | one r : l.@provided | r in required
}

sig Link extends Entity {
  source : one Resource,
  target : one Resource
} {
  // The source is the resource that has the link.
  source = (Resource <: links).this
  // The link requires one role of its source and one of its target.
  one r : source.@provided | r in required
  one r : target.@provided | r in required
}

/** A whole of resources. OCCI itself has no word for it. */
sig Configuration extends LocationGraph {
  resources : set Resource
} {
  locations = resources + resources.links
}

/** There are configurations. */
run Model {} expect 1

run OneConfiguration {
  one c : Configuration | Resource in c.resources
  Link in Configuration.resources.links
} for 5 but exactly 1 Configuration expect 1

run OneLink {} for 5 but exactly 1 Link expect 1

/** A resource that two links target has a role for each. */
run OneResourceTargetedByTwoLinks {
  some r : Resource, disj l, m : Link | l.target = r and m.target = r
} for 5 expect 1
