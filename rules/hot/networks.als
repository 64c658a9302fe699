module hot/networks
open hot/core
open hot/types/OS_Neutron_Net
open hot/types/OS_Neutron_ProviderNet
open hot/types/OS_Neutron_Subnet
open hot/types/OS_Neutron_Port
open hot/types/OS_Neutron_Router
open hot/types/OS_Neutron_RouterInterface
open hot/types/OS_Nova_Server
open util/net as net

-- How networks, subnets, ports and machines hang together, by new names of properties and by old ones.

/** From a subnet or a port to its network. */
fun network: Resource->Location {
  OS_Neutron_Subnet<:prop_network + OS_Neutron_Subnet<:prop_network_id +
  OS_Neutron_Port<:prop_network + OS_Neutron_Port<:prop_network_id
}

/** From an item of a port's `fixed_ips` to its subnet. */
fun fixed_subnet: OS_Neutron_Port_fixed_ips_elements->Location {
  OS_Neutron_Port_fixed_ips_elements<:subnet + OS_Neutron_Port_fixed_ips_elements<:subnet_id
}

/** From an item of a port's `fixed_ips` or of a machine's `networks` to the address that it asks for. */
fun address: Part->String {
  OS_Neutron_Port_fixed_ips_elements<:ip_address + OS_Nova_Server_networks_elements<:fixed_ip
}

/** From an item of a port's `fixed_ips` or of a machine's `networks` to the network that it is in. */
fun attached: Part->Location {
  (OS_Neutron_Port_fixed_ips_elements<:of).(OS_Neutron_Port<:network) +
  OS_Nova_Server_networks_elements<:network + OS_Nova_Server_networks_elements<:uuid +
  (OS_Nova_Server_networks_elements<:subnet).(OS_Neutron_Subnet<:network)
}

/** From an interface to its router. */
fun router: OS_Neutron_RouterInterface->Location {
  OS_Neutron_RouterInterface<:prop_router + OS_Neutron_RouterInterface<:prop_router_id
}

/** From an interface to its subnet, if it is given as such: then the router has the address of the gateway there. */
fun routed: OS_Neutron_RouterInterface->Location {
  OS_Neutron_RouterInterface<:prop_subnet + OS_Neutron_RouterInterface<:prop_subnet_id
}

/** From an interface to its port, if it is given as such. */
fun routed_port: OS_Neutron_RouterInterface->Location {
  OS_Neutron_RouterInterface<:prop_port + OS_Neutron_RouterInterface<:prop_port_id
}

/** From a router to the subnets that it has an interface in, or a gateway. */
fun reached: Location->Location {
  ~router.routed + ~router.routed_port.(OS_Neutron_Port<:prop_fixed_ips).fixed_subnet +
  (OS_Neutron_Router<:prop_external_gateway_info).(OS_Neutron_Router_external_gateway_info<:network).~(OS_Neutron_Subnet<:network)
}

/** From a subnet to its range, if that is one. */
fun range: OS_Neutron_Subnet->String { OS_Neutron_Subnet<:prop_cidr :> (net/contains).String }

/** The networks of the template. */
fun networks: set Resource { (OS_Neutron_Net + OS_Neutron_ProviderNet) & Made }

/** Networks of the template whose subnets are all in the template, as far as one can see. */
fun closed: set Resource { networks - opaque.references }

/** Networks whose ports are not filtered unless they say so. */
fun unfiltered: set Resource {
  (OS_Neutron_Net<:prop_port_security_enabled).false + (OS_Neutron_ProviderNet<:prop_port_security_enabled).false
}

/** From a network of the template to the name that it is given. */
fun called: Resource->String { OS_Neutron_Net<:prop_name + OS_Neutron_ProviderNet<:prop_name }

/** They are not the same network: two of the template, or one of it and another one that exists already. What exists
    already may be known by its name here and by its id there, and may be what an earlier version of the stack made. */
pred apart [a, b: set Location] {
  some a and some b and no a & b
  (a + b) in networks or (some (a + b) & networks and existing_apart[a, b])
}

private pred existing_apart [a, b: set Location] {
  some (a + b) & External
  (a + b) - networks in External and all e: (a + b) & External | some e.name and e.name not in (a + b).called
}

/** A subnet has this address for a machine. */
pred usable [a: set String, s: OS_Neutron_Subnet] {
  a in s.range.(net/contains)
  s.range.(net/version) = 4 implies a not in s.range.(net/first + net/last)
}

/** It is an address (or a range). */
pred is_address [s: set String] { some s and s in (net/contains).String }
