module hot/OS_Neutron_ProviderNet
open hot/core
open hot/types/OS_Neutron_ProviderNet

/** HOT261 duplicate-provider-network-name: Provider networks have distinct names.
 *
 *  Neutron accepts two networks of one name today, but then neither can be used by its name: Heat, and everybody else who
 *  looks for it, finds two and gives up.
 *
 *  @severity warning
 *  @message {p} and {q} have the same name {p.prop_name}
 *  @at q.prop_name
 *  @also p.prop_name {p} has it already
 *  @help give one of them another name
 *  @openstack nothing
 *  @report unique_ProviderNet_name
 */
fact unique_ProviderNet_name {
  all disj p, q: OS_Neutron_ProviderNet | some p.prop_name implies p.prop_name != q.prop_name
}

/** HOT262 flat-without-physical-network: A flat network names its physical network.
 *
 *  A flat network is a physical one, without a tag of its own, so Neutron must know which.
 *
 *  @message {p} is flat, but does not say of which physical network
 *  @at p.prop_network_type
 *  @help add `physical_network`
 *  @openstack deployment error
 *  @report physical_network_is_required_when_network_type_is_flat
 */
fact physical_network_is_required_when_network_type_is_flat {
  all p: OS_Neutron_ProviderNet | p.prop_network_type = "flat" implies some p.prop_physical_network
}

/** HOT263 segment-of-untagged-network: A local or flat network has no segment.
 *
 *  `segmentation_id` is the tag of a VLAN or the number of a tunnel, and these networks have neither.
 *
 *  @message {p} is {p.prop_network_type}, and networks of that type have no `segmentation_id`
 *  @at p.prop_segmentation_id
 *  @also p.prop_network_type the type of the network
 *  @help leave out `segmentation_id`, or change `network_type`
 *  @openstack refused before deployment
 */
fact no_segment_of_an_untagged_network {
  all p: OS_Neutron_ProviderNet | p.prop_network_type in "local" + "flat" and some p.prop_network_type
    implies no p.prop_segmentation_id - "0"
}

/** HOT264 physical-network-of-tunnel: A local network or one of tunnels has no physical network.
 *
 *  Tunnels (VXLAN, GRE, Geneve) run over whatever joins the hosts.
 *
 *  @message {p} is {p.prop_network_type}, and networks of that type have no `physical_network`
 *  @at p.prop_physical_network
 *  @also p.prop_network_type the type of the network
 *  @help leave out `physical_network`, or change `network_type`
 *  @openstack refused before deployment
 */
fact no_physical_network_of_a_tunnel {
  all p: OS_Neutron_ProviderNet | p.prop_network_type in "vxlan" + "gre" + "geneve" + "local" and some p.prop_network_type
    implies no p.prop_physical_network
}

/** HOT228 segment-without-physical-network: A VLAN with a number names its physical network.
 *
 *  The number of a VLAN means something in one physical network only. Neutron refuses it alone: "segmentation_id requires
 *  physical_network for VLAN provider network".
 *
 *  @message {p} has the VLAN {p.prop_segmentation_id}, but does not say of which physical network
 *  @at p.prop_segmentation_id
 *  @help add `physical_network`
 *  @openstack deployment error
 */
fact vlan_needs_physical_network {
  all p: OS_Neutron_ProviderNet | p.prop_network_type = "vlan" and some p.prop_segmentation_id
    implies some p.prop_physical_network
}
