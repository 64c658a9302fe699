---- MODULE Endless ----
EXTENDS Naturals
VARIABLE x
RECURSIVE Down(_)
Down(k) == Down(k + 1)
Init == x = 0
Next == x' = Down(x)
====
