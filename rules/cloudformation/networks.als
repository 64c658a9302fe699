module cloudformation/networks
open cloudformation/core
open cloudformation/types/AWS_EC2_VPC
open cloudformation/types/AWS_EC2_Subnet
open cloudformation/types/AWS_EC2_VPCCidrBlock
open cloudformation/types/AWS_EC2_InternetGateway
open cloudformation/types/AWS_EC2_VPCGatewayAttachment
open cloudformation/types/AWS_EC2_RouteTable
open cloudformation/types/AWS_EC2_Route
open cloudformation/types/AWS_EC2_SubnetRouteTableAssociation

-- Which networks there are, and what leads out of them, as far as a template says. A resource of a type that is not
-- AWS's may do anything to what it refers to.

/** The VPCs of the template of which all that is attached to them is known. */
fun known_vpcs: set AWS_EC2_VPC { AWS_EC2_VPC - opaque.references }

/** From a gateway to the VPCs that it is attached to. */
fun attached: Location->Location { ~(AWS_EC2_VPCGatewayAttachment <: prop_InternetGatewayId).prop_VpcId }

/** The VPCs to which a gateway to the internet is attached. */
fun with_internet: set Location { (AWS_EC2_VPCGatewayAttachment - prop_VpnGatewayId.Location).prop_VpcId }

/** From a subnet to the route table that the template gives it. */
fun table: Location->Location { ~(AWS_EC2_SubnetRouteTableAssociation <: prop_SubnetId).prop_RouteTableId }

/** The route tables with a route to a gateway of the template, or to one that exists already. */
fun outward: set Location { (AWS_EC2_Route & prop_GatewayId.Location).prop_RouteTableId }

/** Subnets of which the template decides where they lead: they are in a VPC of the template, and nobody else touches
 *  them. */
fun known_subnets: set AWS_EC2_Subnet {
  { s: AWS_EC2_Subnet - opaque.references | s.prop_VpcId in known_vpcs and no s.table & opaque.references }
}

/** Subnets of the template from which nothing leads to the internet directly. */
fun inward: set AWS_EC2_Subnet { { s: known_subnets | no s.table & outward } }
