---- MODULE DyadicRationals ----
\* Fractions whose denominator is a power of two, as records of numerator and denominator, in lowest terms.
LOCAL INSTANCE Integers
LOCAL INSTANCE TLC
LOCAL INSTANCE Sequences
LOCAL Reduced(n, d) == NATIVE
IsDyadicRational(r) == \E i \in 0..r.den : 2 ^ i = r.den
Zero == [num |-> 0, den |-> 1]
One == [num |-> 1, den |-> 1]
Add(p, q) == Reduced(p.num * q.den + q.num * p.den, p.den * q.den)
Half(p) == Reduced(p.num, p.den * 2)
PrettyPrint(p) ==
    IF p = Zero THEN "0"
    ELSE IF p = One THEN "1"
    ELSE ToString(p.num) \o "/" \o ToString(p.den)
====
