------------------------------- MODULE Worker -------------------------------
(***************************************************************************)
(* How the workers of the engine share the steps of an operation, when     *)
(* each of them may crash or be paused at any point, and the cloud gives   *)
(* no answer, or a late one.                                               *)
(*                                                                         *)
(* A worker claims a step and gets a fence that nobody had before; it      *)
(* writes down what it is about to do (the intent), calls the cloud, and   *)
(* records the outcome, which is accepted only with the newest fence. Who  *)
(* claims a step with an open intent looks into the cloud before anything  *)
(* else: what is there is adopted, what is not there is called again.      *)
(* Where the cloud cannot tell, the step waits for a person.               *)
(*                                                                         *)
(* The cloud may accept a call and do what it asks for in its own time:    *)
(* that is recorded, nobody waits for it, and some worker asks for it now  *)
(* and then. It may also fail, for good or for now, and leave a part of    *)
(* the node behind, which is recorded as present.                          *)
(*                                                                         *)
(* Each node is created by the first operation and deleted by the second,  *)
(* which also begins when the first has failed and nothing is under way.   *)
(* The last four constants are what must not be left out: see the          *)
(* configurations Worker*.cfg that are expected to fail.                   *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
    Nodes,
    Needs,        \* pairs <<n, m>>: n needs m
    Workers,
    None,
    MaxFaults,    \* how many crashes, pauses and observations that cannot tell there are
    Honours,      \* whether the cloud makes nothing twice for one token
    Accepts,      \* whether the cloud may accept a call and do it later
    Fails,        \* whether the cloud may refuse a creation and leave a part of it
    Fenced,       \* whether records need the newest fence
    Intends,      \* whether the intent is written down before the call
    CallsFirst    \* whether the outcome is recorded after the call

\* For configurations: each node needs the one before it.
InARow == {pair \in Nodes \X Nodes : pair[1] = pair[2] + 1}

VARIABLES
    \* in the store
    op,           \* the operation: 1 creates all nodes, 2 deletes them
    step,         \* of each node in this operation
    owner,        \* who has claimed the step
    fence,        \* the number of the newest claim
    record,       \* whether the node is recorded as present
    \* in the workers
    work,
    \* in the cloud
    flight,       \* calls that were sent and did not arrive yet
    objects,      \* how many objects each node has
    created,      \* how many it ever had
    pending,      \* the operation that was accepted for it and is not done yet, or 0
    left,         \* whether a creation that failed has left a part of it
    faults

store == <<op, step, owner, fence, record>>
cloud == <<flight, objects, created, pending, left>>
vars == <<store, work, cloud, faults>>

Operations == {1, 2}

Idle == [pc |-> "idle", node |-> None, fence |-> 0, op |-> 0, doubt |-> FALSE]

\* Claimed, intended, waiting for the reply, knowing that it took place, that it was accepted, that it failed for good
\* or for now, having to ask for what was accepted, having to look, having to look again although it failed, not able
\* to tell, and, where the record comes first, recorded.
Pcs == {"claimed", "intended", "calling", "replied", "accepted", "failed", "busy", "polling", "asking",
        "doubtingFailed", "doubtingBusy", "unsure", "recorded"}

TypeInvariant ==
    /\ op \in Operations
    /\ step \in [Nodes -> {"waiting", "open", "accepted", "unknown", "again", "done", "failed"}]
    /\ owner \in [Nodes -> Workers \union {None}]
    /\ fence \in [Nodes -> Nat]
    /\ record \in [Nodes -> BOOLEAN]
    /\ \A w \in Workers :
        work[w] = Idle \/ work[w] \in
            [pc : Pcs, node : Nodes, fence : Nat, op : Operations, doubt : BOOLEAN]
    /\ flight \subseteq [worker : Workers, node : Nodes, fence : Nat, op : Operations]
    /\ objects \in [Nodes -> Nat]
    /\ created \in [Nodes -> Nat]
    /\ pending \in [Nodes -> Operations \union {0}]
    /\ left \in [Nodes -> BOOLEAN]
    /\ faults \in 0 .. MaxFaults

Init ==
    /\ op = 1
    /\ step = [n \in Nodes |-> "waiting"]
    /\ owner = [n \in Nodes |-> None]
    /\ fence = [n \in Nodes |-> 0]
    /\ record = [n \in Nodes |-> FALSE]
    /\ work = [w \in Workers |-> Idle]
    /\ flight = {}
    /\ objects = [n \in Nodes |-> 0]
    /\ created = [n \in Nodes |-> 0]
    /\ pending = [n \in Nodes |-> 0]
    /\ left = [n \in Nodes |-> FALSE]
    /\ faults = 0

-----------------------------------------------------------------------------
(* What a worker does.                                                     *)

\* What must be done before: what a node needs is made before it and deleted after it.
Before(n) == IF op = 1 THEN {m \in Nodes : <<n, m>> \in Needs} ELSE {m \in Nodes : <<m, n>> \in Needs}

At(w, pc) == work[w].pc = pc

\* Whether the claim of w is the newest of its step, in the operation that goes on.
Holds(w) == work[w].op = op /\ fence[work[w].node] = work[w].fence

Accepted(w) == Fenced => Holds(w)

Go(w, pc) == work' = [work EXCEPT ![w].pc = pc]

\* It must look, since a call may have been made of which it does not know what came of it.
Ask(w) == work' = [work EXCEPT ![w].pc = "asking", ![w].doubt = TRUE]

\* Whether nobody has to know of calls that are under way: none can do harm where tokens are honoured and nothing fails.
Careless == Honours /\ ~Fails

InFlight(n) == \E call \in flight : call.node = n

Claim(w, n) ==
    /\ At(w, "idle")
    /\ owner[n] = None
    /\ step[n] \in {"waiting", "open", "accepted", "again"}
    /\ \A m \in Before(n) : step[m] = "done"
    /\ owner' = [owner EXCEPT ![n] = w]
    /\ fence' = [fence EXCEPT ![n] = @ + 1]
    /\ step' = IF step[n] = "again" THEN [step EXCEPT ![n] = "open"] ELSE step
    /\ work' = [work EXCEPT ![w] =
           [pc |-> CASE step[n] = "waiting" -> "claimed"
                     [] step[n] = "open" -> "asking"
                     [] step[n] = "accepted" -> "polling"
                     [] step[n] = "again" -> "intended",
            node |-> n, fence |-> fence[n] + 1, op |-> op, doubt |-> step[n] \in {"open", "again"}]]
    /\ UNCHANGED <<op, record, cloud, faults>>

