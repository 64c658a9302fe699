module hot/OS_Octavia_HealthMonitor
open hot/core
open hot/types/OS_Octavia_HealthMonitor

/** HOT391 two-monitors: A pool has one health monitor.
 *
 *  Octavia refuses a second one.
 *
 *  @message {m} and {n} are both monitors of {m.prop_pool}
 *  @at n.prop_pool
 *  @also m.prop_pool {m} is it already
 *  @help keep one of them
 *  @openstack deployment error
 */
fact one_monitor_for_a_pool {
  all disj m, n: OS_Octavia_HealthMonitor | some m.prop_pool implies m.prop_pool != n.prop_pool
}

/** HOT392 http-options-without-http: What a monitor asks by HTTP goes with a type that asks by HTTP.
 *
 *  Octavia refuses `http_method`, `url_path` and `expected_codes` for types other than `HTTP` and `HTTPS`.
 *
 *  @message {m} asks by {m.prop_type}, where `http_method`, `url_path` and `expected_codes` mean nothing
 *  @at m.prop_type
 *  @also m.prop_http_method this is for HTTP
 *  @also m.prop_url_path this is for HTTP
 *  @also m.prop_expected_codes this is for HTTP
 *  @help leave them out, or use the type `HTTP`
 *  @openstack deployment error
 */
fact http_options_go_with_http {
  all m: OS_Octavia_HealthMonitor |
    (some m.prop_http_method or some m.prop_url_path or some m.prop_expected_codes) implies
      m.prop_type in "HTTP" + "HTTPS"
}
