module hot/OS_Neutron_RBACPolicy
open hot/core
open hot/types/OS_Neutron_RBACPolicy

/** HOT229 action-not-for-object: The action of an access policy is one for its type of object.
 *
 *  Only networks can be made external; all other objects can only be shared.
 *
 *  @message {r} has the action {r.prop_action}, which is not for a {r.prop_object_type}
 *  @at r.prop_action
 *  @also r.prop_object_type the type of the object
 *  @help the only action for it is `access_as_shared`
 *  @openstack refused before deployment
 */
fact action_must_fit_object_type {
  all r: OS_Neutron_RBACPolicy | r.prop_action = "access_as_external" implies r.prop_object_type = "network"
}
