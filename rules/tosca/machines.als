module tosca/machines
open tosca/core

-- What is on one machine.

/** The capabilities of a node and of all that is hosted on it. */
private fun offered [n: Node]: set Endpoint { Endpoint & of.((*host).n) }

/** Both are reached by one port in one way, in the networks of one name. */
private pred meet [e, f: Endpoint] {
  some e.port & f.port
  some e.transport & f.transport
  e.network_name = f.network_name
}

/** TSC115 port-twice: No two servers on a machine listen on one port.
 *
 *  Which of two is started last finds the port in use. What is hosted on one server, as applications on a web server, shares
 *  its port; what runs in containers has ports of its own. The `port` of a database server (DBMS) counts too.
 *
 *  @message {e} and {f} both have the port {f.port} of {m}
 *  @at f.port
 *  @also e.port the other one
 *  @help give one of them another port, or a machine of its own
 *  @when always
 */
fact ports_of_a_machine_are_there_once {
  all m: Compute, disj p, q: host.m - Runtime, e: offered[p], f: offered[q] | not meet[e, f]
}

/** TSC116 place-twice: No two disks are mounted at one place of a machine.
 *
 *  The second one hides the first, or cannot be mounted.
 *
 *  @message {a.target} and {b.target} are both attached at {b.location} of {a.source}
 *  @at b.location
 *  @also a.location the other one
 *  @help give one of them another `location`
 *  @when always
 */
fact disks_have_places_of_their_own {
  all disj a, b: AttachesTo | a.source = b.source implies no a.location & b.location
}

/** TSC117 device-twice: No two disks are one device of a machine.
 *
 *  @message {a.target} and {b.target} are both attached as the device {b.device} of {a.source}
 *  @at b.device
 *  @also a.device the other one
 *  @help give one of them another `device`, or none
 *  @when always
 */
fact disks_have_devices_of_their_own {
  all disj a, b: AttachesTo | a.source = b.source implies no a.device & b.device
}
