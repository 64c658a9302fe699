---- MODULE recovery ----
A == 1 +
B == 2
C(x == 3
D = 4
E1 == IF a THEN b
F == [x \in S |-> ]
G == {1, 2
H == "no end
I == 5
VARIABLE x y
K == LET IN 1
L == CASE OTHER -> 1
M == CHOOSE x, y \in S : TRUE
O == f[]
P == 6
====
