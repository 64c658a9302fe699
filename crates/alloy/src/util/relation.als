module util/relation

-- Properties of binary relations.

/** What it starts from. */
fun dom [r: univ->univ]: set (r.univ) { r.univ }

/** What it leads to. */
fun ran [r: univ->univ]: set (univ.r) { univ.r }

/** Leads somewhere from everywhere in s. */
pred total [r: univ->univ, s: set univ] { all x: s | some x.r }

/** Leads to at most one place from anywhere in s. */
pred functional [r: univ->univ, s: set univ] { all x: s | lone x.r }

/** Leads to exactly one place from everywhere in s. */
pred function [r: univ->univ, s: set univ] { all x: s | one x.r }

/** Leads to everything in s. */
pred surjective [r: univ->univ, s: set univ] { all x: s | some r.x }

/** Leads to anything in s from at most one place. */
pred injective [r: univ->univ, s: set univ] { all x: s | lone r.x }

/** Leads to everything in s from exactly one place. */
pred bijective [r: univ->univ, s: set univ] { all x: s | one r.x }

/** Pairs the elements of d and c one to one. */
pred bijection [r: univ->univ, d, c: set univ] {
  function[r, d]
  bijective[r, c]
}

/** Relates everything in s to itself. */
pred reflexive [r: univ->univ, s: set univ] { s <: iden in r }

/** Relates nothing to itself. */
pred irreflexive [r: univ->univ] { no r & iden }

/** Is the same in both directions. */
pred symmetric [r: univ->univ] { ~r in r }

/** Goes both ways only from an element to itself. */
pred antisymmetric [r: univ->univ] { r & ~r in iden }

/** Two steps are one step. */
pred transitive [r: univ->univ] { r.r in r }

/** Never leads back to where it started, in s. */
pred acyclic [r: univ->univ, s: set univ] { all x: s | x !in x.^r }

/** Relates any two elements of s, one way or the other. */
pred complete [r: univ->univ, s: univ] { all x, y: s | x != y implies x->y in r + ~r }

pred preorder [r: univ->univ, s: set univ] {
  reflexive[r, s]
  transitive[r]
}

pred equivalence [r: univ->univ, s: set univ] {
  preorder[r, s]
  symmetric[r]
}

pred partialOrder [r: univ->univ, s: set univ] {
  preorder[r, s]
  antisymmetric[r]
}

pred totalOrder [r: univ->univ, s: set univ] {
  partialOrder[r, s]
  complete[r, s]
}
