------------------------------ MODULE Reconcile ------------------------------
(***************************************************************************)
(* A Kubernetes operator that gives a service account an IAM role (IRSA).  *)
(* A resource "irsa" asks for three others: a policy, a role and a service *)
(* account. Three controllers bring them about, in Kubernetes and in AWS.  *)
(* Workers take requests from the work queue of client-go; whatever is     *)
(* modified is put there again, which is how controllers learn of it.      *)
(*                                                                         *)
(* This follows a public specification. What to know of it:                *)
(*  - It has []TypeOk as a conjunct of Spec; here TypeOk is an invariant.  *)
(*  - Its theorem reads ([]ENABLED Termination) ~> P, since [] binds       *)
(*    tighter than ~>; that is weaker than what was meant, which is        *)
(*    Converges below.                                                     *)
(*  - With a single worker it stops: the worker that handles the role      *)
(*    waits for the policy's ARN, and nobody is left to handle the policy  *)
(*    (see Reconcile1.cfg). So the theorems need two workers.              *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANTS
    NULL,
    Workers   \* the concurrent reconcile loops

VARIABLES
    irsa, policy, role, sa,   \* resources in Kubernetes
    awsPolicy, awsRole,       \* what exists in AWS
    wq,                       \* the work queue: dirty and processing sets, and a sequence
    workers,                  \* what each worker does
    modified                  \* resources modified and not yet noticed by the queue

resources == <<irsa, policy, role, sa, awsPolicy, awsRole>>
vars == <<resources, wq, workers, modified>>

Requests == {"irsa", "policy", "role", "sa"}
States == {NULL, "pending"}

TypeOk ==
    /\ {irsa.st, policy.st, role.st, sa.st} \subseteq States
    /\ \A w \in Workers : workers[w].req \in Requests \union {NULL}
    /\ awsRole.arn \in {NULL, "roleARN"}
    /\ awsPolicy.arn \in {NULL, "policyARN"}

Init ==
    /\ irsa = [st |-> NULL, saName |-> "saName", stmt |-> "statement",
               roleARN |-> NULL, policyARN |-> NULL]
    /\ policy = [st |-> NULL, stmt |-> NULL, awsPolicyArn |-> NULL]
    /\ role = [st |-> NULL, saName |-> NULL, roleArn |-> NULL, policyArn |-> NULL,
               policiesAttached |-> FALSE]
    /\ sa = [st |-> NULL, name |-> NULL, roleArn |-> NULL]
    /\ awsPolicy = [arn |-> NULL]
    /\ awsRole = [arn |-> NULL, attachedPolicy |-> NULL]
    /\ modified = <<"irsa">>
    /\ wq = [dirty |-> {}, processing |-> {}, queue |-> <<>>]
    /\ workers = [w \in Workers |-> [idle |-> TRUE, req |-> NULL]]

-----------------------------------------------------------------------------
(* The work queue of client-go: a resource is never in it twice, and never *)
(* handed to two workers; what changes while it is being processed is kept *)
(* dirty and queued again when it is done.                                 *)

Add ==
    /\ modified # <<>>
    /\ modified' = Tail(modified)
    /\ LET e == Head(modified) IN
       IF e \in wq.dirty
       THEN UNCHANGED wq
       ELSE wq' = [wq EXCEPT
                      !.dirty = @ \union {e},
                      !.queue = IF e \in wq.processing THEN @ ELSE Append(@, e)]
    /\ UNCHANGED <<resources, workers>>

Get(w) ==
    /\ workers[w].idle
    /\ workers[w].req = NULL
    /\ wq.queue # <<>>
    /\ LET e == Head(wq.queue) IN
       /\ workers' = [workers EXCEPT ![w] = [idle |-> FALSE, req |-> e]]
       /\ wq' = [wq EXCEPT
                    !.queue = Tail(@), !.dirty = @ \ {e}, !.processing = @ \union {e}]
    /\ UNCHANGED <<resources, modified>>

Done(w) ==
    /\ workers[w].idle
    /\ workers[w].req # NULL
    /\ workers' = [workers EXCEPT ![w].req = NULL]
    /\ LET e == workers[w].req IN
       wq' = [wq EXCEPT
                 !.processing = @ \ {e},
                 !.queue = IF e \in wq.dirty THEN Append(@, e) ELSE @]
    /\ UNCHANGED <<resources, modified>>

-----------------------------------------------------------------------------
(* The controllers. Each action handles one request until there is nothing *)
(* more to do for it; then the worker becomes idle.                        *)

Handles(w, request) == ~workers[w].idle /\ workers[w].req = request

Rest(w) == workers' = [workers EXCEPT ![w].idle = TRUE]

Modify(sequence) == modified' = modified \o sequence

IrsaComplete == policy.st # NULL /\ role.st # NULL /\ sa.st # NULL
PolicyComplete == NULL \notin {policy.st, policy.stmt, policy.awsPolicyArn}
RoleComplete ==
    /\ NULL \notin {role.st, role.saName, role.roleArn, role.policyArn}
    /\ role.policiesAttached
SaComplete == NULL \notin {sa.st, sa.name, sa.roleArn}

CreatePolicy(w) ==
    /\ Handles(w, "irsa")
    /\ policy.st = NULL
    /\ policy' = [policy EXCEPT !.st = "pending", !.stmt = irsa.stmt]
    /\ Rest(w)
    /\ Modify(<<"policy", "irsa">>)
    /\ UNCHANGED <<awsPolicy, awsRole, irsa, role, sa, wq>>

CreateRole(w) ==
    /\ Handles(w, "irsa")
    /\ role.st = NULL
    /\ role' = [role EXCEPT !.st = "pending", !.saName = irsa.saName]
    /\ Rest(w)
    /\ Modify(<<"role", "irsa">>)
    /\ UNCHANGED <<awsPolicy, awsRole, irsa, policy, sa, wq>>

