module hot/OS_Nova_Quota
open hot/core
open hot/types/OS_Nova_Quota

/** HOT327 empty-compute-quota: A quota limits something.
 *
 *  Heat refuses a quota that has nothing but a project.
 *
 *  @message {q} sets no limit
 *  @at q
 *  @help add `instances`, `cores` or another limit
 *  @when text
 *  @openstack parse error
 */
fact compute_quota_limits_something {
  all q: OS_Nova_Quota & Made |
    some q.prop_cores or some q.prop_fixed_ips or some q.prop_floating_ips or
    some q.prop_injected_file_content_bytes or some q.prop_injected_file_path_bytes or
    some q.prop_injected_files or some q.prop_instances or some q.prop_key_pairs or some q.prop_metadata_items or
    some q.prop_ram or some q.prop_security_group_rules or some q.prop_security_groups or
    some q.prop_server_group_members or some q.prop_server_groups
}
