---- MODULE labels ----
RECURSIVE op
CONSTANT c
op == 0
RECURSIVE other(_)
VARIABLE v
---- MODULE Inner ----
====
THEOREM TRUE
USE DEF c
other(n) == n
f[x \in {}] == lbl :: 0
Quantified == \A x \in {} : lbl :: TRUE
Right == \A x \in (a :: {}) : b(x) :: \E y \in {} : d(y) :: e :: TRUE
Parameter(x) == lbl(x) :: 0
Both(x) == {y \in {} : lbl(x, y) :: TRUE}
Twice == {lbl :: 0, lbl :: 0}
Nested == lbl :: lbl :: 0
Update == [f EXCEPT ![0] = lbl :: 0]
ASSUME lbl :: TRUE
THEOREM lbl :: TRUE
THEOREM Named == lbl :: TRUE
====
