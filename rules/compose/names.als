module compose/names
open compose/core

/** CMP130 no-common-network: A service that names another one shares a network with it.
 *
 *  Names of services are known only in networks that they share. Here the environment or the command names a service that is in
 *  none of this one's networks.
 *
 *  @severity warning
 *  @message {s} names {t} as a host, and shares no network with it
 *  @at m.host
 *  @also t.name {t}
 *  @help put both in one network
 *  @when end
 *  @openstack the name is not found when the service runs
 */
fact hosts_share_a_network {
  all s: Service - outside, m: s.mentions, t: m.means & Service - outside |
    m.host in s.own_names or s = t or some s.reaches & t.reaches or some s.reaches & m.alias_in
}

/** CMP131 localhost-of-another: `localhost` is the service itself.
 *
 *  In a container, `localhost` and 127.0.0.1 are the container, not the host and not another service. The port is one at which
 *  only another service listens, and which the host does not have. Variables whose names say that a browser gets the address
 *  (`…_ORIGIN`, `NEXT_PUBLIC_…`, `…_REDIRECT_URI`) are left alone.
 *
 *  @severity warning
 *  @message {s} looks for port {m.port} in its own container, and it is {t} that listens there
 *  @at m.port
 *  @also t.name {t}
 *  @help write `{t}` instead
 *  @when end
 *  @openstack the connection is refused when the service runs
 */
fact localhost_is_the_service_itself {
  all s: Service - outside, m: s.mentions & loopback.true, t: (Service <: listens).(m.port) - s - shares_network.s - s.shares_network - outside |
    m.port in s.listens or m.port in AnyService.ports.takes
}

/** CMP132 alias-of-a-service: An alias is not the name of another service in the network.
 *
 *  Two containers then answer to one name, each now and then.
 *
 *  @severity warning
 *  @message {s} has the alias {a}, which is the name of another service in the network {r.network}
 *  @at r.aliases
 *  @also t.name the service of that name
 *  @help choose another alias
 *  @when end
 *  @openstack the name means now the one, now the other
 */
fact aliases_are_no_services {
  all s: Service, r: s.networks, a: r.aliases, t: (AnyService <: name).a & Service - s |
    r.network not in t.networks.network
}

/** CMP133 host-misspelt: A host that is named like a service is that service.
 *
 *  The environment or the command names a host that is no service, no alias and nothing else that the file knows, and that differs
 *  from the name of a service by a slip.
 *
 *  @severity warning
 *  @message {s} names the host {m.host}, which nothing here is called, but a service is called {t}
 *  @at m.host
 *  @also t.name {t}
 *  @help write `{t}` if that is meant
 *  @when end
 *  @openstack the name is not found when the service runs
 */
fact hosts_are_spelt_like_services {
  all s: Service, m: s.mentions, t: m.near | no t
}

/** CMP134 host-port-inside: Another service is reached at the port of its container.
 *
 *  Inside of a network the port is that of the container. The port on the host is for what is outside of Docker.
 *
 *  @severity warning
 *  @message {s} looks for {t} at port {m.port}, which it has on the host but not in the network
 *  @at m.port
 *  @also p.published published here
 *  @help write the port of the container, {n}
 *  @when end
 *  @openstack the connection is refused when the service runs
 */
fact services_are_reached_at_ports_of_containers {
  all s: Service - outside, m: s.mentions, t: m.means & Service - outside - s, p: t.ports & takes.(m.port), n: minus[plus[m.port, p.target], p.published] |
    m.port in t.listens
}

/** CMP135 container-name-twice-in-profile: A container name is given once, whichever profile is active.
 *
 *  CMP025 is about the services that are started without any profile. With the profile active, Compose refuses the project.
 *
 *  @severity warning
 *  @message with the profile {r}, {s} and {t} have the same container name {s.container_name}
 *  @at s.container_name
 *  @also t.container_name the other
 *  @help choose another name, or give {t} another profile
 *  @when end
 *  @openstack with the profile: "container name is already in use"
 */
fact container_names_are_given_once_in_each_profile {
  all s: Inactive, t: container_name.(s.container_name) - s, r: s.profiles |
    some t.profiles and r not in t.profiles
}

/** CMP136 dependency-out-of-reach: A service can reach what it depends on.
 *
 *  The two share neither a network nor anything that is mounted. `depends_on` is about order alone, so this may be right; often a
 *  network was forgotten. Waiting until another service is done is always about order, and a service that a provider runs is in no
 *  network.
 *
 *  @severity note
 *  @message {s} depends on {t}, and shares neither a network nor a volume with it
 *  @at d.condition
 *  @also t.name {t}
 *  @help put both in one network, if {s} talks to {t}
 *  @when end
 *  @openstack both are started, and the name of the one is not found by the other
 */
fact dependencies_are_in_reach {
  all s: Service - outside, d: s.depends_on, t: d.on & Service - outside |
    some s.reaches & t.reaches or no s.reaches or no t.reaches or some s.volumes.volume & t.volumes.volume
      or some s.volumes.source.path & t.volumes.source.path or d.condition = "service_completed_successfully"
}
