module hot/networks
open hot/core
open hot/routing
open hot/types/OS_Neutron_Net
open hot/types/OS_Neutron_ProviderNet
open hot/types/OS_Neutron_Subnet
open hot/types/OS_Neutron_Port
open hot/types/OS_Nova_Server
open util/net as net

-- Which addresses are where.

/** From a subnet to its range, if that is one. */
fun range: OS_Neutron_Subnet->String { OS_Neutron_Subnet <: prop_cidr :> (net/version).Int }

/** From an item of a port's `fixed_ips` or of a server's `networks` to the address that it asks for. */
fun address: Part->String {
  (OS_Neutron_Port_fixed_ips_elements <: ip_address) + (OS_Nova_Server_networks_elements <: fixed_ip)
}

/** From an item of a port's `fixed_ips` or of a server's `networks` to the network in which it asks for it. */
fun attached: Part->Location {
  (OS_Neutron_Port_fixed_ips_elements <: of).port_network +
  (OS_Nova_Server_networks_elements <: network) + (OS_Nova_Server_networks_elements <: uuid) +
  (OS_Nova_Server_networks_elements <: subnet).subnet_network
}

/** Subnets whose gateway Neutron chooses: for IPv4 it is the address after the first of the range. */
fun by_default: set OS_Neutron_Subnet {
  OS_Neutron_Subnet - (OS_Neutron_Subnet <: prop_gateway_ip).String - nulls."gateway_ip"
}

/** The address of a subnet's gateway: the one that it names, or else the second of its range. */
fun gateway_address [s: OS_Neutron_Subnet]: set String {
  s.prop_gateway_ip + (s in by_default implies s.range.(net/second) else none)
}

/** The networks of the template. */
fun networks: set Resource { (OS_Neutron_Net + OS_Neutron_ProviderNet) & Made }

/** Networks of the template whose subnets are all in the template, as far as one can see. */
fun closed: set Resource { networks - touched }

/** Networks whose ports are not filtered unless they say so. */
fun unfiltered: set Resource {
  (OS_Neutron_Net <: prop_port_security_enabled).false + (OS_Neutron_ProviderNet <: prop_port_security_enabled).false
}

/** From a network of the template to the name that it is given. */
fun called: Resource->String { (OS_Neutron_Net <: prop_name) + (OS_Neutron_ProviderNet <: prop_name) }

/** They are not the same network: two of the template, or one of it and another one that exists already. What exists
    already may be known by its name here and by its id there, and may be what an earlier version of the stack made. */
pred apart [a, b: set Location] {
  some a and some b and no a & b
  (a + b) in networks or existing_apart[a, b] or existing_apart[b, a]
}

private pred existing_apart [a, b: set Location] {
  a in networks and b in External and some b.name and b.name not in a.called
}

/** A subnet has this address for a machine. */
pred usable [a: set String, s: OS_Neutron_Subnet] {
  a in s.range.(net/contains)
  s.range.(net/version) = 4 implies a not in s.range.(net/first + net/last)
}

/** It is an address (or a range). */
pred is_address [s: set String] { some s.(net/version) }
