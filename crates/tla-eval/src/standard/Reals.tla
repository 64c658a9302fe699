---- MODULE Reals ----
\* Of the real numbers only the integers can be computed with here.
EXTENDS Integers
Real == NATIVE
a / b == NATIVE
Infinity == NATIVE
====
