module hot/OS_Neutron_SecurityGroup
open hot/core
open hot/filters
open hot/types/OS_Neutron_SecurityGroup
open util/net as net

/** HOT240 port-range-reversed: The first port of a range is not above the last.
 *
 *  Neutron refuses a rule of a protocol with ports whose `port_range_min` is above its `port_range_max`. For ICMP these
 *  two are type and code, which have no order.
 *
 *  @message the range of ports of {e} is reversed: {e.port_range_min} is above {e.port_range_max}
 *  @at e.port_range_min
 *  @also e.port_range_max the last port
 *  @help exchange the two
 *  @when always
 *  @openstack deployment error
 *  @report port_range_min_less_or_equal_to_port_range_max
 */
fact port_range_min_less_or_equal_to_port_range_max {
  all e: OS_Neutron_SecurityGroup_rules_elements |
    (e.protocol in port_protocols and some e.port_range_min and some e.port_range_max)
      implies e.port_range_min <= e.port_range_max
}

/** HOT241 ports-without-protocol: Only rules of protocols with ports have ports.
 *
 *  Neutron accepts a range of ports for TCP, UDP, UDP-Lite, SCTP and DCCP, and for ICMP, where it is type and code. For
 *  other protocols, and without a protocol, it refuses the rule.
 *
 *  @message {e} has ports, but its protocol has none, or it has no protocol
 *  @at e.port_range_min
 *  @also e.protocol the protocol
 *  @help name a `protocol` that has ports, or leave the ports out
 *  @when always
 *  @openstack deployment error
 *  @report port_range_min_port_range_max_can_be_defined_only_for_some_protocols
 */
fact port_range_min_port_range_max_can_be_defined_only_for_some_protocols {
  all e: OS_Neutron_SecurityGroup_rules_elements |
    (some e.port_range_min or some e.port_range_max)
      implies (some e.protocol and e.protocol in port_protocols + icmp_protocols)
}

/** HOT242 ipv6-protocol-in-ipv4: A rule for IPv4 has no protocol of IPv6.
 *
 *  `icmpv6` and the headers of IPv6 do not occur in IPv4, and Neutron refuses such a rule: "Invalid ethertype IPv4 for
 *  protocol …". The default of `ethertype` is IPv4.
 *
 *  @message {e} is for IPv4, but its protocol {e.protocol} is one of IPv6
 *  @at e.protocol
 *  @also e.ethertype for IPv4
 *  @help say `ethertype: IPv6`, or choose a protocol of IPv4
 *  @when always
 *  @openstack deployment error
 *  @report protocol_must_not_be_an_ipv6_type_when_ethertype_is_ipv4
 */
fact protocol_must_not_be_an_ipv6_type_when_ethertype_is_ipv4 {
  all e: OS_Neutron_SecurityGroup_rules_elements | e.ethertype = "IPv4" implies no e.protocol & ipv6_protocols
}

/** HOT243 prefix-of-other-version: The remote addresses of a rule are of its version of IP.
 *
 *  Neutron refuses others: "Conflicting value ethertype … for CIDR …". The default of `ethertype` is IPv4.
 *
 *  @message {e} is for {e.ethertype}, but {e.remote_ip_prefix} is not
 *  @at e.remote_ip_prefix
 *  @also e.ethertype the version of IP
 *  @help change `ethertype` or `remote_ip_prefix`
 *  @when always
 *  @openstack deployment error
 */
fact remote_ip_prefix_must_fit_ethertype {
  all e: OS_Neutron_SecurityGroup_rules_elements - remote_mode."remote_group_id" | {
    e.ethertype = "IPv4" implies 6 not in e.remote_ip_prefix.(net/version)
    e.ethertype = "IPv6" implies 4 not in e.remote_ip_prefix.(net/version)
  }
}

/** HOT245 port-range-half: A range of ports has two ends.
 *
 *  For protocols with ports, Neutron needs `port_range_min` and `port_range_max`, or neither.
 *
 *  @message {e} has only one end of a range of ports
 *  @at e.port_range_min
 *  @help add the other end: for a single port, both are the same
 *  @when always
 *  @openstack deployment error
 */
