EXTENDS Integers, Sequences, FiniteSets, Bags, TLC, SequencesExt, Bitwise, Graphs, Json, VectorClocks
CONSTANTS m1, m2

\* One value, whatever its layout.
ASSUME <<1, 2>> = [i \in 1..2 |-> i]
ASSUME [a |-> 1, b |-> 2] = [x \in {"b", "a"} |-> IF x = "a" THEN 1 ELSE 2]
ASSUME (1 :> "x" @@ 2 :> "y") = <<"x", "y">>
ASSUME 1..3 = {3, 2, 1, 1}
ASSUME SUBSET {1, 2} = {{}, {1}, {2}, {1, 2}}
ASSUME [{1} -> {2, 3}] = {<<2>>, <<3>>}
ASSUME {} = 2..1 /\ <<>> = [x \in {} |-> x]
ASSUME {1, 2} \X {3} = {<<1, 3>>, <<2, 3>>}
ASSUME [a : {1, 2}] = {[a |-> 1], [a |-> 2]}

\* Values of unlike kind are unequal.
ASSUME 1 # "1" /\ m1 # 1 /\ m1 # m2 /\ {} # <<>> /\ TRUE # 1
ASSUME Cardinality({1, "1", m1, m2, {}, <<>>, TRUE}) = 7

\* Symbolic sets.
ASSUME 5 \in Nat /\ -5 \notin Nat /\ -5 \in Int /\ "a" \notin Int
ASSUME <<1, 2, 3>> \in Seq(Nat) /\ <<1, -2>> \notin Seq(Nat)
ASSUME [i \in 1..100 |-> i] \in [1..100 -> Nat]
ASSUME {5, 77} \in SUBSET (1..1000)
ASSUME [a |-> 1, b |-> {2}] \in [a : Nat, b : SUBSET Nat]
ASSUME [a |-> 1, b |-> {-2}] \notin [a : Nat, b : SUBSET Nat]
ASSUME -1 \in Nat \cup {-1} /\ 0 \notin Nat \ {0} /\ 3 \in {x \in Nat : x > 2}
ASSUME Cardinality(SUBSET (1..40)) = 2 ^ 40
ASSUME Cardinality([1..10 -> 1..10]) = 10 ^ 10
ASSUME "abc" \in STRING

\* Arithmetic, as unbounded as it is meant to be.
ASSUME 2 ^ 100 = 1267650600228229401496703205376
ASSUME 2 ^ 100 - 2 ^ 100 + 1 = 1
ASSUME (-7) \div 2 = -4 /\ (-7) % 2 = 1 /\ -7 \div 2 = -3 /\ 7 \div 2 = 3 /\ 7 % 2 = 1
ASSUME 3 * (4 + 5) - 6 = 21

\* Functions.
ASSUME [[f \in {"a", "b"} |-> 0] EXCEPT !["a"] = @ + 1, !["b"] = 7] = [a |-> 1, b |-> 7]
ASSUME [<<1, <<2, 3>>>> EXCEPT ![2][1] = @ * 10] = <<1, <<20, 3>>>>
ASSUME [[a |-> [b |-> 1]] EXCEPT !.a.b = 2].a.b = 2
ASSUME DOMAIN <<5, 6>> = {1, 2} /\ DOMAIN [a |-> 1] = {"a"}
ASSUME [x, y \in 1..2 |-> x + y][1, 2] = 3
ASSUME [<<x, y>> \in {<<1, 2>>, <<3, 4>>} |-> x * y][<<3, 4>>] = 12
Fact[n \in Nat] == IF n = 0 THEN 1 ELSE n * Fact[n - 1]
ASSUME Fact[20] = 2432902008176640000 /\ Fact[25] = 15511210043330985984000000
ASSUME LET Size[S \in SUBSET (1..30)] == IF S = {} THEN 0 ELSE 1 + Size[S \ {CHOOSE x \in S : TRUE}]
       IN  Size[1..30] = 30

