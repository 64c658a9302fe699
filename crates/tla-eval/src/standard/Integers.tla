---- MODULE Integers ----
\* The integers: the naturals and negation.
EXTENDS Naturals
Int == NATIVE
-. a == NATIVE
====
