//! For people: the behaviour that shows what is wrong, and how much was looked at.

use std::fmt::Write;

use locus_language::{Piece, Tone};
use locus_source::Sources;
use locus_tla::check::{ActionName, CheckResult, TraceStep, Verdict};

use super::Settings;
use crate::report::counted;

/// The parts of the output beside the findings.
pub(super) fn pieces(result: &CheckResult, sources: &Sources, settings: &Settings) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut printed = String::new();
    for line in &result.printed {
        let _ = writeln!(printed, "{line}");
    }
    pieces.push(Piece::plain(printed));
    behaviour(&mut pieces, result, sources, settings.whole_states);
    let mut text = String::new();
    further(&mut text, &result.further);
    if settings.coverage {
        coverage(&mut text, result, sources);
        text.push_str(&super::coverage::listing(result, sources));
    }
    if let Some(kept) = result.kept.as_ref().filter(|_| settings.explains_packing) {
        text.push_str(&super::packing::explanation(kept));
    }
    pieces.push(Piece::plain(text));
    pieces.push(Piece { tone: Tone::Aside, text: format!("{}\n", summary(result)) });
    pieces
}

/// Further violations, each message once.
fn further(text: &mut String, messages: &[String]) {
    for (index, message) in messages.iter().enumerate() {
        let count = messages.iter().filter(|other| *other == message).count();
        if messages[..index].contains(message) {
            continue;
        }
        let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
        let _ = writeln!(text, "also: {message}{times}");
    }
}

fn summary(result: &CheckResult) -> String {
    let figures = figures(result);
    let mut text = match result.verdict {
        Verdict::Ok | Verdict::Simulated => {
            format!("{}: {}; {figures}", result.verdict.as_str(), result.message)
        }
        _ => figures,
    };
    if result.distinct > 0 && result.collision > 1e-9 {
        let _ =
            write!(text, "; two states were taken for one with a probability of {:.1e}", result.collision);
    }
    text
}

/// How much was looked at.
pub(crate) fn figures(result: &CheckResult) -> String {
    let seconds = result.elapsed.as_secs_f64();
    match &result.simulation {
        Some(simulation) => format!(
            "{} of up to {} with seed {}, {} states generated, in {seconds:.2} s",
            counted(simulation.behaviours as usize, "behaviour"),
            counted(result.depth as usize, "state"),
            simulation.seed,
            result.generated
        ),
        None => format!(
            "{} states generated, {} distinct, depth {}, in {seconds:.2} s",
            result.generated, result.distinct, result.depth,
        ),
    }
}

/// The behaviour: the first state, and what changed at each step; `whole` states if they are wanted.
fn behaviour(pieces: &mut Vec<Piece>, result: &CheckResult, sources: &Sources, whole: bool) {
    if result.trace.is_empty() {
        return;
    }
    let shortest = result.loops_to.is_none() && result.simulation.is_none();
    let what = if shortest { "A shortest behaviour" } else { "A behaviour" };
    pieces.push(Piece::plain(format!("{what} that shows it:\n\n")));
    for (index, step) in result.trace.iter().enumerate() {
        let title = format!("{:>4}  {}", index + 1, title(step, index, sources));
        pieces.push(Piece { tone: Tone::Strong, text: title });
        pieces.push(Piece::plain("\n"));
        state(pieces, step, index, whole);
    }
    pieces.push(Piece::plain(match result.loops_to {
        Some(to) if to + 1 == result.trace.len() => "\n      and stays there for ever\n\n".to_owned(),
        Some(to) => {
            let by = result.returns_by.as_ref().map(|action| format!("{}  leads", name(action, sources)));
            let by = by.as_deref().unwrap_or("a step leads");
            format!("\n      {by} back to state {}, and so on for ever\n\n", to + 1)
        }
        None => "\n".to_owned(),
    }));
}

/// The variables of a state of a behaviour: those that changed, or all.
pub(crate) fn state(pieces: &mut Vec<Piece>, step: &TraceStep, index: usize, whole: bool) {
    for variable in step.shown().filter(|variable| whole || index == 0 || variable.changed) {
        let changed = variable.changed && index > 0;
        let (mark, tone) = if changed { ("*", Tone::Changed) } else { (" ", Tone::Plain) };
        pieces.push(Piece::plain("    "));
        pieces.push(Piece { tone, text: format!("{mark} {} = {}", variable.name, variable.value) });
        pieces.push(Piece::plain("\n"));
    }
}

/// The action that led to a state.
pub(crate) fn title(step: &TraceStep, index: usize, sources: &Sources) -> String {
    match &step.action {
        Some(action) => name(action, sources),
        None if index == 0 => "initial state".to_owned(),
        None => "nothing changes".to_owned(),
    }
}

/// An action with its parameters, and where it is.
pub(crate) fn name(action: &ActionName, sources: &Sources) -> String {
    let parameters: Vec<_> =
        action.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let parameters =
        if parameters.is_empty() { String::new() } else { format!("({})", parameters.join(", ")) };
    let name = if action.name.is_empty() { "a step" } else { &action.name };
    let within = if action.within.is_empty() { String::new() } else { format!(" in {}", action.within) };
    format!("{name}{parameters}{within}  {}", sources.describe(action.place))
}

fn coverage(text: &mut String, result: &CheckResult, sources: &Sources) {
    let _ = writeln!(text, "{:>12} {:>12}  action", "generated", "distinct");
    for action in &result.coverage {
        let _ = writeln!(
            text,
            "{:>12} {:>12}  {}  {}",
            action.generated,
            action.distinct,
            action.name,
            sources.describe(action.place)
        );
    }
    text.push('\n');
}
