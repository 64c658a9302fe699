module hot/OS_Neutron_QoSMinimumBandwidthRule
open hot/core
open hot/types/OS_Neutron_QoSMinimumBandwidthRule

/** HOT511 two-bandwidth-minimums: A policy guarantees one bandwidth for each direction.
 *
 *  Neutron refuses a second rule of this kind for the same direction: "Rule minimum_bandwidth conflicts with rule … which
 *  already exists in QoS Policy …".
 *
 *  @message {a} and {b} guarantee a bandwidth in the same direction of the same policy
 *  @at b.prop_policy
 *  @also a.prop_policy {a} guarantees one already
 *  @help remove one, or change its `direction`
 *  @when always
 *  @openstack deployment error
 */
fact one_bandwidth_minimum_for_a_direction {
  all disj a, b: OS_Neutron_QoSMinimumBandwidthRule |
    (some a.prop_policy and a.prop_policy = b.prop_policy) implies a.prop_direction != b.prop_direction
}
