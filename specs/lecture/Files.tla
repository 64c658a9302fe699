-------------------------------- MODULE Files --------------------------------
(***************************************************************************)
(* Some files, each a sequence of bytes that can be overwritten at a place *)
(* and grow by a byte. This is what users of a file system see.            *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANTS
    Name,      \* the files
    Byte,
    MaxLength

VARIABLE f     \* for each name the bytes

Init == f = [n \in Name |-> <<>>]

Write(n, i, b) == i \in DOMAIN f[n] /\ f' = [f EXCEPT ![n][i] = b]

Extend(n, b) == Len(f[n]) < MaxLength /\ f' = [f EXCEPT ![n] = Append(@, b)]

Next == \E n \in Name, b \in Byte : Extend(n, b) \/ \E i \in 1 .. MaxLength : Write(n, i, b)

Spec == Init /\ [][Next]_f
=============================================================================
