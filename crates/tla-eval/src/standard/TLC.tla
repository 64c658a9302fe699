---- MODULE TLC ----
\* Operators for model checking: functions given by pairs, printing, assertions, registers.
Print(out, val) == NATIVE
PrintT(out) == NATIVE
Assert(val, out) == NATIVE
JavaTime == NATIVE
TLCGet(i) == NATIVE
TLCSet(i, v) == NATIVE
d :> e == NATIVE
f @@ g == NATIVE
Permutations(S) == NATIVE
SortSeq(s, Op(_, _)) == NATIVE
RandomElement(s) == NATIVE
Any == NATIVE
ToString(v) == NATIVE
TLCEval(v) == NATIVE
====
