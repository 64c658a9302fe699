module tosca/order
open tosca/core

-- In which order nodes can be made.

/** All states of a node can be reached: with lifecycles of their own, nodes may need each other in different states. */
private pred in_time [n: Node] {
  some phase_of.n
  no p: phase_of.n | p in p.^waits_for
}

/** TSC101 hosting-circle: A node is not hosted on itself, in however many steps.
 *
 *  A host must exist before what runs on it. Orchestrators that do not look for circles wait for ever, or fail half way.
 *
 *  @message {n} is hosted on itself: its host is {m}, which is hosted on it
 *  @at n
 *  @also m it is hosted on this node
 *  @help break the circle: one of these nodes needs another host
 *  @when always
 */
fact no_node_hosts_itself {
  all n: Node, m: n.host | n not in m.*host
}

/** TSC102 dependency-circle: A node does not depend on itself, in however many steps.
 *
 *  The declarative workflows of the Simple Profile make a node after those that it depends on. Nodes with lifecycles of their
 *  own may need each other in different states, as long as each state can be reached.
 *
 *  @message {n} depends on itself: it needs {m}, which depends on it
 *  @at n
 *  @also m it depends on this node
 *  @help break the circle: remove one of the dependencies, or turn one of them round
 *  @when always
 */
fact no_node_needs_itself {
  all n: Node, m: n.needs - n.host | n not in m.*needs or in_time[n]
}

/** TSC103 circle-of-relationships: The relationships of a topology do not go in a circle.
 *
 *  Two nodes that connect to each other can be right: each is configured when both are there. But an orchestrator that
 *  makes nodes in the order of their relationships finds no first one.
 *
 *  @severity warning
 *  @message {n} and {m} are in a circle of relationships, so neither can be made before the other
 *  @at n
 *  @also m the other node
 *  @help turn one of the relationships round, if the order matters
 *  @when end
 */
fact relationships_do_not_go_in_a_circle {
  all n: Node, m: n.uses - n.needs | n not in m.*uses or in_time[n]
}
