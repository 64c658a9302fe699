---- MODULE words ----
EXTENDS Integers, Sequences, TLC
\* PlusCal options (termination)
(*
--algorithm Words
variables q = <<>>, done = FALSE;
procedure Outer(a)
  variable b = 1;
begin
  o1: b := a + b;
  o2: if b > 2 then
        call Inner(b, 1);
        return;
      elsif b = 2 then
        call Inner(b, 2);
      else
        skip;
      end if;
  o3: return;
end procedure;
procedure Inner(c, d = 4)
begin
  i1: q := Append(q, c - d); \* a comment
      return;
end procedure;
begin
  start: while Len(q) < 2 do
    call Outer(Len(q));
  end while;
  either
    done := TRUE;
  or
    await q # <<>>;
    rest: q := Tail(q);
  end either;
  fin: with e \in {1, 2} do
    q := Append(q, e);
  end with;
end algorithm
*)
====
