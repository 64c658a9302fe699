---- MODULE expressions ----
n1 == 007 + \b101 + \O17 + \hFf
n2 == 3.14
s1 == "a\"b\\c\n"
s2 == "(* no comment *) \\* none"
t == <<>>
t2 == <<1, <<2>>>>
set == {} \cup {1, 2}
fil == {x \in S : x > 1}
fil2 == {<<x, y>> \in S : x > y}
mp == {x + y : x, y \in S, z \in T}
mem == {x \in S, TRUE}
fn == [x, y \in S, <<a, b>> \in T |-> x]
fs == [S -> [T -> U]]
rec == [a |-> 1, WITH |-> 2]
recs == [a : S, b : T]
ex == [f EXCEPT ![1, 2].a = @ + 1, !.b = 3, ![x][y] = @]
ap == f[1, 2][3].field'
ch == CHOOSE x : TRUE
ch2 == CHOOSE <<x, y>> \in S : x = y
q == \A x, y \in S, z \in T : \E w : P
tq == \EE h : \AA g : TRUE
cs == CASE a -> 1 [] b -> 2 [] OTHER -> 3
nested == CASE a -> CASE b -> 1 [] c -> 2
op == FoldSet(+, LAMBDA u : u, -, S)
op2 == +(1, 2)
comp == I(1)!J!Op(2)
sel == Op(x)!2!<<!lbl(3)!@
act == [Next]_vars /\ [][A \/ B]_<<x, y>> /\ <><<C>>_(v) /\ WF_vars(Next) /\ SF_<<x>>(A) /\ WF_f(x)(A)
lab == l1 :: a /\ l2(x) :: b
pr == ~ENABLED A /\ UNCHANGED <<x, y>> /\ SUBSET UNION S = DOMAIN f
tm == []<>P ~> Q
tm2 == P -+-> <>Q
times == A \X B \X (C \X D)
let == LET a == 1
           f[x \in S] == x
           RECURSIVE r(_)
           r(z) == z
           I == INSTANCE M
       IN a
uni == ∀ x ∈ ℕ : ∃ y ∈ S : x ≤ y ⇒ ⟨x, y⟩ ≠ ⟨⟩ ∧ □P
minus == -a + b
chain == a + b - c * d
prime == x' = y'
====
