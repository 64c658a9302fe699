module util/graph[node]

-- Graphs: a relation on the nodes is the set of its edges.

open util/relation as rel

/** Every edge has one in the other direction. */
pred undirected [r: node->node] { symmetric[r] }

/** No edge leads from a node to itself. */
pred noSelfLoops [r: node->node] { irreflexive[r] }

/** There is a way between any two nodes, directions ignored. */
pred weaklyConnected [r: node->node] { all n1, n2: node | n1 in n2.*(r + ~r) }

/** There is a way from any node to any other. */
pred stronglyConnected [r: node->node] { all n1, n2: node | n1 in n2.*r }

/** There is a way from root to every node. */
pred rootedAt [r: node->node, root: node] { node in root.*r }

/** All nodes lie on one circle. */
pred ring [r: node->node] { all n: node | one n.r and rootedAt[r, n] }

/** There is no circle. */
pred dag [r: node->node] { acyclic[r, node] }

/** There is no circle, and at most one edge leads to each node. */
pred forest [r: node->node] {
  dag[r]
  all n: node | lone r.n
}

/** A forest with at most one root. */
pred tree [r: node->node] {
  forest[r]
  lone n: node | no r.n
}

/** A forest in which there is a way from root to every node. */
pred treeRootedAt [r: node->node, root: node] {
  forest[r]
  rootedAt[r, root]
}

/** Nodes without an edge to them. */
fun roots [r: node->node]: set node { node - node.^r }

/** Nodes without an edge from them. */
fun leaves [r: node->node]: set node { node - node.^~r }

/** Nodes with an edge from them. */
fun innerNodes [r: node->node]: set node { node - leaves[r] }
