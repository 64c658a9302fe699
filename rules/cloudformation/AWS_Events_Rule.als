module cloudformation/AWS_Events_Rule
open cloudformation/core
open cloudformation/types/AWS_Events_Rule
open cloudformation/types/AWS_Lambda_Function
open cloudformation/types/AWS_Lambda_Permission

/** CFN367 target-without-permission: A function that is the target of a rule may be called by EventBridge.
 *
 *  Without an `AWS::Lambda::Permission` for it the stack is built, and the function is never called.
 *
 *  @severity warning
 *  @message {r} calls {f}, which EventBridge may not call
 *  @at r
 *  @also f the function
 *  @help add an `AWS::Lambda::Permission` with the principal `events.amazonaws.com`
 *  @openstack none: the function is never called
 */
fact a_function_that_is_a_target_may_be_called {
  all r: AWS_Events_Rule, f: AWS_Lambda_Function - opaque.references | (f in r.prop_Targets.Arn and no
    r.prop_Targets.RoleArn) implies
    some p: AWS_Lambda_Permission | p.prop_FunctionName = f and p.prop_Principal in "events.amazonaws.com" + "*"
}
