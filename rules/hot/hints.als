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
 *  @when always
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
 *  @when end
 *  @openstack nothing, or a deployment error
 */
fact hint_hosts_are_those_of_servers {
  all v: OS_Nova_Server, h: v.hint & key.("same_host" + "different_host"), g: h.value & Resource |
    g in OS_Nova_Server + Other
}

/** HOT448 affinity-across-zones: Servers of a group with `affinity` are in one availability zone.
 *
 *  They must be on one host, and a host is in one zone. Nova finds no host for the second: "No valid host was found".
 *
 *  @message {v} and {w} are to be on one host, but are in different availability zones
 *  @at w.prop_availability_zone
 *  @also v.prop_availability_zone the zone of {v}
 *  @also g the group
 *  @help give both the same zone, or use the policy `anti-affinity`
 *  @when always
 *  @openstack deployment error
 */
fact affinity_is_within_a_zone {
  all g: OS_Nova_ServerGroup & Made, disj v, w: hint.(key."group" & value.g) |
    (g.prop_policies = "affinity" and some v.prop_availability_zone and some w.prop_availability_zone)
      implies v.prop_availability_zone = w.prop_availability_zone
}
