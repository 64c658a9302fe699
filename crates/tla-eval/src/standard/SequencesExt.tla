---- MODULE SequencesExt ----
\* More about sequences.
EXTENDS Sequences, Naturals, FiniteSets, FiniteSetsExt, Folds, Functions, Bags, TLC
ToSet(s) == NATIVE
ToBag(s) == [x \in ToSet(s) |-> Cardinality({i \in DOMAIN s : s[i] = x})]
SetToSeq(S) == NATIVE
SetToSeqs(S) == {f \in [1..Cardinality(S) -> S] : IsInjective(f)}
SetToSortSeq(S, op(_, _)) == SortSeq(SetToSeq(S), op)
SetToAllKPermutations(S) == UNION {SetToSeqs(s) : s \in SUBSET S}
TupleOf(set, n) == [1..n -> set]
SeqOf(set, n) == UNION {[1..m -> set] : m \in 0..n}
BoundedSeq(S, n) == SeqOf(S, n)
Contains(s, e) == e \in ToSet(s)
IsSorted(s, op(_, _)) == \A i, j \in 1..Len(s) : i < j => op(s[i], s[j])
Reverse(s) == NATIVE
Remove(s, e) == SelectSeq(s, LAMBDA t : t # e)
ReplaceAll(s, old, new) == [i \in 1..Len(s) |-> IF s[i] = old THEN new ELSE s[i]]
SelectInSeq(seq, Test(_)) ==
    LET fit == {i \in 1..Len(seq) : Test(seq[i])} IN IF fit = {} THEN 0 ELSE Min(fit)
SelectInSubSeq(seq, from, to, Test(_)) ==
    LET at == SelectInSeq(SubSeq(seq, from, to), Test) IN IF at = 0 THEN 0 ELSE from + at - 1
SelectLastInSeq(seq, Test(_)) ==
    LET fit == {i \in 1..Len(seq) : Test(seq[i])} IN IF fit = {} THEN 0 ELSE Max(fit)
SelectLastInSubSeq(seq, from, to, Test(_)) ==
    LET at == SelectLastInSeq(SubSeq(seq, from, to), Test) IN IF at = 0 THEN 0 ELSE from + at - 1
InsertAt(s, i, e) == SubSeq(s, 1, i - 1) \o <<e>> \o SubSeq(s, i, Len(s))
ReplaceAt(s, i, e) == [s EXCEPT ![i] = e]
RemoveAt(s, i) == SubSeq(s, 1, i - 1) \o SubSeq(s, i + 1, Len(s))
RemoveFirst(s, e) == IF Contains(s, e) THEN RemoveAt(s, SelectInSeq(s, LAMBDA t : t = e)) ELSE s
RemoveFirstMatch(s, Test(_)) ==
    IF \E i \in 1..Len(s) : Test(s[i]) THEN RemoveAt(s, SelectInSeq(s, Test)) ELSE s
Cons(elt, seq) == <<elt>> \o seq
Snoc(elt, seq) == Append(seq, elt)
Front(s) == NATIVE
Last(s) == NATIVE
IsPrefix(s, t) == Len(s) \leq Len(t) /\ s = SubSeq(t, 1, Len(s))
IsStrictPrefix(s, t) == IsPrefix(s, t) /\ s # t
IsSuffix(s, t) == IsPrefix(Reverse(s), Reverse(t))
IsStrictSuffix(s, t) == IsSuffix(s, t) /\ s # t
Prefixes(s) == {SubSeq(s, 1, n) : n \in 0..Len(s)}
CommonPrefixes(S) ==
    {p \in UNION {Prefixes(s) : s \in S} : \A t \in S : IsPrefix(p, t)}
LongestCommonPrefix(S) ==
    CHOOSE p \in CommonPrefixes(S) : \A q \in CommonPrefixes(S) : Len(q) \leq Len(p)
Suffixes(s) == {SubSeq(s, n, Len(s)) : n \in 1..Len(s)} \cup {<<>>}
SeqMod(a, b) == IF a % b = 0 THEN b ELSE a % b
FoldSeq(op(_, _), base, seq) == FoldFunction(op, base, seq)
FoldLeft(op(_, _), base, seq) == NATIVE
FoldRight(op(_, _), seq, base) == NATIVE
FoldLeftDomain(op(_, _), base, seq) == FoldLeft(op, base, [i \in DOMAIN seq |-> i])
FoldRightDomain(op(_, _), seq, base) == FoldRight(op, [i \in DOMAIN seq |-> i], base)
FlattenSeq(seqs) == NATIVE
Zip(s, t) == [i \in 1..(IF Len(s) \leq Len(t) THEN Len(s) ELSE Len(t)) |-> <<s[i], t[i]>>]
Interleave(s, t) ==
    IF s = <<>> /\ t = <<>> THEN << <<>>, <<>> >>
    ELSE FlattenSeq([i \in 1..Len(s) |-> << <<s[i]>>, <<t[i]>> >>])
SubSeqs(s) == {SubSeq(s, i + 1, j) : i, j \in 0..Len(s)}
AllSubSeqs(s) == {FoldFunction(Snoc, <<>>, [i \in D |-> s[i]]) : D \in SUBSET DOMAIN s}
IndexFirstSubSeq(s, t) ==
    (CHOOSE i \in 0..Len(t) :
        /\ s \in SubSeqs(SubSeq(t, 1, i))
        /\ \A j \in 0..(i - 1) : s \notin SubSeqs(SubSeq(t, 1, j))) - (Len(s) - 1)
ReplaceSubSeqAt(i, r, s, t) == SubSeq(t, 1, i - 1) \o r \o SubSeq(t, i + Len(s), Len(t))
ReplaceFirstSubSeq(r, s, t) ==
    IF s \in SubSeqs(t) THEN ReplaceSubSeqAt(IndexFirstSubSeq(s, t), r, s, t) ELSE t
ReplaceAllSubSeqs(r, s, t) == NATIVE
====
