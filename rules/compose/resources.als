module compose/resources
open compose/core

/** CMP150 reservation-above-limit: A service does not reserve more than it may use.
 *
 *  @message {s} reserves more memory than its limit
 *  @at r.memory
 *  @also l.memory the limit
 *  @help make the reservation smaller, or the limit larger
 *  @when always
 *  @openstack the container is not created: "Minimum memory limit can not be less than memory reservation limit"
 */
fact memory_reservations_are_below_limits {
  all s: Service, r: s.reservations, l: s.limits | some r.memory and some l.memory implies r.memory <= l.memory
}

/** CMP151 cpu-reservation-above-limit: A service does not reserve more processor time than it may use.
 *
 *  @severity warning
 *  @message {s} reserves more processors than its limit
 *  @at r.cpus
 *  @also l.cpus the limit
 *  @help make the reservation smaller, or the limit larger
 *  @when end
 *  @openstack Swarm refuses it, Compose ignores the reservation
 */
fact cpu_reservations_are_below_limits {
  all s: Service, r: s.reservations, l: s.limits | some r.cpus and some l.cpus implies r.cpus <= l.cpus
}

/** CMP152 swarm-only: What only Swarm heeds is not relied on.
 *
 *  Compose ignores `mode`, `endpoint_mode`, `placement`, `update_config` and `rollback_config` of `deploy`.
 *
 *  @severity note
 *  @message {s} has {f.about}, which has an effect only in a swarm
 *  @at f.about
 *  @help remove it, unless the file is also for `docker stack deploy`
 *  @when end
 *  @openstack ignored
 */
fact settings_of_swarm_are_not_relied_on {
  all s: Service, f: s.flags | f.problem != "swarm"
}
