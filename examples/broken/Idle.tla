---- MODULE Idle ----
\* A door whose lock nobody has the key to: two mistakes that violate nothing.
VARIABLES door, key

Init == door = "open" /\ key = "lost"

Close == door = "open" /\ door' = "closed" /\ UNCHANGED key
Open == door = "closed" /\ door' = "open" /\ UNCHANGED key
Lock == key = "found" /\ door' = "locked" /\ UNCHANGED key

Next == Close \/ Open \/ Lock
Spec == Init /\ [][Next]_<<door, key>>

LockedMeansKey == door = "locked" => key = "found"
====
