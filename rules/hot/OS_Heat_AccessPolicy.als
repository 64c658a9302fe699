module hot/OS_Heat_AccessPolicy
open hot/core
open hot/types/OS_Heat_AccessPolicy

/** HOT356 access-to-nothing: A policy is about resources of the template.
 *
 *  Heat refuses a name that no resource has.
 *
 *  @message {p} allows access to {n}, which is not a resource of the template
 *  @at p.prop_AllowedResources
 *  @help name resources of this template
 *  @when text
 *  @openstack parse error
 */
fact access_policy_names_resources {
  all p: OS_Heat_AccessPolicy, n: p.prop_AllowedResources & String | n in Resource.id
}
