---- MODULE names ----
VARIABLE counter
A == conter + 1
B == Len(counter)
C == C
D == undefined!Op
E1 == \A counter \in {} : TRUE
F(x, x) == x
A == 2
TRUE == 1
G == counter!Op
H == @
I == LET q == 1 IN q2
J == [a |-> 1, a |-> 2]
====
