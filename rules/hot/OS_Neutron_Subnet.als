module hot/OS_Neutron_Subnet
open hot/core
open hot/addresses
open hot/networks
open hot/routing
open hot/types/OS_Neutron_Subnet
open hot/types/OS_Neutron_SubnetPool
open hot/types/OS_Nova_Server
open hot/types/OS_Neutron_RouterInterface
open util/net as net
open util/text as text

/** HOT100 overlapping-subnets: Subnets of a network have no address in common.
 *
 *  Neutron refuses a subnet whose range overlaps with that of another subnet of the same network. Two subnets with the
 *  same `cidr` are figure 9 of the report. Allocation pools lie within the ranges, so they cannot overlap either.
 *
 *  @message {s} and {t} are in the same network, but their ranges overlap: {s.prop_cidr} and {t.prop_cidr}
 *  @at t.prop_cidr
 *  @also s.prop_cidr {s} has these addresses already
 *  @help give each subnet of a network a range of its own, or a network of its own
 *  @when always
 *  @openstack deployment error
 *  @report no_subnets_of_the_same_network_with_joined_allocation_pools
 */
fact subnets_of_a_network_do_not_overlap {
  all s: OS_Neutron_Subnet, t: (OS_Neutron_Subnet <: prop_cidr).(s.prop_cidr + s.prop_cidr.(net/overlaps)) - s |
    no s.subnet_network & t.subnet_network
}

/** HOT101 inside-overlaps-outside: The subnets behind a router do not overlap with those of its external network.
 *
 *  A router cannot know on which side an address is that both have. Neutron refuses the interface, or the gateway if that
 *  is made later.
 *
 *  @message {i} attaches {s} to a router whose external network has {t}, but {s.prop_cidr} overlaps with {t.prop_cidr}
 *  @at s.prop_cidr
 *  @also t.prop_cidr the addresses outside
 *  @also i the interface
 *  @help give the inner subnet other addresses
 *  @when always
 *  @openstack deployment error
 */
fact subnets_behind_a_router_do_not_overlap_with_those_outside {
  all i: OS_Neutron_RouterInterface, s: i.interface_subnet & OS_Neutron_Subnet,
      t: subnet_network.(i.interface_router.gateway) - s |
    no s.subnet_network & t.subnet_network implies no s.prop_cidr.(net/overlaps) & t.prop_cidr
}

/** HOT102 pool-reversed: The end of an allocation pool is not before its start.
 *
 *  Neutron refuses a pool whose end is less than its start.
 *
 *  @message the pool of {s} from {e.start} to {e.end} ends before it starts
 *  @at e
 *  @help swap `start` and `end`
 *  @when always
 *  @openstack deployment error
 *  @report allocation_pools_end_must_be_greater_or_equal_to_start
 */
fact allocation_pools_end_must_be_greater_or_equal_to_start {
  all s: OS_Neutron_Subnet, e: s.prop_allocation_pools |
    is_address[e.start] and is_address[e.end] implies e.start.(net/rank) <= e.end.(net/rank)
}

/** HOT103 pool-outside-subnet: Allocation pools lie within the range of their subnet.
 *
 *  The first address of a range is that of the network, and the last one of an IPv4 range is for broadcasts: Neutron
 *  refuses pools with these, too.
 *
 *  @message the pool from {e.start} to {e.end} is not within the addresses that {s} has for ports
 *  @at e
 *  @also s.prop_cidr the range of {s}
 *  @help let both ends be addresses of the range, without its first and last
 *  @when always
 *  @openstack deployment error
 */
fact allocation_pools_lie_within_the_cidr {
  all s: OS_Neutron_Subnet, e: s.prop_allocation_pools | some s.range implies {
    is_address[e.start] implies e.start in s.range.(net/contains)
    is_address[e.end] implies e.end in s.range.(net/contains)
    s.range not in tiny implies e.start not in s.range.(net/first)
    s.range.(net/version) = 4 and s.range not in tiny implies e.end not in s.range.(net/last)
  }
}

