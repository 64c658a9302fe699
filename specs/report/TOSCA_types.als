/**
 * The types that every TOSCA tool knows (the normative types of the TOSCA Simple Profile in YAML 1.0), in location
 * graphs: section 5.2 of INRIA report RR-9317. Properties, attributes, interfaces, artifacts and data types are left
 * out.
 *
 * How a type of the profile reads here: `derived_from` is `extends`; a capability or a requirement is a field, whose
 * multiplicity is its `occurrences`; what the profile says of a requirement (`capability`, `node`, `relationship`) and
 * of a capability (`valid_source_types`) are the constraints beside it.
 *
 * The profile writes `tosca.relationships.AttachTo` in one place and `AttachesTo` in the others; and it wants a
 * Container.Application on a node of type `tosca.nodes.Container`, which does not exist: Container.Runtime is meant.
 * Both are put right here as in the report. The constraint `capability` of a requirement always repeats what
 * `valid_target_types` of its relationship type says already; the assertion CapabilitiesOfRequirementsAreRedundant at
 * the end shows it. It stays, because the profile says it.
 *
 * Some types of the profile use one name for a requirement and for a capability, `host`; where both would be fields of
 * one signature the capability is called `chost`.
 */
module TOSCA_types
open TOSCA

// Capability types

/** tosca.capabilities.Root */
sig Capability_Root extends Capability {}

/** tosca.capabilities.Node: to be depended upon. */
sig Capability_Node extends Capability_Root {}

/** tosca.capabilities.Container: to host others. */
sig Container extends Capability_Root {}

/** tosca.capabilities.Endpoint: to be reached through a network, a private one unless said otherwise. */
sig Endpoint extends Capability_Root {}

/** tosca.capabilities.Endpoint.Public, .Admin, .Database */
sig Endpoint_Public, Endpoint_Admin, Endpoint_Database extends Endpoint {}

/** tosca.capabilities.Attachment: to be attached, as a disk is. */
sig Attachment extends Capability_Root {}

/** tosca.capabilities.OperatingSystem, tosca.capabilities.Scalable */
sig OperatingSystem, Scalable extends Capability_Root {}

/** tosca.capabilities.network.Bindable, tosca.capabilities.network.Linkable: to carry, or to be joined by, a port. */
sig Bindable, Linkable extends Capability_Node {}

// Relationship types: each says which capabilities it may target

/** tosca.relationships.Root */
sig Relationship_Root extends Relationship {}

/** tosca.relationships.DependsOn */
sig DependsOn extends Relationship_Root {} { target in Capability_Node }

/** tosca.relationships.HostedOn */
sig HostedOn extends Relationship_Root {} { target in Container }

/** tosca.relationships.ConnectsTo */
sig ConnectsTo extends Relationship_Root {} { target in Endpoint }

/** tosca.relationships.AttachesTo */
sig AttachesTo extends Relationship_Root {} { target in Attachment }

/** tosca.relationships.RoutesTo: from one network to another. That it targets endpoints is said by ConnectsTo. */
sig RoutesTo extends ConnectsTo {}

/** tosca.relationships.network.LinksTo */
sig LinksTo extends DependsOn {} { target in Linkable }

/** tosca.relationships.network.BindsTo */
sig BindsTo extends DependsOn {} { target in Bindable }

// Node types

/** tosca.nodes.Root: what all nodes have. */
sig Node_Root extends Node {
  feature : one Capability_Node,
  dependency : set Requirement
} {
  feature in capabilities

  dependency in requirements
  dependency.capability[Capability_Node]
  dependency.node[Node_Root]
  dependency.relationship in DependsOn
}

/** tosca.nodes.Compute: a machine, real or virtual. */
sig Compute extends Node_Root {
  local_storage : set Requirement,
  host : one Container,
  os : one OperatingSystem,
  endpoint : one Endpoint_Admin,
  scalable : one Scalable,
  binding : one Bindable
} {
  local_storage in requirements
  local_storage.capability[Attachment]
  local_storage.node[BlockStorage]
  local_storage.relationship in AttachesTo

  host + os + endpoint + scalable + binding in capabilities
  host.valid_source_types[SoftwareComponent]
}

/** tosca.nodes.SoftwareComponent: what runs on a machine. */
sig SoftwareComponent extends Node_Root {
  host : one Requirement
} {
  host in requirements
  host.capability[Container]
  host.node[Compute]
  host.relationship in HostedOn
}

/** tosca.nodes.WebServer: hosts web applications. */
sig WebServer extends SoftwareComponent {
  data_endpoint : one Endpoint,
  admin_endpoint : one Endpoint_Admin,
  chost : one Container
} {
  data_endpoint + admin_endpoint + chost in capabilities
  chost.valid_source_types[WebApplication]
}

/** tosca.nodes.WebApplication */
sig WebApplication extends Node_Root {
  app_endpoint : one Endpoint,
  host : one Requirement
} {
  app_endpoint in capabilities

  host in requirements
  host.capability[Container]
  host.node[WebServer]
  host.relationship in HostedOn
}

