---- MODULE Sequences ----
\* Finite sequences. Strings are sequences of characters to Len, \o and SubSeq.
Seq(S) == NATIVE
Len(s) == NATIVE
s \o t == NATIVE
Append(s, e) == NATIVE
Head(s) == NATIVE
Tail(s) == NATIVE
SubSeq(s, m, n) == NATIVE
SelectSeq(s, Test(_)) == NATIVE
====
