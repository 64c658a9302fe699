module hot/hints
open hot/core
open hot/types/OS_Nova_Server
open hot/types/OS_Nova_ServerGroup

-- What servers ask of the scheduler.

/** From a server to the hints that it gives. */
fun hint: OS_Nova_Server->Entry { (OS_Nova_Server <: prop_scheduler_hints).entries }

/** HOT330 hint-names-no-group: The hint `group` names a group of servers.
 *
 *  Nova looks for a server group with that id, and refuses the server if there is none. Heat takes hints as they are.
 *
 *  @message the hint `group` of {v} names {g}, which is not a group of servers
 *  @at h.value
 *  @also g it is not a OS::Nova::ServerGroup
 *  @help name a OS::Nova::ServerGroup
 *  @openstack deployment error
 */
fact hint_group_is_a_server_group {
  all v: OS_Nova_Server, h: v.hint & key."group", g: h.value & Resource | g in OS_Nova_ServerGroup + Other
}

/** HOT331 hint-names-no-server: The hints `same_host` and `different_host` name servers.
 *
 *  They keep a server beside others or away from them, and these are given by the ids of servers. Heat takes hints as they
 *  are, and Nova finds no host, or takes any.
 *
 *  @message the hint {h.key} of {v} names {g}, which is not a server
 *  @at h.value
 *  @also g it is not a OS::Nova::Server
 *  @help name a server, or use the hint `group` with a OS::Nova::ServerGroup
 *  @openstack nothing, or a deployment error
 */
fact hint_hosts_are_those_of_servers {
  all v: OS_Nova_Server, h: v.hint & key.("same_host" + "different_host"), g: h.value & Resource |
    g in OS_Nova_Server + Other
}
