----------------------------- MODULE FileHistory -----------------------------
(***************************************************************************)
(* FilePossible implements FileWrites. Which file was stable and what was  *)
(* written since cannot be read off the set of possible files, so they are *)
(* remembered in two history variables. These only watch: every step of    *)
(* FilePossible is still a step here (NothingIsForbidden).                 *)
(***************************************************************************)
EXTENDS FilePossible

VARIABLES stable, written

vars == <<f, fPost, stable, written>>

HistoryInit == Init /\ stable = f /\ written = {}

HistoryNext ==
    \/ Sync /\ stable' = f /\ written' = {}
    \/ Crash /\ UNCHANGED <<stable, written>>
    \/ \E i \in Index, b \in Byte :
        Write(i, b) /\ written' = written \union {<<i, b>>} /\ UNCHANGED stable

HistorySpec == HistoryInit /\ [][HistoryNext]_vars

NothingIsForbidden == ENABLED Next => ENABLED HistoryNext

Writes == INSTANCE FileWrites WITH fStable <- stable, new <- written
ImplementsWrites == Writes!Spec
=============================================================================
