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
 *  @when always
 *  @openstack deployment error
 *  @report distinct_name_for_domains
 */
fact distinct_name_for_domains {
  all disj a, b: OS_Keystone_Domain | some a.prop_name implies a.prop_name != b.prop_name
}

/** HOT543 enabled-domain: A domain that is to be deleted with its stack is not enabled.
 *
 *  Keystone deletes only what is disabled: "Cannot delete a domain that is enabled, please disable it first". A domain is
 *  enabled unless the template says otherwise, and the deletion of its stack fails until somebody disables it.
 *
 *  @severity warning
 *  @message {d} is enabled, so that the stack cannot be deleted
 *  @at d
 *  @help disable the domain before you delete the stack, or add `deletion_policy: Retain`
 *  @when delete
 *  @openstack the deletion fails
 */
fact domains_can_be_deleted {
  all d: OS_Keystone_Domain & Made | d.prop_enabled != true
}