Intend(w) ==
    /\ At(w, "claimed")
    /\ Accepted(w)
    /\ step' = IF Intends THEN [step EXCEPT ![work[w].node] = "open"] ELSE step
    /\ Go(w, "intended")
    /\ UNCHANGED <<op, owner, fence, record, cloud, faults>>

\* The cloud cannot see the fence. Either it honours tokens and never fails, or the worker looks at the clock and does
\* not call when its lease has run out; who claims the step after it waits for as long as a call may be under way.
MayCall(w) == Careless \/ Holds(w)

Send(w) ==
    flight' = flight \union {[worker |-> w, node |-> work[w].node, fence |-> work[w].fence, op |-> work[w].op]}

Call(w) ==
    /\ At(w, "intended") /\ CallsFirst
    /\ MayCall(w)
    /\ Send(w)
    /\ Go(w, "calling")
    /\ UNCHANGED <<store, objects, created, pending, left, faults>>

\* No reply in time, or none at all.
TimeOut(w) ==
    /\ At(w, "calling")
    /\ Ask(w)
    /\ UNCHANGED <<store, cloud, faults>>

\* Whether a call has had its effect on a node.
Done(n, o) == IF o = 1 THEN objects[n] > 0 ELSE objects[n] = 0 /\ ~left[n]

\* What is seen of a step; what there is if nothing is.
Seen(n, o, nothing) ==
    CASE Done(n, o) -> "replied"
      [] ~Done(n, o) /\ pending[n] = o -> "accepted"
      [] ~Done(n, o) /\ pending[n] # o /\ o = 1 /\ left[n] -> "failed"
      [] OTHER -> nothing

