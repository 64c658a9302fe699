module hot/OS_Neutron_Trunk
open hot/core
open hot/types/OS_Neutron_Trunk
open hot/types/OS_Nova_Server
open hot/routing
open hot/types/OS_Neutron_RouterInterface

-- A trunk carries several networks to a server: its parent port is plugged into the server, its sub-ports are tags on it.

/** HOT433 sub-port-segment-twice: The sub-ports of a trunk have different numbers.
 *
 *  The number tells the traffic of one sub-port from that of another. Neutron refuses it twice: "segmentation_type vlan and
 *  segmentation_id … already in use on trunk …".
 *
 *  @message two sub-ports of {t} have the segment {e.segmentation_id}
 *  @at f.segmentation_id
 *  @also e.segmentation_id the other sub-port
 *  @help give each sub-port a `segmentation_id` of its own
 *  @when always
 *  @openstack deployment error
 */
fact sub_ports_have_segments_of_their_own {
  all t: OS_Neutron_Trunk, disj e, f: t.prop_sub_ports |
    e.segmentation_type = f.segmentation_type implies e.segmentation_id != f.segmentation_id
}

/** From a trunk to the ports that it uses, parent and sub-ports. */
private fun uses: OS_Neutron_Trunk->Location {
  (OS_Neutron_Trunk <: prop_port) + (OS_Neutron_Trunk <: prop_sub_ports).(OS_Neutron_Trunk_sub_ports_elements <: port)
}

/** HOT434 port-in-two-trunks: A port is the parent or a sub-port of one trunk.
 *
 *  Neutron refuses the second: "Port … is in use by another trunk", "… as a trunk parent port" or "… as a subport".
 *
 *  @message {t} and {u} both use the port {p}
 *  @at u
 *  @also t the other trunk
 *  @help make a port for each trunk
 *  @when always
 *  @openstack deployment error
 */
fact a_port_is_in_one_trunk {
  all p: Location, disj t, u: uses.p | no p
}

/** HOT435 port-twice-in-trunk: The ports of a trunk are different.
 *
 *  Neutron refuses a trunk whose parent is among its sub-ports, or with a sub-port twice.
 *
 *  @message {t} uses the port {p} twice
 *  @at t.prop_sub_ports
 *  @also p the port
 *  @help make a port for each sub-port, and another one as the parent
 *  @when always
 *  @openstack deployment error
 */
fact the_ports_of_a_trunk_are_different {
  all t: OS_Neutron_Trunk, p: t.uses | {
    p in t.prop_port implies no t.prop_sub_ports & (OS_Neutron_Trunk_sub_ports_elements <: port).p
    lone t.prop_sub_ports & (OS_Neutron_Trunk_sub_ports_elements <: port).p
  }
}

/** HOT436 sub-port-in-server: A sub-port of a trunk is not plugged into a server.
 *
 *  The server has the parent port, and sees the sub-ports as VLANs on it. Neutron refuses a sub-port that a server
 *  has: "Port … is currently in use and is not eligible for use as a subport", and Nova one that a trunk has.
 *
 *  @message {p} is a sub-port of {t}, and also a port of {v}
 *  @at e.port
 *  @also t the trunk
 *  @help give the server the parent port of the trunk
 *  @when always
 *  @openstack deployment error, or nothing if the trunk comes first: then the server has the port and the trunk loses it
 */
fact sub_ports_are_in_no_server {
  all t: OS_Neutron_Trunk, p: t.prop_sub_ports.port, v: OS_Nova_Server, e: v.prop_networks | p not in e.port
}

/** HOT455 server-before-trunk: A server is created after the trunk of its port.
 *
 *  Neutron makes no trunk of a port that a server has: "Port … is currently in use and is not eligible for use as a parent
 *  port", and deletes no trunk while the server has the port: "Trunk … is currently in use". Heat knows of neither,
 *  unless the server refers to the trunk.
 *
 *  @message {v} has the parent port of {t}, but may be created before it and deleted after it
 *  @at e.port
 *  @also t the trunk
 *  @help write `port: { get_attr: [{t}, port_id] }`, or add `depends_on: {t}` to {v}
 *  @when always
 *  @openstack deployment error, or the deletion fails
 */
fact a_server_comes_after_the_trunk_of_its_port {
  all t: OS_Neutron_Trunk & Made, v: OS_Nova_Server & Made, e: v.prop_networks |
    (some e.port and e.port = t.prop_port) implies t in v.^references
}

/** HOT535 sub-port-on-router: A sub-port of a trunk is on no router.
 *
 *  A port belongs to one device. Neutron refuses it for a second one: "Port already has an attached device".
 *
 *  @message {i} attaches a sub-port of {t} to a router
 *  @at e.port
 *  @also i.prop_port the interface
 *  @help make a port for each
 *  @when always
 *  @openstack deployment error
 */
fact sub_ports_are_on_no_router {
  all t: OS_Neutron_Trunk & Made, e: t.prop_sub_ports, i: OS_Neutron_RouterInterface & Made | no e.port & i.named_port
}
