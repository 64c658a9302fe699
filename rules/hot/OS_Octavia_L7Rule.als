module hot/OS_Octavia_L7Rule
open hot/core
open hot/types/OS_Octavia_L7Rule

/** HOT383 header-without-name: A rule about a header or a cookie says which.
 *
 *  Heat refuses a rule of type `HEADER` or `COOKIE` without `key`.
 *
 *  @message {r} is of type {r.prop_type}, and does not say which
 *  @at r.prop_type
 *  @help add `key`
 *  @when text
 *  @openstack parse error
 */
fact header_and_cookie_have_a_key {
  all r: OS_Octavia_L7Rule | r.prop_type in "HEADER" + "COOKIE" implies some r.prop_key or no r.prop_type
}