Observe(w) ==
    LET seen == Seen(work[w].node, work[w].op, "intended")
    IN  /\ At(w, "asking")
        /\ Careless \/ ~InFlight(work[w].node)
        /\ \/ Go(w, IF seen = "failed" THEN "doubtingFailed" ELSE seen) /\ UNCHANGED faults
           \/ Go(w, "unsure") /\ faults < MaxFaults /\ faults' = faults + 1
        /\ UNCHANGED <<store, cloud>>

\* A failure does not show that nothing was done, if an earlier call may have been under way: it looks again when none
\* is.
LookAgain(w) ==
    /\ \E outcome \in {"failed", "busy"} :
        /\ At(w, IF outcome = "failed" THEN "doubtingFailed" ELSE "doubtingBusy")
        /\ ~InFlight(work[w].node)
        /\ \/ Go(w, Seen(work[w].node, work[w].op, outcome)) /\ UNCHANGED faults
           \/ Go(w, "unsure") /\ faults < MaxFaults /\ faults' = faults + 1
    /\ UNCHANGED <<store, cloud>>

\* It asks for what was accepted. That it is not done yet is counted, so that there is an end of it.
Poll(w) ==
    LET seen == Seen(work[w].node, work[w].op, "asking")
    IN  /\ At(w, "polling")
        /\ CASE seen = "asking" -> Ask(w)
             [] seen = "failed" -> Go(w, "doubtingFailed")
             [] OTHER -> Go(w, seen)
        /\ IF seen = "accepted" THEN faults < MaxFaults /\ faults' = faults + 1 ELSE UNCHANGED faults
        /\ UNCHANGED <<store, cloud>>

Close(w, state) ==
    /\ step' = [step EXCEPT ![work[w].node] = state]
    /\ owner' = [owner EXCEPT ![work[w].node] = None]

Record(w) ==
    /\ At(w, "replied")
    /\ Accepted(w)
    /\ Close(w, "done")
    /\ record' = [record EXCEPT ![work[w].node] = work[w].op = 1]
    /\ work' = [work EXCEPT ![w] = Idle]
    /\ UNCHANGED <<op, fence, cloud, faults>>

\* Nobody waits for it: whoever comes next asks for it.
RecordAccepted(w) ==
    /\ At(w, "accepted")
    /\ Accepted(w)
    /\ Close(w, "accepted")
    /\ work' = [work EXCEPT ![w] = Idle]
    /\ UNCHANGED <<op, fence, record, cloud, faults>>

\* What a failure has left is there, whether or not the step is tried again.
RecordFailed(w) ==
    /\ work[w].pc \in {"failed", "busy"}
    /\ Accepted(w)
    /\ Close(w, IF At(w, "failed") THEN "failed" ELSE "waiting")
    /\ record' = [record EXCEPT ![work[w].node] = TRUE]
    /\ work' = [work EXCEPT ![w] = Idle]
    /\ UNCHANGED <<op, fence, cloud, faults>>

RecordUnknown(w) ==
    /\ At(w, "unsure")
    /\ Accepted(w)
    /\ Close(w, "unknown")
    /\ work' = [work EXCEPT ![w] = Idle]
    /\ UNCHANGED <<op, fence, record, cloud, faults>>

\* Somebody else has claimed the step in the meantime.
Abandon(w) ==
    /\ work[w] # Idle
    /\ ~Holds(w)
    /\ \/ Fenced /\ work[w].pc \in {"claimed", "replied", "accepted", "failed", "busy", "unsure"}
       \/ At(w, "intended") /\ ~Careless
    /\ work' = [work EXCEPT ![w] = Idle]
    /\ UNCHANGED <<store, cloud, faults>>

\* The wrong way round.
RecordFirst(w) ==
    /\ At(w, "intended") /\ ~CallsFirst
    /\ Accepted(w)
    /\ Close(w, "done")
    /\ record' = [record EXCEPT ![work[w].node] = work[w].op = 1]
    /\ Go(w, "recorded")
    /\ UNCHANGED <<op, fence, cloud, faults>>

CallLast(w) ==
    /\ At(w, "recorded")
    /\ Send(w)
    /\ work' = [work EXCEPT ![w] = Idle]
    /\ UNCHANGED <<store, objects, created, pending, left, faults>>

