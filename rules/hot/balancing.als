module hot/balancing
open hot/core
open hot/types/OS_Octavia_Listener
open hot/types/OS_Octavia_Pool

/** From listeners to the pools that they pass their traffic to by default. */
fun default_pools: Location->Location {
  OS_Octavia_Listener <: prop_default_pool + ~(OS_Octavia_Pool <: prop_listener)
}

/** From the protocol of a listener to those that its pool may have. */
fun fitting: String->String {
  "TCP"->("TCP" + "HTTP" + "HTTPS" + "PROXY") + "HTTP"->("HTTP" + "PROXY") + "HTTPS"->("HTTPS" + "PROXY" + "TCP") +
  "TERMINATED_HTTPS"->("HTTP" + "PROXY") + "UDP"->"UDP"
}

/** HOT389 pool-protocol: The protocol of a pool fits that of its listener.
 *
 *  Octavia refuses other pairs: a listener for `HTTP` or `TERMINATED_HTTPS` passes `HTTP` or `PROXY` on, one for
 *  `HTTPS` also `TCP`, one for `TCP` all of them, and one for `UDP` only `UDP`.
 *
 *  @message {p} has the protocol {p.prop_protocol}, which does not fit {l.prop_protocol} of {l}
 *  @at p.prop_protocol
 *  @also l.prop_protocol the protocol of the listener
 *  @help change one of the two
 *  @when always
 *  @openstack deployment error
 */
fact pool_protocol_fits_the_listener {
  all l: OS_Octavia_Listener, p: OS_Octavia_Pool |
    (p in l.default_pools and l.prop_protocol in fitting.String and some p.prop_protocol) implies
      p.prop_protocol in l.prop_protocol.fitting
}
