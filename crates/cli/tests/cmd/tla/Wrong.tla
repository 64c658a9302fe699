---- MODULE Wrong ----
EXTENDS Integers
(* --algorithm Wrong {
     variable n = 0;
     { up: n := 1;
       n := 2 }
   } *)
====
