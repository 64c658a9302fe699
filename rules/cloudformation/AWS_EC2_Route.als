module cloudformation/AWS_EC2_Route
open cloudformation/core
open cloudformation/networks
open cloudformation/types/AWS_EC2_Route
open cloudformation/types/AWS_EC2_RouteTable
open cloudformation/types/AWS_EC2_InternetGateway
open cloudformation/types/AWS_EC2_VPCGatewayAttachment
open cloudformation/types/AWS_EC2_NatGateway

/** CFN310 route-to-unattached-gateway: A gateway that a route leads to is attached to the VPC of the route table.
 *
 *  EC2 refuses the route while the stack is built.
 *
 *  @message {r} leads to {r.prop_GatewayId}, which is not attached to the VPC of {r.prop_RouteTableId}
 *  @at r.prop_GatewayId
 *  @help attach the gateway with an `AWS::EC2::VPCGatewayAttachment`
 *  @openstack InvalidParameterValue: route table and network gateway belong to different networks
 */
fact a_route_leads_to_a_gateway_of_its_vpc {
  all r: AWS_EC2_Route | (some r.prop_GatewayId and r.prop_GatewayId in AWS_EC2_InternetGateway - opaque.references
      and r.prop_RouteTableId in AWS_EC2_RouteTable and (AWS_EC2_RouteTable <: prop_VpcId)[r.prop_RouteTableId]
        in known_vpcs)
    implies (AWS_EC2_RouteTable <: prop_VpcId)[r.prop_RouteTableId] in r.prop_GatewayId.attached
}

/** CFN311 route-before-attachment: A route to a gateway waits until the gateway is attached.
 *
 *  Nothing in the route says so by itself. If CloudFormation makes the route first, EC2 refuses it.
 *
 *  @severity warning
 *  @message {r} leads to {r.prop_GatewayId}, and does not wait for {a}, which attaches it
 *  @at r.prop_GatewayId
 *  @also a it is attached here
 *  @help add `DependsOn` with the attachment
 *  @openstack InvalidParameterValue: route table and network gateway belong to different networks, if the route is
 *    made first
 */
fact a_route_waits_for_the_attachment {
  all r: AWS_EC2_Route, a: AWS_EC2_VPCGatewayAttachment |
    (some r.prop_GatewayId and r.prop_GatewayId in AWS_EC2_InternetGateway and a.prop_InternetGatewayId =
      r.prop_GatewayId)
      implies a in r.^references
}

/** CFN314 nat-behind-itself: A NAT gateway is not in a subnet that is routed to it.
 *
 *  The gateway sends what it has translated along the route table of its own subnet. If that leads to itself,
 *  nothing gets out. EC2 accepts it.
 *
 *  @message {r} leads to {r.prop_NatGatewayId}, which is in a subnet that {r.prop_RouteTableId} is for
 *  @at r.prop_NatGatewayId
 *  @help put the NAT gateway into a subnet with a route to an internet gateway
 *  @openstack none: nothing behind it reaches the internet
 */
fact a_nat_gateway_is_not_behind_itself {
  all r: AWS_EC2_Route | (some r.prop_NatGatewayId and r.prop_NatGatewayId in AWS_EC2_NatGateway) implies
    r.prop_RouteTableId not in (AWS_EC2_NatGateway <: prop_SubnetId)[r.prop_NatGatewayId].table
}