fact port_range_has_two_ends {
  all e: OS_Neutron_SecurityGroup_rules_elements | e.protocol in port_protocols and some e.protocol
    implies (some e.port_range_min iff some e.port_range_max)
}

/** HOT244 remote-group-ignored: A rule that names a remote group says that it means it.
 *
 *  Heat looks at `remote_group_id` only if `remote_mode` is `remote_group_id`; its default is `remote_ip_prefix`. Without
 *  it Heat drops the group without a word, and the rule is for all addresses, or for those in `remote_ip_prefix`.
 *
 *  @severity warning
 *  @message Heat ignores the `remote_group_id` of {e}: the rule is open to others than that group
 *  @at e.remote_group_id
 *  @help add `remote_mode: remote_group_id` to the rule
 *  @when end
 *  @openstack nothing: the rule lets in more than was meant
 */
fact remote_group_needs_remote_mode {
  all e: OS_Neutron_SecurityGroup_rules_elements | some e.remote_group_id implies e.remote_mode != "remote_ip_prefix"
}

/** HOT246 port-zero: The ports of a rule begin at 1.
 *
 *  Neutron refuses port 0 for protocols with ports: "Invalid value for port 0". Leave out both ends to mean all ports.
 *
 *  @message {e} has the port 0, which Neutron refuses
 *  @at e.port_range_min
 *  @help begin at 1, or leave out both ends to mean all ports
 *  @when always
 *  @openstack deployment error
 */
fact ports_begin_at_one {
  all e: OS_Neutron_SecurityGroup_rules_elements |
    (some e.protocol and e.protocol in port_protocols) implies 0 not in e.port_range_min + e.port_range_max
}

/** HOT247 rule-twice: A security group has no rule twice.
 *
 *  Neutron refuses a list of rules with two that are the same ("Duplicate Security Group Rule in POST"); their
 *  descriptions do not count, and 0.0.0.0/0 is as good as no prefix. Older releases of Heat sent the rules one by
 *  one and went on if there was one already: there it is only superfluous.
 *
 *  @severity warning
 *  @message {d} says the same as {e}
 *  @at d
 *  @also e the same rule
 *  @help remove one of them
 *  @when end
 *  @openstack deployment error, in recent releases
 */
fact no_rule_twice_in_a_group {
  all disj e, d: OS_Neutron_SecurityGroup_rules_elements |
    (e.of = d.of and e.direction = d.direction and e.ethertype = d.ethertype and same_protocol[e.protocol, d.protocol]
      and e.port_range_min = d.port_range_min and e.port_range_max = d.port_range_max
      and e.remote_mode = d.remote_mode)
      implies (e.remote_mode = "remote_group_id" implies e.remote_group_id != d.remote_group_id
        else e.remote_ip_prefix - everywhere != d.remote_ip_prefix - everywhere)
}

/** HOT248 group-named-default: A security group is not called `default`.
 *
 *  Every project has a group of that name already, which Neutron made.
 *
 *  @message {g} is called `default`, the name of the group that every project has
 *  @at g.prop_name
 *  @help choose another name, or leave it out
 *  @when text
 *  @openstack refused before deployment
 */
fact security_group_is_not_called_default {
  all g: OS_Neutron_SecurityGroup | g.prop_name != "default"
}

/** HOT249 icmp-range: In a rule for ICMP, the range of ports is a type and a code.
 *
 *  For ICMP, `port_range_min` is the type and `port_range_max` the code of the message, each from 0 to 255, and there is
 *  no code without a type.
 *
 *  @message {e} is for ICMP, but its ports are not a type and a code
 *  @at e.port_range_min
 *  @help `port_range_min` is the type, `port_range_max` the code, both from 0 to 255; leave out both to mean all
 *  @when always
 *  @openstack deployment error
 */
fact icmp_has_type_and_code {
  all e: OS_Neutron_SecurityGroup_rules_elements | (some e.protocol and e.protocol in icmp_protocols) implies {
    some e.port_range_max implies some e.port_range_min and e.port_range_max <= 255
    some e.port_range_min implies e.port_range_min <= 255
  }
}
