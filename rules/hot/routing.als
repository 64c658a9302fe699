module hot/routing
open hot/core
open hot/types/OS_Neutron_Net
open hot/types/OS_Neutron_ProviderNet
open hot/types/OS_Neutron_Subnet
open hot/types/OS_Neutron_Port
open hot/types/OS_Neutron_Router
open hot/types/OS_Neutron_RouterInterface
open hot/types/OS_Neutron_RouterGateway
open hot/types/OS_Neutron_FloatingIP
open hot/types/OS_Neutron_FloatingIPAssociation
open hot/types/OS_Neutron_FloatingIPPortForward
open hot/types/OS_Nova_Server

-- Which router connects what with what, as far as a template says. Properties that have an old name are looked at by
-- both. What exists already may be connected in any way, and so may what a resource of any other type refers to.

/** The network of a subnet. */
fun subnet_network: OS_Neutron_Subnet->Location {
  (OS_Neutron_Subnet <: prop_network) + (OS_Neutron_Subnet <: prop_network_id)
}

/** The network of a port. */
fun port_network: OS_Neutron_Port->Location {
  (OS_Neutron_Port <: prop_network) + (OS_Neutron_Port <: prop_network_id)
}

/** The subnet of an address of a port. */
fun address_subnet: OS_Neutron_Port_fixed_ips_elements->Location {
  (OS_Neutron_Port_fixed_ips_elements <: subnet) + (OS_Neutron_Port_fixed_ips_elements <: subnet_id)
}

/** Ports of which Neutron chooses the subnet of an address. */
fun open_ports: set OS_Neutron_Port {
  (OS_Neutron_Port - (OS_Neutron_Port <: prop_fixed_ips).Part)
    + (OS_Neutron_Port <: prop_fixed_ips).(OS_Neutron_Port_fixed_ips_elements - address_subnet.Location)
}

/** The subnets in which a port has an address, or may have one. */
fun port_subnet: OS_Neutron_Port->Location {
  (OS_Neutron_Port <: prop_fixed_ips).address_subnet + (open_ports <: port_network).~subnet_network
}

/** The router of an interface. */
fun interface_router: OS_Neutron_RouterInterface->Location {
  (OS_Neutron_RouterInterface <: prop_router) + (OS_Neutron_RouterInterface <: prop_router_id)
}

/** The subnet that an interface names. */
fun named_subnet: OS_Neutron_RouterInterface->Location {
  (OS_Neutron_RouterInterface <: prop_subnet) + (OS_Neutron_RouterInterface <: prop_subnet_id)
}

/** The port that an interface names. */
fun named_port: OS_Neutron_RouterInterface->Location {
  (OS_Neutron_RouterInterface <: prop_port) + (OS_Neutron_RouterInterface <: prop_port_id)
}

/** The subnets that an interface attaches to its router. */
fun interface_subnet: OS_Neutron_RouterInterface->Location { named_subnet + named_port.port_subnet }

/** The network of a `RouterGateway`. */
fun gateway_network: OS_Neutron_RouterGateway->Location {
  (OS_Neutron_RouterGateway <: prop_network) + (OS_Neutron_RouterGateway <: prop_network_id)
}

/** The external network that a router says it has its gateway in. */
fun own_gateway: OS_Neutron_Router->Location {
  (OS_Neutron_Router <: prop_external_gateway_info).(OS_Neutron_Router_external_gateway_info <: network)
}

/** The external networks in which a router has a gateway. */
fun gateway: Location->Location { own_gateway + ~(OS_Neutron_RouterGateway <: prop_router_id).gateway_network }

/** The external network of a floating IP. */
fun floating_network: OS_Neutron_FloatingIP->Location {
  (OS_Neutron_FloatingIP <: prop_floating_network) + (OS_Neutron_FloatingIP <: prop_floating_network_id)
}

/** Resources that change nothing of the networks that they are on. */
fun guests: set Resource {
  OS_Neutron_Port + OS_Neutron_FloatingIP + OS_Neutron_FloatingIPAssociation + OS_Nova_Server
}

/** Resources that do to others what their properties say and no more. A group does so if all that it makes are guests;
 *  of other things it may make several, which differ. */
fun tame: set Resource {
  Made & (OS_Neutron_Net + OS_Neutron_ProviderNet + OS_Neutron_Subnet + OS_Neutron_Router
    + OS_Neutron_RouterInterface + OS_Neutron_RouterGateway + OS_Neutron_FloatingIPPortForward
    + guests + members.guests - members.(Resource - guests))
}

/** What resources of other types refer to: they may attach it to anything, or change it. */
fun touched: set Resource { (Resource - tame).references }

/** What exists already. One thing may be meant by two names: its name and its id. */
fun existing: set Location { Location - Made }

/** What a location may be the same as. */
fun maybe [n: Location]: set Location { n + (some n & existing implies existing else none) }

/** Networks that are external because `value_specs` say so. */
fun external_by_specs: set OS_Neutron_Net {
  (OS_Neutron_Net <: prop_value_specs).(entries.(key."router:external" - value.(false + "false" + "False")))
}

/** Networks of the template that are not external.
 *
 *  `value_specs` may say `router:external`, and a policy of role-based access control makes a network external, too. */
fun internal: set Resource {
  ((OS_Neutron_Net & Made) - external_by_specs
    + (OS_Neutron_ProviderNet & Made & (OS_Neutron_ProviderNet <: prop_router_external).false)) - touched
}

/** Subnets with addresses of IPv6. */
fun ipv6_subnets: set OS_Neutron_Subnet { (OS_Neutron_Subnet <: prop_ip_version).6 }

/** Ports of which all subnets that they may have an address in are known and are made by the template. */
fun known_ports: set OS_Neutron_Port {
  { p: OS_Neutron_Port & Made - touched |
    (p in open_ports implies some p.port_network and p.port_network in Made - touched)
    and p.port_subnet in (OS_Neutron_Subnet & Made) - touched }
}

/** Those of them that may have addresses of IPv4. */
fun settled_ports: set OS_Neutron_Port {
  { p: known_ports | some p.port_subnet - ipv6_subnets } - (OS_Neutron_Port <: prop_no_fixed_ips).true
}

/** Interfaces of routers to subnets that a port has IPv4 addresses in. */
fun interfaces [p: OS_Neutron_Port]: set OS_Neutron_RouterInterface {
  interface_subnet.(p.port_subnet - ipv6_subnets)
}

/** Those of them whose router has a gateway in one of these networks, or may have. */
fun leading [p: OS_Neutron_Port, n: set Location]: set OS_Neutron_RouterInterface {
  { i: interfaces[p] |
    i.interface_router not in (OS_Neutron_Router & Made) - touched or some i.interface_router.gateway & maybe[n] }
}

/** What is created before a resource: what it refers to, and what Heat orders of its own accord. */
fun follows: Resource->Resource {
  references
    + port_network.~subnet_network
    + floating_network.~gateway_network
    + floating_network.~own_gateway
    + own_gateway.~subnet_network
    + gateway_network.~subnet_network
    + (OS_Neutron_RouterGateway <: prop_router_id).~interface_router
}

/** A resource is created after an interface of these: it follows one, or a floating IP that refers to a port. Such a
 *  floating IP Heat creates after all interfaces to subnets of the template. */
pred comes_after [r: Resource, one_of: set OS_Neutron_RouterInterface] {
  some r.^follows & (one_of + (OS_Neutron_FloatingIP & references.OS_Neutron_Port))
}
