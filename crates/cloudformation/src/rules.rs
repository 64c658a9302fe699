//! The rules about the text of a template and the values in it: what CloudFormation and the services refuse.

use locus_source::{Rule, Severity};

macro_rules! rules {
    ($($name:ident = $code:literal $slug:literal $severity:ident $summary:literal $explanation:literal;)*) => {
        $(pub(crate) const $name: Rule = Rule::new($code, $slug, Severity::$severity, $summary, $explanation);)*
        /// All rules of this crate that are not Alloy.
        pub const RULES: &[Rule] = &[$($name),*];
    };
}

rules! {
    NO_TEMPLATE = "CFN001" "not-a-template" Error
        "A template is one map."
        "CloudFormation takes one document that is a map, in YAML or JSON.\n\n```yaml\n# wrong\n- Resources\n# \
         right\nResources: { Topic: { Type: AWS::SNS::Topic } }\n```";
    SECTION = "CFN002" "unknown-section" Error
        "A template has only the sections that CloudFormation knows."
        "CloudFormation refuses a template with any other key at the top: `Invalid template property or \
         properties`.\n\n```yaml\n# wrong\nResource: {}\n# right\nResources: {}\n```";
    MALFORMED = "CFN003" "malformed-section" Error
        "Sections are maps, and mappings are maps of maps."
        "Each section is a map from names to definitions; a mapping has two levels of keys above its \
         values.\n\n```yaml\n# wrong\nResources: [ topic ]\n# right\nResources: { Topic: { Type: AWS::SNS::Topic \
         } }\n```";
    UNKNOWN_KEY = "CFN004" "unknown-definition-key" Error
        "A definition has only the keys that CloudFormation knows."
        "CloudFormation refuses a parameter, a resource or an output with a key that it does not \
         know.\n\n```yaml\n# wrong\nTopic: { Type: AWS::SNS::Topic, DependOn: Queue }\n# right\nTopic: { Type: \
         AWS::SNS::Topic, DependsOn: Queue }\n```";
    MISSING_KEY = "CFN005" "missing-definition-key" Error
        "A definition has the keys that it needs."
        "A parameter and a resource need a `Type`, an output needs a `Value`.\n\n```yaml\n# wrong\nOutputs: { \
         Arn: { Description: of the topic } }\n# right\nOutputs: { Arn: { Value: !Ref Topic } }\n```";
    WRONG_KIND = "CFN006" "wrong-definition-kind" Error
        "The parts of a definition are of the kind that CloudFormation expects."
        "For example `DependsOn` is a name or a list of names, `Properties` is a map, the value of an output is a \
         text.\n\n```yaml\n# wrong\nDependsOn: { Queue: yes }\n# right\nDependsOn: [ Queue ]\n```";
    NAME = "CFN007" "name-of-definition" Error
        "Names have letters and digits only, and no two things share one."
        "CloudFormation refuses names of parameters, resources and outputs with any other character: `Resource \
         name … is non alphanumeric`.\n\n```yaml\n# wrong\nmy-topic: { Type: AWS::SNS::Topic }\n# right\nMyTopic: \
         { Type: AWS::SNS::Topic }\n```";
    EMPTY = "CFN008" "no-resources" Error
        "A template has a resource."
        "CloudFormation refuses a template without: `At least one Resources member must be \
         defined`.\n\n```yaml\n# wrong\nResources: {}\n# right\nResources: { Topic: { Type: AWS::SNS::Topic } \
         }\n```";
    NULL = "CFN009" "null-value" Error
        "No value is null."
        "CloudFormation refuses them: `Null values are not allowed in templates`. To leave a value out, use \
         `AWS::NoValue`.\n\n```yaml\n# wrong\nTopicName:\n# right\nTopicName: !Ref AWS::NoValue\n```";
    UNKNOWN_NAME = "CFN010" "unknown-name" Error
        "References name something that the template has."
        "CloudFormation refuses the others: `Unresolved resource dependencies [Tpic] in the Resources block of \
         the template`.\n\n```yaml\n# wrong\nTopicArn: !Ref Tpic\n# right\nTopicArn: !Ref Topic\n```";
    ATTRIBUTE = "CFN011" "unknown-attribute" Error
        "`Fn::GetAtt` asks for an attribute that the type has."
        "The registry says which attributes resources of a type have. CloudFormation refuses the others: \
         `Template error: resource Queue does not support attribute type Url in Fn::GetAtt`.\n\n```yaml\n# \
         wrong\nValue: !GetAtt Queue.Url\n# right\nValue: !GetAtt Queue.QueueUrl\n```";
    UNKNOWN_CONDITION = "CFN012" "unknown-condition" Error
        "A condition that is named is defined."
        "CloudFormation refuses the others: `Template format error: Unresolved condition \
         dependency`.\n\n```yaml\n# wrong\nCondition: IsProduct\n# right\nCondition: IsProd\n```";
    CIRCLE = "CFN013" "circular-condition" Error
        "No condition depends on itself."
        "CloudFormation refuses conditions that name each other in a circle.\n\n```yaml\n# wrong\nA: !Not [ \
         !Condition A ]\n# right\nA: !Not [ !Condition B ]\n```";
    FUNCTION = "CFN014" "malformed-function" Error
        "Functions are called with the arguments that they take, where they may stand."
        "For example `Fn::Join` takes a delimiter and a list, `Fn::If` the name of a condition and two values. \
         `Fn::Equals` and its kind stand in conditions only.\n\n```yaml\n# wrong\n!Join [ \"-\" ]\n# right\n!Join \
         [ \"-\", [ a, b ] ]\n```";
    UNKNOWN_FUNCTION = "CFN015" "unknown-function" Error
        "A function that is called exists."
        "CloudFormation refuses a map whose only key begins with `Fn::` and is no function, and a tag that is \
         none.\n\n```yaml\n# wrong\n!Joins [ \"-\", [ a, b ] ]\n# right\n!Join [ \"-\", [ a, b ] ]\n```";
    EXTENSION = "CFN016" "language-extension" Error
        "Functions of the language extensions are used with their transform."
        "`Fn::ForEach`, `Fn::Length`, `Fn::ToJsonString` and a default of `Fn::FindInMap` need `Transform: \
         AWS::LanguageExtensions`.\n\n```yaml\n# wrong\nResources: { \"Fn::ForEach::Topics\": [ N, [ A ], {} ] \
         }\n# right\nTransform: AWS::LanguageExtensions\n```";
    LOOP = "CFN017" "malformed-loop" Error
        "A loop has a variable, a collection of texts, and what is repeated."
        "`Fn::ForEach` takes a list of three: the name of a variable, a list of texts, and a map whose keys have \
         the variable in them. Locus looks at 1,000 items, and at loops 5 deep.\n\n```yaml\n# \
         wrong\n\"Fn::ForEach::Topics\": [ Name, [ A, B ] ]\n# right\n\"Fn::ForEach::Topics\": [ Name, [ A, B ], \
         { \"Topic${Name}\": { Type: AWS::SNS::Topic } } ]\n```";
    MAPPING = "CFN018" "unknown-mapping-key" Error
        "`Fn::FindInMap` asks for keys that the mapping has."
        "CloudFormation refuses the others: `Template error: Unable to get mapping for`. Nothing is said of a key \
         that comes from a parameter.\n\n```yaml\n# wrong\n!FindInMap [ Sizes, prd, Type ]\n# right\n!FindInMap [ \
         Sizes, prod, Type ]\n```";
    FORMAT = "CFN019" "format-version" Error
        "The version of the format is the one that there is."
        "It is `2010-09-09`.\n\n```yaml\n# wrong\nAWSTemplateFormatVersion: 2020-09-09\n# \
         right\nAWSTemplateFormatVersion: 2010-09-09\n```";
    PARAMETER_TYPE = "CFN020" "parameter-type-unknown" Error
        "The type of a parameter is one that CloudFormation knows."
        "The types are `String`, `Number`, `CommaDelimitedList`, `List<Number>`, those of AWS such as \
         `AWS::EC2::VPC::Id` and lists of them, and those of the Systems Manager.\n\n```yaml\n# wrong\nCount: { \
         Type: Integer }\n# right\nCount: { Type: Number }\n```";
    DEFAULT = "CFN021" "parameter-default" Error
        "The default of a parameter fits its constraints."
        "CloudFormation refuses a stack with a default that is none of the allowed values, does not match the \
         pattern, or is too long.\n\n```yaml\n# wrong\nSize: { Type: String, AllowedValues: [ a, b ], Default: c \
         }\n# right\nSize: { Type: String, AllowedValues: [ a, b ], Default: b }\n```";
    GIVEN = "CFN022" "parameter-value" Error
        "The value that is given to a parameter fits its constraints."
        "The value comes from a file of parameters or from `-P`.\n\n```yaml\n# wrong\n# locus check t.yaml -P \
         Count=many\n# right\n# locus check t.yaml -P Count=3\n```";
    GIVEN_UNKNOWN = "CFN023" "parameter-not-there" Error
        "Values are given only to parameters that the template has."
        "CloudFormation refuses the others: `Parameters: [Nam] do not exist in the template`.\n\n```yaml\n# \
         wrong\n# locus check t.yaml -P Nam=a\n# right\n# locus check t.yaml -P Name=a\n```";
    WITHOUT_VALUE = "CFN024" "parameter-without-value-given" Error
        "If values are given to parameters, all without a default have one."
        "CloudFormation refuses to create the stack: `Parameters: [Name] must have values`. Nothing is said if no \
         value is given at all.\n\n```yaml\n# wrong\n# locus check t.yaml -P Other=a\n# right\n# locus check \
         t.yaml -P Other=a -P Name=b\n```";
    PARAMETER_FILE = "CFN025" "parameter-file" Error
        "A file of parameters has one of the forms that AWS's tools take."
        "It is a list of maps with `ParameterKey` and `ParameterValue`, a list of texts `Name=value`, a map with \
         the key `Parameters`, or a map of names and values.\n\n```yaml\n# wrong\n[ { \"Key\": \"Name\" } ]\n# \
         right\n[ { \"ParameterKey\": \"Name\", \"ParameterValue\": \"a\" } ]\n```";
    UNUSED_PARAMETER = "CFN026" "parameter-not-used" Warning
        "A parameter is used."
        "Whoever deploys the template is asked for something that has no effect.\n\n```yaml\n# wrong\nParameters: \
         { Name: { Type: String } }\n# right\nTopicName: !Ref Name\n```";
    UNUSED_CONDITION = "CFN027" "condition-not-used" Warning
        "A condition is used."
        "It decides nothing; perhaps another one is named.\n\n```yaml\n# wrong\nConditions: { IsProd: !Equals [ \
         !Ref Stage, prod ] }\n# right\nCondition: IsProd\n```";
    UNUSED_MAPPING = "CFN028" "mapping-not-used" Warning
        "A mapping is used."
        "Nothing looks anything up in it; perhaps another one is named.\n\n```yaml\n# wrong\nMappings: { Sizes: { \
         prod: { Type: m5.large } } }\n# right\nInstanceType: !FindInMap [ Sizes, prod, Type ]\n```";
    UNKNOWN_TYPE = "CFN030" "unknown-resource-type" Error
        "The type of a resource is in the registry."
        "CloudFormation refuses the others: `Unrecognized resource types`. Types that do not begin with `AWS::` \
         are those of others, of which nothing is said.\n\n```yaml\n# wrong\nTopic: { Type: AWS::SNS::Topics }\n# \
         right\nTopic: { Type: AWS::SNS::Topic }\n```";
    DEPENDENCY_CIRCLE = "CFN031" "dependency-circle" Error
        "Resources do not depend on each other in a circle."
        "CloudFormation refuses it: `Circular dependency between resources`.\n\n```yaml\n# wrong\nA: { Type: \
         AWS::SNS::Topic, DependsOn: A }\n# right\nA: { Type: AWS::SNS::Topic, DependsOn: B }\n```";
    MAY_LACK = "CFN032" "reference-to-conditional" Warning
        "What is referred to is there whenever it is referred to."
        "If the condition of the other resource does not hold, CloudFormation refuses the template: `Unresolved \
         resource dependencies`. Locus searches for values of the parameters with which that \
         happens.\n\n```yaml\n# wrong\n# Queue has `Condition: IsProd`, and this has none\nValue: !Ref Queue\n# \
         right\nValue: !If [ IsProd, !Ref Queue, none ]\n```";
    DELETION = "CFN033" "deletion-policy" Error
        "Policies for what is deleted or replaced are those that the type has."
        "`DeletionPolicy` is `Delete`, `Retain`, `RetainExceptOnCreate` or `Snapshot`, `UpdateReplacePolicy` is \
         `Delete`, `Retain` or `Snapshot`; a snapshot is there for volumes, databases and caches \
         only.\n\n```yaml\n# wrong\nTopic: { Type: AWS::SNS::Topic, DeletionPolicy: Snapshot }\n# right\nTopic: { \
         Type: AWS::SNS::Topic, DeletionPolicy: Retain }\n```";
    EXPORT = "CFN034" "export-twice" Error
        "Outputs are exported under different names."
        "CloudFormation refuses two exports with one name in an account and a region.\n\n```yaml\n# wrong\nA: { \
         Value: a, Export: { Name: x } }\nB: { Value: b, Export: { Name: x } }\n# right\nA: { Value: a, Export: { \
         Name: x } }\nB: { Value: b, Export: { Name: y } }\n```";
    LIMIT = "CFN035" "template-limit" Error
        "A template stays within the limits of CloudFormation."
        "A template has at most 500 resources, 200 parameters, 200 mappings, 200 outputs, 1,024 bytes of \
         description and 1 MB in all; names have at most 255 characters.\n\n```yaml\n# wrong\nDescription: (1,025 \
         letters)\n# right\nDescription: (1,024 letters)\n```";
    UNAVAILABLE = "CFN036" "type-not-in-region" Error
        "The region has the types of the resources."
        "The region is given with `-P AWS::Region=eu-west-1`. The registry says which types each region \
         has.\n\n```yaml\n# wrong\n# locus check t.yaml -P AWS::Region=ap-east-2\n# right\n# locus check t.yaml \
         -P AWS::Region=us-east-1\n```";
    PARTLY_CHECKED = "CFN037" "combinations-left-out" Note
        "All combinations of the conditions of a resource are looked at."
        "A resource whose properties ask for many conditions has too many combinations. Then each condition holds \
         in one that is looked at, and does not in another; what only three together make wrong may be \
         missed.\n\n```yaml\n# wrong\n# a resource that asks for ten conditions that have nothing to do with each \
         other\n# right\n# a resource that asks for six\n```";
    TYPE = "CFN040" "value-type" Error
        "A value is of the type that the registry says."
        "CloudFormation takes texts for numbers and truth values where they can be, and these for texts; anything \
         else is refused.\n\n```yaml\n# wrong\nSubscription: topic\n# right\nSubscription: [ { Endpoint: a, \
         Protocol: sqs } ]\n```";
    REQUIRED = "CFN041" "property-missing" Error
        "Properties that are needed are given."
        "The registry says which properties a type needs, always or beside others. CloudFormation refuses a \
         resource without, while the stack is built: `Model validation failed (required key [VpcId] not \
         found)`.\n\n```yaml\n# wrong\nSubnet: { Type: AWS::EC2::Subnet, Properties: { CidrBlock: 10.0.0.0/24 } \
         }\n# right\nSubnet: { Type: AWS::EC2::Subnet, Properties: { CidrBlock: 10.0.0.0/24, VpcId: !Ref Vpc } \
         }\n```";
    UNKNOWN_PROPERTY = "CFN042" "property-unknown" Error
        "A property that is given is one of the type."
        "CloudFormation refuses the others: `extraneous key [TopicNam] is not permitted`.\n\n```yaml\n# \
         wrong\nTopicNam: news\n# right\nTopicName: news\n```";
    READ_ONLY = "CFN043" "property-read-only" Error
        "Properties that only AWS gives a value are not given."
        "The registry has them as read-only: they are for `Fn::GetAtt`. CloudFormation refuses them while the \
         stack is built: `Encountered a permissions or read-only property`.\n\n```yaml\n# wrong\nQueue: { Type: \
         AWS::SQS::Queue, Properties: { Arn: a } }\n# right\nValue: !GetAtt Queue.Arn\n```";
    ENUM = "CFN044" "value-not-listed" Error
        "A value is one of those that the registry lists."
        "CloudFormation, or the service, refuses the others.\n\n```yaml\n# wrong\nTracingConfig: { Mode: On }\n# \
         right\nTracingConfig: { Mode: Active }\n```";
    PATTERN = "CFN045" "value-pattern" Error
        "A value matches the pattern that the registry has for it."
        "CloudFormation refuses the others: `failed validation constraint for keyword [pattern]`.\n\n```yaml\n# \
         wrong\nMaintenanceWindow: Sunday\n# right\nMaintenanceWindow: sun:05:00-sun:06:00\n```";
    LENGTH = "CFN046" "value-length" Error
        "Texts, lists and maps have as many characters, items and keys as the registry says."
        "CloudFormation refuses the others: `failed validation constraint for keyword [maxLength]`.\n\n```yaml\n# \
         wrong\nLayers: [ a, b, c, d, e, f ]\n# right\nLayers: [ a, b, c, d, e ]\n```";
    RANGE = "CFN047" "value-range" Error
        "Numbers are within the range that the registry has."
        "CloudFormation refuses the others: `failed validation constraint for keyword [maximum]`.\n\n```yaml\n# \
         wrong\nMemorySize: 64\n# right\nMemorySize: 128\n```";
    FORM = "CFN048" "value-form" Error
        "Texts have the form that the registry names: a network, an id, an ARN, JSON."
        "The service refuses the others, while the stack is built.\n\n```yaml\n# wrong\nCidrBlock: 10.0.0.0/33\n# \
         right\nCidrBlock: 10.0.0.0/24\n```";
    REFERENCE = "CFN049" "reference-of-another-kind" Error
        "A reference names a resource of the kind that the property needs, by its id, its name or its ARN."
        "CloudFormation does not look: the service refuses the value while the stack is built, as in `The subnet \
         ID 'vpc-…' does not exist`.\n\n```yaml\n# wrong\nSubnetId: !Ref Vpc\n# right\nSubnetId: !Ref Subnet\n```";
    REPEATED = "CFN050" "item-repeated" Error
        "A list in which nothing may stand twice has nothing twice."
        "CloudFormation refuses it: `array items are not unique`.\n\n```yaml\n# wrong\nSecurityGroupIds: [ \
         sg-1a2b3c4d, sg-1a2b3c4d ]\n# right\nSecurityGroupIds: [ sg-1a2b3c4d, sg-1a2b3c4e ]\n```";
    CONFLICT = "CFN051" "properties-exclude-each-other" Error
        "Properties of which one may be given are not given together."
        "The service refuses both, while the stack is built.\n\n```yaml\n# wrong\nVolume: { VirtualName: \
         ephemeral0, Ebs: { VolumeSize: 8 } }\n# right\nVolume: { Ebs: { VolumeSize: 8 } }\n```";
    NO_CHOICE = "CFN052" "no-form-fits" Error
        "A value has one of the forms that the registry gives it."
        "CloudFormation refuses the others: `#: 0 subschemas matched instead of one`.\n\n```yaml\n# \
         wrong\nSource: {}\n# right\nSource: { Owner: AWS, SourceIdentifier: S3_BUCKET_LOGGING_ENABLED }\n```";
    FURTHER = "CFN053" "properties-do-not-go-together" Error
        "Properties go together as AWS's services have it."
        "These are relations that the registry does not state and cfn-lint's further schemas do: an image \
         function without handler, a code in the template without runtime, a private address in two \
         places.\n\n```yaml\n# wrong\nFunction: { PackageType: Image, Handler: a.b }\n# right\nFunction: { \
         PackageType: Image }\n```";
    POLICY = "CFN060" "policy-grammar" Error
        "Policy documents follow the grammar of policies."
        "A statement has an effect, actions, and beside them resources where it is attached to somebody, or a \
         principal where it is attached to something. IAM refuses the others: \
         `MalformedPolicyDocument`.\n\n```yaml\n# wrong\nStatement: [ { Effect: Allows, Action: s3:GetObject } \
         ]\n# right\nStatement: [ { Effect: Allow, Action: s3:GetObject, Resource: \"*\" } ]\n```";
    STATES = "CFN061" "state-machine-grammar" Error
        "State machines follow the grammar of states."
        "A machine starts at a state that it has, each state leads to one that it has or ends, and each can be \
         reached. Step Functions refuses the others: `SCHEMA_VALIDATION_FAILED`, \
         `MISSING_TRANSITION_TARGET`.\n\n```yaml\n# wrong\nStartAt: First\nStates: { Frist: { Type: Succeed } \
         }\n# right\nStartAt: First\nStates: { First: { Type: Succeed } }\n```";
}
