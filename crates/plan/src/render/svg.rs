//! A plan as a picture: a timeline with components as rows, states as bars, bindings as lines between them.

use std::fmt::Write;

use locus_aeolus::{Action, ComponentId, Configuration, Universe};
use locus_draw::escaped;

use super::words;
use crate::problem::Plan;
use crate::shape::Shape;

const ROW: u32 = 34;
const COLUMN: u32 = 92;
const LEFT: u32 = 150;
const TOP: u32 = 44;

/// The most components and waves of a picture: more cannot be looked at.
const MOST: usize = 500;

fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// The timeline. Time goes from left to right, one column for each wave. None if the plan is too large for a picture.
pub fn svg(
    universe: &Universe,
    start: &Configuration,
    plan: &Plan,
    shape: &Shape,
    title: &str,
) -> Option<String> {
    if plan.components.len() > MOST || shape.waves as usize > MOST {
        return None;
    }
    let (width, height) =
        (LEFT + (shape.waves + 1) * COLUMN + 20, TOP + plan.components.len() as u32 * ROW + 24);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" aria-label=\"{title}\">\n<title>{title}</title>\n<style>{STYLE}</style>\n",
        title = escaped(title)
    );
    for wave in 0..=shape.waves {
        let x = LEFT + wave * COLUMN;
        let _ = writeln!(
            out,
            "<line class=\"grid\" x1=\"{x}\" y1=\"{}\" x2=\"{x}\" y2=\"{}\"/>",
            TOP - 8,
            height - 16
        );
        if wave < shape.waves {
            let _ = writeln!(
                out,
                "<text class=\"wave\" x=\"{}\" y=\"{}\">{}</text>",
                x + COLUMN / 2,
                TOP - 16,
                wave + 1
            );
        }
    }
    for (index, component) in plan.components.iter().enumerate() {
        let y = TOP + index as u32 * ROW;
        let name = escaped(&shorten(&component.name, 20));
        let _ = writeln!(out, "<text class=\"name\" x=\"{}\" y=\"{}\">{name}</text>", LEFT - 10, y + 20);
        bars(&mut out, universe, start, plan, shape, ComponentId(index as u32), y);
    }
    bindings(&mut out, universe, plan, shape);
    critical(&mut out, universe, plan, shape);
    out.push_str("</svg>\n");
    Some(out)
}

/// Where a step happens: at the end of its wave's column.
fn x(shape: &Shape, step: u32) -> u32 {
    LEFT + (shape.wave[step as usize] + 1) * COLUMN - COLUMN / 4
}

fn row(id: ComponentId) -> u32 {
    TOP + id.0 * ROW
}

fn bars(
    out: &mut String,
    universe: &Universe,
    start: &Configuration,
    plan: &Plan,
    shape: &Shape,
    id: ComponentId,
    y: u32,
) {
    let kind = universe.kind(plan.components[id.index()].kind);
    let end = LEFT + shape.waves * COLUMN + COLUMN;
    let mut state = start.components.get(&id).map(|component| (component.state, LEFT));
    let mut draw = |(state, from): (locus_aeolus::StateId, u32), to: u32| {
        let state = kind.state(state);
        let class = if state.provides.is_empty() && state.requires.is_empty() { "idle" } else { "busy" };
        let width = to.saturating_sub(from).max(2);
        let name = escaped(&state.name);
        let _ = write!(
            out,
            "<g><title>{name}</title><rect class=\"{class}\" x=\"{from}\" y=\"{}\" width=\"{width}\" height=\"22\" rx=\"3\"/>",
            y + 4
        );
        let fits = (width / 7) as usize;
        if fits >= 3 {
            let short = escaped(&shorten(&state.name, fits));
            let _ = write!(out, "<text class=\"state\" x=\"{}\" y=\"{}\">{short}</text>", from + 5, y + 19);
        }
        out.push_str("</g>\n");
    };
    for (index, step) in plan.steps.iter().enumerate() {
        let at = x(shape, index as u32);
        match &step.action {
            Action::New(new, kind) if *new == id => state = Some((universe.kind(*kind).initial, at)),
            Action::Change(changes) => {
                if let Some(change) = changes.iter().find(|change| change.component == id) {
                    if let Some(before) = state {
                        draw(before, at);
                    }
                    state = Some((change.to, at));
                }
            }
            Action::Delete(gone) if *gone == id => {
                if let Some(before) = state.take() {
                    draw(before, at);
                }
            }
            _ => {}
        }
    }
    if let Some(last) = state {
        draw(last, end);
    }
}

fn bindings(out: &mut String, universe: &Universe, plan: &Plan, shape: &Shape) {
    for (index, step) in plan.steps.iter().enumerate() {
        let (binding, class) = match &step.action {
            Action::Bind(binding) => (binding, "bind"),
            Action::Unbind(binding) => (binding, "unbind"),
            _ => continue,
        };
        let (from, to, x) = (row(binding.requirer) + 15, row(binding.provider) + 15, x(shape, index as u32));
        let port = escaped(universe.port_name(binding.port));
        let _ = writeln!(
            out,
            "<g><title>{class} at {port}</title><line class=\"{class}\" x1=\"{x}\" y1=\"{from}\" x2=\"{x}\" y2=\"{to}\"/>\
             <circle class=\"{class}\" cx=\"{x}\" cy=\"{to}\" r=\"3\"/></g>"
        );
    }
}

/// A mark on each component that a step of the critical path is about.
fn critical(out: &mut String, universe: &Universe, plan: &Plan, shape: &Shape) {
    let mut points = Vec::new();
    for &step in &shape.critical {
        let id = match &plan.steps[step as usize].action {
            Action::New(id, _) | Action::Delete(id) => *id,
            Action::Change(changes) => changes[0].component,
            Action::Bind(binding) | Action::Unbind(binding) => binding.requirer,
        };
        let (x, y) = (x(shape, step), row(id) + 15);
        let (verb, rest) = words::step(universe, plan, &plan.steps[step as usize]);
        let _ = writeln!(
            out,
            "<circle class=\"critical\" cx=\"{x}\" cy=\"{y}\" r=\"4\"><title>{}. {verb} {}</title></circle>",
            step + 1,
            escaped(&rest)
        );
        points.push(format!("{x},{y}"));
    }
    let _ = writeln!(out, "<polyline class=\"critical-path\" points=\"{}\"/>", points.join(" "));
}

const STYLE: &str = "
  text{font:12px system-ui,sans-serif;fill:#1f2328}.name{text-anchor:end;font-weight:600}.wave{text-anchor:middle;fill:#59636e}
  .grid{stroke:#d1d9e0}.idle{fill:#e6eaef;stroke:#c4ccd4}.busy{fill:#cfe8d5;stroke:#7bb98a}
  .bind{stroke:#3b6fb6;fill:#3b6fb6}.unbind{stroke:#9a6700;fill:#9a6700;stroke-dasharray:3 3}
  .critical{fill:#c4372d}.critical-path{fill:none;stroke:#c4372d;stroke-width:1.5;opacity:.55}
  @media (prefers-color-scheme:dark){text{fill:#e6edf3}.wave{fill:#9198a1}.grid{stroke:#3d444d}
  .idle{fill:#2a313c;stroke:#4a525d}.busy{fill:#1f4a2c;stroke:#3f8a55}.bind{stroke:#7aa7e6;fill:#7aa7e6}
  .unbind{stroke:#d4a72c;fill:#d4a72c}.critical{fill:#ff7b72}.critical-path{stroke:#ff7b72}}
";
