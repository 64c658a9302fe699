module cloudformation/AWS_ECS_Service
open cloudformation/core
open cloudformation/types/AWS_ECS_Service
open cloudformation/types/AWS_ECS_TaskDefinition
open cloudformation/types/AWS_ElasticLoadBalancingV2_TargetGroup
open cloudformation/types/AWS_ElasticLoadBalancingV2_Listener
open cloudformation/types/AWS_ElasticLoadBalancingV2_ListenerRule

/** CFN371 balanced-container-missing: A container that a service balances is in its task definition.
 *
 *  ECS refuses the service while the stack is built.
 *
 *  @message {s} balances the container {l.ContainerName}, which {d} does not have
 *  @at l.ContainerName
 *  @also d the task definition
 *  @help name a container of the task definition
 *  @openstack InvalidParameterException: The container does not exist in the task definition
 */
fact a_balanced_container_is_in_the_task {
  all s: AWS_ECS_Service, l: AWS_ECS_Service_LoadBalancers_elements, d: AWS_ECS_TaskDefinition |
    (l in s.prop_LoadBalancers and (AWS_ECS_Service <: prop_TaskDefinition)[s] = d and some l.ContainerName)
      implies l.ContainerName in d.prop_ContainerDefinitions.Name
}

/** CFN372 balanced-port-missing: A port that a service balances is mapped by the container.
 *
 *  ECS refuses the service while the stack is built.
 *
 *  @message {s} balances the port {l.ContainerPort} of the container {l.ContainerName}, which does not map it
 *  @at l.ContainerPort
 *  @also d the task definition
 *  @help add the port to the `PortMappings` of the container
 *  @openstack InvalidParameterException: The container did not have a container port defined
 */
fact a_balanced_port_is_mapped {
  all s: AWS_ECS_Service, l: AWS_ECS_Service_LoadBalancers_elements, d: AWS_ECS_TaskDefinition |
    (l in s.prop_LoadBalancers and (AWS_ECS_Service <: prop_TaskDefinition)[s] = d and some l.ContainerPort
      and l.ContainerName in d.prop_ContainerDefinitions.Name)
    implies l.ContainerPort in (d.prop_ContainerDefinitions & Name.(l.ContainerName)).PortMappings.ContainerPort
}

/** CFN373 target-group-without-listener: A target group of a service belongs to a load balancer.
 *
 *  ECS refuses a service whose target group no listener and no rule of a listener leads to.
 *
 *  @message {s} uses {g}, to which no listener leads
 *  @at l.TargetGroupArn
 *  @also g the target group
 *  @help add a listener, or a rule of one, that forwards to the group
 *  @openstack InvalidParameterException: The target group does not have an associated load balancer
 */
fact a_target_group_has_a_listener {
  all s: AWS_ECS_Service, l: AWS_ECS_Service_LoadBalancers_elements, g: AWS_ElasticLoadBalancingV2_TargetGroup
    - opaque.references |
    (l in s.prop_LoadBalancers and l.TargetGroupArn = g) implies
      some (AWS_ElasticLoadBalancingV2_Listener + AWS_ElasticLoadBalancingV2_ListenerRule) & references.g
}

/** CFN374 service-before-listener: A service waits for the listener that leads to its target group.
 *
 *  ECS refuses a service whose target group has no load balancer yet. Nothing in the service says that it must
 *  wait.
 *
 *  @severity warning
 *  @message {s} uses {g}, and waits for no listener that leads to it
 *  @at l.TargetGroupArn
 *  @also g the target group
 *  @help let the service depend on the listener
 *  @openstack InvalidParameterException: The target group does not have an associated load balancer, if the service
 *    is made first
 */
fact a_service_waits_for_the_listener {
  all s: AWS_ECS_Service, l: AWS_ECS_Service_LoadBalancers_elements, g: AWS_ElasticLoadBalancingV2_TargetGroup |
    (l in s.prop_LoadBalancers and l.TargetGroupArn = g
      and some (AWS_ElasticLoadBalancingV2_Listener + AWS_ElasticLoadBalancingV2_ListenerRule) & references.g)
    implies some s.^references & (AWS_ElasticLoadBalancingV2_Listener +
      AWS_ElasticLoadBalancingV2_ListenerRule) & references.g
}
