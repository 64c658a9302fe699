module hot/OS_Neutron_RouterInterface
open hot/core
open hot/routing
open hot/types/OS_Neutron_RouterInterface
open hot/types/OS_Neutron_Subnet
open hot/types/OS_Nova_Server
open util/net as net
open hot/networks

/** HOT230 interface-to-nothing: An interface of a router names a subnet or a port.
 *
 *  Heat needs to know what to attach to the router.
 *
 *  @message {i} names neither a subnet nor a port
 *  @at i
 *  @help add `subnet` or `port`
 *  @when text
 *  @openstack refused before deployment
 *  @report routerInterface_either_port_or_subnet
 */
fact routerInterface_either_port_or_subnet {
  all i: OS_Neutron_RouterInterface & Made | some i.named_port or some i.named_subnet
}

/** HOT231 interface-to-both: An interface of a router names a subnet or a port, and not both.
 *
 *  With a subnet, Neutron makes a port with the address of the subnet's gateway; with a port it takes that.
 *
 *  @message {i} names both a subnet and a port
 *  @at i.prop_subnet
 *  @also i.prop_port and a port
 *  @help leave one of them out
 *  @when text
 *  @openstack refused before deployment
 *  @report routerInterface_either_port_or_subnet
 */
fact routerInterface_not_both_port_and_subnet {
  all i: OS_Neutron_RouterInterface | some i.named_port implies no i.named_subnet
}

/** HOT232 port-in-two-interfaces: A port is in one interface of a router.
 *
 *  A port belongs to one device. Neutron refuses to attach it again: "Port … is already in use".
 *
 *  @message {i} and {j} attach the same port
 *  @at j.prop_port
 *  @also i.prop_port {i} attaches it already
 *  @help make a port for each
 *  @when always
 *  @openstack deployment error
 *  @report no_interfaces_with_the_same_port
 */
fact no_interfaces_with_the_same_port {
  all i: OS_Neutron_RouterInterface, p: i.named_port, j: named_port.p | i = j
}

/** HOT233 subnet-attached-twice: A subnet is attached to a router once by its name.
 *
 *  An interface that names a subnet takes the address of the subnet's gateway, and that is free only once. For a second
 *  interface, Neutron says "Router already has a port on subnet …", or, if it is of another router, that the address is in
 *  use. To attach a subnet to two routers, name a port with another address in the second interface.
 *
 *  @message {i} and {j} attach the same subnet {s}
 *  @at j.prop_subnet
 *  @also i.prop_subnet {i} attaches it already
 *  @help remove one, or let one of them name a `port` with another address of {s}
 *  @when always
 *  @openstack deployment error
 */
fact no_interfaces_with_the_same_subnet {
  all i: OS_Neutron_RouterInterface, s: i.named_subnet, j: named_subnet.s | i = j
}

/** HOT234 overlapping-subnets-on-router: The subnets of a router do not overlap.
 *
 *  A router would not know where to send a packet. Neutron refuses the second interface: "Cidr … of subnet … overlaps
 *  with cidr … of subnet …". Subnets of one network are looked at by HOT100.
 *
 *  @message {i} and {j} attach overlapping subnets to one router: {s.prop_cidr} and {t.prop_cidr}
 *  @at j.prop_subnet
 *  @also s.prop_cidr the addresses of {s}
 *  @also t.prop_cidr the addresses of {t}
 *  @help give one of the subnets other addresses
 *  @when always
 *  @openstack deployment error
 */
fact no_overlapping_subnets_on_a_router {
  all i: OS_Neutron_RouterInterface, s: i.named_subnet & OS_Neutron_Subnet,
      t: (OS_Neutron_Subnet <: prop_cidr).(s.prop_cidr.(net/overlaps)) - s,
      j: named_subnet.t - i |
    no s.subnet_network & t.subnet_network implies no i.interface_router & j.interface_router
}

