module hot/OS_Cinder_Quota
open hot/core
open hot/types/OS_Cinder_Quota

/** HOT343 empty-volume-quota: A quota limits something.
 *
 *  Heat refuses a quota that has nothing but a project.
 *
 *  @message {q} sets no limit
 *  @at q
 *  @help add `gigabytes`, `volumes`, `snapshots`, `backups` or `backup_gigabytes`
 *  @when text
 *  @openstack parse error
 */
fact volume_quota_limits_something {
  all q: OS_Cinder_Quota & Made |
    some q.prop_gigabytes or some q.prop_volumes or some q.prop_snapshots or some q.prop_backups or
    some q.prop_backup_gigabytes
}
