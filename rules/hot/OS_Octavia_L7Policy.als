module hot/OS_Octavia_L7Policy
open hot/core
open hot/types/OS_Octavia_L7Policy

/** HOT380 redirect-to-nowhere: A policy that redirects says where to.
 *
 *  Heat refuses `REDIRECT_TO_POOL` without `redirect_pool`, and `REDIRECT_TO_URL` without `redirect_url`.
 *
 *  @message {p} has the action {p.prop_action}, and does not say where to
 *  @at p.prop_action
 *  @help add `redirect_pool` or `redirect_url`, whichever the action says
 *  @when text
 *  @openstack parse error
 */
fact redirection_has_a_target {
  all p: OS_Octavia_L7Policy {
    p.prop_action = "REDIRECT_TO_POOL" implies some p.prop_redirect_pool
    p.prop_action = "REDIRECT_TO_URL" implies some p.prop_redirect_url
  }
}

/** HOT381 redirect-pool-unused: `redirect_pool` goes with the action `REDIRECT_TO_POOL`.
 *
 *  Heat refuses it with any other action.
 *
 *  @message {p} has `redirect_pool`, but its action is {p.prop_action}
 *  @at p.prop_redirect_pool
 *  @also p.prop_action the action
 *  @help leave it out, or use `REDIRECT_TO_POOL`
 *  @when text
 *  @openstack parse error
 */
fact redirect_pool_goes_with_its_action {
  all p: OS_Octavia_L7Policy | some p.prop_redirect_pool implies p.prop_action in "REDIRECT_TO_POOL"
}

/** HOT382 redirect-url-unused: `redirect_url` goes with the action `REDIRECT_TO_URL`.
 *
 *  Heat refuses it with any other action.
 *
 *  @message {p} has `redirect_url`, but its action is {p.prop_action}
 *  @at p.prop_redirect_url
 *  @also p.prop_action the action
 *  @help leave it out, or use `REDIRECT_TO_URL`
 *  @when text
 *  @openstack parse error
 */
fact redirect_url_goes_with_its_action {
  all p: OS_Octavia_L7Policy | some p.prop_redirect_url implies p.prop_action in "REDIRECT_TO_URL"
}
