//! Which properties name a resource of which type: the forms of the registry, and those that it does not have.
//!
//! A form is a type and what of it is meant: `AWS::EC2::Subnet.Id`, `AWS::IAM::Role.Arn`.

/// The type that a form is about, if it is one of a type.
pub(crate) fn base(form: &str) -> Option<&str> {
    let (base, _) = form.split_once('.')?;
    base.starts_with("AWS::").then_some(base)
}

/// Whether a value of one form can stand where another is wanted. Lists are compared as what is in them.
pub(crate) fn fits(given: &str, wanted: &str) -> bool {
    let one = |form: &str| {
        form.strip_suffix('s').filter(|one| one.ends_with(['d', 'e'])).unwrap_or(form).to_owned()
    };
    one(given) == one(wanted)
}

/// Properties that name a resource where the registry has no form: the type, the path to the property, and the type
/// that is named.
const NAMED: &[(&str, &str, &str)] = &[
    ("AWS::ApiGateway::Deployment", "RestApiId", "AWS::ApiGateway::RestApi"),
    ("AWS::ApiGateway::Method", "RestApiId", "AWS::ApiGateway::RestApi"),
    ("AWS::ApiGateway::Method", "AuthorizerId", "AWS::ApiGateway::Authorizer"),
    ("AWS::ApiGateway::Stage", "DeploymentId", "AWS::ApiGateway::Deployment"),
    ("AWS::ApiGateway::Stage", "RestApiId", "AWS::ApiGateway::RestApi"),
    (
        "AWS::AutoScaling::AutoScalingGroup",
        "LaunchConfigurationName",
        "AWS::AutoScaling::LaunchConfiguration",
    ),
    ("AWS::EC2::EIP", "InstanceId", "AWS::EC2::Instance"),
    ("AWS::EC2::EIPAssociation", "AllocationId", "AWS::EC2::EIP"),
    ("AWS::EC2::EIPAssociation", "InstanceId", "AWS::EC2::Instance"),
    ("AWS::EC2::EIPAssociation", "NetworkInterfaceId", "AWS::EC2::NetworkInterface"),
    ("AWS::EC2::Instance", "NetworkInterfaces/*/NetworkInterfaceId", "AWS::EC2::NetworkInterface"),
    ("AWS::EC2::Instance", "Volumes/*/VolumeId", "AWS::EC2::Volume"),
    ("AWS::EC2::NatGateway", "AllocationId", "AWS::EC2::EIP"),
    ("AWS::EC2::NatGateway", "SubnetId", "AWS::EC2::Subnet"),
    ("AWS::EC2::NetworkAclEntry", "NetworkAclId", "AWS::EC2::NetworkAcl"),
    ("AWS::EC2::NetworkInterfaceAttachment", "InstanceId", "AWS::EC2::Instance"),
    ("AWS::EC2::NetworkInterfaceAttachment", "NetworkInterfaceId", "AWS::EC2::NetworkInterface"),
    ("AWS::EC2::Route", "RouteTableId", "AWS::EC2::RouteTable"),
    ("AWS::EC2::Route", "NatGatewayId", "AWS::EC2::NatGateway"),
    ("AWS::EC2::Route", "InstanceId", "AWS::EC2::Instance"),
    ("AWS::EC2::Route", "NetworkInterfaceId", "AWS::EC2::NetworkInterface"),
    ("AWS::EC2::Route", "GatewayId", "AWS::EC2::InternetGateway"),
    ("AWS::EC2::RouteTable", "VpcId", "AWS::EC2::VPC"),
    ("AWS::EC2::SubnetRouteTableAssociation", "RouteTableId", "AWS::EC2::RouteTable"),
    ("AWS::EC2::SubnetRouteTableAssociation", "SubnetId", "AWS::EC2::Subnet"),
    ("AWS::EC2::SubnetNetworkAclAssociation", "NetworkAclId", "AWS::EC2::NetworkAcl"),
    ("AWS::EC2::SubnetNetworkAclAssociation", "SubnetId", "AWS::EC2::Subnet"),
    ("AWS::EC2::VPCCidrBlock", "VpcId", "AWS::EC2::VPC"),
    ("AWS::EC2::VPCGatewayAttachment", "InternetGatewayId", "AWS::EC2::InternetGateway"),
    ("AWS::EC2::VPCGatewayAttachment", "VpcId", "AWS::EC2::VPC"),
    ("AWS::EC2::VPCGatewayAttachment", "VpnGatewayId", "AWS::EC2::VPNGateway"),
    ("AWS::EC2::VolumeAttachment", "InstanceId", "AWS::EC2::Instance"),
    ("AWS::EC2::VolumeAttachment", "VolumeId", "AWS::EC2::Volume"),
    ("AWS::ECS::Service", "Cluster", "AWS::ECS::Cluster"),
    ("AWS::ECS::Service", "TaskDefinition", "AWS::ECS::TaskDefinition"),
    ("AWS::ECS::Service", "LoadBalancers/*/TargetGroupArn", "AWS::ElasticLoadBalancingV2::TargetGroup"),
    ("AWS::ElasticLoadBalancingV2::Listener", "LoadBalancerArn", "AWS::ElasticLoadBalancingV2::LoadBalancer"),
    (
        "AWS::ElasticLoadBalancingV2::Listener",
        "DefaultActions/*/TargetGroupArn",
        "AWS::ElasticLoadBalancingV2::TargetGroup",
    ),
    (
        "AWS::ElasticLoadBalancingV2::ListenerRule",
        "Actions/*/TargetGroupArn",
        "AWS::ElasticLoadBalancingV2::TargetGroup",
    ),
    ("AWS::ElasticLoadBalancingV2::ListenerRule", "ListenerArn", "AWS::ElasticLoadBalancingV2::Listener"),
    ("AWS::Events::Rule", "Targets/*/Arn", "AWS::Lambda::Function"),
    ("AWS::IAM::InstanceProfile", "Roles", "AWS::IAM::Role"),
    ("AWS::IAM::Policy", "Roles", "AWS::IAM::Role"),
    ("AWS::EC2::Instance", "IamInstanceProfile", "AWS::IAM::InstanceProfile"),
    ("AWS::Lambda::EventSourceMapping", "EventSourceArn", "AWS::SQS::Queue"),
    ("AWS::Lambda::EventSourceMapping", "FunctionName", "AWS::Lambda::Function"),
    ("AWS::Lambda::Permission", "FunctionName", "AWS::Lambda::Function"),
    ("AWS::Lambda::Permission", "SourceArn", "AWS::S3::Bucket"),
    ("AWS::RDS::DBInstance", "DBSubnetGroupName", "AWS::RDS::DBSubnetGroup"),
    ("AWS::RDS::DBCluster", "DBSubnetGroupName", "AWS::RDS::DBSubnetGroup"),
    ("AWS::S3::Bucket", "NotificationConfiguration/LambdaConfigurations/*/Function", "AWS::Lambda::Function"),
    ("AWS::S3::Bucket", "NotificationConfiguration/QueueConfigurations/*/Queue", "AWS::SQS::Queue"),
    ("AWS::S3::Bucket", "NotificationConfiguration/TopicConfigurations/*/Topic", "AWS::SNS::Topic"),
    ("AWS::S3::BucketPolicy", "Bucket", "AWS::S3::Bucket"),
    ("AWS::SNS::Subscription", "Endpoint", "AWS::SQS::Queue"),
    ("AWS::SNS::Subscription", "TopicArn", "AWS::SNS::Topic"),
    ("AWS::SNS::TopicPolicy", "Topics", "AWS::SNS::Topic"),
    ("AWS::SQS::QueuePolicy", "Queues", "AWS::SQS::Queue"),
];

