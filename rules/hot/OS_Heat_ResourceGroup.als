module hot/OS_Heat_ResourceGroup
open hot/core
open hot/types/OS_Heat_ResourceGroup
open hot/types/OS_Nova_Server

/** HOT365 port-of-all-members: Servers of a group do not share a port.
 *
 *  A port is bound to one server. All members of a group are made of one definition, so a port that it names is wanted by
 *  all of them, and Nova refuses the second: "Port … is still in use". A number in the name of a resource
 *  (`port_%index%`) does not help: Heat looks references up before it counts.
 *
 *  @message the servers of {g} have the same port {p}
 *  @at e.port
 *  @also p one port
 *  @help name a `network`, or make a template with a port and a server, and a group of that
 *  @when always
 *  @openstack deployment error
 */
fact servers_of_a_group_have_ports_of_their_own {
  all g: OS_Heat_ResourceGroup, e: g.members.(OS_Nova_Server <: prop_networks), p: e.port & Made | g.prop_count <= 1
}
