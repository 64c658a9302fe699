module hot/extra_routes
open hot/core
open hot/networks
open hot/routing
open hot/types/OS_Neutron_Port
open hot/types/OS_Neutron_Subnet
open hot/types/OS_Neutron_Router
open hot/types/OS_Neutron_RouterInterface
open hot/types/OS_Neutron_ExtraRoute
open hot/types/OS_Neutron_ExtraRouteSet

-- Where a router can send packets to: what is in one of its subnets, or in one of the network of its gateway.

/** From a router to the subnets that it has an address in. */
fun router_subnets: Location->Location { ~interface_router.interface_subnet + gateway.~subnet_network }

/** The addresses that an interface gives to its router. */
fun own_address [i: OS_Neutron_RouterInterface]: set String {
  gateway_address[i.named_subnet & OS_Neutron_Subnet & Made]
    + (i.named_port & OS_Neutron_Port & Made).prop_fixed_ips.ip_address
}

/** What others than routes refer to: they may attach anything to a router. */
fun changed_by_others: set Resource {
  (Resource - tame - OS_Neutron_ExtraRoute - OS_Neutron_ExtraRouteSet).references
}

/** Routers all of whose subnets, which may be none, are in the template, with their ranges. */
fun enclosed: set OS_Neutron_Router {
  { r: (OS_Neutron_Router & Made) - changed_by_others |
    (all i: interface_router.r | some i.interface_subnet)
      and r.router_subnets in Made & (OS_Neutron_Subnet <: prop_cidr).String
      and r.gateway in Made - changed_by_others }
}

/** From a router to the ranges of its subnets. */
fun router_ranges: Location->String { router_subnets.(OS_Neutron_Subnet <: prop_cidr) }
