---- MODULE proofs ----
THEOREM T1 == A => B
  OBVIOUS
THEOREM T2 == \A x \in S : P(x)
  BY T1, MODULE Naturals DEFS A, I!B, +
THEOREM T3 == Inv
<1>1. ASSUME NEW x \in S PROVE P(x)
  <2> SUFFICES ASSUME Q PROVE R
    OBVIOUS
  <2>a. CASE x = 1
    BY <2>a
  <2> DEFINE d == 1
             e(z) == z
  <2>b. PICK y \in S : P(y)
    PROOF OMITTED
  <2> HAVE TRUE
  <2> TAKE i \in S, j \in T
  <2> WITNESS 1 \in S
  <2> USE DEF d
  <2> HIDE <2>a
  <2>. QED
    BY <1>1, <2>b
<1>2. /\ A
      /\ B
<1> g == 2
<1>3. QED
  <+> QED BY <1>2
After == 1
LEMMA T4 == P PROOF <*> QED
USE DEF After
Last == 2
====
