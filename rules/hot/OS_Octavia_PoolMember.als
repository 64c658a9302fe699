module hot/OS_Octavia_PoolMember
open hot/core
open hot/types/OS_Octavia_PoolMember

/** HOT390 duplicate-member: Members of a pool differ in address or port.
 *
 *  Octavia refuses a second member with the same address and port.
 *
 *  @message {m} and {n} are the same member of {m.prop_pool}
 *  @at n.prop_address
 *  @also m.prop_address {m} is there already
 *  @help leave one out, or choose another port
 *  @when always
 *  @openstack deployment error
 */
fact members_are_distinct {
  all disj m, n: OS_Octavia_PoolMember |
    (some m.prop_pool and m.prop_pool = n.prop_pool and some m.prop_address and m.prop_address = n.prop_address) implies
      m.prop_protocol_port != n.prop_protocol_port
}
