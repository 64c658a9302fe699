//! The way from a question to an answer that the judge accepts.

use locus_aeolus::{Action, Universe};

use crate::check::{Checked, check};
use crate::lines::{Choices, Failure, Lines, MOST_LINES, MOST_LOOKS};
use crate::problem::{Answer, Plan, Problem, Step};
use crate::reach::{Nodes, Reached, anew, reach, reasons};
use crate::schedule::Schedule;
use crate::search::{HELPERS, is_goal, search};

/// How much work to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most configurations that the judge looks at where no argument applies.
    pub configurations: u64,
    /// How many other choices of providers are tried to get along with fewer components.
    pub variations: usize,
    /// How many configurations are searched where the usual way finds no plan.
    pub searched: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { configurations: 100_000, variations: 200, searched: 20_000 }
    }
}

/// Finds a plan and has it checked.
///
/// The start must be correct, and wanted components that exist must be deployed.
pub fn solve(problem: &Problem<'_>, limits: Limits) -> (Answer, Option<Checked>) {
    let nodes = Nodes::new(problem.universe);
    let goals: Vec<_> = problem.wanted.iter().map(|wanted| nodes.node(wanted.kind, wanted.state)).collect();
    let mut reached = reach(&nodes, problem.start, &goals);
    if let Some(&goal) = goals.iter().find(|&&goal| !reached.has(goal)) {
        return (Answer::None(reasons(&nodes, &reached, goal)), None);
    }
    let mut choices = Choices::default();
    let mut best = attempt(problem, &nodes, &reached, &choices, limits);
    if best.is_err() && !problem.start.components.is_empty() {
        // What is deployed may be needed once more than it is there, or while it changes.
        let other = anew(&nodes, problem.start);
        (best, reached) = (attempt(problem, &nodes, &other, &choices, limits), other);
    }
    let is_larger = |found: &Found| found.plan.end.components.len() > problem.wanted.len();
    if problem.universe.has_capacities() && best.as_ref().map_or(true, is_larger) {
        // Those who need several at once may not find them where others took what came first.
        let balanced = Choices { is_balanced: true, ..Choices::default() };
        let other = attempt(problem, &nodes, &reached, &balanced, limits);
        let is_better =
            |other: &Found| best.as_ref().map_or(true, |best| cost(&other.plan) < cost(&best.plan));
        if other.as_ref().is_ok_and(is_better) {
            (best, choices) = (other, balanced);
        }
    }
    let mut best = match best {
        Ok(found) => found,
        Err(why) => return bounded(problem, limits, &why),
    };
    vary(problem, &nodes, &reached, limits, choices, &mut best);
    (Answer::Plan(best.plan), Some(best.checked))
}

/// How many components all searched configurations have together at most: a search costs that much time and memory.
const MOST_SEARCHED: usize = 4_000_000;

/// Looks for a plan within bounds, where the usual way found none.
fn bounded(problem: &Problem<'_>, limits: Limits, why: &str) -> (Answer, Option<Checked>) {
    let size = problem.wanted.len().max(problem.start.components.len()) + HELPERS;
    let searched = limits.searched.min(MOST_SEARCHED / size);
    if let Some(plan) = search(problem, searched)
        && let Ok(checked) = check(problem.universe, problem.start, &plan, limits.configurations)
    {
        return (Answer::Plan(plan), Some(checked));
    }
    let bounds = format!(
        "{why}, nor among {searched} configurations with at most {HELPERS} components beside those that are wanted"
    );
    (Answer::Unknown(bounds), None)
}

struct Found {
    plan: Plan,
    checked: Checked,
    /// The choices that can be made otherwise.
    open: Vec<(usize, locus_aeolus::PortId)>,
}

/// The cost of a plan: new components, then steps.
fn cost(plan: &Plan) -> (usize, usize) {
    (plan.components.iter().filter(|component| component.is_new).count(), plan.steps.len())
}

fn attempt(
    problem: &Problem<'_>,
    nodes: &Nodes<'_>,
    reached: &Reached,
    choices: &Choices,
    limits: Limits,
) -> Result<Found, String> {
    let name = |node| {
        let (kind, state) = nodes.of(node);
        let kind = nodes.universe.kind(kind);
        format!("{}@{}", kind.name, kind.state(state).name)
    };
    let mut lines = Lines::new(problem, nodes, reached, choices).map_err(|failure| match failure {
        Failure::TooMany => format!("within {MOST_LINES} components"),
        Failure::TooLong => format!("with {MOST_LOOKS} looks at what components offer"),
        Failure::NotTwice(node) => {
            format!("without a second component {}, which cannot be made anew", name(node))
        }
        Failure::NoPath(id) => format!("for {}, which does not get there", problem.names[id.index()]),
    })?;
    let mut open: Vec<_> = lines.chosen.keys().copied().collect();
    open.sort_unstable();
    let schedule = Schedule::new(&mut lines).map_err(|_| "that keeps what is deployed in use".to_owned())?;
    let plan = schedule.plan(problem);
    if !is_goal(problem, &plan.end) {
        return Err("that ends with just what is wanted".to_owned());
    }
    if let Ok(checked) = check(problem.universe, problem.start, &plan, limits.configurations) {
        return Ok(Found { plan, checked, open });
    }
    // One step after the other there are fewer configurations on the way.
    let mut plan = plan;
    for (index, step) in plan.steps.iter_mut().enumerate() {
        step.after = index.checked_sub(1).map(|before| before as u32).into_iter().collect();
    }
    let checked = check(problem.universe, problem.start, &plan, limits.configurations)
        .map_err(|_| "that obeys all capacities and conflicts".to_owned())?;
    Ok(Found { plan, checked, open })
}

