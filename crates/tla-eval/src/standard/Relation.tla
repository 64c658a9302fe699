---- MODULE Relation ----
\* Relations as Boolean functions on pairs.
EXTENDS Naturals, FiniteSets
IsReflexive(R, S) == \A x \in S : R[x, x]
IsReflexiveUnder(op(_, _), S) == \A x \in S : op(x, x)
IsIrreflexive(R, S) == \A x \in S : ~R[x, x]
IsIrreflexiveUnder(op(_, _), S) == \A x \in S : ~op(x, x)
IsSymmetric(R, S) == \A x, y \in S : R[x, y] <=> R[y, x]
IsSymmetricUnder(op(_, _), S) == \A x, y \in S : op(x, y) <=> op(y, x)
IsAntiSymmetric(R, S) == \A x, y \in S : R[x, y] /\ R[y, x] => x = y
IsAntiSymmetricUnder(op(_, _), S) == \A x, y \in S : op(x, y) /\ op(y, x) => x = y
IsAsymmetric(R, S) == \A x, y \in S : ~(R[x, y] /\ R[y, x])
IsAsymmetricUnder(op(_, _), S) == \A x, y \in S : ~(op(x, y) /\ op(y, x))
IsTransitive(R, S) == \A x, y, z \in S : R[x, y] /\ R[y, z] => R[x, z]
IsTransitiveUnder(op(_, _), S) == \A x, y, z \in S : op(x, y) /\ op(y, z) => op(x, z)
IsStrictlyPartiallyOrdered(R, S) == IsIrreflexive(R, S) /\ IsAntiSymmetric(R, S) /\ IsTransitive(R, S)
IsStrictlyPartiallyOrderedUnder(op(_, _), S) ==
    IsIrreflexiveUnder(op, S) /\ IsAntiSymmetricUnder(op, S) /\ IsTransitiveUnder(op, S)
IsPartiallyOrdered(R, S) == IsReflexive(R, S) /\ IsAntiSymmetric(R, S) /\ IsTransitive(R, S)
IsPartiallyOrderedUnder(op(_, _), S) ==
    IsReflexiveUnder(op, S) /\ IsAntiSymmetricUnder(op, S) /\ IsTransitiveUnder(op, S)
IsStrictlyTotallyOrdered(R, S) ==
    IsStrictlyPartiallyOrdered(R, S) /\ \A x, y \in S : x # y => R[x, y] \/ R[y, x]
IsStrictlyTotallyOrderedUnder(op(_, _), S) ==
    IsStrictlyPartiallyOrderedUnder(op, S) /\ \A x, y \in S : x # y => op(x, y) \/ op(y, x)
IsTotallyOrdered(R, S) == IsPartiallyOrdered(R, S) /\ \A x, y \in S : R[x, y] \/ R[y, x]
IsTotallyOrderedUnder(op(_, _), S) ==
    IsPartiallyOrderedUnder(op, S) /\ \A x, y \in S : op(x, y) \/ op(y, x)
LOCAL RelationClosure(pairs) == NATIVE
TransitiveClosure(R, S) ==
    LET pairs == RelationClosure({p \in S \X S : R[p[1], p[2]]})
    IN  [x, y \in S |-> <<x, y>> \in pairs]
ReflexiveTransitiveClosure(R, S) ==
    LET closed == TransitiveClosure(R, S) IN [x, y \in S |-> x = y \/ closed[x, y]]
IsConnected(R, S) == LET closed == ReflexiveTransitiveClosure(R, S) IN \A x, y \in S : closed[x, y]
====
