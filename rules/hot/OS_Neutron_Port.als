module hot/OS_Neutron_Port
open hot/core
open hot/networks
open hot/routing
open hot/types/OS_Neutron_Port
open hot/types/OS_Neutron_Subnet
open hot/types/OS_Nova_Server
open hot/types/OS_Neutron_RouterInterface
open util/net as net

/** HOT130 fixed-ip-outside-subnet: A fixed address of a port is in its subnet.
 *
 *  Neutron gives out addresses from the range of the subnet only, and refuses others. This is figure 10 of the report.
 *  Addresses outside of the allocation pools are fine, as long as they are in the range.
 *
 *  @message {p} asks for the address {e.ip_address} of {s}, which has {s.prop_cidr}
 *  @at e.ip_address
 *  @also s.prop_cidr the range of {s}
 *  @help choose an address of the range, or leave `ip_address` out
 *  @when always
 *  @openstack deployment error
 */
fact fixed_ips_are_in_their_subnet {
  all p: OS_Neutron_Port, e: p.prop_fixed_ips, s: e.address_subnet & OS_Neutron_Subnet |
    is_address[e.ip_address] and some s.range implies some s.range & (net/contains).(e.ip_address)
}

/** HOT131 duplicate-mac-address: Ports of a network have distinct MAC addresses.
 *
 *  Neutron refuses the second port of a network that asks for a MAC address that another one has. In different networks
 *  it may be used again.
 *
 *  @message {p} and {q} have the same MAC address {p.prop_mac_address} in the same network
 *  @at q.prop_mac_address
 *  @also p.prop_mac_address {p} has it already
 *  @help leave it out: Neutron chooses one
 *  @when always
 *  @openstack deployment error
 *  @report no_distinct_ports_with_the_same_mac_address
 */
fact no_distinct_ports_with_the_same_mac_address {
  all p: OS_Neutron_Port, q: prop_mac_address.(p.prop_mac_address) - p | no p.port_network & q.port_network
}

/** HOT132 fixed-ip-not-a-host: A fixed IPv4 address of a port is neither the first nor the last address of its subnet.
 *
 *  The first address is that of the network itself, the last one reaches all machines in it. Neutron refuses both.
 *
 *  @message {p} asks for the address {e.ip_address}, the first or the last of {s.prop_cidr}
 *  @at e.ip_address
 *  @also s.prop_cidr the range of {s}
 *  @help choose an address between them, or leave `ip_address` out
 *  @when always
 *  @openstack deployment error
 */
fact fixed_ips_are_hosts {
  all p: OS_Neutron_Port, e: p.prop_fixed_ips, s: e.address_subnet & OS_Neutron_Subnet |
    s.range.(net/version) = 4 implies no e.ip_address & s.range.(net/first + net/last)
}

/** HOT133 fixed-ip-outside-network: A fixed address of a port is in a subnet of its network.
 *
 *  Where `fixed_ips` names no subnet, Neutron looks for the one that has the address, and refuses the port if there is
 *  none. Nothing is said of networks that exist already, or that other parts of the template may add subnets to.
 *
 *  @message {p} asks for the address {e.ip_address}, which no subnet of its network has for ports
 *  @at e.ip_address
 *  @also p.prop_network the network
 *  @help choose an address of the range of a subnet in this network
 *  @when always
 *  @openstack deployment error
 */
fact fixed_ips_are_in_their_network {
  all p: OS_Neutron_Port, e: p.prop_fixed_ips |
    (no e.address_subnet and is_address[e.ip_address] and some p.port_network and p.port_network in closed) implies
      some s: subnet_network.(p.port_network) | no s.prop_cidr or usable[e.ip_address, s]
}

/** HOT134 duplicate-fixed-ip: An address is asked for once in a network.
 *
 *  Neutron refuses the second port that asks for an address in use. A server with `fixed_ip` asks for one, too.
 *
 *  @message the address {a} is asked for twice in the same network, by {e.of} and by {f.of}
 *  @at f
 *  @also e asked for here first
 *  @help choose another address for one of them, or let Neutron choose
 *  @when always
 *  @openstack deployment error
 *  @report ports_on_the_same_net_or_subnet_must_have_distinct_ip_addresses
 */
