---- MODULE alignment ----
A == /\ f[
  1]
     /\ b
B == /\ (a
     /\ b)
Ok == 1
====
