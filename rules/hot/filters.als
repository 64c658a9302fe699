module hot/filters

-- The protocols of security groups, as Heat spells them: by name or by number.

/** Protocols that have ports. */
fun port_protocols: set String {
  "tcp" + "6" + "udp" + "17" + "dccp" + "33" + "sctp" + "132" + "udplite" + "136"
}

/** Protocols for which the range of ports holds a type and a code. */
fun icmp_protocols: set String { "icmp" + "1" + "icmpv6" + "ipv6-icmp" + "58" }

/** Protocols of IPv6 alone. */
fun ipv6_protocols: set String {
  "icmpv6" + "ipv6-icmp" + "58" + "ipv6-encap" + "41" + "ipv6-frag" + "44" + "ipv6-nonxt" + "59" + "ipv6-opts" + "60"
    + "ipv6-route" + "43"
}

/** All addresses, as good as no network at all. */
fun everywhere: set String { "0.0.0.0/0" + "::/0" }

/** Two ways to write one protocol: its name and its number. */
private fun numbered: String->String {
  "tcp"->"6" + "udp"->"17" + "icmp"->"1" + "icmpv6"->"58" + "ipv6-icmp"->"58" + "sctp"->"132" + "dccp"->"33"
    + "udplite"->"136" + "ah"->"51" + "egp"->"8" + "esp"->"50" + "gre"->"47" + "igmp"->"2" + "ospf"->"89" + "pgm"->"113"
    + "rsvp"->"46" + "vrrp"->"112" + "ipip"->"4" + "ipv6-encap"->"41" + "ipv6-frag"->"44" + "ipv6-nonxt"->"59"
    + "ipv6-opts"->"60" + "ipv6-route"->"43"
}

/** They are the same protocol, by name or by number. */
pred same_protocol [a, b: set String] { a = b or some (a + a.numbered) & (b + b.numbered) }
