module naming
open hot/core
open hot/types/OS_Nova_Server
open util/text

/** OWN001 server-names: Servers are named after where they run and what they do.
 *
 *  Whoever is called at night has only the name.
 *
 *  @message the name {s.prop_name} of {s} does not say where it runs: `dev-…` or `prod-…`
 *  @at s.prop_name
 *  @help call it `dev-` or `prod-`, and then small letters, digits and `-`
 */
fact server_names {
  all s: OS_Nova_Server | some s.prop_name and s.prop_name in "(dev|prod)-[a-z0-9-]+".matches
}

/** OWN002 short-names: Names of servers fit into a host name of Windows.
 *
 *  @severity warning
 *  @message the name {s.prop_name} of {s} has more than 15 characters
 *  @at s.prop_name
 *  @help shorten it
 */
fact short_names {
  all s: OS_Nova_Server | no s.prop_name or s.prop_name.length <= 15
}
