---- MODULE VectorClocks ----
\* Logs and the order of causes in them.
EXTENDS Naturals, Sequences, Functions
LOCAL At(c, i) == IF i \in DOMAIN c THEN c[i] ELSE 0
LOCAL Before(c, d) ==
    LET D == DOMAIN c \cup DOMAIN d
    IN  (\A i \in D : At(c, i) \leq At(d, i)) /\ (\E i \in D : At(c, i) < At(d, i))
LOCAL Concurrent(c, d) ==
    LET D == DOMAIN c \cup DOMAIN d
    IN  \E i, j \in D : i # j /\ At(c, i) < At(d, i) /\ At(c, j) > At(d, j)
IsCausalOrder(log, clock(_)) ==
    \A i \in 1..Len(log) : \A j \in 1..(i - 1) :
        Before(clock(log[j]), clock(log[i])) \/ Concurrent(clock(log[j]), clock(log[i]))
CausalOrder(log, clock(_), node(_), domain(_)) == NATIVE
====
