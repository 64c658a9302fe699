module hot/OS_Nova_ServerGroup
open hot/core
open hot/types/OS_Nova_ServerGroup

/** HOT323 several-policies: A group of servers has one policy.
 *
 *  Though `policies` is a list, Nova takes exactly one. Heat gives it the first and says nothing of the others. (Up to
 *  Nova's API 2.63 it gives it all of them, and Nova refuses the group.)
 *
 *  @severity warning
 *  @message {g} has more than one policy, and only the first counts: {g.prop_policies}
 *  @at g.prop_policies
 *  @help keep one
 *  @when end
 *  @openstack nothing: the others are ignored
 */
fact one_policy_for_a_server_group {
  all g: OS_Nova_ServerGroup | lone g.prop_policies
}

/** HOT324 rules-without-anti-affinity: The servers on a host are counted only under `anti-affinity`.
 *
 *  Nova refuses `max_server_per_host` with any other policy. Without `policies`, the policy is `anti-affinity`.
 *
 *  @message {g} limits the servers on a host, which its policy {g.prop_policies} cannot
 *  @at g.prop_rules.max_server_per_host
 *  @also g.prop_policies the policy
 *  @help use the policy `anti-affinity`, or leave the limit out
 *  @when always
 *  @openstack deployment error
 */
fact max_server_per_host_needs_anti_affinity {
  all g: OS_Nova_ServerGroup |
    some g.prop_rules.max_server_per_host implies g.prop_policies in "anti-affinity"
}
