module hot/OS_Neutron_FloatingIP
open hot/core
open hot/routing
open hot/types/OS_Neutron_FloatingIP
open hot/types/OS_Neutron_Port
open hot/types/OS_Neutron_Subnet
open hot/networks
open hot/types/OS_Neutron_Router
open util/net as net

/** HOT200 floating-network-not-external: A floating IP is of an external network.
 *
 *  Neutron takes floating IPs from networks that an administrator marked as external. A `OS::Neutron::Net` of the
 *  template is not (unless its `value_specs` say `router:external`, or a `OS::Neutron::RBACPolicy` says
 *  `access_as_external`), a `OS::Neutron::ProviderNet` is if it says `router_external: true`. Heat accepts the template,
 *  and then its deployment fails: "Network … is not a valid external network".
 *
 *  @message {f} is a floating IP of {n}, which is not an external network
 *  @at f.prop_floating_network
 *  @also n this network is not external
 *  @help name an external network that exists, or a OS::Neutron::ProviderNet with `router_external: true`
 *  @when always
 *  @openstack deployment error
 */
fact floating_network_must_be_external {
  all f: OS_Neutron_FloatingIP, n: f.floating_network | n not in internal
}

/** HOT201 floating-ip-not-routed: A router connects the port of a floating IP with the external network.
 *
 *  The router that translates addresses must have its gateway in the network of the floating IP and an interface in a
 *  subnet of the port. If there is none, Neutron refuses the floating IP: "External network … is not reachable from subnet
 *  …". Nothing is said if a subnet, a router or the port exists already, or if a resource of another type (a
 *  nested template, for example) refers to one of them, since that may add what is missing. Heat creates a floating IP
 *  after all interfaces to subnets of the template, if it refers to its port.
 *
 *  @message no router connects {p}, the port of {f}, with the network of the floating IP
 *  @at f.prop_port_id
 *  @also p this port cannot be reached from outside
 *  @help give a router a gateway in that network, and a OS::Neutron::RouterInterface to the subnet of {p}
 *  @when always
 *  @openstack deployment error
 */
fact floating_ip_must_be_reachable {
  all f: OS_Neutron_FloatingIP, p: f.prop_port_id & settled_ports |
    some f.floating_network - internal implies some leading[p, f.floating_network]
}

/** HOT203 fixed-address-without-port: A floating IP names an address of a port together with the port.
 *
 *  `fixed_ip_address` chooses one of the addresses of the port in `port_id`.
 *
 *  @message {f} has a `fixed_ip_address` and no `port_id`
 *  @at f.prop_fixed_ip_address
 *  @help add `port_id`, or leave `fixed_ip_address` out
 *  @when text
 *  @openstack refused before deployment
 */
fact fixed_ip_address_needs_port_id {
  all f: OS_Neutron_FloatingIP | some f.prop_fixed_ip_address implies some f.prop_port_id
}

/** HOT204 floating-subnet-of-another-network: The subnet of a floating IP is one of its network.
 *
 *  Neutron looks for a free address of `floating_subnet` in `floating_network`.
 *
 *  @message the floating IP {f} is of {n}, but its subnet {s} is not
 *  @at f.prop_floating_subnet
 *  @also s.prop_network {s} is a subnet of this network
 *  @help name a subnet of {n}, or leave `floating_subnet` out
 *  @when always
 *  @openstack deployment error
 *  @report floating_subnet_must_belong_to_floating_network
 */
fact floating_subnet_must_belong_to_floating_network {
  all f: OS_Neutron_FloatingIP, s: f.prop_floating_subnet & OS_Neutron_Subnet & Made, n: f.floating_network |
    some s.subnet_network implies some s.subnet_network & maybe[n]
}

/** HOT205 duplicate-floating-address: Two floating IPs of a network have different addresses.
 *
 *  Neutron refuses the second: the address is in use.
 *
 *  @message {f} and {g} ask for the same address {f.prop_floating_ip_address}
 *  @at g.prop_floating_ip_address
 *  @also f.prop_floating_ip_address {f} has it already
 *  @help leave it out: Neutron chooses one
 *  @when always
 *  @openstack deployment error
 *  @report a_floating_ip_address_cannot_be_used_more_than_once
 */
