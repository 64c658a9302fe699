module hot/OS_Neutron_ExtraRouteSet
open hot/core
open hot/extra_routes
open hot/types/OS_Neutron_ExtraRouteSet
open util/net as net

/** From a route to its router. */
fun route_router: OS_Neutron_ExtraRouteSet_routes_elements->Location {
  (OS_Neutron_ExtraRouteSet_routes_elements <: of).(OS_Neutron_ExtraRouteSet <: prop_router)
}

/** HOT363 next-hop-of-set-not-connected: The next hops of a set of routes are in subnets of the router.
 *
 *  A router can hand on a packet only to a machine that it reaches by itself. Neutron refuses the route otherwise:
 *  "Invalid format for routes: … the nexthop is not connected with router". Nothing is said if the router has a subnet
 *  or a gateway network that exists already, or if a resource of another type refers to it.
 *
 *  @message {r} has no subnet with {e.nexthop}, the next hop of {e}
 *  @at e.nexthop
 *  @also r the router
 *  @help name an address in a subnet that a OS::Neutron::RouterInterface attaches to {r}
 *  @when always
 *  @openstack deployment error
 */
fact next_hops_of_a_set_are_connected {
  all e: OS_Neutron_ExtraRouteSet_routes_elements, r: e.route_router & enclosed |
    some e.nexthop.(net/version) implies e.nexthop in r.router_ranges.(net/contains)
}

/** HOT364 route-in-two-sets: A route of a router is in one set.
 *
 *  Heat refuses to add a route that the router has: "Route duplicates an existing route". Whichever set is created second
 *  fails. In one set, a route that is written twice is there once.
 *
 *  @message {e.of} and {d.of} have the same route to {e.destination}
 *  @at d
 *  @also e the same route
 *  @help remove one of them
 *  @when always
 *  @openstack deployment error, or nothing if both are made at the same moment
 */
fact route_sets_are_distinct {
  all disj e, d: OS_Neutron_ExtraRouteSet_routes_elements |
    (e.of != d.of and some e.route_router and e.route_router = d.route_router and e.destination = d.destination)
      implies e.nexthop != d.nexthop
}

/** HOT558 next-hop-of-set-is-router: The next hops of a set of routes are not the router itself.
 *
 *  Neutron refuses it: "the nexthop is used by router". An interface that names a subnet has the address of its
 *  gateway.
 *
 *  @message the next hop of {e}, {e.nexthop}, is an address of {r} itself
 *  @at e.nexthop
 *  @also i the interface with this address
 *  @help name the machine that the packets are to go to
 *  @when always
 *  @openstack deployment error
 */
fact next_hops_of_a_set_are_other_machines {
  all e: OS_Neutron_ExtraRouteSet_routes_elements, r: e.route_router & OS_Neutron_Router, i: interface_router.r & Made |
    no e.nexthop & own_address[i]
}
