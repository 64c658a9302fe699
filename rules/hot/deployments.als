module hot/deployments
open hot/core
open hot/types/OS_Nova_Server
open hot/types/OS_Heat_SoftwareDeployment
open hot/types/OS_Heat_StructuredDeployment

/** The server that a deployment is for. */
fun deployed_to: Resource->Location {
  OS_Heat_SoftwareDeployment <: prop_server + OS_Heat_StructuredDeployment <: prop_server
}

/** HOT357 deployment-to-plain-server: A server with software deployments fetches them.
 *
 *  A server fetches deployments if its `user_data_format` is `SOFTWARE_CONFIG`. Otherwise they would wait for ever, so
 *  Heat refuses them. (Without `user_data_format` it is `HEAT_CFNTOOLS`, unless the cloud has another default.)
 *
 *  @message {d} is deployed to {s}, whose `user_data_format` is {s.prop_user_data_format}
 *  @at d.prop_server
 *  @also s.prop_user_data_format this must be `SOFTWARE_CONFIG`
 *  @help add `user_data_format: SOFTWARE_CONFIG` to {s}
 *  @when text
 *  @openstack parse error
 *  @report used_data_format_must_be_software_config_when_software_deployment_is_used_for_a_server
 */
fact user_data_format_must_be_software_config {
  all d: OS_Heat_SoftwareDeployment + OS_Heat_StructuredDeployment, s: OS_Nova_Server & Made |
    d.deployed_to = s implies s.prop_user_data_format = "SOFTWARE_CONFIG"
}
