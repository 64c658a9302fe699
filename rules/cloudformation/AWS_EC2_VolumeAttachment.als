module cloudformation/AWS_EC2_VolumeAttachment
open cloudformation/core
open cloudformation/types/AWS_EC2_VolumeAttachment
open cloudformation/types/AWS_EC2_Volume
open cloudformation/types/AWS_EC2_Instance
open cloudformation/types/AWS_EC2_Subnet

/** The zone of an instance: its own, or that of its subnet. */
fun zone: Location->String {
  AWS_EC2_Instance <: prop_AvailabilityZone
    + (AWS_EC2_Instance <: prop_SubnetId).(AWS_EC2_Subnet <: prop_AvailabilityZone)
}

/** CFN340 volume-at-two-instances: A volume is attached to one instance, unless it may be to more.
 *
 *  EC2 refuses the second attachment of a volume without `MultiAttachEnabled`.
 *
 *  @message {a} and {b} attach {v} to two instances
 *  @at b.prop_VolumeId
 *  @also a.prop_VolumeId the first one
 *  @help give each instance a volume of its own, or the volume `MultiAttachEnabled` and a type that has it
 *  @when always
 *  @openstack VolumeInUse: The volume is already attached to an instance
 */
fact a_volume_is_at_one_instance {
  all v: AWS_EC2_Volume, disj a, b: AWS_EC2_VolumeAttachment |
    (a.prop_VolumeId = v and b.prop_VolumeId = v and v.prop_MultiAttachEnabled != true)
      implies (AWS_EC2_VolumeAttachment <: prop_InstanceId)[a] = (AWS_EC2_VolumeAttachment <: prop_InstanceId)[b]
}

/** CFN341 volume-in-another-zone: A volume is in the zone of the instance.
 *
 *  EC2 refuses to attach it.
 *
 *  @message {a} attaches a volume of the zone {v.prop_AvailabilityZone} to {i}, which is in another zone
 *  @at a.prop_VolumeId
 *  @also v.prop_AvailabilityZone the zone of the volume
 *  @help make both in one zone
 *  @when always
 *  @openstack InvalidVolume.ZoneMismatch: The volume is not in the same availability zone as the instance
 */
fact a_volume_is_in_the_zone_of_its_instance {
  all a: AWS_EC2_VolumeAttachment, v: AWS_EC2_Volume, i: AWS_EC2_Instance |
    (a.prop_VolumeId = v and (AWS_EC2_VolumeAttachment <: prop_InstanceId)[a] = i
      and some (AWS_EC2_Volume <: prop_AvailabilityZone)[v] and some i.zone)
    implies (AWS_EC2_Volume <: prop_AvailabilityZone)[v] in i.zone
}
