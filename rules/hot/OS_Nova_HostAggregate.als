module hot/OS_Nova_HostAggregate
open hot/core
open hot/types/OS_Nova_HostAggregate

/** HOT540 duplicate-aggregate: Host aggregates have distinct names.
 *
 *  Nova refuses the second: "Aggregate … already exists".
 *
 *  @message {a} and {b} have the same name {a.prop_name}
 *  @at b.prop_name
 *  @also a.prop_name {a} has it already
 *  @help choose another name
 *  @when always
 *  @openstack deployment error
 */
fact unique_aggregate_name {
  all disj a, b: OS_Nova_HostAggregate | some a.prop_name implies a.prop_name != b.prop_name
}
