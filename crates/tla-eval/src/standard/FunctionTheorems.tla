---- MODULE FunctionTheorems ----
\* Theorems for proofs: they say nothing to a model checker.
EXTENDS Functions
====
