module hot/OS_Heat_Delay
open hot/core
open hot/types/OS_Heat_Delay

/** HOT354 delay-too-long: A delay is over before Heat gives up.
 *
 *  Heat refuses a delay that may take longer than the stack has time to be built: an hour, unless it is told otherwise
 *  when the stack is created (`--timeout`).
 *
 *  @severity warning
 *  @message {d} may take longer than an hour, which is all the time that a stack has by default
 *  @at d
 *  @also d.prop_min_wait at least this many seconds
 *  @also d.prop_max_jitter and up to this many more
 *  @help make it shorter, or give the stack more time
 *  @when text
 *  @openstack parse error, unless the stack has more time
 */
fact delay_is_over_in_time {
  all d: OS_Heat_Delay |
    (some d.prop_jitter_multiplier implies
      plus[d.prop_min_wait, mul[d.prop_max_jitter, d.prop_jitter_multiplier]] <= 3600) and
    (no d.prop_jitter_multiplier implies plus[d.prop_min_wait, d.prop_max_jitter] <= 3600)
}
