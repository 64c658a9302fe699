---- MODULE inner ----
EXTENDS Naturals
VARIABLE x
Outer == x + 1
---- MODULE In ----
EXTENDS Naturals
CONSTANT c
Mine == Outer + c
====
I(c) == INSTANCE In
Use == I(3)!Mine
J == INSTANCE In WITH c <- x
Prime == (J!Mine)'
====
