module hot/OS_Nova_Server
open hot/core
open hot/attachments
open hot/reach
open hot/types/OS_Nova_Server
open hot/types/OS_Nova_Flavor
open hot/types/OS_Glance_WebImage
open hot/types/OS_Neutron_Subnet
open hot/types/OS_Neutron_FloatingIP
open hot/types/OS_Neutron_FloatingIPAssociation
open hot/networks

/** The network that an entry names, by the one name or the other. */
fun named_network: OS_Nova_Server_networks_elements->Location {
  OS_Nova_Server_networks_elements <: network + OS_Nova_Server_networks_elements <: uuid
}

/** The network that a subnet of the template is in. */
fun network_of_subnet: OS_Neutron_Subnet->Location {
  OS_Neutron_Subnet <: prop_network + OS_Neutron_Subnet <: prop_network_id
}

/** The network that an entry is in, whether it is named or only the subnet is. */
fun network_of_entry: OS_Nova_Server_networks_elements->Location {
  named_network + (OS_Nova_Server_networks_elements <: subnet).network_of_subnet
}

/** The devices that a server can boot from: Heat takes 0 for an index that is not given. */
fun bootable: set OS_Nova_Server_block_device_mapping_v2_elements {
  { d: OS_Nova_Server_block_device_mapping_v2_elements |
    some (d.volume_id + d.snapshot_id + d.image + d.image_id) and (no d.boot_index or d.boot_index = 0) }
}

/** HOT300 port-in-two-servers: A port is in one server only.
 *
 *  A port is bound to one server. Nova refuses to start the second one with `Port … is still in use` (figure 8 of the
 *  report). Heat does not look at it before. The same holds for a port that exists already, and whichever value the
 *  parameter has that names it.
 *
 *  @message {e.of} and {f.of} have the same port {f.port}
 *  @at f.port
 *  @also e.port {e.of} has it already
 *  @help give each server a port of its own
 *  @when always
 *  @openstack deployment error
 *  @report no_servers_with_the_same_port
 */
fact no_servers_with_the_same_port {
  all disj e, f: OS_Nova_Server_networks_elements |
    (some e.port and e.port = f.port and no members.(e.of) & members.(f.of)) implies e.of = f.of
}

/** HOT301 port-twice-in-server: A server has a port once.
 *
 *  Nova refuses a server that asks for one port twice.
 *
 *  @message {e.of} has the port {f.port} twice
 *  @at f.port
 *  @also e.port the first time
 *  @help add another port, or leave one entry out
 *  @when always
 *  @openstack deployment error
 *  @report no_server_attached_more_than_once_to_the_same_port
 */
fact no_server_attached_more_than_once_to_the_same_port {
  all disj e, f: OS_Nova_Server_networks_elements |
    (some e.port and e.port = f.port) implies e.of != f.of
}

/** HOT302 two-kinds-of-device-mapping: A server has `block_device_mapping` or `block_device_mapping_v2`, not both.
 *
 *  Heat refuses both together: they are two ways to say the same, the older and the newer.
 *
 *  @message {s} has both `block_device_mapping` and `block_device_mapping_v2`
 *  @at s.prop_block_device_mapping
 *  @also s.prop_block_device_mapping_v2 and the newer one
 *  @help put all devices into `block_device_mapping_v2`
 *  @when text
 *  @openstack parse error
 *  @report not_block_device_mapping_and_block_device_mapping_v2
 */
fact not_block_device_mapping_and_block_device_mapping_v2 {
  all s: OS_Nova_Server | no s.prop_block_device_mapping or no s.prop_block_device_mapping_v2
}

/** HOT303 device-source: A device of `block_device_mapping` is a volume or is made from a snapshot.
 *
 *  Heat refuses an entry that has both `volume_id` and `snapshot_id`, and one that has neither.
 *
 *  @message {d} must have one of `volume_id` and `snapshot_id`, and not both
 *  @at d
 *  @help keep the one that is meant
 *  @when text
 *  @openstack parse error
 */
