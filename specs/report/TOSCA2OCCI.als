/**
 * From TOSCA to OCCI, core to core: section 5.3 of INRIA report RR-9317.
 *
 *     Topology: nodes, relationships        Configuration: resources, their links
 *     Node: name, requirements              Resource: id, links
 *     Relationship: name, source, target    Link: id, source, target
 *     Requirement, Capability               Rest
 *
 * A mapping says what becomes of each node and each relationship of one topology in one configuration. It is worth
 * something if it keeps the structure: as many locations on both sides, under the same names. Then a change on one side
 * is a change on the other. That is what the checks at the end are about.
 */
module TOSCA2OCCI
open TOSCA
open OCCI_Core

sig Mapping {
  topology : one Topology,
  configuration : one Configuration,
  node2resource : Node -> Resource,
  relationship2link : Relationship -> Link
}

/**
 * The resource of a configuration that has a given name. The report uses this function and does not define it. Names
 * are unique in a graph, so there is one at most.
 */
fun getResource [c : Configuration, n : Name] : lone Resource {
  { r : c.resources | r.id = n }
}

/** The mapping takes the topology to the configuration. */
pred topology2configuration [m : one Mapping, t : one Topology, c : one Configuration] {
  m.topology = t
  m.configuration = c
  // Every node has its resource, and no resource is left over.
  #t.nodes = #c.resources
  all n : t.nodes | one r : c.resources | node2resource[m, n, r]
  // Every relationship has its link.
  all r : t.relationships | one l : c.resources.links | relationship2link[m, r, l]
}

/** The mapping takes the node to the resource, which has its name and a link for each of its requirements. */
pred node2resource [m : one Mapping, n : one Node, r : one Resource] {
  n -> r in m.node2resource
  r.id = n.name
  #n.requirements = #r.links
  all q : n.requirements | one l : r.links | relationship2link[m, q.relationship, l]
}

/** The mapping takes the relationship to the link, which has its name and joins what it joins. */
pred relationship2link [m : one Mapping, r : one Relationship, l : one Link] {
  r -> l in m.relationship2link
  l.id = r.name
  l.source = m.configuration.getResource[r.source.node.name]
  l.target = m.configuration.getResource[r.target.node.name]
}

/** There are mappings. */
run Consistency {
  Topology.nodes = Node
  one m : Mapping, t : Topology, c : Configuration | topology2configuration[m, t, c]
} for 10 but exactly 1 Mapping, exactly 1 Topology, exactly 1 Configuration expect 1

run MappingFiveNodesRelationships {
  Topology.nodes = Node
  one m : Mapping, t : Topology, c : Configuration | topology2configuration[m, t, c]
} for 20 but exactly 1 Mapping, exactly 1 Topology, exactly 5 Node, exactly 5 Relationship, exactly 1 Configuration
  expect 1

// The mapping is a homomorphism

/** A topology is mapped to a configuration. */
assert EachTopologyMapsToConfiguration {
  all t : Topology, m : Mapping, c : Configuration |
    topology2configuration[m, t, c] implies m.topology = t and m.configuration = c
}
check EachTopologyMapsToConfiguration for 15 expect 0

/** There are as many locations on both sides. */
assert MappingPreserveNumberOfLocations {
  all m : Mapping, t : Topology, c : Configuration |
    topology2configuration[m, t, c] implies #t.locations = #c.locations
}
check MappingPreserveNumberOfLocations for 10 expect 0

/** They have the same names. */
assert MappingPreserveLocationNames {
  all m : Mapping, t : Topology, c : Configuration |
    topology2configuration[m, t, c] implies t.locations.name = c.locations.name
}
check MappingPreserveLocationNames for 8 expect 0