\* Sequences and strings.
ASSUME Append(<<1>>, 2) \o <<3>> = <<1, 2, 3>>
ASSUME Head(<<1, 2>>) = 1 /\ Tail(<<1, 2>>) = <<2>> /\ Len(<<1, 2>>) = 2
ASSUME SubSeq(<<1, 2, 3, 4>>, 2, 3) = <<2, 3>> /\ SubSeq(<<1>>, 2, 1) = <<>>
ASSUME SelectSeq(<<1, 2, 3, 4>>, LAMBDA x : x % 2 = 0) = <<2, 4>>
ASSUME "ab" \o "cd" = "abcd" /\ Len("abc") = 3
ASSUME SortSeq(<<3, 1, 2>>, LAMBDA a, b : a < b) = <<1, 2, 3>>
ASSUME Reverse(<<1, 2>>) = <<2, 1>> /\ Last(<<1, 2>>) = 2 /\ Front(<<1, 2>>) = <<1>>
ASSUME FoldLeft(LAMBDA a, b : 10 * a + b, 0, <<1, 2, 3>>) = 123
ASSUME FoldRight(LAMBDA a, b : a + 10 * b, <<1, 2, 3>>, 0) = 321
ASSUME FoldSet(+, 0, 1..10) = 55 /\ Max({3, 9, 2}) = 9 /\ Min({3, 9, 2}) = 2
ASSUME ToSet(<<1, 1, 2>>) = {1, 2} /\ SetToSeq({3, 1, 2}) = <<1, 2, 3>>
ASSUME FlattenSeq(<<<<1>>, <<2, 3>>>>) = <<1, 2, 3>>
ASSUME IsPrefix(<<1>>, <<1, 2>>) /\ ~IsPrefix(<<2>>, <<1, 2>>)
ASSUME Cardinality(Permutations({m1, m2})) = 2

\* Bags, bits, graphs, text.
ASSUME SetToBag({1, 2}) (+) SetToBag({2}) = (1 :> 1 @@ 2 :> 2)
ASSUME (SetToBag({1, 2}) (+) SetToBag({2})) (-) SetToBag({1}) = (2 :> 2)
ASSUME BagCardinality(SetToBag({1, 2}) (+) SetToBag({2})) = 3 /\ CopiesIn(9, EmptyBag) = 0
ASSUME Cardinality(SubBag(SetToBag({1, 2}))) = 4
ASSUME (6 & 3) = 2 /\ (6 | 3) = 7 /\ (6 ^^ 3) = 5 /\ shiftR(8, 2) = 2 /\ Not(0) = 0 /\ Not(5) = 2
ASSUME LET G == [node |-> 1..3, edge |-> {<<1, 2>>, <<2, 3>>}]
       IN  AreConnectedIn(1, 3, G) /\ ~AreConnectedIn(3, 1, G) /\ IsDag(G)
\* Small sets are listed, as TLC does, whether or not they are kept as they were written.
ASSUME ToString(SUBSET {1, 2}) = "{{}, {1}, {2}, {1, 2}}" /\ ToString(SUBSET (1..12)) = "SUBSET 1..12"
ASSUME ToString([1..2 -> {0}]) = "{<<0, 0>>}" /\ ToString([a : {1, 2}]) = "{[a |-> 1], [a |-> 2]}"
ASSUME ToString({1} \X {2, 3}) = "{<<1, 2>>, <<1, 3>>}" /\ ToString(1..3) = "1..3" /\ ToString(Nat) = "Nat"
ASSUME Head("abc") = "a" /\ Tail("abc") = "bc" /\ Tail("a") = ""
ASSUME ToString(<<1, "a", {TRUE}>>) = "<<1, \"a\", {TRUE}>>"
ASSUME ToJson([a |-> <<1, TRUE>>]) = "{\"a\":[1,true]}"

