---- MODULE FiniteSets ----
\* Finite sets and how many elements they have.
IsFiniteSet(S) == NATIVE
Cardinality(S) == NATIVE
====
