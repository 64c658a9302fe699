module hot/OS_Nova_Server
open hot/core
open hot/reach
