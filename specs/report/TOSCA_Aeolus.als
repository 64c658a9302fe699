/**
 * TOSCA with Aeolus: section 8.4 of INRIA report RR-9317.
 *
 * A TOSCA topology says what is wanted and nothing of the way there; Aeolus knows the way: lifecycles, and how many
 * bindings a port needs or bears. Together: nodes get a lifecycle, and the administrator that deploys them has the
 * topology. A configuration is the goal of a deployment when its components and bindings are those that the topology
 * wants. It may want several components for one node; and the administrator may have types for which there is no node.
 *
 * Where the report's text cannot be meant as it stands:
 *
 * - `TopologyTemplate` is defined nowhere; it is the Topology of TOSCA.
 * - NodeToComponentTypeMapped wants one component for each node, and one node for each component; the sentence above it
 *   wants one or more. It is the sentence that lets cardinalities be of use.
 * - PortsAreToscaPorts is defined and not used; a target configuration has such ports.
 * - `"(anonymous)" in String` in the command says nothing of the model.
 *
 * What the report adds as facts, to keep instances small, is a predicate here that the command uses. Facts would bind
 * all who open the module.
 */
module TOSCA_Aeolus
open LocationGraphs
open TOSCA
open Aeolus

sig Tosca_Aeolus_Configuration extends Configuration {} {
  admin in Tosca_Administrator
}

/** A deployed port, and the capability or requirement that it is in the topology. */
sig Tosca_Port extends Port {
  pid : one Role
}

/** A node with a lifecycle. */
sig Node_DL extends Node {
  template : one DL_Machine
}

/** Whoever deploys a topology. */
sig Tosca_Administrator extends Administrator {
  toscatopology : one Topology
} {
  toscatopology.nodes in Node_DL
}

pred PortsAreToscaPorts [c : Configuration] {
  c.components.process.(pprov + preq) in Tosca_Port
}

/** The component is one of those that the node wants. */
pred NodeToComponent [n : Node_DL, z : Aeolus_component] {
  n.provided = z.process.pprov.pid
  n.required = z.process.preq.pid
  n.template = z.process.template
}

/** Every node has its components, and every component its node. */
pred NodeToComponentTypeMapped [c : Tosca_Aeolus_Configuration] {
  all n : c.admin.toscatopology.nodes | some z : c.components | NodeToComponent[n, z]
  all z : c.components | some n : c.admin.toscatopology.nodes | NodeToComponent[n, z]
}

/** Every relationship has its bindings, and every binding its relationship, which lends it its name. */
pred RelationshipToBindingMapped [c : Tosca_Aeolus_Configuration] {
  all r : c.admin.toscatopology.relationships | some b : c.bindings | b.bsort = r.name
  all b : c.bindings | some r : c.admin.toscatopology.relationships | b.bsort = r.name
}

/** The topology is deployed. */
pred TopologyToTargetConfigurationMapped [c : Tosca_Aeolus_Configuration] {
  TargetConfiguration[c]
  PortsAreToscaPorts[c]
  RelationshipToBindingMapped[c]
  NodeToComponentTypeMapped[c]
}

/** Nothing is there that has no part in a deployment. */
pred NothingBeside {
  Node in Node_DL
  LocationGraph in Configuration + ZConfiguration + Topology + Null
  Configuration = Tosca_Aeolus_Configuration
  Aeolus_component in Tosca_Aeolus_Configuration.admin.process.zconfig.zcomponents
  DL_Machine in Aeolus_component.process.template + Node_DL.template
  no (Capability + Requirement) & Aeolus_component.process.cnotif
  Topology in Tosca_Administrator.toscatopology
}

/** There are topologies that are deployed. */
run Model {
  NothingBeside
  some c : Tosca_Aeolus_Configuration {
    some c.bindings
    #c.components > 1
    some Admin_process.zconfig.zcomponents.process.pprov.roles
    some Admin_process.zconfig.zcomponents.process.preq.roles
    TopologyToTargetConfigurationMapped[c]
  }
} for 20 but exactly 1 Tosca_Aeolus_Configuration, exactly 3 Aeolus_component, exactly 2 Aeolus_binding expect 1
