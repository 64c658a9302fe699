module hot/OS_Mistral_Workflow
open hot/core
open hot/types/OS_Mistral_Workflow

/** HOT450 task-without-action: A task of a workflow has an action or a workflow, not both.
 *
 *  Heat refuses a task with both and one with neither.
 *
 *  @message the task {e.name} of {w} has neither or both of `action` and `workflow`
 *  @at e
 *  @help keep one of the two
 *  @when text
 *  @openstack parse error
 */
fact a_task_does_one_thing {
  all w: OS_Mistral_Workflow & Made, e: w.prop_tasks | {
    some e.action + e.workflow
    no e.action or no e.workflow
  }
}

/** HOT451 requires-in-direct-workflow: Only tasks of reverse workflows have `requires`.
 *
 *  In a direct workflow a task says what comes next; in a reverse one it says what must come before. Heat refuses
 *  `requires` in a direct one.
 *
 *  @message the task {e.name} of the direct workflow {w} has `requires`
 *  @at e.requires
 *  @also w.prop_type the type of the workflow
 *  @help use `on_success` of the other task, or the type `reverse`
 *  @when text
 *  @openstack parse error
 */
fact requires_is_for_reverse_workflows {
  all w: OS_Mistral_Workflow, e: w.prop_tasks | w.prop_type = "direct" implies no e.requires
}

/** HOT452 reverse-workflow-without-target: A reverse workflow says which task it is for.
 *
 *  Heat refuses a workflow of the type `reverse` whose `params` have no `task_name`.
 *
 *  @message {w} is a reverse workflow, but its `params` have no `task_name`
 *  @at w.prop_type
 *  @help add `params: { task_name: … }` with the last task
 *  @when text
 *  @openstack parse error
 */
fact a_reverse_workflow_has_a_target {
  all w: OS_Mistral_Workflow & Made | w.prop_type = "reverse" implies some w.prop_params.entries & key."task_name"
}

/** HOT453 concurrency-without-items: A task with `concurrency` has `with_items`.
 *
 *  `concurrency` is how many items are worked on at a time. Heat refuses it without items.
 *
 *  @message the task {e.name} of {w} has `concurrency` and no `with_items`
 *  @at e.concurrency
 *  @help add `with_items`, or leave `concurrency` out
 *  @when text
 *  @openstack parse error
 */
fact concurrency_needs_items {
  all w: OS_Mistral_Workflow, e: w.prop_tasks | some e.concurrency implies some e.with_items
}

/** HOT454 task-twice: The tasks of a workflow have different names.
 *
 *  Heat makes a map of the tasks, by their names: of two with the same name one is lost.
 *
 *  @severity warning
 *  @message two tasks of {w} are called {e.name}
 *  @at f.name
 *  @also e.name the other task
 *  @help rename one of them
 *  @when end
 *  @openstack nothing: one of the tasks is lost
 */
fact tasks_have_different_names {
  all w: OS_Mistral_Workflow, disj e, f: w.prop_tasks | e.name != f.name
}
