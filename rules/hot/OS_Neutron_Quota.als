module hot/OS_Neutron_Quota
open hot/core
open hot/types/OS_Neutron_Quota

/** HOT547 empty-network-quota: A quota limits something.
 *
 *  Heat refuses a quota that has nothing but a project.
 *
 *  @message {q} sets no limit
 *  @at q
 *  @help add a limit such as `network`, `port` or `router`
 *  @when text
 *  @openstack parse error
 */
fact network_quota_limits_something {
  all q: OS_Neutron_Quota & Made |
    some q.prop_floatingip or some q.prop_network or some q.prop_port or some q.prop_rbac_policy or some q.prop_router or
    some q.prop_security_group or some q.prop_security_group_rule or some q.prop_subnet or some q.prop_subnetpool
}
