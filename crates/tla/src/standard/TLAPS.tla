---- MODULE TLAPS ----
\* Names of proof methods: they say nothing to a model checker.
SMT == TRUE
SMTT(n) == TRUE
Z3 == TRUE
Z3T(n) == TRUE
CVC3 == TRUE
CVC3T(n) == TRUE
CVC4 == TRUE
CVC5 == TRUE
Yices == TRUE
YicesT(n) == TRUE
veriT == TRUE
veriTT(n) == TRUE
Zenon == TRUE
ZenonT(n) == TRUE
SlowZenon == TRUE
SlowerZenon == TRUE
VerySlowZenon == TRUE
SlowestZenon == TRUE
Isa == TRUE
IsaT(n) == TRUE
IsaM(s) == TRUE
IsaMT(s, n) == TRUE
Auto == TRUE
Force == TRUE
Blast == TRUE
Isabelle == TRUE
SimpleArithmetic == TRUE
SimpleArith == TRUE
SimplifyAndSolve == TRUE
Simplification == TRUE
AutoUSE == TRUE
PTL == TRUE
LS4 == TRUE
ExpandENABLED == TRUE
ExpandCdot == TRUE
AutoSubst == TRUE
AllProvers == TRUE
AllProversT(n) == TRUE
AllSMT == TRUE
AllSMTT(n) == TRUE
AllIsa == TRUE
AllIsaT(n) == TRUE
PropositionalTemporalLogic == TRUE
Induction == TRUE
====
