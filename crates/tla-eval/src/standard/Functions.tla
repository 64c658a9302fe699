---- MODULE Functions ----
\* Notions about functions.
EXTENDS Integers, Folds
Restrict(f, S) == [x \in S |-> f[x]]
RestrictDomain(f, Test(_)) == [x \in {y \in DOMAIN f : Test(y)} |-> f[x]]
RestrictValues(f, Test(_)) == [x \in {y \in DOMAIN f : Test(f[y])} |-> f[x]]
IsRestriction(narrow, wide) ==
    DOMAIN narrow \subseteq DOMAIN wide /\ \A x \in DOMAIN narrow : narrow[x] = wide[x]
Range(f) == NATIVE
Pointwise(f, g, T(_, _)) == [x \in DOMAIN f |-> T(f[x], g[x])]
Inverse(f, S, T) == [t \in T |-> CHOOSE s \in S : (\E x \in DOMAIN f : f[x] = t) => f[s] = t]
AntiFunction(f) == Inverse(f, DOMAIN f, Range(f))
IsInjective(f) == NATIVE
Injection(S, T) == {f \in [S -> T] : IsInjective(f)}
Surjection(S, T) == {f \in [S -> T] : T \subseteq Range(f)}
Bijection(S, T) == {f \in [S -> T] : IsInjective(f) /\ T \subseteq Range(f)}
ExistsInjection(S, T) == Injection(S, T) # {}
ExistsSurjection(S, T) == Surjection(S, T) # {}
ExistsBijection(S, T) == Bijection(S, T) # {}
FoldFunction(op(_, _), base, fun) == NATIVE
FoldFunctionOnSet(op(_, _), base, fun, indices) == NATIVE
SumFunctionOnSet(fun, indices) == FoldFunctionOnSet(LAMBDA x, y : x + y, 0, fun, indices)
SumFunction(fun) == FoldFunction(LAMBDA x, y : x + y, 0, fun)
====
