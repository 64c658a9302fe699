--------------------------- MODULE ReliableChannel ---------------------------
(***************************************************************************)
(* A channel between two parties that loses messages only when one of them *)
(* crashes; then any of those under way may be lost. What arrives, arrives *)
(* in order and once.                                                      *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANTS
    Msg,
    MaxSent,
    MaxCrashes

VARIABLES
    ch,         \* messages under way
    sent,       \* all that was sent, in order
    received,   \* all that was received, in order
    crashes

vars == <<ch, sent, received, crashes>>

Init == ch = <<>> /\ sent = <<>> /\ received = <<>> /\ crashes = 0

Send(m) ==
    /\ Len(sent) < MaxSent
    /\ ch' = Append(ch, m)
    /\ sent' = Append(sent, m)
    /\ UNCHANGED <<received, crashes>>

Receive ==
    /\ ch # <<>>
    /\ ch' = Tail(ch)
    /\ received' = Append(received, Head(ch))
    /\ UNCHANGED <<sent, crashes>>

\* The sequence of those elements of s whose positions are in keep.
RECURSIVE Pick(_, _)
Pick(s, keep) ==
    IF s = <<>> THEN <<>>
    ELSE LET last == Len(s)
             front == Pick(SubSeq(s, 1, last - 1), keep)
         IN  IF last \in keep THEN Append(front, s[last]) ELSE front

Crash ==
    /\ crashes < MaxCrashes
    /\ crashes' = crashes + 1
    /\ \E keep \in SUBSET (DOMAIN ch) : ch' = Pick(ch, keep)
    /\ UNCHANGED <<sent, received>>

Next == Receive \/ Crash \/ \E m \in Msg : Send(m)

Spec == Init /\ [][Next]_vars /\ WF_vars(Receive)

-----------------------------------------------------------------------------

TypeInvariant == {ch, sent, received} \subseteq Seq(Msg) /\ crashes \in 0 .. MaxCrashes

\* What was received and what is under way was sent, in this order.
InOrder == \E keep \in SUBSET (DOMAIN sent) : received \o ch = Pick(sent, keep)

\* Without a crash nothing is lost.
NothingLost == crashes = 0 => received \o ch = sent

\* The channel runs empty.
Delivers == []<>(ch = <<>>)
=============================================================================
