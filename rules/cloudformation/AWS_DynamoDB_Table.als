module cloudformation/AWS_DynamoDB_Table
open cloudformation/core
open cloudformation/types/AWS_DynamoDB_Table

/** CFN370 key-without-definition: Each attribute of a key is defined.
 *
 *  DynamoDB wants the type of each attribute that a key of the table or of an index has.
 *
 *  @message {k.of} has the key {k.AttributeName}, which its `AttributeDefinitions` lack
 *  @at k.AttributeName
 *  @help add it to `AttributeDefinitions`
 *  @openstack ValidationException: Some index key attributes are not defined in AttributeDefinitions
 */
fact each_key_is_defined {
  all k: AWS_DynamoDB_Table_KeySchema_elements | some k.AttributeName implies
    k.AttributeName in (k.of & AWS_DynamoDB_Table).prop_AttributeDefinitions.AttributeName
}
