module util/sequence[elem]

-- Sequences as atoms: a Seq has elements at ordered indices. No two atoms are the same sequence.

open util/ordering[SeqIdx] as ord

sig SeqIdx {}

sig Seq {
  seqElems: SeqIdx -> lone elem
} {
  all i: SeqIdx - ord/first | some i.seqElems implies some i.(ord/prev).seqElems
}

fact differentSequencesDiffer {
  all disj s1, s2: Seq | s1.seqElems != s2.seqElems
}

/** No sequence has an element twice. */
pred noDuplicates { all s: Seq | not hasDups[s] }

/** Every sequence for which there is room is there. */
pred allExist {
  some s: Seq | isEmpty[s]
  all s: Seq | SeqIdx !in inds[s] implies (all e: elem | some longer: Seq | add[s, e, longer])
}

/** Every sequence without duplicates for which there is room is there, and no other. */
pred allExistNoDuplicates {
  some s: Seq | isEmpty[s]
  all s: Seq {
    not hasDups[s]
    SeqIdx !in inds[s] implies (all e: elem - elems[s] | some longer: Seq | add[s, e, longer])
  }
}

/** The element at an index. */
fun at [s: Seq, i: SeqIdx]: lone elem { i.(s.seqElems) }

/** What it has. */
fun elems [s: Seq]: set elem { SeqIdx.(s.seqElems) }

/** The element at the first index. */
fun first [s: Seq]: lone elem { at[s, ord/first] }

/** The element at the last index. */
fun last [s: Seq]: lone elem { at[s, lastIdx[s]] }

/** r is s without its first element. */
pred rest [s, r: Seq] {
  not isEmpty[s]
  all i: SeqIdx | at[r, i] = at[s, i.(ord/next)]
}

/** It has no element. */
pred isEmpty [s: Seq] { no s.seqElems }

/** An element is there twice. */
pred hasDups [s: Seq] { #elems[s] < #inds[s] }

/** The indices it uses. */
fun inds [s: Seq]: set SeqIdx { (s.seqElems).elem }

/** The last index it uses. */
fun lastIdx [s: Seq]: lone SeqIdx { ord/max[inds[s]] }

/** The first index it does not use. */
fun afterLastIdx [s: Seq]: lone SeqIdx { ord/min[SeqIdx - inds[s]] }

/** The first index of an element. */
fun idxOf [s: Seq, e: elem]: lone SeqIdx { ord/min[indsOf[s, e]] }

/** The last index of an element. */
fun lastIdxOf [s: Seq, e: elem]: lone SeqIdx { ord/max[indsOf[s, e]] }

/** All indices of an element. */
fun indsOf [s: Seq, e: elem]: set SeqIdx { (s.seqElems).e }

/** s begins as prefix does. */
pred startsWith [s, prefix: Seq] { all i: inds[prefix] | at[s, i] = at[prefix, i] }

/** added is s with e behind its last element. */
pred add [s: Seq, e: elem, added: Seq] {
  startsWith[added, s]
  added.seqElems[afterLastIdx[s]] = e
  #inds[added] = plus[#inds[s], 1]
}

/** setted is s with e at an index. */
pred setAt [s: Seq, idx: SeqIdx, e: elem, setted: Seq] { setted.seqElems = s.seqElems ++ idx->e }

/** inserted is s with e at an index, what was there and behind it moved on. */
pred insert [s: Seq, idx: SeqIdx, e: elem, inserted: Seq] {
  at[inserted, idx] = e
  all i: ord/prevs[idx] | at[inserted, i] = at[s, i]
  all i: ord/nexts[idx] | at[inserted, i] = at[s, i.(ord/prev)]
  #inds[inserted] = plus[#inds[s], 1]
}

/** dest has what source has, from destStart on. */
pred copy [source, dest: Seq, destStart: SeqIdx] {
  all from: inds[source] | some to: SeqIdx {
    ord/gte[to, destStart]
    at[dest, to] = at[source, from]
    #ord/prevs[from] = #(ord/prevs[to] - ord/prevs[destStart])
  }
}

/** appended is s1 followed by s2. */
pred append [s1, s2, appended: Seq] {
  startsWith[appended, s1]
  copy[s2, appended, afterLastIdx[s1]]
  #inds[appended] = plus[#inds[s1], #inds[s2]]
}

/** sub is what s has from one index to another, both included. */
pred subseq [s, sub: Seq, from, to: SeqIdx] {
  ord/lte[from, to]
  copy[sub, s, from]
  #inds[sub] = #(to + ord/prevs[to] - ord/prevs[from])
}

/** The first of all indices. */
fun firstIdx: SeqIdx { ord/first }

/** The last of all indices. */
fun finalIdx: SeqIdx { ord/last }