fact ports_on_the_same_net_or_subnet_must_have_distinct_ip_addresses {
  all a: String, disj e, f: address.a |
    some (e + f) & OS_Neutron_Port_fixed_ips_elements implies no e.attached & f.attached
}

/** HOT136 subnet-of-other-network: The subnets of a port belong to its network.
 *
 *  A port is in one network, so Neutron refuses a fixed address of a subnet of another one.
 *
 *  @message {p} is in the network {p.prop_network}, but {s} belongs to {s.prop_network}
 *  @at e
 *  @also p.prop_network the network of {p}
 *  @also s.prop_network the network of {s}
 *  @help name a subnet of the same network, or another network for the port
 *  @when always
 *  @openstack deployment error
 *  @report subnet_must_belong_to_network_for_a_port subnet_id_must_belong_to_network_for_a_port
 */
fact subnet_must_belong_to_network_for_a_port {
  all p: OS_Neutron_Port, e: p.prop_fixed_ips, s: e.address_subnet & OS_Neutron_Subnet | not apart[p.port_network, s.subnet_network]
}

/** HOT137 port-subnet-twice: An entry of `fixed_ips` names its subnet once.
 *
 *  `subnet_id` is the old name of `subnet`. Heat refuses both together.
 *
 *  @message an entry of `fixed_ips` of {p} has both `subnet` and `subnet_id`
 *  @at e.subnet_id
 *  @also e.subnet the subnet is given here
 *  @help leave `subnet_id` out; for addresses of two subnets write two entries
 *  @when text
 *  @openstack parse error
 *  @report not_both_subnet_and_subnet_id_for_a_port
 */
fact not_both_subnet_and_subnet_id_for_a_port {
  all p: OS_Neutron_Port, e: p.prop_fixed_ips | no e.subnet or no e.subnet_id
}

/** HOT138 fixed-ips-and-none: A port has fixed addresses or none.
 *
 *  Heat refuses `fixed_ips` together with `no_fixed_ips: true`.
 *
 *  @message {p} has `fixed_ips`, but `no_fixed_ips` is true
 *  @at p.prop_no_fixed_ips
 *  @also p.prop_fixed_ips addresses are asked for here
 *  @help leave one of them out
 *  @when text
 *  @openstack parse error
 */
fact not_both_fixed_ips_and_no_fixed_ips {
  all p: OS_Neutron_Port | p.prop_no_fixed_ips = true implies no p.prop_fixed_ips
}

/** HOT139 groups-without-port-security: A port without port security has no security groups.
 *
 *  Security groups are filters, which `port_security_enabled: false` takes away. Neutron refuses such a port.
 *
 *  @message {p} has security groups, but `port_security_enabled` is false
 *  @at p.prop_security_groups
 *  @also p.prop_port_security_enabled port security is off
 *  @help leave one of them out
 *  @when always
 *  @openstack deployment error
 *  @report no_security_groups_and_allowed_address_pairs_when_port_security_enabled_is_false
 */
fact no_security_groups_when_port_security_enabled_is_false {
  all p: OS_Neutron_Port | p.prop_port_security_enabled = false implies no p.prop_security_groups
}

/** HOT140 pairs-without-port-security: A port without port security has no allowed address pairs.
 *
 *  The pairs are exceptions from a filter, which `port_security_enabled: false` takes away: any address is allowed then.
 *  Neutron refuses such a port.
 *
 *  @message {p} has allowed address pairs, but `port_security_enabled` is false
 *  @at p.prop_allowed_address_pairs
 *  @also p.prop_port_security_enabled port security is off
 *  @help leave one of them out
 *  @when always
 *  @openstack deployment error
 *  @report no_security_groups_and_allowed_address_pairs_when_port_security_enabled_is_false
 */
fact no_allowed_address_pairs_when_port_security_enabled_is_false {
  all p: OS_Neutron_Port | p.prop_port_security_enabled = false implies no p.prop_allowed_address_pairs
}

