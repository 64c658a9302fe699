module hot/OS_Keystone_Region
open hot/core
open hot/types/OS_Keystone_Region

/** HOT375 duplicate-region-id: Regions have distinct ids.
 *
 *  Keystone refuses the second one. Without `id` it makes one up.
 *
 *  @message {a} and {b} have the same id {a.prop_id}
 *  @at b.prop_id
 *  @also a.prop_id {a} has it already
 *  @help choose another id
 *  @when always
 *  @openstack deployment error
 *  @report id_must_be_unique_in_a_template
 */
fact id_must_be_unique_in_a_template {
  all disj a, b: OS_Keystone_Region | some a.prop_id implies a.prop_id != b.prop_id
}
