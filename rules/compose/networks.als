module compose/networks
open compose/core
open util/net as net
open util/text as text

/** CMP256 extra-host-address: An extra host has an address.
 *
 *  @message {s} gives the host {x.option} the address {x.value}, which is none
 *  @at x.value
 *  @help write an address, or `host-gateway`; for the name of a service use `links` or an alias
 *  @when always
 *  @openstack the container is not created: "invalid IP address in add-host"
 */
fact extra_hosts_have_addresses {
  all s: Service, x: s.settings & key."extra_hosts" |
    x.value = "host-gateway" or some x.value.(net/version) or x.value in "\\[.*\\]".(text/matches)
}

/** CMP260 gateway-without-subnet: A gateway, a range and reserved addresses stand with a subnet.
 *
 *  @message {n} has an address {a} of a pool without a subnet
 *  @at p.(gateway + ip_range + reserved)
 *  @help add `subnet`
 *  @when always
 *  @openstack the network is not created: "invalid CIDR address"
 */
fact pools_have_subnets {
  all n: made, p: n.pools, a: p.(gateway + ip_range + reserved) | some p.subnet
}

/** Networks that are made. */
private fun made: set Network { Service.networks.network - (Network <: external).true }

/** CMP261 subnet-malformed: A subnet is an address with the length of its prefix.
 *
 *  @message the subnet {p.subnet} of {n} is none
 *  @at p.subnet
 *  @help write for example `10.20.0.0/24`
 *  @when always
 *  @openstack the network is not created: "invalid CIDR address"
 */
fact subnets_are_read {
  all n: made, p: n.pools | some p.subnet implies some p.subnet.(net/version) and p.subnet in "(?s).*/[0-9]+".(text/matches)
}

/** CMP262 address-malformed: A fixed address is an address.
 *
 *  @message {s} asks for the address {a} in {r.network}, which is none
 *  @at r.address
 *  @help write for example `10.20.0.7`
 *  @when always
 *  @openstack the container is not created: "invalid IPv4 address"
 */
fact addresses_are_read {
  all s: Service, r: s.networks, a: r.address | some a.(net/version) and a not in "(?s).*/.*".(text/matches)
}

/** CMP263 network-driver: The driver of a network is there.
 *
 *  All that Docker does not bring along are plugins that must be installed.
 *
 *  @severity warning
 *  @message the network {n} has the driver {x.value}, which is not one of Docker's own
 *  @at x.value
 *  @help write `bridge`, `overlay`, `macvlan` or `ipvlan`, or install the plugin
 *  @when end
 *  @openstack the network is not created: "plugin not found"
 */
fact drivers_of_networks_are_there {
  all n: made, x: n.settings & key."driver" |
    x.value in (drivers + "(?s).*[/:].*|weave.*|calico.*").(text/matches)
}

private fun drivers: set String {
  "bridge|overlay|macvlan|ipvlan|host|none|null|default|nat|transparent|l2bridge|l2tunnel|ics|internal|private"
}

/** CMP264 network-of-host-made: The networks `host` and `none` are not made anew.
 *
 *  @message the network {n} has the driver {x.value}, of which Docker has the one network already
 *  @at x.value
 *  @help write `network_mode: {x.value}` at the service
 *  @when always
 *  @openstack the network is not created: "only one instance of … network is allowed"
 */
fact networks_of_the_host_are_not_made {
  all n: made, x: n.settings & key."driver" | x.value not in "host" + "none" + "null"
}

/** CMP265 driver-option: The options of a network can be read.
 *
 *  The name of a bridge has at most 15 characters, the MTU is a number, and what is switched on or off is a truth
 *  value.
 *
 *  @message the network {n} has {x.value} as {x.option}, which Linux does not allow
 *  @at x.value
 *  @help give a name of at most 15 characters, a number, or `"true"`
 *  @when always
 *  @openstack the network is not created
 */
fact options_of_networks_are_read {
  all n: made, x: n.settings & key."driver_opts" |
    (x.option = "com.docker.network.bridge.name" implies x.value.(text/length) <= 15)
    and (x.option = "com.docker.network.driver.mtu" implies x.value in "[0-9]+".(text/matches))
    and (x.option in switches.(text/matches) implies x.value in truth.(text/matches))
    and (x.option = "ipvlan_mode" implies x.value in "l2|l3|l3s".(text/matches))
}

private fun switches: set String { "com\\.docker\\.network\\.bridge\\.(enable_icc|enable_ip_masquerade|inhibit_ipv4)" }

private fun truth: set String { "1|0|[tT]|[fF]|true|True|TRUE|false|False|FALSE" }

/** CMP266 ipam-driver: The driver of addresses is there.
 *
 *  @severity warning
 *  @message the network {n} has the driver of addresses {x.value}, which is not one of Docker's own
 *  @at x.value
 *  @help write `default`, or install the plugin
 *  @when end
 *  @openstack the network is not created: "plugin not found"
 */
fact drivers_of_addresses_are_there {
  all n: made, x: n.settings & key."ipam.driver" | x.value in "(?s)default|null|dhcp|windows|host-local|.*[/:].*".(text/matches)
}

/** CMP267 port-of-internal-network: A service that publishes ports is in a network that is not internal.
 *
 *  An internal network has no way to the outside, so Docker publishes nothing, and says nothing.
 *
 *  @severity warning
 *  @message {s} publishes port {p.target}, and all its networks are internal
 *  @at p.target
 *  @help put it in a network without `internal: true` too
 *  @when end
 *  @openstack the container starts, and nothing listens at the port
 */
fact ports_need_a_way_out {
  all s: Service, p: s.ports |
    some s.networks implies some s.networks.network - (internal.true - (Network <: external).true)
}

/** CMP268 gateway-unusable: A gateway is not the first address of its subnet, and not the last.
 *
 *  The first address stands for the network itself, and the last one for all that is in it.
 *
 *  @message the gateway {p.gateway} of {n} is the first or the last address of {p.subnet}
 *  @at p.gateway
 *  @also p.subnet the subnet
 *  @help choose another address of the subnet, usually the second one
 *  @when always
 *  @openstack the network is not created: "failed to allocate gateway … Address already in use"
 */
fact gateways_are_usable {
  all n: made, p: n.pools |
    p.subnet.(net/version) = 4 and p.subnet.(net/prefix_length) <= 30
      implies no p.gateway & (p.subnet.(net/first) + p.subnet.(net/last))
}

/** CMP269 subnets-of-bridge: A bridge has one subnet for each version of IP.
 *
 *  @message {n} is a bridge, and has the subnets {p.subnet} and {q.subnet} of one version of IP
 *  @at q.subnet
 *  @also p.subnet the other
 *  @help make a second network, or give one larger subnet
 *  @when always
 *  @openstack the network is not created: "bridge driver doesn't support multiple subnets"
 */
fact bridges_have_one_subnet_for_each_version {
  all n: made, p, q: n.pools |
    n.driver = "bridge" and p != q and some p.subnet.(net/version)
      implies p.subnet.(net/version) != q.subnet.(net/version)
}
