module fractal/core

-- What all rules about Fractal definitions are written over: section 3 of the report.
--
-- A kell is a component: it has an identity, gates (its interfaces) and subkells. A binding leads from a gate that asks
-- for something to one that offers it. A component that several others share is one kell. Texts that are not known,
-- since an argument has no value, are values unlike any other while rules are looked at; of kells whose definitions are
-- not all known, what is missing is not concluded from.

/** A component. */
sig Kell {
  /** Its name. */
  kid: lone String,
  /** Its subcomponents. */
  sc: set Kell,
  /** The components of its controller. */
  membrane: set Kell,
  /** Its interfaces. */
  gates: set Gate,
  /** The interfaces of its controller. */
  controls: set Gate,
  bindings: set Binding,
  /** The bindings of its controller. */
  control_bindings: set Binding,
  attributes: set Attribute,
  /** The interface of its attributes. */
  attribute_signature: lone String,
  has_attributes: one Boolean,
  /** The class that implements it. */
  content: lone String,
  /** The description of its controller: `primitive`, `composite`, or a file. */
  controller: lone String,
  template: lone String,
  node: lone VirtualNode,
  exported: set Exported,
  /** The components that its coordinates place. */
  placed: set Placed,
  /** Whether it is the definition itself, and part of no other component. */
  root: one Boolean,
  /** Whether all definitions that it is made of are known. */
  known: one Boolean
}

/** An interface. */
sig Gate {
  gid: lone String,
  role: lone String,
  signature: lone String,
  contingency: lone String,
  cardinality: lone String,
  /** The other interfaces of the component with a name that begins with the name of this one. */
  begun_by: set Gate,
  /** The component of the controller whose interface intercepts calls, if it is one of them. */
  intercepted_by: set Interceptor
}

/** A component that intercepts the calls of an interface. */
sig Interceptor {
  interceptor: lone String,
  /** The component, if there is one. */
  stands_for: lone Kell
}

/** A binding. */
sig Binding {
  client: lone End,
  server: lone End
}

/** An end of a binding. */
sig End {
  /** The text. */
  written: one String,
  component: one String,
  gate: one String,
  /** The component that it names. */
  at: lone Kell,
  /** The interface that it names. */
  is: lone Gate,
  /** Whether it is an interface of the component that contains the binding. */
  own: one Boolean,
  /** Whether its name is that of an interface which controllers provide without saying so. */
  control: one Boolean
}

/** An attribute. */
sig Attribute {
  key: lone String
}

/** Where a component is to be. */
sig VirtualNode {
  node_name: lone String,
  node_cardinality: lone String
}

/** A virtual node that is made of those of components. */
sig Exported {
  exported_name: lone String,
  composed: set Composing
}

/** A virtual node of a component that becomes part of another. */
sig Composing {
  component_name: lone String,
  part: lone String,
  of: lone Kell
}

/** Where a component is in a drawing. */
sig Placed {
  placed_name: lone String,
  stands: lone Kell
}

abstract sig Boolean {}
one sig true, false extends Boolean {}

/** The components in a component. */
fun inside: Kell->Kell { sc + membrane }

/** All bindings that a component contains. */
fun ties: Kell->Binding { bindings + control_bindings }

/** An interface that asks for something. */
pred is_client [g: Gate] { some g.role and g.role in "client" + "internal-client" }

/** An interface that offers something. */
pred is_server [g: Gate] { some g.role and g.role in "server" + "internal-server" }

pred is_internal [g: Gate] { some g.role and g.role in "internal-client" + "internal-server" }

/** An interface must be bound, unless it says that it need not be. */
pred is_mandatory [g: Gate] { no g.contingency or g.contingency = "mandatory" }

/** An interface stands for one, unless it says otherwise. */
pred is_single [g: Gate] { no g.cardinality or g.cardinality = "singleton" }

/** Several may be bound to one. */
pred is_collective [g: Gate] { some g.cardinality and g.cardinality in "multicast" + "gathercast" }
