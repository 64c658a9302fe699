---------------------------- MODULE UpdateCluster ----------------------------
(***************************************************************************)
(* Users send requests that update a cluster. Requests are validated,      *)
(* queued and processed in any order; only the latest one submitted may be *)
(* applied, one at a time, and an application that fails is rolled back.   *)
(*                                                                         *)
(* This follows a public specification. Three things are worth knowing of  *)
(* it: NoApplicationOfOutdatedReq is implied by a guard of StartApply, so  *)
(* it cannot be violated; Rollback's ELSE is never reached, since nothing  *)
(* is ever applied without a valid configuration; and a request that was   *)
(* superseded stays "processing" for ever (see UpdateClusterSettles.cfg).  *)
(* UpdateProtocol puts that right.                                         *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
    Reqs,   \* the requests that users may send
    NULL

VARIABLES
    queue,          \* requests waiting to be processed
    confOK,         \* whether a valid configuration can be had; fixed for a behaviour
    lastSubmitted,  \* rank of the request submitted last
    clusterState,   \* the request that the cluster shows, and whether in full
    reqState        \* for each request its status and its rank

vars == <<confOK, clusterState, reqState, queue, lastSubmitted>>

Status ==
    { "waiting",         \* not submitted yet
      "submitted",
      "rejected",        \* refused: authorisation, quota, ...
      "valid",
      "processing",
      "partial",         \* the cluster is being modified
      "partialFailure",  \* it failed in the middle
      "success",
      "failure",         \* it failed before the cluster was modified
      "rolledback" }

With(status) == {r \in Reqs : reqState[r].status = status}

NoConcurrentUpdate == Cardinality(With("partial")) < 2

TypeInvariants ==
    /\ confOK \in BOOLEAN
    /\ NoConcurrentUpdate
    /\ \A r \in Reqs : reqState[r].status \in Status

Init ==
    /\ reqState = [r \in Reqs |-> [status |-> "waiting", rank |-> NULL]]
    /\ clusterState = [req |-> NULL, complete |-> TRUE]
    /\ lastSubmitted = 0
    /\ confOK \in BOOLEAN
    /\ queue = {}

-----------------------------------------------------------------------------

Move(r, from, to) ==
    /\ reqState[r].status = from
    /\ reqState' = [reqState EXCEPT ![r].status = to]

Submit(r) ==
    /\ reqState[r].status = "waiting"
    /\ lastSubmitted' = lastSubmitted + 1
    /\ reqState' = [reqState EXCEPT ![r] = [status |-> "submitted", rank |-> lastSubmitted + 1]]
    /\ UNCHANGED <<confOK, queue, clusterState>>

InitialCheck(r) ==
    /\ \/ Move(r, "submitted", "valid")
       \/ Move(r, "submitted", "rejected")
    /\ UNCHANGED <<confOK, queue, clusterState, lastSubmitted>>

PushToQueue(r) ==
    /\ reqState[r].status = "valid"
    /\ queue' = queue \union {r}
    /\ UNCHANGED <<confOK, reqState, clusterState, lastSubmitted>>

ProcessQueue ==
    \E r \in queue :
        /\ queue' = queue \ {r}
        /\ reqState' = [reqState EXCEPT ![r].status = "processing"]
        /\ UNCHANGED <<confOK, clusterState, lastSubmitted>>

StartApply(r) ==
    /\ reqState[r].rank = lastSubmitted
    /\ reqState[r].status = "processing"
    /\ clusterState.complete
    /\ With("partial") = {}
    /\ IF confOK
       THEN /\ Move(r, "processing", "partial")
            /\ clusterState' = [req |-> r, complete |-> FALSE]
       ELSE /\ Move(r, "processing", "failure")
            /\ UNCHANGED clusterState
    /\ UNCHANGED <<confOK, lastSubmitted, queue>>

CompleteApply(r) ==
    /\ \/ /\ Move(r, "partial", "success")
          /\ clusterState' = [req |-> r, complete |-> TRUE]
       \/ /\ Move(r, "partial", "partialFailure")
          /\ UNCHANGED clusterState
    /\ UNCHANGED <<confOK, lastSubmitted, queue>>

\* The document assumes that a rollback works whenever there is a valid configuration.
Rollback(r) ==
    /\ reqState[r].status = "partialFailure"
    /\ IF confOK
       THEN /\ Move(r, "partialFailure", "rolledback")
            /\ clusterState' = [clusterState EXCEPT !.complete = TRUE]
            /\ UNCHANGED <<confOK, lastSubmitted, queue>>
       ELSE UNCHANGED vars

Next ==
    \/ ProcessQueue
    \/ \E r \in Reqs :
        \/ Submit(r) \/ InitialCheck(r) \/ PushToQueue(r)
        \/ StartApply(r) \/ CompleteApply(r) \/ Rollback(r)

Fairness ==
    /\ WF_vars(ProcessQueue)
    /\ \A r \in Reqs :
        /\ WF_vars(PushToQueue(r))
        /\ WF_vars(CompleteApply(r))
        /\ WF_vars(Rollback(r))

Spec == Init /\ [][Next]_vars /\ Fairness

-----------------------------------------------------------------------------

\* The cluster does not end up half updated.
NoPartialUpdateTermination == <>[](clusterState.complete)

\* No request is applied but the latest.
NoApplicationOfOutdatedReq ==
    [](\A r \in Reqs : ENABLED StartApply(r) => reqState[r].rank = lastSubmitted)

\* Nothing stays in the queue.
EveryReqInQueueIsProcessed == <>[](queue = {})

\* Every request that was submitted comes to an end. Not so: a superseded one does not.
Settled == {"waiting", "rejected", "success", "failure", "rolledback"}
EveryReqSettles == \A r \in Reqs : []<>(reqState[r].status \in Settled)

THEOREM Spec => []TypeInvariants
THEOREM Spec => NoPartialUpdateTermination
THEOREM Spec => NoApplicationOfOutdatedReq
THEOREM Spec => EveryReqInQueueIsProcessed
=============================================================================
