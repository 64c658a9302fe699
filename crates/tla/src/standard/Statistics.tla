---- MODULE Statistics ----
\* Tests of chance; not provided.
ChiSquare(expected, actual, alpha) == NATIVE
====
