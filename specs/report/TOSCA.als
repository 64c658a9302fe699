/**
 * The core of TOSCA, the Topology and Orchestration Specification for Cloud Applications, in location graphs: section
 * 5.1 of INRIA report RR-9317.
 *
 * A topology says what an application is made of. Its parts are nodes; a node offers capabilities and has requirements.
 * A relationship satisfies one requirement of one node with one capability of a node. Nodes and relationships are
 * locations, capabilities and requirements are roles: a relationship stands between two nodes, provides the role that
 * the first requires, and requires the role that the second provides.
 *
 * Types, properties, interfaces and templates are not here; see TOSCA_types for the types.
 */
module TOSCA
open LocationGraphs

sig Topology extends LocationGraph {
  nodes : set Node,
  relationships : set Relationship
} {
  // A relationship is part of the topology if it is listed, or if a requirement of a listed node names it.
  locations = nodes + relationships + nodes.requirements.relationship
}

abstract sig Node extends Location {
  requirements : set Requirement,
  capabilities : set Capability
} {
  required = requirements
  provided = capabilities
}

abstract sig Requirement extends Role {
  relationship : one Relationship
} {
  // Requirement and relationship know each other, hence a relationship serves one requirement.
  relationship.source = this
  // It belongs to one node.
  one node[this]
}

abstract sig Capability extends Role {} {
  // It belongs to one node. Any number of relationships may target it.
  one node[this]
}

abstract sig Relationship extends Location {
  source : one Requirement,
  target : one Capability
} {
  provided = source
  required = target
}

// Words for the definitions of types

/** The node that has a requirement. */
fun node [r : one Requirement] : Node { requirements.r }

/** The node that has a capability. */
fun node [c : one Capability] : Node { capabilities.c }

/** The requirements are satisfied with some of these capabilities. */
pred capability [rs : set Requirement, cs : set Capability] {
  rs.relationship.target in cs
}

/** The requirements are satisfied by some of these nodes. */
pred node [rs : set Requirement, ns : set Node] {
  rs.relationship.target.node in ns
}

/** Only these nodes have requirements that the capability satisfies. */
pred valid_source_types [c : Capability, ns : set Node] {
  (target.c).source.node in ns
}

/** There are topologies. */
run Model {} expect 1

run OneTopologyWithTwoNodeOneRelationship {
  Node in Topology.nodes
  Relationship in Topology.relationships
} for 10 but exactly 1 Topology, exactly 2 Node, exactly 1 Relationship expect 1
