---- MODULE SequenceTheorems ----
\* Theorems for proofs: they say nothing to a model checker.
EXTENDS Sequences, Functions
====
