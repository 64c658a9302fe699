---- MODULE Bitwise ----
\* Natural numbers as bits.
LOCAL INSTANCE Integers
a & b == NATIVE
a | b == NATIVE
a ^^ b == NATIVE
Not(a) == NATIVE
shiftR(n, pos) == NATIVE
shiftL(n, pos) == NATIVE
====
