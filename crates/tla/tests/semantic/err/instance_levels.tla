---- MODULE instance_levels ----
VARIABLE a
D == INSTANCE Counter WITH n <- a', Step <- 1, Twist <- LAMBDA v : v
E1 == INSTANCE Counter WITH n <- a, Step <- a, Twist <- LAMBDA v : v
F == INSTANCE Counter WITH n <- a, Step <- 1, Twist <- '
====
