module hot/OS_Neutron_ExtraRoute
open hot/core
open hot/extra_routes
open hot/types/OS_Neutron_ExtraRoute
open util/net as net
open util/text as text

/** HOT360 extra-route-form: A route leads to a network, by an address.
 *
 *  `destination` is a network in CIDR form, also if it is a single address (`192.0.2.7/32`), and `nexthop` an address. Heat
 *  does not look at either for this type, and Neutron refuses what is none.
 *
 *  @message {e} leads to {e.prop_destination} by {e.prop_nexthop}, which is not a network and an address
 *  @at e.prop_destination
 *  @also e.prop_nexthop the next hop
 *  @help write the destination as `10.1.0.0/16`, and the next hop as an address without a prefix length
 *  @when always
 *  @openstack deployment error
 */
fact extra_route_is_a_network_and_an_address {
  all e: OS_Neutron_ExtraRoute & Made | {
    some e.prop_destination.(net/version) and e.prop_destination in ".+/[0-9]+".(text/matches)
    some e.prop_nexthop.(net/rank) and e.prop_nexthop not in ".+/.+".(text/matches)
  }
}

/** HOT361 next-hop-not-connected: The next hop of a route is in a subnet of the router.
 *
 *  A router can hand on a packet only to a machine that it reaches by itself. Neutron refuses the route otherwise:
 *  "Invalid format for routes: … the nexthop is not connected with router". Nothing is said if the router has a subnet
 *  or a gateway network that exists already, or if a resource of another type refers to it. A router of the template
 *  without an interface and a gateway has no subnet.
 *
 *  @message {r} has no subnet with {e.prop_nexthop}, the next hop of {e}
 *  @at e.prop_nexthop
 *  @also r the router
 *  @help name an address in a subnet that a OS::Neutron::RouterInterface attaches to {r}
 *  @when always
 *  @openstack deployment error
 */
fact extra_route_next_hop_is_connected {
  all e: OS_Neutron_ExtraRoute, r: e.prop_router_id & enclosed |
    some e.prop_nexthop.(net/version) implies e.prop_nexthop in r.router_ranges.(net/contains)
}

/** HOT362 extra-route-twice: A router has a route once.
 *
 *  Heat refuses the second when it creates it: "Route duplicates an existing route". Two routes to one destination by
 *  different next hops are two.
 *
 *  @message {e} and {d} are the same route to {e.prop_destination}
 *  @at d.prop_destination
 *  @also e.prop_destination the same route
 *  @help remove one of them
 *  @when always
 *  @openstack deployment error, or nothing if both are made at the same moment
 */
fact extra_routes_are_distinct {
  all disj e, d: OS_Neutron_ExtraRoute |
    (some e.prop_router_id and e.prop_router_id = d.prop_router_id and e.prop_destination = d.prop_destination)
      implies e.prop_nexthop != d.prop_nexthop
}

/** HOT557 next-hop-is-router: The next hop of a route is not the router itself.
 *
 *  Neutron refuses it: "the nexthop is used by router". An interface that names a subnet has the address of its
 *  gateway.
 *
 *  @message the next hop of {e}, {e.prop_nexthop}, is an address of {r} itself
 *  @at e.prop_nexthop
 *  @also i the interface with this address
 *  @help name the machine that the packets are to go to
 *  @when always
 *  @openstack deployment error
 */
fact extra_route_next_hop_is_another_machine {
  all e: OS_Neutron_ExtraRoute & Made, r: e.prop_router_id & OS_Neutron_Router, i: interface_router.r & Made |
    no e.prop_nexthop & own_address[i]
}
