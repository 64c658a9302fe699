---- MODULE Count ----
EXTENDS Integers
(* --algorithm Count {
     variable n = 0;
     { up: while (n < 3) { n := n + 1 } }
   } *)
====