fact device_has_volume_or_snapshot {
  all d: OS_Nova_Server_block_device_mapping_elements {
    some d.volume_id or some d.snapshot_id
    no d.volume_id or no d.snapshot_id
  }
}

/** HOT304 several-device-sources: A device of `block_device_mapping_v2` has one source.
 *
 *  The sources are `volume_id`, `snapshot_id`, `image` (or `image_id`, its old name), `swap_size`, and a disk that is
 *  empty at first (`ephemeral_size`, `ephemeral_format`). Heat refuses two of them in one entry. The size and the format
 *  of an empty disk go together, unlike what the report says.
 *
 *  @message {d} has more than one source
 *  @at d
 *  @help keep one of `volume_id`, `snapshot_id`, `image`, `swap_size` and `ephemeral_size`
 *  @when text
 *  @openstack parse error
 *  @report not_image_and_image_id_for_block_device_mapping_v2
 *    not_volume_id_snapshot_id_image_image_id_swap_size_ephemeral_size_and_ephemeral_format
 */
fact device_has_one_source {
  all d: OS_Nova_Server_block_device_mapping_v2_elements {
    some d.volume_id implies no d.snapshot_id and no d.image and no d.image_id and no d.swap_size
    some d.snapshot_id implies no d.image and no d.image_id and no d.swap_size
    some d.image implies no d.image_id and no d.swap_size
    some d.image_id implies no d.swap_size
    (some d.ephemeral_size or some d.ephemeral_format) implies
      no d.volume_id and no d.snapshot_id and no d.image and no d.image_id and no d.swap_size
  }
}

/** HOT305 no-device-source: A device of `block_device_mapping_v2` has a source.
 *
 *  Heat refuses an entry without any of `volume_id`, `snapshot_id`, `image`, `swap_size`, `ephemeral_size` and
 *  `ephemeral_format`.
 *
 *  @message {d} does not say what the device is made from
 *  @at d
 *  @help add `volume_id`, `snapshot_id`, `image`, `swap_size` or `ephemeral_size`
 *  @when text
 *  @openstack parse error
 */
fact device_has_a_source {
  all d: OS_Nova_Server_block_device_mapping_v2_elements |
    some d.volume_id or some d.snapshot_id or some d.image or some d.image_id or some d.swap_size or
      some d.ephemeral_size or some d.ephemeral_format
}

/** HOT306 nothing-to-boot: A server has something to boot from.
 *
 *  That is an `image`, the device `vda` of `block_device_mapping`, or a volume, a snapshot or an image in
 *  `block_device_mapping_v2` whose `boot_index` is 0 or not given. Heat refuses a server without.
 *
 *  @message {s} has neither an image nor a volume to boot from
 *  @at s
 *  @help add `image`, or a device with `boot_index: 0`
 *  @when text
 *  @openstack parse error
 *  @report either_an_image_or_one_bootable_device_must_be_specified
 */
fact server_has_something_to_boot {
  all s: OS_Nova_Server & Made |
    some s.prop_image or "vda" in s.prop_block_device_mapping.device_name or
      some s.prop_block_device_mapping_v2 & bootable
}

/** HOT307 boots-from-several: A server boots from one thing.
 *
 *  A device without `boot_index` counts as one to boot from. Heat refuses a server with an `image` and such a device, or
 *  with two such devices.
 *
 *  @message {s} has more than one thing to boot from
 *  @at s.prop_block_device_mapping_v2
 *  @also s.prop_image it boots from this
 *  @help leave `image` out, or give the other devices `boot_index: -1`
 *  @when text
 *  @openstack parse error
 */
fact server_boots_from_one_thing {
  all s: OS_Nova_Server {
    some s.prop_image implies no s.prop_block_device_mapping_v2 & bootable
    lone s.prop_block_device_mapping_v2 & bootable
  }
}

