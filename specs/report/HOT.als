/**
 * The core of HOT, Heat's language of templates, in location graphs: section 7.1.2 of INRIA report RR-9317.
 *
 * A template is a location graph, a resource is a location. What a resource refers to, it requires a role of, and that
 * resource provides it: a role for each reference, since a role binds two locations. Parameters, constraints, groups,
 * conditions and outputs are values.
 *
 * The facts are what the specification of HOT asks for, and what the report adds to it. The reader of templates sees to
 * all of them: `@native` names its rule, so that none of them is looked at twice. This module is for the model finder,
 * which shows that there are templates at all, and what else follows; rules about the types of resources are written
 * over hot/core, which has what they need of a template.
 *
 * Differences from the report: names are the names of location graphs instead of strings, so that resources have
 * distinct ids because locations have distinct names; all references count in a circle, not only `depends_on`; a
 * parameter may have two constraints of one kind if they do not contradict each other (the specification itself has an
 * example with two patterns); attributes, properties and their types are not here, since the reader and the modules of
 * the types have them.
 */
module HOT
open LocationGraphs

sig Template extends LocationGraph {
  version : one Version,
  description : lone Text,
  parameter_groups : seq ParameterGroup,
  parameters : set Parameter,
  resources : some Resource,
  outputs : set Output,
  conditions : set Condition
} {
  locations = resources
}

enum Version { v2013_05_23, v2014_10_16, v2015_04_30, v2015_10_15, v2016_04_08, v2016_10_14, v2017_02_24, v2017_09_01,
  v2018_03_02, v2018_08_31, v2021_04_16 }

/** A text whose letters do not matter here. */
sig Text extends Value {}

// Resources

sig Resource extends Location {
  depends_on : set Role,
  // The parameters that its properties are made of.
  resource_reads : set Parameter,
  resource_condition : lone Condition,
  deletion_policy : lone DeletionPolicy,
  // What it stands for, if that exists already.
  external_id : lone Text,
  metadata : lone Text
} {
  some provided
  depends_on in required
}

enum DeletionPolicy { Delete, Retain, Snapshot }

/** What `get_resource` of a resource is: one of the roles that it provides. */
fun get_resource [r : one Resource] : set Role { r.provided }

/** From a resource of a template to those that it refers to: they are made before it. */
fun needs [t : Template] : Resource->Resource {
  { r, s : t.resources | some r.required & s.provided }
}

// Parameters

sig Parameter extends Value {
  parameter_name : one Name,
  type : one ParameterType,
  label : lone Text,
  parameter_description : lone Text,
  default : lone Value,
  constraints : set Constraint,
  hidden, immutable : lone Marked,
  tags : set Text
}

enum ParameterType { string, number, json, comma_delimited_list, boolean }

one sig Marked {}

sig ParameterGroup extends Value {
  group_label : lone Text,
  group_description : lone Text,
  members : seq Name
}

abstract sig Constraint extends Value {
  constraint_description : lone Text
}

abstract sig Interval extends Constraint {
  least, most : lone Int
}

sig Length, Range extends Interval {}

sig Modulo extends Constraint {
  step, offset : one Int
}

sig AllowedValues extends Constraint {
  allowed : set Value
}

sig AllowedPattern, CustomConstraint extends Constraint {
  definition : one Text
}

// Outputs and conditions

sig Output extends Value {
  output_name : one Name,
  output_description : lone Text,
  // The roles of resources and the parameters that its value is made of.
  shows : set Role,
  output_reads : set Parameter,
  output_condition : lone Condition
}

sig Condition extends Value {
  condition_name : one Name,
  condition_reads : set Parameter,
  refers_to : set Condition
}

// What the specification says, and what the report adds

/** HOT400 distinct-names: Names are distinct within a section.
 *
 *  Resources have distinct names because locations have (`ResourcesHaveDistinctIds`). For parameters it is the report
 *  that says so.
 *
 *  @native YML002
 */
fact names_are_distinct {
  all t : Template {
    all disj p, q : t.parameters | p.parameter_name != q.parameter_name
    all disj o, p : t.outputs | o.output_name != p.output_name
    all disj c, d : t.conditions | c.condition_name != d.condition_name
  }
}

/** HOT401 distinct-labels: Groups of parameters have distinct labels.
 *
 *  Added by the report. Heat does not look at it.
 *
 *  @native HOT018
 */
fact labels_are_distinct {
  all t : Template, disj g, h : t.parameter_groups.elems | some g.group_label implies g.group_label != h.group_label
}

