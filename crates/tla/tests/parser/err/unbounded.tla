---- MODULE unbounded ----
A == \A x \in S, y : TRUE
B == {x : y}
C == [x, y |-> 1]
D == \A <<x, y>> : TRUE
====
