module hot/OS_Designate_RecordSet
open hot/core
open hot/types/OS_Designate_RecordSet
open hot/types/OS_Designate_Zone
open util/net as net
open util/text as text

/** HOT445 record-outside-zone: The name of a record is in its zone.
 *
 *  Designate refuses other names: "RecordSet is not contained within it's parent zone".
 *
 *  @message {r} has the name {r.prop_name}, which is not in the zone {z.prop_name}
 *  @at r.prop_name
 *  @also z.prop_name the name of the zone
 *  @help let the name end with that of the zone, and a dot
 *  @when always
 *  @openstack deployment error
 */
fact records_are_in_their_zone {
  all r: OS_Designate_RecordSet, z: r.prop_zone & OS_Designate_Zone & Made |
    (some r.prop_name and some z.prop_name) implies r.prop_name in z.prop_name.(text/suffix)
}

/** HOT446 record-not-an-address: The records of type A are addresses of IPv4, those of type AAAA of IPv6.
 *
 *  Designate refuses other values: "is not a ipv4".
 *
 *  @message {r} has the type {r.prop_type}, but {a} is not such an address
 *  @at r.prop_records
 *  @help write addresses of that version, without a prefix length
 *  @when always
 *  @openstack deployment error
 */
fact records_of_addresses_are_addresses {
  all r: OS_Designate_RecordSet, a: r.prop_records & String | {
    r.prop_type = "A" implies (a.(net/version) = 4 and a not in ".*/.*".(text/matches))
    r.prop_type = "AAAA" implies (a.(net/version) = 6 and a not in ".*/.*".(text/matches))
  }
}