/** HOT402 group-once: A group of parameters is in a template once.
 *
 *  Added by the report: otherwise its parameters would be in two groups.
 *
 *  @native HOT017
 */
fact a_group_is_there_once {
  all t : Template | not t.parameter_groups.hasDups
}

/** HOT403 members-exist: A group names parameters of its template.
 *
 *  Heat refuses other names.
 *
 *  @native HOT017
 */
fact members_are_parameters {
  all t : Template | t.parameter_groups.elems.members.elems in t.parameters.parameter_name
}

/** HOT404 one-group: A parameter is in one group at most, and there once.
 *
 *  Heat refuses a parameter that is in a group already.
 *
 *  @native HOT017
 */
fact a_parameter_is_in_one_group {
  all g : ParameterGroup | not g.members.hasDups
  all t : Template, disj g, h : t.parameter_groups.elems | no g.members.elems & h.members.elems
}

/** HOT405 group-not-empty: A group has parameters.
 *
 *  Added by the report. Heat accepts an empty group, which is of no use.
 *
 *  @native HOT018
 */
fact groups_are_not_empty {
  all g : ParameterGroup | some g.members.elems
}

/** HOT406 constraint-fits-type: A constraint is one for the type of its parameter.
 *
 *  `length` is for strings, lists and maps, `range` and `modulo` for numbers, `allowed_pattern` for strings. Of
 *  `allowed_values` the specification speaks for strings and numbers only; Heat takes it for lists and truth values as
 *  well, and so does this module.
 *
 *  @native HOT011
 */
fact constraints_fit_the_type {
  all p : Parameter {
    some p.constraints & Length implies p.type in string + json + comma_delimited_list
    some p.constraints & (Range + Modulo) implies p.type = number
    some p.constraints & AllowedPattern implies p.type = string
    some p.constraints & AllowedValues implies p.type != json
  }
}

/** HOT407 constraints-agree: No two constraints of a parameter contradict each other.
 *
 *  The report allows one constraint of each kind. Heat allows more, and the specification has an example with two
 *  patterns. But if of two intervals the one begins after the other has ended, there is no value.
 *
 *  @native HOT011
 */
fact constraints_agree {
  all p : Parameter, disj c, d : p.constraints |
    (c + d in Length or c + d in Range) implies
      (some c.least and some d.most implies c.least <= d.most)
}

/** HOT408 interval-has-an-end: An interval has a least or a most.
 *
 *  Heat refuses one with neither.
 *
 *  @native HOT011
 */
fact intervals_have_an_end {
  all i : Interval | some i.least or some i.most
}

/** HOT409 least-before-most: The least of an interval is not above its most.
 *
 *  Added by the report. Heat accepts such a constraint and then no value at all.
 *
 *  @native HOT011
 */
fact least_is_not_above_most {
  all i : Interval | (some i.least and some i.most) implies i.least <= i.most
}

/** HOT410 no-negative-length: Nothing has a negative length.
 *
 *  Added by the report. Below 0, a least says nothing, and a most allows nothing.
 *
 *  @native HOT011
 */
fact lengths_are_not_negative {
  all l : Length | (some l.least implies l.least >= 0) and (some l.most implies l.most >= 0)
}

/** HOT411 modulo-step: What `modulo` divides by is not 0, and the rest is smaller.
 *
 *  Added by the report, the part about the rest by Heat: it has the same sign as the step and is nearer to 0.
 *
 *  @native HOT011
 */
fact modulo_can_be_computed {
  all m : Modulo {
    m.step != 0
    m.step > 0 implies m.offset >= 0 and m.offset < m.step
    m.step < 0 implies m.offset <= 0 and m.offset > m.step
  }
}

/** HOT412 no-circle: No resource needs itself, directly or through others.
 *
 *  Added by the report; Heat refuses such a template, since none of its resources could be the first.
 *
 *  @native HOT033
 */
fact resources_form_no_circle {
  all t : Template | no iden & ^(needs[t])
}

/** HOT413 external-depends-on-nothing: A resource that exists already depends on nothing.
 *
 *  Heat refuses `depends_on` for a resource with `external_id`.
 *
 *  @native HOT035
 */
fact external_resources_depend_on_nothing {
  all r : Resource | some r.external_id implies no r.depends_on
}

/** HOT414 references-are-bound: References name resources of the template.
 *
 *  `get_resource`, `get_attr` and `depends_on` name resources of the same template, in resources and in outputs.
 *
 *  @native HOT030
 */
