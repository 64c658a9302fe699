module hot/OS_Neutron_VPNService
open hot/core
open hot/routing
open hot/types/OS_Neutron_VPNService
open hot/types/OS_Neutron_Router
open hot/types/OS_Neutron_Subnet
open hot/types/OS_Neutron_RouterInterface

/** The router of a VPN service. */
fun vpn_router: OS_Neutron_VPNService->Location {
  (OS_Neutron_VPNService <: prop_router) + (OS_Neutron_VPNService <: prop_router_id)
}

/** The subnet of a VPN service. */
fun vpn_subnet: OS_Neutron_VPNService->Location {
  (OS_Neutron_VPNService <: prop_subnet) + (OS_Neutron_VPNService <: prop_subnet_id)
}

/** What resources of types other than those of routing and this one refer to. */
fun changed: set Resource { (Resource - tame - OS_Neutron_VPNService).references }

/** HOT217 vpn-subnet-not-on-router: The subnet of a VPN service is attached to its router.
 *
 *  Neutron refuses it otherwise: "Subnet … is not connected to Router …". Nothing is said if the router or the subnet
 *  exists already, or if a resource of another type refers to it.
 *
 *  @message the subnet {s} of {v} is not attached to its router {r}
 *  @at v.prop_subnet
 *  @also v.prop_router the router
 *  @help add a OS::Neutron::RouterInterface for {s} to {r}, and let {v} depend on it
 *  @when always
 *  @openstack deployment error
 */
fact vpn_subnet_is_on_its_router {
  all v: OS_Neutron_VPNService, s: v.vpn_subnet & OS_Neutron_Subnet & Made - changed,
      r: v.vpn_router & OS_Neutron_Router & Made - changed |
    some interface_subnet.s & interface_router.r
}

/** HOT218 vpn-router-without-gateway: The router of a VPN service has a gateway.
 *
 *  The tunnels end at the address of the router in an external network. Neutron refuses a router without one: "Router …
 *  has no external network gateway set".
 *
 *  @message the router {r} of {v} has no gateway
 *  @at v.prop_router
 *  @also r no gateway
 *  @help add `external_gateway_info` to {r}
 *  @when always
 *  @openstack deployment error
 */
fact vpn_router_has_a_gateway {
  all v: OS_Neutron_VPNService, r: v.vpn_router & OS_Neutron_Router & Made - changed | some r.gateway
}
