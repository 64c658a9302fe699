module hot/OS_Neutron_FloatingIPAssociation
open hot/core
open hot/routing
open hot/types/OS_Neutron_FloatingIPAssociation
open hot/types/OS_Neutron_FloatingIP
open hot/types/OS_Neutron_Port
open hot/types/OS_Neutron_RouterInterface

/** The external networks of a floating IP that an association is about; of one that exists already, any may be it. */
fun outer [a: OS_Neutron_FloatingIPAssociation]: set Location {
  some a.references & OS_Neutron_FloatingIP
    implies (a.references & OS_Neutron_FloatingIP).floating_network else Location
}

/** HOT210 association-not-routed: A router connects the port of an association with the external network.
 *
 *  The router that translates addresses must have its gateway in the network of the floating IP and an interface in a
 *  subnet of the port. If there is none, Neutron refuses it: "External network … is not reachable from subnet …".
 *  Nothing is said if a subnet, a router or the port exists already, or if a resource of another type refers to one of
 *  them, since that may add what is missing.
 *
 *  @message no router connects {p}, the port of {a}, with the network of the floating IP
 *  @at a.prop_port_id
 *  @also p this port cannot be reached from outside
 *  @help give a router a gateway in that network, and a OS::Neutron::RouterInterface to the subnet of {p}
 *  @when always
 *  @openstack deployment error
 */
fact floating_ip_association_must_be_reachable {
  all a: OS_Neutron_FloatingIPAssociation, p: a.prop_port_id & settled_ports |
    some outer[a] - internal implies some leading[p, outer[a]]
}

/** HOT211 association-before-router: An association is created after the interface that it needs.
 *
 *  Heat creates what does not depend on each other at the same time. An association needs the interface of the
 *  router to the subnet of the port, but does not refer to it. Heat adds this order only where the port has
 *  `fixed_ips`. Otherwise it is a matter of luck whether the interface is there in time ("External network
 *  … is not reachable from subnet …"), and whether it can be deleted ("Router interface … cannot be deleted, as it is
 *  required by one or more floating IPs").
 *
 *  @message {a} needs {i}, but may be created before it and deleted after it
 *  @at a
 *  @also i the port of {a} is reached by this interface
 *  @help add `depends_on: {i}` to {a}, or name the subnet in `fixed_ips` of {p}
 *  @when always
 *  @openstack deployment error, or the deletion fails
 */
fact floating_ip_association_after_router_interface {
  all a: OS_Neutron_FloatingIPAssociation, p: a.prop_port_id & settled_ports, i: leading[p, outer[a]] |
    some p.prop_fixed_ips or comes_after[a, leading[p, outer[a]]]
}

/** HOT529 association-of-foreign-address: The address that an association is about is one of its port.
 *
 *  Neutron refuses others: "Port … does not have fixed ip …". Nothing is said of ports whose addresses Neutron chooses.
 *
 *  @message {p} does not have the address {a.prop_fixed_ip_address} that {a} is about
 *  @at a.prop_fixed_ip_address
 *  @also p.prop_fixed_ips.ip_address {p} has this address
 *  @help name an address of {p}, or leave `fixed_ip_address` out
 *  @when always
 *  @openstack deployment error
 */
fact an_association_is_about_an_address_of_its_port {
  all a: OS_Neutron_FloatingIPAssociation & Made, p: a.prop_port_id & OS_Neutron_Port & Made |
    (some a.prop_fixed_ip_address and some p.prop_fixed_ips and (all e: p.prop_fixed_ips | some e.ip_address))
      implies a.prop_fixed_ip_address in p.prop_fixed_ips.ip_address
}

/** HOT530 two-associations-of-one-address: An address of a port has one floating IP of a network.
 *
 *  Neutron refuses the second: "Cannot associate floating IP … using fixed IP …, as that fixed IP already has a floating
 *  IP on external network …". A port with several addresses can have a floating IP for each, if `fixed_ip_address` says
 *  which.
 *
 *  @message {a} and {b} give floating IPs of the same network to the same address of {a.prop_port_id}
 *  @at b.prop_port_id
 *  @also a.prop_port_id {a} gives it one already
 *  @help remove one, or say by `fixed_ip_address` for which address of the port each is
 *  @when always
 *  @openstack deployment error
 */
fact an_address_has_one_association {
  all disj a, b: OS_Neutron_FloatingIPAssociation |
    (some a.prop_port_id and a.prop_port_id = b.prop_port_id and a.prop_floatingip_id != b.prop_floatingip_id
      and some (a.prop_floatingip_id & OS_Neutron_FloatingIP).floating_network
        & (b.prop_floatingip_id & OS_Neutron_FloatingIP).floating_network)
      implies (some a.prop_fixed_ip_address and some b.prop_fixed_ip_address
        and a.prop_fixed_ip_address != b.prop_fixed_ip_address)
}
