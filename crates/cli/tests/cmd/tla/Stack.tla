---- MODULE Stack ----
EXTENDS Naturals, Sequences
(* --algorithm Stack {
     variables stack_ = <<1, 2>>, sum = 0;
     macro pop(into) {
       into := into + Head(stack_);
       stack_ := Tail(stack_);
     }
     { take: while (sum < 4) { pop(sum) } }
   } *)
====
