module hot/OS_Keystone_Group
open hot/core
open hot/role_assignments
open hot/types/OS_Keystone_Group

/** HOT371 duplicate-group-name: Groups of one domain have distinct names.
 *
 *  Keystone refuses the second one. Without `name`, Heat makes one up.
 *
 *  @message {a} and {b} have the same name {a.prop_name} in one domain
 *  @at b.prop_name
 *  @also a.prop_name {a} has it already
 *  @help choose another name
 *  @when always
 *  @openstack deployment error
 *  @report distinct_name_for_groups
 */
fact distinct_name_for_groups {
  all disj a, b: OS_Keystone_Group |
    (some a.prop_name and a.prop_name = b.prop_name) implies a.prop_domain != b.prop_domain
}
