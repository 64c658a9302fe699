module fractal/structure
open fractal/core

-- Components in components.

/** FRA140 component-twice: The subcomponents of a component have different names.
 *
 *  @message {k} has two subcomponents {c.kid}
 *  @at d.kid
 *  @also c.kid the first one
 *  @help give one of them another name
 *  @when end
 */
fact subkells_have_different_names {
  all k: Kell, disj c, d: k.sc | no c.kid & d.kid
}

/** FRA141 component-of-controller-twice: The components of a controller have different names.
 *
 *  @message the controller of {k} has two components {c.kid}
 *  @at d.kid
 *  @also c.kid the first one
 *  @help give one of them another name
 *  @when end
 */
fact components_of_a_controller_have_different_names {
  all k: Kell, disj c, d: k.membrane | no c.kid & d.kid
}

/** FRA142 contains-itself: A component is not inside itself.
 *
 *  The model allows kells that contain each other in a circle, as the report shows (`Well_foundedness` has a
 *  counterexample). In a file this is a shared component whose path leads outwards, and nothing could be made of it.
 *
 *  @message {k} is inside itself, by way of {c}
 *  @at k
 *  @also c
 *  @help share another component
 *  @when end
 *  @report Well_foundedness
 */
fact containment_is_well_founded {
  all k: Kell, c: k.inside | k not in c.*inside
}

/** FRA143 primitive-without-class: A component with nothing in it has a class that implements it.
 *
 *  A definition alone may leave this to those that extend it; a component that is made may not.
 *
 *  @message {c} in {k} is a primitive component without a class
 *  @at c
 *  @also c.controller its controller
 *  @help give it a `content`, or put components into it
 *  @when end
 */
fact primitives_have_a_class {
  all k: Kell, c: k.inside & known.true |
    c.controller = "primitive" implies some c.content or some c.sc
}

/** FRA144 nothing-in-it: A component that is made has a class or subcomponents.
 *
 *  @severity warning
 *  @message {c} in {k} has neither a class nor subcomponents
 *  @at c
 *  @help give it a `content` or a `definition`, or put components into it
 *  @when end
 */
fact components_have_something_in_them {
  all k: Kell & known.true, c: k.inside & known.true |
    some c.content or some c.inside or c.controller = "primitive" or some c.template
}

/** FRA145 primitive-with-components: What is primitive contains no components.
 *
 *  @message {k} is a primitive component, and contains {c}
 *  @at c
 *  @also k.controller primitive
 *  @help make it `composite`
 *  @when end
 */
fact primitives_contain_nothing {
  all k: Kell, c: k.sc | no k.controller & "primitive"
}

/** FRA146 composite-with-class: A composite has no class of its own, unless it has attributes.
 *
 *  The class of a composite only keeps its attributes: calls go to its subcomponents.
 *
 *  @severity warning
 *  @message {k} is composite, and the class {k.content} implements none of its interfaces
 *  @at k.content
 *  @also k.controller composite
 *  @help make it `primitive`, or leave the class out
 *  @when end
 */
fact composites_have_no_class {
  all k: Kell & known.true | k.controller = "composite" and some k.content implies some k.attributes
}

/** FRA147 composed-of-nothing: A virtual node is made of nodes of components that are there.
 *
 *  @message the virtual node {x.exported_name} of {k} is composed from {c.component_name}, which is no component in it
 *  @at c.component_name
 *  @also k
 *  @help name a component in it, at any depth, or `this`
 *  @when end
 */
fact exported_nodes_name_components {
  all k: Kell & known.true, x: k.exported, c: x.composed | some c.of
}

/** FRA148 composed-of-unknown-node: A virtual node is made of nodes that components have.
 *
 *  @severity warning
 *  @message the virtual node {x.exported_name} of {k} is composed from {c.part}, which {c.of} does not have
 *  @at c.part
 *  @also c.of
 *  @help name the `virtual-node` of that component, or one that it exports
 *  @when end
 */
fact exported_nodes_name_nodes {
  all k: Kell, x: k.exported, c: x.composed |
    c.of.known = true implies c.part in c.of.node.node_name + c.of.exported.exported_name
}

/** FRA149 exported-twice: The virtual nodes that a component exports have different names.
 *
 *  @severity warning
 *  @message {k} exports two virtual nodes {x.exported_name}
 *  @at y.exported_name
 *  @also x.exported_name the first one
 *  @help put the two together
 *  @when end
 */
fact exported_nodes_have_different_names {
  all k: Kell, disj x, y: k.exported | no x.exported_name & y.exported_name
}

/** FRA150 placed-nothing: Coordinates are those of a subcomponent.
 *
 *  @severity warning
 *  @message the coordinates {p.placed_name} in {k} are those of no subcomponent
 *  @at p.placed_name
 *  @also k
 *  @help remove them, or correct the name
 *  @when end
 */
fact coordinates_name_components {
  all k: Kell & known.true, p: k.placed | some p.stands
}

/** FRA151 template-of-other: What is in a template is a template.
 *
 *  A template makes components by making all that is in it, so all of that must be templates.
 *
 *  @severity warning
 *  @message {k} is a template, and {c} in it is not
 *  @at c
 *  @also k.template the template
 *  @help give it a `template-controller` too
 *  @when end
 */
fact templates_contain_templates {
  all k: Kell, c: k.sc & known.true | some k.template implies some c.template
}
