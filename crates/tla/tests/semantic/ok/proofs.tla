---- MODULE proofs ----
CONSTANTS S, P(_), Q(_), c
VARIABLE x
---- MODULE Inner ----
CONSTANT d
Twice == <<d, d>>
====
ASSUME Given == \A s \in S : P(s)
Op(a) == P(a) /\ Q(a)
Inv == x \in S
Next == x' = x
AXIOM Known == c = c

THEOREM Trivial == TRUE OBVIOUS

THEOREM WithNew ==
  ASSUME NEW s \in S, NEW T, NEW F(_), Op(s),
         ASSUME NEW t \in T PROVE F(t)
  PROVE  Q(s)
BY Given DEF Op

THEOREM Main == \A s \in S : Op(s) => \E t \in S : Q(t)
<1> DEFINE R(a) == P(a) \/ Q(a)
           f[a \in S] == a
           I == INSTANCE Inner WITH d <- c
           J(y) == INSTANCE Inner WITH d <- y
<1>1. SUFFICES ASSUME NEW s \in S, Op(s) PROVE \E t \in S : Q(t)
  <2> TAKE s \in S
  <2> HAVE Op(s)
  <2>q. QED BY <2>q
<1>2. ASSUME NEW u PROVE R(u) => R(u)
  BY <1>2, u = u DEF R
<1>3. PICK t \in S : Q(t)
  <2>1. \E t \in S : Q(t) BY <1>1
  <2>2. CASE \A t \in S : P(t)
    BY <2>1, <2>2
  <2>3. QED BY ONLY <2>1, <*>2 DEF Op
<1>4. t = f[t]
<1>5. @ = t OBVIOUS
<1>6. @ = t
<1> USE <1>3, Main DEF R, f, I, I!Twice, J!Twice, MODULE proofs
<1> HIDE <1>4, Given
<1>7. WITNESS t \in S, s
<1>8. USE WithNew, Main!1, <1>2!1, Op(c)!2
<1>9. QED
  PROOF <2>1. QED BY Known, <1>9

USE DEF Inv
HIDE Main DEF Next
====
