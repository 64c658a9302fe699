------------------------------ MODULE FileWrites ------------------------------
(***************************************************************************)
(* A file that survives a crash, described by its writes: after a crash,   *)
(* any of the writes done since the last sync have survived.               *)
(*                                                                         *)
(* The lecture notes have crash put the surviving writes over f, which     *)
(* already holds all of them; what is meant is the file as of the last     *)
(* sync.                                                                   *)
(***************************************************************************)
CONSTANTS Index, Byte

VARIABLES
    f,        \* the file as it is read
    fStable,  \* as of the last sync
    new       \* writes since then: pairs of index and byte

vars == <<f, fStable, new>>

File == [Index -> Byte]

\* The file with some writes put over it. Of several to one index, some one counts; which one does not
\* matter, since crash may keep any of them alone.
Over(file, writes) ==
    [i \in Index |->
        IF \E w \in writes : w[1] = i THEN (CHOOSE w \in writes : w[1] = i)[2] ELSE file[i]]

Init == f \in File /\ fStable = f /\ new = {}

Write(i, b) ==
    /\ f' = [f EXCEPT ![i] = b]
    /\ new' = new \union {<<i, b>>}
    /\ UNCHANGED fStable

Sync == fStable' = f /\ new' = {} /\ UNCHANGED f

Crash ==
    /\ \E keep \in SUBSET new : f' = Over(fStable, keep)
    /\ UNCHANGED <<fStable, new>>

Next == Sync \/ Crash \/ \E i \in Index, b \in Byte : Write(i, b)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------

TypeInvariant == f \in File /\ fStable \in File /\ new \subseteq Index \X Byte

\* The file is always one that a crash could leave.
CouldBeLeft == \E keep \in SUBSET new : f = Over(fStable, keep)

\* This file is one that is described by all files that a crash could leave.
Possible ==
    {file \in File : \A i \in Index : file[i] = fStable[i] \/ <<i, file[i]>> \in new}

Post == INSTANCE FilePossible WITH fPost <- Possible
ImplementsPossible == Post!Spec
=============================================================================
