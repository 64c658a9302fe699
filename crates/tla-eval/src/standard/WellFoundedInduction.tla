---- MODULE WellFoundedInduction ----
\* Of the module for proofs, the notions about orders that specifications use.
EXTENDS NaturalsInduction
IsTransitivelyClosedOn(R, S) ==
    \A i, j, k \in S : <<i, j>> \in R /\ <<j, k>> \in R => <<i, k>> \in R
IsWellFoundedOn(R, S) == ~\E f \in [Nat -> S] : \A n \in Nat : <<f[n + 1], f[n]>> \in R
OpToRel(_\prec_, S) == {ss \in S \X S : ss[1] \prec ss[2]}
SetLessThan(s, R, S) == {t \in S : <<t, s>> \in R}
====
