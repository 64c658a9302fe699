---- MODULE braces ----
EXTENDS Integers, Sequences, TLC
CONSTANT N
(***************************************************************************
--algorithm Braces {
  variables x = 0, y \in {1, 2}, box = [i \in 1..N |-> 0];
  define { Even(n) == n % 2 = 0
           Both == /\ x > 0
                   /\ y > 0 }
  macro bump(v, by) { v := v + by; }
  procedure Add(n = 0)
    variables m = n;
  { add: while (m > 0) { bump(x, 1); m := m - 1 };
         return }
  fair process (worker \in 1..N)
    variables t = self, s \in {0, 1}, u;
  { w1: await x >= 0;
        t := t + s || s := t;
    w2:+ either { box[self] := t }
         or { w3: box[self] := box[self] + 1; skip };
    w4:- call Add(t);
    w5: if (Even(t)) { print <<self, t>>; goto w1 }
        else { assert t > 0; w6: bump(box[self], 2) }
  }
  fair+ process (one = "p")
  { p1: while (TRUE) {
          with (i \in 1..N; j = i + 1) { if (box[i] = 0 /\ j > 0) y := j else y := 0 }
        }
  }
}
***************************************************************************)
====
