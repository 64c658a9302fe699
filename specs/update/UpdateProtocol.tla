---------------------------- MODULE UpdateProtocol ----------------------------
(***************************************************************************)
(* UpdateCluster, put right. Four things differ:                           *)
(*  - A request that a newer valid one supersedes ends as "superseded"     *)
(*    instead of staying "processing" for ever.                            *)
(*  - What counts is the newest request that was found valid: one that is  *)
(*    rejected supersedes nobody.                                          *)
(*  - A rollback may fail. Then the request rests until somebody asks to   *)
(*    try again, or a newer valid request makes that necessary.            *)
(*  - A request may be told to keep what it has done when it fails. Then   *)
(*    it rests until it is rolled back, or a newer request takes over.     *)
(* So every request settles or rests, and the cluster is left half updated *)
(* only where a person was told.                                           *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
    Reqs,   \* the requests that users may send
    NULL

VARIABLES
    confOK,    \* whether a valid configuration can be had; fixed for a behaviour
    last,      \* rank of the request submitted last
    cluster,   \* the request that the cluster shows, and whether in full
    status,    \* of each request
    rank       \* of each request; 0 before it is submitted

vars == <<confOK, last, cluster, status, rank>>

Status ==
    { "waiting", "submitted", "rejected", "queued", "processing", "superseded", "failure",
      "partial",          \* the cluster is being modified
      "partialFailure",   \* that failed in the middle
      "rollbackFailed",   \* and so did the attempt to undo it
      "kept",             \* it failed, and what it had done was kept, as it was asked to
      "success", "rolledback" }

Settled == {"waiting", "rejected", "superseded", "failure", "success", "rolledback"}

\* What only a person, or a newer request, leads out of.
Resting == {"rollbackFailed", "kept"}

\* A request whose application has begun and not ended.
Applying == {"partial", "partialFailure", "rollbackFailed", "kept"}

TypeInvariant ==
    /\ confOK \in BOOLEAN
    /\ last \in 0 .. Cardinality(Reqs)
    /\ status \in [Reqs -> Status]
    /\ rank \in [Reqs -> 0 .. Cardinality(Reqs)]
    /\ cluster \in [req : Reqs \union {NULL}, complete : BOOLEAN]

Init ==
    /\ confOK \in BOOLEAN
    /\ last = 0
    /\ cluster = [req |-> NULL, complete |-> TRUE]
    /\ status = [r \in Reqs |-> "waiting"]
    /\ rank = [r \in Reqs |-> 0]

\* Whether a newer request was found valid.
Superseded(r) ==
    \E s \in Reqs : rank[s] > rank[r] /\ status[s] \notin {"submitted", "rejected"}

\* A request whose failed application the next one takes over.
Kept == {r \in Reqs : status[r] = "kept"}

Move(r, from, to) == status[r] = from /\ status' = [status EXCEPT ![r] = to]

-----------------------------------------------------------------------------

Submit(r) ==
    /\ Move(r, "waiting", "submitted")
    /\ last' = last + 1
    /\ rank' = [rank EXCEPT ![r] = last + 1]
    /\ UNCHANGED <<confOK, cluster>>

Check(r) ==
    /\ Move(r, "submitted", "queued") \/ Move(r, "submitted", "rejected")
    /\ UNCHANGED <<confOK, last, cluster, rank>>

Process(r) ==
    /\ Move(r, "queued", "processing")
    /\ UNCHANGED <<confOK, last, cluster, rank>>

Supersede(r) ==
    /\ Superseded(r)
    /\ Move(r, "queued", "superseded") \/ Move(r, "processing", "superseded")
    /\ UNCHANGED <<confOK, last, cluster, rank>>

StartApply(r) ==
    /\ ~Superseded(r)
    /\ cluster.complete \/ Kept # {}
    /\ IF confOK
       THEN /\ status[r] = "processing"
            /\ status' = [s \in Reqs |-> IF s = r THEN "partial" ELSE IF s \in Kept THEN "superseded" ELSE status[s]]
            /\ cluster' = [req |-> r, complete |-> FALSE]
       ELSE Move(r, "processing", "failure") /\ UNCHANGED cluster
    /\ UNCHANGED <<confOK, last, rank>>

CompleteApply(r) ==
    /\ \/ Move(r, "partial", "success") /\ cluster' = [cluster EXCEPT !.complete = TRUE]
       \/ Move(r, "partial", "partialFailure") /\ UNCHANGED cluster
       \/ Move(r, "partial", "kept") /\ UNCHANGED cluster
    /\ UNCHANGED <<confOK, last, rank>>

RollbackWorks(r) ==
    /\ Move(r, "partialFailure", "rolledback")
    /\ cluster' = [cluster EXCEPT !.complete = TRUE]
    /\ UNCHANGED <<confOK, last, rank>>

RollbackFails(r) ==
    /\ Move(r, "partialFailure", "rollbackFailed")
    /\ UNCHANGED <<confOK, last, cluster, rank>>

RetryRollback(r) ==
    /\ Move(r, "rollbackFailed", "partialFailure") \/ Move(r, "kept", "partialFailure")
    /\ UNCHANGED <<confOK, last, cluster, rank>>

Next ==
    \E r \in Reqs :
        \/ Submit(r) \/ Check(r) \/ Process(r) \/ Supersede(r)
        \/ StartApply(r) \/ CompleteApply(r)
        \/ RollbackWorks(r) \/ RollbackFails(r) \/ RetryRollback(r)

\* Nobody has to submit anything, or to ask for a rollback. One that is tried again and again works at last, and one
\* that failed is tried again when a newer request waits for it.
Fairness ==
    \A r \in Reqs :
        /\ WF_vars(Check(r)) /\ WF_vars(Process(r)) /\ WF_vars(Supersede(r))
        /\ SF_vars(StartApply(r)) /\ WF_vars(CompleteApply(r))
        /\ WF_vars(RollbackWorks(r) \/ RollbackFails(r)) /\ SF_vars(RollbackWorks(r))
        /\ WF_vars(Superseded(r) /\ status[r] = "rollbackFailed" /\ RetryRollback(r))

Spec == Init /\ [][Next]_vars /\ Fairness

-----------------------------------------------------------------------------

OneAtATime == Cardinality({r \in Reqs : status[r] \in Applying}) < 2

\* The cluster is incomplete exactly while a request is being applied to it.
CompleteUnlessApplying ==
    cluster.complete <=> \A r \in Reqs : status[r] \notin Applying

\* Whatever begins to be applied is the newest valid request at that time.
OnlyLatestIsApplied ==
    [][\A r \in Reqs : (status[r] # "partial" /\ status'[r] = "partial") => ~Superseded(r)]_vars

EveryRequestSettles == \A r \in Reqs : status[r] = "submitted" ~> status[r] \in Settled \union Resting

SettledIsFinal ==
    [][\A r \in Reqs : status[r] \in Settled \ {"waiting"} => status'[r] = status[r]]_vars

\* Nothing is left half done, unless the newest valid request rests so that a person decides.
NeverLeftHalfDone ==
    []<>(cluster.complete \/ \E r \in Reqs : status[r] \in Resting /\ ~Superseded(r))
=============================================================================
