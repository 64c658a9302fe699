---- MODULE Combinatorics ----
\* In how many ways things can be arranged, and chosen.
EXTENDS Naturals
factorial[n \in Nat] == IF n = 0 THEN 1 ELSE n * factorial[n - 1]
choose(n, k) == IF 0 \leq n /\ n < k THEN 0 ELSE factorial[n] \div (factorial[k] * factorial[n - k])
====
