---- MODULE WellFoundedInduction ----
\* Of the module for proofs, the notions about orders that specifications use.
EXTENDS NaturalsInduction
OpToRel(_\prec_, S) == {ss \in S \X S : ss[1] \prec ss[2]}
SetLessThan(s, R, S) == {t \in S : <<t, s>> \in R}
====
