module hot/OS_Keystone_GroupRoleAssignment
open hot/core
open hot/role_assignments
