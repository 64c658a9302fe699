---- MODULE clash ----
EXTENDS Naturals
CONSTANT _+_
VARIABLE Nat
====
