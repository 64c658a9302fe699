---- MODULE Graphs ----
\* Directed graphs: records of nodes and of edges, which are pairs of nodes.
EXTENDS Naturals, Sequences, FiniteSets, SequencesExt, Relation
LOCAL Reachable(edges) == NATIVE
IsDirectedGraph(G) == G = [node |-> G.node, edge |-> G.edge] /\ G.edge \subseteq G.node \X G.node
DirectedSubgraph(G) ==
    {H \in [node : SUBSET G.node, edge : SUBSET (G.node \X G.node)] :
        IsDirectedGraph(H) /\ H.edge \subseteq G.edge}
Transpose(G) == [node |-> G.node, edge |-> {<<e[2], e[1]>> : e \in G.edge}]
IsUndirectedGraph(G) == IsDirectedGraph(G) /\ \A e \in G.edge : <<e[2], e[1]>> \in G.edge
UndirectedSubgraph(G) == {H \in DirectedSubgraph(G) : IsUndirectedGraph(H)}
Path(G) == {p \in Seq(G.node) : p # <<>> /\ \A i \in 1..(Len(p) - 1) : <<p[i], p[i + 1]>> \in G.edge}
SimplePath(G) ==
    {p \in SeqOf(G.node, Cardinality(G.node)) :
        /\ p # <<>>
        /\ IsInjective(p)
        /\ \A i \in 1..(Len(p) - 1) : <<p[i], p[i + 1]>> \in G.edge}
AreConnectedIn(m, n, G) == (m = n /\ m \in G.node) \/ <<m, n>> \in Reachable(G.edge)
IsStronglyConnected(G) ==
    LET reach == Reachable(G.edge) IN \A m, n \in G.node : m = n \/ <<m, n>> \in reach
ConnectionsIn(G) ==
    LET reach == Reachable(G.edge) IN [m, n \in G.node |-> m = n \/ <<m, n>> \in reach]
IsTreeWithRoot(G, r) ==
    /\ IsDirectedGraph(G)
    /\ r \in G.node
    /\ \A e \in G.edge : e[1] # r /\ \A f \in G.edge : e[1] = f[1] => e = f
    /\ \A n \in G.node : AreConnectedIn(n, r, G)
GraphUnion(G, H) == [node |-> G.node \cup H.node, edge |-> G.edge \cup H.edge]
IsBipartiteWithPartitions(G, U, V) ==
    /\ U \cap V = {}
    /\ G.node \subseteq U \cup V
    /\ \A e \in G.edge : (e[1] \in U /\ e[2] \in V) \/ (e[1] \in V /\ e[2] \in U)
HasCycle(G) == LET reach == Reachable(G.edge) IN \E n \in G.node : <<n, n>> \in reach
IsDag(G) == IsDirectedGraph(G) /\ ~HasCycle(G)
Successors(G, n) == {m \in G.node : <<n, m>> \in G.edge}
AllSuccessors(G, S) == UNION {Successors(G, n) : n \in S}
Predecessors(G, n) == {m \in G.node : <<m, n>> \in G.edge}
AllPredecessors(G, S) == UNION {Predecessors(G, n) : n \in S}
Ancestors(G, n) == LET reach == Reachable(G.edge) IN {m \in G.node : <<m, n>> \in reach}
Descendants(G, n) == LET reach == Reachable(G.edge) IN {m \in G.node : <<n, m>> \in reach}
InDegree(G, n) == Cardinality(Predecessors(G, n))
OutDegree(G, n) == Cardinality(Successors(G, n))
Roots(G) == {n \in G.node : Predecessors(G, n) = {}}
Leaves(G) == {n \in G.node : Successors(G, n) = {}}
EmptyGraph == [node |-> {}, edge |-> {}]
Graphs(S) == [node : {S}, edge : SUBSET (S \X S)]
====
