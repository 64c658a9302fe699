module hot/OS_Cinder_Volume
open hot/core
open hot/types/OS_Cinder_Volume
open hot/types/OS_Glance_WebImage

/** HOT344 volume-size: A volume has a size, or is made from something that has one.
 *
 *  Without `size` and `backup_id`, Heat wants exactly one of `source_volid` and `snapshot_id`. An image alone does not
 *  say how large the volume is to be.
 *
 *  @message {v} has no size, and is not made from one volume, snapshot or backup
 *  @at v
 *  @help add `size`
 *  @when text
 *  @openstack parse error
 *  @report size_is_required_if_no_backup_id_no_source_volid_and_no_snapshot_id
 */
fact size_is_required_if_no_backup_id_no_source_volid_and_no_snapshot_id {
  all v: OS_Cinder_Volume & Made | (no v.prop_backup_id and no v.prop_size) implies {
    some v.prop_source_volid or some v.prop_snapshot_id
    no v.prop_source_volid or no v.prop_snapshot_id
    no v.prop_image and no v.prop_imageRef
  }
}

/** HOT345 several-volume-sources: A volume is made from one thing.
 *
 *  With `size`, Heat takes one of `image`, `source_volid` and `snapshot_id`. (The report wants exactly one; a volume
 *  that is empty at first has none.) With `backup_id`, the others are not looked at.
 *
 *  @message {v} is made from more than one thing
 *  @at v
 *  @also v.prop_image the image
 *  @also v.prop_source_volid the volume
 *  @also v.prop_snapshot_id the snapshot
 *  @help keep one of `image`, `source_volid` and `snapshot_id`
 *  @when text
 *  @openstack parse error
 *  @report when_size_is_provided_only_of_image_source_valid_snapshot_id_must_be_specified
 */
fact volume_is_made_from_one_thing {
  all v: OS_Cinder_Volume | (some v.prop_size and no v.prop_backup_id) implies {
    some v.prop_image implies no v.prop_imageRef and no v.prop_source_volid and no v.prop_snapshot_id
    some v.prop_imageRef implies no v.prop_source_volid and no v.prop_snapshot_id
    some v.prop_source_volid implies no v.prop_snapshot_id
  }
}

/** HOT346 smaller-copy: A volume is not smaller than the one that it is made from.
 *
 *  Cinder refuses to copy a volume into a smaller one.
 *
 *  @message {v} has {v.prop_size} GB, and is made from {w}, which has {w.prop_size}
 *  @at v.prop_size
 *  @also w.prop_size the larger one
 *  @help make it at least as large, or leave `size` out
 *  @when always
 *  @openstack deployment error
 */
fact a_copy_is_not_smaller {
  all v, w: OS_Cinder_Volume |
    (v.prop_source_volid = w and some v.prop_size and some w.prop_size) implies v.prop_size >= w.prop_size
}

/** HOT339 volume-too-small: A volume is large enough for its image.
 *
 *  Cinder refuses a volume that is smaller than `min_disk` of the image.
 *
 *  @message {v} has {v.prop_size} GB, and the image {i} needs {i.prop_min_disk}
 *  @at v.prop_size
 *  @also i.prop_min_disk so much is needed
 *  @help make it larger
 *  @when always
 *  @openstack deployment error
 */
fact volume_is_large_enough_for_its_image {
  all v: OS_Cinder_Volume, i: OS_Glance_WebImage & Made |
    (v.prop_image = i and some v.prop_size and some i.prop_min_disk) implies v.prop_size >= i.prop_min_disk
}
