module hot/OS_Neutron_SecurityGroupRule
open hot/core
open hot/filters
open hot/types/OS_Neutron_SecurityGroupRule
open hot/types/OS_Neutron_SecurityGroup
open util/net as net

/** HOT250 rule-port-range-reversed: The first port of a range is not above the last.
 *
 *  Neutron refuses a rule of a protocol with ports whose `port_range_min` is above its `port_range_max`. For ICMP these
 *  two are type and code, which have no order.
 *
 *  @message the range of ports of {r} is reversed: {r.prop_port_range_min} is above {r.prop_port_range_max}
 *  @at r.prop_port_range_min
 *  @also r.prop_port_range_max the last port
 *  @help exchange the two
 *  @when text
 *  @openstack refused before deployment
 */
fact rule_port_range_min_less_or_equal_to_port_range_max {
  all r: OS_Neutron_SecurityGroupRule |
    (r.prop_protocol in port_protocols and some r.prop_port_range_min and some r.prop_port_range_max)
      implies r.prop_port_range_min <= r.prop_port_range_max
}

/** HOT251 rule-ports-without-protocol: Only rules of protocols with ports have ports.
 *
 *  Neutron accepts a range of ports for TCP, UDP, UDP-Lite, SCTP and DCCP, and for ICMP, where it is type and code. For
 *  other protocols, and without a protocol, it refuses the rule.
 *
 *  @message {r} has ports, but its protocol has none, or it has no protocol
 *  @at r.prop_port_range_min
 *  @also r.prop_protocol the protocol
 *  @help name a `protocol` that has ports, or leave the ports out
 *  @when always
 *  @openstack deployment error
 */
fact rule_port_range_min_port_range_max_can_be_defined_only_for_some_protocols {
  all r: OS_Neutron_SecurityGroupRule |
    (some r.prop_port_range_min or some r.prop_port_range_max)
      implies (some r.prop_protocol and r.prop_protocol in port_protocols + icmp_protocols)
}

/** HOT252 rule-ipv6-protocol-in-ipv4: A rule for IPv4 has no protocol of IPv6.
 *
 *  `icmpv6` and the headers of IPv6 do not occur in IPv4, and Neutron refuses such a rule: "Invalid ethertype IPv4 for
 *  protocol …". The default of `ethertype` is IPv4.
 *
 *  @message {r} is for IPv4, but its protocol {r.prop_protocol} is one of IPv6
 *  @at r.prop_protocol
 *  @also r.prop_ethertype for IPv4
 *  @help say `ethertype: IPv6`, or choose a protocol of IPv4
 *  @when always
 *  @openstack deployment error
 */
fact rule_protocol_must_not_be_an_ipv6_type_when_ethertype_is_ipv4 {
  all r: OS_Neutron_SecurityGroupRule | r.prop_ethertype = "IPv4" implies no r.prop_protocol & ipv6_protocols
}

/** HOT253 rule-prefix-of-other-version: The remote addresses of a rule are of its version of IP.
 *
 *  Neutron refuses others: "Conflicting value ethertype … for CIDR …". The default of `ethertype` is IPv4.
 *
 *  @message {r} is for {r.prop_ethertype}, but {r.prop_remote_ip_prefix} is not
 *  @at r.prop_remote_ip_prefix
 *  @also r.prop_ethertype the version of IP
 *  @help change `ethertype` or `remote_ip_prefix`
 *  @when always
 *  @openstack deployment error
 */
fact rule_remote_ip_prefix_must_fit_ethertype {
  all r: OS_Neutron_SecurityGroupRule | {
    r.prop_ethertype = "IPv4" implies 6 not in r.prop_remote_ip_prefix.(net/version)
    r.prop_ethertype = "IPv6" implies 4 not in r.prop_remote_ip_prefix.(net/version)
  }
}

/** HOT255 rule-port-range-half: A range of ports has two ends.
 *
 *  For protocols with ports, Neutron needs `port_range_min` and `port_range_max`, or neither.
 *
 *  @message {r} has only one end of a range of ports
 *  @at r.prop_port_range_min
 *  @help add the other end: for a single port, both are the same
 *  @when always
 *  @openstack deployment error
 */
fact rule_port_range_has_two_ends {
  all r: OS_Neutron_SecurityGroupRule | r.prop_protocol in port_protocols and some r.prop_protocol
    implies (some r.prop_port_range_min iff some r.prop_port_range_max)
}

