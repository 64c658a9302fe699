module hot/role_assignments
open hot/core
open hot/types/OS_Keystone_User
open hot/types/OS_Keystone_Group
open hot/types/OS_Keystone_UserRoleAssignment
open hot/types/OS_Keystone_GroupRoleAssignment

/** The roles that users and groups are given. */
fun assignments: set Part {
  OS_Keystone_User_roles_elements + OS_Keystone_Group_roles_elements +
  OS_Keystone_UserRoleAssignment_roles_elements + OS_Keystone_GroupRoleAssignment_roles_elements
}

fun in_domain: Part->Location {
  OS_Keystone_User_roles_elements <: domain + OS_Keystone_Group_roles_elements <: domain +
  OS_Keystone_UserRoleAssignment_roles_elements <: domain + OS_Keystone_GroupRoleAssignment_roles_elements <: domain
}

fun in_project: Part->Location {
  OS_Keystone_User_roles_elements <: project + OS_Keystone_Group_roles_elements <: project +
  OS_Keystone_UserRoleAssignment_roles_elements <: project + OS_Keystone_GroupRoleAssignment_roles_elements <: project
}

/** HOT376 role-in-project-and-domain: A role is given in a project or in a domain, not in both.
 *
 *  Heat refuses an entry of `roles` with both. Two entries may say it.
 *
 *  @message {r} has both `project` and `domain`
 *  @at r.domain
 *  @also r.project and a project
 *  @help make two entries of it, or keep one
 *  @when text
 *  @openstack parse error
 *  @report not_both_domain_and_project_for_user not_both_domain_and_project_for_group
 */
fact not_both_domain_and_project {
  all r: assignments | no r.in_domain or no r.in_project
}

/** HOT377 role-in-nothing: A role is given in a project or in a domain.
 *
 *  Heat refuses an entry of `roles` with neither.
 *
 *  @message {r} has neither `project` nor `domain`
 *  @at r
 *  @help add one of them
 *  @when text
 *  @openstack parse error
 */
fact role_is_given_somewhere {
  all r: assignments | some r.in_domain or some r.in_project
}
