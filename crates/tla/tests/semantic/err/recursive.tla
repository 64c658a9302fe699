---- MODULE recursive ----
RECURSIVE F(_), G(_)
F(x, y) == x
A == LET RECURSIVE H(_) IN 1
====
