---- MODULE arity ----
EXTENDS Naturals
CONSTANT K, O(_)
Op(x, y) == x
A == Op(1)
B == Op
C == K(1)
D == O
Hi(F(_)) == F(1)
E1 == Hi(Op)
F == Hi(3)
G == Op(LAMBDA x : x, 1)
H == Hi(LAMBDA x, y : x)
I == Op(Hi, 1)
J == O(1, 2)
K2 == Hi(Hi)
====
