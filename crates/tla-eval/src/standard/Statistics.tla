---- MODULE Statistics ----
\* Tests of chance; not provided.
EXTENDS Naturals
ChiSquare(expected, actual, alpha) == NATIVE
====
