module hot/OS_Octavia_LoadBalancer
open hot/core
open hot/types/OS_Octavia_LoadBalancer
open hot/types/OS_Neutron_Subnet
open util/net as net

/** HOT393 balancer-outside-subnet: The address of a load balancer is in its subnet.
 *
 *  Octavia asks Neutron for a port with this address in this subnet, and Neutron refuses it.
 *
 *  @message the address {b.prop_vip_address} of {b} is not in {t}, which is {t.prop_cidr}
 *  @at b.prop_vip_address
 *  @also t.prop_cidr the subnet
 *  @help choose an address in {t.prop_cidr}, or leave it out
 *  @when always
 *  @openstack deployment error
 */
fact vip_address_is_in_the_subnet {
  all b: OS_Octavia_LoadBalancer, t: OS_Neutron_Subnet |
    (b.prop_vip_subnet = t and some b.prop_vip_address and some t.prop_cidr) implies
      b.prop_vip_address in t.prop_cidr.(net/contains)
}
