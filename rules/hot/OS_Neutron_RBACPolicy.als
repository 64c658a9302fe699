module hot/OS_Neutron_RBACPolicy
open hot/core
open hot/types/OS_Neutron_RBACPolicy
open hot/types/OS_Neutron_Net
open hot/types/OS_Neutron_ProviderNet
open hot/types/OS_Neutron_QoSPolicy
open hot/types/OS_Neutron_AddressScope
open hot/types/OS_Neutron_SubnetPool

/** HOT229 action-not-for-object: The action of an access policy is one for its type of object.
 *
 *  Only networks can be made external; all other objects can only be shared.
 *
 *  @message {r} has the action {r.prop_action}, which is not for a {r.prop_object_type}
 *  @at r.prop_action
 *  @also r.prop_object_type the type of the object
 *  @help the only action for it is `access_as_shared`
 *  @when text
 *  @openstack refused before deployment
 */
fact action_must_fit_object_type {
  all r: OS_Neutron_RBACPolicy | r.prop_action = "access_as_external" implies r.prop_object_type = "network"
}

/** What projects share that `shared: true` is written of. */
private fun all_see: set Resource {
  ((OS_Neutron_Net <: prop_shared).true + (OS_Neutron_ProviderNet <: prop_shared).true
    + (OS_Neutron_QoSPolicy <: prop_shared).true + (OS_Neutron_AddressScope <: prop_shared).true
    + (OS_Neutron_SubnetPool <: prop_shared).true) & Made
}

/** The objects of a type. */
private fun objects [type: set String]: set Resource {
  ("network" in type implies OS_Neutron_Net + OS_Neutron_ProviderNet else none)
    + ("qos_policy" in type implies OS_Neutron_QoSPolicy else none)
    + ("address_scope" in type implies OS_Neutron_AddressScope else none)
    + ("subnetpool" in type implies OS_Neutron_SubnetPool else none)
}

/** They are about the same object: one that both refer to, and to no other, or one that they name. */
private pred same_object [a, b: OS_Neutron_RBACPolicy] {
  (some a.prop_object_id and a.prop_object_id = b.prop_object_id)
    or (one a.references and a.references = b.references)
}

/** HOT512 access-policy-twice: An access policy is there once.
 *
 *  Neutron refuses a second one with the same object, action and target: "An RBAC policy already exists with those
 *  values".
 *
 *  @message {a} and {b} allow the same of the same object to the same project
 *  @at b
 *  @also a the first one
 *  @help remove one
 *  @when always
 *  @openstack deployment error
 */
fact an_access_policy_is_there_once {
  all disj a, b: OS_Neutron_RBACPolicy |
    (some a.prop_target_tenant and a.prop_target_tenant = b.prop_target_tenant and a.prop_action = b.prop_action
      and a.prop_object_type = b.prop_object_type)
      implies not same_object[a, b]
}

/** HOT513 access-policy-on-shared: What is shared with all projects needs no access policy for that.
 *
 *  `shared: true` makes such a policy for all projects, `*`, and Neutron refuses it again: "An RBAC policy already exists
 *  with those values".
 *
 *  @message {r} shares {o} with all projects, and it is shared already
 *  @at r.prop_target_tenant
 *  @also o this says `shared: true`
 *  @help remove the policy, or leave `shared` out
 *  @when always
 *  @openstack deployment error
 */
fact what_is_shared_needs_no_policy {
  all r: OS_Neutron_RBACPolicy, o: r.references |
    (o in all_see and r.prop_action = "access_as_shared") implies r.prop_target_tenant != "*"
}

/** HOT549 access-policy-on-external: What is external for all projects needs no access policy for that.
 *
 *  `router_external: true` makes such a policy for all projects, `*`, and Neutron refuses it again: "An RBAC policy already
 *  exists with those values".
 *
 *  @message {r} makes {o} external for all projects, and it is external already
 *  @at r.prop_target_tenant
 *  @also o this network is external
 *  @help remove the policy, or leave `router_external` out
 *  @when always
 *  @openstack deployment error
 */
fact what_is_external_needs_no_policy {
  all r: OS_Neutron_RBACPolicy, o: r.references & Made |
    (o in (OS_Neutron_ProviderNet <: prop_router_external).true and r.prop_action = "access_as_external") implies
      r.prop_target_tenant != "*"
}

/** HOT559 object-of-another-type: The object of an access policy is of the type that it says.
 *
 *  Heat looks for an object of that type with the id, and finds none: "Unable to find policy with name or id".
 *
 *  @message {r} says that its object is a {r.prop_object_type}, and {o} is none
 *  @at r.prop_object_type
 *  @also o the object
 *  @help say the type of {o}, or name another object
 *  @when always
 *  @openstack deployment error
 */
fact objects_are_of_the_type_that_is_said {
  all r: OS_Neutron_RBACPolicy, o: r.references & objects["network" + "qos_policy" + "address_scope" + "subnetpool"] |
    r.prop_object_type in "network" + "qos_policy" + "address_scope" + "subnetpool"
      implies some r.references & objects[r.prop_object_type]
}
