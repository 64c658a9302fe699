module cloudformation/AWS_EC2_Subnet
open cloudformation/core
open cloudformation/networks
open cloudformation/types/AWS_EC2_Subnet
open cloudformation/types/AWS_EC2_VPC
open cloudformation/types/AWS_EC2_VPCCidrBlock
open util/net as net

/** The ranges of a VPC of the template. */
fun ranges [v: AWS_EC2_VPC]: set String {
  (AWS_EC2_VPC <: prop_CidrBlock)[v] + (AWS_EC2_VPCCidrBlock & prop_VpcId.v).(AWS_EC2_VPCCidrBlock <: prop_CidrBlock)
}

/** All ranges of a VPC are known. */
pred ranges_known [v: AWS_EC2_VPC] {
  some (AWS_EC2_VPC <: prop_CidrBlock)[v]
  all c: AWS_EC2_VPCCidrBlock & prop_VpcId.v |
    some c.(AWS_EC2_VPCCidrBlock <: prop_CidrBlock) or c.prop_AmazonProvidedIpv6CidrBlock = true
}

/** CFN300 subnet-outside-vpc: The range of a subnet is within a range of its VPC.
 *
 *  EC2 refuses the subnet while the stack is built. Ranges that `AWS::EC2::VPCCidrBlock` adds count.
 *
 *  @message {s} has the range {s.prop_CidrBlock}, which is not within the ranges of {v}
 *  @at s.prop_CidrBlock
 *  @also v.prop_CidrBlock the range of {v}
 *  @help choose a range within that of the VPC
 *  @openstack InvalidSubnet.Range: The CIDR is invalid
 */
fact a_subnet_is_within_its_vpc {
  all s: AWS_EC2_Subnet, v: known_vpcs |
    ((AWS_EC2_Subnet <: prop_VpcId)[s] = v and some (AWS_EC2_Subnet <: prop_CidrBlock)[s] and ranges_known[v])
      implies (AWS_EC2_Subnet <: prop_CidrBlock)[s] in ranges[v].(net/contains)
}

/** CFN301 subnets-overlap: Subnets of one VPC do not overlap.
 *
 *  EC2 refuses the second of them.
 *
 *  @message {a} and {b} are in one VPC, and their ranges overlap
 *  @at b.prop_CidrBlock
 *  @also a.prop_CidrBlock the range of {a}
 *  @help give each subnet a range of its own
 *  @openstack InvalidSubnet.Conflict: The CIDR conflicts with another subnet
 */
fact subnets_of_a_vpc_do_not_overlap {
  all disj a, b: AWS_EC2_Subnet |
    (AWS_EC2_Subnet <: prop_VpcId)[a] = (AWS_EC2_Subnet <: prop_VpcId)[b] implies
      no (AWS_EC2_Subnet <: prop_CidrBlock)[a].(net/overlaps) & (AWS_EC2_Subnet <: prop_CidrBlock)[b]
}

/** CFN302 subnet-size: A subnet has a prefix of 16 to 28 bits.
 *
 *  EC2 keeps five addresses of each subnet, and refuses ranges that are smaller than a /28 or larger than a /16.
 *
 *  @message {s} has the range {s.prop_CidrBlock}; a subnet is a /16 at most and a /28 at least
 *  @at s.prop_CidrBlock
 *  @help choose a prefix of 16 to 28 bits
 *  @openstack InvalidSubnet.Range: The CIDR is invalid
 */
fact a_subnet_has_a_size_that_ec2_takes {
  all s: AWS_EC2_Subnet | some (AWS_EC2_Subnet <: prop_CidrBlock)[s].(net/prefix_length) implies
    ((AWS_EC2_Subnet <: prop_CidrBlock)[s].(net/prefix_length) >= 16
      and (AWS_EC2_Subnet <: prop_CidrBlock)[s].(net/prefix_length) <= 28)
}
