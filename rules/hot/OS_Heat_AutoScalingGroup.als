module hot/OS_Heat_AutoScalingGroup
open hot/core
open hot/types/OS_Heat_AutoScalingGroup
open hot/types/OS_Nova_Server

/** HOT350 smallest-above-largest: The smallest size of a group is not above the largest.
 *
 *  Heat refuses the group: `MinSize can not be greater than MaxSize`.
 *
 *  @message {g} has at least {g.prop_min_size} and at most {g.prop_max_size} resources
 *  @at g.prop_min_size
 *  @also g.prop_max_size this is smaller
 *  @help exchange them, or make them equal
 *  @when text
 *  @openstack parse error
 *  @report min_size_must_be_lower_or_equal_to_max_size
 */
fact min_size_must_be_lower_or_equal_to_max_size {
  all g: OS_Heat_AutoScalingGroup |
    (some g.prop_min_size and some g.prop_max_size) implies g.prop_min_size <= g.prop_max_size
}

/** HOT351 desired-size: The size that a group is to have at first is within its limits.
 *
 *  Heat refuses the group: `DesiredCapacity must be between MinSize and MaxSize`.
 *
 *  @message {g} is to have {g.prop_desired_capacity} resources, but has {g.prop_min_size} to {g.prop_max_size}
 *  @at g.prop_desired_capacity
 *  @also g.prop_min_size the least
 *  @also g.prop_max_size the most
 *  @help choose a number from {g.prop_min_size} to {g.prop_max_size}
 *  @when text
 *  @openstack parse error
 *  @report desired_capacity_must_be_between_min_size_and_max_size
 */
fact desired_capacity_must_be_between_min_size_and_max_size {
  all g: OS_Heat_AutoScalingGroup |
    (some g.prop_desired_capacity and g.prop_min_size <= g.prop_max_size) implies
      g.prop_desired_capacity >= g.prop_min_size and g.prop_desired_capacity <= g.prop_max_size
}

/** HOT366 port-of-all-scaled: Servers of a group that scales do not share a port.
 *
 *  A port is bound to one server. All members of a group are made of one definition, so a port that it names is wanted by
 *  all of them, and Nova refuses the second: "Port … is still in use". A group that never has more than one is
 *  none that scales.
 *
 *  @message the servers of {g} have the same port {p}
 *  @at e.port
 *  @also p one port
 *  @help name a `network`, or make a template with a port and a server, and a group of that
 *  @when always
 *  @openstack deployment error
 */
fact servers_of_a_scaling_group_have_ports_of_their_own {
  all g: OS_Heat_AutoScalingGroup, e: g.members.(OS_Nova_Server <: prop_networks), p: e.port & Made |
    some g.prop_max_size implies g.prop_max_size <= 1
}
