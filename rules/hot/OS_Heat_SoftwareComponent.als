module hot/OS_Heat_SoftwareComponent
open hot/core
open hot/types/OS_Heat_SoftwareComponent

/** HOT355 action-configured-twice: A component has one configuration for an action.
 *
 *  Heat refuses two. An entry without `actions` is for `CREATE` and `UPDATE`.
 *
 *  @message {a} and {b} are for the same action
 *  @at b
 *  @also a this one is for it, too
 *  @help give each its own `actions`
 *  @when text
 *  @openstack parse error
 */
fact one_configuration_for_an_action {
  all c: OS_Heat_SoftwareComponent, disj a, b: c.prop_configs | no a.for_actions & b.for_actions
}

fun for_actions: OS_Heat_SoftwareComponent_configs_elements->String {
  actions + (OS_Heat_SoftwareComponent_configs_elements - actions.String)->("CREATE" + "UPDATE")
}