/** HOT104 overlapping-pools: The allocation pools of a subnet do not overlap.
 *
 *  Neutron refuses pools that have an address in common.
 *
 *  @message the pools of {s} from {e.start} to {e.end} and from {f.start} to {f.end} overlap
 *  @at f
 *  @also e the other pool
 *  @help make one pool of them, or let the second begin after the end of the first
 *  @when always
 *  @openstack deployment error
 */
fact allocation_pools_do_not_overlap {
  all s: OS_Neutron_Subnet, disj e, f: s.prop_allocation_pools |
    proper[e] and proper[f] implies
      (e.end.(net/rank) < f.start.(net/rank) or f.end.(net/rank) < e.start.(net/rank))
}

/** HOT105 gateway-in-pool: The gateway of a subnet is in none of its allocation pools.
 *
 *  Neutron gives out any address of a pool, so it refuses a pool with the gateway in it. The report compares the gateway
 *  with the two ends; any address between them is as bad.
 *
 *  @message the gateway {s.prop_gateway_ip} of {s} is in its pool from {e.start} to {e.end}
 *  @at e
 *  @also s.prop_gateway_ip the gateway
 *  @help let the pool begin after the gateway, or end before it
 *  @when always
 *  @openstack deployment error
 *  @report gateway_ip_different_from_allocation_pools_end_and_start
 */
fact gateway_ip_different_from_allocation_pools_end_and_start {
  all s: OS_Neutron_Subnet, e: s.prop_allocation_pools |
    proper[e] and is_address[s.prop_gateway_ip] implies
      (s.prop_gateway_ip.(net/rank) < e.start.(net/rank) or e.end.(net/rank) < s.prop_gateway_ip.(net/rank))
}

/** HOT106 gateway-outside-subnet: The gateway of a subnet is an address of its range.
 *
 *  Neutron accepts a gateway outside, since some networks have routers that are reached on the link. But a router of
 *  Neutron cannot be attached to such a subnet, and most machines refuse the route that they get. Mostly it is a
 *  `cidr` that was changed and a gateway that was not. Link-local addresses of IPv6 are fine.
 *
 *  @severity warning
 *  @message the gateway {s.prop_gateway_ip} of {s} is not in {s.prop_cidr}
 *  @at s.prop_gateway_ip
 *  @also s.prop_cidr the range of {s}
 *  @help leave the gateway out to have the first address of the range, or choose another one in it
 *  @when end
 *  @openstack nothing
 */
fact the_gateway_is_in_the_subnet {
  all s: OS_Neutron_Subnet |
    some s.range and is_address[s.prop_gateway_ip] and s.range.(net/version) = s.prop_gateway_ip.(net/version) implies
      s.prop_gateway_ip in (s.range + "fe80::/10").(net/contains)
}

/** HOT107 gateway-not-a-host: The gateway of an IPv4 subnet is neither its first nor its last address.
 *
 *  The first address is that of the network itself, the last one reaches all machines in it. Neutron refuses both.
 *
 *  @message the gateway {s.prop_gateway_ip} of {s} is the first or the last address of {s.prop_cidr}
 *  @at s.prop_gateway_ip
 *  @also s.prop_cidr the range of {s}
 *  @help leave the gateway out to have the address after the first, or choose another one in the range
 *  @when always
 *  @openstack deployment error
 */
fact the_gateway_is_a_host {
  all s: OS_Neutron_Subnet | s.range.(net/version) = 4 implies no s.prop_gateway_ip & s.range.(net/first + net/last)
}

/** HOT108 cidr-of-other-version: The range of a subnet has the version that `ip_version` says.
 *
 *  `ip_version` is 4 if it is left out. Neutron refuses a range of the other version.
 *
 *  @message {s} is a subnet of IP version {s.prop_ip_version}, but {s.prop_cidr} is not
 *  @at s.prop_cidr
 *  @help set `ip_version` to the version of the range: it is 4 unless given
 *  @when always
 *  @openstack deployment error
 */