CreateServiceAccount(w) ==
    /\ Handles(w, "irsa")
    /\ sa.st = NULL
    /\ RoleComplete
    /\ PolicyComplete
    /\ sa' = [st |-> "pending", name |-> irsa.saName, roleArn |-> role.roleArn]
    /\ Modify(<<"sa", "irsa">>)
    /\ UNCHANGED <<awsPolicy, awsRole, irsa, policy, role, workers, wq>>

\* First the policy is created in AWS, then its ARN is written down.
PolicyHasNoARN(w) ==
    /\ Handles(w, "policy")
    /\ policy.awsPolicyArn = NULL
    /\ IF awsPolicy.arn = NULL
       THEN awsPolicy' = [awsPolicy EXCEPT !.arn = "policyARN"] /\ UNCHANGED policy
       ELSE policy' = [policy EXCEPT !.awsPolicyArn = awsPolicy.arn] /\ UNCHANGED awsPolicy
    /\ Modify(<<"policy">>)
    /\ UNCHANGED <<awsRole, irsa, role, sa, workers, wq>>

RoleHasNoRoleARN(w) ==
    /\ Handles(w, "role")
    /\ role.roleArn = NULL
    /\ IF awsRole.arn = NULL
       THEN awsRole' = [awsRole EXCEPT !.arn = "roleARN"] /\ UNCHANGED role
       ELSE role' = [role EXCEPT !.roleArn = awsRole.arn] /\ UNCHANGED awsRole
    /\ Modify(<<"role">>)
    /\ UNCHANGED <<awsPolicy, irsa, policy, sa, workers, wq>>

RoleHasNoPolicyARN(w) ==
    /\ Handles(w, "role")
    /\ role.policyArn = NULL
    /\ policy.awsPolicyArn # NULL
    /\ role' = [role EXCEPT !.policyArn = policy.awsPolicyArn]
    /\ Modify(<<"role">>)
    /\ UNCHANGED <<awsPolicy, awsRole, irsa, policy, sa, workers, wq>>

RoleHasPolicyARN(w) ==
    /\ Handles(w, "role")
    /\ NULL \notin {role.policyArn, role.roleArn}
    /\ ~role.policiesAttached
    /\ awsRole.attachedPolicy = NULL
    /\ awsRole' = [awsRole EXCEPT !.attachedPolicy = role.policyArn]
    /\ role' = [role EXCEPT !.policiesAttached = TRUE]
    /\ Modify(<<"role">>)
    /\ UNCHANGED <<awsPolicy, irsa, policy, sa, workers, wq>>

AllDone(w, request, complete) ==
    /\ Handles(w, request)
    /\ complete
    /\ Rest(w)
    /\ UNCHANGED <<resources, wq, modified>>

IrsaAllDone(w)   == AllDone(w, "irsa", IrsaComplete)
PolicyAllDone(w) == AllDone(w, "policy", PolicyComplete)
RoleAllDone(w)   == AllDone(w, "role", RoleComplete)
SaAllDone(w)     == AllDone(w, "sa", SaComplete)

Control(w) ==
    \/ CreatePolicy(w) \/ CreateRole(w) \/ CreateServiceAccount(w)
    \/ PolicyHasNoARN(w)
    \/ RoleHasNoRoleARN(w) \/ RoleHasNoPolicyARN(w) \/ RoleHasPolicyARN(w)
    \/ IrsaAllDone(w) \/ PolicyAllDone(w) \/ RoleAllDone(w) \/ SaAllDone(w)

-----------------------------------------------------------------------------

Converged ==
    /\ IrsaComplete /\ RoleComplete /\ PolicyComplete /\ SaComplete
    /\ awsPolicy.arn # NULL
    /\ NULL \notin {awsRole.arn, awsRole.attachedPolicy}

\* The whole has converged and nobody is at work.
Termination ==
    /\ \A w \in Workers : workers[w].idle /\ workers[w].req = NULL
    /\ Converged
    /\ UNCHANGED vars

Actions == Add \/ \E w \in Workers : Get(w) \/ Done(w) \/ Control(w)

Next == Actions \/ Termination

Fairness ==
    /\ WF_vars(Add)
    /\ \A w \in Workers :
        /\ WF_vars(Get(w)) /\ WF_vars(Done(w))
        /\ WF_vars(CreatePolicy(w)) /\ WF_vars(CreateRole(w)) /\ WF_vars(CreateServiceAccount(w))
        /\ WF_vars(PolicyHasNoARN(w))
        /\ WF_vars(RoleHasNoRoleARN(w)) /\ WF_vars(RoleHasNoPolicyARN(w))
        /\ WF_vars(RoleHasPolicyARN(w))
        /\ WF_vars(IrsaAllDone(w)) /\ WF_vars(PolicyAllDone(w))
        /\ WF_vars(RoleAllDone(w)) /\ WF_vars(SaAllDone(w))

Spec == Init /\ [][Next]_vars /\ Fairness

-----------------------------------------------------------------------------

\* No two workers handle the same resource.
OneWorkerPerResource ==
    \A w \in Workers :
        \/ workers[w].idle
        \/ workers[w].req \notin {workers[x].req : x \in Workers \ {w}}

\* Whatever happens, the whole converges for good.
Converges == <>[]Converged

\* The theorem of the document, as it reads.
TerminationIsTheLastAction ==
    []ENABLED Termination ~> ENABLED Termination /\ ~ENABLED Actions

THEOREM Spec => []OneWorkerPerResource
THEOREM Spec => TerminationIsTheLastAction
=============================================================================
