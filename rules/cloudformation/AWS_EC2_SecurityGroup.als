module cloudformation/AWS_EC2_SecurityGroup
open cloudformation/core
open cloudformation/placement
open cloudformation/types/AWS_EC2_SecurityGroup

/** CFN320 group-of-another-vpc: A security group is in the VPC of what it is for.
 *
 *  A group works in one VPC. EC2 refuses it for an instance, an interface, a function or a load balancer in a
 *  subnet of another.
 *
 *  @message {r} is in a subnet of another VPC than its security group {g}
 *  @at r
 *  @also g the group
 *  @help use a group of the same VPC
 *  @openstack InvalidParameter: Security group and subnet belong to different networks
 */
fact a_group_is_in_the_vpc_of_what_it_is_for {
  all r: Resource, g: AWS_EC2_SecurityGroup | g in r.guarded implies not misplaced[r, g]
}

/** CFN322 ports-reversed: The first port of a range is not above the last.
 *
 *  EC2 refuses the rule while the group is made.
 *
 *  @message {p.of} has a rule from port {p.FromPort} to port {p.ToPort}
 *  @at p.FromPort
 *  @also p.ToPort the last port
 *  @help exchange the two
 *  @openstack InvalidParameterValue: Invalid TCP port range
 */
fact ports_are_in_order {
  all p: AWS_EC2_SecurityGroup_SecurityGroupIngress_elements |
    (p.IpProtocol in "tcp" + "udp" + "6" + "17" and some p.FromPort and some p.ToPort) implies p.FromPort <=
      p.ToPort
}
