---- MODULE Ring ----
(* A token that goes round among N places. *)
EXTENDS Naturals
CONSTANT N
VARIABLE token

Init == token = 0
Pass == token' = (token + 1) % N
Spec == Init /\ [][Pass]_token /\ WF_token(Pass)
====
