module toy/core

-- What all rules about toy documents are written over.

abstract sig Location {}

/** A thing of the document. */
abstract sig Thing extends Location {
  /** Its name. */
  id: one String,
  /** How many there are of it; not known if a parameter says it. */
  number: lone Int,
  /** The things that it names. */
  references: set Thing,
  members: set Thing
}

/** A thing of a type that is not known. */
sig Other extends Thing {}

/** Something that exists already. */
sig External extends Location { kind: one String, name: lone String }

abstract sig Part { of: one Thing }
sig Data { entries: set Entry }
sig Entry { key: one String, value: set (Location + String + Int + Boolean + Data) }
abstract sig Boolean {}
one sig true, false extends Boolean {}
