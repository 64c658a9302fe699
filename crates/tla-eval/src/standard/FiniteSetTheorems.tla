---- MODULE FiniteSetTheorems ----
\* Theorems for proofs: they say nothing to a model checker.
EXTENDS FiniteSets, Integers, Functions, WellFoundedInduction
====
