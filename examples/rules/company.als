module company
open hot/core
open hot/counts
open hot/types/OS_Neutron_FloatingIP
open hot/types/OS_Nova_Server
open hot/types/OS_Octavia_Listener

/** OWN008 owner: Servers say who owns them.
 *
 *  @message {s} does not say who owns it
 *  @at s
 *  @help add `owner` to its `metadata`
 */
fact owner {
  all s: OS_Nova_Server | "owner" in s.prop_metadata.entries.key
}

/** OWN009 allowed-images: Servers are made of images that are maintained.
 *
 *  @message {s} is made of {s.prop_image.name}, which nobody maintains
 *  @at s.prop_image
 *  @help take `debian-12` or `ubuntu-24.04`
 */
fact allowed_images {
  all s: OS_Nova_Server | some s.prop_image implies
    (some s.prop_image.name and s.prop_image.name in "debian-12" + "ubuntu-24.04")
}

/** OWN010 few-floating-ips: A stack has at most 3 floating IPs.
 *
 *  Also those count that a group makes, and those in templates within the template.
 *
 *  @message this stack has more than 3 floating IPs
 *  @help put the servers behind a load balancer
 */
fact few_floating_ips {
  count_all[OS_Neutron_FloatingIP, "OS::Neutron::FloatingIP"] <= 3
}

/** OWN011 tls: Load balancers talk TLS.
 *
 *  @message {l} talks {l.prop_protocol}, which anybody can read
 *  @at l.prop_protocol
 *  @help say `TERMINATED_HTTPS`, with a certificate
 */
fact tls {
  all l: OS_Octavia_Listener | l.prop_protocol in "HTTPS" + "TERMINATED_HTTPS" and some l.prop_protocol
}

/** OWN012 spread: Servers of one stack are spread over hosts.
 *
 *  A server is in a group if its scheduler hints name one.
 *
 *  @severity warning
 *  @message {s} is in no server group, so it may share a host with others of the stack
 *  @at s
 *  @help add `scheduler_hints: { group: … }`
 */
fact spread {
  #OS_Nova_Server > 1 implies all s: OS_Nova_Server | "group" in s.prop_scheduler_hints.entries.key
}