/** HOT308 network-entry-empty: An entry of `networks` says which network.
 *
 *  Heat refuses an entry with none of `network`, `port`, `subnet` and `allocate_network`.
 *
 *  @message {e} does not say which network
 *  @at e
 *  @help add `network`, `port`, `subnet` or `allocate_network`
 *  @when text
 *  @openstack parse error
 *  @report at_least_one_of_network_port_allocate_network_or_subnet_must_be_specified_for_a_server
 */
fact entry_says_which_network {
  all e: OS_Nova_Server_networks_elements |
    some e.network or some e.uuid or some e.port or some e.subnet or some e.allocate_network
}

/** HOT309 allocate-network-not-alone: `allocate_network` stands alone.
 *
 *  With `auto` or `none` Nova chooses all networks, or none. Heat refuses any other key beside it, and any other entry.
 *
 *  @message `allocate_network` of {e.of} goes with nothing else
 *  @at e.allocate_network
 *  @help make it the only key of the only entry, or name the networks instead
 *  @when text
 *  @openstack parse error
 */
fact allocate_network_stands_alone {
  all e: OS_Nova_Server_networks_elements | some e.allocate_network implies {
    e.of.prop_networks = e
    no e.network and no e.uuid and no e.port and no e.subnet
    no e.fixed_ip and no e.floating_ip and no e.tag and no e.port_extra_properties
  }
}

/** HOT310 address-beside-port: An entry of `networks` has `port` or `fixed_ip`, not both.
 *
 *  The address is the port's. Heat refuses both together.
 *
 *  @message {e} has both `port` and `fixed_ip`
 *  @at e.fixed_ip
 *  @also e.port the port has the address
 *  @help say it in the `fixed_ips` of the port
 *  @when text
 *  @openstack parse error
 *  @report not_both_fixed_ip_and_port_for_a_server no_networks_fixed_ip_and_port_for_a_server
 */
fact not_both_fixed_ip_and_port_for_a_server {
  all e: OS_Nova_Server_networks_elements | no e.fixed_ip or no e.port
}

/** HOT311 network-and-uuid: An entry of `networks` has `network` or `uuid`, not both.
 *
 *  `uuid` is the old name of `network`. Heat refuses both together.
 *
 *  @message {e} has both `network` and `uuid`
 *  @at e.uuid
 *  @also e.network the newer name
 *  @help keep `network`
 *  @when text
 *  @openstack parse error
 *  @report not_uuid_and_network_for_a_server
 */
fact not_uuid_and_network_for_a_server {
  all e: OS_Nova_Server_networks_elements | no e.uuid or no e.network
}

/** HOT312 floating-address-without-port: A floating address in `networks` goes with a port or a subnet.
 *
 *  If only the network is named, Nova makes the port, and Heat does not know which one to give the address to. With
 *  `subnet` or `port_extra_properties` Heat makes it.
 *
 *  @message {e} has a floating address, but its port is not known to Heat
 *  @at e.floating_ip
 *  @help add `subnet`, or name a `port` instead of the network
 *  @when text
 *  @openstack parse error
 */
fact floating_ip_needs_a_port {
  all e: OS_Nova_Server_networks_elements |
    (some e.floating_ip and some e.named_network) implies
      some e.port or some e.subnet or some e.port_extra_properties
}

/** HOT313 security-groups-beside-port: A server with ports has no security groups of its own.
 *
 *  Security groups belong to ports. Those of a server are for the ports that are made for it, so Heat refuses them
 *  beside a `port`.
 *
 *  @message {s} has `security_groups`, and a port that they do not apply to
 *  @at s.prop_security_groups
 *  @also s.prop_networks.port this port has its own
 *  @help move them to the `security_groups` of the port
 *  @when text
 *  @openstack parse error
 */
fact no_security_groups_with_ports {
  all s: OS_Nova_Server | no s.prop_security_groups or no s.prop_networks.port
}

