module hot/OS_Neutron_ProviderNet
open hot/core
open hot/types/OS_Neutron_ProviderNet
open util/text as text

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
 *  @when end
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
 *  @when always
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
 *  @when text
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
 *  @when text
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
 *  @when always
 *  @openstack deployment error
 */
fact vlan_needs_physical_network {
  all p: OS_Neutron_ProviderNet | p.prop_network_type = "vlan" and some p.prop_segmentation_id
    implies some p.prop_physical_network
}

/** HOT430 vlan-out-of-range: The number of a VLAN is between 1 and 4094.
 *
 *  A tag has twelve bits, and 0 and 4095 are reserved. Neutron refuses others: "segmentation_id out of range (1 through
 *  4094)". The numbers of tunnels it does not look at.
 *
 *  @message {p} is the VLAN {p.prop_segmentation_id}, which is not between 1 and 4094
 *  @at p.prop_segmentation_id
 *  @help choose a number between 1 and 4094
 *  @when always
 *  @openstack deployment error
 */
fact vlan_is_in_range {
  all p: OS_Neutron_ProviderNet, n: p.prop_segmentation_id & "[0-9]+".(text/matches) |
    p.prop_network_type = "vlan" implies
      n in "0*([1-9][0-9]{0,2}|[1-3][0-9]{3}|40[0-8][0-9]|409[0-4])".(text/matches)
}

/** HOT431 segment-twice: Two provider networks are different segments.
 *
 *  A number of a VLAN is used once in a physical network, a flat network is all of a physical one, and a number of a
 *  tunnel is used once. Neutron refuses the second: "The VLAN … on physical network … is in use".
 *
 *  @message {p} and {q} are the same segment of {p.prop_network_type}
 *  @at q
 *  @also p the other network
 *  @help give one of them another `segmentation_id` or `physical_network`
 *  @when always
 *  @openstack deployment error
 */
fact segments_are_distinct {
  all disj p, q: OS_Neutron_ProviderNet & Made |
    (p.prop_network_type = q.prop_network_type and p.prop_physical_network = q.prop_physical_network) implies {
      p.prop_network_type = "flat" implies no p.prop_physical_network
      p.prop_network_type in "vlan" + "vxlan" + "gre" + "geneve" and some p.prop_network_type
        and some p.prop_segmentation_id implies p.prop_segmentation_id != q.prop_segmentation_id
    }
}

/** HOT524 physical-network-empty: The physical network of a network has a name.
 *
 *  Neutron takes an empty name for none: "physical_network required for flat provider network".
 *
 *  @message the physical network of {n} has an empty name
 *  @at n.prop_physical_network
 *  @help name the physical network as the cloud calls it
 *  @when always
 *  @openstack deployment error
 */
fact the_physical_network_has_a_name {
  all n: OS_Neutron_ProviderNet & Made |
    some n.prop_physical_network implies n.prop_physical_network in ".+".(text/matches)
}

/** HOT525 segment-number-is-text: The number of a network's segment is a number.
 *
 *  Neutron refuses a text: "'…' is not an integer".
 *
 *  @message {n} has the number {n.prop_segmentation_id}, which is none
 *  @at n.prop_segmentation_id
 *  @help write a whole number
 *  @when always
 *  @openstack deployment error
 */
fact segmentation_ids_are_numbers {
  all n: OS_Neutron_ProviderNet & Made |
    some n.prop_segmentation_id implies n.prop_segmentation_id in " *[0-9]+ *".(text/matches)
}
