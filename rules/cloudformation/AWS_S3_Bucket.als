module cloudformation/AWS_S3_Bucket
open cloudformation/core
open cloudformation/types/AWS_S3_Bucket
open cloudformation/types/AWS_Lambda_Permission
open cloudformation/types/AWS_Lambda_Function
open cloudformation/types/AWS_SQS_Queue
open cloudformation/types/AWS_SQS_QueuePolicy
open cloudformation/types/AWS_SNS_Topic
open cloudformation/types/AWS_SNS_TopicPolicy

/** From a bucket to the functions, queues and topics that it notifies. */
fun notifies: AWS_S3_Bucket->Location {
  prop_NotificationConfiguration.(AWS_S3_Bucket_NotificationConfiguration <: LambdaConfigurations).Function
    + prop_NotificationConfiguration.(AWS_S3_Bucket_NotificationConfiguration <: QueueConfigurations).Queue
    + prop_NotificationConfiguration.(AWS_S3_Bucket_NotificationConfiguration <: TopicConfigurations).Topic
}

/** CFN360 notification-without-permission: A function that a bucket notifies may be called by S3.
 *
 *  S3 tries the function when the bucket is made. Without an `AWS::Lambda::Permission` for S3, it refuses the
 *  notification, and the bucket.
 *
 *  @message {b} notifies {f}, which S3 may not call
 *  @at b
 *  @also f the function
 *  @help add an `AWS::Lambda::Permission` with the principal `s3.amazonaws.com`, and let the bucket depend on it
 *  @openstack InvalidArgument: Unable to validate the following destination configurations
 */
fact a_function_that_is_notified_may_be_called {
  all b: AWS_S3_Bucket, f: AWS_Lambda_Function - opaque.references | f in b.notifies implies
    some p: AWS_Lambda_Permission | p.prop_FunctionName = f and p.prop_Principal in "s3.amazonaws.com" + "*"
}

/** CFN361 notification-before-permission: A bucket that notifies a function waits for the permission.
 *
 *  S3 tries the function when the bucket is made, so the permission must be there by then. A permission that names
 *  the bucket by its ARN waits for it itself: name the ARN of the bucket in the permission without a reference.
 *
 *  @message {b} notifies {f}, and does not wait for {p}, which allows it
 *  @at b
 *  @also p the permission
 *  @help let the bucket depend on the permission
 *  @openstack InvalidArgument: Unable to validate the following destination configurations, if the bucket is made
 *    first
 */
fact a_bucket_waits_for_the_permission {
  all b: AWS_S3_Bucket, f: AWS_Lambda_Function, p: AWS_Lambda_Permission |
    (f in b.notifies and p.prop_FunctionName = f and p.prop_Principal = "s3.amazonaws.com") implies p in
      b.^references
}

/** CFN363 notified-queue-without-policy: A queue that a bucket notifies has a policy.
 *
 *  Without one, S3 may not send to the queue. It tries that when the bucket is made, and refuses the bucket.
 *
 *  @message {b} notifies {q}, which has no policy that lets S3 send
 *  @at b
 *  @also q the queue
 *  @help add an `AWS::SQS::QueuePolicy` that allows `sqs:SendMessage` to `s3.amazonaws.com`
 *  @openstack InvalidArgument: Unable to validate the following destination configurations
 */
fact a_queue_that_is_notified_has_a_policy {
  all b: AWS_S3_Bucket, q: AWS_SQS_Queue - opaque.references | q in b.notifies implies
    some p: AWS_SQS_QueuePolicy | q in p.prop_Queues
}

/** CFN364 notified-topic-without-policy: A topic that a bucket notifies has a policy.
 *
 *  Without one, S3 may not publish to the topic. It tries that when the bucket is made, and refuses the bucket.
 *
 *  @message {b} notifies {t}, which has no policy that lets S3 publish
 *  @at b
 *  @also t the topic
 *  @help add an `AWS::SNS::TopicPolicy` that allows `sns:Publish` to `s3.amazonaws.com`
 *  @openstack InvalidArgument: Unable to validate the following destination configurations
 */
fact a_topic_that_is_notified_has_a_policy {
  all b: AWS_S3_Bucket, t: AWS_SNS_Topic - opaque.references | t in b.notifies implies
    some p: AWS_SNS_TopicPolicy | t in p.prop_Topics
}
