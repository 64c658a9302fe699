module compose/addresses
open compose/core
open util/net as net

/** CMP110 address-outside-subnet: A fixed address is in a subnet of its network.
 *
 *  @message {s} asks for the address {a} in the network {n}, which has {n.pools.subnet}
 *  @at r.address
 *  @also n.pools.subnet the subnet
 *  @help choose an address of the subnet
 *  @when always
 *  @openstack the container does not start: "no configured subnet contains IP address"
 */
fact fixed_addresses_are_in_a_subnet {
  all s: Service, r: s.networks, a: r.address, n: r.network |
    is_address[a] and some same_version[n, a] implies a in same_version[n, a].(net/contains)
}

/** Subnets of a network with addresses like this one. */
private fun same_version [n: Network, a: String]: set String { n.pools.subnet & net/version.(a.(net/version)) }

private pred is_address [a: String] { some a.(net/version) }

/** CMP111 address-twice: An address is given to one service only.
 *
 *  @message {r.of} and {q.of} ask for the same address {r.address} in the network {r.network}
 *  @at q.address
 *  @also r.address {r.of} asks for it here
 *  @help give one of them another address, or none
 *  @when always
 *  @openstack the second container does not start: "Address already in use"
 */
fact addresses_are_given_once {
  all r: NetworkRole, q: (NetworkRole <: address).(r.address) - r |
    r.network != q.network
}

/** CMP112 address-of-gateway: No service has the address of a gateway, of the subnet itself, or one that is reserved.
 *
 *  The first address of a subnet is that of the network, and Docker gives the next one to the gateway unless the file says
 *  another.
 *
 *  @message {s} asks for the address {a}, which is taken in the network {n}
 *  @at r.address
 *  @also n.pools.subnet the subnet
 *  @help choose another address
 *  @when always
 *  @openstack the container does not start: "Address already in use"
 */
fact fixed_addresses_are_free {
  all s: Service, r: s.networks, a: r.address, n: r.network |
    a not in n.pools.(gateway + reserved) + n.pools.subnet.(net/first) + standard_gateway[n]
      and (a.(net/version) = 4 implies a not in n.pools.subnet.(net/last))
}

private fun standard_gateway [n: Network]: set String {
  (n.pools - gateway.String - ip_range.String).subnet.(net/second)
}

/** CMP113 address-of-replicas: A service with several containers asks for no fixed address.
 *
 *  @message {s} has {s.replicas} containers, and all of them ask for the address {a}
 *  @at r.address
 *  @also s.replicas so many containers
 *  @help remove the address
 *  @when always
 *  @openstack all containers but the first do not start
 */
fact replicas_do_not_share_an_address {
  all s: Service, r: s.networks, a: r.address | some a implies s.replicas <= 1
}

/** CMP114 pools-overlap: Subnets do not overlap.
 *
 *  Docker makes no network with addresses that another one has.
 *
 *  @message the subnets {p.subnet} of {p.of} and {q.subnet} of {q.of} overlap
 *  @at q.subnet
 *  @also p.subnet the other
 *  @help choose a range that no other network has
 *  @when always
 *  @openstack the network is not created: "Pool overlaps with other one on this address space"
 */
fact subnets_do_not_overlap {
  all p: Pool, q: subnet.(p.subnet.(net/overlaps)) - p | not (p.of.driver in standard and q.of.driver in standard)
}

/** Drivers whose networks have addresses of one space; none stands for `bridge`. */
private fun standard: set String { "bridge" + "overlay" }

/** CMP115 gateway-outside-subnet: The gateway, the range and the reserved addresses of a pool are in its subnet.
 *
 *  @message {a} is not in the subnet {p.subnet} of the network {n}
 *  @at p.subnet
 *  @help choose one that is
 *  @when always
 *  @openstack the network is not created
 */
fact pools_are_within_their_subnet {
  all n: Network, p: n.pools, a: p.(gateway + ip_range + reserved) |
    is_address[a] and some p.subnet.(net/version) implies a in p.subnet.(net/contains)
}

/** CMP116 address-without-subnet: A fixed address needs a network with a subnet that the file gives.
 *
 *  Docker takes addresses only in networks whose subnet the user has configured.
 *
 *  @message {s} asks for the address {a} in the network {n}, which has no subnet of its own
 *  @at r.address
 *  @also n.name the network
 *  @help give the network `ipam: { config: [ { subnet: … } ] }`
 *  @when always
 *  @openstack the container does not start: "user configured subnet" is missing
 */
fact fixed_addresses_need_a_subnet {
  all s: Service, r: s.networks, a: r.address, n: r.network - (Network <: external).true |
    some a implies some n.pools.subnet
}

/** CMP117 pool-may-overlap: A subnet is not one that Docker may give to another network of the same file.
 *
 *  Docker takes the ranges of networks without a subnet from 172.17.0.0/16 up to 172.31.0.0/16, and then from 192.168.0.0/16.
 *  It makes networks in no particular order, so it may already have given the range away to another network of this project.
 *
 *  @severity note
 *  @message the subnet {p.subnet} of {n} is one that Docker may give to {m}, which has none
 *  @at p.subnet
 *  @also m.name Docker chooses its subnet
 *  @help give all networks a subnet, or choose one outside of Docker's own ranges
 *  @when end
 *  @openstack works or fails, depending on the order
 */
fact subnets_are_not_those_of_docker {
  all n: Network, p: n.pools, m: Network - (Network <: external).true |
    some p.subnet & ("172.16.0.0/12" + "192.168.0.0/16").(net/contains) implies some m.pools.subnet
}
