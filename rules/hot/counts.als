module hot/counts
open hot/core

-- How many there are. A group has one or two resources in `members` that stand for all that it makes, so `#`
-- would count these. What is in templates within the template are no resources here, so they are counted by their type.

/** The number of some resources, where members of a group count as often as the group makes them. A group that scales
    counts with the most that it can have. */
fun count [rs: set Resource]: Int {
  sum r: rs | (some r.stands_for implies r.stands_for else 1)
}

/** The same with those of a type in templates within the template: `count_all[OS_Nova_Server, "OS::Nova::Server"]`. */
fun count_all [rs: set Resource, type: String]: Int {
  plus[count[rs], (sum i: Resource.inner & inner_type.type | i.inner_number)]
}
