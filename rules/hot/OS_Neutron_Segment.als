module hot/OS_Neutron_Segment
open hot/core
open hot/types/OS_Neutron_Segment
open hot/networks
open hot/types/OS_Neutron_Subnet
open hot/types/OS_Neutron_ProviderNet
open util/text as text

/** HOT265 segment-needs-physical-network: A flat segment or a VLAN names its physical network.
 *
 *  Heat refuses it otherwise: "physical_network is required for … provider network".
 *
 *  @message {s} is {s.prop_network_type}, but does not say of which physical network
 *  @at s.prop_network_type
 *  @help add `physical_network`
 *  @when text
 *  @openstack refused before deployment
 */
fact segment_physical_network_required {
  all s: OS_Neutron_Segment | some s.prop_network_type & ("flat" + "vlan") implies some s.prop_physical_network
}

/** HOT266 vlan-without-number: A segment that is a VLAN has a number.
 *
 *  Heat refuses it otherwise: "segmentation_id is required for vlan provider network".
 *
 *  @message {s} is a VLAN without a number
 *  @at s.prop_network_type
 *  @help add `segmentation_id`
 *  @when text
 *  @openstack refused before deployment
 */
fact segment_vlan_number_required {
  all s: OS_Neutron_Segment | s.prop_network_type = "vlan" implies some s.prop_segmentation_id
}

/** HOT267 number-of-untagged-segment: A local or flat segment has no number.
 *
 *  Heat refuses it otherwise: "segmentation_id is prohibited for … provider network".
 *
 *  @message {s} is {s.prop_network_type}, and segments of that type have no `segmentation_id`
 *  @at s.prop_segmentation_id
 *  @also s.prop_network_type the type of the segment
 *  @help leave out `segmentation_id`, or change `network_type`
 *  @when text
 *  @openstack refused before deployment
 */
fact segment_number_prohibited {
  all s: OS_Neutron_Segment | some s.prop_network_type & ("local" + "flat") implies no s.prop_segmentation_id
}

/** HOT268 physical-network-of-tunnel-segment: A segment of tunnels has no physical network.
 *
 *  Heat refuses it otherwise: "physical_network is prohibited for … provider network".
 *
 *  @message {s} is {s.prop_network_type}, and segments of that type have no `physical_network`
 *  @at s.prop_physical_network
 *  @also s.prop_network_type the type of the segment
 *  @help leave out `physical_network`, or change `network_type`
 *  @when text
 *  @openstack refused before deployment
 */
fact segment_physical_network_prohibited {
  all s: OS_Neutron_Segment | some s.prop_network_type & ("vxlan" + "gre" + "geneve") implies no s.prop_physical_network
}

/** HOT269 vlan-number-too-large: The number of a VLAN is at most 4094.
 *
 *  The tag of a VLAN has twelve bits, and 4095 is reserved.
 *
 *  @message {s} has the VLAN {s.prop_segmentation_id}, but 4094 is the last
 *  @at s.prop_segmentation_id
 *  @help choose a number from 1 to 4094
 *  @when text
 *  @openstack refused before deployment
 */
fact segment_vlan_number_in_range {
  all s: OS_Neutron_Segment | s.prop_network_type = "vlan" and some s.prop_segmentation_id
    implies s.prop_segmentation_id <= 4094
}

/** The type of a segment, or of the only segment of a provider network. */
private fun tagging: Resource->String {
  (OS_Neutron_Segment <: prop_network_type) + (OS_Neutron_ProviderNet <: prop_network_type)
}

/** The physical network that it is of. */
private fun physical: Resource->String {
  (OS_Neutron_Segment <: prop_physical_network) + (OS_Neutron_ProviderNet <: prop_physical_network)
}

/** Its number. */
private fun tag: Resource->Int {
  (OS_Neutron_Segment <: prop_segmentation_id) + (OS_Neutron_ProviderNet <: prop_segmentation_id).(text/number)
}

/** HOT516 vlan-of-two-segments: A VLAN of a physical network is one segment.
 *
 *  Neutron refuses the second: "Unable to create the network. The VLAN … on physical network … is in use".
 *
 *  @message {s} and {t} are the same VLAN of a physical network
 *  @at t
 *  @also s the first one
 *  @help choose another `segmentation_id` for one of them
 *  @when always
 *  @openstack deployment error
 */
fact a_vlan_is_one_segment {
  all disj s, t: OS_Neutron_Segment + OS_Neutron_ProviderNet |
    (some (s + t) & OS_Neutron_Segment and s.tagging = "vlan" and t.tagging = "vlan" and some s.physical
      and s.physical = t.physical and some s.tag)
      implies s.tag != t.tag
}

/** HOT517 segment-of-another-network: The segment of a subnet is one of its network.
 *
 *  Neutron refuses it otherwise: "The subnet's network id, …, doesn't match the network_id of segment …".
 *
 *  @message {u} is in the segment {s} of another network
 *  @at u.prop_segment
 *  @also s.prop_network the network of {s}
 *  @also u.prop_network the network of {u}
 *  @help name a segment of the same network
 *  @when always
 *  @openstack deployment error
 */
fact the_segment_of_a_subnet_is_of_its_network {
  all u: OS_Neutron_Subnet & Made, s: u.prop_segment & OS_Neutron_Segment & Made |
    not apart[s.prop_network, u.subnet_network]
}

/** HOT518 some-subnets-without-segment: Of a network all subnets have a segment, or none.
 *
 *  Neutron refuses the subnet that differs: "All of the subnets on network … must either all be associated with segments
 *  or all not associated with any segment".
 *
 *  @message {u} names a segment, and {v}, of the same network, does not
 *  @at v
 *  @also u.prop_segment the segment
 *  @help add `segment` to {v}, or leave it out in both
 *  @when always
 *  @openstack deployment error
 */
fact all_subnets_have_segments_or_none {
  all disj u, v: OS_Neutron_Subnet & Made |
    (some u.prop_segment and some u.subnet_network and u.subnet_network = v.subnet_network) implies some v.prop_segment
}
