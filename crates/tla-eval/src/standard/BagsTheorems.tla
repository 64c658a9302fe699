---- MODULE BagsTheorems ----
\* Theorems for proofs: they say nothing to a model checker.
EXTENDS Bags
====
