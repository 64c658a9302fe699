/**
 * The checks of Aeolus_actions where they say something. Not in INRIA report RR-9317.
 *
 * A scope counts all values together: names, roles, processes, sorts, states, and what is told. A component that
 * changes its state needs 11 of them, two that become bound 19. The report checks these actions with 10 and 7: nothing
 * of the kind exists there, and whatever is said of nothing holds. Here each assertion is checked with as many values
 * and locations as the action needs (with a binding, where the assertion is about what stays well-formed), and a run
 * before it shows that there are such actions. A new component needs 9 values, so the report's scope is enough for it.
 */
module Aeolus_depth
open Aeolus_actions

// State change

/** z is in another state in c. */
pred Changed [z : Aeolus_component, c : Configuration] {
  all zp : c.components | zp.name = z.name implies zp.process.current != z.process.current
}

/** A component that is bound changes to another state. */
run BoundChanges {
  some c1, c2 : Configuration, z : Aeolus_component, t : Transition {
    WFConfiguration[c1] and Global_StateChange_Transition[c1, c2, z, t]
    some BindingsToComponent[c1.bindings, z]
    Changed[z, c2]
  }
} for 3 but 17 Value, 6 Location, 5 LocationGraph expect 1

check Global_StateChange_Respects_WF for 3 but 17 Value, 6 Location, 5 LocationGraph expect 0
check Global_Multi_StateChange_Respects_WF for 3 but 17 Value, 6 Location, 5 LocationGraph expect 0

run OneChanges {
  some c1, c2 : Configuration, z : Aeolus_component, t : Transition {
    WFConfiguration[c1] and State_Change_Transition[c1, c2, z, t]
    Changed[z, c2]
  }
} for 4 but 11 Value, 5 LocationGraph expect 1

check State_Change_Transition_Satisfies_Global_StateChange_Transition for 4 but 11 Value, 5 LocationGraph expect 0

run TwoChange {
  some c1, c2 : Configuration, zs, zps : set Aeolus_component, tzs : set Transition, t : Transition {
    WFConfiguration[c1] and Multi_StateChange_Transition[c1, c2, zs, zps, tzs, t]
    #zs > 1 and all z : zs | Changed[z, c2]
  }
} for 4 but 15 Value, 6 Location, 5 LocationGraph expect 1

check Multi_StateChange_Transition_Satisfies_Global_Multi_StateChange_Transition
  for 4 but 15 Value, 6 Location, 5 LocationGraph expect 0

// Bind

run Bind {
  some c1, c2 : Configuration, z1, z2 : Aeolus_component, s : Name, t : Transition |
    WFConfiguration[c1] and Global_Bind_Transition[c1, c2, z1, z2, s, t]
} for 4 but 17 Value, 7 Location, 5 LocationGraph expect 1

check Global_Bind_Respects_WF for 4 but 17 Value, 7 Location, 5 LocationGraph expect 0
check In_Global_Bind_Transition_Binding_Not_In_Initial_Configuration
  for 4 but 17 Value, 7 Location, 5 LocationGraph expect 0

run BindTogether {
  some c1, c2 : Configuration, z1, z2 : Aeolus_component, s : Name, t : Transition |
    WFConfiguration[c1] and Binding_Transition[c1, c2, z1, z2, s, t]
} for 4 but 19 Value, 7 Location, 5 LocationGraph expect 1

check Binding_Transition_Satisfies_Global_Bind_Transition for 4 but 19 Value, 7 Location, 5 LocationGraph expect 0

// Unbind

run Unbind {
  some c1, c2 : Configuration, z1, z2 : Aeolus_component, s : Name, t : Transition |
    WFConfiguration[c1] and Global_Unbind_Transition[c1, c2, z1, z2, s, t]
} for 4 but 17 Value, 7 Location, 5 LocationGraph expect 1

check Global_Unbind_Respects_WF for 4 but 17 Value, 7 Location, 5 LocationGraph expect 0

run UnbindTogether {
  some c1, c2 : Configuration, z1, z2 : Aeolus_component, s : Name, t : Transition |
    WFConfiguration[c1] and Unbinding_Transition[c1, c2, z1, z2, s, t]
} for 5 but 20 Value, 7 Location, 6 Interaction expect 1

check Unbinding_Transition_Satisfies_Global_Unbind_Transition for 5 but 20 Value, 7 Location, 6 Interaction expect 0

// Delete

run DeleteBound {
  some c1, c2 : Configuration, z : Aeolus_component, t : Transition {
    WFConfiguration[c1] and Global_Delete_Component_Transition[c1, c2, z, t]
    some BindingsToComponent[c1.bindings, z]
  }
} for 3 but 15 Value, 5 Location, 5 LocationGraph expect 1

check Global_Delete_Respects_WF for 3 but 15 Value, 5 Location, 5 LocationGraph expect 0

run DeleteBoundTogether {
  some c1, c2 : Configuration, z : Aeolus_component, t : Transition {
    WFConfiguration[c1] and Delete_Transition[c1, c2, z, t]
    some BindingsToComponent[c1.bindings, z]
  }
} for 5 but 16 Value expect 1

check Delete_Transition_Satisfies_Global_Delete_Component_Transition for 5 but 16 Value expect 0
