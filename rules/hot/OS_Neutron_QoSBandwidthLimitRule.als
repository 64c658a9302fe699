module hot/OS_Neutron_QoSBandwidthLimitRule
open hot/core
open hot/types/OS_Neutron_QoSBandwidthLimitRule
open hot/types/OS_Neutron_QoSMinimumBandwidthRule

/** HOT237 two-bandwidth-limits: A policy has one limit of bandwidth for each direction.
 *
 *  Neutron refuses a second rule of this kind for the same direction of a policy.
 *
 *  @message {a} and {b} limit the same direction of the same policy
 *  @at b.prop_policy
 *  @also a.prop_policy {a} limits it already
 *  @help remove one, or change its `direction`
 *  @when always
 *  @openstack deployment error
 */
fact one_bandwidth_limit_for_a_direction {
  all disj a, b: OS_Neutron_QoSBandwidthLimitRule |
    (some a.prop_policy and a.prop_policy = b.prop_policy) implies a.prop_direction != b.prop_direction
}

/** HOT238 bandwidth-below-minimum: The limit of bandwidth of a policy is not below its guaranteed minimum.
 *
 *  Neutron refuses a policy that guarantees more in a direction than it allows.
 *
 *  @message {a} allows {a.prop_max_kbps} kbit/s, but {m} guarantees {m.prop_min_kbps}
 *  @at a.prop_max_kbps
 *  @also m.prop_min_kbps guaranteed here
 *  @help raise the limit, or lower the minimum
 *  @when always
 *  @openstack deployment error
 */
fact bandwidth_limit_not_below_minimum {
  all a: OS_Neutron_QoSBandwidthLimitRule, m: OS_Neutron_QoSMinimumBandwidthRule |
    (some a.prop_policy and a.prop_policy = m.prop_policy and a.prop_direction = m.prop_direction
      and some a.prop_max_kbps and some m.prop_min_kbps)
      implies a.prop_max_kbps >= m.prop_min_kbps
}
