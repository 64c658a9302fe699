Text before the module is ignored: ---- even dashes, /\ and "quotes
---- MODULE units ----
EXTENDS Naturals, Sequences
CONSTANTS N, Op(_, _), _ \prec _, -. _, _ ^+
VARIABLES x, y
CONSTANT Last
ASSUME N \in Nat
ASSUMPTION Named == N > 0
AXIOM TRUE
RECURSIVE Fact(_), G
LOCAL Helper == 1
Fact(n) == IF n = 0 THEN 1 ELSE n * Fact(n - 1)
G == 2
a \prec b == a < b
-. a == 0 - a
a ^+ == a
Apply(F(_), _ \sqsubset _, v) == F(v)
f[i \in 1..3, <<j, k>> \in N \X N] == i
I(p) == INSTANCE Other WITH c <- p, + <- Plus, Q <- LAMBDA u, w : u
INSTANCE Plain
LOCAL INSTANCE Hidden WITH x <- x'
----
---- MODULE Inner ----
Deep == 1
====
THEOREM Init => Inv
LEMMA L1 == ASSUME NEW CONSTANT c \in S, NEW VARIABLE v, P PROVE Q
====
Text after it too. ~~~