/** HOT314 subnet-of-another-network: The subnet of an entry is in its network.
 *
 *  Heat looks at it when the server is created: `Specified subnet … does not belongs to network …`. Nothing is said
 *  where both exist already.
 *
 *  @message {e.subnet} is a subnet of {e.subnet.prop_network}, not of {e.network}
 *  @at e.subnet
 *  @also e.network not the network of that subnet
 *  @also e.subnet.prop_network the network of the subnet
 *  @help leave `network` out, or name a subnet of it
 *  @when always
 *  @openstack deployment error
 *  @report subnet_must_belong_to_network_for_a_server
 */
fact subnet_must_belong_to_network_for_a_server {
  all e: OS_Nova_Server_networks_elements, t: OS_Neutron_Subnet & Made |
    (e.subnet = t and some t.network_of_subnet and no e.port) implies
      all n: e.named_network | n = t.network_of_subnet or no (n + t.network_of_subnet) & Made
}

/** HOT315 address-in-two-entries: A fixed address is given once in a network.
 *
 *  Neutron refuses a port with an address that another port of the network has.
 *
 *  @message {e} and {f} have the same address {f.fixed_ip} in one network
 *  @at f.fixed_ip
 *  @also e.fixed_ip it is given here already
 *  @help leave one out: Neutron chooses an address
 *  @when always
 *  @openstack deployment error
 *  @report servers_of_the_same_subnet_or_net_must_have_different_fixed_ip_addresses
 *    no_server_with_several_times_the_same_fixed_ip_address_on_the_same_subnet
 */
fact servers_of_the_same_network_must_have_different_fixed_ip_addresses {
  all disj e, f: OS_Nova_Server_networks_elements |
    (some e.fixed_ip and e.fixed_ip = f.fixed_ip) implies
      no e.network_of_entry & f.network_of_entry and no e.subnet & f.subnet
}

/** HOT317 second-floating-address: A port has one floating address of a network.
 *
 *  If a server gives a floating address to its port, and another resource gives it a second one of the same network,
 *  Neutron refuses the later one, since both would lead to one fixed address.
 *
 *  @message {e} gives {e.port} a floating address, and {a} gives it another one of the same network
 *  @at a
 *  @also e.floating_ip the first one
 *  @help keep one of the two
 *  @when always
 *  @openstack deployment error
 *  @report floating_ip_and_port_floating_ip_must_not_have_the_same_network_fact1
 *    floating_ip_and_port_floating_ip_must_not_have_the_same_network_fact2
 */
fact floating_ip_and_port_floating_ip_must_not_have_the_same_network {
  all e: OS_Nova_Server_networks_elements, a: OS_Neutron_FloatingIP + OS_Neutron_FloatingIPAssociation |
    (some e.floating_ip and some e.port and e.port = a.to_port and no a.to_address) implies
      a.gives = e.floating_ip or a.gives.network_of_floating != e.floating_ip.network_of_floating or
        no e.floating_ip.network_of_floating
}

fun to_port: Resource->Location {
  OS_Neutron_FloatingIP <: prop_port_id + OS_Neutron_FloatingIPAssociation <: prop_port_id
}

fun to_address: Resource->String {
  OS_Neutron_FloatingIP <: prop_fixed_ip_address + OS_Neutron_FloatingIPAssociation <: prop_fixed_ip_address
}

fun gives: Resource->Location {
  OS_Neutron_FloatingIP <: iden + OS_Neutron_FloatingIPAssociation <: prop_floatingip_id
}

fun network_of_floating: OS_Neutron_FloatingIP->Location {
  OS_Neutron_FloatingIP <: prop_floating_network + OS_Neutron_FloatingIP <: prop_floating_network_id
}

