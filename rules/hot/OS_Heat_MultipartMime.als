module hot/OS_Heat_MultipartMime
open hot/core
open hot/types/OS_Heat_MultipartMime
open hot/types/OS_Heat_SoftwareConfig

/** HOT456 part-without-config: A software configuration that is part of a multipart message has a `config`.
 *
 *  Heat takes a `OS::Heat::SoftwareConfig` without `config`, but cannot make a part of a message of it: `'NoneType' object has
 *  no attribute 'encode'`.
 *
 *  @message {c} is a part of {m}, but has no `config`
 *  @at c
 *  @also m the message
 *  @help give {c} a `config`, or leave it out of {m}
 *  @when always
 *  @openstack deployment error
 */
fact software_configurations_in_a_message_have_a_config {
  all m: OS_Heat_MultipartMime, c: m.references & OS_Heat_SoftwareConfig & Made | some c.prop_config
}
