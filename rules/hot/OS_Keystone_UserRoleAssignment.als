module hot/OS_Keystone_UserRoleAssignment
open hot/core
open hot/role_assignments
