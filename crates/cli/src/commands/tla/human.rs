//! For people: what is wrong, where, which part of it, and the behaviour that shows it.

use std::fmt::Write;

use locus_source::Sources;
use locus_source::render::{self, Style};
use locus_tla::check::{ActionName, CheckResult, TraceStep, Verdict};

use super::{Answer, verdict};
use crate::args::Global;
use crate::report::counted;
use crate::terminal::Terminal;

pub(super) fn render(
    answer: &Answer,
    sources: &Sources,
    with_coverage: bool,
    global: &Global,
    terminal: &Terminal,
) -> String {
    let style = Style { colour: terminal.colour(), width: terminal.width() };
    let mut text = String::new();
    match answer {
        Answer::Refused(findings) => {
            for finding in findings {
                let _ = writeln!(text, "{}\n", render::human(finding, sources, style));
            }
        }
        Answer::Checked(result, _) => {
            for line in &result.printed {
                let _ = writeln!(text, "{line}");
            }
            let file = sources.get(sources.first().expect("the specification was read"));
            if let Some(finding) = verdict::finding(result, &file) {
                let _ = writeln!(text, "{}\n", render::human(&finding, sources, style));
            }
            behaviour(&mut text, result, sources, terminal.colour(), global.verbose);
            further(&mut text, &result.further);
            if with_coverage {
                coverage(&mut text, result, sources);
            }
            for warning in &result.warnings {
                let place =
                    warning.place.map_or(String::new(), |place| format!("{}: ", sources.describe(place)));
                let _ = writeln!(text, "warning: {place}{}", warning.message);
            }
            if !global.quiet {
                let _ = writeln!(text, "{}", summary(result));
            }
        }
    }
    text
}

/// What else is violated, each message once.
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
pub(super) fn figures(result: &CheckResult) -> String {
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
fn behaviour(text: &mut String, result: &CheckResult, sources: &Sources, colour: bool, whole: bool) {
    if result.trace.is_empty() {
        return;
    }
    let bold = if colour { anstyle::Style::new().bold() } else { anstyle::Style::new() };
    let green = if colour { anstyle::AnsiColor::Green.on_default() } else { anstyle::Style::new() };
    let shortest = result.loops_to.is_none() && result.simulation.is_none();
    let what = if shortest { "A shortest behaviour" } else { "A behaviour" };
    let _ = writeln!(text, "{what} that shows it:\n");
    for (index, step) in result.trace.iter().enumerate() {
        let _ = writeln!(text, "{bold}{:>4}  {}{bold:#}", index + 1, title(step, index, sources));
        for variable in step.variables.iter().filter(|variable| whole || index == 0 || variable.changed) {
            let mark = if variable.changed && index > 0 { "*" } else { " " };
            let style = if mark == "*" { green } else { anstyle::Style::new() };
            let _ = writeln!(text, "    {style}{mark} {} = {}{style:#}", variable.name, variable.value);
        }
    }
    match result.loops_to {
        Some(to) if to + 1 == result.trace.len() => {
            let _ = writeln!(text, "\n      and stays there for ever");
        }
        Some(to) => {
            let by = result.returns_by.as_ref().map(|action| format!("{}  leads", name(action, sources)));
            let by = by.as_deref().unwrap_or("a step leads");
            let _ = writeln!(text, "\n      {by} back to state {}, and so on for ever", to + 1);
        }
        None => {}
    }
    text.push('\n');
}

/// The action that led to a state.
pub(super) fn title(step: &TraceStep, index: usize, sources: &Sources) -> String {
    match &step.action {
        Some(action) => name(action, sources),
        None if index == 0 => "initial state".to_owned(),
        None => "nothing changes".to_owned(),
    }
}

/// An action with its parameters, and where it is.
pub(super) fn name(action: &ActionName, sources: &Sources) -> String {
    let parameters: Vec<_> =
        action.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let parameters =
        if parameters.is_empty() { String::new() } else { format!("({})", parameters.join(", ")) };
    let name = if action.name.is_empty() { "a step" } else { &action.name };
    format!("{name}{parameters}  {}", sources.describe(action.place))
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