Turn(w) ==
    \/ Intend(w) \/ Call(w) \/ Observe(w) \/ LookAgain(w) \/ Poll(w)
    \/ Record(w) \/ RecordAccepted(w) \/ RecordFailed(w) \/ RecordUnknown(w) \/ Abandon(w)
    \/ RecordFirst(w) \/ CallLast(w)

-----------------------------------------------------------------------------
(* What the cloud does.                                                    *)

\* The worker that waits for a call.
Waits(call) ==
    LET w == call.worker
    IN  /\ At(w, "calling")
        /\ [work[w] EXCEPT !.doubt = FALSE] =
               [pc |-> "calling", node |-> call.node, fence |-> call.fence, op |-> call.op, doubt |-> FALSE]

\* A reply arrives, unless nobody waits for it any more.
Reply(call, pc) == work' = IF Waits(call) THEN [work EXCEPT ![call.worker].pc = pc] ELSE work

\* A call arrives and takes effect.
Land(call) ==
    /\ pending[call.node] # call.op
    /\ flight' = flight \ {call}
    /\ IF call.op = 2
       THEN /\ objects' = [objects EXCEPT ![call.node] = 0]
            /\ left' = [left EXCEPT ![call.node] = FALSE]
            /\ UNCHANGED created
       ELSE IF Honours /\ created[call.node] > 0
       THEN UNCHANGED <<objects, created, left>>
       ELSE /\ objects' = [objects EXCEPT ![call.node] = @ + 1]
            /\ created' = [created EXCEPT ![call.node] = @ + 1]
            /\ left' = [left EXCEPT ![call.node] = FALSE]
    /\ Reply(call, "replied")
    /\ UNCHANGED <<store, pending, faults>>

\* A call arrives and is accepted, to be done later. One that was accepted before is the same.
Accept(call) ==
    /\ Accepts
    /\ ~Done(call.node, call.op)
    /\ pending[call.node] \in {0, call.op}
    /\ ~(Honours /\ call.op = 1 /\ created[call.node] > 0)
    /\ flight' = flight \ {call}
    /\ pending' = [pending EXCEPT ![call.node] = call.op]
    /\ Reply(call, "accepted")
    /\ UNCHANGED <<store, objects, created, left, faults>>

\* What was accepted is done, or fails and leaves a part.
Finish(n) ==
    /\ pending[n] # 0
    /\ pending' = [pending EXCEPT ![n] = 0]
    /\ IF pending[n] = 1
       THEN \/ /\ objects' = [objects EXCEPT ![n] = @ + 1]
               /\ created' = [created EXCEPT ![n] = @ + 1]
               /\ left' = [left EXCEPT ![n] = FALSE]
            \/ /\ Fails
               /\ left' = [left EXCEPT ![n] = TRUE]
               /\ UNCHANGED <<objects, created>>
       ELSE /\ objects' = [objects EXCEPT ![n] = 0]
            /\ left' = [left EXCEPT ![n] = FALSE]
            /\ UNCHANGED created
    /\ UNCHANGED <<store, work, flight, faults>>

\* A creation arrives and fails half-way: for good, or for now.
Refuse(call) ==
    /\ Fails /\ call.op = 1
    /\ objects[call.node] = 0 /\ pending[call.node] = 0
    /\ flight' = flight \ {call}
    /\ left' = [left EXCEPT ![call.node] = TRUE]
    /\ \/ Reply(call, IF work[call.worker].doubt THEN "doubtingFailed" ELSE "failed") /\ UNCHANGED faults
       \/ /\ faults < MaxFaults /\ faults' = faults + 1
          /\ Reply(call, IF work[call.worker].doubt THEN "doubtingBusy" ELSE "busy")
    /\ UNCHANGED <<store, objects, created, pending>>

\* A call gets lost.
Lose(call) ==
    /\ flight' = flight \ {call}
    /\ UNCHANGED <<store, work, objects, created, pending, left, faults>>

-----------------------------------------------------------------------------
(* What goes wrong.                                                        *)

