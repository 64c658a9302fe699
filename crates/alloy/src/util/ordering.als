module util/ordering[exactly elem]

-- One total order on all atoms of a signature. Opening this makes the signature's scope exact.

private one sig Ord {
  First: set elem,
  Next: elem->elem
} {
  pred/totalOrder[elem, First, Next]
}

/** The first element. */
fun first: one elem { Ord.First }

/** The last element. */
fun last: one elem { elem - Ord.Next.elem }

/** From each element to the one after it. */
fun next: elem->elem { Ord.Next }

/** From each element to the one before it. */
fun prev: elem->elem { ~(Ord.Next) }

/** All elements before this one. */
fun prevs [e: elem]: set elem { ^(Ord.Next).e }

/** All elements after this one. */
fun nexts [e: elem]: set elem { e.^(Ord.Next) }

/** The first comes before the second. */
pred lt [e1, e2: elem] { e1 in prevs[e2] }

/** The first comes after the second. */
pred gt [e1, e2: elem] { e1 in nexts[e2] }

/** The first is the second or comes before it. */
pred lte [e1, e2: elem] { e1 = e2 or lt[e1, e2] }

/** The first is the second or comes after it. */
pred gte [e1, e2: elem] { e1 = e2 or gt[e1, e2] }

/** The one that comes last. */
fun larger [e1, e2: elem]: elem { lt[e1, e2] => e2 else e1 }

/** The one that comes first. */
fun smaller [e1, e2: elem]: elem { lt[e1, e2] => e1 else e2 }

/** The last of some elements. */
fun max [es: set elem]: lone elem { es - ^(Ord.Next).es }

/** The first of some elements. */
fun min [es: set elem]: lone elem { es - es.^(Ord.Next) }
