module util/natural

-- Natural numbers as atoms, as many as the scope of Natural has.

private open util/ordering[Natural] as ord
private open util/integer as integer

sig Natural {}

/** The number 0. */
one sig Zero in Natural {}

/** The number 1; empty if the scope has no room for it. */
lone sig One in Natural {}

fact zeroAndOneComeFirst {
  ord/first in Zero
  ord/first.(ord/next) in One
}

/** One more. */
fun inc [n: Natural]: lone Natural { n.(ord/next) }

/** One less. */
fun dec [n: Natural]: lone Natural { n.(ord/prev) }

/** Sum, if there is room for it. */
fun add [n1, n2: Natural]: lone Natural {
  { n: Natural | #ord/prevs[n] = plus[#ord/prevs[n1], #ord/prevs[n2]] }
}

/** Difference, if it is natural. */
fun sub [n1, n2: Natural]: lone Natural {
  { n: Natural | plus[#ord/prevs[n2], #ord/prevs[n]] = #ord/prevs[n1] }
}

/** Product, if there is room for it. */
fun mul [n1, n2: Natural]: lone Natural {
  { n: Natural | #ord/prevs[n] = #(ord/prevs[n1]->ord/prevs[n2]) }
}

/** Quotient, if the division leaves nothing. */
fun div [n1, n2: Natural]: lone Natural {
  { n: Natural | #(ord/prevs[n2]->ord/prevs[n]) = #ord/prevs[n1] }
}

pred gt [n1, n2: Natural] { ord/gt[n1, n2] }
pred lt [n1, n2: Natural] { ord/lt[n1, n2] }
pred gte [n1, n2: Natural] { ord/gte[n1, n2] }
pred lte [n1, n2: Natural] { ord/lte[n1, n2] }

/** The largest of some numbers. */
fun max [ns: set Natural]: lone Natural { ord/max[ns] }

/** The smallest of some numbers. */
fun min [ns: set Natural]: lone Natural { ord/min[ns] }
