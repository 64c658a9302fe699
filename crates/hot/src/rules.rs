//! The rules about the structure of a template: what Heat's own validation finds, and a little more.

use locus_source::{Rule, Severity};

macro_rules! rules {
    ($($name:ident = $code:literal $slug:literal $severity:ident $summary:literal $explanation:literal;)*) => {
        $(pub(crate) const $name: Rule = Rule::new($code, $slug, Severity::$severity, $summary, $explanation);)*
        /// All rules of this crate.
        pub const RULES: &[Rule] = &[$($name),*];
    };
}

rules! {
    NO_TEMPLATE = "HOT001" "not-a-template" Error
        "A template is one map with a `heat_template_version`."
        "Heat takes a file for a Heat Orchestration Template if it is a map with the key `heat_template_version`.\n\n```yaml\n# wrong\nresources: {}\n# right\nheat_template_version: 2018-08-31\nresources: {}\n```";
    VERSION = "HOT002" "unknown-version" Error
        "The version is one that Heat knows."
        "Heat knows the versions 2013-05-23, 2014-10-16, 2015-04-30, 2015-10-15, 2016-04-08, 2016-10-14 (`newton`), 2017-02-24 (`ocata`), 2017-09-01 (`pike`), 2018-03-02 (`queens`), 2018-08-31 (`rocky`) and 2021-04-16 (`wallaby`). It refuses all others, the names of other releases included. Locus goes on with the nearest.\n\n```yaml\n# wrong\nheat_template_version: stein\n# right\nheat_template_version: rocky\n```";
    SECTION = "HOT003" "unknown-section" Error
        "A template has only the sections that its version knows."
        "The sections are `heat_template_version`, `description`, `parameter_groups`, `parameters`, `resources`, `outputs` and, from 2016-10-14 on, `conditions`. Heat refuses a template with any other.\n\n```yaml\n# wrong\nheat_template_version: rocky\nresource: {}\n# right\nheat_template_version: rocky\nresources: {}\n```";
    MALFORMED = "HOT004" "malformed-section" Error
        "Sections and the definitions in them are maps."
        "`parameters`, `resources`, `outputs` and `conditions` are maps from names to definitions; `parameter_groups` is a list of maps.\n\n```yaml\n# wrong\nresources:\n- server\n# right\nresources:\n  server: { type: OS::Nova::Server }\n```";
    UNKNOWN_KEY = "HOT005" "unknown-key" Error
        "A definition has only the keys that its version knows."
        "Heat refuses a parameter, a resource, an output or a constraint with a key that it does not know; `condition` and `external_id` are known from 2016-10-14 on, the `tags` of parameters from 2018-03-02 on.\n\n```yaml\n# wrong\nnet: { type: OS::Neutron::Net, depend_on: other }\n# right\nnet: { type: OS::Neutron::Net, depends_on: other }\n```";
    MISSING_KEY = "HOT006" "missing-key" Error
        "A definition has the keys that it needs."
        "A parameter and a resource need a `type`, an output needs a `value`, a group of parameters needs `parameters`.\n\n```yaml\n# wrong\noutputs: { address: { description: where it is } }\n# right\noutputs: { address: { value: 10.0.0.1 } }\n```";
    WRONG_KIND = "HOT007" "wrong-kind" Error
        "The parts of a definition are of the kind that Heat expects."
        "For example `depends_on` is a name or a list of names, `properties` and `metadata` are maps, `constraints` is a list.\n\n```yaml\n# wrong\ndepends_on: { router: yes }\n# right\ndepends_on: [router]\n```";
    RESOURCE_NAME = "HOT008" "resource-name" Error
        "The name of a resource has no slash."
        "Heat refuses names with a slash, since it builds paths of them.\n\n```yaml\n# wrong\nresources: { a/b: { type: OS::Neutron::Net } }\n# right\nresources: { a-b: { type: OS::Neutron::Net } }\n```";
    EMPTY = "HOT009" "no-resources" Warning
        "A template has resources."
        "Heat accepts a template without resources, but nothing is deployed.\n\n```yaml\n# wrong\nheat_template_version: rocky\n# right\nheat_template_version: rocky\nresources:\n  net: { type: OS::Neutron::Net }\n```";
    PARAMETER_TYPE = "HOT010" "parameter-type" Error
        "The type of a parameter is one that Heat knows."
        "The types are `string`, `number`, `comma_delimited_list`, `json` and `boolean`.\n\n```yaml\n# wrong\nparameters: { count: { type: integer } }\n# right\nparameters: { count: { type: number } }\n```";
    CONSTRAINT = "HOT011" "malformed-constraint" Error
        "A constraint says something that can be checked of its parameter."
        "`length` is for strings, lists and maps, `range` and `modulo` for numbers, `allowed_pattern` for strings; intervals have an end, the lower end is not above the upper one, and no length is below 0. Several constraints of one parameter must leave some value.\n\n```yaml\n# wrong\nconstraints: [ { range: { min: 5, max: 1 } } ]\n# right\nconstraints: [ { range: { min: 1, max: 5 } } ]\n```";
    DEFAULT = "HOT012" "default-not-allowed" Error
        "The default of a parameter fits its type and its constraints."
        "Heat refuses a template whose default breaks the parameter's own constraints, even if another value is given.\n\n```yaml\n# wrong\nsize: { type: number, default: 9, constraints: [ { range: { max: 5 } } ] }\n# right\nsize: { type: number, default: 5, constraints: [ { range: { max: 5 } } ] }\n```";
    GIVEN = "HOT013" "value-not-allowed" Error
        "The value that is given to a parameter fits its type and its constraints."
        "The value comes from an environment or from `-P`. Heat refuses to create the stack.\n\n```yaml\n# wrong, for a parameter of type number\nparameters: { count: many }\n# right\nparameters: { count: 3 }\n```";
    GIVEN_UNKNOWN = "HOT014" "unknown-parameter-given" Error
        "Values are given only to parameters that the template has."
        "Heat refuses values under `parameters` of an environment that the template does not ask for. Under `parameter_defaults` they are allowed.\n\n```yaml\n# wrong, if the template calls it image\nparameters: { imgae: ubuntu }\n# right\nparameters: { image: ubuntu }\n```";
    WITHOUT_VALUE = "HOT015" "parameter-without-value" Note
        "A parameter has a value."
        "Without a default and without a value in an environment or by `-P`, what depends on the parameter is not known, and rules about it are not decided.\n\n```console\n$ locus check stack.yaml -P image=ubuntu\n```";
    UNUSED = "HOT016" "unused-parameter" Warning
        "A parameter is used."
        "Whoever deploys the template is asked for something that has no effect. Perhaps `get_param` names another one.\n\n```yaml\n# wrong: nothing says get_param: image\nparameters: { image: { type: string } }\n# right\nserver: { type: OS::Nova::Server, properties: { image: { get_param: image }, flavor: small } }\n```";
    GROUP = "HOT017" "parameter-group" Error
        "A group names parameters of the template, each in one group only."
        "Heat refuses a group with a parameter that does not exist, or that is in a group already.\n\n```yaml\n# wrong, without a parameter imgae\nparameter_groups: [ { label: server, parameters: [imgae] } ]\n# right\nparameter_groups: [ { label: server, parameters: [image] } ]\n```";
    GROUP_OF_NO_USE = "HOT018" "parameter-group-of-no-use" Warning
        "A group has parameters, and a label of its own."
        "Groups are for people: they show which parameters belong together, and under which label. Heat accepts groups without parameters and groups with the same label.\n\n```yaml\n# wrong\nparameter_groups: [ { label: server, parameters: [image] }, { label: server, parameters: [flavor] } ]\n# right\nparameter_groups: [ { label: server, parameters: [image, flavor] } ]\n```";
    SAME_NAME = "HOT019" "name-used-twice" Error
        "No resource has the name of a parameter."
        "Heat refuses a template in which a parameter and a resource share a name.\n\n```yaml\n# wrong\nparameters: { net: { type: string } }\nresources: { net: { type: OS::Neutron::Net } }\n# right\nparameters: { net_name: { type: string } }\nresources: { net: { type: OS::Neutron::Net } }\n```";
    TYPE = "HOT020" "unknown-resource-type" Error
        "The type of a resource is one that Heat or an environment knows."
        "Heat 27 has 201 types. Others come from the `resource_registry` of an environment, or are files that end in `.yaml` or `.template`. A type that comes from a plug-in of your cloud can be silenced with a comment.\n\n```yaml\n# wrong\nserver: { type: OS::Nova::Sever }\n# right\nserver: { type: OS::Nova::Server }\n```";
    PROPERTY = "HOT021" "unknown-property" Error
        "A property is one that the type has."
        "Heat refuses properties that the type does not have.\n\n```yaml\n# wrong\nnet: { type: OS::Neutron::Net, properties: { nmae: blue } }\n# right\nnet: { type: OS::Neutron::Net, properties: { name: blue } }\n```";
    REQUIRED = "HOT022" "missing-property" Error
        "A resource has all properties that its type requires."
        "Heat refuses a resource without a property that is required.\n\n```yaml\n# wrong\nserver: { type: OS::Nova::Server, properties: { image: ubuntu } }\n# right\nserver: { type: OS::Nova::Server, properties: { image: ubuntu, flavor: small } }\n```";
    PROPERTY_TYPE = "HOT023" "property-type" Error
        "The value of a property is of the type that the property has."
        "Heat takes whole numbers and truth values for strings, and numbers in strings for numbers, but no list for a map, no string for a list, and no number for a truth value.\n\n```yaml\n# wrong\nsubnet: { type: OS::Neutron::Subnet, properties: { dns_nameservers: 10.0.0.2 } }\n# right\nsubnet: { type: OS::Neutron::Subnet, properties: { dns_nameservers: [10.0.0.2] } }\n```";
    PROPERTY_VALUE = "HOT024" "property-not-allowed" Error
        "The value of a property keeps the constraints of the property."
        "Each type says which values its properties take: a range, a length, a list of values, a pattern, a kind of address. Heat checks them when the stack is created, and not at all where the value depends on another resource.\n\n```yaml\n# wrong\nsubnet: { type: OS::Neutron::Subnet, properties: { cidr: 10.0.0.0/33 } }\n# right\nsubnet: { type: OS::Neutron::Subnet, properties: { cidr: 10.0.0.0/24 } }\n```";
    SUPPORT = "HOT025" "not-supported" Warning
        "A template uses only what is supported."
        "Types, properties and attributes become deprecated, then hidden, and some are gone: Heat takes a type whose service no longer exists, and does nothing for it.\n\n```yaml\n# wrong\nport: { type: OS::Neutron::Port, properties: { network_id: blue } }\n# right\nport: { type: OS::Neutron::Port, properties: { network: blue } }\n```";
    NOT_IMPLEMENTED = "HOT026" "property-not-implemented" Error
        "A property is one that Heat implements."
        "Some properties of types from AWS are known to Heat and not implemented; it refuses them.\n\n```yaml\n# wrong\nserver: { type: AWS::EC2::Instance, properties: { ImageId: ubuntu, InstanceType: small, KernelId: k } }\n# right\nserver: { type: AWS::EC2::Instance, properties: { ImageId: ubuntu, InstanceType: small } }\n```";
    VALUE_SPECS = "HOT027" "property-in-value-specs" Error
        "`value_specs` has only what the type has no property for."
        "`value_specs` are given to Neutron as they are, for what Heat does not know. Heat refuses in them everything that is a property of the type, and `shared` and `tenant_id`.\n\n```yaml\n# wrong\nnet: { type: OS::Neutron::Net, properties: { value_specs: { name: blue } } }\n# right\nnet: { type: OS::Neutron::Net, properties: { name: blue } }\n```";
    NO_RESOURCE = "HOT030" "no-such-resource" Error
        "References are to resources of the template."
        "`get_resource`, `get_attr` and `depends_on` name resources of the same template. What exists already is named by its id or name in a parameter, or is a resource with `external_id`.\n\n```yaml\n# wrong, without a resource nte\nnetwork: { get_resource: nte }\n# right\nnetwork: { get_resource: net }\n```";
    NO_PARAMETER = "HOT031" "no-such-parameter" Error
        "`get_param` names a parameter of the template."
        "Beside the template's own parameters there are `OS::stack_id`, `OS::stack_name`, `OS::project_id` and `OS::region`.\n\n```yaml\n# wrong, without a parameter imgae\nimage: { get_param: imgae }\n# right\nimage: { get_param: image }\n```";
    NO_ATTRIBUTE = "HOT032" "no-such-attribute" Error
        "`get_attr` names an attribute that the resource has."
        "Each type has its attributes, and all have `show`. For a resource that is a template of its own, its outputs are the attributes.\n\n```yaml\n# wrong\nvalue: { get_attr: [server, first_adress] }\n# right\nvalue: { get_attr: [server, first_address] }\n```";
    CYCLE = "HOT033" "circular-dependency" Error
        "No resource depends on itself, directly or through others."
        "`get_resource`, `get_attr` and `depends_on` make one resource wait for another. Heat refuses a circle, since none of its resources could be the first.\n\n```yaml\n# wrong\na: { type: OS::Neutron::Net, depends_on: b }\nb: { type: OS::Neutron::Net, depends_on: a }\n# right\na: { type: OS::Neutron::Net, depends_on: b }\nb: { type: OS::Neutron::Net }\n```";
    NOT_CREATED = "HOT034" "resource-not-created" Error
        "References are to resources whose condition holds."
        "With these values of the parameters, the condition of the resource is false, so it does not exist, and Heat refuses the template. In an output it is a warning: the stack is built, and the output has no value. Put the same condition on what refers to it, or use `if`. (`depends_on` may name it all the same.)\n\n```yaml\n# wrong, where big is false\nvolume: { type: OS::Cinder::Volume, condition: big, properties: { size: 10 } }\nwhere: { value: { get_resource: volume } }\n# right\nwhere: { condition: big, value: { get_resource: volume } }\n```";
    EXTERNAL = "HOT035" "external-resource-depends" Error
        "A resource with `external_id` depends on nothing."
        "It exists already, so Heat refuses `depends_on` for it.\n\n```yaml\n# wrong\nnet: { type: OS::Neutron::Net, external_id: blue, depends_on: router }\n# right\nnet: { type: OS::Neutron::Net, external_id: blue }\n```";
    ROLE = "HOT036" "wrong-kind-of-resource" Error
        "A property that names a resource names one of the right kind."
        "Heat asks its services whether what a property names exists, but not where the value is a resource of the same template: then the mistake is found when the stack is built.\n\n```yaml\n# wrong, where subnet is an OS::Neutron::Subnet\nport: { type: OS::Neutron::Port, properties: { network: { get_resource: subnet } } }\n# right\nport: { type: OS::Neutron::Port, properties: { network: { get_resource: net } } }\n```";
    FUNCTION = "HOT040" "function-not-in-version" Error
        "A function is one that the version has."
        "Heat does not know a function of a later version: it takes it for a map with that key, which the property then does not accept. Those of the older language are refused. Raise the version.\n\n```yaml\n# wrong\nheat_template_version: 2013-05-23\n# name: { str_split: [',', 'a,b', 0] }\n# right\nheat_template_version: 2015-10-15\n```";
    ARGUMENTS = "HOT041" "function-arguments" Error
        "A function has the arguments that it needs."
        "Each function says how many arguments it takes and of which kind.\n\n```yaml\n# wrong\nname: { list_join: ['-', a, b] }\n# right\nname: { list_join: ['-', [a, b]] }\n```";
    MISPLACED = "HOT042" "function-not-in-conditions" Error
        "A condition uses only functions that are known before deployment."
        "These are `get_param`, `equals`, `not`, `and`, `or` and, from 2017-09-01 on, `yaql` and `contains`.\n\n```yaml\n# wrong\nconditions: { big: { get_attr: [server, name] } }\n# right\nconditions: { big: { equals: [ { get_param: size }, big ] } }\n```";
    NO_CONDITION = "HOT043" "no-such-condition" Error
        "A condition that is named is one that the template defines."
        "`condition`, `if`, `not`, `and` and `or` name conditions of the section `conditions`, or say what holds themselves.\n\n```yaml\n# wrong, without a condition bgi\ncondition: bgi\n# right\ncondition: big\n```";
    NOT_BOOLEAN = "HOT044" "condition-not-boolean" Error
        "A condition is true or false."
        "Heat takes truth values and functions for the definition of a condition; texts, numbers, lists and maps are refused.\n\n```yaml\n# wrong\nconditions: { big: 'yes' }\n# right\nconditions: { big: true }\n```";
    CIRCULAR_CONDITION = "HOT045" "circular-condition" Error
        "No condition is defined by itself."
        "A condition may name others, but not in a circle. Heat works a condition out only where it is used, and refuses the template there.\n\n```yaml\n# wrong\nconditions: { a: { not: b }, b: { not: a } }\n# right\nconditions: { a: { not: b }, b: true }\n```";
    ENVIRONMENT = "HOT050" "malformed-environment" Error
        "An environment is a map with the sections that Heat knows, none of them empty."
        "These are `parameters`, `parameter_defaults`, `resource_registry`, `encrypted_param_names`, `event_sinks` and `parameter_merge_strategies`.\n\n```yaml\n# wrong\nparameter: { image: ubuntu }\n# right\nparameters: { image: ubuntu }\n```";
    FILE = "HOT051" "file-not-found" Error
        "Files that a template names can be read."
        "`get_file`, types that are templates, and the `resource_registry` name files, relative to the file that names them.\n\n```yaml\n# wrong, without such a file\nuser_data: { get_file: bot.sh }\n# right\nuser_data: { get_file: boot.sh }\n```";
    RECURSION = "HOT052" "template-contains-itself" Error
        "No template is a resource of itself, directly or through others."
        "Each level would make another one, without end.\n\n```yaml\n# wrong, in web.yaml\nresources: { inner: { type: web.yaml } }\n# right\nresources: { inner: { type: server.yaml } }\n```";
    DEPTH = "HOT054" "nested-too-deep" Error
        "Stacks are not nested deeper than Heat allows."
        "A template that is a resource of another one is a stack of its own, and so are the members of a group. Heat refuses stacks that are more than 5 levels below the outermost one, unless the cloud is configured otherwise (`max_nested_stack_depth`).\n\n```yaml\n# wrong: a.yaml uses b.yaml, and so on down to g.yaml\na: { type: a.yaml }\n# right: e.yaml is the last one\na: { type: a.yaml }\n```";
    OWN_NAME = "HOT055" "own-thing-by-name" Error
        "What a template makes itself is referred to, not named."
        "Where a property names a network, a key pair or a flavor by a text, Heat looks for one that exists already, before it makes anything: if there is none yet, the stack is refused, whatever `depends_on` says, and if there is one, there are two with that name afterwards. Where Heat does not look first, as for the security groups of a server, this is a warning unless the one resource waits for the other. So it is where a template within the template, or a member of a group, names what is made around it: Heat looks when it comes to that stack.\n\n```yaml\n# wrong\nkey: { type: OS::Nova::KeyPair, properties: { name: fresh, public_key: ssh-rsa AAAA } }\nserver: { type: OS::Nova::Server, properties: { key_name: fresh, image: ubuntu, flavor: small } }\n# right\nserver: { type: OS::Nova::Server, properties: { key_name: { get_resource: key }, image: ubuntu, flavor: small } }\n```";
    DELETION = "HOT053" "deletion-policy" Error
        "The deletion policy is `Delete`, `Retain` or, for servers and volumes, `Snapshot`."
        "From 2016-10-14 on they may be written in small letters. Heat refuses `Snapshot` for all types of which it cannot make one.\n\n```yaml\n# wrong\ndeletion_policy: keep\n# right\ndeletion_policy: Retain\n```";
    API_LENGTH = "HOT500" "text-length" Error
        "A text is as long as its service takes it."
        "Heat passes texts on, and the service refuses those that are too long or too short when the resource is made: \"Invalid input for name. Reason: '…' exceeds maximum length of 255\". Most names have 255 characters at most, those of Keystone's projects, domains and groups 64. The limits are from the schemas of Nova, Cinder, Keystone and Glance and from Neutron's attribute maps, of the release 2025.1.\n\n```yaml\n# wrong, with 256 characters\nnet: { type: OS::Neutron::Net, properties: { name: nnn… } }\n# right\nnet: { type: OS::Neutron::Net, properties: { name: blue } }\n```";
    API_RANGE = "HOT501" "number-out-of-range" Error
        "A number is one that its service takes."
        "Heat asks only for a number, and the service refuses it when the resource is made: \"Invalid input for field/attribute ram. Value: 0. 0 is less than the minimum of 1\".\n\n```yaml\n# wrong\nflavor: { type: OS::Nova::Flavor, properties: { ram: 0, vcpus: 1 } }\n# right\nflavor: { type: OS::Nova::Flavor, properties: { ram: 64, vcpus: 1 } }\n```";
    API_FORM = "HOT502" "text-form" Error
        "A text has the form that its service takes."
        "Heat asks only for a text, and the service refuses it when the resource is made: \"An invalid 'name' value was provided. The name must be: printable characters. Can not start or end with whitespace\", \"'10.5.0.9/24' is not a valid CIDR\", \"'friends' is not a 'uuid'\".\n\n```yaml\n# wrong\nserver: { type: OS::Nova::Server, properties: { name: 'web ', image: ubuntu, flavor: small } }\n# right\nserver: { type: OS::Nova::Server, properties: { name: web, image: ubuntu, flavor: small } }\n```";
    API_KEY = "HOT503" "key-not-taken" Error
        "The keys of a map are ones that its service takes."
        "Metadata and extra specs have keys of at most 255 letters, digits and a few signs. `value_specs` are given to Neutron as they are, which refuses what it does not know: \"Unrecognized attribute(s) 'colour'\". Attributes with a prefix may be an extension that your cloud has: that is a warning.\n\n```yaml\n# wrong\nnet: { type: OS::Neutron::Net, properties: { value_specs: { colour: blue } } }\n# right\nnet: { type: OS::Neutron::Net, properties: { value_specs: { mtu: 1400 } } }\n```";
    API_ITEMS = "HOT504" "items-not-taken" Error
        "A list is one that its service takes."
        "A server has 50 tags at most, and a network has each of its tags once: \"Duplicate items in the list: 'blue'\". A port has 10 address pairs at most, unless Neutron is configured otherwise.\n\n```yaml\n# wrong\nnet: { type: OS::Neutron::Net, properties: { tags: [blue, blue] } }\n# right\nnet: { type: OS::Neutron::Net, properties: { tags: [blue, green] } }\n```";
    USER_DATA = "HOT505" "user-data-size" Error
        "What a server is told when it starts fits into a request."
        "Heat encodes `user_data` as base64, and Nova takes 65,535 bytes of that, which are 49,149 of the text: \"Invalid input for field/attribute user_data\". Unless `user_data_format` is `RAW`, Heat adds scripts of its own, so that there is less room.\n\n```yaml\n# wrong, if the file has 60,000 bytes\nuser_data: { get_file: install.sh }\n# right\nuser_data: |\n  #!/bin/sh\n  curl http://example.org/install.sh | sh\n```";
    WAITS_IN_VAIN = "HOT545" "wait-for-nobody" Warning
        "What a wait condition waits for, somebody is told."
        "A wait condition waits until somebody sends a signal to its handle. If neither a resource nor an output has the handle, nobody knows where to, and the stack fails when the time is over: \"WaitConditionTimeout: 0 of 1 received\". Unless somebody asks Heat for the handle and sends the signal by hand.\n\n```yaml\n# wrong, if nothing else refers to handle\nready: { type: OS::Heat::WaitCondition, properties: { handle: { get_resource: handle } } }\n# right, beside it\nuser_data: { str_replace: { template: 'wc_notify --data-binary x', params: { wc_notify: { get_attr: [handle, curl_cli] } } } }\n```";
}
