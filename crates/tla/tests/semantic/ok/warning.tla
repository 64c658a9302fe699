---- MODULE warning ----
Nat == 5
INSTANCE Naturals
Mine == Nat
====
