module network
open hot/core
open hot/types/OS_Neutron_SecurityGroup
open hot/types/OS_Neutron_SecurityGroupRule
open hot/types/OS_Neutron_Subnet
open util/net

/** OWN005 no-open-ssh: SSH is not open to the world.
 *
 *  A rule without a port is about all ports, one without a protocol about all protocols, and one without remote addresses
 *  about all addresses: none of them may be forgotten.
 *
 *  @message {r} lets anybody in by SSH
 *  @at r
 *  @help name the addresses that may come in by `remote_ip_prefix`
 */
fact no_open_ssh {
  all r: OS_Neutron_SecurityGroupRule | not {
    no r.prop_direction or r.prop_direction = "ingress"
    no r.prop_protocol or r.prop_protocol in "tcp" + "6" + "any"
    no r.prop_port_range_min or r.prop_port_range_min <= 22
    no r.prop_port_range_max or r.prop_port_range_max >= 22
    no r.prop_remote_group
    no r.prop_remote_ip_prefix or r.prop_remote_ip_prefix in "0.0.0.0/0" + "::/0"
  }
}

/** OWN006 no-open-ssh-in-groups: SSH is not open to the world, where rules are listed in their group.
 *
 *  @message a rule of {g} lets anybody in by SSH
 *  @at r
 *  @help name the addresses that may come in by `remote_ip_prefix`
 */
fact no_open_ssh_in_groups {
  all g: OS_Neutron_SecurityGroup, r: g.prop_rules | not {
    no r.direction or r.direction = "ingress"
    no r.protocol or r.protocol in "tcp" + "6" + "any"
    no r.port_range_min or r.port_range_min <= 22
    no r.port_range_max or r.port_range_max >= 22
    no r.remote_group_id
    no r.remote_ip_prefix or r.remote_ip_prefix in "0.0.0.0/0" + "::/0"
  }
}

/** OWN007 address-plan: Subnets are within the address plan.
 *
 *  @message {s} has the addresses {s.prop_cidr}, which are outside of 10.20.0.0/16
 *  @at s.prop_cidr
 *  @help take a part of 10.20.0.0/16
 */
fact address_plan {
  all s: OS_Neutron_Subnet | no s.prop_cidr or s.prop_cidr in "10.20.0.0/16".contains
}
