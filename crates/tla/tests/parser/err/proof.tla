---- MODULE proof ----
THEOREM TRUE
<1>1. TRUE
  <2>1. TRUE
<1> QED
A == 1
====
