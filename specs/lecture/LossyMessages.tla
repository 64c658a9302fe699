---------------------------- MODULE LossyMessages ----------------------------
(***************************************************************************)
(* Asynchronous messages: the network may drop a message at any time, and  *)
(* may deliver one as often as it likes, since receiving does not remove   *)
(* it.                                                                     *)
(***************************************************************************)
EXTENDS Naturals

CONSTANTS Addr, Body

VARIABLES
    ch,     \* the network
    sent,   \* all that was ever sent
    got     \* for each message how often it was received, up to twice

vars == <<ch, sent, got>>

Msg == [from : Addr, to : Addr, body : Body]

Init == ch = {} /\ sent = {} /\ got = [m \in Msg |-> 0]

Send(m) ==
    /\ ch' = ch \union {m}
    /\ sent' = sent \union {m}
    /\ UNCHANGED got

Receive(addr) ==
    \E m \in ch :
        /\ m.to = addr
        /\ got' = [got EXCEPT ![m] = IF @ < 2 THEN @ + 1 ELSE @]
        /\ UNCHANGED <<ch, sent>>

Drop ==
    \E m \in ch : ch' = ch \ {m} /\ UNCHANGED <<sent, got>>

Next ==
    \/ Drop
    \/ \E m \in Msg : Send(m)
    \/ \E addr \in Addr : Receive(addr)

Spec == Init /\ [][Next]_vars

\* A message that is sent again and again is received, if the receiver gets its turn again and again.
Persistent ==
    \A m \in Msg : WF_vars(Send(m)) /\ SF_vars(Receive(m.to) /\ got'[m] # got[m])

PersistentSpec == Spec /\ Persistent

-----------------------------------------------------------------------------

TypeInvariant == ch \subseteq sent /\ sent \subseteq Msg

\* Nothing is received that was not sent.
NothingInvented == \A m \in Msg : got[m] > 0 => m \in sent

\* Not so: messages may arrive twice. See LossyMessagesTwice.cfg.
NothingTwice == \A m \in Msg : got[m] < 2

\* Persistence beats loss.
AllArrive == \A m \in Msg : <>(got[m] > 0)
=============================================================================