fact the_cidr_has_the_ip_version {
  all s: OS_Neutron_Subnet | some s.range and some s.prop_ip_version implies
    s.range.(net/version) = s.prop_ip_version
}

/** HOT109 gateway-of-other-version: The gateway of a subnet has the version of the subnet.
 *
 *  Neutron refuses a gateway of the other version.
 *
 *  @message {s} is a subnet of IP version {s.prop_ip_version}, but its gateway {s.prop_gateway_ip} is not
 *  @at s.prop_gateway_ip
 *  @help leave it out, or give an address of the range
 *  @when always
 *  @openstack deployment error
 */
fact the_gateway_has_the_ip_version {
  all s: OS_Neutron_Subnet | consistent[s] and is_address[s.prop_gateway_ip] implies
    s.prop_gateway_ip.(net/version) = s.prop_ip_version
}

/** HOT110 nameserver-of-other-version: Name servers of a subnet have the version of the subnet.
 *
 *  Neutron refuses name servers of the other version. Machines of a network with subnets of both versions learn the
 *  name servers of both.
 *
 *  @message {s} is a subnet of IP version {s.prop_ip_version}, but not all of its name servers are: {s.prop_dns_nameservers}
 *  @at s.prop_dns_nameservers
 *  @help give name servers of that version, and the others to the subnet of the other version
 *  @when always
 *  @openstack deployment error
 */
fact nameservers_have_the_ip_version {
  all s: OS_Neutron_Subnet | consistent[s] implies (s.prop_dns_nameservers & String).(net/version) in s.prop_ip_version
}

/** HOT111 route-of-other-version: Routes of a subnet have the version of the subnet.
 *
 *  Neutron refuses routes with a destination or a next hop of the other version.
 *
 *  @message {s} is a subnet of IP version {s.prop_ip_version}, but the route to {e.destination} by {e.nexthop} is not
 *  @at e
 *  @help give routes of that version, and the others to the subnet of the other version
 *  @when always
 *  @openstack deployment error
 */
fact host_routes_have_the_ip_version {
  all s: OS_Neutron_Subnet, e: s.prop_host_routes |
    consistent[s] implies (e.destination + e.nexthop).(net/version) in s.prop_ip_version
}

/** HOT112 subnet-without-range: A subnet has a `cidr`, or a subnet pool to take one from.
 *
 *  Heat refuses a subnet with neither.
 *
 *  @message {s} has neither `cidr` nor `subnetpool`
 *  @at s
 *  @help give a `cidr`, such as `192.168.0.0/24`
 *  @when text
 *  @openstack parse error
 *  @report one_property_between_cidr_or_subnetpool_must_be_specified cidr_or_subnetpool_must_be_defined
 */
fact one_property_between_cidr_or_subnetpool_must_be_specified {
  all s: OS_Neutron_Subnet & Made | some s.prop_cidr + s.prop_subnetpool
}

/** HOT113 range-and-pool: A subnet has a `cidr` or a subnet pool, not both.
 *
 *  Neutron could take a certain range out of a pool, but Heat refuses to ask for it.
 *
 *  @message {s} has both `cidr` and `subnetpool`
 *  @at s.prop_subnetpool
 *  @also s.prop_cidr the range is given here
 *  @help leave one of them out
 *  @when text
 *  @openstack parse error
 */
fact not_both_cidr_and_subnetpool {
  all s: OS_Neutron_Subnet | no s.prop_cidr or no s.prop_subnetpool
}

/** HOT114 range-and-prefix-length: A subnet has a `cidr` or a `prefixlen`, not both.
 *
 *  The length says how large a range to take from a subnet pool, so it makes no sense with a range. Heat refuses it.
 *
 *  @message {s} has both `cidr` and `prefixlen`
 *  @at s.prop_prefixlen
 *  @also s.prop_cidr the range is given here
 *  @help leave `prefixlen` out: `cidr` says how large the range is
 *  @when text
 *  @openstack parse error
 *  @report not_both_cidr_and_prefixlen
 */
