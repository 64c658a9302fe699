module storage
open hot/core
open hot/types/OS_Cinder_Volume

/** OWN003 encrypted-volumes: Volumes are of a type that is encrypted.
 *
 *  The types `luks` and `luks-fast` are encrypted; the default type is not.
 *
 *  @message {v} is not of an encrypted type
 *  @at v.prop_volume_type
 *  @help say `volume_type: luks`
 */
fact encrypted_volumes {
  all v: OS_Cinder_Volume | some v.prop_volume_type.name and v.prop_volume_type.name in "luks" + "luks-fast"
}

/** OWN004 volume-size: Volumes have at most 500 GB.
 *
 *  @severity warning
 *  @message {v} has {v.prop_size} GB; larger ones are made by the storage team
 *  @at v.prop_size
 *  @help ask for at most 500
 */
fact volume_size {
  all v: OS_Cinder_Volume | no v.prop_size or v.prop_size <= 500
}
