module hot/OS_Cinder_QoSAssociation
open hot/core
open hot/types/OS_Cinder_QoSAssociation

/** HOT542 volume-type-with-two-qos: A volume type has one quality of service.
 *
 *  Cinder refuses the second: "Type … is already associated with another qos specs".
 *
 *  @message {a} and {b} give {y} different specs
 *  @at b.prop_volume_types
 *  @also a.prop_volume_types {a} gives it some already
 *  @help remove one, or make another volume type
 *  @when always
 *  @openstack deployment error
 */
fact a_volume_type_has_one_qos {
  all disj a, b: OS_Cinder_QoSAssociation, y: a.prop_volume_types |
    (y in b.prop_volume_types and some a.prop_qos_specs and some b.prop_qos_specs) implies a.prop_qos_specs = b.prop_qos_specs
}
