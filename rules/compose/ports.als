module compose/ports
open compose/core
open util/net as net

/** CMP100 host-port-twice: A port of the host is published once.
 *
 *  Docker gives a port of the host, for one protocol and address, to one container. The second one does not start: "port is
 *  already allocated". No address, `0.0.0.0` and `::` stand for all addresses.
 *
 *  @message {p.of} and {q.of} both publish port {n} of the host
 *  @at q.published
 *  @also p.published {p.of} publishes it here
 *  @help publish one of them at another port of the host
 *  @when always
 *  @openstack the second container does not start; `docker compose config` says nothing
 */
fact host_ports_are_published_once {
  all p: Port, q: takes.(p.takes) - p, n: least[p.takes & q.takes] |
    p.of in Service and q.of in Service implies not (p.protocol = q.protocol and same_address[p, q])
}

/** The least of some numbers. */
private fun least [numbers: set Int]: set Int { { n: numbers | no m: numbers | m < n } }

/** They are published at a common address of the host. */
private pred same_address [p, q: Port] {
  no p.host or no q.host or p.host = q.host or covers[p.host, q.host] or covers[q.host, p.host]
}

private pred covers [a, b: set String] {
  (a = "0.0.0.0" and b.(net/version) = 4) or (a = "::" and b.(net/version) = 6)
}

/** CMP101 host-port-of-replicas: A service with several containers does not publish one port of the host.
 *
 *  All containers of the service would publish the same port, and only the first one gets it. A range of ports, or a port that
 *  Docker chooses, works.
 *
 *  @message {s} has {s.replicas} containers, and all of them publish port {p.published} of the host
 *  @at p.published
 *  @also s.replicas so many containers
 *  @help leave the port of the host out, or give a range of at least as many ports
 *  @when always
 *  @openstack all containers but the first do not start
 */
fact replicas_do_not_share_a_host_port {
  all s: Service, p: s.ports | some p.published implies s.replicas <= 1
}

/** CMP102 ports-without-network: A service without a network of its own publishes no ports.
 *
 *  With `network_mode: host` the service already has the ports of the host, and Docker ignores `ports` with a warning. With
 *  `none` there is nothing to publish.
 *
 *  @severity warning
 *  @message {s} publishes port {p.target}, which has no effect with `network_mode` {s.network_mode}
 *  @at p.target
 *  @also s.network_mode the network mode
 *  @help remove `ports`, or give it a network
 *  @when end
 *  @openstack ignored
 */
fact ports_need_a_network_of_their_own {
  all s: Service, p: s.ports | no s.network_mode & ("host" + "none")
}

/** CMP103 port-added-by-override: An override file does not add a second way to a port of a container by accident.
 *
 *  Compose adds the ports of a later file to those of an earlier one, so a port of the container that both name with
 *  different ports of the host is then published twice.
 *
 *  @severity warning
 *  @message {p.of} publishes its port {p.target} twice, because two files do so
 *  @at q.published
 *  @also p.published the other
 *  @help write `ports: !override` in the later file if it is meant to replace them
 *  @when end
 *  @openstack both are published
 */
fact overrides_replace_ports {
  all p: Service.ports, q: (Port <: of).(p.of) - p |
    some p.opens & q.opens and p.protocol = q.protocol and p.host = q.host and some p.published and some q.published
      and minus[p.published, p.target] != minus[q.published, q.target] implies p.written = q.written
}

/** CMP104 port-of-host-network: A port of the host is not published where a service with the network of the host listens.
 *
 *  A service with `network_mode: host` listens at the ports of the host themselves.
 *
 *  @severity warning
 *  @message {s} has the network of the host and listens at port {n}, which {p.of} publishes
 *  @at p.published
 *  @also s.network_mode the network of the host
 *  @help publish it at another port of the host
 *  @when end
 *  @openstack whichever starts second fails
 */
fact the_network_of_the_host_has_one_listener {
  all p: Service.ports, s: Service & network_mode.host_network, n: least[p.takes & s.listens] | n not in s.listens
}

private fun host_network: set String { "host" }

/** CMP105 range-too-small: A range of ports of the host has a port for each container.
 *
 *  @message {s} has {s.replicas} containers, and only {p.choices} ports of the host for port {p.target} of each
 *  @at p.choices
 *  @also s.replicas so many containers
 *  @help give a range of at least as many ports
 *  @when always
 *  @openstack some of the containers do not start: "port is already allocated"
 */
fact ranges_have_a_port_for_each_container {
  all s: Service, p: s.ports | some p.choices implies s.replicas <= p.choices
}

/** CMP106 host-port-twice-in-profile: A port of the host is published once, whichever profile is active.
 *
 *  A service that belongs to a profile is started as soon as the profile is active, together with the services that belong to no
 *  profile and the others of that profile. Services of different profiles may publish the same port: they are taken for
 *  alternatives.
 *
 *  @severity warning
 *  @message with the profile {r}, {p.of} and {q.of} both publish port {n} of the host
 *  @at p.published
 *  @also q.published {q.of} publishes it here
 *  @help publish one of them at another port of the host, or give {q.of} another profile
 *  @when end
 *  @openstack with the profile, the second container does not start: "port is already allocated"
 */
fact host_ports_are_published_once_in_each_profile {
  all p: Inactive.ports, q: takes.(p.takes) - p, r: p.of.profiles, n: least[p.takes & q.takes] |
    (no q.of.profiles or r in q.of.profiles) implies not (p.protocol = q.protocol and same_address[p, q])
}
