--------------------------- MODULE StackLifecycle ---------------------------
(***************************************************************************)
(* The whole life of a CloudFormation stack: all 23 statuses that AWS      *)
(* documents (CloudFormation User Guide, "Understand CloudFormation stack  *)
(* creation events", "Stack status codes"), with change sets, imports,     *)
(* and operations that keep what they did when they fail.                  *)
(*                                                                         *)
(* Each step is taken either by a person (a request) or by the service     *)
(* (the end of an operation). The service always ends what it began;       *)
(* nobody has to ask for anything. So a stack comes to rest again and      *)
(* again, and rests until somebody asks. DELETE_COMPLETE is the end.       *)
(***************************************************************************)

VARIABLE status

Absent == "absent"

\* The stack can be worked with.
Usable ==
    { "CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE",
      "IMPORT_COMPLETE", "IMPORT_ROLLBACK_COMPLETE" }

\* An operation failed and kept what it had done: it can be tried again or rolled back.
Halted == { "CREATE_FAILED", "UPDATE_FAILED" }

\* Of these only a deletion leads out.
Lost == { "ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "DELETE_FAILED", "IMPORT_ROLLBACK_FAILED" }

\* A rollback of an update that failed: it can be continued, or the stack deleted.
Stuck == { "UPDATE_ROLLBACK_FAILED" }

\* A change set awaits a person's decision; no resource exists.
InReview == { "REVIEW_IN_PROGRESS" }

Final == { "DELETE_COMPLETE" }

\* The service is at work.
Working ==
    { "CREATE_IN_PROGRESS", "ROLLBACK_IN_PROGRESS", "DELETE_IN_PROGRESS",
      "UPDATE_IN_PROGRESS", "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS",
      "UPDATE_ROLLBACK_IN_PROGRESS", "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS",
      "IMPORT_IN_PROGRESS", "IMPORT_ROLLBACK_IN_PROGRESS" }

Resting == Usable \union Halted \union Lost \union Stuck \union InReview \union Final

Statuses == Resting \union Working

TypeInvariant == status \in Statuses \union {Absent}

Init == status = Absent

-----------------------------------------------------------------------------
(* Requests.                                                               *)

Go(from, to) == status \in from /\ status' = to

CreateChangeSet == Go({Absent}, "REVIEW_IN_PROGRESS")
Create          == Go({Absent} \union InReview, "CREATE_IN_PROGRESS")
Import          == Go(Usable \union InReview, "IMPORT_IN_PROGRESS")
Update          == Go(Usable \union Halted, "UPDATE_IN_PROGRESS")
RollBackCreate  == Go({"CREATE_FAILED"}, "ROLLBACK_IN_PROGRESS")
RollBackUpdate  == Go({"UPDATE_FAILED"}, "UPDATE_ROLLBACK_IN_PROGRESS")
CancelUpdate    == Go({"UPDATE_IN_PROGRESS"}, "UPDATE_ROLLBACK_IN_PROGRESS")
ContinueRollback == Go(Stuck, "UPDATE_ROLLBACK_IN_PROGRESS")
Delete ==
    Go((Resting \ Final) \union {"CREATE_IN_PROGRESS"}, "DELETE_IN_PROGRESS")

Request ==
    \/ CreateChangeSet \/ Create \/ Import \/ Update
    \/ RollBackCreate \/ RollBackUpdate \/ CancelUpdate \/ ContinueRollback
    \/ Delete

-----------------------------------------------------------------------------
(* What the service does.                                                  *)

CreateEnds ==
    \/ Go({"CREATE_IN_PROGRESS"}, "CREATE_COMPLETE")
    \/ Go({"CREATE_IN_PROGRESS"}, "CREATE_FAILED")         \* on failure: do nothing
    \/ Go({"CREATE_IN_PROGRESS"}, "ROLLBACK_IN_PROGRESS")  \* on failure: roll back
    \/ Go({"CREATE_IN_PROGRESS"}, "DELETE_IN_PROGRESS")    \* on failure: delete

RollbackEnds ==
    \/ Go({"ROLLBACK_IN_PROGRESS"}, "ROLLBACK_COMPLETE")
    \/ Go({"ROLLBACK_IN_PROGRESS"}, "ROLLBACK_FAILED")

DeleteEnds ==
    \/ Go({"DELETE_IN_PROGRESS"}, "DELETE_COMPLETE")
    \/ Go({"DELETE_IN_PROGRESS"}, "DELETE_FAILED")

UpdateEnds ==
    \/ Go({"UPDATE_IN_PROGRESS"}, "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS")
    \/ Go({"UPDATE_IN_PROGRESS", "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS"}, "UPDATE_COMPLETE")
    \/ Go({"UPDATE_IN_PROGRESS"}, "UPDATE_FAILED")                \* rollback disabled
    \/ Go({"UPDATE_IN_PROGRESS"}, "UPDATE_ROLLBACK_IN_PROGRESS")

UpdateRollbackEnds ==
    \/ Go({"UPDATE_ROLLBACK_IN_PROGRESS"}, "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS")
    \/ Go({"UPDATE_ROLLBACK_IN_PROGRESS", "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS"},
          "UPDATE_ROLLBACK_COMPLETE")
    \/ Go({"UPDATE_ROLLBACK_IN_PROGRESS"}, "UPDATE_ROLLBACK_FAILED")

ImportEnds ==
    \/ Go({"IMPORT_IN_PROGRESS"}, "IMPORT_COMPLETE")
    \/ Go({"IMPORT_IN_PROGRESS"}, "IMPORT_ROLLBACK_IN_PROGRESS")
    \/ Go({"IMPORT_ROLLBACK_IN_PROGRESS"}, "IMPORT_ROLLBACK_COMPLETE")
    \/ Go({"IMPORT_ROLLBACK_IN_PROGRESS"}, "IMPORT_ROLLBACK_FAILED")

Service ==
    \/ CreateEnds \/ RollbackEnds \/ DeleteEnds
    \/ UpdateEnds \/ UpdateRollbackEnds \/ ImportEnds

Next == Request \/ Service

Spec == Init /\ [][Next]_status /\ WF_status(Service)

-----------------------------------------------------------------------------
(* No dead end but the end.                                                *)

NoDeadEnd == status \in Final \/ ENABLED Next

\* From wherever a stack rests, one request leads on the way to its deletion.
CanBeDeleted == status \in Resting \ Final => ENABLED Delete

\* The service ends what it began.
ComesToRest == status \in Working ~> status \in Resting

-----------------------------------------------------------------------------
(* What may follow what.                                                   *)

DeletedIsFinal == [][~(status \in Final)]_status

LostIsOnlyDeleted == [][(status \in Lost) => status' = "DELETE_IN_PROGRESS"]_status

RestsUntilAsked == [][(status \in Resting) => status' \in Working \/ Request]_status

\* A rollback undoes the operation that it is named after, and nothing else.
RollbackFitsOperation ==
    [][ /\ status' = "ROLLBACK_IN_PROGRESS" => status \in {"CREATE_IN_PROGRESS", "CREATE_FAILED"}
        /\ status' = "UPDATE_ROLLBACK_IN_PROGRESS" =>
               status \in {"UPDATE_IN_PROGRESS", "UPDATE_FAILED", "UPDATE_ROLLBACK_FAILED"}
        /\ status' = "IMPORT_ROLLBACK_IN_PROGRESS" => status = "IMPORT_IN_PROGRESS" ]_status

\* Only what was asked for is deleted, but for a creation that deletes what it could not finish.
DeletedOnlyOnRequest == [][status' = "DELETE_IN_PROGRESS" => Delete]_status
=============================================================================