/** HOT141 groups-in-unfiltered-network: A port in a network without port security has no security groups.
 *
 *  A port has the port security of its network unless it says otherwise, and without it Neutron refuses security groups.
 *
 *  @message {p} has security groups, but `port_security_enabled` of its network {n} is false
 *  @at p.prop_security_groups
 *  @also n.prop_port_security_enabled port security is off
 *  @help leave the security groups out, or set `port_security_enabled: true` for the port
 *  @when always
 *  @openstack deployment error
 *  @report no_port_with_security_groups_on_a_network_when_its_port_security_enabled_is_false
 */
fact no_port_with_security_groups_on_a_network_when_its_port_security_enabled_is_false {
  all p: OS_Neutron_Port, n: p.port_network & unfiltered |
    no p.prop_port_security_enabled implies no p.prop_security_groups
}

/** HOT142 pairs-in-unfiltered-network: A port in a network without port security has no allowed address pairs.
 *
 *  A port has the port security of its network unless it says otherwise, and without it Neutron refuses the pairs: any
 *  address is allowed then.
 *
 *  @message {p} has allowed address pairs, but `port_security_enabled` of its network {n} is false
 *  @at p.prop_allowed_address_pairs
 *  @also n.prop_port_security_enabled port security is off
 *  @help leave the pairs out, or set `port_security_enabled: true` for the port
 *  @when always
 *  @openstack deployment error
 *  @report no_port_with_allowed_address_pairs_on_a_network_when_its_port_security_enabled_is_false
 */
fact no_port_with_allowed_address_pairs_on_a_network_when_its_port_security_enabled_is_false {
  all p: OS_Neutron_Port, n: p.port_network & unfiltered |
    no p.prop_port_security_enabled implies no p.prop_allowed_address_pairs
}

/** HOT143 several-addresses: A port has one address of a subnet, and one of IPv4, unless it says which.
 *
 *  The report has several addresses of one subnet, or of several subnets of a network with the same version, as errors.
 *  Neutron accepts them today, and DHCP gives a machine but one of them, so the others must be configured in it. Who
 *  does that on purpose knows the addresses, so this is only about entries without `ip_address`. Several IPv6 subnets
 *  are normal.
 *
 *  @severity warning
 *  @message {p} asks for two addresses where a machine is given one
 *  @at f
 *  @also e the other one
 *  @help leave one of the entries out, or say with `ip_address` which addresses these are
 *  @when end
 *  @openstack nothing
 *  @report no_port_with_several_addresses_on_the_same_subnet no_port_with_several_addresses_on_the_same_subnet_id
 *    no_port_with_ip_addresses_on_subnet_and_subnet_id_that_are_the_same
 *    port_fixed_ips_subnets_of_the_same_network_must_have_different_ip_versions
 */
fact no_port_with_several_addresses_on_the_same_subnet {
  all p: OS_Neutron_Port, disj e, f: p.prop_fixed_ips | no e.ip_address + f.ip_address implies {
    no e.address_subnet & f.address_subnet
    no e.address_subnet.prop_ip_version & f.address_subnet.prop_ip_version & 4
  }
}

/** HOT144 duplicate-address-pair: Each pair of addresses is allowed once.
 *
 *  Neutron refuses a port with the same pair twice. A pair without `mac_address` has that of the port.
 *
 *  @message {p} allows the address {e.ip_address} twice
 *  @at f
 *  @also e allowed here already
 *  @help leave one of them out
 *  @when always
 *  @openstack deployment error
 */
fact allowed_address_pairs_are_distinct {
  all p: OS_Neutron_Port, disj e, f: p.prop_allowed_address_pairs |
    some e.ip_address & f.ip_address implies e.mac_address != f.mac_address
}

