module hot/OS_Neutron_SubnetPool
open hot/core
open hot/types/OS_Neutron_SubnetPool
open hot/types/OS_Neutron_AddressScope
open util/net as net
open hot/routing
open hot/types/OS_Neutron_Subnet

/** HOT150 pool-without-least-length: A pool whose least prefix length is 0 has a default length.
 *
 *  `default_prefixlen` is the least length unless given, and no subnet can have a prefix length of 0. Neutron answers with
 *  an internal error. The report has this of IPv4 pools; those of IPv6 fail in the same way.
 *
 *  @message the least prefix length of {p} is 0, which no subnet can have, and it has no default
 *  @at p.prop_min_prefixlen
 *  @help leave `min_prefixlen` out to have 8 for IPv4 and 64 for IPv6, or add `default_prefixlen`
 *  @when always
 *  @openstack deployment error
 *  @report min_prefixlen_for_ipv4_addressscope
 */
fact min_prefixlen_for_ipv4_addressscope {
  all p: OS_Neutron_SubnetPool | p.prop_min_prefixlen = 0 implies some p.prop_default_prefixlen
}

/** HOT151 overlapping-subnet-pools: Subnet pools of an address scope have no address in common.
 *
 *  Within an address scope every address is there once, so Neutron refuses a pool whose prefixes overlap with those of
 *  another pool of the scope. The report has the same of all pools; without a scope, Neutron accepts them.
 *
 *  @message {p} and {q} are in the same address scope, but their prefixes overlap
 *  @at q.prop_prefixes
 *  @also p.prop_prefixes prefixes of {p}
 *  @help give each pool prefixes of its own, or different address scopes
 *  @when always
 *  @openstack deployment error
 *  @report distinct_prefixes_for_subnetpools
 */
fact distinct_prefixes_for_subnetpools {
  all disj p, q: OS_Neutron_SubnetPool |
    some p.prop_address_scope & q.prop_address_scope implies no p.prop_prefixes.(net/overlaps) & q.prop_prefixes
}

/** HOT152 pool-lengths-reversed: The greatest prefix length of a pool is not less than the least.
 *
 *  Heat refuses a pool with `max_prefixlen` less than `min_prefixlen`, and Neutron one whose greatest length is less than the
 *  least that it has if none is given: 8 for IPv4 and 64 for IPv6. A longer prefix is a smaller range.
 *
 *  @message the greatest prefix length of {p}, {p.prop_max_prefixlen}, is less than the least
 *  @at p.prop_max_prefixlen
 *  @also p.prop_min_prefixlen the least length
 *  @help swap them; without `min_prefixlen`, the least is 8 for IPv4 and 64 for IPv6
 *  @when text
 *  @openstack parse error
 *  @report max_prefixlen_must_be_greater_or_equal_to_min_prefixlen
 */
fact max_prefixlen_must_be_greater_or_equal_to_min_prefixlen {
  all p: OS_Neutron_SubnetPool | some p.prop_max_prefixlen implies {
    some p.prop_min_prefixlen implies p.prop_max_prefixlen >= p.prop_min_prefixlen
    no p.prop_min_prefixlen and version[p] = 4 implies p.prop_max_prefixlen >= 8
    no p.prop_min_prefixlen and version[p] = 6 implies p.prop_max_prefixlen >= 64
  }
}

/** HOT153 default-length-outside-bounds: The default prefix length of a pool is between its least and its greatest.
 *
 *  Heat refuses it if the bounds are given, and Neutron if they are not: the least is then 8 for IPv4 and 64 for IPv6.
 *
 *  @message the default prefix length {p.prop_default_prefixlen} of {p} is not between its least and its greatest
 *  @at p.prop_default_prefixlen
 *  @help change the default, or the bounds `min_prefixlen` and `max_prefixlen`
 *  @when text
 *  @openstack parse error
 */
fact default_prefixlen_is_within_the_bounds {
  all p: OS_Neutron_SubnetPool | some p.prop_default_prefixlen implies {
    some p.prop_min_prefixlen implies p.prop_default_prefixlen >= p.prop_min_prefixlen
    some p.prop_max_prefixlen implies p.prop_default_prefixlen <= p.prop_max_prefixlen
    no p.prop_min_prefixlen and version[p] = 4 implies p.prop_default_prefixlen >= 8
    no p.prop_min_prefixlen and version[p] = 6 implies p.prop_default_prefixlen >= 64
  }
}

/** HOT154 pool-of-two-versions: The prefixes of a pool have the same IP version.
 *
 *  Neutron refuses a pool with prefixes of both.
 *
 *  @message {p} has prefixes of both IP versions
 *  @at p.prop_prefixes
 *  @help make a pool for each version
 *  @when always
 *  @openstack deployment error
 */
fact prefixes_have_one_version {
  all p: OS_Neutron_SubnetPool | lone version[p]
}

/** HOT155 length-beyond-version: Prefix lengths of a pool are those of its IP version.
 *
 *  An IPv4 address has 32 bits, an IPv6 address has 128. Neutron refuses longer prefixes.
 *
 *  @message {p} has a prefix length that no address of its IP version has
 *  @at p
 *  @help use lengths up to 32 for IPv4, and up to 128 for IPv6
 *  @when always
 *  @openstack deployment error
 */