/// Tries other providers, one choice after the other, as long as that makes the plan smaller.
fn vary(
    problem: &Problem<'_>,
    nodes: &Nodes<'_>,
    reached: &Reached,
    limits: Limits,
    mut choices: Choices,
    best: &mut Found,
) {
    // Trying costs about as much as planning; large plans are left as they are.
    let tries = if best.plan.steps.len() > 1_000 { 0 } else { limits.variations };
    let mut tried = 0;
    let mut improved = true;
    while std::mem::replace(&mut improved, false) {
        for (node, port) in best.open.clone() {
            let usual = choices.providers.get(&(node, port)).copied();
            for &provider in &nodes.providers[port.index()] {
                if !reached.has(provider as usize) || usual == Some(provider as usize) {
                    continue;
                }
                if tried == tries {
                    return;
                }
                tried += 1;
                let mut other = choices.clone();
                other.providers.insert((node, port), provider as usize);
                if let Ok(found) = attempt(problem, nodes, reached, &other, limits)
                    && cost(&found.plan) < cost(&best.plan)
                {
                    (choices, *best, improved) = (other, found, true);
                    break;
                }
            }
        }
    }
}

/// As [`solve`], with deletions at the end, so that everything can be taken back until then, if that is right too.
pub fn solve_late(problem: &Problem<'_>, limits: Limits) -> (Answer, Option<Checked>) {
    let (answer, checked) = solve(problem, limits);
    if let Answer::Plan(plan) = &answer {
        let later = delete_last(plan);
        if let Ok(checked) = check(problem.universe, problem.start, &later, limits.configurations) {
            return (Answer::Plan(later), Some(checked));
        }
    }
    (answer, checked)
}

/// Whether planning is complete for a universe: without capacities and conflicts there is a plan or a reason.
pub fn is_complete(universe: &Universe) -> bool {
    !universe.has_capacities() && !universe.has_conflicts()
}

/// The most entries that [`delete_last`] adds to the order of a plan.
const MOST_ENTRIES: usize = 200_000;

/// The steps of what was there before and goes, for which only such steps wait.
pub(crate) fn late(plan: &Plan) -> Vec<bool> {
    late_and_sinks(plan).0
}

/// Those, and the steps that no other step but those waits for.
fn late_and_sinks(plan: &Plan) -> (Vec<bool>, Vec<bool>) {
    let count = plan.steps.len();
    let goes = |index: usize| {
        let id = match &plan.steps[index].action {
            Action::Delete(id) | Action::New(id, _) => *id,
            Action::Bind(binding) | Action::Unbind(binding) => binding.requirer,
            Action::Change(changes) => changes[0].component,
        };
        !plan.components[id.index()].is_new && !plan.end.components.contains_key(&id)
    };
    let (mut late, mut is_sink) = (vec![false; count], vec![true; count]);
    for index in (0..count).rev() {
        late[index] = goes(index) && is_sink[index];
        if !late[index] {
            for &before in &plan.steps[index].after {
                is_sink[before as usize] = false;
            }
        }
    }
    (late, is_sink)
}

/// The same plan with the steps of what existed before and goes at the end, as far as nothing else waits for them:
/// until then everything can be taken back. A plan that would have too large an order stays as it is.
///
/// The result is a plan of its own, which must be checked.
#[must_use]
pub fn delete_last(plan: &Plan) -> Plan {
    let count = plan.steps.len();
    let (late, is_sink) = late_and_sinks(plan);
    let order: Vec<usize> =
        (0..count).filter(|&index| !late[index]).chain((0..count).filter(|&index| late[index])).collect();
    let mut place = vec![0u32; count];
    for (to, &from) in order.iter().enumerate() {
        place[from] = to as u32;
    }
    let sinks: Vec<u32> =
        (0..count).filter(|&index| !late[index] && is_sink[index]).map(|index| place[index]).collect();
    let is_root = |index: usize| !plan.steps[index].after.iter().any(|&before| late[before as usize]);
    let roots = (0..count).filter(|&index| late[index] && is_root(index)).count();
    if sinks.is_empty() || roots.saturating_mul(sinks.len()) > MOST_ENTRIES {
        return plan.clone();
    }
    let step = |&index: &usize| {
        let own = &plan.steps[index];
        let mut after: Vec<u32> = if late[index] {
            let earlier = own.after.iter().filter(|&&before| late[before as usize]);
            earlier.map(|&before| place[before as usize]).collect()
        } else {
            own.after.iter().map(|&before| place[before as usize]).collect()
        };
        if late[index] && after.is_empty() {
            after.clone_from(&sinks);
        }
        after.sort_unstable();
        Step { action: own.action.clone(), after }
    };
    Plan { steps: order.iter().map(step).collect(), ..plan.clone() }
}
