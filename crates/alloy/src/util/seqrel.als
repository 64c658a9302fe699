module util/seqrel[elem]

-- Sequences as relations from ordered indices of their own to elements.

open util/integer
open util/ordering[SeqIdx] as ord

sig SeqIdx {}

/** Indices start at the first and have no gap; at each there is one element. */
pred isSeq [s: SeqIdx->elem] {
  s in SeqIdx -> lone elem
  inds[s] - inds[s].(ord/next) in ord/first
}

/** What it has. */
fun elems [s: SeqIdx->elem]: set elem { SeqIdx.s }

/** The element at the first index. */
fun first [s: SeqIdx->elem]: lone elem { s[ord/first] }

/** The element at the last index. */
fun last [s: SeqIdx->elem]: lone elem { s[lastIdx[s]] }

/** Without its first element, moved to start at the first index again. */
fun rest [s: SeqIdx->elem]: SeqIdx->elem { (ord/next).s }

/** Without its last element. */
fun butlast [s: SeqIdx->elem]: SeqIdx->elem { (SeqIdx - lastIdx[s]) <: s }

/** It has no element. */
pred isEmpty [s: SeqIdx->elem] { no s }

/** An element is there twice. */
pred hasDups [s: SeqIdx->elem] { #elems[s] < #inds[s] }

/** The indices it uses. */
fun inds [s: SeqIdx->elem]: set SeqIdx { s.elem }

/** The last index it uses. */
fun lastIdx [s: SeqIdx->elem]: lone SeqIdx { ord/max[inds[s]] }

/** The first index it does not use. */
fun afterLastIdx [s: SeqIdx->elem]: lone SeqIdx { ord/min[SeqIdx - inds[s]] }

/** The first index of an element. */
fun idxOf [s: SeqIdx->elem, e: elem]: lone SeqIdx { ord/min[indsOf[s, e]] }

/** The last index of an element. */
fun lastIdxOf [s: SeqIdx->elem, e: elem]: lone SeqIdx { ord/max[indsOf[s, e]] }

/** All indices of an element. */
fun indsOf [s: SeqIdx->elem, e: elem]: set SeqIdx { s.e }

/** With e behind its last element. */
fun add [s: SeqIdx->elem, e: elem]: SeqIdx->elem { s ++ afterLastIdx[s]->e }

/** With e at index i. */
fun setAt [s: SeqIdx->elem, i: SeqIdx, e: elem]: SeqIdx->elem { s ++ i->e }

/** With e at index i, what was there and behind it moved on. */
fun insert [s: SeqIdx->elem, i: SeqIdx, e: elem]: SeqIdx->elem {
  (ord/prevs[i] <: s) + i->e + (ord/prev).((i + ord/nexts[i]) <: s)
}

/** Without the element at index i, those behind it moved up. */
fun delete [s: SeqIdx->elem, i: SeqIdx]: SeqIdx->elem {
  (ord/prevs[i] <: s) + (ord/next).(ord/nexts[i] <: s)
}

/** The first followed by the second. */
fun append [s1, s2: SeqIdx->elem]: SeqIdx->elem {
  let moved = { to, from: SeqIdx |
      #ord/prevs[to] = integer/add[#ord/prevs[from], integer/add[#ord/prevs[lastIdx[s1]], 1]] } |
    s1 + moved.s2
}

/** From one index to another, both included. */
fun subseq [s: SeqIdx->elem, from, to: SeqIdx]: SeqIdx->elem {
  let moved = { new, old: SeqIdx | #ord/prevs[new] = integer/sub[#ord/prevs[old], #ord/prevs[from]] } |
    moved.((SeqIdx - ord/nexts[to]) <: s)
}

/** The first of all indices. */
fun firstIdx: SeqIdx { ord/first }

/** The last of all indices. */
fun finalIdx: SeqIdx { ord/last }
