---- MODULE higher_order ----
VARIABLE v
Apply(F(_), x) == F(x)
Twice(F(_), x) == Apply(F, F(x))
Ok == Apply(', v)
A == Apply(', v')
B == Twice(', v)
C == Apply(LAMBDA y : [y]_v, []TRUE)
D(x) == Apply(', x)
E1 == D(v')
====
