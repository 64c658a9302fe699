module hot/OS_Neutron_QoSMinimumPacketRateRule
open hot/core
open hot/types/OS_Neutron_QoSMinimumPacketRateRule

/** HOT551 two-packet-rate-minimums: A policy guarantees one rate of packets for each direction.
 *
 *  Neutron refuses a second rule of this kind for the same direction: "Rule minimum_packet_rate conflicts with rule … which
 *  already exists in QoS Policy …".
 *
 *  @message {a} and {b} guarantee a rate of packets in the same direction of the same policy
 *  @at b.prop_policy
 *  @also a.prop_policy {a} guarantees one already
 *  @help remove one, or change its `direction`
 *  @when always
 *  @openstack deployment error
 */
fact one_packet_rate_minimum_for_a_direction {
  all disj a, b: OS_Neutron_QoSMinimumPacketRateRule |
    (some a.prop_policy and a.prop_policy = b.prop_policy) implies a.prop_direction != b.prop_direction
}
