---- MODULE Naturals ----
Nat == {}
a + b == {a, b}
a - b == {a, b}
a * b == {a, b}
a < b == a = b
a > b == a = b
a .. b == {a, b}
====
