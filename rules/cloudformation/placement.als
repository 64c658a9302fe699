module cloudformation/placement
open cloudformation/core
open cloudformation/types/AWS_EC2_Instance
open cloudformation/types/AWS_EC2_NetworkInterface
open cloudformation/types/AWS_ElasticLoadBalancingV2_LoadBalancer
open cloudformation/types/AWS_Lambda_Function
open cloudformation/types/AWS_EC2_Subnet
open cloudformation/types/AWS_EC2_SecurityGroup

-- What is in which subnets, behind which security groups.

/** From a resource to the subnets that it is put into. */
fun placed: Resource->Location {
  AWS_EC2_Instance <: prop_SubnetId + AWS_EC2_NetworkInterface <: prop_SubnetId
    + AWS_ElasticLoadBalancingV2_LoadBalancer <: prop_Subnets
    + (AWS_Lambda_Function <: prop_VpcConfig).(AWS_Lambda_Function_VpcConfig <: SubnetIds)
}

/** From a resource to its security groups. */
fun guarded: Resource->Location {
  AWS_EC2_Instance <: prop_SecurityGroupIds + AWS_EC2_NetworkInterface <: prop_GroupSet
    + AWS_ElasticLoadBalancingV2_LoadBalancer <: prop_SecurityGroups
    + (AWS_Lambda_Function <: prop_VpcConfig).(AWS_Lambda_Function_VpcConfig <: SecurityGroupIds)
}

/** The VPC of a group of the template. */
fun group_vpc: Location->Location { AWS_EC2_SecurityGroup <: prop_VpcId }

/** The VPC of a subnet of the template. */
fun subnet_vpc: Location->Location { AWS_EC2_Subnet <: prop_VpcId }

/** A resource and a group of it that is in another VPC than a subnet of it. Both VPCs are of the template. */
pred misplaced [r: Resource, g: Location] {
  some s: r.placed & AWS_EC2_Subnet | some s.subnet_vpc & Resource and some g.group_vpc & Resource
    and no s.subnet_vpc & g.group_vpc
}
