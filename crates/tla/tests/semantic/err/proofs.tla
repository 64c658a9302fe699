---- MODULE proofs ----
CONSTANTS S, P(_)
VARIABLE x
Inv == x \in S
LEMMA Lost == ASSUME NEW s \in T, P(s) PROVE P(r)
  BY s \in S, r
THEOREM Main == \A s \in S : P(s)
<1>1. TAKE s \in S
<1>2. P(t)
  <2>1. Missing BY <1>3
  <2>2. QED BY <2>1, <1>2, <1>9
<1>3. PICK u \in S : P(u)
  BY u \in S, <2>1
<1>3. ASSUME NEW v PROVE v = v
  OBVIOUS
<1>4. CASE v = u
  BY <1>1, <1>
<1>5. SUFFICES ASSUME NEW w \in S PROVE P(w)
  BY w \in S
<1>6. HAVE <1>5
<1>7. \A s \in S : s = @
<1> DEFINE s == 3
<1> USE NoTheorem DEF NoDefinition, x, S, Inv, P
<1> HIDE x \in S, Inv, Main, MODULE Sequences
<1>8. INSTANCE Nowhere
<1>9. QED BY P, Lost, Lost!3
HIDE DEF Nothing
====
