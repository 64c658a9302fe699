module hot/core

-- What all rules about Heat templates are written over: section 7.1.2 of the report.
--
-- A template is a location graph, a resource is a location. A property that names another resource binds a role that
-- the other provides; here it relates to the location itself. What a template names and does not define (a network, an
-- image, a flavor) is a location too: it exists already.
--
-- The types are in modules of their own, `hot/types/OS_Neutron_Port`, made from Heat's catalogue. A field has a value
-- if the template gives one, or else if the catalogue has a default. What is not known before deployment is a value
-- unlike any other while rules are looked at, and no rule is reported as broken because of it.

/** A place of the graph: a resource, or something that exists already. */
abstract sig Location {}

/** A resource of the template that is created, or may be. */
abstract sig Resource extends Location {
  /** Its name in the template. */
  id: one String,
  /** What `depends_on` has. */
  depends_on: set Resource,
  /** All resources that it refers to, in whatever way. */
  references: set Resource,
  /** The properties that are written as null. They have no value; to Heat that is not always as if they were left out. */
  nulls: set String,
  /** The id of the thing that exists already, which it then stands for. */
  external_id: lone String,
  /** What a group or a chain makes: for each definition one resource, or two if it makes several of it. */
  members: set Resource,
  /** The lists among its properties in which something stands twice. */
  repeats: set String,
  /** How many addresses a subnet has to give out, if that follows from the template. */
  capacity: lone Int,
  /** Of a member: how many resources it stands for, 0 for the second of two. A group that scales has the most that it can have. */
  stands_for: lone Int,
  /** What is in it, if it is a template of its own. */
  inner: set Inner
}

/** How many resources of a type are in templates within the template. */
sig Inner {
  /** The type, as Heat calls it. */
  inner_type: one String,
  /** How many there are of it, in all that the resource stands for. */
  inner_number: one Int
}

/** A resource of a type that no rule speaks of: another type, or a template of its own. */
sig Other extends Resource {}

/** Something that exists already. */
sig External extends Location {
  /** What it is, as Heat's constraints say it: `neutron.network`. */
  kind: one String,
  /** By which name or id the template knows it. */
  name: lone String
}

/** A map within a property: an item of a list such as `fixed_ips`, or a map such as `external_gateway_info`. */
abstract sig Part {
  /** The resource that it is a part of. */
  of: one Resource
}

/** A value without a structure that is known: a map with free keys, a list in a list. */
sig Data {
  /** What is in the map. */
  entries: set Entry
}

/** A key of such a map with its value; with all items, if that is a list. */
sig Entry {
  key: one String,
  value: set (Location + String + Int + Boolean + Data)
}

/** True or false, or either where it is not known which. */
abstract sig Boolean {}
one sig true, false extends Boolean {}

/** The resources whose properties are looked at: one that exists already is as it is. */
fun Made: set Resource { Resource - external_id.String }

/** Resources of which nothing is known but what they refer to. They may do anything to those. */
fun opaque: set Resource { Other }
