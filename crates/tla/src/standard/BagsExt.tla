---- MODULE BagsExt ----
\* More about bags.
LOCAL INSTANCE Bags
LOCAL INSTANCE Integers
LOCAL INSTANCE TLC
LOCAL INSTANCE FiniteSetsExt
BagAdd(B, x) == B (+) SetToBag({x})
BagRemove(B, x) == B (-) SetToBag({x})
BagRemoveAll(B, x) == [e \in DOMAIN B \ {x} |-> B[e]]
SumBag(B) == FoldSet(LAMBDA e, sum : sum + e * B[e], 0, DOMAIN B)
ProductBag(B) == FoldSet(LAMBDA e, product : product * e ^ B[e], 1, DOMAIN B)
FoldBag(op(_, _), base, B) ==
    LET RECURSIVE Again(_, _, _)
        Again(n, e, acc) == IF n = 0 THEN acc ELSE Again(n - 1, e, op(e, acc))
    IN  FoldSet(LAMBDA e, acc : Again(B[e], e, acc), base, DOMAIN B)
MapThenFoldBag(op(_, _), base, f(_), choose(_), B) ==
    LET RECURSIVE Again(_, _, _)
        Again(n, e, acc) == IF n = 0 THEN acc ELSE Again(n - 1, e, op(f(e), acc))
    IN  FoldSet(LAMBDA e, acc : Again(B[e], e, acc), base, DOMAIN B)
====
