module hot/OS_Designate_Zone
open hot/core
open hot/types/OS_Designate_Zone
open util/text as text

/** HOT442 secondary-zone-without-primaries: A secondary zone says where it comes from.
 *
 *  A zone of type `SECONDARY` is copied from the name servers in `primaries` (once `masters`). Heat refuses one
 *  without.
 *
 *  @message {z} is a secondary zone, but does not say of which name servers
 *  @at z
 *  @help add `primaries`
 *  @when text
 *  @openstack parse error
 */
fact a_secondary_zone_has_primaries {
  all z: OS_Designate_Zone & Made | z.prop_type = "SECONDARY" implies some z.prop_primaries + z.prop_masters
}

/** HOT443 primary-zone-without-email: A primary zone has an address of e-mail.
 *
 *  The address of who is responsible stands in the first record of a zone. Heat refuses a zone of type `PRIMARY`, which is
 *  the default, without.
 *
 *  @message {z} is a primary zone without `email`
 *  @at z
 *  @help add `email`
 *  @when text
 *  @openstack parse error
 */
fact a_primary_zone_has_an_email_address {
  all z: OS_Designate_Zone & Made | z.prop_type = "PRIMARY" implies some z.prop_email
}

/** HOT444 zone-name: The name of a zone ends with a dot.
 *
 *  Designate wants the full name of a domain, which ends with a dot.
 *
 *  @message the name {z.prop_name} of the zone {z} does not end with a dot
 *  @at z.prop_name
 *  @help add a dot at the end
 *  @when always
 *  @openstack deployment error
 */
fact the_name_of_a_zone_ends_with_a_dot {
  all z: OS_Designate_Zone | z.prop_name in ".*[^.]".(text/matches) implies no z.prop_name
}