/** HOT145 fixed-ip-where-chosen: A port asks for no address of a subnet in which machines choose theirs.
 *
 *  With `slaac` and `dhcpv6-stateless` the address follows from the MAC address, and Neutron refuses any other one. A
 *  port of a router may have one. Nothing is said of ports with `mac_address` or `device_owner`.
 *
 *  @message {p} asks for the address {e.ip_address}, but machines in {s} choose their addresses
 *  @at e.ip_address
 *  @also s.prop_ipv6_address_mode the mode of {s}
 *  @help leave `ip_address` out, or use the mode `dhcpv6-stateful`
 *  @when always
 *  @openstack deployment error
 */
fact no_fixed_ip_where_machines_choose {
  all p: OS_Neutron_Port, e: p.prop_fixed_ips, s: asked[p, e] & OS_Neutron_Subnet |
    (s.prop_ip_version = 6 and some s.prop_ipv6_address_mode & ("slaac" + "dhcpv6-stateless") and
      no p.prop_mac_address + p.prop_device_owner and no named_port.p) implies no e.ip_address
}

/** The subnets of which a port asks for an address: the one that it names, or those of its network in which machines
    choose theirs and that have the address. */
private fun asked [p: OS_Neutron_Port, e: OS_Neutron_Port_fixed_ips_elements]: set Location {
  e.address_subnet +
    { s: (OS_Neutron_Subnet <: prop_ipv6_address_mode).String & subnet_network.(p.port_network) & Made |
      no e.address_subnet and some e.ip_address & s.range.(net/contains) }
}

/** HOT146 empty-fixed-ip: An entry of `fixed_ips` has a subnet or an address.
 *
 *  Neutron refuses an entry with neither.
 *
 *  @message an entry of `fixed_ips` of {p} has neither `subnet` nor `ip_address`
 *  @at e
 *  @help name the subnet; to let Neutron choose, leave `fixed_ips` out
 *  @when always
 *  @openstack deployment error
 */
fact fixed_ips_say_something {
  all p: OS_Neutron_Port, e: p.prop_fixed_ips | some e.address_subnet or some e.ip_address
}

/** HOT147 fixed-ip-of-gateway: A port does not ask for the address of a router.
 *
 *  An interface that is made for a subnet takes the address of its gateway: the one that is given, or else the one after
 *  the first of the range. So there is one too many: "IP address … already allocated in subnet …". To choose the router's
 *  address, give the interface the port instead of the subnet.
 *
 *  @message {p} asks for the address {e.ip_address}, which {i} takes as the gateway of {s}
 *  @at e.ip_address
 *  @also s.prop_gateway_ip the gateway of {s}
 *  @also i the interface
 *  @help choose another address for the port, or give {i} this port instead of the subnet
 *  @when always
 *  @openstack deployment error
 */
fact no_fixed_ip_of_a_router {
  all p: OS_Neutron_Port - OS_Neutron_RouterInterface.named_port, e: p.prop_fixed_ips,
      s: prop_gateway_ip.(e.ip_address) + (by_default & range.((net/second).(e.ip_address))), i: named_subnet.s |
    no p.port_network & s.subnet_network
}

/** HOT148 port-network-twice: A port names its network once.
 *
 *  `network_id` is the old name of `network`. Heat refuses both together.
 *
 *  @message {p} has both `network` and `network_id`
 *  @at p.prop_network_id
 *  @also p.prop_network the network is given here
 *  @help leave `network_id` out
 *  @when text
 *  @openstack parse error
 */
fact not_both_network_and_network_id_for_a_port {
  all p: OS_Neutron_Port | no p.prop_network or no p.prop_network_id
}

/** HOT432 mac-of-no-port: The MAC address of a port is one that a port can have.
 *
 *  Neutron refuses the address of zeros and that of all machines: "is not a valid MAC address".
 *
 *  @message {p} has the MAC address {p.prop_mac_address}, which no port can have
 *  @at p.prop_mac_address
 *  @help leave it out: Neutron chooses one
 *  @when always
 *  @openstack deployment error
 */
fact mac_address_is_that_of_a_port {
  all p: OS_Neutron_Port | no p.prop_mac_address & ("00:00:00:00:00:00" + "ff:ff:ff:ff:ff:ff")
}
