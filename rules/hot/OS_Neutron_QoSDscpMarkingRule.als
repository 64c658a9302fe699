module hot/OS_Neutron_QoSDscpMarkingRule
open hot/core
open hot/types/OS_Neutron_QoSDscpMarkingRule

/** HOT510 two-dscp-markings: A policy has one DSCP mark.
 *
 *  Neutron refuses a second rule of this kind: "Rule dscp_marking conflicts with rule … which already exists in QoS
 *  Policy …".
 *
 *  @message {a} and {b} mark the packets of the same policy
 *  @at b.prop_policy
 *  @also a.prop_policy {a} marks them already
 *  @help remove one, or make a policy for each
 *  @when always
 *  @openstack deployment error
 */
fact one_dscp_mark_for_a_policy {
  all disj a, b: OS_Neutron_QoSDscpMarkingRule | some a.prop_policy implies a.prop_policy != b.prop_policy
}
