module hot/attachments
open hot/core
open hot/types/OS_Nova_Server
open hot/types/OS_Cinder_Volume
open hot/types/OS_Cinder_VolumeAttachment
open hot/types/OS_Cinder_VolumeType

-- A volume comes to a server in three ways: two lists of devices, and resources that attach it.

/** From what attaches a volume to the volume. */
fun attached: (Part + Resource)->Location {
  OS_Nova_Server_block_device_mapping_elements <: volume_id +
  OS_Nova_Server_block_device_mapping_v2_elements <: volume_id +
  OS_Cinder_VolumeAttachment <: prop_volume_id
}

/** From what attaches a volume to the server. */
fun attaches_to: (Part + Resource)->Location {
  OS_Nova_Server_block_device_mapping_elements <: of +
  OS_Nova_Server_block_device_mapping_v2_elements <: of +
  OS_Cinder_VolumeAttachment <: prop_instance_uuid
}

/** The volumes that surely go to one server only. */
fun exclusive: set Location {
  { v: OS_Cinder_Volume & Made | no v.prop_volume_type and v.prop_multiattach = false }
}

/** HOT340 volume-twice-in-server: A server has a volume once.
 *
 *  Nova refuses to attach a volume to a server that has it, whatever the volume is made for.
 *
 *  @message {a} and {b} attach {v} to one server
 *  @at b
 *  @also a the first time
 *  @help leave one of them out
 *  @when always
 *  @openstack deployment error
 *  @report server_cannot_have_a_volume_id_more_than_once
 */
fact server_cannot_have_a_volume_id_more_than_once {
  all v: Location, disj a, b: attached.v | no a.attaches_to & b.attaches_to
}

/** HOT341 volume-in-two-servers: A volume is attached to one server.
 *
 *  Cinder attaches a volume once, unless its type is one that allows more (`multiattach`): this is said of a volume of
 *  the template that has no type of its own. The report's facts also forbid what such a type allows.
 *
 *  @message {a} and {b} attach {v} to two servers
 *  @at b
 *  @also a the first one
 *  @help give each server a volume of its own, or the volume a `volume_type` that allows it
 *  @when always
 *  @openstack deployment error
 *  @report different_servers_must_have_different_volume_id_in_block_device_mapping_union_block_device_mapping_v2
 *    a_volume_with_multiattach_false_cannot_be_attached_more_than_once
 */
fact a_volume_is_attached_to_one_server {
  all v: exclusive, disj a, b: attached.v | some a.attaches_to & b.attaches_to
}

/** HOT342 shared-volume: A volume that is attached to two servers is of a type that allows it.
 *
 *  Locus does not know the types of the cloud, nor volumes that exist already. Cinder attaches a volume to a second
 *  server only if its type has `multiattach`, and both servers then need a file system that is made for it.
 *
 *  @severity warning
 *  @message {a} and {b} attach {v} to two servers, which works only if its type allows it
 *  @at b
 *  @also a the first one
 *  @help make sure that the type of the volume has `multiattach`
 *  @when end
 *  @openstack deployment error, unless the type allows it
 */
fact a_shared_volume_has_a_type_for_it {
  all v: Location - exclusive - Shared - opaque, disj a, b: attached.v | some a.attaches_to & b.attaches_to
}

/** Volumes that may be attached more than once: they say so, or their type does. */
fun Shared: set Location {
  { v: OS_Cinder_Volume | v.prop_multiattach = true or some v.prop_volume_type.(OS_Cinder_VolumeType <: prop_metadata).entries & multiattach }
}

/** What a volume type says under `multiattach`: `<is> True`. */
private fun multiattach: set Entry { key."multiattach" - value.("<is> False" + "false" + "False" + false) }
