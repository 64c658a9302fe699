---- MODULE lists ----
A == /\ a
     /\ b
        \/ c
     /\ \/ d
        \/ e
           /\ f
B ==
  \/ /\ x
     /\ y
  \/ z
  => w
C == /\ \A i \in S :
          /\ p
          /\ q
     /\ LET v == 1
        IN  /\ v
            /\ u
     /\ [f EXCEPT ![i] =
            IF a THEN b
            ELSE c]
D == ∧ a
     ∧ b ∨ c
E1 == IF x THEN /\ a
                /\ b
          ELSE \/ c
               \/ d
F == /\ a = 1
     /\ b
  \/ c
G == /\ one /\ two
     /\ three
====
