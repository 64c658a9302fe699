module hot/OS_Octavia_Quota
open hot/core
open hot/types/OS_Octavia_Quota

/** HOT394 empty-balancer-quota: A quota limits something.
 *
 *  Heat refuses a quota that has nothing but a project.
 *
 *  @message {q} sets no limit
 *  @at q
 *  @help add `loadbalancer`, `listener`, `pool`, `member` or `healthmonitor`
 *  @when text
 *  @openstack parse error
 */
fact balancer_quota_limits_something {
  all q: OS_Octavia_Quota & Made |
    some q.prop_loadbalancer or some q.prop_listener or some q.prop_pool or some q.prop_member or
    some q.prop_healthmonitor
}
