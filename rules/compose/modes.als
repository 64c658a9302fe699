module compose/modes
open compose/core
open util/text as text

/** CMP210 setting-with-network-of-another: A service with the network of another container sets nothing of it.
 *
 *  Its host name, addresses of other hosts, name servers, exposed ports and links are those of the container whose network it has.
 *
 *  @message {s} has {x.key}, which Docker refuses with the network mode {s.network_mode}
 *  @at x.value
 *  @also s.network_mode the network of another container
 *  @help remove it, or set it at the service whose network is used
 *  @when always
 *  @openstack the container is not created: "conflicting options"
 */
fact shared_networks_are_set_once {
  all s: Service & with_network_of_another, x: s.settings | x.key not in of_network
}

private fun with_network_of_another: set Service { network_mode.("(?s)(service|container):.*".(text/matches)) }

private fun of_network: set String {
  "hostname" + "expose" + "extra_hosts" + "dns" + "mac_address" + "links" + "external_links"
}

/** CMP211 setting-with-network-of-host: A service with the network of the host has no links and no hardware address.
 *
 *  @message {s} has {x.key}, which Docker refuses with the network of the host
 *  @at x.value
 *  @also s.network_mode the network of the host
 *  @help remove it
 *  @when always
 *  @openstack the container is not created: "conflicting options"
 */
fact networks_of_hosts_have_no_links {
  all s: Service & network_mode."host", x: s.settings | x.key not in "links" + "external_links" + "mac_address"
}

/** CMP212 hostname-of-host: A service with the host name of the machine has none of its own.
 *
 *  @message {s} has a `hostname` and `uts: host`, which is the name of the machine
 *  @at x.value
 *  @help remove one of them
 *  @when always
 *  @openstack the container is not created: "conflicting options: hostname and the UTS mode"
 */
fact names_of_hosts_are_not_changed {
  all s: Service, x: s.settings & key."hostname" | no s.settings & key."uts" & value."host"
}

/** CMP213 ipc-mode: The mode of `ipc` is one that Docker knows.
 *
 *  @message {s} has the `ipc` mode {x.value}, which Docker does not know
 *  @at x.value
 *  @help write `none`, `private`, `host`, `shareable`, `service:NAME` or `container:NAME`
 *  @when always
 *  @openstack the container is not created: "Invalid IPC mode"
 */
fact modes_of_ipc_are_known {
  all s: Service, x: s.settings & key."ipc" |
    x.value in "(?s)none|private|host|shareable|(service|container):.*".(text/matches)
}

/** CMP214 sysctl-of-host: A service changes no parameter of the kernel that it shares with the host.
 *
 *  With the network of the host, those of `net` are the host's; with its `ipc`, those of shared memory, messages and semaphores.
 *
 *  @message {s} sets {x.option}, which would be set for the host
 *  @at x.value
 *  @help set it on the host, or give the service a network (or `ipc`) of its own
 *  @when always
 *  @openstack the container does not start: "not allowed in host network namespace"
 */
fact parameters_of_the_host_are_not_set {
  all s: Service, x: s.settings & key."sysctls" |
    not (s.network_mode = "host" and x.option in "(?s)net\\..*".(text/matches))
      and not (some s.settings & key."ipc" & value."host" and x.option in of_ipc.(text/matches))
}

private fun of_ipc: set String { "kernel\\.(msgmax|msgmnb|msgmni|sem|shmall|shmmax|shmmni|shm_rmid_forced)|fs\\.mqueue\\..*" }

/** CMP215 sysctl-not-of-container: A parameter of the kernel that a service sets is one that containers have.
 *
 *  Only those of networks and of communication between processes are their own. `vm.max_map_count`, for example, is the host's.
 *
 *  @message {s} sets {x.option}, which only the host has
 *  @at x.value
 *  @help set it on the host
 *  @when always
 *  @openstack the container does not start: "is not in a separate kernel namespace"
 */
fact parameters_are_those_of_containers {
  all s: Service, x: s.settings & key."sysctls" |
    x.option in (of_ipc + "(?s)net\\..*" + "kernel\\.domainname").(text/matches)
}

/** CMP216 hostname-too-long: A host name has at most 64 characters.
 *
 *  @message {s} has a host name of more than 64 characters
 *  @at x.value
 *  @help choose a shorter one
 *  @when always
 *  @openstack the container does not start: "sethostname: invalid argument"
 */
fact host_names_are_short {
  all s: Service, x: s.settings & key."hostname" | x.value.(text/length) <= 64
}

/** CMP217 ports-with-network-of-another: A service with the network of another container publishes no ports.
 *
 *  @message {s} publishes port {p.target}, which Docker refuses with the network mode {s.network_mode}
 *  @at p.target
 *  @also s.network_mode the network of another container
 *  @help publish it at the service whose network is used
 *  @when always
 *  @openstack the container is not created: "conflicting options: port publishing and the container type network mode"
 */
fact shared_networks_publish_at_their_owner {
  all s: Service & with_network_of_another, p: s.ports | no p
}

/** CMP219 sysctl-truth-value: A parameter of the kernel has no truth value.
 *
 *  What is on or off is 1 or 0 there.
 *
 *  @message {s} sets {x.option} to {x.value}, which the kernel does not know
 *  @at x.value
 *  @help write 1 or 0
 *  @when always
 *  @openstack the container does not start: "write /proc/sys/…: invalid argument"
 */
fact parameters_have_no_truth_values {
  all s: Service, x: s.settings & key."sysctls" | x.value not in "(?i)yes|no|true|false|on|off".(text/matches)
}
