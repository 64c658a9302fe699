---- MODULE tokens ----
A == a ? b
B == a \foo b
C == "bad \q escape"
D == é
Ok == 1
====
