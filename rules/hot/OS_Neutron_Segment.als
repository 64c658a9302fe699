module hot/OS_Neutron_Segment
open hot/core
open hot/types/OS_Neutron_Segment

/** HOT265 segment-needs-physical-network: A flat segment or a VLAN names its physical network.
 *
 *  Heat refuses it otherwise: "physical_network is required for … provider network".
 *
 *  @message {s} is {s.prop_network_type}, but does not say of which physical network
 *  @at s.prop_network_type
 *  @help add `physical_network`
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
 *  @openstack refused before deployment
 */
fact segment_vlan_number_in_range {
  all s: OS_Neutron_Segment | s.prop_network_type = "vlan" and some s.prop_segmentation_id
    implies s.prop_segmentation_id <= 4094
}
