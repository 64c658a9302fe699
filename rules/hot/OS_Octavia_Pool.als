module hot/OS_Octavia_Pool
open hot/core
open hot/balancing
open hot/types/OS_Octavia_Pool

/** HOT386 pool-of-nothing: A pool belongs to a listener or to a load balancer.
 *
 *  Heat refuses a pool with neither `listener` nor `loadbalancer`.
 *
 *  @message {p} has neither `listener` nor `loadbalancer`
 *  @at p
 *  @help add one of them
 *  @when text
 *  @openstack parse error
 */
fact pool_belongs_to_something {
  all p: OS_Octavia_Pool & Made | some p.prop_listener or some p.prop_loadbalancer
}

/** HOT387 cookie-name: The cookie of an application has a name, and no other cookie has.
 *
 *  `APP_COOKIE` needs `cookie_name`, and Heat and Octavia refuse it for the other types.
 *
 *  @message the cookie of {s.of} does not fit the type {s.type}
 *  @at s
 *  @help `cookie_name` goes with `APP_COOKIE`, and with nothing else
 *  @when text
 *  @openstack parse error
 */
fact cookie_has_a_name {
  all s: OS_Octavia_Pool_session_persistence {
    s.type = "APP_COOKIE" implies some s.cookie_name
    some s.cookie_name implies s.type in "APP_COOKIE"
  }
}

/** HOT388 two-pools-of-listener: A listener has one pool of its own.
 *
 *  A pool with `listener` becomes the listener's default pool, and Octavia refuses a second one. Pools for the policies of
 *  a listener name the `loadbalancer` instead.
 *
 *  @message {p} and {q} are both the pool of {p.prop_listener}
 *  @at q.prop_listener
 *  @also p.prop_listener {p} is it already
 *  @help give one of them `loadbalancer` instead of `listener`
 *  @when always
 *  @openstack deployment error
 */
fact one_pool_for_a_listener {
  all disj p, q: OS_Octavia_Pool | some p.prop_listener implies p.prop_listener != q.prop_listener
}
