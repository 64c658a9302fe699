---- MODULE instances ----
VARIABLE a
A == INSTANCE Counter WITH n <- a
B == INSTANCE Counter WITH n <- a, Step <- 1, Twist <- LAMBDA v : v, wrong <- 2, stp <- 3
C == INSTANCE Counter WITH n <- a, n <- a, Step <- 1, Twist <- LAMBDA v : v
G == INSTANCE Counter WITH n <- a, Step <- 1, Twist <- 3
H(x) == INSTANCE Counter WITH n <- x, Step <- 1, Twist <- LAMBDA v : v
I == H!Init
J == H(1, 2)!Init
K == H(1)
L == H(1)!Inti
M == H(1)!Hidden
====
