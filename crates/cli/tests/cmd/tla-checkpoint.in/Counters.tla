---- MODULE Counters ----
EXTENDS Naturals
CONSTANTS Size
VARIABLES a, b, c
Init == a = 0 /\ b = 0 /\ c = 0
Next == \/ a' = (a + 1) % Size /\ UNCHANGED <<b, c>>
        \/ b' = (b + 1) % Size /\ UNCHANGED <<a, c>>
        \/ c' = (c + 1) % Size /\ UNCHANGED <<a, b>>
Small == a + b + c < 3 * Size
====
