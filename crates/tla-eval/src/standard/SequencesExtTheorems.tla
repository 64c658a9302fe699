---- MODULE SequencesExtTheorems ----
\* Theorems for proofs: they say nothing to a model checker.
EXTENDS SequencesExt
====