/// The type of resource that a property names, where the registry does not say it.
pub(super) fn named(type_name: &str, path: &str) -> Option<&'static str> {
    let listed = NAMED.iter().find(|(of, at, _)| *of == type_name && *at == path).map(|(.., kind)| *kind);
    listed.or_else(|| by_name(path.split('/').rfind(|step| *step != "*")?))
}

/// All that properties of this name name in all types.
fn by_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "SubnetId" | "SubnetIds" | "Subnets" => "AWS::EC2::Subnet",
        "VpcId" => "AWS::EC2::VPC",
        "SecurityGroupId" | "SecurityGroupIds" | "SecurityGroups" => "AWS::EC2::SecurityGroup",
        "ExecutionRoleArn" | "Role" | "RoleArn" | "TaskRoleArn" => "AWS::IAM::Role",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::resource_type;
    use locus_schema::modules::item;
    use locus_schema::types::find;
    use locus_schema::walk::kind_named;

    #[test]
    fn every_property_that_is_listed_exists() {
        for (of, path, kind) in NAMED {
            let known = resource_type(of).expect("the type exists");
            assert!(resource_type(kind).is_some(), "{kind}");
            let mut steps = path.split('/').filter(|step| *step != "*");
            let first = steps.next().and_then(|step| find(known.properties(), step));
            let last = steps.try_fold(first.expect(path), |property, step| item(property).get(step));
            assert_eq!(kind_named(last.expect(path), None), Some(*kind), "{of} {path}");
        }
    }

    #[test]
    fn lists_fit_where_their_items_do() {
        assert!(
            fits("AWS::EC2::Subnet.Id", "AWS::EC2::Subnet.Ids")
                && !fits("AWS::EC2::Subnet.Id", "AWS::EC2::VPC.Id")
        );
        assert_eq!(
            (base("AWS::EC2::VPC.Id"), base("date-time"), base("int64")),
            (Some("AWS::EC2::VPC"), None, None)
        );
    }
}
