----------------------------- MODULE SymbolicLinks -----------------------------
(***************************************************************************)
(* Symbolic links, resolved to the fixed point: a link whose target can be *)
(* found without going through an unresolved one is replaced by its        *)
(* target, again and again, until nothing changes. Links that lead in a    *)
(* circle stay as they are, and cannot be looked up.                       *)
(*                                                                         *)
(* Real file systems do not do that: they follow a name step by step and   *)
(* start again at each symbolic link, with a bound on how many. The two    *)
(* agree on every graph here (AgreesWithFollowing).                        *)
(*                                                                         *)
(* In the notes a target is looked up from the symbolic link itself, from  *)
(* which no link leads; what is meant is the directory that contains it.   *)
(* A link that stands in several directories would be ambiguous, so each   *)
(* stands in one. The root is a directory; the notes wonder what becomes   *)
(* of it if it were a symbolic link.                                       *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
    Dir, File, SLink,   \* nodes
    Root,
    Targets             \* path names that symbolic links may have as targets

NONE == "none"

VARIABLES
    g,        \* the links between nodes; one of each name from each directory
    target    \* for each symbolic link its target: a path name

Names == {"a", "b", "c"}
Node == Dir \union File \union SLink

\* All graphs in which the root leads to one directory "a", and symbolic links stand in either.
Places == [SLink -> {[from |-> d, name |-> n] : d \in Dir, n \in Names}]

Base == {[from |-> Root, name |-> "a", to |-> d] : d \in Dir \ {Root}}
        \union {[from |-> d, name |-> "a", to |-> n] : d \in Dir \ {Root}, n \in File}

GraphOf(places) == Base \union {[from |-> places[s].from, name |-> places[s].name, to |-> s] : s \in SLink}

NamesAreUnique(graph) == \A k, l \in graph : k.from = l.from /\ k.name = l.name => k = l

Init ==
    /\ \E places \in Places : NamesAreUnique(GraphOf(places)) /\ g = GraphOf(places)
    /\ target \in [SLink -> Targets]

Next == UNCHANGED <<g, target>>

Spec == Init /\ [][Next]_<<g, target>>

-----------------------------------------------------------------------------

\* The directory that a symbolic link stands in.
Home(s) == (CHOOSE l \in g : l.to = s).from

RECURSIVE Follow(_, _, _)
Follow(graph, n, pn) ==
    IF pn = <<>> THEN n
    ELSE LET here == {l \in graph : l.from = n /\ l.name = Head(pn)}
         IN  IF here = {} THEN NONE ELSE Follow(graph, (CHOOSE l \in here : TRUE).to, Tail(pn))

Start(pn, cd) == IF pn # <<>> /\ Head(pn) = "" THEN Root ELSE cd
Rest(pn) == IF pn # <<>> /\ Head(pn) = "" THEN Tail(pn) ELSE pn

Lookup(graph, pn, cd) == Follow(graph, Start(pn, cd), Rest(pn))

\* One step: all links to symbolic links whose target is found, and is not itself one, lead to the target.
Resolve(graph) ==
    LET found(s) == Lookup(graph, target[s], Home(s))
        resolved == {s \in SLink : found(s) \in Dir \union File}
    IN  {IF l.to \in resolved THEN [l EXCEPT !.to = found(l.to)] ELSE l : l \in graph}

RECURSIVE FixedPoint(_)
FixedPoint(graph) ==
    LET next == Resolve(graph) IN IF next = graph THEN graph ELSE FixedPoint(next)

Resolved == FixedPoint(g)

-----------------------------------------------------------------------------
(* What a real file system does.                                           *)

\* A name is followed from n; at a symbolic link its target is put in front of what is left, at most so often.
RECURSIVE Walk(_, _, _)
Walk(n, pn, links) ==
    IF n \in SLink
    THEN IF links = 0 THEN NONE
         ELSE Walk(Start(target[n], Home(n)), Rest(target[n]) \o pn, links - 1)
    ELSE IF pn = <<>> THEN n
    ELSE LET here == {l \in g : l.from = n /\ l.name = Head(pn)}
         IN  IF here = {} THEN NONE ELSE Walk((CHOOSE l \in here : TRUE).to, Tail(pn), links)

PathNames == UNION {[1 .. k -> Names] : k \in 0 .. 3}

\* Enough links to follow: each symbolic link for each name of a path, and again for each in a target.
Enough == 16

-----------------------------------------------------------------------------

\* Each step resolves at least one link, so there are no more steps than symbolic links.
RECURSIVE Times(_, _)
Times(graph, k) == IF k = 0 THEN graph ELSE Times(Resolve(graph), k - 1)
SettlesInTime == Times(g, Cardinality(SLink)) = Resolved

AgreesWithFollowing ==
    \A d \in Dir, pn \in PathNames :
        LET n == Lookup(Resolved, pn, d)
        IN  (IF n \in SLink THEN NONE ELSE n) = Walk(d, pn, Enough)

\* What resolution leaves over leads in a circle or nowhere.
LeftOverIsUnreachable ==
    \A l \in Resolved : l.to \in SLink => Walk(l.to, <<>>, Enough) = NONE
=============================================================================
