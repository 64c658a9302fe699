module hot/reach
open hot/core
open hot/routing
open hot/networks
open hot/types/OS_Neutron_Net
open hot/types/OS_Neutron_ProviderNet
open hot/types/OS_Neutron_Subnet
open hot/types/OS_Neutron_Port
open hot/types/OS_Nova_Server
open hot/types/OS_Neutron_FloatingIP
open hot/types/OS_Neutron_RouterInterface

/** The networks of a server, as far as they are known. */
fun server_network: OS_Nova_Server->Location {
  (OS_Nova_Server <: prop_networks).((OS_Nova_Server_networks_elements <: network)
      + (OS_Nova_Server_networks_elements <: uuid)
      + (OS_Nova_Server_networks_elements <: port).port_network
      + (OS_Nova_Server_networks_elements <: subnet).subnet_network)
}

/** The items of `networks` of which it is known which network they mean. */
fun clear_items: set OS_Nova_Server_networks_elements {
  ((OS_Nova_Server_networks_elements <: network) + (OS_Nova_Server_networks_elements <: uuid)).Location
    + (OS_Nova_Server_networks_elements <: port).(port_network.Location)
    + (OS_Nova_Server_networks_elements <: subnet).(subnet_network.Location)
}

/** Networks of the template that are not provided by the data centre, or are external: others may have routers outside. */
fun private_or_external: set Resource {
  OS_Neutron_Net + (OS_Neutron_ProviderNet <: prop_router_external).true
}

/** Networks that no router is attached to: those of the template with subnets and without an interface, and those in
 *  which routers have their gateways. */
fun routerless: set Location {
  ((private_or_external & Made & OS_Neutron_Subnet.subnet_network) - touched
      - touched.subnet_network - touched.port_network - univ.interface_subnet.subnet_network
      - univ.named_port.port_network)
    + ((univ.gateway + univ.floating_network) & External)
}

/** HOT260 server-without-router: A server is on a network with a router.
 *
 *  When a server starts, cloud-init asks the metadata service at 169.254.169.254 for its name, its SSH keys and its
 *  `user_data`. Where Neutron's metadata proxy runs in routers only, a server without a router gets no answer: Heat says
 *  `CREATE_COMPLETE`, and the server cannot be used. A network in which routers have their gateways does not help:
 *  they answer on their inner side only.
 *
 *  This does not matter if the cloud answers on networks without routers, too (`enable_isolated_metadata` or
 *  `force_metadata` of the DHCP agent; OVN does), if Nova gives every server a configuration drive
 *  (`force_config_drive`), or if the image needs nothing of all this. Nothing is said of servers with
 *  `config_drive: true`, nor of networks that exist already unless the template shows that they are external.
 *
 *  @severity warning
 *  @message {v} is on no network with a router: cloud-init may not reach the metadata service
 *  @at v.prop_networks.network no router is attached here
 *  @help attach a subnet of the network to a router by a OS::Neutron::RouterInterface, or say `config_drive: true`
 *  @when end
 *  @openstack nothing: the deployment succeeds and the server is useless
 */
fact a_server_is_on_a_network_with_a_router {
  all v: OS_Nova_Server & Made |
    (some v.prop_networks and v.prop_networks in clear_items and v.prop_config_drive != true)
      implies some v.server_network - routerless
}

/** The networks of the floating IPs of a server; of one that exists already, any may be it. */
fun server_floating_network [v: Resource]: set Location {
  some v.references & OS_Neutron_FloatingIP
    implies (v.references & OS_Neutron_FloatingIP).floating_network else Location
}

/** HOT208 server-floating-ip-not-routed: A router connects a server with the network of its floating IP.
 *
 *  The router that translates addresses must have its gateway in the network of the floating IP and an interface in a
 *  subnet of the server's port. If there is none, Neutron refuses the floating IP: "External network … is not reachable
 *  from subnet …". Nothing is said if a subnet, a router or the port exists already, or if a resource of another type
 *  refers to one of them, since that may add what is missing.
 *
 *  @message no router connects {p}, the port of {e.of}, with the network of its floating IP
 *  @at e.floating_ip
 *  @also p this port cannot be reached from outside
 *  @help give a router a gateway in that network, and a OS::Neutron::RouterInterface to the subnet of {p}
 *  @when always
 *  @openstack deployment error
 */
fact floating_ip_of_a_server_must_be_reachable {
  all e: OS_Nova_Server_networks_elements, p: e.port & settled_ports |
    (some e.floating_ip and some server_floating_network[e.of] - internal)
      implies some leading[p, server_floating_network[e.of]]
}

/** HOT209 server-before-router: A server with a floating IP is created after the interface that it needs.
 *
 *  Heat gives the server its floating IP when it creates it. That needs the interface of the router to the subnet of the
 *  server's port, but the server does not refer to it, and Heat does not add this order. So it is a matter of luck whether
 *  the interface is there in time ("External network … is not reachable from subnet …").
 *
 *  @severity warning
 *  @message {e.of} needs {i} for its floating IP, but may be created before it
 *  @at e.floating_ip
 *  @also i the port {p} is reached by this interface
 *  @help add `depends_on: {i}` to {e.of}
 *  @when end
 *  @openstack deployment error, at times
 */
fact server_with_floating_ip_after_router_interface {
  all e: OS_Nova_Server_networks_elements, p: e.port & settled_ports,
      i: leading[p, server_floating_network[e.of]] |
    some e.floating_ip implies comes_after[e.of, leading[p, server_floating_network[e.of]]]
}

/** HOT438 network-without-subnet: A server is on a network that has a subnet.
 *
 *  Nova refuses a network without: "Network … requires a subnet in order to boot instances on", and a port in one: "Port …
 *  requires a FixedIP in order to be used". Nothing is said of networks that exist already, or that other parts of the
 *  template may add subnets to.
 *
 *  @message {v} is on {n}, which has no subnet
 *  @at e
 *  @also n the network
 *  @help add a OS::Neutron::Subnet of that network
 *  @when always
 *  @openstack deployment error
 */
fact the_network_of_a_server_has_a_subnet {
  all v: OS_Nova_Server & Made, e: v.prop_networks,
      n: ((some e.port implies none else e.network + e.uuid) + (e.port & Made - touched).port_network) & closed |
    some subnet_network.n
}

/** HOT439 server-without-networks: A server says which networks it is on.
 *
 *  From its API 2.37 on Nova wants to be told, and Heat, which uses the newest, tells it nothing without `networks`: "nics
 *  are required after microversion 2.36". A cloud whose Heat is held back by `max_nova_api_microversion` takes the only
 *  network of the project.
 *
 *  @message {v} has no `networks`
 *  @at v
 *  @help add `networks`; an item `allocate_network: auto` leaves the choice to Nova
 *  @when always
 *  @openstack deployment error
 */
fact a_server_says_which_networks {
  all v: OS_Nova_Server & Made | some v.prop_networks
}
