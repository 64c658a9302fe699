module cloudformation/AWS_Lambda_Function
open cloudformation/core
open cloudformation/trust
open cloudformation/types/AWS_Lambda_Function
open cloudformation/types/AWS_IAM_Role

/** CFN366 role-not-for-functions: The role of a function can be taken on by Lambda.
 *
 *  The trust policy of the role says who may take it on. Lambda tries it when the function is made.
 *
 *  @message {f} has the role {r}, which Lambda may not take on
 *  @at f.prop_Role
 *  @also r.prop_AssumeRolePolicyDocument the trust policy
 *  @help allow `sts:AssumeRole` to the service `lambda.amazonaws.com` in the `AssumeRolePolicyDocument`
 *  @openstack InvalidParameterValueException: The role defined for the function cannot be assumed by Lambda
 */
fact lambda_takes_on_the_role {
  all f: AWS_Lambda_Function, r: AWS_IAM_Role |
    f.prop_Role = r implies ("lambda.amazonaws.com" in services[r] or trusts_all[r])
}