/** HOT254 rule-with-two-remotes: A rule names a remote group or remote addresses, and not both.
 *
 *  Heat and Neutron refuse a rule with both.
 *
 *  @message {r} has both `remote_group` and `remote_ip_prefix`
 *  @at r.prop_remote_group
 *  @also r.prop_remote_ip_prefix and addresses
 *  @help leave one of them out, or make two rules
 *  @when text
 *  @openstack refused before deployment
 */
fact rule_has_one_remote {
  all r: OS_Neutron_SecurityGroupRule | some r.prop_remote_group implies no r.prop_remote_ip_prefix
}

/** HOT256 rule-made-twice: No two rules of a security group are the same.
 *
 *  Neutron refuses the second: "Security group rule already exists". Descriptions do not count, and 0.0.0.0/0 is as
 *  good as no prefix.
 *
 *  @message {q} says the same as {r}
 *  @at q
 *  @also r the same rule
 *  @help remove one of them
 *  @when always
 *  @openstack deployment error
 */
fact no_rule_made_twice {
  all disj r, q: OS_Neutron_SecurityGroupRule |
    (some r.prop_security_group and r.prop_security_group = q.prop_security_group
      and r.prop_direction = q.prop_direction and r.prop_ethertype = q.prop_ethertype
      and same_protocol[r.prop_protocol, q.prop_protocol] and r.prop_port_range_min = q.prop_port_range_min
      and r.prop_port_range_max = q.prop_port_range_max and r.prop_remote_group = q.prop_remote_group)
      implies r.prop_remote_ip_prefix - everywhere != q.prop_remote_ip_prefix - everywhere
}

/** HOT259 rule-port-zero: The ports of a rule begin at 1.
 *
 *  Neutron refuses port 0 for protocols with ports: "Invalid value for port 0". Leave out both ends to mean all ports.
 *
 *  @message {r} has the port 0, which Neutron refuses
 *  @at r.prop_port_range_min
 *  @help begin at 1, or leave out both ends to mean all ports
 *  @when always
 *  @openstack deployment error
 */
fact rule_ports_begin_at_one {
  all r: OS_Neutron_SecurityGroupRule |
    (some r.prop_protocol and r.prop_protocol in port_protocols)
      implies 0 not in r.prop_port_range_min + r.prop_port_range_max
}

/** HOT449 rule-in-group-already: A rule says something that its security group does not say itself.
 *
 *  Neutron refuses a rule that the group has already: "Security group rule already exists".
 *
 *  @message {r} says the same as a rule in {g}
 *  @at r
 *  @also e the same rule
 *  @help remove one of them
 *  @when always
 *  @openstack deployment error
 */
fact no_rule_that_the_group_has {
  all r: OS_Neutron_SecurityGroupRule, g: r.prop_security_group & OS_Neutron_SecurityGroup & Made, e: g.prop_rules |
    (r.prop_direction = e.direction and r.prop_ethertype = e.ethertype and same_protocol[r.prop_protocol, e.protocol]
      and r.prop_port_range_min = e.port_range_min and r.prop_port_range_max = e.port_range_max)
      implies (e.remote_mode = "remote_group_id" implies r.prop_remote_group != e.remote_group_id
        else (some r.prop_remote_group or r.prop_remote_ip_prefix - everywhere != e.remote_ip_prefix - everywhere))
}

/** HOT548 rule-icmp-range: In a rule for ICMP, the range of ports is a type and a code.
 *
 *  For ICMP, `port_range_min` is the type and `port_range_max` the code of the message, each from 0 to 255, and there is
 *  no code without a type. Neutron refuses others: "Invalid value for ICMP code (port_range_max) …. It must be 0 to 255".
 *
 *  @message {r} is for ICMP, but its ports are not a type and a code
 *  @at r.prop_port_range_min
 *  @also r.prop_port_range_max the code
 *  @help `port_range_min` is the type, `port_range_max` the code, both from 0 to 255; leave out both to mean all
 *  @when always
 *  @openstack deployment error
 */
fact a_rule_for_icmp_has_type_and_code {
  all r: OS_Neutron_SecurityGroupRule & Made | (some r.prop_protocol and r.prop_protocol in icmp_protocols) implies {
    some r.prop_port_range_max implies some r.prop_port_range_min and r.prop_port_range_max <= 255
    some r.prop_port_range_min implies r.prop_port_range_min <= 255
  }
}
