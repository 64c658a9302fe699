module tosca/networks
open tosca/core
open util/net as net

-- Addresses of networks and ports.

/** It is an address, or a range of addresses. */
private pred is_address [s: set String] { some s.(net/version) }

/** TSC104 address-outside-network: The address of a port is in the range of its network.
 *
 *  @message {p} has the address {p.ip_address}, which is not in the range {n.cidr} of {n}
 *  @at p.ip_address
 *  @also n.cidr the range of {n}
 *  @help choose an address in the range, or leave the choice to the network
 *  @when always
 */
fact addresses_are_in_their_network {
  all p: Port, n: p.network |
    is_address[p.ip_address] and is_address[n.cidr] implies p.ip_address in n.cidr.(net/contains)
}

/** TSC105 address-twice: No two ports of a network have the same address.
 *
 *  @message {p} and {q} are in the same network, and both have the address {p.ip_address}
 *  @at q.ip_address
 *  @also p.ip_address {p} has it already
 *  @help give each port an address of its own
 *  @when always
 */
fact addresses_are_there_once {
  all disj p, q: Port | some p.network & q.network implies no p.ip_address & q.ip_address
}

/** TSC106 pool-reversed: A range of addresses does not end before it starts.
 *
 *  @message the addresses of {n} from {n.start_ip} to {n.end_ip} end before they start
 *  @at n.end_ip
 *  @also n.start_ip the start
 *  @help swap `start_ip` and `end_ip`
 *  @when always
 */
fact pools_do_not_end_before_they_start {
  all n: Network |
    is_address[n.start_ip] and is_address[n.end_ip] implies n.start_ip.(net/rank) <= n.end_ip.(net/rank)
}

/** TSC107 port-range-reversed: The range of addresses that a port may have does not end before it starts.
 *
 *  @message the addresses for {p} from {p.ip_range_start} to {p.ip_range_end} end before they start
 *  @at p.ip_range_end
 *  @also p.ip_range_start the start
 *  @help swap `ip_range_start` and `ip_range_end`
 *  @when always
 */
fact port_ranges_do_not_end_before_they_start {
  all p: Port |
    is_address[p.ip_range_start] and is_address[p.ip_range_end] implies
      p.ip_range_start.(net/rank) <= p.ip_range_end.(net/rank)
}

/** TSC108 pool-outside-network: The addresses of a network that are given out are in its range.
 *
 *  @message the addresses of {n} from {n.start_ip} to {n.end_ip} are not all in its range {n.cidr}
 *  @at n.start_ip
 *  @also n.end_ip the end
 *  @also n.cidr the range
 *  @help let `start_ip` and `end_ip` be addresses of the range
 *  @when always
 */
fact pools_are_in_their_network {
  all n: Network | is_address[n.cidr] implies {
    is_address[n.start_ip] implies n.start_ip in n.cidr.(net/contains)
    is_address[n.end_ip] implies n.end_ip in n.cidr.(net/contains)
  }
}

/** TSC109 gateway-outside-network: The gateway of a network is in its range.
 *
 *  @message the gateway {n.gateway_ip} of {n} is not in its range {n.cidr}
 *  @at n.gateway_ip
 *  @also n.cidr the range
 *  @help choose an address in the range
 *  @when always
 */
fact gateways_are_in_their_network {
  all n: Network | is_address[n.cidr] and is_address[n.gateway_ip] implies n.gateway_ip in n.cidr.(net/contains)
}

/** TSC110 range-of-other-version: The range of a network is of the version that `ip_version` says.
 *
 *  `ip_version` is 4 if it is left out.
 *
 *  @message {n} is for IPv{n.ip_version}, and its range {n.cidr} is not
 *  @at n.cidr
 *  @help set `ip_version`, or choose another range
 *  @when always
 */
fact ranges_have_the_version_of_their_network {
  all n: Network | some n.ip_version and is_address[n.cidr] implies n.cidr.(net/version) = n.ip_version
}
