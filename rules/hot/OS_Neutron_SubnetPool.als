module hot/OS_Neutron_SubnetPool
open hot/core
open hot/types/OS_Neutron_SubnetPool
open hot/types/OS_Neutron_AddressScope
open util/net as net

/** HOT150 pool-without-least-length: A pool whose least prefix length is 0 has a default length.
 *
 *  `default_prefixlen` is the least length unless given, and no subnet can have a prefix length of 0. Neutron answers with
 *  an internal error. The report has this of IPv4 pools; those of IPv6 fail in the same way.
 *
 *  @message the least prefix length of {p} is 0, which no subnet can have, and it has no default
 *  @at p.prop_min_prefixlen
 *  @help leave `min_prefixlen` out to have 8 for IPv4 and 64 for IPv6, or add `default_prefixlen`
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
 *  @openstack deployment error
 */
fact one_default_pool_per_version {
  all disj p, q: OS_Neutron_SubnetPool | p.prop_is_default = true and q.prop_is_default = true implies
    no version[p] & version[q]
}

/** The IP versions of the prefixes. */
private fun version [p: OS_Neutron_SubnetPool]: set Int { p.prop_prefixes.(net/version) }
