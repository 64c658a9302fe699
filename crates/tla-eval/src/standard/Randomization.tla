---- MODULE Randomization ----
\* Random choices, for finding inductive invariants. The choices are the same in each run.
RandomSubset(k, S) == NATIVE
RandomSetOfSubsets(k, n, S) == NATIVE
TestRandomSetOfSubsets(k, n, S) == NATIVE
====