fact prefix_lengths_are_those_of_the_version {
  all p: OS_Neutron_SubnetPool {
    version[p] = 4 implies all n: p.prop_min_prefixlen + p.prop_default_prefixlen + p.prop_max_prefixlen | n <= 32
    version[p] = 6 implies all n: p.prop_min_prefixlen + p.prop_default_prefixlen + p.prop_max_prefixlen | n <= 128
  }
}

/** HOT156 scope-of-other-version: A subnet pool is in an address scope of its IP version.
 *
 *  `ip_version` of an address scope is 4 if it is left out. Neutron refuses pools of the other version in it.
 *
 *  @message {p} is in {s}, an address scope of IP version {s.prop_ip_version}, but its prefixes are not
 *  @at p.prop_address_scope
 *  @also s the address scope
 *  @help set `ip_version` of the address scope: it is 4 unless given
 *  @when always
 *  @openstack deployment error
 */
fact the_address_scope_has_the_version_of_the_pool {
  all p: OS_Neutron_SubnetPool, s: p.prop_address_scope & OS_Neutron_AddressScope |
    one version[p] implies s.prop_ip_version in version[p]
}

/** HOT157 two-default-pools: There is one default subnet pool for each IP version.
 *
 *  Neutron refuses another one with `is_default: true`, in the whole cloud.
 *
 *  @message {p} and {q} are both the default subnet pool of an IP version
 *  @at q.prop_is_default
 *  @also p.prop_is_default {p} is the default already
 *  @help leave `is_default` out in one of them
 *  @when always
 *  @openstack deployment error
 */
fact one_default_pool_per_version {
  all disj p, q: OS_Neutron_SubnetPool | p.prop_is_default = true and q.prop_is_default = true implies
    no version[p] & version[q]
}

/** The IP versions of the prefixes. */
private fun version [p: OS_Neutron_SubnetPool]: set Int { p.prop_prefixes.(net/version) }

/** The powers of 2 that an `Int` of a rule is likely to meet. */
private fun power: Int->Int {
  0->1 + 1->2 + 2->4 + 3->8 + 4->16 + 5->32 + 6->64 + 7->128 + 8->256 + 9->512 + 10->1024 + 11->2048 + 12->4096 +
    13->8192 + 14->16384 + 15->32768 + 16->65536 + 17->131072 + 18->262144 + 19->524288 + 20->1048576 + 21->2097152
    + 22->4194304 + 23->8388608 + 24->16777216
}

/** The bits of an address of the pool that ranges are counted in: of IPv6, those before the last 64. */
private fun bits [p: OS_Neutron_SubnetPool]: Int { version[p] = 4 implies 32 else 64 }

/** The prefix length of a subnet that is taken from the pool. */
private fun taken_length [t: OS_Neutron_Subnet, p: OS_Neutron_SubnetPool]: Int {
  some t.prop_prefixlen implies t.prop_prefixlen else some p.prop_default_prefixlen implies p.prop_default_prefixlen
    else p.prop_min_prefixlen
}

/** All subnets that are taken from it have a size that is known. */
private pred sized [p: OS_Neutron_SubnetPool] {
  one version[p]
  all t: (OS_Neutron_Subnet <: prop_subnetpool).p & Made | some power[minus[bits[p], taken_length[t, p]]]
}

/** How much of the pool its subnets take. */
private fun taken [p: OS_Neutron_SubnetPool]: Int {
  sum t: (OS_Neutron_Subnet <: prop_subnetpool).p & Made | power[minus[bits[p], taken_length[t, p]]]
}

/** HOT514 pool-exhausted: The prefixes of a subnet pool have room for its subnets.
 *
 *  Each subnet takes a range of the pool that nobody else has. Where nothing is left, Neutron says: "Failed to allocate
 *  subnet: Insufficient prefix space to allocate subnet size …".
 *
 *  @message the subnets of the template that are taken from {p} are larger than its prefixes
 *  @at p.prop_prefixes
 *  @help add prefixes, or give the subnets a longer `prefixlen`
 *  @when always
 *  @openstack deployment error
 */
fact a_pool_has_room_for_its_subnets {
  all p: OS_Neutron_SubnetPool & Made |
    (sized[p] and all x: p.prop_prefixes | some power[minus[bits[p], x.(net/prefix_length)]]) implies
      taken[p] <= (sum x: p.prop_prefixes | power[minus[bits[p], x.(net/prefix_length)]])
}

/** HOT515 pool-quota-exceeded: The subnets of a project are within the quota of their pool.
 *
 *  `default_quota` counts the addresses that a project may have of a pool, of IPv6 the ranges with prefix 64. Neutron
 *  refuses more: "Per-tenant subnet pool prefix quota exceeded".
 *
 *  @message the subnets of the template that are taken from {p} are more than its quota {p.prop_default_quota}
 *  @at p.prop_default_quota
 *  @help raise `default_quota`, or give the subnets a longer `prefixlen`
 *  @when always
 *  @openstack deployment error
 */
fact a_pool_quota_has_room_for_the_subnets {
  all p: OS_Neutron_SubnetPool & Made |
    (sized[p] and some p.prop_default_quota and no ((OS_Neutron_Subnet <: prop_subnetpool).p).prop_tenant_id) implies
      taken[p] <= p.prop_default_quota
}
