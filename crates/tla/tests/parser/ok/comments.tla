---- MODULE comments ----
(* block (* nested *) \* still
   (*** *** *)
*)
a == 1 \* line (* not a block
b == 2 (**) + 3
(*
--algorithm Skip {
  variables x = 0;
  { lbl: x := x + 1; }
}
*)
\* BEGIN TRANSLATION
c == a
====
