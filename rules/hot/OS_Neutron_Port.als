module hot/OS_Neutron_Port
open hot/core
open hot/types/OS_Neutron_Port

/** HOT131 duplicate-mac-address: Ports have distinct MAC addresses.
 *
 *  Neutron refuses the second port of a network that asks for a MAC address that another one has.
 *
 *  @message {p} and {q} have the same MAC address {p.prop_mac_address}
 *  @at q.prop_mac_address
 *  @also p.prop_mac_address {p} has it already
 *  @help leave it out: Neutron chooses one
 *  @openstack deployment error
 *  @report no_distinct_ports_with_the_same_mac_address
 */
fact no_distinct_ports_with_the_same_mac_address {
  all disj p, q: OS_Neutron_Port | some p.prop_mac_address implies p.prop_mac_address != q.prop_mac_address
}
