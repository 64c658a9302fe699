module cloudformation/AWS_EC2_NatGateway
open cloudformation/core
open cloudformation/networks
open cloudformation/types/AWS_EC2_NatGateway
open cloudformation/types/AWS_EC2_Subnet

/** CFN312 nat-without-internet: A public NAT gateway is in a VPC with an internet gateway.
 *
 *  EC2 makes the gateway, finds nothing to lead to, and lets it fail: the stack is rolled back.
 *
 *  @message {n} is in {n.prop_SubnetId}, to whose VPC no internet gateway is attached
 *  @at n.prop_SubnetId
 *  @help attach an internet gateway to the VPC, or make the gateway `private`
 *  @openstack Gateway.NotAttached: Network has no Internet gateway attached
 */
fact a_nat_gateway_has_an_internet_gateway {
  all n: AWS_EC2_NatGateway | (some (AWS_EC2_NatGateway <: prop_SubnetId)[n]
      and (AWS_EC2_NatGateway <: prop_SubnetId)[n] in known_subnets and n.prop_ConnectivityType != "private")
    implies some (AWS_EC2_Subnet <: prop_VpcId)[(AWS_EC2_NatGateway <: prop_SubnetId)[n]] & with_internet
}

/** CFN313 nat-in-private-subnet: A public NAT gateway is in a subnet with a route to an internet gateway.
 *
 *  A NAT gateway uses the route table of its own subnet. Without a route to an internet gateway nothing behind it
 *  gets out, and nothing says so.
 *
 *  @severity warning
 *  @message {n} is in {n.prop_SubnetId}, from which no route leads to an internet gateway
 *  @at n.prop_SubnetId
 *  @help give the route table of that subnet a route to the internet gateway
 *  @openstack none: nothing behind it reaches the internet
 */
fact a_nat_gateway_is_in_a_public_subnet {
  all n: AWS_EC2_NatGateway | (n.prop_ConnectivityType != "private"
      and some (AWS_EC2_Subnet <: prop_VpcId)[(AWS_EC2_NatGateway <: prop_SubnetId)[n]] & with_internet)
    implies (AWS_EC2_NatGateway <: prop_SubnetId)[n] not in inward
}