/** HOT235 port-of-router-and-server: A port is of a router or of a server.
 *
 *  A port belongs to one device. Neutron refuses to attach it to a second one: "Port … is already in use".
 *
 *  @message {i} attaches a port to a router that {e.of} has, too
 *  @at i.prop_port
 *  @also e.port the same port
 *  @help make a port for each
 *  @when always
 *  @openstack deployment error
 */
fact no_port_of_a_router_and_a_server {
  all i: OS_Neutron_RouterInterface, p: i.named_port, e: (OS_Nova_Server_networks_elements <: port).p | p not in e.port
}

/** HOT236 interface-without-gateway-address: A subnet that an interface names has a gateway.
 *
 *  An interface that names a subnet takes the address of the subnet's gateway. Where `gateway_ip` is null or empty there is none,
 *  and Neutron refuses the interface: "Subnet for router interface must have a gateway IP".
 *
 *  @message {i} needs the gateway of {s}, which has none
 *  @at i.prop_subnet
 *  @also s.prop_gateway_ip no gateway
 *  @help leave out `gateway_ip` of {s}, or let {i} name a `port`
 *  @when always
 *  @openstack deployment error
 */
fact subnet_of_an_interface_has_a_gateway {
  all i: OS_Neutron_RouterInterface, s: i.named_subnet & OS_Neutron_Subnet |
    "gateway_ip" not in s.nulls and
      (some s.prop_gateway_ip implies some s.prop_gateway_ip.(net/version) & (4 + 6))
}

/** HOT534 interface-port-without-address: The port of a router's interface has an address.
 *
 *  Neutron refuses others: "Router port must have at least one fixed IP". A port has none if its network has no subnet,
 *  or if it says `no_fixed_ips`. Nothing is said of networks that exist already.
 *
 *  @message {p}, the port of {i}, has no address
 *  @at i.prop_port
 *  @also p this port has no address
 *  @help add a OS::Neutron::Subnet to the network of {p}, or leave `no_fixed_ips` out
 *  @when always
 *  @openstack deployment error
 */
fact the_port_of_an_interface_has_an_address {
  all i: OS_Neutron_RouterInterface & Made, p: i.named_port & OS_Neutron_Port & Made - touched {
    p.prop_no_fixed_ips != true
    (no p.prop_fixed_ips and some p.port_network and p.port_network in closed) implies some subnet_network.(p.port_network)
  }
}

/** HOT536 address-of-the-gateway: No server asks for the address of a gateway.
 *
 *  An interface that names a subnet takes the address of the subnet's gateway. Nova refuses a server that asks for it: "Fixed
 *  IP address … is already in use". Of ports, HOT147 says it.
 *
 *  @message {e.of} asks for {g}, which {i} takes as the gateway of {s}
 *  @at e
 *  @also i the interface of the router
 *  @help choose another address, or leave it out
 *  @when always
 *  @openstack deployment error
 */
fact no_server_asks_for_the_address_of_a_gateway {
  all i: OS_Neutron_RouterInterface & Made, s: i.named_subnet & OS_Neutron_Subnet & Made, g: gateway_address[s],
      e: (OS_Nova_Server_networks_elements <: fixed_ip).g |
    no e.attached & s.subnet_network
}

/** HOT553 interface-port-in-two-subnets: The port of a router's interface is in one IPv4 subnet.
 *
 *  Neutron refuses others: "Cannot have multiple IPv4 subnets on router port". For a second subnet there is a second
 *  interface.
 *
 *  @message {p}, the port of {i}, is in two IPv4 subnets, {s} and {t}
 *  @at i.prop_port
 *  @also p this port
 *  @help make a port and an interface for each
 *  @when always
 *  @openstack deployment error
 */
fact the_port_of_an_interface_is_in_one_subnet {
  all i: OS_Neutron_RouterInterface & Made, p: i.named_port & OS_Neutron_Port & Made,
      disj s, t: p.prop_fixed_ips.address_subnet & OS_Neutron_Subnet |
    not (s.range.(net/version) = 4 and t.range.(net/version) = 4)
}