fact a_floating_ip_address_cannot_be_used_more_than_once {
  all disj f, g: OS_Neutron_FloatingIP |
    (some f.prop_floating_ip_address and f.prop_floating_ip_address = g.prop_floating_ip_address)
      implies no f.floating_network & g.floating_network
}

/** HOT206 two-floating-ips-for-one-address: An address of a port has one floating IP of a network.
 *
 *  Neutron refuses the second: "Cannot associate floating IP … using fixed IP …, as that fixed IP already has a floating IP
 *  on external network …". A port with several addresses can have a floating IP for each, if `fixed_ip_address` says
 *  which.
 *
 *  @message {f} and {g} are floating IPs of the same network for the same address of {f.prop_port_id}
 *  @at g.prop_port_id
 *  @also f.prop_port_id {f} leads there already
 *  @help remove one, or say by `fixed_ip_address` for which address of the port each is
 *  @when always
 *  @openstack deployment error
 *  @report no_floating_ips_on_the_same_subnet_and_net_attached_to_the_same_port
 */
fact no_floating_ips_on_the_same_subnet_and_net_attached_to_the_same_port {
  all disj f, g: OS_Neutron_FloatingIP |
    (some f.prop_port_id and f.prop_port_id = g.prop_port_id and some f.floating_network & g.floating_network)
      implies (some f.prop_fixed_ip_address and some g.prop_fixed_ip_address
        and f.prop_fixed_ip_address != g.prop_fixed_ip_address)
}

/** HOT207 fixed-address-not-of-port: The address that a floating IP stands for is one of its port.
 *
 *  Neutron refuses others: "Port … does not have fixed ip …". Nothing is said of ports whose addresses Neutron
 *  chooses.
 *
 *  @message {p} does not have the address {f.prop_fixed_ip_address} that {f} stands for
 *  @at f.prop_fixed_ip_address
 *  @also p.prop_fixed_ips.ip_address {p} has this address
 *  @help name an address of {p}, or leave `fixed_ip_address` out
 *  @when always
 *  @openstack deployment error
 */
fact fixed_ip_address_must_be_one_of_the_port {
  all f: OS_Neutron_FloatingIP, p: f.prop_port_id & OS_Neutron_Port & Made |
    (some f.prop_fixed_ip_address and some p.prop_fixed_ips
      and (all e: p.prop_fixed_ips | some e.ip_address))
      implies f.prop_fixed_ip_address in p.prop_fixed_ips.ip_address
}

/** HOT212 floating-ip-without-address: The port of a floating IP has an IPv4 address.
 *
 *  Neutron translates a floating IP to an IPv4 address of the port and refuses a port without one: "Cannot add floating IP
 *  to port … that has no fixed IPv4 addresses". A port has none if its network has no subnet, if all its subnets are of
 *  IPv6, or if it says `no_fixed_ips`. Nothing is said of networks that exist already.
 *
 *  @message {p}, the port of {f}, has no IPv4 address
 *  @at f.prop_port_id
 *  @also p this port has no IPv4 address
 *  @help add a OS::Neutron::Subnet with IPv4 addresses to the network of {p}
 *  @when always
 *  @openstack deployment error
 */
fact port_of_a_floating_ip_has_an_address {
  all f: OS_Neutron_FloatingIP, p: f.prop_port_id & known_ports | p in settled_ports
}

/** HOT437 floating-ip-after-interface: A floating IP is deleted before the interface that it needs.
 *
 *  Neutron does not let an interface of a router go while a floating IP needs it. Heat deletes the floating IP first if
 *  its port names the subnet in `fixed_ips`. Otherwise it deletes both at the same time, and it is a matter of luck
 *  whether that succeeds: "Router interface … cannot be deleted, as it is required by one or more floating IPs".
 *
 *  @severity warning
 *  @message {f} needs {i}, but may be deleted after it, which Neutron refuses
 *  @at f
 *  @also i the port of {f} is reached by this interface
 *  @help add `depends_on: {i}` to {f}, or name the subnet in `fixed_ips` of {p}
 *  @when delete
 *  @openstack the deletion fails, at times
 */
