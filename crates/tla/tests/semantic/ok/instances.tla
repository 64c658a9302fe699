---- MODULE instances ----
EXTENDS Naturals
CONSTANT Step
VARIABLES a, b
Double(v) == v + v
C == INSTANCE Counter WITH n <- a + b, Twist <- Double
P(k) == INSTANCE Counter WITH n <- k, Twist <- LAMBDA v : v + k
Refines == C!Spec
Named == P(a)!Big(3) /\ \E k \in Nat : P(k)!Init
Higher(Op(_)) == Op(1)
Handed == Higher(P(b)!Big)
InLet(m) == LET Q(j) == INSTANCE Counter WITH n <- a + m, Step <- 1, Twist <- LAMBDA v : v + j
            IN  Q(2)!Init /\ Q(3)!Big(m)
S1 == INSTANCE Plain
INSTANCE Plain
Both == Shared = S1!Shared
====
