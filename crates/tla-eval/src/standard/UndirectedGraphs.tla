---- MODULE UndirectedGraphs ----
\* Undirected graphs: records of nodes and of edges, which are sets of one or two nodes.
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE Folds
LOCAL INSTANCE Functions
LOCAL Reachable(edges) == NATIVE
LOCAL Both(G) == {<<a, b>> \in G.node \X G.node : {a, b} \in G.edge}
IsUndirectedGraph(G) ==
    G = [node |-> G.node, edge |-> G.edge] /\ \A e \in G.edge : \E a, b \in G.node : e = {a, b}
IsLoopFreeUndirectedGraph(G) ==
    G = [node |-> G.node, edge |-> G.edge] /\ \A e \in G.edge : \E a, b \in G.node : a # b /\ e = {a, b}
UndirectedSubgraph(G) == {H \in [node : SUBSET G.node, edge : SUBSET G.edge] : IsUndirectedGraph(H)}
Path(G) == {p \in Seq(G.node) : p # <<>> /\ \A i \in 1..(Len(p) - 1) : {p[i], p[i + 1]} \in G.edge}
SimplePath(G) ==
    {p \in SeqOf(G.node, Cardinality(G.node)) :
        /\ p # <<>>
        /\ IsInjective(p)
        /\ \A i \in 1..(Len(p) - 1) : {p[i], p[i + 1]} \in G.edge}
AreConnectedIn(m, n, G) == (m = n /\ m \in G.node) \/ <<m, n>> \in Reachable(Both(G))
ConnectedComponents(G) ==
    LET reach == Reachable(Both(G)) IN {{n \in G.node : n = m \/ <<m, n>> \in reach} : m \in G.node}
IsStronglyConnected(G) == ConnectedComponents(G) = {G.node}
UndirectedGraphs(S) == [node : {S}, edge : SUBSET {{s, t} : <<s, t>> \in S \X S}]
====
