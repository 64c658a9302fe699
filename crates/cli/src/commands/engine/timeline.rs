//! The history of a deployment as a picture: nodes as rows, steps as bars from their intent to their outcome, time from
//! left to right. It looks like the picture of a plan.

use std::collections::BTreeMap;
use std::fmt::Write;

use locus_draw::escaped;
use locus_engine::{About, Time};
use locus_store::StoredEvent;

const ROW: u64 = 34;
const LEFT: u64 = 150;
const TOP: u64 = 44;
const WIDTH: u64 = 900;

/// The most nodes of a picture: more cannot be looked at.
pub(super) const MOST: usize = 500;

/// A step, from its intent to its outcome.
struct Bar<'a> {
    node: &'a str,
    operation: &'a str,
    from: Time,
    to: Time,
    outcome: &'a str,
    reason: &'a str,
}

/// The bars of all steps, in the order of their intents. One that has not ended goes on until the last event.
fn bars(events: &[StoredEvent]) -> Vec<Bar<'_>> {
    let last = events.last().map_or(0, |event| event.at);
    let mut all: Vec<Bar<'_>> = Vec::new();
    let mut open: BTreeMap<&str, usize> = BTreeMap::new();
    for event in events {
        let About::Step(token) = &event.happened.about else { continue };
        let status = event.happened.status.as_str();
        match status {
            "intended" => {
                open.insert(token, all.len());
                let (node, operation) = (event.node.as_str(), event.operation.as_str());
                let (from, to, outcome) = (event.at, last, "under way");
                all.push(Bar { node, operation, from, to, outcome, reason: "" });
            }
            "done" | "failed" | "unknown" | "again" => {
                // One that could not be told is settled later by a person, and has its bar already.
                if let Some(place) = open.get(token.as_str()) {
                    let bar = &mut all[*place];
                    (bar.to, bar.outcome, bar.reason) = (event.at, status, &event.reason);
                }
            }
            _ => {}
        }
    }
    all
}

/// The picture; none if there are too many nodes for one.
pub(super) fn svg(name: &str, events: &[StoredEvent]) -> Option<String> {
    let bars = bars(events);
    let mut rows: BTreeMap<&str, u64> = BTreeMap::new();
    for bar in &bars {
        let next = rows.len() as u64;
        rows.entry(bar.node).or_insert(next);
    }
    if rows.len() > MOST {
        return None;
    }
    let (first, last) = (events.first()?.at, events.last()?.at);
    let whole = (last - first.min(last)).max(1);
    let x = |at: Time| LEFT + (at - first.min(at)) * WIDTH / whole;
    let (width, height) = (LEFT + WIDTH + 40, TOP + rows.len() as u64 * ROW + 24);
    let title = escaped(&format!("{name}: {} in {}", counted(bars.len()), seconds(whole)));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" aria-label=\"{title}\">\n<title>{title}</title>\n<style>{STYLE}</style>\n"
    );
    for tenth in 0..=10 {
        let at = first + whole * tenth / 10;
        let _ = writeln!(
            out,
            "<line class=\"grid\" x1=\"{x}\" y1=\"{}\" x2=\"{x}\" y2=\"{}\"/><text class=\"time\" x=\"{x}\" \
             y=\"{}\">{}</text>",
            TOP - 8,
            height - 16,
            TOP - 16,
            seconds(at - first),
            x = x(at)
        );
    }
    for event in events.iter().filter(|event| event.happened.about == About::Deployment) {
        let _ = writeln!(
            out,
            "<line class=\"status\" x1=\"{x}\" y1=\"{}\" x2=\"{x}\" y2=\"{}\"><title>{}</title></line>",
            TOP - 8,
            height - 16,
            escaped(&event.happened.status),
            x = x(event.at)
        );
    }
    for (node, row) in &rows {
        let y = TOP + row * ROW + 20;
        let _ =
            writeln!(out, "<text class=\"name\" x=\"{}\" y=\"{y}\">{}</text>", LEFT - 10, short(node, 20));
    }
    for bar in &bars {
        draw(&mut out, bar, (x(bar.from), x(bar.to)), TOP + rows[bar.node] * ROW + 4);
    }
    out.push_str("</svg>\n");
    Some(out)
}