/** tosca.nodes.DBMS: hosts databases. */
sig DBMS extends SoftwareComponent {
  chost : one Container
} {
  chost in capabilities
  chost.valid_source_types[Database]
}

/** tosca.nodes.Database. The profile has its node type commented out; as in the report, it is required here. */
sig Database extends Node_Root {
  host : one Requirement,
  database_endpoint : one Endpoint_Database
} {
  host in requirements
  host.capability[Container]
  host.node[DBMS]
  host.relationship in HostedOn

  database_endpoint in capabilities
}

/** tosca.nodes.ObjectStorage */
sig ObjectStorage extends Node_Root {
  storage_endpoint : one Endpoint
} {
  storage_endpoint in capabilities
}

/** tosca.nodes.BlockStorage: a disk of one machine. The profile declares it abstract, hence no topology has one yet. */
abstract sig BlockStorage extends Node_Root {
  attachment : one Attachment
} {
  attachment in capabilities
}

/** tosca.nodes.Container.Runtime: runs containers. */
sig Container_Runtime extends SoftwareComponent {
  chost : one Container,
  scalable : one Scalable
} {
  chost + scalable in capabilities
}

/** tosca.nodes.Container.Application: what runs in a container. */
sig Container_Application extends Node_Root {
  host : one Requirement
} {
  host in requirements
  host.capability[Container]
  host.node[Container_Runtime]
  host.relationship in HostedOn
}

/** tosca.nodes.LoadBalancer: spreads what its clients ask for over applications. */
sig LoadBalancer extends Node_Root {
  client : set Endpoint_Public,
  application : set Requirement
} {
  client in capabilities

  application in requirements
  application.capability[Endpoint]
  application.relationship in RoutesTo
}

/** tosca.nodes.network.Network */
sig Network extends Node_Root {
  link : one Linkable
} {
  link in capabilities
}

/** tosca.nodes.network.Port: joins a machine to a network. */
sig Port extends Node_Root {
  link : one Requirement,
  binding : one Requirement
} {
  link in requirements
  link.capability[Linkable]
  link.relationship in LinksTo

  binding in requirements
  binding.capability[Bindable]
  binding.relationship in BindsTo
}

/** There are topologies of such nodes. */
run Model {} for 10 expect 1

run OneTopologyWithTwoNodeOneRelationship {
  Node in Topology.nodes
  Relationship in Topology.relationships
} for 10 but exactly 1 Topology, exactly 2 Node, exactly 1 Relationship expect 1

// Examples of the profile, named for their numbers in it

/** A machine alone. */
run TOSCA_Example_2_1 {
  Topology.nodes = Compute
} for 10 but exactly 1 Topology, exactly 1 Compute, exactly 5 Capability expect 1

/** A database system on a machine. */
run TOSCA_Example_2_2 {
  Topology.nodes = Compute + DBMS
  Topology.relationships = HostedOn
} for 20 but exactly 1 Topology, exactly 1 Compute, exactly 1 DBMS, exactly 1 HostedOn, exactly 7 Capability expect 1

/** A database in it. */
run TOSCA_Example_2_4 {
  Topology.nodes = Compute + DBMS + Database
  Topology.relationships = HostedOn
} for 20 but exactly 1 Topology, exactly 1 Compute, exactly 1 DBMS, exactly 1 Database, exactly 2 HostedOn,
  exactly 9 Capability expect 1

/** A web application and its database, on two machines. */
run TOSCA_Example_2_5 {
  Topology.nodes = Compute + DBMS + Database + WebServer + WebApplication
  Topology.relationships = HostedOn
} for 40 but exactly 1 Topology, exactly 2 Compute, exactly 1 DBMS, exactly 1 Database, exactly 1 WebServer,
  exactly 1 WebApplication, exactly 4 HostedOn, exactly 20 Capability, exactly 24 Role expect 1

/** A machine on a network. */
run TOSCA_Example_7_2 {
  Topology.nodes = Compute + Network + Port
  Topology.relationships = LinksTo + BindsTo
} for 20 but exactly 1 Topology, exactly 1 Compute, exactly 1 Port, exactly 1 Network, exactly 1 BindsTo,
  exactly 1 LinksTo, exactly 7 Capability expect 1

/**
 * What the profile says twice, not in the report's commands: the relationship types alone see to it that requirements
 * are satisfied with capabilities of the right types.
 */
assert CapabilitiesOfRequirementsAreRedundant {
  all r : Requirement {
    r.relationship in DependsOn implies r.capability[Capability_Node]
    r.relationship in HostedOn implies r.capability[Container]
    r.relationship in RoutesTo implies r.capability[Endpoint]
    r.relationship in AttachesTo implies r.capability[Attachment]
    r.relationship in LinksTo implies r.capability[Linkable]
    r.relationship in BindsTo implies r.capability[Bindable]
  }
}
check CapabilitiesOfRequirementsAreRedundant for 8 expect 0
