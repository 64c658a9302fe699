module util/ternary

-- Relations with three columns.

/** The first column. */
fun dom [r: univ->univ->univ]: set ((r.univ).univ) { (r.univ).univ }

/** The last column. */
fun ran [r: univ->univ->univ]: set (univ.(univ.r)) { univ.(univ.r) }

/** The column in the middle. */
fun mid [r: univ->univ->univ]: set (univ.(r.univ)) { univ.(r.univ) }

/** The first two columns. */
fun select12 [r: univ->univ->univ]: r.univ { r.univ }

/** The first and the last column. */
fun select13 [r: univ->univ->univ]: ((r.univ).univ)->(univ.(univ.r)) {
  { a: dom[r], c: ran[r] | some a.r.c }
}

/** The last two columns. */
fun select23 [r: univ->univ->univ]: univ.r { univ.r }

/** The first two columns change places. */
fun flip12 [r: univ->univ->univ]: (univ.(r.univ))->((r.univ).univ)->(univ.(univ.r)) {
  { b: mid[r], a: dom[r], c: ran[r] | a->b->c in r }
}

/** The first and the last column change places. */
fun flip13 [r: univ->univ->univ]: (univ.(univ.r))->(univ.(r.univ))->((r.univ).univ) {
  { c: ran[r], b: mid[r], a: dom[r] | a->b->c in r }
}

/** The last two columns change places. */
fun flip23 [r: univ->univ->univ]: ((r.univ).univ)->(univ.(univ.r))->(univ.(r.univ)) {
  { a: dom[r], c: ran[r], b: mid[r] | a->b->c in r }
}
