module hot/OS_Manila_ShareNetwork
open hot/core
open hot/networks
open hot/routing
open hot/types/OS_Manila_ShareNetwork
open hot/types/OS_Neutron_Subnet

/** HOT440 share-subnet-of-other-network: The subnet of a share network is one of its network.
 *
 *  Manila looks for the subnet in the network, and refuses a share network whose subnet belongs to another one.
 *
 *  @message {m} is in the network {m.prop_neutron_network}, but its subnet {s} is not
 *  @at m.prop_neutron_subnet
 *  @also s the subnet
 *  @help name a subnet of that network
 *  @when always
 *  @openstack deployment error
 */
fact the_subnet_of_a_share_network_is_in_its_network {
  all m: OS_Manila_ShareNetwork, s: m.prop_neutron_subnet & OS_Neutron_Subnet & Made |
    not apart[m.prop_neutron_network, s.subnet_network]
}

/** HOT441 share-network-without-subnet: A share network with a network has a subnet.
 *
 *  Manila needs to know both. Heat refuses `neutron_network` without `neutron_subnet`; a subnet alone says which network it
 *  is in.
 *
 *  @message {m} names a network and no subnet
 *  @at m.prop_neutron_network
 *  @help add `neutron_subnet`
 *  @when text
 *  @openstack parse error
 */
fact a_share_network_with_a_network_has_a_subnet {
  all m: OS_Manila_ShareNetwork | some m.prop_neutron_network implies some m.prop_neutron_subnet
}
