module hot/addresses
open hot/core
open hot/networks
open hot/routing
open hot/types/OS_Neutron_Subnet
open hot/types/OS_Neutron_Port
open hot/types/OS_Nova_Server
open hot/types/OS_Heat_ResourceGroup
open util/net as net
open util/text as text

-- Which addresses of a subnet are taken, and by how many.

/** HOT422 no-room-for-gateway: A range of two addresses has no default gateway.
 *
 *  In a /31, Neutron chooses the second address for the gateway and then refuses it: "Gateway IP … cannot be the network or
 *  broadcast IP address".
 *
 *  @message {s} has the range {s.prop_cidr}, in which the default gateway has no address
 *  @at s.prop_cidr
 *  @help write `gateway_ip: null`, or use a larger range
 *  @when always
 *  @openstack deployment error
 */
fact a_range_of_two_has_no_default_gateway {
  all s: OS_Neutron_Subnet & Made |
    (some s.range and s.range in "[0-9.]*/31".(text/matches) and s.prop_enable_dhcp = false)
      implies s not in by_default
}

/** Ports of which Neutron chooses an address in a subnet. They are looked for from the subnet, so that a template with many
 *  subnets does not go through all its ports for each. */
private fun takers [s: OS_Neutron_Subnet]: set Resource {
  { p: (known_ports & port_subnet.s) - (OS_Neutron_Port <: prop_no_fixed_ips).true |
      p.port_subnet = s and (no p.prop_fixed_ips or some p.prop_fixed_ips - ip_address.String) }
    + { v: Made & (OS_Nova_Server <: prop_networks).(attached.(s.subnet_network)) | some e: v.prop_networks |
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
 *  @when always
 *  @openstack deployment error
 */
fact a_subnet_has_an_address_for_every_port {
  all s: OS_Neutron_Subnet & Made - touched | some s.capacity implies
    plus[#(takers[s] - Resource.members), (sum g: OS_Heat_ResourceGroup & members.(takers[s]) | g.prop_count)] <= s.capacity
}