\* Choice, cases, laziness.
ASSUME (CHOOSE x \in {5, 3, 4} : x > 3) = 4
ASSUME (CASE FALSE -> 1 [] 2 > 1 -> 2 [] OTHER -> 3) = 2
ASSUME LET Ignore(x, y) == y IN Ignore(Head(<<>>), 5) = 5
ASSUME (FALSE /\ Head(<<>>)) = FALSE /\ (TRUE \/ Head(<<>>))
ASSUME \A <<x, y>> \in {<<1, 2>>} : x < y
ASSUME {x + y : x \in 1..2, y \in 1..2} = 2..4
ASSUME UNION {{1}, {2, 3}} = 1..3
RECURSIVE Gcd(_, _)
Gcd(a, b) == IF b = 0 THEN a ELSE Gcd(b, a % b)
ASSUME Gcd(48, 18) = 6
RECURSIVE Sum(_)
Sum(S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \in S : TRUE IN x + Sum(S \ {x})
ASSUME Sum(1..100) = 5050
RECURSIVE Even(_), Odd(_)
Even(n) == IF n = 0 THEN TRUE ELSE Odd(n - 1)
Odd(n) == IF n = 0 THEN FALSE ELSE Even(n - 1)
ASSUME Even(1000) /\ ~Even(1001)
RECURSIVE Reduce(_, _, _)
Reduce(Op(_, _), S, v) == IF S = {} THEN v ELSE LET x == CHOOSE x \in S : TRUE IN Reduce(Op, S \ {x}, Op(x, v))
ASSUME Reduce(+, 1..4, 0) = 10 /\ Reduce(LAMBDA a, b : a * b, 1..4, 1) = 24
\* What is only for proofs is not evaluated.
AXIOM Induction == \A f : f[0] /\ (\A n \in Nat : f[n] => f[n + 1]) => \A n \in Nat : f[n]
AXIOM FALSE
PartOfRecord == [a |-> 1, b |-> 2]
ASSUME PartOfRecord!2 = 2
PartOfMap == {<<i, j>> : i \in {1}, j \in {2}}
ASSUME PartOfMap!2 = {2} /\ PartOfMap!(5, 6)!1 = 5
PartOfFunction == [i \in 1..10 |-> i + 1]
ASSUME PartOfFunction!1 = 1..10 /\ PartOfFunction!(7) = 8
PartOfFilter == {i \in 1..3 : i > 1}
ASSUME PartOfFilter!<< = 1..3 /\ ~PartOfFilter!(1)
Twice(F(_), x) == F(F(x))
ASSUME Twice(LAMBDA x : Twice(LAMBDA y : y + x, 1), 2) = 11

\* All but one element, which need not be there, as a bound.
ASSUME \A S \in {1..4, {1, 2, 3, 4}, {"a", 1, 2, 3}, {{}, {1}, 3}, SUBSET {1, 2}, {}} : \A e \in S \cup {7, "b", {2}} :
    LET Rest == S \ {e} IN
    /\ (\A x \in S \ {e} : x # e) /\ (\A x \in S \ {e} : x \in Rest)
    /\ \A y \in Rest : \E x \in S \ {e} : x = y
    /\ (\E x \in S \ {e} : TRUE) <=> Rest # {}
ASSUME \A e \in {2, 5} : (\E x \in (Nat \ {e}) \cap (0..5) : x = e) = FALSE

\* Logs of several nodes, causes first: b's first line knows of a's first, a's second of b's first.
Line(n, a, b) == [node |-> n, vc |-> [a |-> a, b |-> b]]
Mixed == <<Line("b", 1, 1), Line("a", 2, 1), Line("b", 1, 2), Line("a", 1, 0)>>
InOrder == CausalOrder(Mixed, LAMBDA l : l.vc, LAMBDA l : l.node, LAMBDA c : DOMAIN c)
ASSUME InOrder = <<Line("a", 1, 0), Line("b", 1, 1), Line("a", 2, 1), Line("b", 1, 2)>>
ASSUME IsCausalOrder(InOrder, LAMBDA l : l.vc) /\ ~IsCausalOrder(Mixed, LAMBDA l : l.vc)
