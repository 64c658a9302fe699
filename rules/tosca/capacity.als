module tosca/capacity
open tosca/core

-- How much there may be.

/** TSC111 scalable-out-of-order: A node scales from no less than the smallest to no more than the largest number.
 *
 *  @message {s} has {s.min_instances} as its least and {s.max_instances} as its largest number of instances
 *  @at s.min_instances
 *  @also s.max_instances the largest number
 *  @help swap them
 *  @when always
 */
fact scalable_limits_are_in_order {
  all s: Scalable | some s.min_instances and some s.max_instances implies s.min_instances <= s.max_instances
}

/** TSC112 scalable-default-outside: A node starts with a number of instances that it may have.
 *
 *  @message {s} starts with {s.default_instances} instances, and may have {s.min_instances} to {s.max_instances}
 *  @at s.default_instances
 *  @help choose a number between the two
 *  @when always
 */
fact scalable_defaults_are_within_their_limits {
  all s: Scalable | some s.default_instances implies {
    some s.min_instances implies s.min_instances <= s.default_instances
    some s.max_instances implies s.default_instances <= s.max_instances
  }
}

/** TSC113 capability-exhausted: A capability has no more relationships than it allows.
 *
 *  In the Simple Profile `occurrences` of a capability says how many relationships may target it.
 *
 *  @message {c} allows {c.most} relationships, and has more
 *  @at c
 *  @help let some of the nodes use another one, or raise the upper end of `occurrences`
 *  @when always
 */
fact capabilities_have_no_more_relationships_than_they_allow {
  all c: Capability | some c.most implies #(capability.c) <= c.most
}

/** TSC114 capacity-exceeded: What is allocated from a property of a capability is not more than there is.
 *
 *  Section 8.7.5 of TOSCA 2.0: the sum of the allocations from all relationships cannot exceed the value.
 *
 *  @message the allocations from {a.key} of {a.from} are more than there is
 *  @at a
 *  @also a.from the capability
 *  @help give the capability more, or let some of the nodes use another one
 *  @when always
 */
fact allocations_do_not_exceed_what_there_is {
  all a: Allocation | (sum b: from.(a.from) & key.(a.key) | b.amount) <= a.limit
}
