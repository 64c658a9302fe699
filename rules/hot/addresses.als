module hot/addresses
open hot/core
open hot/networks
open hot/routing
open hot/types/OS_Neutron_Subnet
open hot/types/OS_Neutron_Port
open hot/types/OS_Neutron_RouterInterface
open hot/types/OS_Nova_Server
open hot/types/OS_Heat_ResourceGroup
open util/net as net
open util/text as text

-- Which addresses of a subnet are taken, and by how many.

/** The address that the gateway of a subnet has: the one that is given, or else the one after the first of the range. */
private pred is_gateway [a: set String, s: OS_Neutron_Subnet] {
  a in s.prop_gateway_ip or (by_default[s] and a in s.range.(net/second))
}

/** Neutron chooses the gateway of a subnet. */
private pred by_default [s: OS_Neutron_Subnet] { no s.prop_gateway_ip and "gateway_ip" not in s.nulls }

/** HOT420 gateway-address-taken: The gateway's address is left to the router.
 *
 *  An interface that names a subnet takes the address of its gateway. If a port asks for the same address, one of the two
 *  fails: "IP address … already allocated in subnet …". A port that is itself attached to a router has it rightly.
 *
 *  @message {p} asks for the address {e.ip_address}, which {i} takes as the gateway of {s}
 *  @at e.ip_address
 *  @also i the interface
 *  @help choose another address for the port, or attach the router by the port: `port: {p}`
 *  @openstack deployment error
 */
fact the_gateway_address_is_for_the_router {
  all i: OS_Neutron_RouterInterface & Made, s: i.named_subnet & OS_Neutron_Subnet & Made,
      p: OS_Neutron_Port & Made - touched - OS_Neutron_RouterInterface.named_port, e: p.prop_fixed_ips |
    (is_address[e.ip_address] and is_gateway[e.ip_address, s])
      implies (some e.address_subnet implies e.address_subnet != s else p.port_network != s.subnet_network)
}

/** HOT421 interface-without-gateway: A subnet that a router is attached to has a gateway.
 *
 *  An interface that names a subnet takes the address of its gateway, and Neutron refuses one for a subnet without:
 *  "Subnet for router interface must have a gateway IP". A router can be attached by a port of its own instead.
 *
 *  @message {i} attaches {s} to a router, but {s} has no gateway
 *  @at i
 *  @also s the subnet
 *  @help leave `gateway_ip` of the subnet out, or attach a `port` of the subnet
 *  @openstack deployment error
 */
fact a_subnet_with_a_router_has_a_gateway {
  all i: OS_Neutron_RouterInterface & Made, s: i.named_subnet & OS_Neutron_Subnet & Made |
    "gateway_ip" not in s.nulls and no s.prop_gateway_ip & gone
}

/** What stands for no gateway. */
private fun gone: set String { "~" + "[ ]*".(text/matches) }

/** HOT422 no-room-for-gateway: A range of two addresses has no default gateway.
 *
 *  In a /31, Neutron chooses the second address for the gateway and then refuses it: "Gateway IP … cannot be the network or
 *  broadcast IP address".
 *
 *  @message {s} has the range {s.prop_cidr}, in which the default gateway has no address
 *  @at s.prop_cidr
 *  @help write `gateway_ip: null`, or use a larger range
 *  @openstack deployment error
 */
fact a_range_of_two_has_no_default_gateway {
  all s: OS_Neutron_Subnet & Made |
    (some s.range and s.range in "[0-9.]*/31".(text/matches) and s.prop_enable_dhcp = false)
      implies not by_default[s]
}

/** Ports of which Neutron chooses an address in a subnet. */
private fun takers [s: OS_Neutron_Subnet]: set Resource {
  { p: known_ports - (OS_Neutron_Port <: prop_no_fixed_ips).true |
      p.port_subnet = s and (no p.prop_fixed_ips or some p.prop_fixed_ips - ip_address.String) }
    + { v: OS_Nova_Server & Made | some e: v.prop_networks |
      no e.port + e.fixed_ip + e.subnet and e.(network + uuid) = s.subnet_network and s.subnet_network in closed
        and subnet_network.(s.subnet_network) = s }
}

/** HOT423 addresses-exhausted: A subnet has an address for every port.
 *
 *  Neutron gives a port an address of the allocation pools, or of the whole range without its first and last address and
 *  the gateway. If all are taken, it refuses the port: "No more IP addresses available on network …". Where Neutron
 *  serves DHCP, its own ports take addresses, too.
 *
 *  @message {s} has {s.capacity} addresses to give out, and the template has more ports than that in it
 *  @at s.capacity
 *  @help use a larger range or a larger pool, or fewer ports
 *  @openstack deployment error
 */
fact a_subnet_has_an_address_for_every_port {
  all s: OS_Neutron_Subnet & Made - touched | some s.capacity implies
    plus[#(takers[s] - Resource.members), (sum g: OS_Heat_ResourceGroup & members.(takers[s]) | g.prop_count)] <= s.capacity
}
