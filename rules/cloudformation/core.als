module cloudformation/core
open util/text as text

-- What all rules about CloudFormation templates are written over: section 7.1.2 of the report.
--
-- A template is a location graph, a resource is a location. A property that names another resource binds a role that
-- the other provides; here it relates to the location itself, whether it names it by its id, its name or its ARN. What
-- a template names and does not define is a location too: it exists already.
--
-- The types are in modules of their own, `cloudformation/types/AWS_EC2_Subnet`, made from CloudFormation's registry.
-- What is not known before deployment is a value unlike any other while rules are looked at, and no rule is reported as
-- broken because of it. Where conditions decide what there is, the rules are asked in each combination of them.

/** A place of the graph: a resource, or something that exists already. */
abstract sig Location {}

/** A resource of the template that is created, or may be. */
abstract sig Resource extends Location {
  /** Its name in the template. */
  id: one String,
  /** Its type. */
  type_name: one String,
  /** What `DependsOn` has. */
  depends_on: set Resource,
  /** All resources that it refers to, in whatever way. */
  references: set Resource,
  /** What becomes of it when it is no longer described. */
  deletion_policy: lone String,
  /** What becomes of the old one when it is replaced. */
  update_replace_policy: lone String,
  /** What it makes by itself; nothing here does. */
  members: set Resource
}

/** A resource of a type that no rule speaks of. */
sig Other extends Resource {}

/** Something that exists already. */
sig External extends Location {
  /** Its type: `AWS::EC2::Subnet`. */
  kind: one String,
  /** By which name or id the template knows it. */
  name: lone String
}

/** A map within a property. */
abstract sig Part {
  /** The resource that it is a part of. */
  of: one Resource
}

/** A value without a structure that is known: a map with free keys, a policy document. */
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

/** Resources of types that are not AWS's, and nested stacks: they may do anything to what they refer to. */
fun opaque: set Resource {
  (Resource - type_name.("AWS::".(text/prefix))) + type_name.("AWS::CloudFormation::".(text/prefix))
}
