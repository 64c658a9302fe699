---- MODULE Naturals ----
\* The natural numbers. Arithmetic is unbounded.
Nat == NATIVE
a + b == NATIVE
a - b == NATIVE
a * b == NATIVE
a ^ b == NATIVE
a < b == NATIVE
a > b == NATIVE
a \leq b == NATIVE
a \geq b == NATIVE
a % b == NATIVE
a \div b == NATIVE
a .. b == NATIVE
====
