---------------------------- MODULE StackStatus ----------------------------
(***************************************************************************)
(* The states of a CloudFormation stack, as a public specification of 2019 *)
(* describes them: 17 statuses and a stack that does not exist yet. It was *)
(* written to show that every transition is accounted for and that there   *)
(* is no dead end.                                                         *)
(*                                                                         *)
(* This is the text as meant. Three of its actions join a disjunction to a *)
(* conjunction without parentheses, which TLA+ refuses, and one status is  *)
(* cut short (UPDATE_ROLLBACK_COMPLETE_CLEANUP).                           *)
(*                                                                         *)
(* What is really wrong with it shows when more is asked than the absence  *)
(* of dead ends. By its own words a stack in ROLLBACK_COMPLETE can only be *)
(* deleted, but the specification lets it be updated; a deleted stack can  *)
(* be updated or deleted again, and only that keeps DELETE_COMPLETE from   *)
(* being a dead end; REVIEW_IN_PROGRESS is never entered. StackLifecycle   *)
(* puts that right.                                                        *)
(***************************************************************************)

VARIABLE status

Absent == "absent"

Completed ==
    { "CREATE_COMPLETE", "DELETE_COMPLETE", "ROLLBACK_COMPLETE", "UPDATE_COMPLETE",
      "UPDATE_ROLLBACK_COMPLETE" }

Failed ==
    { "CREATE_FAILED", "DELETE_FAILED", "ROLLBACK_FAILED", "UPDATE_ROLLBACK_FAILED" }

InProgress ==
    { "CREATE_IN_PROGRESS", "DELETE_IN_PROGRESS", "REVIEW_IN_PROGRESS", "ROLLBACK_IN_PROGRESS",
      "UPDATE_IN_PROGRESS", "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS",
      "UPDATE_ROLLBACK_IN_PROGRESS", "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS" }

Statuses == {Absent} \union Completed \union Failed \union InProgress

TypeInvariant == status \in Statuses

Init == status = Absent

-----------------------------------------------------------------------------

Go(from, to) == status \in from /\ status' = to

CreateInProgress == Go({Absent}, "CREATE_IN_PROGRESS")
CreateComplete   == Go({"CREATE_IN_PROGRESS"}, "CREATE_COMPLETE")
CreateFailed     == Go({"CREATE_IN_PROGRESS"}, "CREATE_FAILED")

DeleteInProgress == Go(Completed \union Failed, "DELETE_IN_PROGRESS")
DeleteComplete   == Go({"DELETE_IN_PROGRESS"}, "DELETE_COMPLETE")
DeleteFailed     == Go({"DELETE_IN_PROGRESS"}, "DELETE_FAILED")

UpdateInProgress == Go(Completed, "UPDATE_IN_PROGRESS")
UpdateComplete ==
    Go({"UPDATE_IN_PROGRESS", "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS"}, "UPDATE_COMPLETE")
UpdateCompleteCleanupInProgress ==
    Go({"UPDATE_IN_PROGRESS"}, "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS")

RollbackInProgress == Go({"CREATE_IN_PROGRESS"}, "ROLLBACK_IN_PROGRESS")
RollbackComplete   == Go({"ROLLBACK_IN_PROGRESS"}, "ROLLBACK_COMPLETE")
RollbackFailed     == Go({"ROLLBACK_IN_PROGRESS"}, "ROLLBACK_FAILED")

UpdateRollbackInProgress == Go({"UPDATE_IN_PROGRESS"}, "UPDATE_ROLLBACK_IN_PROGRESS")
UpdateRollbackComplete ==
    Go({"UPDATE_ROLLBACK_IN_PROGRESS", "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS"},
       "UPDATE_ROLLBACK_COMPLETE")
UpdateRollbackCompleteCleanupInProgress ==
    Go({"UPDATE_ROLLBACK_IN_PROGRESS"}, "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS")
UpdateRollbackFailed == Go({"UPDATE_ROLLBACK_IN_PROGRESS"}, "UPDATE_ROLLBACK_FAILED")

\* A person removes what keeps the rollback from going on.
ManuallyDeleteResources == Go({"UPDATE_ROLLBACK_FAILED"}, "UPDATE_ROLLBACK_IN_PROGRESS")

Next ==
    \/ CreateInProgress \/ CreateComplete \/ CreateFailed
    \/ DeleteInProgress \/ DeleteComplete \/ DeleteFailed
    \/ UpdateInProgress \/ UpdateComplete \/ UpdateCompleteCleanupInProgress
    \/ RollbackInProgress \/ RollbackComplete \/ RollbackFailed
    \/ UpdateRollbackInProgress \/ UpdateRollbackComplete \/ UpdateRollbackFailed
    \/ ManuallyDeleteResources \/ UpdateRollbackCompleteCleanupInProgress

Spec == Init /\ [][Next]_status

-----------------------------------------------------------------------------
(* What may follow what.                                                   *)

\* Nothing comes of nothing but a creation.
CreationComesFirst == [][status = Absent => status' = "CREATE_IN_PROGRESS"]_status

\* Whatever has failed or is complete, only a person's request moves on.
RestsUntilAsked ==
    [][(status \in Completed \union Failed) =>
        status' \in {"DELETE_IN_PROGRESS", "UPDATE_IN_PROGRESS", "UPDATE_ROLLBACK_IN_PROGRESS"}]_status

\* A stack never ceases to be known.
NeverAbsentAgain == [][status' # Absent]_status

\* "When in this state, only a delete operation can be performed." Not so: see StackStatusRollback.cfg.
RolledBackIsOnlyDeleted ==
    [][status = "ROLLBACK_COMPLETE" => status' = "DELETE_IN_PROGRESS"]_status

\* What is deleted stays deleted. Not so: see StackStatusDeleted.cfg.
DeletedIsFinal == [][status # "DELETE_COMPLETE"]_status

THEOREM Spec => []TypeInvariant
=============================================================================
