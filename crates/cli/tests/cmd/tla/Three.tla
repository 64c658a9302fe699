---- MODULE Three ----
(* A ring of three, whose module is in another folder. *)
EXTENDS Naturals
VARIABLE at

Of(n) == INSTANCE Ring WITH N <- n, token <- at
Spec == Of(3)!Spec
Returns == []<>(at = 0)
====
