---- MODULE levels ----
EXTENDS Naturals
VARIABLE v
A == v''
B == [](v' = v)
C == <>(v' = 1)
D == (v' = 1) ~> TRUE
E1 == v' = 1 /\ []TRUE
F == \E x \in {v'} : []TRUE
G == ENABLED []TRUE
H == [v' = v]_(v')
Prime(x) == x'
I == Prime(v')
Twice(x) == Prime(x) = 1
J == Twice(v')
K == {[]TRUE}
Apply(Q(_)) == Q(v')
L == Apply(Prime)
M == Apply(')
ASSUME v = 1
N == WF_v([]TRUE)
====
