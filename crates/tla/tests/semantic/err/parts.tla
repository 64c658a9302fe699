---- MODULE parts ----
VARIABLE x
Inv == x = 1 /\ x = 2 /\ x = 3
A == Inv!4
B == Inv!2
C == Inv!nolabel
D == Inv!(3)
THEOREM T == ASSUME TRUE PROVE TRUE
E1 == T
====