fact not_both_cidr_and_prefixlen {
  all s: OS_Neutron_Subnet | no s.prop_cidr or no s.prop_prefixlen - 0
}

/** HOT115 ipv6-mode-for-ipv4: Modes of IPv6 are given for subnets of IPv6 only.
 *
 *  `ip_version` is 4 if it is left out. Heat refuses `ipv6_ra_mode` and `ipv6_address_mode` then.
 *
 *  @message {s} has modes of IPv6, but its `ip_version` is 4
 *  @at s
 *  @help set `ip_version: 6`, or leave the modes out
 *  @when text
 *  @openstack parse error
 *  @report ipv6_ra_mode_and_ip_v6_address_mode_must_not_be_defined_when_ip_version_is_4
 */
fact ipv6_ra_mode_and_ip_v6_address_mode_must_not_be_defined_when_ip_version_is_4 {
  all s: OS_Neutron_Subnet | s.prop_ip_version = 4 implies no s.prop_ipv6_ra_mode + s.prop_ipv6_address_mode
}

/** HOT116 ipv6-modes-differ: Where both modes of IPv6 are given, they are the same.
 *
 *  How addresses are announced and how they are given out must fit. Heat refuses two different modes.
 *
 *  @message {s} announces addresses by {s.prop_ipv6_ra_mode}, but gives them out by {s.prop_ipv6_address_mode}
 *  @at s.prop_ipv6_address_mode
 *  @also s.prop_ipv6_ra_mode the other mode
 *  @help give both the same mode
 *  @when text
 *  @openstack parse error
 *  @report ipv6_ra_mode_must_be_equal_to_ipv6_address_mode_if_both_are_specified
 */
fact ipv6_ra_mode_must_be_equal_to_ipv6_address_mode_if_both_are_specified {
  all s: OS_Neutron_Subnet | some s.prop_ipv6_ra_mode and some s.prop_ipv6_address_mode implies
    s.prop_ipv6_ra_mode = s.prop_ipv6_address_mode
}

/** HOT117 ipv6-mode-without-dhcp: A subnet with modes of IPv6 has `enable_dhcp`.
 *
 *  Neutron refuses `ipv6_ra_mode` and `ipv6_address_mode` for a subnet with `enable_dhcp: false`, even if the mode is
 *  `slaac`.
 *
 *  @message {s} has modes of IPv6, but `enable_dhcp` is false
 *  @at s.prop_enable_dhcp
 *  @help leave `enable_dhcp` out, or the modes
 *  @when always
 *  @openstack deployment error
 */
fact ipv6_modes_need_dhcp {
  all s: OS_Neutron_Subnet | s.prop_ip_version = 6 and s.prop_enable_dhcp = false implies
    no s.prop_ipv6_ra_mode + s.prop_ipv6_address_mode
}

/** HOT118 slaac-prefix-length: Subnets in which machines choose their addresses have a prefix length of 64.
 *
 *  With `slaac` and `dhcpv6-stateless` a machine makes an address of the prefix and 64 bits of its own. Neutron refuses
 *  ranges of another size.
 *
 *  @message machines in {s} choose their addresses, for which {s.prop_cidr} would have to be a /64
 *  @at s.prop_cidr
 *  @help use a range with a prefix length of 64, or the mode `dhcpv6-stateful`
 *  @when always
 *  @openstack deployment error
 */
fact automatic_addresses_need_64_bits {
  all s: OS_Neutron_Subnet | s.prop_ip_version = 6 and automatic[s] implies s.range in ".*/64".(text/matches)
}

/** HOT119 gateway-not-an-address: The gateway of a subnet is an IP address.
 *
 *  Heat also takes an empty text, `~` or null, for no gateway at all.
 *
 *  @message the gateway {s.prop_gateway_ip} of {s} is no IP address
 *  @at s.prop_gateway_ip
 *  @help write an address without a prefix length, such as `192.168.0.1`; for no gateway write `null`
 *  @when text
 *  @openstack parse error
 */
