---------------------------- MODULE ReconcileCrash ----------------------------
(***************************************************************************)
(* The reconcile loop again, where the operator may crash between a call   *)
(* to the cloud and the writing down of its answer. A crash forgets the    *)
(* work queue and what every worker was about; on its restart the operator *)
(* lists all resources and starts over. What exists in Kubernetes and in   *)
(* AWS stays.                                                              *)
(*                                                                         *)
(* An operator that looks before it calls (Looks = TRUE) creates nothing   *)
(* twice and still converges. One that trusts what it has written down     *)
(* creates a second policy after a crash: see ReconcileCrashBlind.cfg.     *)
(* In the document the attachment of the policy is one step with its       *)
(* writing down; split in two, its guard would never let the second half   *)
(* happen after a crash.                                                   *)
(***************************************************************************)
EXTENDS Reconcile

CONSTANTS
    Looks,       \* whether a worker asks the cloud what exists before it creates
    MaxCrashes

VARIABLES
    called,      \* workers that have called the cloud and not yet written that down
    created,     \* how often each thing was created in the cloud
    crashes

crashVars == <<vars, called, created, crashes>>

Things == {"policy", "role", "attachment"}

CrashInit ==
    /\ Init
    /\ called = {}
    /\ created = [t \in Things |-> 0]
    /\ crashes = 0

-----------------------------------------------------------------------------

\* Worker w creates a thing in the cloud, unless it knows that it exists.
Call(w, thing, exists) ==
    /\ w \notin called
    /\ Looks => ~exists
    /\ called' = called \union {w}
    /\ created' = [created EXCEPT ![thing] = @ + 1]
    /\ UNCHANGED <<crashes, irsa, policy, role, sa, workers, wq, modified>>

\* Worker w writes down what is in the cloud.
Write(w, request, exists) ==
    /\ exists
    /\ Looks \/ w \in called
    /\ called' = called \ {w}
    /\ Modify(<<request>>)
    /\ UNCHANGED <<crashes, created, irsa, sa, awsPolicy, awsRole, workers, wq>>

CallPolicy(w) ==
    /\ Handles(w, "policy") /\ policy.awsPolicyArn = NULL
    /\ Call(w, "policy", awsPolicy.arn # NULL)
    /\ awsPolicy' = [awsPolicy EXCEPT !.arn = "policyARN"]
    /\ UNCHANGED awsRole

WritePolicy(w) ==
    /\ Handles(w, "policy") /\ policy.awsPolicyArn = NULL
    /\ Write(w, "policy", awsPolicy.arn # NULL)
    /\ policy' = [policy EXCEPT !.awsPolicyArn = awsPolicy.arn]
    /\ UNCHANGED role

CallRole(w) ==
    /\ Handles(w, "role") /\ role.roleArn = NULL
    /\ Call(w, "role", awsRole.arn # NULL)
    /\ awsRole' = [awsRole EXCEPT !.arn = "roleARN"]
    /\ UNCHANGED awsPolicy

WriteRole(w) ==
    /\ Handles(w, "role") /\ role.roleArn = NULL
    /\ Write(w, "role", awsRole.arn # NULL)
    /\ role' = [role EXCEPT !.roleArn = awsRole.arn]
    /\ UNCHANGED policy

Attachable == NULL \notin {role.policyArn, role.roleArn} /\ ~role.policiesAttached

CallAttach(w) ==
    /\ Handles(w, "role") /\ Attachable
    /\ Call(w, "attachment", awsRole.attachedPolicy # NULL)
    /\ awsRole' = [awsRole EXCEPT !.attachedPolicy = role.policyArn]
    /\ UNCHANGED awsPolicy

WriteAttach(w) ==
    /\ Handles(w, "role") /\ Attachable
    /\ Write(w, "role", awsRole.attachedPolicy # NULL)
    /\ role' = [role EXCEPT !.policiesAttached = TRUE]
    /\ UNCHANGED policy

\* What the operator finds when it lists all resources.
Listed ==
    <<"irsa">> \o (IF policy.st = NULL THEN <<>> ELSE <<"policy">>)
               \o (IF role.st = NULL THEN <<>> ELSE <<"role">>)
               \o (IF sa.st = NULL THEN <<>> ELSE <<"sa">>)

Crash ==
    /\ crashes < MaxCrashes
    /\ crashes' = crashes + 1
    /\ called' = {}
    /\ workers' = [w \in Workers |-> [idle |-> TRUE, req |-> NULL]]
    /\ wq' = [dirty |-> {}, processing |-> {}, queue |-> <<>>]
    /\ modified' = Listed
    /\ UNCHANGED <<resources, created>>

-----------------------------------------------------------------------------

\* What goes on as before.
Local(w) ==
    /\ \/ Get(w) \/ Done(w)
       \/ CreatePolicy(w) \/ CreateRole(w) \/ CreateServiceAccount(w) \/ RoleHasNoPolicyARN(w)
       \/ IrsaAllDone(w) \/ PolicyAllDone(w) \/ RoleAllDone(w) \/ SaAllDone(w)
    /\ UNCHANGED <<called, created, crashes>>

Cloud(w) ==
    \/ CallPolicy(w) \/ WritePolicy(w)
    \/ CallRole(w) \/ WriteRole(w)
    \/ CallAttach(w) \/ WriteAttach(w)

Noticed == Add /\ UNCHANGED <<called, created, crashes>>

CrashNext ==
    \/ Noticed \/ Crash
    \/ \E w \in Workers : Local(w) \/ Cloud(w)
    \/ Termination /\ UNCHANGED <<called, created, crashes>>

\* Nothing makes the operator crash, but if it runs long enough, everybody gets a turn.
CrashFairness ==
    /\ WF_crashVars(Noticed)
    /\ \A w \in Workers :
        /\ WF_crashVars(Get(w) /\ UNCHANGED <<called, created, crashes>>)
        /\ WF_crashVars(Local(w))
        /\ WF_crashVars(CreatePolicy(w) /\ UNCHANGED <<called, created, crashes>>)
        /\ WF_crashVars(CreateRole(w) /\ UNCHANGED <<called, created, crashes>>)
        /\ WF_crashVars(Cloud(w))
        /\ WF_crashVars(RoleHasNoPolicyARN(w) /\ UNCHANGED <<called, created, crashes>>)

CrashSpec == CrashInit /\ [][CrashNext]_crashVars /\ CrashFairness

-----------------------------------------------------------------------------

NothingCreatedTwice == \A t \in Things : created[t] <= 1
=============================================================================
