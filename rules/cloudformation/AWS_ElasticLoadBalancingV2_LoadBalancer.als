module cloudformation/AWS_ElasticLoadBalancingV2_LoadBalancer
open cloudformation/core
open cloudformation/networks
open cloudformation/types/AWS_ElasticLoadBalancingV2_LoadBalancer
open cloudformation/types/AWS_EC2_Subnet

/** CFN318 balancer-zones: A load balancer has at most one subnet in each zone.
 *
 *  Elastic Load Balancing refuses two subnets of one zone.
 *
 *  @message {b} has {s} and {t}, which are both in the zone {s.prop_AvailabilityZone}
 *  @at b.prop_Subnets
 *  @also s the first subnet
 *  @also t the second subnet
 *  @help choose subnets of different zones
 *  @openstack InvalidConfigurationRequest: A load balancer cannot be attached to multiple subnets in the same
 *    Availability Zone
 */
fact subnets_of_a_balancer_are_in_different_zones {
  all b: AWS_ElasticLoadBalancingV2_LoadBalancer, disj s, t: AWS_EC2_Subnet |
    s + t in b.prop_Subnets implies
      no (AWS_EC2_Subnet <: prop_AvailabilityZone)[s] & (AWS_EC2_Subnet <: prop_AvailabilityZone)[t]
}

/** CFN317 balancer-without-internet: A load balancer that faces the internet is in a VPC with an internet gateway.
 *
 *  A load balancer faces the internet unless its `Scheme` is `internal`.
 *
 *  @message {b} faces the internet, and is in {s}, to whose VPC no internet gateway is attached
 *  @at b.prop_Subnets
 *  @also s the subnet
 *  @help attach an internet gateway to the VPC, or make the load balancer `internal`
 *  @openstack InvalidSubnet: VPC has no internet gateway
 */
fact a_balancer_has_an_internet_gateway {
  all b: AWS_ElasticLoadBalancingV2_LoadBalancer, s: known_subnets |
    (s in b.prop_Subnets and b.prop_Scheme != "internal") implies some (AWS_EC2_Subnet <: prop_VpcId)[s] &
      with_internet
}
