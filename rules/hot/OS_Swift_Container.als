module hot/OS_Swift_Container
open hot/core
open hot/types/OS_Swift_Container
open util/text as text

/** HOT447 container-name: The name of a container has no slash.
 *
 *  In the address of an object the slash ends the name of its container, so Swift takes the rest for an object, and
 *  there is no such container.
 *
 *  @message the name {c.prop_name} of {c} has a slash
 *  @at c.prop_name
 *  @help use another sign, such as a hyphen
 *  @when always
 *  @openstack deployment error
 */
fact the_name_of_a_container_has_no_slash {
  all c: OS_Swift_Container | c.prop_name not in "(?s).*/.*".(text/matches) or no c.prop_name
}
