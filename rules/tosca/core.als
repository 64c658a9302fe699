module tosca/core

-- What all rules about TOSCA topologies are written over: section 5.1 of the report, with the types of 5.2 that the rules
-- speak of.
--
-- Nodes and relationships are locations. A relationship stands between a requirement of one node and a capability of
-- another; here it relates to the nodes themselves. Only relationships whose target is known are there. Properties are
-- fields of the types that define them; what is not known before deployment is a value unlike any other while rules are
-- looked at, and no rule is reported as broken because of it.

/** A node template. */
sig Node {}

/** tosca.nodes.network.Network, and types that derive from it. */
sig Network extends Node {
  cidr: lone String,
  start_ip: lone String,
  end_ip: lone String,
  gateway_ip: lone String,
  ip_version: lone Int
}

/** tosca.nodes.network.Port, and types that derive from it. */
sig Port extends Node {
  ip_address: lone String,
  ip_range_start: lone String,
  ip_range_end: lone String
}

/** tosca.nodes.Compute, and types that derive from it. */
sig Compute extends Node {}

/** tosca.nodes.Container.Runtime, and types that derive from it. */
sig Runtime extends Node {}

/** A state that a node reaches, in the order that plans go by; there are none unless a node has a lifecycle of its own. */
sig Phase {
  phase_of: one Node,
  /** What must be reached before. */
  waits_for: set Phase
}

/** A capability of a node. */
sig Capability {
  /** The node that has it. */
  of: one Node,
  /** How many relationships it may have, if there is a limit. */
  most: lone Int
}

/** tosca.capabilities.Scalable, and types that derive from it. */
sig Scalable extends Capability {
  min_instances: lone Int,
  max_instances: lone Int,
  default_instances: lone Int
}

/** tosca.capabilities.Endpoint, and types that derive from it. */
sig Endpoint extends Capability {
  port: lone Int,
  /** How the port is reached: `tcp`, unless the protocol is another one beside it, as `udp`. */
  transport: lone String,
  network_name: lone String
}

/** A relationship. */
sig Relationship {
  source: one Node,
  target: one Node,
  capability: lone Capability
}

/** tosca.relationships.AttachesTo, and types that derive from it. */
sig AttachesTo extends Relationship {
  /** Where the disk is mounted, without a slash at the end. */
  location: lone String,
  device: lone String
}

/** tosca.relationships.HostedOn, ConnectsTo, DependsOn, network.LinksTo and network.BindsTo, and what derives from them. */
sig HostedOn, ConnectsTo, DependsOn, LinksTo, BindsTo extends Relationship {}

/** What a relationship takes of a property of a capability, in the smallest unit. */
sig Allocation {
  from: one Capability,
  /** The property. */
  key: one String,
  amount: one Int,
  /** How much there is of it. */
  limit: one Int
}

/** From a node to the one that it is hosted on. */
fun host: Node->Node { ~(HostedOn <: source).(HostedOn <: target) }

/** From a node to those that must be there before it. */
fun needs: Node->Node {
  host + ~(DependsOn <: source).(DependsOn <: target) + ~(LinksTo <: source).(LinksTo <: target) +
  ~(BindsTo <: source).(BindsTo <: target)
}

/** From a node to all that it has a relationship to. */
fun uses: Node->Node { ~source.target }

/** From a port to the network that it is linked to. */
fun network: Port->Network { Port <: (~(LinksTo <: source).(LinksTo <: target)) :> Network }
