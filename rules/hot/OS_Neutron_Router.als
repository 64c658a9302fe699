module hot/OS_Neutron_Router
open hot/core
open hot/networks
open hot/routing
open hot/types/OS_Neutron_Router
open hot/types/OS_Neutron_Subnet
open util/net as net

/** HOT220 distributed-with-agent: A distributed router is bound to no L3 agent.
 *
 *  A distributed router runs on every compute node, so there is no agent to choose for it.
 *
 *  @message {r} is distributed and names an L3 agent
 *  @at r.prop_l3_agent_ids
 *  @also r.prop_distributed it is distributed here
 *  @help leave out `l3_agent_ids`, or `distributed: true`
 *  @when text
 *  @openstack refused before deployment
 *  @report not_distributed_with_l3_agent
 */
fact not_distributed_with_l3_agent {
  all r: OS_Neutron_Router | r.prop_distributed = true implies no r.prop_l3_agent_ids and no r.prop_l3_agent_id
}

/** HOT221 ha-and-distributed: A router is not highly available and distributed at once.
 *
 *  Neutron can do both since its release of 2016, but Heat's resource refuses them together.
 *
 *  @message {r} is both `ha` and `distributed`
 *  @at r.prop_ha
 *  @also r.prop_distributed and distributed
 *  @help leave one of them out
 *  @when text
 *  @openstack refused before deployment
 *  @report not_both_ha_and_distributed
 */
fact not_both_ha_and_distributed {
  all r: OS_Neutron_Router | r.prop_distributed = true implies r.prop_ha != true
}

/** HOT222 agents-without-ha: A router with several L3 agents is highly available.
 *
 *  Heat refuses more than one agent for a router that is not `ha`: "Non HA routers can only have one L3 agent". The report
 *  forbids even one; Heat accepts one today.
 *
 *  @message {r} has several L3 agents and is not `ha`
 *  @at r.prop_l3_agent_ids one of several
 *  @also r.prop_ha not highly available
 *  @help say `ha: true`, or name one agent
 *  @when text
 *  @openstack refused before deployment
 *  @report l3_agent_ids_cannot_be_used_when_ha_is_false
 */
fact l3_agent_ids_cannot_be_used_when_ha_is_false {
  all r: OS_Neutron_Router | r.prop_ha != true implies lone r.prop_l3_agent_ids
}

/** HOT223 gateway-subnet-of-another-network: The subnets of a router's gateway are of the gateway's network.
 *
 *  Neutron gives the gateway addresses in subnets of `external_gateway_info.network` only.
 *
 *  @message {r} has its gateway in {n}, but {s} is not a subnet of it
 *  @at e.subnet
 *  @also s.prop_network {s} is a subnet of this network
 *  @help name a subnet of {n}
 *  @when always
 *  @openstack deployment error
 *  @report router_subnet_must_belong_to_network subnet_must_belong_to_network_for_a_router
 */
fact subnet_must_belong_to_network_for_a_router {
  all r: OS_Neutron_Router, n: r.own_gateway, e: r.prop_external_gateway_info.external_fixed_ips,
      s: e.subnet & OS_Neutron_Subnet & Made |
    some s.subnet_network implies some s.subnet_network & maybe[n]
}

/** HOT224 duplicate-gateway-address: Gateways of routers in one network have different addresses.
 *
 *  Neutron refuses the second: the address is in use.
 *
 *  @message {e.of} and {d.of} have gateways with the same address {e.ip_address}
 *  @at d.ip_address
 *  @also e.ip_address {e.of} has it already
 *  @help choose another address, or leave it out
 *  @when always
 *  @openstack deployment error
 *  @report routers_of_the_same_subnet_or_net_cannot_have_the_same_ip_address
 */
fact routers_of_the_same_subnet_or_net_cannot_have_the_same_ip_address {
  all disj e, d: OS_Neutron_Router_external_gateway_info_external_fixed_ips_elements |
    (some e.ip_address and e.ip_address = d.ip_address and e.of != d.of)
      implies (no e.subnet & d.subnet and no e.of.own_gateway & d.of.own_gateway)
}

/** HOT225 gateway-network-not-external: The gateway of a router is in an external network.
 *
 *  Neutron refuses others: "Network … is not an external network". A `OS::Neutron::Net` of the template is external only
 *  if its `value_specs` say `router:external` or a `OS::Neutron::RBACPolicy` says `access_as_external`, a
 *  `OS::Neutron::ProviderNet` if it says `router_external: true`. To join networks within a project, a router needs
 *  interfaces and no gateway. The same is said of a gateway that a `OS::Neutron::RouterGateway` gives to the router.
 *
 *  @message {r} has its gateway in {n}, which is not an external network
 *  @at r.prop_external_gateway_info.network
 *  @also n this network is not external
 *  @help name an external network that exists, or attach {n} by a OS::Neutron::RouterInterface
 *  @when always
 *  @openstack deployment error
 */
fact gateway_network_must_be_external {
  all r: OS_Neutron_Router, n: r.gateway | n not in internal
}

/** HOT226 gateway-address-outside-subnet: The address of a router's gateway is in its subnet.
 *
 *  Neutron refuses an address that the subnet does not contain.
 *
 *  @message the gateway of {e.of} has the address {e.ip_address}, which is not in {s.prop_cidr}
 *  @at e.ip_address
 *  @also s.prop_cidr the addresses of {s}
 *  @help choose an address in {s.prop_cidr}, or leave it out
 *  @when always
 *  @openstack deployment error
 */
fact gateway_address_must_be_in_its_subnet {
  all e: OS_Neutron_Router_external_gateway_info_external_fixed_ips_elements, s: e.subnet & OS_Neutron_Subnet & Made |
    (some e.ip_address.(net/version) and some s.prop_cidr.(net/version))
      implies e.ip_address in s.prop_cidr.(net/contains)
}

/** HOT554 gateway-address-outside-network: The address of a router's gateway is in a subnet of its network.
 *
 *  Where `external_fixed_ips` names no subnet, Neutron looks for the one that has the address, and refuses the router
 *  if there is none. Nothing is said of networks that exist already, or that other parts of the template may add
 *  subnets to.
 *
 *  @message the gateway of {e.of} has the address {e.ip_address}, which no subnet of {n} has
 *  @at e.ip_address
 *  @also n the network
 *  @help choose an address of the range of a subnet in this network, or leave it out
 *  @when always
 *  @openstack deployment error
 */
fact gateway_address_must_be_in_its_network {
  all r: OS_Neutron_Router & Made, n: r.own_gateway & closed, e: r.prop_external_gateway_info.external_fixed_ips |
    (no e.subnet and is_address[e.ip_address])
      implies some s: subnet_network.n | no s.prop_cidr or usable[e.ip_address, s]
}

/** HOT555 gateway-address-of-gateway: The address of a router's gateway is not that of the subnet's own gateway.
 *
 *  That is the address of the machine which the router sends packets to. Neutron refuses it: "External IP … is the
 *  same as the gateway IP".
 *
 *  @message the gateway of {e.of} has the address {e.ip_address}, which is that of the gateway of {s}
 *  @at e.ip_address
 *  @also s the subnet
 *  @help choose another address of the subnet, or leave it out
 *  @when always
 *  @openstack deployment error
 */
fact gateway_address_is_free {
  all r: OS_Neutron_Router & Made, e: r.prop_external_gateway_info.external_fixed_ips,
      s: subnet_network.(r.own_gateway) & OS_Neutron_Subnet & Made |
    no e.ip_address & gateway_address[s]
}