fact floating_ip_is_deleted_before_the_interface {
  all f: OS_Neutron_FloatingIP & Made, p: f.prop_port_id & settled_ports, i: leading[p, f.floating_network] |
    some p.prop_fixed_ips or some f.^references & leading[p, f.floating_network]
}

/** HOT526 floating-network-without-ipv4: The network of a floating IP has a subnet of IPv4.
 *
 *  Neutron takes the address from a subnet of the external network: "Network … does not contain any IPv4 subnet". Nothing
 *  is said of networks that exist already, or that other parts of the template may add subnets to.
 *
 *  @message {f} is a floating IP of {n}, which has no subnet of IPv4
 *  @at f.prop_floating_network
 *  @also n this network
 *  @help add a OS::Neutron::Subnet of that network
 *  @when always
 *  @openstack deployment error
 */
fact a_floating_network_has_a_subnet {
  all f: OS_Neutron_FloatingIP & Made, n: f.floating_network & closed - internal | some subnet_network.n - ipv6_subnets
}

/** It is an address of the range of a subnet, and neither the first nor the last one where these mean something else. */
private pred gives_out [s: OS_Neutron_Subnet, a: String] {
  a in s.range.(net/contains)
  a not in s.range.(net/first + net/last) or s.range.(net/prefix_length) >= 31
}

/** HOT527 floating-address-outside: The address of a floating IP is one of its network.
 *
 *  Neutron refuses others, and those of the network itself and of broadcasts: "IP address … is not a valid IP for any of
 *  the subnets on the specified network".
 *
 *  @message {f} asks for {f.prop_floating_ip_address}, which no subnet of {n} has
 *  @at f.prop_floating_ip_address
 *  @also n the network
 *  @help choose an address of a subnet of the network, or leave it out
 *  @when always
 *  @openstack deployment error
 */
fact a_floating_address_is_of_its_network {
  all f: OS_Neutron_FloatingIP & Made, n: f.floating_network & closed - internal |
    (some f.prop_floating_ip_address and is_address[f.prop_floating_ip_address] and some subnet_network.n) implies
      some s: subnet_network.n | no s.prop_cidr or gives_out[s, f.prop_floating_ip_address]
}

/** HOT528 floating-address-of-a-gateway: A floating IP does not ask for the address of a router.
 *
 *  The gateway of a router has an address of the external network, too. Neutron gives each out once: "IP address …
 *  already allocated in subnet …".
 *
 *  @message {f} asks for {f.prop_floating_ip_address}, which is the address of {e.of}
 *  @at f.prop_floating_ip_address
 *  @also e.ip_address {e.of} has it
 *  @help choose another address for one of them
 *  @when always
 *  @openstack deployment error
 */
fact a_floating_address_is_of_no_router {
  all f: OS_Neutron_FloatingIP & Made, e: OS_Neutron_Router_external_gateway_info_external_fixed_ips_elements |
    (some f.prop_floating_ip_address and f.prop_floating_ip_address = e.ip_address) implies
      no f.floating_network & e.of.own_gateway
}

/** HOT552 floating-address-of-a-port: A floating IP does not ask for the address of a port.
 *
 *  Ports may be in an external network, too. Neutron gives each address out once: "IP address … already allocated in
 *  subnet …".
 *
 *  @message {f} asks for {f.prop_floating_ip_address}, which is the address of {p}
 *  @at f.prop_floating_ip_address
 *  @also e.ip_address {p} has it
 *  @help choose another address for one of them
 *  @when always
 *  @openstack deployment error
 */
fact a_floating_address_is_of_no_port {
  all f: OS_Neutron_FloatingIP & Made, p: OS_Neutron_Port & Made, e: p.prop_fixed_ips |
    (some f.prop_floating_ip_address and f.prop_floating_ip_address = e.ip_address) implies
      no f.floating_network & p.port_network
}