fact the_gateway_is_an_address {
  all s: OS_Neutron_Subnet | some s.prop_gateway_ip & ".+".(text/matches) implies
    (s.prop_gateway_ip in "~" or
      is_address[s.prop_gateway_ip] and s.prop_gateway_ip not in "[^/]*/.*".(text/matches))
}

/** HOT120 range-without-dhcp: A subnet with `enable_dhcp` has a range in which that is possible.
 *
 *  A server for DHCP needs an address beside that of the gateway and of one machine, and it cannot serve addresses of
 *  multicast or loopback. Neutron refuses such a range with `enable_dhcp`, which is true if left out.
 *
 *  @message {s} has DHCP, which cannot be in {s.prop_cidr}
 *  @at s.prop_cidr
 *  @help use a larger range of ordinary addresses, or set `enable_dhcp: false`
 *  @when always
 *  @openstack deployment error
 */
fact dhcp_is_possible_in_the_range {
  all s: OS_Neutron_Subnet | s.prop_enable_dhcp = true implies
    no s.range & (tiny + ("224.0.0.0/4" + "127.0.0.0/8" + "ff00::/8").(net/contains) + "0.0.0.0".(net/overlaps))
}

/** HOT122 prefix-length-outside-pool: The prefix length of a subnet is one that its subnet pool gives out.
 *
 *  A pool has a least and a greatest prefix length. If they are left out, they are 8 and 32 for IPv4, and 64 and 128
 *  for IPv6. Neutron refuses others.
 *
 *  @message {s} asks for a prefix length of {s.prop_prefixlen}, which {p} does not give out
 *  @at s.prop_prefixlen
 *  @also p the subnet pool
 *  @help ask for another length, or set `min_prefixlen` and `max_prefixlen` of the pool
 *  @when always
 *  @openstack deployment error
 *  @report when_ip_version_is_4_and_prefixlen_is_lower_than_8_min_prefixlen_of_the_subnetpool_must_be_defined
 */
fact when_ip_version_is_4_and_prefixlen_is_lower_than_8_min_prefixlen_of_the_subnetpool_must_be_defined {
  all s: OS_Neutron_Subnet, p: s.prop_subnetpool & OS_Neutron_SubnetPool & Made | gives_out[s, p]
}

/** The prefix length that a subnet asks for, if it does, is one that a pool gives out. */
private pred gives_out [s: OS_Neutron_Subnet, p: OS_Neutron_SubnetPool] {
  some s.prop_prefixlen implies {
    some p.prop_min_prefixlen implies s.prop_prefixlen >= p.prop_min_prefixlen
    some p.prop_max_prefixlen implies s.prop_prefixlen <= p.prop_max_prefixlen
    p.prop_prefixes.(net/version) = 4 implies
      (s.prop_prefixlen <= 32 and (no p.prop_min_prefixlen implies s.prop_prefixlen >= 8))
    p.prop_prefixes.(net/version) = 6 implies
      (s.prop_prefixlen <= 128 and (no p.prop_min_prefixlen implies s.prop_prefixlen >= 64))
  }
}

/** HOT124 pool-of-other-version: A subnet takes its range from a pool of its version.
 *
 *  `ip_version` is 4 if it is left out. Neutron gives out no ranges of the other version.
 *
 *  @message {s} is a subnet of IP version {s.prop_ip_version}, but {p} has ranges of the other one
 *  @at s.prop_subnetpool
 *  @also p.prop_prefixes ranges of {p}
 *  @help set `ip_version` to the version of the pool: it is 4 unless given
 *  @when always
 *  @openstack deployment error
 */
fact the_subnetpool_has_the_ip_version {
  all s: OS_Neutron_Subnet, p: s.prop_subnetpool & OS_Neutron_SubnetPool |
    p.prop_prefixes.(net/version) in s.prop_ip_version
}

