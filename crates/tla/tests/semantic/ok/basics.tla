---- MODULE basics ----
EXTENDS Integers
CONSTANTS N, F(_)
VARIABLES x, y
vars == <<x, y>>
Init == x = 0 /\ y = N /\ TRUE
Next == \/ /\ x' = F(x)
           /\ UNCHANGED y
        \/ y' = [y EXCEPT ![x] = @ + 1, !.a = 2]
Spec == Init /\ [][Next]_vars /\ WF_vars(Next)
Live == \A i \in 1..N : []<>(x > i) => (x = i ~> y = i)
fact[i \in Nat] == IF i = 0 THEN 1 ELSE i * fact[i - 1]
plain[i \in Nat] == i
Twice(G(_), v) == G(G(v))
Use == Twice(LAMBDA z : z + x, 3) + Twice(F, 4)
Local == LET a == x
             add(b) == a + b
             RECURSIVE down(_)
             down(c) == IF c = 0 THEN a ELSE down(c - 1)
         IN  [q \in Nat |-> add(q) + down(q) + Twice(LAMBDA z : z + q, q)]
Pairs == {<<p, q>> \in N \X N : p < q}
Dom == {p + q : p, q \in Nat}
AtLet == [y EXCEPT ![1] = LET old == @ IN [old EXCEPT ![2] = @ + old[1]]]
ASSUME N \in Nat
ASSUME Named == N > 0
THEOREM Thm == Spec => []TRUE
====
