module hot/OS_Keystone_Domain
open hot/core
open hot/types/OS_Keystone_Domain

/** HOT374 duplicate-domain-name: Domains have distinct names.
 *
 *  Keystone refuses the second one. Without `name`, Heat makes one up.
 *
 *  @message {a} and {b} have the same name {a.prop_name}
 *  @at b.prop_name
 *  @also a.prop_name {a} has it already
 *  @help choose another name
 *  @openstack deployment error
 *  @report distinct_name_for_domains
 */
fact distinct_name_for_domains {
  all disj a, b: OS_Keystone_Domain | some a.prop_name implies a.prop_name != b.prop_name
}
