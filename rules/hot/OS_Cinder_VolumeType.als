module hot/OS_Cinder_VolumeType
open hot/core
open hot/types/OS_Cinder_VolumeType

/** HOT347 projects-of-public-type: A volume type that is for some projects only is not public.
 *
 *  A type is public unless `is_public` is false. Heat refuses `projects` for a public one.
 *
 *  @message {t} names projects, but it is public
 *  @at t.prop_projects
 *  @help add `is_public: false`
 *  @when text
 *  @openstack parse error
 */
fact projects_need_a_private_volume_type {
  all t: OS_Cinder_VolumeType | some t.prop_projects implies t.prop_is_public != true
}

/** HOT348 duplicate-volume-type: Volume types have distinct names.
 *
 *  Cinder refuses a type with a name that another one has.
 *
 *  @message {t} and {u} have the same name {t.prop_name}
 *  @at u.prop_name
 *  @also t.prop_name {t} has it already
 *  @help choose another name
 *  @when always
 *  @openstack deployment error
 */
fact unique_volume_type_name {
  all disj t, u: OS_Cinder_VolumeType | some t.prop_name implies t.prop_name != u.prop_name
}
