---- MODULE precedence ----
A == a /\ b \/ c
B == x = y = z
C == a => b => c
D == []x = 1
E1 == 2 * -1
F == UNCHANGED x'
G == a \cup b \cap c
H == a * l :: b + c
Ok == a
====
