---- MODULE Folds ----
\* Folding over a set: op(f(x), fold of the rest), x being chosen from what is left.
MapThenFoldSet(op(_, _), base, f(_), choose(_), S) == NATIVE
====