/** HOT129 pool-too-small: A subnet pool has a prefix that is large enough for a subnet.
 *
 *  A subnet without `prefixlen` gets the `default_prefixlen` of its pool, or else the `min_prefixlen`, which is 8 for IPv4 and
 *  64 for IPv6 unless given. So a pool with one /24 gives out nothing unless a length is said. Nothing is said of pools
 *  with several prefixes, since Neutron joins those that lie beside each other.
 *
 *  @message the range of {s} does not fit into {p.prop_prefixes}, all that {p} has
 *  @at s.prop_subnetpool
 *  @also p.prop_prefixes this is smaller
 *  @help ask for a longer prefix by `prefixlen`, or set `default_prefixlen` of the pool: without it, subnets get the least length
 *  @when always
 *  @openstack deployment error
 */
fact the_pool_has_a_prefix_that_is_large_enough {
  all s: OS_Neutron_Subnet & Made, p: s.prop_subnetpool & OS_Neutron_SubnetPool & Made |
    gives_out[s, p] and one p.prop_prefixes and some p.prop_prefixes.(net/prefix_length) implies
      p.prop_prefixes.(net/prefix_length) <= asked_length[s, p]
}

/** The prefix length of a subnet that comes from a pool. */
private fun asked_length [s: OS_Neutron_Subnet, p: OS_Neutron_SubnetPool]: set Int {
  some s.prop_prefixlen implies s.prop_prefixlen
  else some p.prop_default_prefixlen implies p.prop_default_prefixlen
  else some p.prop_min_prefixlen implies p.prop_min_prefixlen
  else p.prop_prefixes.(net/version) = 4 implies 8
  else 64
}

/** HOT125 network-of-several-pools: Subnets of a network and a version come from the same subnet pool, or from none.
 *
 *  Neutron refuses a subnet with a range of its own beside one that comes from a pool, and subnets from different
 *  pools, unless these belong to the same address scope.
 *
 *  @message {s} and {t} are in the same network, but their ranges do not come from the same subnet pool
 *  @at t
 *  @also s.prop_subnetpool the range of {s} comes from this pool
 *  @help take both from the same pool, or from pools of one address scope, or give both a `cidr`
 *  @when always
 *  @openstack deployment error
 */
fact subnets_of_a_network_share_their_pool {
  all s: (OS_Neutron_Subnet <: prop_subnetpool).univ, t: subnet_network.(s.subnet_network) - s |
    s.prop_ip_version = t.prop_ip_version implies {
      some t.prop_subnetpool or no t.prop_cidr
      (s.prop_subnetpool + t.prop_subnetpool in OS_Neutron_SubnetPool & Made and
        s.prop_subnetpool != t.prop_subnetpool and some t.prop_subnetpool) implies
          some s.prop_subnetpool.prop_address_scope & t.prop_subnetpool.prop_address_scope
    }
}

/** HOT126 subnet-network-twice: A subnet names its network once.
 *
 *  `network_id` is the old name of `network`. Heat refuses both together.
 *
 *  @message {s} has both `network` and `network_id`
 *  @at s.prop_network_id
 *  @also s.prop_network the network is given here
 *  @help leave `network_id` out
 *  @when text
 *  @openstack parse error
 */
fact not_both_network_and_network_id_for_a_subnet {
  all s: OS_Neutron_Subnet | no s.prop_network or no s.prop_network_id
}

/** HOT127 server-address-outside-network: The fixed address of a server is in a subnet of its network.
 *
 *  Neutron refuses an address that is in no range of the network, and the server then fails. The first and the last
 *  address of an IPv4 range are those of no machine. Nothing is said of networks that exist already, or that other parts
 *  of the template may add subnets to.
 *
 *  @message {v} asks for the address {e.fixed_ip}, which no subnet of its network has for machines
 *  @at e.fixed_ip
 *  @also e.network the network
 *  @help choose an address of the range of a subnet in this network, or leave it out
 *  @when always
 *  @openstack deployment error
 */
