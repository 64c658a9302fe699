module util/seq

-- Sequences: relations from the first few natural numbers (seq/Int) to anything. The same as util/sequniv, which a
-- declaration `s: seq A` opens by itself.

open util/integer as ui

/** Indices start at 0 and have no gap; at each there is one element. */
pred isSeq [s: Int->univ] {
  s in seq/Int -> lone univ
  inds[s] - inds[s].(ui/next) in 0
}

/** What it has. */
fun elems [s: Int->univ]: set (Int.s) { seq/Int.s }

/** The element at index 0. */
fun first [s: Int->univ]: lone (Int.s) { s[0] }

/** The element at the last index. */
fun last [s: Int->univ]: lone (Int.s) { s[lastIdx[s]] }

/** Without its first element, moved to start at 0 again. */
fun rest [s: Int->univ]: s { seq/Int <: (ui/next).s }

/** Without its last element. */
fun butlast [s: Int->univ]: s { (seq/Int - lastIdx[s]) <: s }

/** It has no element. */
pred isEmpty [s: Int->univ] { no s }

/** An element is there twice. */
pred hasDups [s: Int->univ] { #elems[s] < #inds[s] }

/** The indices it uses. */
fun inds [s: Int->univ]: set Int { s.univ }

/** The last index it uses. */
fun lastIdx [s: Int->univ]: lone Int { ui/max[inds[s]] }

/** The first index it does not use, if there is one. */
fun afterLastIdx [s: Int->univ]: lone Int { ui/min[seq/Int - inds[s]] }

/** The first index of an element. */
fun idxOf [s: Int->univ, e: univ]: lone Int { ui/min[indsOf[s, e]] }

/** The last index of an element. */
fun lastIdxOf [s: Int->univ, e: univ]: lone Int { ui/max[indsOf[s, e]] }

/** All indices of an element. */
fun indsOf [s: Int->univ, e: univ]: set Int { s.e }

/** With e behind its last element; the same if there is no room. */
fun add [s: Int->univ, e: univ]: s + (seq/Int->e) { s ++ afterLastIdx[s]->e }

/** With e at index i. */
fun setAt [s: Int->univ, i: Int, e: univ]: s + (seq/Int->e) { s ++ i->e }

/** With e at index i, what was there and behind it moved on; what has no room is dropped. */
fun insert [s: Int->univ, i: Int, e: univ]: s + (seq/Int->e) {
  seq/Int <: ((ui/prevs[i] <: s) + i->e + (ui/prev).((i + ui/nexts[i]) <: s))
}

/** Without the element at index i, those behind it moved up. */
fun delete [s: Int->univ, i: Int]: s { (ui/prevs[i] <: s) + (ui/next).(ui/nexts[i] <: s) }

/** The first followed by the second; what has no room is dropped. */
fun append [s1, s2: Int->univ]: s1 + s2 {
  let moved = { to, from: seq/Int | int[to] = ui/add[int[from], ui/add[int[lastIdx[s1]], 1]] } |
    no s1 => s2 else s1 + moved.s2
}

/** From one index to another, both included, moved to start at 0. */
fun subseq [s: Int->univ, from, to: Int]: s {
  let moved = { new, old: seq/Int | int[new] = ui/sub[int[old], int[from]] } |
    moved.((seq/Int - ui/nexts[to]) <: s)
}
