---- MODULE Bags ----
\* Bags: functions from elements to how often they occur, always at least once.
EXTENDS TLC
LOCAL INSTANCE Naturals
LOCAL INSTANCE FiniteSets
IsABag(B) == NATIVE
BagToSet(B) == DOMAIN B
SetToBag(S) == [e \in S |-> 1]
BagIn(e, B) == e \in DOMAIN B
EmptyBag == <<>>
CopiesIn(e, B) == IF e \in DOMAIN B THEN B[e] ELSE 0
B1 (+) B2 == NATIVE
B1 (-) B2 == NATIVE
BagUnion(S) == NATIVE
B1 \sqsubseteq B2 ==
    /\ DOMAIN B1 \subseteq DOMAIN B2
    /\ \A e \in DOMAIN B1 : B1[e] \leq B2[e]
SubBag(B) == NATIVE
BagOfAll(F(_), B) == NATIVE
BagCardinality(B) == NATIVE
====
