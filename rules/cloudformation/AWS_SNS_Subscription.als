module cloudformation/AWS_SNS_Subscription
open cloudformation/core
open cloudformation/types/AWS_SNS_Subscription
open cloudformation/types/AWS_SQS_Queue
open cloudformation/types/AWS_SQS_QueuePolicy
open cloudformation/types/AWS_Lambda_Function
open cloudformation/types/AWS_Lambda_Permission

/** CFN362 subscribed-queue-without-policy: A queue that is subscribed to a topic has a policy.
 *
 *  Without one, SNS may not send to the queue. The stack is built, and no message arrives.
 *
 *  @severity warning
 *  @message {s} sends to {q}, which has no policy that lets SNS send
 *  @at s.prop_Endpoint
 *  @also q the queue
 *  @help add an `AWS::SQS::QueuePolicy` that allows `sqs:SendMessage` to `sns.amazonaws.com`
 *  @openstack none: no message arrives
 */
fact a_queue_that_is_subscribed_has_a_policy {
  all s: AWS_SNS_Subscription, q: AWS_SQS_Queue - opaque.references |
    (s.prop_Protocol = "sqs" and s.prop_Endpoint = q) implies some p: AWS_SQS_QueuePolicy | q in p.prop_Queues
}

/** CFN365 subscribed-function-without-permission: A function that is subscribed to a topic may be called by SNS.
 *
 *  Without an `AWS::Lambda::Permission` for SNS the stack is built, and the function is never called.
 *
 *  @severity warning
 *  @message {s} calls {f}, which SNS may not call
 *  @at s.prop_Endpoint
 *  @also f the function
 *  @help add an `AWS::Lambda::Permission` with the principal `sns.amazonaws.com`
 *  @openstack none: the function is never called
 */
fact a_function_that_is_subscribed_may_be_called {
  all s: AWS_SNS_Subscription, f: AWS_Lambda_Function - opaque.references |
    (s.prop_Protocol = "lambda" and s.prop_Endpoint = f) implies
      some p: AWS_Lambda_Permission | p.prop_FunctionName = f and p.prop_Principal in "sns.amazonaws.com" + "*"
}
