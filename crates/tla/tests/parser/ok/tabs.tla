---- MODULE tabs ----
A ==	/\ a
	/\ b
B == /\ c
     /\ d
====
