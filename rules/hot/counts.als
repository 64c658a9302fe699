module hot/counts
open hot/core
open hot/types/OS_Heat_AutoScalingGroup
open hot/types/OS_Heat_ResourceGroup

-- How many there are. A group has one or two resources in `members` that stand for all that it makes, so `#`
-- would count these.

/** The number of some resources, where members of a group count as often as the group makes them. A group that scales
    counts with the most that it can have. */
fun count [rs: set Resource]: Int {
  plus[#(rs - Resource.members),
    plus[(sum g: OS_Heat_ResourceGroup | (some rs & g.members implies g.prop_count else 0)),
         (sum g: OS_Heat_AutoScalingGroup | (some rs & g.members implies g.prop_max_size else 0))]]
}
