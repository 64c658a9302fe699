module hot/OS_Heat_SoftwareDeployment
open hot/core
open hot/deployments
