module hot/OS_Octavia_HealthMonitor
open hot/core
open hot/types/OS_Octavia_HealthMonitor
open hot/types/OS_Octavia_Pool

/** HOT391 two-monitors: A pool has one health monitor.
 *
 *  Octavia refuses a second one.
 *
 *  @message {m} and {n} are both monitors of {m.prop_pool}
 *  @at n.prop_pool
 *  @also m.prop_pool {m} is it already
 *  @help keep one of them
 *  @when always
 *  @openstack deployment error
 */
fact one_monitor_for_a_pool {
  all disj m, n: OS_Octavia_HealthMonitor | some m.prop_pool implies m.prop_pool != n.prop_pool
}

/** HOT392 http-options-without-http: A monitor has HTTP options only if its type is HTTP or HTTPS.
 *
 *  Octavia refuses `http_method`, `url_path` and `expected_codes` for types other than `HTTP` and `HTTPS`.
 *
 *  @message {m} asks by {m.prop_type}, where `http_method`, `url_path` and `expected_codes` mean nothing
 *  @at m.prop_type
 *  @also m.prop_http_method this is for HTTP
 *  @also m.prop_url_path this is for HTTP
 *  @also m.prop_expected_codes this is for HTTP
 *  @help leave them out, or use the type `HTTP`
 *  @when always
 *  @openstack deployment error
 */
fact http_options_go_with_http {
  all m: OS_Octavia_HealthMonitor |
    (some m.prop_http_method or some m.prop_url_path or some m.prop_expected_codes) implies
      m.prop_type in "HTTP" + "HTTPS"
}

/** HOT395 monitor-of-udp: The type of a monitor fits the protocol of its pool.
 *
 *  Octavia refuses `UDP-CONNECT` for pools of other protocols than `UDP`, and `PING` and `HTTPS` for those of `UDP`.
 *
 *  @message {m} asks by {m.prop_type}, which does not fit the protocol {p.prop_protocol} of {p}
 *  @at m.prop_type
 *  @also p.prop_protocol the protocol of the pool
 *  @help use `UDP-CONNECT` for pools of `UDP`, and another type for others
 *  @when always
 *  @openstack deployment error
 */
fact monitor_fits_the_pool {
  all m: OS_Octavia_HealthMonitor, p: OS_Octavia_Pool |
    (m.prop_pool = p and some m.prop_type and some p.prop_protocol) implies {
      m.prop_type = "UDP-CONNECT" implies p.prop_protocol = "UDP"
      p.prop_protocol = "UDP" implies m.prop_type in "UDP-CONNECT" + "TCP" + "HTTP"
    }
}
