module occi/core

-- What all rules about OCCI are written over: section 4 of the report, with the categories that it leaves out.
--
-- Resources and links are entities, and a link is owned by the resource that it begins at. Kinds, mixins and actions
-- are categories. Of entities whose categories are not all known, what is missing is not concluded from.

/** A kind or a mixin. */
abstract sig Category {
  /** Scheme and term. */
  identity: one String,
  scheme: one String,
  term: one String,
  attributes: set Definition,
  actions: set Action,
  /** Whether the file that is checked defines it. */
  own: one Boolean,
  /** Whether its scheme ends in `#`. */
  sharp: one Boolean,
  /** Whether all that it is made of is known. */
  known: one Boolean
}

sig Kind extends Category {
  parent: lone Kind,
  /** The kinds of resources that links of this kind begin at, and end at, if that is said. */
  sources: set Kind,
  targets: set Kind
}

sig Mixin extends Category {
  depends: set Mixin,
  /** The kinds that it can be added to; any if nothing is said. */
  applies: set Kind
}

/** An action of a kind or a mixin. */
sig Action {
  action_term: one String,
  action_scheme: lone String,
  /** The scheme that the rules of OCCI give it. */
  action_expected: lone String
}

/** The definition of an attribute. */
sig Definition {
  name: one String,
  required: one Boolean,
  /** A default that is no value of its type. */
  bad_default: lone String,
  /** A default that fits. */
  default: lone String
}

/** A resource or a link. */
abstract sig Entity {
  id: lone String,
  kind: lone Kind,
  mixins: set Mixin,
  /** The attributes that have values. */
  given: set Given,
  /** The actions that it says can be done. */
  offered: set Offered,
  /** Whether its kind and mixins are all known. */
  complete: one Boolean,
  /** Whether it is one that a request changes in part. */
  partial: one Boolean
}

sig Resource extends Entity {
  links: set Link
}

sig Link extends Entity {
  source: lone Resource,
  target: lone Resource,
  /** The place where it says what it begins at and ends at. */
  from: lone String,
  to: lone String,
  /** The kind that it says that its target has. */
  to_kind: lone String,
  /** Whether its target may be outside of the file. */
  outside: one Boolean
}

/** An attribute with a value. */
sig Given {
  key: one String,
  /** The value, as a text. */
  value: lone String,
  /** The definition that it is a value of. */
  of: lone Definition,
  /** What is wrong with the value, in words. */
  wrong: lone String
}

/** An action that an entity says can be done. */
sig Offered {
  offer: one String,
  offer_term: one String
}

/** The extensions that the file imports or uses. */
one sig File {
  uses: set Category,
  /** Whether it says what it uses. */
  says: one Boolean,
  /** Whether it is an extension. */
  extension: one Boolean,
  /** The scheme of the extension. */
  file_scheme: lone String
}

abstract sig Boolean {}
one sig true, false extends Boolean {}

/** The definitions that an entity is subject to. */
fun defined: Entity->Definition { kind.*parent.attributes + mixins.*depends.attributes }

/** An entity is of the kind with this identity, or of one that derives from it. */
pred is_a [e: Entity, i: String] { i in e.kind.*parent.identity }
