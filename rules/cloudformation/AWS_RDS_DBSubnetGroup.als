module cloudformation/AWS_RDS_DBSubnetGroup
open cloudformation/core
open cloudformation/types/AWS_RDS_DBSubnetGroup
open cloudformation/types/AWS_EC2_Subnet

/** CFN350 database-zones: The subnets of a database are in two zones at least.
 *
 *  RDS refuses a group of subnets that does not cover two zones, even for a database in one.
 *
 *  @message all subnets of {g} are in the zone {s.prop_AvailabilityZone}
 *  @at g.prop_SubnetIds
 *  @also s a subnet of it
 *  @help add a subnet of another zone
 *  @openstack DBSubnetGroupDoesNotCoverEnoughAZs: The DB subnet group doesn't meet Availability Zone (AZ) coverage
 *    requirement
 */
fact subnets_of_a_database_are_in_two_zones {
  all g: AWS_RDS_DBSubnetGroup, s: AWS_EC2_Subnet |
    (s in g.prop_SubnetIds and some (AWS_EC2_Subnet <: prop_AvailabilityZone)[s]) implies
      some t: g.prop_SubnetIds - s | (AWS_EC2_Subnet <: prop_AvailabilityZone)[t] != (AWS_EC2_Subnet <:
        prop_AvailabilityZone)[s]
}
