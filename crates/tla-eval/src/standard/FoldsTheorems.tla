---- MODULE FoldsTheorems ----
\* Theorems for proofs: they say nothing to a model checker.
EXTENDS Folds
====
