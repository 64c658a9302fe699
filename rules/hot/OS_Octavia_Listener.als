module hot/OS_Octavia_Listener
open hot/core
open hot/balancing
open hot/types/OS_Octavia_Listener

/** HOT384 tls-without-certificate: A listener that ends TLS has a certificate.
 *
 *  Heat refuses the protocol `TERMINATED_HTTPS` without `default_tls_container_ref`.
 *
 *  @message {l} ends TLS and has no certificate
 *  @at l.prop_protocol
 *  @help add `default_tls_container_ref`
 *  @when text
 *  @openstack parse error
 */
fact terminated_https_needs_a_certificate {
  all l: OS_Octavia_Listener | l.prop_protocol = "TERMINATED_HTTPS" implies some l.prop_default_tls_container_ref
}

/** HOT385 duplicate-listener: Listeners of a load balancer have distinct ports.
 *
 *  Octavia refuses a second listener on a port. One for UDP may share the port with one of the other protocols, which all
 *  use TCP.
 *
 *  @message {l} and {m} listen on port {l.prop_protocol_port} of one load balancer
 *  @at m.prop_protocol_port
 *  @also l.prop_protocol_port {l} has it already
 *  @help choose another port
 *  @when always
 *  @openstack deployment error
 */
fact listeners_have_distinct_ports {
  all disj l, m: OS_Octavia_Listener |
    (some l.prop_loadbalancer and l.prop_loadbalancer = m.prop_loadbalancer and
      l.prop_protocol_port = m.prop_protocol_port and some l.prop_protocol_port) implies
      (l.prop_protocol = "UDP" and m.prop_protocol != "UDP") or (m.prop_protocol = "UDP" and l.prop_protocol != "UDP")
}