fact the_fixed_ip_of_a_server_is_in_a_subnet_of_its_network {
  all v: OS_Nova_Server, e: v.prop_networks |
    (no e.subnet + e.port and is_address[e.fixed_ip] and some e.attached and e.attached in closed) implies
      some s: subnet_network.(e.attached) | no s.prop_cidr or usable[e.fixed_ip, s]
}

/** HOT128 pool-with-default-gateway: A pool leaves out the address that the gateway has by default.
 *
 *  A subnet without `gateway_ip` has a gateway all the same: for IPv4 it is the address after the first of the range.
 *  Neutron refuses a pool with that address in it. `gateway_ip: null` says that there is no gateway.
 *
 *  @message the pool of {s} from {e.start} to {e.end} begins with the address that its gateway has by default
 *  @at e.start
 *  @also s.prop_cidr the range of {s}
 *  @help let the pool begin one address later, or give another `gateway_ip`; for no gateway write `gateway_ip: null`
 *  @when always
 *  @openstack deployment error
 */
fact the_default_gateway_is_in_no_pool {
  all s: OS_Neutron_Subnet, e: s.prop_allocation_pools |
    (s.range.(net/version) = 4 and no s.prop_gateway_ip and "gateway_ip" not in s.nulls) implies
      no e.start & s.range.(net/second)
}

/** HOT424 nameserver-twice: A subnet names a name server once.
 *
 *  Neutron refuses the list: "Invalid input for dns_nameservers. Reason: Duplicate nameserver".
 *
 *  @message {s} names a name server twice
 *  @at s.repeats
 *  @help leave one of them out
 *  @when always
 *  @openstack deployment error
 */
fact nameservers_are_distinct {
  all s: OS_Neutron_Subnet | "dns_nameservers" not in s.repeats
}

/** HOT425 too-many-nameservers: A subnet has at most five name servers.
 *
 *  Neutron refuses more than `max_dns_nameservers`, which is 5 unless a cloud changes it.
 *
 *  @message {s} has more than five name servers
 *  @at s.prop_dns_nameservers
 *  @help keep five: machines seldom ask more than three
 *  @when always
 *  @openstack deployment error
 */
fact at_most_five_nameservers {
  all s: OS_Neutron_Subnet | #s.prop_dns_nameservers <= 5
}

/** HOT426 host-route-twice: A subnet has a route once.
 *
 *  Neutron refuses a list with the same destination and next hop twice: "Duplicate hostroute".
 *
 *  @message {s} has the route to {e.destination} by {e.nexthop} twice
 *  @at f
 *  @also e the same route
 *  @help leave one of them out
 *  @when always
 *  @openstack deployment error
 */
fact host_routes_are_distinct {
  all s: OS_Neutron_Subnet, disj e, f: s.prop_host_routes |
    e.destination = f.destination implies e.nexthop != f.nexthop
}

/** HOT427 too-many-host-routes: A subnet has at most 20 routes.
 *
 *  Neutron refuses more than `max_subnet_host_routes`, which is 20 unless a cloud changes it.
 *
 *  @message {s} has more than 20 routes
 *  @at s
 *  @help join routes to neighbouring networks, or use the routes of a router
 *  @when always
 *  @openstack deployment error
 */
fact at_most_20_host_routes {
  all s: OS_Neutron_Subnet | #s.prop_host_routes <= 20
}

/** Its range, if any, has its version. */
private pred consistent [s: OS_Neutron_Subnet] { some s.prop_ip_version and s.range.(net/version) in s.prop_ip_version }

/** Machines choose their addresses. */
private pred automatic [s: OS_Neutron_Subnet] {
  some (s.prop_ipv6_ra_mode + s.prop_ipv6_address_mode) & ("slaac" + "dhcpv6-stateless")
}

/** Ranges of one or two addresses. */
private fun tiny: set String {
  ("[0-9.]*/3[12]" + ".*:.*/12[78]").(text/matches)
}

/** A pool from an address to a later one. */
private pred proper [e: OS_Neutron_Subnet_allocation_pools_elements] {
  is_address[e.start] and is_address[e.end] and e.start.(net/rank) <= e.end.(net/rank)
}
