---- MODULE parts ----
EXTENDS Naturals
VARIABLE x
Inv == /\ one :: x > 1
       /\ \A i \in Nat : /\ two(i) :: x > i
                         /\ i > x
       /\ three :: x = 3
First == Inv!1
Labelled == Inv!one /\ Inv!three
Bound == Inv!two(5)
Body == Inv!2!(7)!2
Op(k) == x > k
Right == Op(4)!>>
Whole == Inv!:
Two == \A i \in Nat : \E j \in Nat : swapped(j, i) :: i > j
Swapped == Two!swapped(1, 2)
====
