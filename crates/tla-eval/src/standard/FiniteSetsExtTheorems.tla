---- MODULE FiniteSetsExtTheorems ----
\* Theorems for proofs: they say nothing to a model checker.
EXTENDS FiniteSetsExt
====
