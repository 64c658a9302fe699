module hot/OS_Heat_ScalingPolicy
open hot/core
open hot/types/OS_Heat_ScalingPolicy

/** HOT352 step-without-percentage: The smallest step of a policy goes with a change in percent.
 *
 *  With percentages a group might change by less than one resource; `min_adjustment_step` is for that, and Heat refuses
 *  it otherwise.
 *
 *  @message {p} has a smallest step, but its adjustment is {p.prop_adjustment_type}
 *  @at p.prop_min_adjustment_step
 *  @also p.prop_adjustment_type not in percent
 *  @help leave it out, or use `percent_change_in_capacity`
 *  @when text
 *  @openstack parse error
 *  @report min_adjustment_step_can_be_used_only_when_adjustment_type_is_equal_to_percent_change_in_capacity
 */
fact min_adjustment_step_needs_percent_change_in_capacity {
  all p: OS_Heat_ScalingPolicy |
    some p.prop_min_adjustment_step implies p.prop_adjustment_type in "percent_change_in_capacity"
}
