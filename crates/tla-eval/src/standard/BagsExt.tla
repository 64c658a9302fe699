---- MODULE BagsExt ----
\* More about bags.
LOCAL INSTANCE Bags
LOCAL INSTANCE Integers
LOCAL INSTANCE TLC
LOCAL INSTANCE FiniteSetsExt
LOCAL INSTANCE SequencesExt
BagAdd(B, x) == B (+) SetToBag({x})
BagRemove(B, x) == B (-) SetToBag({x})
BagRemoveAll(B, x) == [e \in DOMAIN B \ {x} |-> B[e]]
\* op(fold so far, element), once for each copy.
FoldBag(op(_, _), base, B) == NATIVE
SumBag(B) == FoldBag(LAMBDA sum, e : sum + e, 0, B)
ProductBag(B) == FoldBag(LAMBDA product, e : product * e, 1, B)
\* The copies of an element are folded first, beginning with the base; then the results are, as in MapThenFoldSet. The
\* elements come in the order of CHOOSE: TLC's module, too, leaves `choose` unused.
MapThenFoldBag(op(_, _), base, f(_), choose(_), B) ==
    LET Copies(e) == FoldLeft(op, base, [i \in 1..B[e] |-> f(e)])
    IN  MapThenFoldSet(op, base, Copies, LAMBDA S : CHOOSE e \in S : TRUE, DOMAIN B)
====