fact references_are_bound {
  all t : Template {
    t.resources.required in t.resources.provided
    t.outputs.shows in t.resources.provided
  }
}

/** HOT415 parameters-exist: `get_param` names a parameter of the template.
 *
 *  `get_param` names a parameter of the same template.
 *
 *  @native HOT031
 */
fact parameters_exist {
  all t : Template |
    t.resources.resource_reads + t.outputs.output_reads + t.conditions.condition_reads in t.parameters
}

/** HOT416 conditions-exist: A condition that is named is one of the template.
 *
 *  So it is for resources, for outputs, and for conditions that are made of others.
 *
 *  @native HOT043
 */
fact conditions_exist {
  all t : Template |
    t.resources.resource_condition + t.outputs.output_condition + t.conditions.refers_to in t.conditions
}

/** HOT417 conditions-form-no-circle: No condition is defined by itself.
 *
 *  Heat refuses it: its value could not be found.
 *
 *  @native HOT045
 */
fact conditions_form_no_circle {
  no iden & ^refers_to
}

/** HOT418 conditions-since-newton: Conditions are there from 2016-10-14 on.
 *
 *  Earlier versions have no such section, and Heat refuses it.
 *
 *  @native HOT003
 */
fact conditions_since_newton {
  all t : Template |
    t.version in v2013_05_23 + v2014_10_16 + v2015_04_30 + v2015_10_15 + v2016_04_08 implies no t.conditions
}

// Consequences

/** Nothing lies around that belongs to no template. */
pred Tidy {
  LocationGraph = Template + Null
  Location = Template.resources
  Role in Location.required + Location.provided
  ParameterGroup in Template.parameter_groups.elems
  Parameter in Template.parameters
  Constraint in Parameter.constraints
  Output in Template.outputs
  Condition in Template.conditions
}

/** There are templates, as the report has it. */
run Show_HOT_Template { Tidy }
for 15 but 5 Int, 1 seq, 2 LocationGraph, exactly 1 Template, exactly 3 Location, exactly 3 Resource,
  exactly 1 Parameter, exactly 1 Constraint, exactly 0 ParameterGroup, exactly 0 Condition, exactly 0 Output expect 1

/** There are templates with something in every section, and with references. */
run EverySection {
  Tidy
  some t : Template {
    some t.parameter_groups and some t.outputs.shows and some t.conditions and some needs[t]
    some t.resources.external_id and some t.parameters.constraints
  }
} for 14 but 4 Int, 2 seq, 2 LocationGraph, exactly 1 Template, exactly 2 Location expect 1

/** Each kind of constraint can be had. */
run EveryConstraint {
  some Length and some Range and some Modulo and some AllowedValues and some AllowedPattern and some CustomConstraint
  Constraint in Parameter.constraints
} for 14 but 4 Int, 1 seq, 2 LocationGraph, exactly 1 Template, exactly 1 Location expect 1

/** Two machines with one port, figure 8 of the report: as far as the core is concerned, this may be. The rule about ports
 *  (HOT300) is what forbids it. */
run TwoResourcesNeedOne {
  some t : Template, disj a, b, c : t.resources | a->c + b->c in needs[t]
} for 10 but 3 Int, 1 seq, 2 LocationGraph, exactly 1 Template, exactly 3 Location expect 1

assert ResourcesHaveDistinctIds {
  all t : Template, disj r, s : t.resources | r.name != s.name
}
check ResourcesHaveDistinctIds for 8 but 3 Int, 2 seq expect 0

/** There is always a resource to begin with. */
assert SomethingCanBeMadeFirst {
  all t : Template | some r : t.resources | no r.(needs[t])
}
check SomethingCanBeMadeFirst for 6 but 3 Int, 1 seq expect 0

/** A reference binds exactly two resources: the one that refers, and the one that is referred to. */
assert AReferenceBindsTwoResources {
  all t : Template, r : t.resources.required |
    one (required.r & t.resources) and one (provided.r & t.resources) and required.r & t.resources != provided.r & t.resources
}
check AReferenceBindsTwoResources for 8 but 3 Int, 1 seq expect 0

/** Two intervals of one parameter have a value in common if each of the two has one. */
assert TwoIntervalsHaveACommonValue {
  all p : Parameter, disj a, b : p.constraints & Range |
    some n : Int | all i : a + b | (some i.least implies n >= i.least) and (some i.most implies n <= i.most)
}
check TwoIntervalsHaveACommonValue for 6 but 4 Int, 1 seq expect 0
