---- MODULE extends ----
A == 1
EXTENDS Naturals
LOCAL VARIABLE x
B == 2
====
