module hot/OS_Keystone_Endpoint
open hot/core
open hot/types/OS_Keystone_Endpoint
open util/text as text

/** A URL in which Keystone can fill in everything. */
private fun filled: String {
  "([^%$]|[$][^(]|%%|[$%][(](project_id|tenant_id|user_id|public_bind_host|admin_bind_host|compute_host|admin_port|public_port|public_endpoint|admin_endpoint)[)]s)*[$]?"
}

/** HOT544 endpoint-url-template: The URL of an endpoint has only parts that Keystone fills in.
 *
 *  What stands in `$(…)s` or `%(…)s` is filled in for each user. Keystone refuses other names: "Cannot create an endpoint
 *  with an invalid URL".
 *
 *  @message {e} has the URL {e.prop_url}, in which Keystone cannot fill in something
 *  @at e.prop_url
 *  @help the names are `project_id`, `tenant_id`, `user_id` and those of Keystone's configuration; write `%%` for a percent sign
 *  @when always
 *  @openstack deployment error
 */
fact urls_can_be_filled_in {
  all e: OS_Keystone_Endpoint & Made | some e.prop_url implies e.prop_url in filled.(text/matches)
}
