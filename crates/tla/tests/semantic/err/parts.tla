---- MODULE parts ----
VARIABLE x
Inv == x = 1 /\ x = 2 /\ x = 3
A == Inv!4
B == Inv!2
C == Inv!nolabel
D == Inv!(3)
THEOREM T == ASSUME TRUE PROVE TRUE
E1 == T
Lab == \A i \in {} : (a :: i) /\ (b(i, i) :: i) /\ (c(x) :: i) /\ (d(i) :: 1) /\ (d(i) :: 2)
F == Lab!a
G == Lab!d(1)
fun[i \in {}, j \in {}] == i
H == fun[1, 2, 3] = fun[<<1, 2>>] /\ fun[1, 2] = 1
====
