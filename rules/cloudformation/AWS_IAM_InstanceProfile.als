module cloudformation/AWS_IAM_InstanceProfile
open cloudformation/core
open cloudformation/trust
open cloudformation/types/AWS_IAM_InstanceProfile
open cloudformation/types/AWS_IAM_Role
open cloudformation/types/AWS_EC2_Instance

/** CFN368 role-not-for-instances: The role of an instance profile can be taken on by EC2.
 *
 *  The trust policy of the role says who may take it on. IAM accepts the profile, and the instances get no
 *  credentials.
 *
 *  @severity warning
 *  @message {p} has the role {r}, which EC2 may not take on
 *  @at p.prop_Roles
 *  @also r.prop_AssumeRolePolicyDocument the trust policy
 *  @help allow `sts:AssumeRole` to the service `ec2.amazonaws.com` in the `AssumeRolePolicyDocument`
 *  @openstack none: the instances have no credentials
 */
fact ec2_takes_on_the_role {
  all p: AWS_IAM_InstanceProfile, r: AWS_IAM_Role | r in p.prop_Roles implies
    (some services[r] & ("ec2.amazonaws.com" + "ec2.amazonaws.com.cn") or trusts_all[r])
}
