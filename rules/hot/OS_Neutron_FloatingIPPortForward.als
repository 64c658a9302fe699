module hot/OS_Neutron_FloatingIPPortForward
open hot/core
open hot/routing
open hot/types/OS_Neutron_FloatingIPPortForward
open hot/types/OS_Neutron_FloatingIP
open hot/types/OS_Neutron_Port
open hot/types/OS_Neutron_RouterInterface
open hot/types/OS_Neutron_FloatingIPAssociation

/** The external networks of a floating IP that a forwarding is about; of one that exists already, any may be it. */
fun outer [a: OS_Neutron_FloatingIPPortForward]: set Location {
  some a.references & OS_Neutron_FloatingIP
    implies (a.references & OS_Neutron_FloatingIP).floating_network else Location
}

/** HOT213 forwarding-not-routed: A router connects the port of a forwarding with the external network.
 *
 *  The router that translates addresses must have its gateway in the network of the floating IP and an interface in a
 *  subnet of the port. If there is none, Neutron refuses it: "External network … is not reachable from subnet …".
 *  Nothing is said if a subnet, a router or the port exists already, or if a resource of another type refers to one of
 *  them, since that may add what is missing.
 *
 *  @message no router connects {p}, the port of {a}, with the network of the floating IP
 *  @at a.prop_internal_port
 *  @also p this port cannot be reached from outside
 *  @help give a router a gateway in that network, and a OS::Neutron::RouterInterface to the subnet of {p}
 *  @when always
 *  @openstack deployment error
 */
fact port_forward_must_be_reachable {
  all a: OS_Neutron_FloatingIPPortForward, p: a.prop_internal_port & settled_ports |
    some outer[a] - internal implies some leading[p, outer[a]]
}

/** HOT214 forwarding-before-router: A forwarding is created after the interface that it needs.
 *
 *  Heat creates what does not depend on each other at the same time. A forwarding needs the interface of the
 *  router to the subnet of the port, but does not refer to it. Heat adds this order only where the port has
 *  `fixed_ips`. Otherwise it is a matter of luck whether the interface is there in time ("External network
 *  … is not reachable from subnet …"), and whether it can be deleted ("Router interface … cannot be deleted, as it is
 *  required by one or more floating IPs").
 *
 *  @severity warning
 *  @message {a} needs {i}, but may be created before it and deleted after it
 *  @at a
 *  @also i the port of {a} is reached by this interface
 *  @help add `depends_on: {i}` to {a}, or name the subnet in `fixed_ips` of {p}
 *  @when end
 *  @openstack deployment error, at times
 */
fact port_forward_after_router_interface {
  all a: OS_Neutron_FloatingIPPortForward, p: a.prop_internal_port & settled_ports, i: leading[p, outer[a]] |
    some p.prop_fixed_ips or comes_after[a, leading[p, outer[a]]]
}

/** HOT215 port-forwarded-twice: A port of a floating IP is forwarded once.
 *
 *  Neutron refuses a second forwarding of the same external port and protocol of a floating IP.
 *
 *  @message {a} and {b} forward the same port {a.prop_external_port} of the same floating IP
 *  @at b.prop_external_port
 *  @also a.prop_external_port {a} forwards it already
 *  @help choose another `external_port`
 *  @when always
 *  @openstack deployment error
 */
fact external_port_forwarded_once {
  all disj a, b: OS_Neutron_FloatingIPPortForward |
    (a.prop_external_port = b.prop_external_port and a.prop_protocol = b.prop_protocol
      and one a.references & OS_Neutron_FloatingIP)
      implies a.references & OS_Neutron_FloatingIP != b.references & OS_Neutron_FloatingIP
}

/** HOT531 forwarding-to-foreign-address: A forwarding leads to an address of its port.
 *
 *  Neutron refuses others: "Requested internal IP address … does not correspond to internal neutron port". Nothing is
 *  said of ports whose addresses Neutron chooses.
 *
 *  @message {p} does not have the address {a.prop_internal_ip_address} that {a} leads to
 *  @at a.prop_internal_ip_address
 *  @also p.prop_fixed_ips.ip_address {p} has this address
 *  @help name an address of {p}
 *  @when always
 *  @openstack deployment error
 */
fact a_forwarding_leads_to_an_address_of_its_port {
  all a: OS_Neutron_FloatingIPPortForward & Made, p: a.prop_internal_port & OS_Neutron_Port & Made |
    (some a.prop_internal_ip_address and some p.prop_fixed_ips and (all e: p.prop_fixed_ips | some e.ip_address))
      implies a.prop_internal_ip_address in p.prop_fixed_ips.ip_address
}

/** HOT532 forwarding-of-a-used-floating-ip: A floating IP whose ports are forwarded stands for no port.
 *
 *  A floating IP leads to one address with all its ports, or each of its ports leads somewhere. Neutron refuses both:
 *  "Cannot create port forwarding to floating IP … with port …".
 *
 *  @message {a} forwards a port of {f}, which stands for a port as a whole
 *  @at a.prop_floating_ip
 *  @also f the floating IP
 *  @help leave `port_id` out, or make another floating IP
 *  @when always
 *  @openstack deployment error
 */
fact a_forwarded_floating_ip_stands_for_no_port {
  all a: OS_Neutron_FloatingIPPortForward & Made, f: a.references & OS_Neutron_FloatingIP & Made |
    no f.prop_port_id and no (OS_Neutron_FloatingIPAssociation <: prop_floatingip_id).f
}

/** HOT533 forwarded-to-one-place-twice: One forwarding leads to a port of an address.
 *
 *  Neutron refuses the second, even if it is of another port or another floating IP: "There is a port collision with port
 *  forwarding …".
 *
 *  @message {a} and {b} lead to the same place
 *  @at b.prop_internal_port_number
 *  @also a.prop_internal_port_number {a} leads there already
 *  @help remove one
 *  @when always
 *  @openstack deployment error
 */
fact forwarded_to_a_place_once {
  all disj a, b: OS_Neutron_FloatingIPPortForward |
    (some a.prop_internal_port and a.prop_internal_port = b.prop_internal_port
      and some a.prop_protocol and a.prop_protocol = b.prop_protocol
      and some a.prop_internal_ip_address and a.prop_internal_ip_address = b.prop_internal_ip_address)
      implies (no a.prop_internal_port_number or a.prop_internal_port_number != b.prop_internal_port_number)
}
