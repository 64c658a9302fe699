---- MODULE Integers ----
EXTENDS Naturals
Int == {}
-. a == a
====
