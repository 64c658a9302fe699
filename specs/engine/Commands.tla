------------------------------ MODULE Commands ------------------------------
(***************************************************************************)
(* Several commands at once about deployments of one name, and a store     *)
(* that may be lost and come back empty.                                   *)
(*                                                                         *)
(* Each creation of a deployment is an incarnation of its name. A command  *)
(* `up` looks for the newest one; if there is none, or it was deleted, it  *)
(* makes the next, but only if the newest is still the one that it has     *)
(* looked at. Then it asks for the building, which is refused while        *)
(* something else goes on. `down` asks for the deletion in the same way.   *)
(* Whichever process it is, the engine makes what an incarnation asks for, *)
(* under a token that names it, and records that; after a crash it looks   *)
(* for the token first. How workers share the steps is in Worker.          *)
(*                                                                         *)
(* An empty store counts incarnations from one again. So a token names the *)
(* store as well; otherwise the traces of one that was lost are taken for  *)
(* those of the new one, and "done" is said although nothing was built.    *)
(*                                                                         *)
(* The last two constants are what must not be left out: see the           *)
(* configurations Commands*.cfg that are expected to fail.                 *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
    Ups,          \* commands that build, each once
    Downs,        \* commands that delete, each once
    MaxLosses,    \* how often the store is lost
    Compares,     \* whether the next incarnation is made only if the newest is the one that was looked at
    NamesStore    \* whether a token names the store

VARIABLES
    store,        \* the status of each incarnation
    losses,       \* how many stores were lost: the name of this one
    command,      \* what each command does, and which incarnation of which store it is about
    world,        \* what exists: under which token, and for which store it was made
    made,         \* the tokens under which something was ever made
    twice         \* those under which it was made again

vars == <<store, losses, command, world, made, twice>>

All == Ups \union Downs

\* No incarnation: what is found in an empty store.
None == 0

Statuses == {"new", "building", "making", "built", "deleting", "unmaking", "deleted"}

Tokens == (0 .. MaxLosses) \X (1 .. Cardinality(All) + 1)

TypeInvariant ==
    /\ store \in Seq(Statuses)
    /\ losses \in 0 .. MaxLosses
    /\ \A c \in All :
           /\ command[c].pc \in {"looks", "makes", "asks", "ended"}
           /\ command[c].of \in 0 .. Cardinality(All) + 1
           /\ command[c].at \in 0 .. MaxLosses
    /\ world \subseteq [token : Tokens, by : 0 .. MaxLosses]
    /\ made \subseteq Tokens
    /\ twice \subseteq made

Init ==
    /\ store = <<>>
    /\ losses = 0
    /\ command = [c \in All |-> [pc |-> "looks", of |-> None, at |-> 0]]
    /\ world = {}
    /\ made = {}
    /\ twice = {}

Newest == Len(store)

\* The name of what an incarnation makes.
Token(n) == <<IF NamesStore THEN losses ELSE 0, n>>

Exists(n) == \E thing \in world : thing.token = Token(n)

Go(c, pc, n) == command' = [command EXCEPT ![c] = [pc |-> pc, of |-> n, at |-> losses]]

Forget(c, pc) == command' = [command EXCEPT ![c] = [pc |-> pc, of |-> None, at |-> 0]]

-----------------------------------------------------------------------------
(* The commands.                                                           *)

Look(c) ==
    /\ command[c].pc = "looks"
    /\ IF Newest # None /\ store[Newest] # "deleted" THEN Go(c, "asks", Newest)
       ELSE IF c \in Ups THEN Go(c, "makes", Newest)
       ELSE Forget(c, "ended")
    /\ UNCHANGED <<store, losses, world, made, twice>>

\* The number alone is not enough: another store counts from one again.
IsNewest(c) == command[c].of = Newest /\ (Newest # None => command[c].at = losses)

\* Another one may have been made in the meantime: then it looks again.
Make(c) ==
    /\ command[c].pc = "makes"
    /\ IF Compares /\ ~IsNewest(c)
       THEN /\ Forget(c, "looks")
            /\ UNCHANGED store
       ELSE /\ store' = Append(store, "new")
            /\ Go(c, "asks", Newest + 1)
    /\ UNCHANGED <<losses, world, made, twice>>

\* What was found is gone with its store; or it is busy, or was done by another command: none of that is waited for here.
Ask(c) ==
    LET n == command[c].of
        is_there == command[c].at = losses /\ n <= Newest
    IN  /\ command[c].pc = "asks"
        /\ IF is_there /\ c \in Ups /\ store[n] = "new"
           THEN store' = [store EXCEPT ![n] = "building"]
           ELSE IF is_there /\ c \in Downs /\ store[n] = "built"
           THEN store' = [store EXCEPT ![n] = "deleting"]
           ELSE UNCHANGED store
        /\ Forget(c, "ended")
        /\ UNCHANGED <<losses, world, made, twice>>

-----------------------------------------------------------------------------
(* The engine, in whichever process: it looks for the token before it      *)
(* makes anything, and records what it found or made.                      *)

Build(n) ==
    /\ store[n] = "building"
    /\ store' = [store EXCEPT ![n] = "making"]
    /\ IF Exists(n)
       THEN UNCHANGED <<world, made, twice>>
       ELSE /\ world' = world \union {[token |-> Token(n), by |-> losses]}
            /\ made' = made \union {Token(n)}
            /\ twice' = twice \union (made \intersect {Token(n)})
    /\ UNCHANGED <<losses, command>>

Delete(n) ==
    /\ store[n] = "deleting"
    /\ store' = [store EXCEPT ![n] = "unmaking"]
    /\ world' = {thing \in world : thing.token # Token(n)}
    /\ UNCHANGED <<losses, command, made, twice>>

Record(n) ==
    /\ store[n] \in {"making", "unmaking"}
    /\ store' = [store EXCEPT ![n] = IF @ = "making" THEN "built" ELSE "deleted"]
    /\ UNCHANGED <<losses, command, world, made, twice>>

\* The file is removed, or another one is named: what was built stays, and no store knows of it.
Lose ==
    /\ losses < MaxLosses
    /\ losses' = losses + 1
    /\ store' = <<>>
    /\ UNCHANGED <<command, world, made, twice>>

Next ==
    \/ \E c \in All : Look(c) \/ Make(c) \/ Ask(c)
    \/ \E n \in 1 .. Newest : Build(n) \/ Delete(n) \/ Record(n)
    \/ Lose

Spec ==
    /\ Init /\ [][Next]_vars
    /\ \A c \in All : WF_vars(Look(c) \/ Make(c) \/ Ask(c))
    /\ WF_vars(\E n \in 1 .. Newest : Build(n) \/ Delete(n) \/ Record(n))

-----------------------------------------------------------------------------

\* Of all that asked at once, one is built: no command can hide what another one made.
OneIsThere == \A n \in 1 .. Newest : n # Newest => store[n] = "deleted"

NothingTwice == twice = {}

\* Whatever this store says it has built was built for it, and is there.
NothingTakenOver ==
    \A n \in 1 .. Newest : store[n] = "built" => [token |-> Token(n), by |-> losses] \in world

\* Whatever was built for this store is known to it.
NoOrphan ==
    \A thing \in world : thing.by = losses =>
        \E n \in 1 .. Newest : thing.token = Token(n) /\ store[n] \in {"making", "built", "deleting"}

\* Every command ends, and what it has begun too.
Converges ==
    <>[](/\ \A c \in All : command[c].pc = "ended"
         /\ \A n \in 1 .. Newest : store[n] \in {"new", "built", "deleted"})
=============================================================================
