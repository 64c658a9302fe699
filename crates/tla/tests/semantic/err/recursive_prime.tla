---- MODULE recursive_prime ----
EXTENDS Naturals
VARIABLE v
Later(x) == x'
RECURSIVE P(_), Q(_, _), R(_, _)
P(x) == IF x = 0 THEN v' ELSE (x + v)'
Q(n, x) == IF n = 0 THEN ENABLED (x = 1) ELSE Later(x)
R(x, A) == IF x = 1 THEN ENABLED A ELSE R(v', A) /\ v' = x
====
