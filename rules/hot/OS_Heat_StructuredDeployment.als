module hot/OS_Heat_StructuredDeployment
open hot/core
open hot/deployments
