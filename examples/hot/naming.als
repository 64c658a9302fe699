module naming
open hot/core
open hot/types/OS_Neutron_Port
open util/text as text

/** OWN001 named-ports: Ports have names.
 *
 *  Whoever looks at the network later has only the names.
 *
 *  @severity warning
 *  @message the port {p} has no name
 *  @at p
 *  @help give it a `name`
 */
fact named_ports {
  all p: OS_Neutron_Port | some p.prop_name
}
