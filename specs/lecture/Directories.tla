------------------------------ MODULE Directories ------------------------------
(***************************************************************************)
(* Directories as a graph of links with names, without recursion: a path   *)
(* is a sequence of links. The tree has no "." and ".."; they are added to *)
(* look up names. What the lecture notes give as invariants follows from   *)
(* the operations, which they leave out: making and removing a directory,  *)
(* making a file, a second link to it, and removing a link.                *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
    Dir, File,   \* nodes that may come to be
    Root,        \* a directory
    Names        \* of links

ASSUME Root \in Dir

NONE == "none"

VARIABLE g       \* the links: records with from, to and name

Link == [from : Dir, to : Dir \union File, name : Names]

Nodes == {Root} \union {l.to : l \in g} \union {l.from : l \in g}
Dirs == Nodes \intersect Dir
Parents(n) == {l \in g : l.to = n}
Children(n) == {l \in g : l.from = n}

Init == g = {}

-----------------------------------------------------------------------------

Free(d, name) == d \in Dirs /\ \A l \in Children(d) : l.name # name

Add(d, n, name) == Free(d, name) /\ g' = g \union {[from |-> d, to |-> n, name |-> name]}

Make(d, n, name) == n \notin Nodes /\ Add(d, n, name)

HardLink(d, n, name) == n \in Nodes \intersect File /\ Add(d, n, name)

\* A file loses a link; a directory must be empty.
Remove(l) ==
    /\ l.to \in Dir => Children(l.to) = {}
    /\ g' = g \ {l}

Next ==
    \/ \E d \in Dirs, n \in Dir \union File, name \in Names : Make(d, n, name) \/ HardLink(d, n, name)
    \/ \E l \in g : Remove(l)

Spec == Init /\ [][Next]_g

-----------------------------------------------------------------------------
(* Paths. In a tree none has more links than there are directories, plus   *)
(* one to a file.                                                          *)

Connected(p) == \A i \in 1 .. Len(p) - 1 : p[i].to = p[i + 1].from

\* Nodes at the end of a path from n, in any number of steps.
RECURSIVE Reach(_)
Reach(ns) ==
    LET more == ns \union {l.to : l \in {k \in g : k.from \in ns}}
    IN  IF more = ns THEN ns ELSE Reach(more)

TypeInvariant == g \subseteq Link

\* All links from a node have different names.
NamesAreUnique == \A k, l \in g : k.from = l.from /\ k.name = l.name => k = l

\* Only directories have outgoing links.
OnlyDirectoriesLead == \A l \in g : l.from \in Dir

\* Only files have more than one incoming link.
OneParent == \A n \in Dirs : Cardinality(Parents(n)) <= 1

RootHasNoParent == Parents(Root) = {}

\* Every node can be reached from the root. With OneParent, directories have exactly one path.
AllReachable == Nodes = Reach({Root})

-----------------------------------------------------------------------------
(* Dot names and looking up.                                               *)

Parent(n) == (CHOOSE l \in g : l.to = n).from

Dotted ==
    g \union {[from |-> d, to |-> d, name |-> "."] : d \in Dirs}
      \union {[from |-> d, to |-> Parent(d), name |-> ".."] : d \in Dirs \ {Root}}

\* The node that a sequence of names leads to from d in a graph, or NONE. Names of links from one node are
\* unique, so there is at most one way to go.
RECURSIVE Follow(_, _, _)
Follow(graph, d, pn) ==
    IF pn = <<>> THEN d
    ELSE LET here == {l \in graph : l.from = d /\ l.name = Head(pn)}
         IN  IF here = {} THEN NONE ELSE Follow(graph, (CHOOSE l \in here : TRUE).to, Tail(pn))

\* A path name that starts with the empty string starts at the root: "/a" is <<"", "a">>.
Lookup(pn, cd) ==
    IF pn # <<>> /\ Head(pn) = "" THEN Follow(Dotted, Root, Tail(pn)) ELSE Follow(Dotted, cd, pn)

PathNames == UNION {[1 .. k -> Names \union {".", ".."}] : k \in 0 .. 2}

\* "." changes nothing; ".." undoes a step into a directory; a name that starts at the root does not depend
\* on where one is.
DotsAsExpected ==
    \A d \in Dirs, pn \in PathNames :
        LET n == Lookup(pn, d) IN
        /\ Lookup(<<".">> \o pn, d) = n
        /\ n \in Dirs => Lookup(pn \o <<".">>, d) = n
        /\ \A name \in Names :
            (n \in Dirs /\ Lookup(pn \o <<name>>, d) \in Dirs) => Lookup(pn \o <<name, "..">>, d) = n
        /\ Lookup(<<"">> \o pn, d) = Lookup(pn, Root)

\* The root has no "..".
NothingAboveRoot == \A d \in Dirs : Lookup(<<"", "..">>, d) = NONE

\* Every path of at most two links spells the name of its end.
PathsAreFound ==
    \A p \in g \X g : Connected(p) =>
        Lookup(<<p[1].name, p[2].name>>, p[1].from) = p[2].to
=============================================================================