/** HOT328 flavor-too-small: The flavor of a server is large enough for its image.
 *
 *  Nova refuses an image with more `min_ram` or `min_disk` than the flavor has. A flavor with `disk: 0` takes the size of
 *  the image.
 *
 *  @message the flavor {f} of {s} is too small for the image {i}
 *  @at s.prop_flavor
 *  @also i.prop_min_ram so much memory is needed, in MB
 *  @also i.prop_min_disk so much disk is needed, in GB
 *  @also f.prop_ram the memory of the flavor
 *  @help choose a larger flavor
 *  @when always
 *  @openstack deployment error
 */
fact flavor_is_large_enough {
  all s: OS_Nova_Server, f: OS_Nova_Flavor & Made, i: OS_Glance_WebImage & Made |
    (s.prop_flavor = f and s.prop_image = i) implies {
      (some f.prop_ram and some i.prop_min_ram) implies f.prop_ram >= i.prop_min_ram
      (some f.prop_disk and f.prop_disk != 0 and some i.prop_min_disk) implies f.prop_disk >= i.prop_min_disk
    }
}

/** HOT329 image-device-without-size: A device that is made from an image has a size.
 *
 *  The device becomes a volume, and Nova does not make one of an image without being told how large.
 *
 *  @message {d} is made from an image, and has no size
 *  @at d
 *  @help add `volume_size`
 *  @when always
 *  @openstack deployment error
 */
fact device_from_an_image_has_a_size {
  all d: OS_Nova_Server_block_device_mapping_v2_elements |
    (some d.image or some d.image_id) implies some d.volume_size
}

/** HOT537 server-groups-in-unfiltered-network: A server with security groups is on networks with port security.
 *
 *  Nova makes the ports of a server and gives them its security groups. In a network without port security it cannot:
 *  "Network requires port_security_enabled and subnet associated in order to apply security groups".
 *
 *  @message {v} has security groups, but {n} has no port security
 *  @at v.prop_security_groups
 *  @also n port security is off here
 *  @help leave `security_groups` out, or make a port for this network
 *  @when always
 *  @openstack deployment error
 */
fact the_networks_of_a_server_with_groups_are_filtered {
  all v: OS_Nova_Server & Made, e: v.prop_networks, n: e.network + e.uuid |
    (n in unfiltered & Made and no e.port) implies no { g: v.prop_security_groups | g not in External or some g.name - "default" }
}

/** HOT538 swap-beyond-flavor: A server has no more swap than its flavor allows.
 *
 *  Nova refuses more: "Swap drive requested is larger than instance type allows".
 *
 *  @message {v} asks for {d.swap_size} MB of swap, and {f} has {f.prop_swap}
 *  @at d.swap_size
 *  @also f the flavor
 *  @help raise `swap` of {f}, or ask for less
 *  @when always
 *  @openstack deployment error
 */
fact swap_is_within_the_flavor {
  all v: OS_Nova_Server & Made, f: v.prop_flavor & OS_Nova_Flavor & Made, d: v.prop_block_device_mapping_v2 |
    (some d.swap_size and some f.prop_swap) implies d.swap_size <= f.prop_swap
}

/** HOT539 ephemeral-beyond-flavor: A server has no larger ephemeral disks than its flavor allows.
 *
 *  Nova refuses larger ones: "Ephemeral disks requested are larger than the instance type allows".
 *
 *  @message {v} asks for an ephemeral disk of {d.ephemeral_size} GB, and {f} has {f.prop_ephemeral}
 *  @at d.ephemeral_size
 *  @also f the flavor
 *  @help raise `ephemeral` of {f}, or ask for less
 *  @when always
 *  @openstack deployment error
 */
fact ephemeral_disks_are_within_the_flavor {
  all v: OS_Nova_Server & Made, f: v.prop_flavor & OS_Nova_Flavor & Made, d: v.prop_block_device_mapping_v2 |
    (some d.ephemeral_size and some f.prop_ephemeral) implies d.ephemeral_size <= f.prop_ephemeral
}
