---- MODULE endless ----
EXTENDS Integers
(* --fair algorithm Endless {
  variable n = 0;
  { while (TRUE) { with (k \in {1, 2}) { n := (n + k) % 5 } } }
} *)
====
