----------------------------- MODULE FilePossible -----------------------------
(***************************************************************************)
(* A file that survives a crash, described by all the files that a crash   *)
(* could leave behind. Extravagant, but a specification costs nothing, and *)
(* this one is shorter and clearer than FileWrites.                        *)
(***************************************************************************)
CONSTANTS Index, Byte

VARIABLES
    f,      \* the file as it is read
    fPost   \* all files that a crash could leave

File == [Index -> Byte]

Init == f \in File /\ fPost = {f}

Write(i, b) ==
    /\ f' = [f EXCEPT ![i] = b]
    /\ fPost' = fPost \union {[file EXCEPT ![i] = b] : file \in fPost}

Sync == fPost' = {f} /\ UNCHANGED f

Crash == f' \in fPost /\ UNCHANGED fPost

Next == Sync \/ Crash \/ \E i \in Index, b \in Byte : Write(i, b)

Spec == Init /\ [][Next]_<<f, fPost>>

-----------------------------------------------------------------------------

TypeInvariant == f \in File /\ fPost \subseteq File

CouldBeLeft == f \in fPost
=============================================================================
