---- MODULE levels ----
EXTENDS Naturals
CONSTANT c
VARIABLE v
Constant == c + 1
State == v + c
Action == v' = v
Temporal == [][Action]_v /\ <>(v = 1) /\ SF_v(Action)
Prime(x) == x'
ViaPrime == Prime(v)
Weight(x, y) == x
NotRaised == Weight(v, v')
En == ENABLED Action
RECURSIVE Rec(_)
Rec(n) == IF n = 0 THEN v ELSE Rec(n - 1)
RecUse == Rec(3)
Temp(p) == []p
OfTemp == Temp(v = 1)
Hidden == \EE h : [](h = v)
====