fn draw(out: &mut String, bar: &Bar<'_>, (from, to): (u64, u64), y: u64) {
    let class = match bar.outcome {
        "done" => "done",
        "failed" => "failed",
        _ => "open",
    };
    let why = if bar.reason.is_empty() { String::new() } else { format!(": {}", bar.reason) };
    let said =
        format!("{} {}, {} after {}{why}", bar.operation, bar.node, bar.outcome, seconds(bar.to - bar.from));
    let width = (to - from).max(2);
    let _ = write!(
        out,
        "<g><title>{}</title><rect class=\"{class}\" x=\"{from}\" y=\"{y}\" width=\"{width}\" height=\"22\" rx=\"3\"/>",
        escaped(&said)
    );
    let fits = (width / 7) as usize;
    if fits >= 3 {
        let text = short(bar.operation, fits);
        let _ = write!(out, "<text class=\"step\" x=\"{}\" y=\"{}\">{text}</text>", from + 5, y + 15);
    }
    out.push_str("</g>\n");
}

fn counted(steps: usize) -> String {
    crate::report::counted(steps, "step")
}

fn seconds(milliseconds: Time) -> String {
    format!("{}.{:03} s", milliseconds / 1000, milliseconds % 1000)
}

fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return escaped(text);
    }
    escaped(&text.chars().take(most - 1).chain(['…']).collect::<String>())
}

const STYLE: &str = "
  text{font:12px system-ui,sans-serif;fill:#1f2328}.name{text-anchor:end;font-weight:600}.time{text-anchor:middle;fill:#59636e}
  .grid{stroke:#d1d9e0}.status{stroke:#3b6fb6;stroke-dasharray:3 3}.done{fill:#cfe8d5;stroke:#7bb98a}
  .failed{fill:#f6d0cd;stroke:#c4372d}.open{fill:#f3e2b5;stroke:#9a6700}
  @media (prefers-color-scheme:dark){text{fill:#e6edf3}.time{fill:#9198a1}.grid{stroke:#3d444d}.status{stroke:#7aa7e6}
  .done{fill:#1f4a2c;stroke:#3f8a55}.failed{fill:#5a201c;stroke:#ff7b72}.open{fill:#4a3a10;stroke:#d4a72c}}
";

#[cfg(test)]
mod tests {
    use locus_engine::Happened;

    use super::*;

    fn event(sequence: u64, about: About, status: &str, at: Time) -> StoredEvent {
        let (node, operation) = match &about {
            About::Step(token) => (token.trim_end_matches("#1").to_owned(), "create".to_owned()),
            _ => (String::new(), String::new()),
        };
        let happened = Happened { sequence, about, status: status.to_owned(), does: None };
        StoredEvent { happened, node, operation, reason: String::new(), at }
    }

    #[test]
    fn steps_are_bars_from_intent_to_outcome() {
        let step = |name: &str| About::Step(format!("{name}#1"));
        let events = [
            event(1, About::Deployment, "CREATE_IN_PROGRESS", 1_000),
            event(2, step("a<b"), "intended", 1_000),
            event(3, step("a<b"), "done", 2_000),
            event(4, step("c"), "intended", 2_000),
            event(5, step("c"), "failed", 5_000),
        ];
        let picture = svg("shop", &events).expect("it is small");
        assert!(picture.contains("<title>shop: 2 steps in 4.000 s</title>"), "{picture}");
        assert!(picture.contains("create a&lt;b, done after 1.000 s"), "{picture}");
        assert!(picture.contains("class=\"done\" x=\"150\" y=\"48\" width=\"225\""), "{picture}");
        assert!(picture.contains("class=\"failed\" x=\"375\" y=\"82\" width=\"675\""), "{picture}");
        assert!(svg("shop", &[]).is_none());
    }
}
