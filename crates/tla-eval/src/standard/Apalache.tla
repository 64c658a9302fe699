---- MODULE Apalache ----
\* What specifications written for Apalache use: hints to that checker, which say nothing here, and folds.
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
x := e == x = e
Gen(size) == NATIVE
Guess(S) == CHOOSE x \in S : TRUE
Skolem(e) == e
Expand(S) == S
ConstCardinality(e) == e
SetAsFun(S) ==
    [a \in {p[1] : p \in S} |-> (CHOOSE p \in S : p[1] = a)[2]]
MkSeq(N, F(_)) == [i \in 1..N |-> F(i)]
FunAsSeq(fn, len, capacity) == [i \in 1..len |-> fn[i]]
RECURSIVE ApaFoldSet(_, _, _)
ApaFoldSet(Op(_, _), v, S) ==
    IF S = {} THEN v
    ELSE LET w == CHOOSE x \in S : TRUE
         IN  ApaFoldSet(Op, Op(v, w), S \ {w})
RECURSIVE ApaFoldSeqLeft(_, _, _)
ApaFoldSeqLeft(Op(_, _), v, seq) ==
    IF seq = <<>> THEN v ELSE ApaFoldSeqLeft(Op, Op(v, Head(seq)), Tail(seq))
RECURSIVE Repeat(_, _, _)
Repeat(F(_, _), N, x) == IF N <= 0 THEN x ELSE F(Repeat(F, N - 1, x), N)
====
