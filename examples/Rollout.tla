------------------------------- MODULE Rollout -------------------------------
(***************************************************************************)
(* A rolling update: servers are taken out of service, updated and put     *)
(* back, a few at a time. An update may fail; the server then goes back    *)
(* into service as it was, and is tried again.                             *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
    Servers,  \* the servers
    AtOnce,   \* how many may be out of service at the same time
    Needed    \* how many must be in service at any time

ASSUME AtOnce \in Nat /\ AtOnce > 0

VARIABLE state

Out == {s \in Servers : state[s] = "out"}
InService == {s \in Servers : state[s] # "out"}
Updated == {s \in Servers : state[s] = "new"}

Init == state = [s \in Servers |-> "old"]

TakeOut(s) ==
    /\ state[s] = "old"
    /\ Cardinality(Out) < AtOnce
    /\ state' = [state EXCEPT ![s] = "out"]

PutBack(s) == state[s] = "out" /\ state' = [state EXCEPT ![s] = "new"]

Fail(s) == state[s] = "out" /\ state' = [state EXCEPT ![s] = "old"]

Step == \E s \in Servers : TakeOut(s) \/ PutBack(s) \/ Fail(s)

Done == Updated = Servers /\ UNCHANGED state

Next == Step \/ Done

\* An update that is tried again and again succeeds in the end.
Fairness == \A s \in Servers : WF_state(TakeOut(s)) /\ SF_state(PutBack(s))

Spec == Init /\ [][Next]_state /\ Fairness
Unfair == Init /\ [][Next]_state
KeepsTrying == Init /\ [][Next]_state /\ WF_state(Step)

-----------------------------------------------------------------------------

TypeOK == state \in [Servers -> {"old", "out", "new"}]

\* Enough servers are in service.
Available == Cardinality(InService) >= Needed

Finishes == <>(Updated = Servers)

\* What is updated stays so.
Forward == [][\A s \in Servers : state[s] = "new" => state'[s] = "new"]_state

-----------------------------------------------------------------------------
(* What an onlooker sees: the number of updated servers.                   *)

---- MODULE Counting ----
VARIABLE count
OneByOne == [][count' = count + 1]_count
InPairs == [][count' = count + 2]_count
====

Onlooker == INSTANCE Counting WITH count <- Cardinality(Updated)
OneByOne == Onlooker!OneByOne
InPairs == Onlooker!InPairs

\* Nobody is there to serve.
Blackout == InService = {}
=============================================================================
