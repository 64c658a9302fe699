module hot/OS_Cinder_QoSSpecs
open hot/core
open hot/types/OS_Cinder_QoSSpecs

/** HOT541 qos-consumer-unknown: The consumer of a volume's quality of service is one that Cinder knows.
 *
 *  It says who sees to it: "Valid consumer of QoS specs are: …".
 *
 *  @message {q} has the consumer {c}, which Cinder does not know
 *  @at q.prop_specs
 *  @help write `front-end`, `back-end` or `both`
 *  @when always
 *  @openstack deployment error
 */
fact consumers_are_known {
  all q: OS_Cinder_QoSSpecs & Made, c: (q.prop_specs.entries & key."consumer").value | c in "front-end" + "back-end" + "both"
}

/** HOT550 duplicate-qos-specs: The qualities of service of volumes have distinct names.
 *
 *  Cinder refuses the second: "QoS Specs … already exists".
 *
 *  @message {a} and {b} have the same name {a.prop_name}
 *  @at b.prop_name
 *  @also a.prop_name {a} has it already
 *  @help choose another name
 *  @when always
 *  @openstack deployment error
 */
fact unique_qos_specs_name {
  all disj a, b: OS_Cinder_QoSSpecs | some a.prop_name implies a.prop_name != b.prop_name
}
