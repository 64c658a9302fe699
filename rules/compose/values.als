module compose/values
open compose/core

/** CMP160 value-changed-by-yaml: A value is what it looks like.
 *
 *  YAML reads `1.10` as the number 1.1, `012` as 10, `1e3` as 1000 and `2026-01-01` as a time, and Compose then writes the
 *  number as a text again.
 *
 *  @severity warning
 *  @message {s} gets {f.about}, because YAML reads the value as a number or a date
 *  @at f.about
 *  @help put the value in quotes
 *  @when end
 *  @openstack the container gets the changed value
 */
fact values_are_not_changed_by_yaml { all s: Service, f: s.flags | f.problem != "changed" }

/** CMP161 number-of-base-sixty: A pair of numbers with a colon is in quotes.
 *
 *  YAML 1.1 reads `22:22` as the number 1342, in base 60. Compose 2 does not, but older programs, and tools in other languages, do.
 *
 *  @severity note
 *  @message some readers of YAML take the port {f.about} of {s} for a number
 *  @at f.about
 *  @help put it in quotes
 *  @when end
 *  @openstack Compose 1 refuses it, Compose 2 reads what is meant
 */
fact ports_are_not_numbers_of_base_sixty { all s: Service, f: s.flags | f.problem != "sixty" }
