module hot/OS_Neutron_NetworkGateway
open hot/core
open hot/types/OS_Neutron_NetworkGateway

/** HOT257 connection-without-number: A connection of a gateway to a VLAN has a number.
 *
 *  Heat refuses it otherwise: "segmentation_id must be specified for using vlan".
 *
 *  @message {e} is to a VLAN without a number
 *  @at e.segmentation_type
 *  @help add `segmentation_id`
 *  @when text
 *  @openstack refused before deployment
 */
fact connection_to_a_vlan_has_a_number {
  all e: OS_Neutron_NetworkGateway_connections_elements | e.segmentation_type = "vlan" implies some e.segmentation_id
}

/** HOT258 number-of-flat-connection: A connection of a gateway to a flat network has no number.
 *
 *  Heat refuses any but 0, and `flat` is the default of `segmentation_type`.
 *
 *  @message {e} is to a flat network and has the number {e.segmentation_id}
 *  @at e.segmentation_id
 *  @help leave out `segmentation_id`, or say `segmentation_type: vlan`
 *  @when text
 *  @openstack refused before deployment
 */
fact connection_to_a_flat_network_has_no_number {
  all e: OS_Neutron_NetworkGateway_connections_elements | e.segmentation_type = "flat" implies e.segmentation_id in 0
}
