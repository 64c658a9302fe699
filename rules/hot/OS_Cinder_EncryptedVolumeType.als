module hot/OS_Cinder_EncryptedVolumeType
open hot/core
open hot/types/OS_Cinder_EncryptedVolumeType

/** HOT349 type-encrypted-twice: A volume type is encrypted in one way.
 *
 *  Cinder refuses a second encryption for one type.
 *
 *  @message {t} and {u} encrypt the same volume type {t.prop_volume_type}
 *  @at u.prop_volume_type
 *  @also t.prop_volume_type {t} does so already
 *  @help keep one of them
 *  @when always
 *  @openstack deployment error
 */
fact one_encryption_for_a_volume_type {
  all disj t, u: OS_Cinder_EncryptedVolumeType |
    some t.prop_volume_type implies t.prop_volume_type != u.prop_volume_type
}
