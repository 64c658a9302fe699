module hot/OS_Neutron_Net
open hot/core
open hot/networks
open hot/routing
open hot/types/OS_Neutron_Net
open hot/types/OS_Neutron_Subnet
open util/text as text

/** What the `value_specs` of a network say. */
private fun spec [n: OS_Neutron_Net, k: String]: set (Location + String + Int + Boolean + Data) {
  (n.prop_value_specs.entries & key.k).value
}

/** The same as a number, which may be written as a text. */
private fun number [n: OS_Neutron_Net, k: String]: set Int { (spec[n, k] & Int) + (spec[n, k] & String).(text/number) }

/** HOT519 network-type-unknown: The type of a network is one that Neutron has.
 *
 *  Neutron refuses others: "network_type value '…' not supported". Plug-ins of vendors may bring types of their own.
 *
 *  @severity warning
 *  @message {n} has the type {y}, which Neutron does not have
 *  @at n.prop_value_specs
 *  @help the types are local, flat, vlan, vxlan, gre and geneve
 *  @when end
 *  @openstack deployment error, unless a plug-in has the type
 */
fact the_type_of_a_network_is_known {
  all n: OS_Neutron_Net & Made, y: spec[n, "provider:network_type"] & String |
    y in "local" + "flat" + "vlan" + "vxlan" + "gre" + "geneve"
}

/** HOT520 provider-attributes-without-type: What is said of the segment of a network comes with the type of the network.
 *
 *  Neutron refuses a physical network or a number without: "network_type required".
 *
 *  @message {n} has a physical network or a number, and no `provider:network_type`
 *  @at n.prop_value_specs
 *  @help add `provider:network_type`
 *  @when always
 *  @openstack deployment error
 */
fact provider_attributes_have_a_type {
  all n: OS_Neutron_Net & Made |
    some spec[n, "provider:physical_network"] + spec[n, "provider:segmentation_id"] implies some spec[n, "provider:network_type"]
}

/** HOT521 physical-network-of-tunnels: A network of tunnels has no physical network.
 *
 *  Neutron refuses it: "provider:physical_network specified for vxlan network".
 *
 *  @message {n} is of the type {y}, and names a physical network
 *  @at n.prop_value_specs
 *  @help leave `provider:physical_network` out
 *  @when always
 *  @openstack deployment error
 */
fact tunnels_have_no_physical_network {
  all n: OS_Neutron_Net & Made, y: spec[n, "provider:network_type"] & String |
    y in "local" + "vxlan" + "gre" + "geneve" implies no spec[n, "provider:physical_network"]
}

/** HOT522 vlan-number-out-of-range: The number of a VLAN is from 1 to 4094.
 *
 *  Neutron refuses others: "segmentation_id out of range (1 through 4094)".
 *
 *  @message {n} is the VLAN {i}, but their numbers go from 1 to 4094
 *  @at n.prop_value_specs
 *  @help choose a number from 1 to 4094
 *  @when always
 *  @openstack deployment error
 */
fact the_number_of_a_vlan_is_in_range {
  all n: OS_Neutron_Net & Made, i: number[n, "provider:segmentation_id"] |
    spec[n, "provider:network_type"] = "vlan" implies i >= 1 and i <= 4094
}

/** HOT523 mtu-too-small: Packets in a network are as large as its version of IP demands.
 *
 *  IPv6 demands packets of 1,280 bytes, IPv4 of 68. Neutron refuses a subnet in a network with a smaller `mtu`: "MTU of …
 *  is not valid, subnet requires a minimum of …".
 *
 *  @message the packets in {n} have at most {i} bytes, which is too few for {s}
 *  @at n.prop_value_specs
 *  @also s this subnet
 *  @help raise `mtu`: 1,280 is the least for IPv6, and 68 for IPv4
 *  @when always
 *  @openstack deployment error
 */
fact packets_are_large_enough {
  all n: OS_Neutron_Net & Made, i: number[n, "mtu"], s: subnet_network.n & Made |
    i > 0 implies (s in ipv6_subnets implies i >= 1280 else i >= 68)
}

/** HOT560 segment-number-of-network: The number of a network's segment is one of a segment that there is.
 *
 *  A number of a VLAN means something in one physical network only: "segmentation_id requires physical_network for VLAN
 *  provider network". A flat network has no number: "segmentation_id prohibited for flat provider network".
 *
 *  @message {n} has a number of a segment, which a network of the type {y} has not, or not without a physical network
 *  @at n.prop_value_specs
 *  @help name a physical network for a VLAN; leave the number out for a flat or a local network
 *  @when always
 *  @openstack deployment error
 */
fact numbers_are_of_segments {
  all n: OS_Neutron_Net & Made, y: spec[n, "provider:network_type"] & String |
    some number[n, "provider:segmentation_id"] implies
      y not in "flat" + "local" and (y = "vlan" implies some spec[n, "provider:physical_network"])
}
