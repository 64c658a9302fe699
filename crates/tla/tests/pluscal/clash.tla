---- MODULE clash ----
EXTENDS Integers, Sequences
(* --algorithm Clash
variables total = 0;
macro swap(l, r) begin l := r || r := l; end macro;
process a \in {1, 2}
variables x = <<1,
                self>>, seen = {};
begin
  step: if /\ x[1] > 0
           /\ \A k \in 1..2 : x[k] >= 0
        then total := total + 1;
        end if;
        seen := [seen EXCEPT ![x[1]] = [x |-> 1]];
  next: swap(x[1], x[2]);
end process
process b = 3
variables x = 5;
begin
  step: await total > 0;
        x := x - 1;
        total := x;
end process
end algorithm *)
====
