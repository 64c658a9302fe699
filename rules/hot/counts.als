module hot/counts
open hot/core
open hot/types/OS_Heat_AutoScalingGroup
open hot/types/OS_Heat_ResourceGroup

-- How many there are. A group has one resource in `members` that stands for all that it makes, so `#` would count it once.

/** The number of some resources, where members of a group count as often as the group makes them. A group that scales
    counts with the most that it can have. */
fun count [rs: set Resource]: Int {
  plus[#(rs - Resource.members),
    plus[(sum g: OS_Heat_ResourceGroup | mul[#(rs & g.members), g.prop_count]),
         (sum g: OS_Heat_AutoScalingGroup | mul[#(rs & g.members), g.prop_max_size])]]
}