\* The process ends. What it has sent may still arrive.
Crash(w) ==
    /\ faults < MaxFaults
    /\ work[w] # Idle
    /\ faults' = faults + 1
    /\ work' = [work EXCEPT ![w] = Idle]
    /\ UNCHANGED <<store, cloud>>

Forgotten(n) == ~\E w \in Workers : work[w].node = n /\ Holds(w)

\* The lease of a claim runs out, and the time that a call may take: because the worker is gone, or because it was
\* paused, or its clock is slow, and goes on later as if nothing had happened.
Expire(n) ==
    /\ owner[n] # None
    /\ Careless \/ ~InFlight(n)
    /\ IF Forgotten(n) THEN UNCHANGED faults ELSE faults < MaxFaults /\ faults' = faults + 1
    /\ owner' = [owner EXCEPT ![n] = None]
    /\ UNCHANGED <<op, step, fence, record, work, cloud>>

\* A person finds out what the cloud cannot tell. The intent of what is found absent stays open.
Resolve(n) ==
    /\ step[n] = "unknown"
    /\ Careless \/ ~InFlight(n)
    /\ pending[n] # op
    /\ IF Done(n, op)
       THEN step' = [step EXCEPT ![n] = "done"] /\ record' = [record EXCEPT ![n] = op = 1]
       ELSE step' = [step EXCEPT ![n] = "again"] /\ UNCHANGED record
    /\ UNCHANGED <<op, owner, fence, work, cloud, faults>>

NextOperation ==
    /\ op = 1
    /\ \/ \A n \in Nodes : step[n] = "done"
       \/ /\ \E n \in Nodes : step[n] = "failed"
          /\ \A n \in Nodes : step[n] \in {"waiting", "done", "failed"}
    /\ op' = 2
    /\ step' = [n \in Nodes |-> "waiting"]
    /\ owner' = [n \in Nodes |-> None]
    /\ UNCHANGED <<fence, record, work, cloud, faults>>

Next ==
    \/ \E w \in Workers : Turn(w) \/ TimeOut(w) \/ Crash(w)
    \/ \E w \in Workers, n \in Nodes : Claim(w, n)
    \/ \E call \in flight : Land(call) \/ Accept(call) \/ Refuse(call) \/ Lose(call)
    \/ \E n \in Nodes : Finish(n) \/ Expire(n) \/ Resolve(n)
    \/ NextOperation

-----------------------------------------------------------------------------

\* Everybody goes on, a call arrives or gets lost, and one that is made again and again arrives at last.
Fairness ==
    /\ \A w \in Workers :
        /\ WF_vars(Turn(w)) /\ WF_vars(TimeOut(w))
    /\ \A n \in Nodes :
        /\ WF_vars(\E w \in Workers : Claim(w, n))
        /\ WF_vars(Expire(n) /\ Forgotten(n))
        /\ WF_vars(Resolve(n))
        /\ WF_vars(Finish(n))
        /\ WF_vars(\E call \in flight : call.node = n /\ (Land(call) \/ Accept(call) \/ Refuse(call) \/ Lose(call)))
        /\ SF_vars(\E call \in flight : call.node = n /\ call.op = op /\ (Land(call) \/ Accept(call)))
    /\ WF_vars(NextOperation)

Spec == Init /\ [][Next]_vars /\ Fairness

-----------------------------------------------------------------------------

NothingTwice == \A n \in Nodes : created[n] <= 1

\* Whatever exists is recorded, or somebody is known to have been about to make it.
NoOrphan ==
    \A n \in Nodes :
        objects[n] > 0 \/ left[n] \/ pending[n] = 1
            => record[n] \/ step[n] \in {"open", "accepted", "unknown", "again"}

\* What is recorded as done is so.
RecordIsTrue == \A n \in Nodes : step[n] = "done" => (record[n] <=> objects[n] = 1) /\ (record[n] <=> op = 1)

\* What a node needs is there as long as the node is.
NeedsAreThere == \A pair \in Needs : objects[pair[1]] > 0 => objects[pair[2]] > 0

AllDone == op = 2 /\ \A n \in Nodes : step[n] = "done" /\ ~record[n] /\ objects[n] = 0 /\ ~left[n]

Converges == <>[]AllDone
=============================================================================
