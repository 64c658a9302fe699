---- MODULE FiniteSetsExt ----
\* More about finite sets.
EXTENDS Integers, FiniteSets, Folds, Functions
FoldSet(op(_, _), base, set) == NATIVE
SumSet(set) == FoldSet(LAMBDA x, y : x + y, 0, set)
ProductSet(set) == FoldSet(LAMBDA x, y : x * y, 1, set)
ReduceSet(op(_, _), set, acc) == FoldSet(op, acc, set)
MapThenSumSet(op(_), set) == FoldSet(LAMBDA x, y : op(x) + y, 0, set)
FlattenSet(S) == UNION S
SymDiff(A, B) == (A \ B) \cup (B \ A)
Quantify(S, P(_)) == Cardinality({s \in S : P(s)})
kSubset(k, S) == NATIVE
Max(S) == NATIVE
Min(S) == NATIVE
Choices(Sets) ==
    {{f[T] : T \in Sets} : f \in {g \in [Sets -> UNION Sets] : \A T \in Sets : g[T] \in T}}
ChooseUnique(S, P(_)) == CHOOSE x \in S : P(x) /\ \A y \in S : P(y) => y = x
====
