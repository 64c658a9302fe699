//! The rules about single files: what the standard demands of the form of definitions, templates and values.

use locus_source::{Rule, Severity};

macro_rules! rules {
    ($($name:ident = $code:literal $slug:literal $severity:ident $summary:literal $explanation:literal;)*) => {
        $(pub(crate) static $name: Rule = Rule::new($code, $slug, Severity::$severity, $summary, $explanation);)*
        /// All rules of this crate.
        pub static RULES: &[&Rule] = &[$(&$name),*];
    };
}

/// The rules about the form of files, of which dialects have their own.
pub(crate) static OF_FORM: [&Rule; 13] = [
    &WRONG_KIND,
    &UNKNOWN_KEY,
    &MISSING_KEY,
    &EMPTY,
    &BAD_NAME,
    &VERSION_STRING,
    &IMPORT_FORM,
    &DUPLICATE_NAME,
    &SCHEMA,
    &UNKNOWN_INTERFACE,
    &UNKNOWN_OPERATION,
    &OPERATION_INPUT,
    &VERSION_FIRST,
];

rules! {
    NOT_TOSCA = "TSC001" "not-tosca" Error
        "A TOSCA file is one map with a `tosca_definitions_version`."
        "Section 6.1: the keyname `tosca_definitions_version` is mandatory, and it is what tells a TOSCA file from other YAML.";
    VERSION = "TSC002" "unknown-version" Error
        "The version is one of the standard's."
        "Section 6.2: the versions are `tosca_2_0` and `tosca_simple_yaml_1_0` to `tosca_simple_yaml_1_3`; the Simple Profile allows the namespace URI as well. The profile for NFV (`tosca_simple_profile_for_nfv_1_0_0`) is read as the Simple Profile with types that are not known.";
    VERSION_FIRST = "TSC003" "version-not-first" Error
        "`tosca_definitions_version` is the first line."
        "Section 6.1: `tosca_definitions_version` MUST be the first line of each TOSCA file. Comments may stand before it. Simple Profile: section 3.1.2.";
    WRONG_KIND = "TSC004" "wrong-kind" Error
        "The value of a keyname is of the kind that the grammar says."
        "For example `node_templates` is a map, `requirements` is a list of maps with one key each, `description` is a string, and a range is a list of two integers. The tables of each element are in chapters 6 to 16; Simple Profile: chapter 3. In the Simple Profile, where published files write something else and several tools accept it, that is a warning: `[]` for an operation (3.6.17), the name of a type for a schema definition in version 1.3 (3.6.9), several keys in an item of a filter (3.6.5), a single string for `on_success` and `on_failure` (3.6.27; an example of the standard has it), a list of requirement mappings (3.8.13.1) and a list for an interface mapping (3.8.12).";
    UNKNOWN_KEY = "TSC005" "unknown-keyname" Error
        "An element has only the keynames that its version knows."
        "Each element of the grammar has a table of its keynames (chapters 6 to 16; Simple Profile: chapter 3). A processor would not understand another one.";
    MISSING_KEY = "TSC006" "missing-keyname" Error
        "An element has the keynames that are mandatory."
        "Section 5.2: a keyname that is marked as mandatory MUST be there, unless a type that is derived inherits it. In the Simple Profile 1.3 `capability` of a requirement definition is required (section 3.7.3.1), and nothing is said of those that refine another: there it is a warning.";
    EMPTY = "TSC007" "empty-section" Error
        "A section is not empty."
        "In TOSCA 2.0 the value of a section such as `node_types` or `imports` is a map or a list (chapter 6), and `null` is neither. An empty map is written `{}`. In the Simple Profile (sections 3.9.1 and 3.10.1 of version 1.3 and others) it is a warning, also for other keynames, since published descriptors have such sections and tosca-parser accepts them.";
    DROPPED_KEY = "TSC008" "dropped-keyname" Warning
        "Keynames that TOSCA 2.0 dropped are not used."
        "The Simple Profile had the keyname; TOSCA 2.0 does not list it any more (`credential` of a repository: section 6.5; `type` of a capability assignment: section 8.4). It has no effect.";
    BAD_NAME = "TSC009" "bad-name" Error
        "Names are strings that are not empty."
        "Sections 6.4 and 6.9: types and templates have symbolic names, which are strings.";
    UNKNOWN_TYPE = "TSC010" "unknown-type" Error
        "A type that is named is defined."
        "Section 6.8.4: a name means a type of the same file, one that is imported into the root namespace, or with the prefix of its namespace one that is imported into another. In the Simple Profile the normative types are there without an import; in TOSCA 2.0 they are not (section 6.7.2).";
    CIRCULAR_TYPE = "TSC011" "circular-type" Error
        "A type does not derive from itself."
        "Section 6.4.2: a type derives from a parent, that from another, and the line ends somewhere.";
    IMPORT_MISSING = "TSC012" "import-missing" Error
        "An imported file exists."
        "Section 6.8.2.2: if the URL of an import does not reference a valid TOSCA file, the import fails. Paths are relative to the importing file; those with a slash in front start at the root of the repository.";
    IMPORT_NOT_READ = "TSC013" "import-not-read" Note
        "All imports are read."
        "Files at URLs are not fetched, files outside of the project are not read, and the types of the profile for NFV are not known. Names that they may define are not checked.";
    IMPORT_FORM = "TSC014" "import-form" Error
        "An import names one file or one profile."
        "Section 6.8.1: an import has either `url` or `profile`; `repository` goes with a `url` that has no scheme. Section 3.6.8.2.3 of the Simple Profile 1.3: `namespace_prefix` is not `tosca`.";
    UNKNOWN_REPOSITORY = "TSC015" "unknown-repository" Error
        "A repository that is named is defined."
        "Sections 6.5, 6.8.1 and 12.2: `repository` is the symbolic name of a repository definition of the file.";
    UNKNOWN_PROFILE = "TSC016" "unknown-profile" Error
        "A profile that is imported is known."
        "Section 6.8.2.1: if a profile is not known, the import should be considered a failure. Locus knows `org.oasis-open.tosca.simple:2.0` and the profiles that `--library` names: a folder with `NAME.yaml`, `NAME/profile.yaml` or `a/b/VERSION/profile.yaml`, or a file.";
    PROFILE_WITH_SERVICE = "TSC017" "profile-with-service" Error
        "A profile has no service template."
        "Section 6.7.1: files that contain the keyname `profile` MUST NOT also define a service template.";
    DUPLICATE_NAME = "TSC018" "duplicate-name" Error
        "A name is defined once in a namespace."
        "Sections 6.8.4 and 8.5: duplicate names are an error. Names from files that are imported without a namespace are in the same one. Two files with the same definition of a type do no harm, and nothing is said of them. Simple Profile: section 3.2.";
    HIDDEN_TYPE = "TSC019" "hidden-type" Warning
        "A type does not hide an imported one."
        "Section 6.8.4: names must be unique within a namespace. Processors take the definition of the importing file; readers may not expect it. Import into a namespace of its own.";
    DSL = "TSC020" "dsl-without-anchor" Error
        "Each entry of `dsl_definitions` has an anchor."
        "Section 6.3: an entry is `<name>: &<anchor>`; without an anchor nothing can use it.";
    VERSION_STRING = "TSC021" "bad-version-string" Error
        "A version is `major.minor[.fix[.qualifier[-build]]]`."
        "Section 9.1.2.3. Versions of two numbers need quotes, or YAML reads them as a float.";
    BUILTIN_PROPERTIES = "TSC022" "properties-of-builtin" Error
        "A type that derives from a built-in type has no properties."
        "Section 9.2: property definitions may not be added to data types derived from built-in types.";
    SCHEMA = "TSC023" "schema-not-allowed" Error
        "`entry_schema` is for lists and maps, `key_schema` for maps with keys that are strings, and a constraint for the types that it can be asked of."
        "Sections 9.2 and 9.3. Constraints: section 3.6.3.1 of the Simple Profile; values are compared if they are numbers, strings, versions, timestamps or have units, strings, lists and maps have a length, and patterns and schemas are for strings. That is a warning, since an example of the standard (3.3.4.2.1) has `max_length` of an integer.";
    NO_ENTRY_SCHEMA = "TSC024" "no-entry-schema" Warning
        "A list or a map says what its entries are."
        "Section 9.3: for lists and maps `entry_schema` is mandatory. Without it entries are not checked; many processors accept it all the same. In the Simple Profile it is optional (section 3.6.10.4 of version 1.3).";
    ABSTRACT_SCALAR = "TSC025" "abstract-scalar" Error
        "Values are of a scalar type with units."
        "Section 9.1.2.2: the scalar type is abstract, and cannot be used as it is.";
    SCALAR = "TSC026" "bad-scalar-type" Error
        "A scalar type has units, one of which has the factor 1."
        "Section 9.1.2.2: units and prefixes have positive factors; one unit and one prefix have the factor 1; if several units have, `canonical_unit` chooses; the type of the number cannot be changed by derivation.";
    REFINEMENT = "TSC027" "not-a-refinement" Error
        "A definition in a derived type refines the one that it inherits."
        "Section 5.1.3, and the refinement rules of sections 7.3, 8.1, 8.2, 8.3, 8.6, 9.3, 9.7, 16.1 and 16.3: types derive from the inherited ones, lists and ranges become narrower, what is required stays required, and definitions in a capability add no properties. Sections 3.8.1.1 and 3.8.2.1 of the Simple Profile 1.3: `occurrences` of a capability or requirement of a template refine those of the type.";
    DEFAULT_UNUSED = "TSC028" "default-unused" Warning
        "A property that is not required has no default."
        "Section 9.3: the default shall not be defined for properties that are not required, as they stay undefined.";
    VALUE_TYPE = "TSC029" "wrong-type" Error
        "A value is of the type of its property."
        "Chapter 9: processors do not convert. A string that looks like a number needs quotes; booleans are `true` and `false` only; an integer is a float where one is wanted.";
    VALIDATION = "TSC030" "not-valid" Error
        "A value satisfies the validation clauses and constraints of its type."
        "Section 9.10; Simple Profile: section 3.6.3.";
    UNKNOWN_PROPERTY = "TSC031" "unknown-property" Error
        "Assigned names are defined by the type."
        "Sections 9.4 and 9.6: an assignment is to a property or attribute that the type has.";
    MISSING_PROPERTY = "TSC032" "missing-property" Error
        "Required properties have a value."
        "Sections 9.3 and 9.4: a property is required unless it says otherwise, and needs a value, a default or a fixed value.";
    FIXED = "TSC033" "fixed-value" Error
        "A fixed value is not changed."
        "Sections 9.3, 9.4 and 9.8: once `value` is defined, a property or parameter can neither be refined nor assigned. Section 9.7: an output whose `mapping` is defined cannot be mapped again.";
    FUNCTION = "TSC034" "bad-call" Error
        "A function is called with what it takes."
        "Chapter 10: a call is a map with one key; the arguments are in a list. A text that starts with a dollar sign is a call; write `$$` for the sign itself.";
    REMOVED_FUNCTION = "TSC035" "removed-function" Error
        "Functions that TOSCA 2.0 does not have are not called."
        "Section 10.2 lists the built-in functions. Other names are custom functions, which need a definition or an orchestrator that has them (section 10.4); these names were functions or constraints of the Simple Profile.";
    UNKNOWN_FUNCTION = "TSC036" "unknown-function" Warning
        "A function is built in or defined."
        "Section 10.4 allows custom functions without a definition, but this name is very near to that of a built-in function.";
    UNKNOWN_INPUT = "TSC037" "unknown-input" Error
        "`get_input` names an input."
        "Section 10.2.1.1: the name of a parameter as defined in the inputs of the service template; in a workflow, of the workflow.";
    PATH = "TSC038" "bad-path" Error
        "A path leads to something."
        "Sections 10.2.1.2 and 10.3: the entity, the requirement or capability and the property or attribute exist, and what follows fits the type of the value: an index for a list, a field for a complex type.";
    OLD_PATH = "TSC039" "old-path" Warning
        "Paths have the form of TOSCA 2.0."
        "Section 10.3: between the entity and the name of a requirement or capability stands RELATIONSHIP or CAPABILITY. The form without is that of the Simple Profile.";
    INPUT_WITHOUT_VALUE = "TSC040" "input-without-value" Note
        "An input has a value."
        "Section 6.9.2: values must be provided for all mandatory inputs that have no default. What depends on it is not known.";
    INPUT_NOT_THERE = "TSC041" "input-not-there" Error
        "Values are given only to inputs that exist."
        "The file with values, or `-P`, names an input that the service template does not have.";
    UNKNOWN_CAPABILITY = "TSC042" "unknown-capability" Error
        "A capability that is assigned is defined by the type."
        "Section 8.4.";
    UNKNOWN_REQUIREMENT = "TSC043" "unknown-requirement" Error
        "A requirement that is assigned is defined by the type."
        "Section 8.7.";
    UNKNOWN_NODE = "TSC044" "unknown-node" Error
        "The target of a requirement is a node template or a node type."
        "Section 8.7.1.";
    TARGET = "TSC045" "wrong-target" Error
        "The target of a requirement can fulfil it."
        "Section 8.7.2: the node is of the type that the requirement wants, has a capability of the right type, and the lists of valid types of the capability and the relationship allow it (sections 7.3, 8.1, 8.2).";
    COUNT = "TSC046" "wrong-count" Error
        "The number of relationships is within the range of the requirement."
        "Section 8.7.4; Simple Profile: `occurrences`.";
    UNFULFILLED = "TSC047" "unfulfilled-requirement" Warning
        "Something fulfils each requirement."
        "Section 8.7: what the template does not fulfil, the orchestrator must, by a node that exists already or by substitution.";
    SEVERAL = "TSC048" "several-candidates" Note
        "One node fulfils a requirement."
        "Section 8.7: the orchestrator chooses among the nodes that fit. Name one to be sure.";
    FILTER = "TSC049" "filter-not-satisfied" Error
        "The target of a requirement satisfies its node filter."
        "Section 8.8: if a node template is named, the processor verifies that it fulfils the filter.";
    ALLOCATION = "TSC050" "allocation-of-nothing" Warning
        "An allocation is from a property of the target capability."
        "Section 8.7.5: an allocation that refers to a property that does not exist is invalid; it limits nothing.";
    DIRECTIVE = "TSC051" "unknown-directive" Warning
        "Directives are those of the standard."
        "Sections 7.2, 8.4 and 8.7.2. Orchestrators may have others.";
    COPY = "TSC052" "bad-copy" Error
        "A copy is of a template that is not a copy."
        "Sections 7.2 and 7.4.";
    UNKNOWN_INTERFACE = "TSC053" "unknown-interface" Error
        "An interface of a node template is defined by its type."
        "Section 11.3.";
    RELATIONSHIP_INTERFACE = "TSC054" "unknown-relationship-interface" Warning
        "An interface of a relationship is defined by its type."
        "Section 11.3. The examples of the standard have relationship templates with interfaces that their type does not have.";
    UNKNOWN_OPERATION = "TSC055" "unknown-operation" Error
        "An operation is defined by the type of its interface."
        "Sections 11.2 and 11.4: interface types are the only place where operations can be defined.";
    TYPE_IMPLEMENTATION = "TSC056" "implementation-in-type" Error
        "Interface types have no implementations and map no outputs."
        "Sections 11.1, 11.4 and 11.6: implementations of operations and notifications, and the attributes that their outputs are mapped to, are for node and relationship types and for templates.";
    ARTIFACT_PROPERTY = "TSC057" "unknown-artifact-property" Warning
        "The properties of an artifact are defined by its type."
        "Section 12.2. They are handed to the processor of the artifact.";
    GROUP_MEMBER = "TSC058" "wrong-group-member" Error
        "The members of a group exist and are of the types that it is for."
        "Section 16.2.";
    POLICY_TARGET = "TSC059" "wrong-policy-target" Error
        "The targets of a policy exist and are of the types that it is for."
        "Section 16.4.";
    WORKFLOW = "TSC060" "bad-workflow" Error
        "What a workflow names exists."
        "Section 13.2: targets of steps and preconditions are node templates or groups, target relationships are requirements of their node, and steps, operations, attributes and other workflows are defined. A workflow has steps or an implementation, not both. Triggers of policies call operations and workflows in the same way (section 16.5).";
    CALL = "TSC061" "wrong-call-inputs" Error
        "A call of an operation or workflow gives the inputs that it needs."
        "Sections 13.2.3.3 and 13.2.3.4: the inputs are those of the operation and of its interface, or of the workflow; those that are required have a value.";
    SUBSTITUTION = "TSC062" "bad-substitution" Error
        "Both sides of a substitution mapping exist and fit."
        "Sections 15.1 to 15.6. A capability is mapped to one of its type or of a type that derives from it; one of a type that it derives from is a warning. In the Simple Profile, sections 3.8.8 to 3.8.13 of version 1.3: a property is mapped to an input in a list, `[ size ]`, or has a constant of its type.";
    UNMAPPED = "TSC071" "unmapped" Warning
        "A substitution mapping has all that the substituted node type has."
        "Section 3.8.13.4 of the Simple Profile 1.3: the substitution mapping must provide a mapping for every property, capability and requirement of the node type. The capability `feature` and the requirement `dependency`, which all node types have, are not counted. TOSCA 2.0 does not demand it.";
    NO_RELATIONSHIP = "TSC063" "no-relationship" Warning
        "A requirement says which relationship it makes."
        "Section 8.5: `relationship` is mandatory in a requirement definition. Many profiles leave it out; then the type of the relationship is not known.";
    ARCHIVE = "TSC064" "bad-archive" Error
        "An archive is a zip file or a tarball with a TOSCA file to start from."
        "Chapter 17: `TOSCA.meta`, at the root or in `TOSCA-Metadata`, names the file by `Entry-Definitions`, and those with substituting templates by `Other-Definitions`; without it there is one YAML file at the root. Archives that are damaged or encrypted, that have names or links that lead out of them, or that unpack to more than 256 MiB or 20000 files are refused.";
    LIFECYCLE = "TSC066" "bad-lifecycle" Error
        "A lifecycle names states and requirements that exist."
        "Section 8.4 of INRIA report RR-9317 gives nodes the lifecycle of an Aeolus component. The metadata of a node template, of a policy or of a node type say it under `locus.lifecycle`: states in order, each with the requirements that it needs from then on, as in `installed, running (host, database@running)`; after `@` stands the state of the node that fulfils the requirement. Nodes with the interface Standard are created, configured and started.";
    NO_SUBSTITUTE = "TSC067" "no-substitute" Warning
        "A node that another service takes the place of has a template that substitutes it."
        "Chapter 15 and section 17.2.1: the templates of an archive that may substitute nodes are its Other-Definitions; one that does has `substitution_mappings` with the type of the node or one that derives from it. The orchestrator may have others.";
    UNREACHABLE_STEP = "TSC068" "unreachable-step" Warning
        "Each step of a workflow can be reached."
        "Section 13.2.2: a step is performed after those that name it in `on_success` or `on_failure`, and a workflow starts with the steps that none names. A step that only leads back to itself is never performed.";
    TRIGGER = "TSC069" "bad-trigger" Error
        "The notification, the node and the attributes that a trigger names exist."
        "Sections 11.6 and 16.5: the event `interface.notification` is a notification of the nodes that the policy is for; other names are events of the orchestrator. In the Simple Profile the node of a `target_filter` is a node template or a node type. Sections 3.6.21, 3.6.24 and 3.6.25 of version 1.3: it has the requirement that the filter names; the capability is one of the node, or of the node that the requirement leads to; and the condition is about attributes of what the filter leads to, or else of the targets of the policy.";
    INLINED_IN_CIRCLE = "TSC070" "inlined-in-circle" Warning
        "Workflows do not inline each other in a circle."
        "Section 13.2.3.4: the activities of the workflow that is inlined take the place of the activity, which has no end if they inline the first workflow again. The standard does not forbid it, and an example of it does so.";
    UNIT_CASE = "TSC072" "unit-case" Warning
        "Units of time and frequency are written as the standard has them."
        "Sections 3.3.6.5.1 and 3.3.6.6.1 of the Simple Profile 1.3: the units of time are `d`, `h`, `m`, `s`, `ms`, `us` and `ns`, those of frequency `Hz`, `kHz`, `MHz` and `GHz`. Only for sizes does it say that the case does not matter (section 3.3.6.4.3). Published files have `hz`, and the grammar of triggers has `60 sec` in a comment (section 3.6.22.3.2), so it is a warning. Units of bit rates in another case are another unit or none (section 3.3.6.7.1).";
    NAMESPACE = "TSC073" "namespace-no-uri" Warning
        "A namespace is a URI."
        "Section 3.2 of the Simple Profile 1.3: the URI of the namespace and the name of a type are the full name of the type. A word without a scheme is no URI; published files have some, so it is a warning.";
    UNNAMED_ARCHIVE = "TSC074" "unnamed-archive" Error
        "The file of an archive without TOSCA.meta says what the archive is."
        "Sections 6.1 and 6.3 of the Simple Profile 1.3: in an archive without TOSCA.meta, the YAML file at the root must have `metadata` with `template_name` and `template_version`. TOSCA 2.0 does not demand it (section 17.3).";
    FILTER_NAME = "TSC075" "filter-of-nothing" Error
        "A node filter asks for what the nodes that it is about have."
        "Section 8.8, and section 3.6.5 of the Simple Profile 1.3: a filter selects nodes by their properties and by the capabilities that they have, so one that asks for what no node of the wanted type has is satisfied by none. A node may be of a type that derives from the wanted one; it is an error only if no known type has what the filter names. It is a warning in a file without a service, which others import, and for the filter of a node template in the Simple Profile (section 3.8.3.1), which may be meant for what its requirements lead to.";
    OPERATION_HOST = "TSC076" "wrong-operation-host" Error
        "`operation_host` says where an operation runs."
        "Section 3.6.16.1 of the Simple Profile 1.3: SELF or HOST in a node type, SOURCE or TARGET in a relationship type, and ORCHESTRATOR in both; of templates of relationships the text allows all of them. Section 3.6.27.1: a step of a workflow that calls an operation of a relationship must say SOURCE or TARGET, and one whose target is a group may name a node type or a node template. Of steps whose target is a node the text gives no values; a name that means nothing is a warning there. TOSCA 2.0 has no `operation_host`.";
    VALUE_CIRCLE = "TSC077" "circle-of-values" Error
        "A value does not depend on itself."
        "Sections 10.2.1.1 and 10.2.1.2: `get_property` and `get_input` give the value of a property or an input; if that is made of the value that is asked for, there is none. Simple Profile: sections 4.4.1 and 4.4.2.";
    NO_VALUE = "TSC078" "no-valid-value" Error
        "Some value satisfies what is asked of a property or an input."
        "Section 9.10; Simple Profile: section 3.6.3. All clauses and constraints must hold, those that a type inherits among them, and these exclude each other, as `in_range: [ 10, 1 ]`: nothing can be assigned.";
    ENDLESS_TYPE = "TSC079" "endless-type" Error
        "A value of a data type can be written down."
        "Section 9.2; Simple Profile: section 3.7.6. Each value of the type needs another value of the type within it, by a field that is required and has no default, so that it has no end. A list or a map of values of the type may be empty.";
    OPERATION_INPUT = "TSC080" "operation-input-missing" Error
        "An operation that is implemented gets the inputs that it needs."
        "Sections 9.7, 11.4 and 11.5; Simple Profile: sections 3.6.14 and 3.6.17. An input that is required, and has neither a default nor a value, gets one where the operation or its interface is assigned. An operation without an implementation is never called. Operations that the orchestrator does not call by itself, those of interfaces other than Standard and Configure, may get the input where a workflow calls them: there it is a warning.";
    STRAY_INPUT = "TSC081" "operation-input-misspelt" Warning
        "The inputs that an operation gets are those that it has."
        "Section 11.5: templates may give an operation more inputs than it defines. This one is so near to the name of an input that has no value that it may be meant for it.";
    DIALECT = "TSC082" "dialect" Warning
        "The version is one of the standard's, and not of a dialect."
        "Section 6.2. Alien4Cloud, ONAP, Cloudify and drafts of the standard have versions of their own, such as `tosca_simple_yaml_1_0_0` and `alien_dsl_2_0_0`. They are read as the version that they resemble. Types that nothing defines may be built into the dialect, and are not judged; what the form of the standard does not allow is a warning.";
    LIMIT = "TSC083" "limit" Error
        "A file is not larger than what Locus looks at."
        "This limit is one of Locus and not of the standard (chapter 5 has none): so that no file takes all memory, types derive from others in no more than 1,000 steps, inherit no more than 2,000,000 definitions in all, and schemas of lists and maps are nested in no more than 100 data types.";
    NAMES_MEET = "TSC084" "names-meet" Warning
        "The nodes of a template have names of their own."
        "Section 8.7.6 numbers the nodes of a template with a `count`. The first of `web` is called `web[0]`; where another template has this name, plans tell the two apart and people do not, and nothing can be deployed.";
    MISSING_FILE = "TSC065" "missing-file" Warning
        "The files of artifacts and implementations exist."
        "Sections 11.4, 11.8 and 12.2: file names are relative to the TOSCA file, and other names are those of artifacts of the node. Without the file the operation cannot run; orchestrators find out when they call it.";
}
