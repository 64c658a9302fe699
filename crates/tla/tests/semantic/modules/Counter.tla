---- MODULE Counter ----
EXTENDS Naturals
CONSTANT Step, Twist(_)
VARIABLE n
LOCAL Hidden == 7
Init == n = 0
Next == n' = Twist(n) + Step
Spec == Init /\ [][Next]_n /\ WF_n(Next)
Big(k) == n > k + Hidden
====
