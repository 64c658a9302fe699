//! `locus tla trace`: is a log of a real system a behaviour of the specification?
//!
//! Here the log is read, and what was found is said. The search itself is that of `locus_tla::check`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use anyhow::{Context, bail};
use locus_language::{Attachment, Judgement, Piece, Request, Tone, Unanswered};
use locus_source::{FileId, Finding, SourceFile, Sources, Span, words};
use locus_tla::check::{Allowed, Event, LogOutcome, LogResult};
use locus_tla::config::Expression;
use locus_tla::rules::{LOG_EVENT, LOG_UNEXPLAINED};
use locus_tla::semantic::Level;
use serde_json::{Value as Json, json};

use super::Asked;
use crate::Outcome;
use crate::args::{Format, Global, TextFormat, TlaTrace};
use crate::inputs;
use crate::languages::{self, Log, TlaDocument, TlaSettings};
use crate::report::counted;
use crate::terminal::Terminal;

pub(super) fn run(command: &TlaTrace, global: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    if inputs::is_stdin(&command.log) && inputs::is_stdin(&command.model.path) {
        bail!("only one of the specification and the log can come from standard input");
    }
    let fields = Fields::of(command)?;
    let bytes = inputs::bytes(&command.log, &locus_source::Limits::default())?;
    let name = if inputs::is_stdin(&command.log) { "<stdin>".into() } else { command.log.to_string_lossy() };
    let asked = Asked { model: &command.model, timeout: command.timeout, global, terminal };
    let settings =
        TlaSettings { states: command.max_states, bytes: command.max_memory, ..TlaSettings::default() };
    let judge = |document: &TlaDocument, request: &Request<'_>| {
        let log = request.sources.add_bytes(name, bytes, &locus_source::Limits::default());
        let judged = log.map(|log| judge(document, &log, &fields, command.gaps, global.verbose, request));
        match judged {
            Ok(judgement) => (judgement, None),
            Err(error) => (Judgement::default(), Some(error)),
        }
    };
    asked.run(&settings, judge, |report, error, _, way| match error {
        Some(error) => bail!("{}: {error}", command.log.display()),
        None if command.format == TextFormat::Json => report.write_flat(json!({ "verdict": null }), way),
        None => report.write(Format::Human, way),
    })
}

/// The roles of the fields of events.
struct Fields {
    action: String,
    parameters: String,
    ignored: Vec<String>,
    /// Expressions in place of the names of fields.
    mapped: BTreeMap<String, String>,
}

impl Fields {
    fn of(command: &TlaTrace) -> anyhow::Result<Self> {
        let mut mapped = BTreeMap::new();
        for given in &command.map {
            let (field, expression) = given
                .split_once('=')
                .with_context(|| format!("--map {given}: this is not of the form FIELD=EXPRESSION"))?;
            if mapped.insert(field.trim().to_owned(), expression.trim().to_owned()).is_some() {
                bail!("--map gives the field `{}` two expressions", field.trim());
            }
        }
        Ok(Self {
            action: command.action.clone(),
            parameters: command.parameters.clone(),
            ignored: command.ignore.clone(),
            mapped,
        })
    }
}

/// The events of a log, and the expressions that they speak of.
#[derive(Default)]
struct Reading {
    events: Vec<Event>,
    expressions: Vec<Expression>,
    /// The expression of each field.
    fields: BTreeMap<String, usize>,
    /// The file of each expression, and the field that it is for.
    files: BTreeMap<FileId, String>,
    findings: Vec<Finding>,
}

/// The most events that are found fault with.
const FAULTS: usize = 20;

impl Reading {
    fn of(log: &SourceFile, fields: &Fields, sources: &Sources) -> Self {
        let mut reading = Self::default();
        let mut start = 0;
        for line in log.text().split_inclusive('\n') {
            let span = Span::new(start, start + line.trim_end().len());
            start += line.len();
            if !line.trim().is_empty() && reading.findings.len() < FAULTS {
                reading.event(log, span, fields, sources);
            }
        }
        if reading.events.is_empty() && reading.findings.is_empty() {
            let finding =
                Finding::new(&LOG_EVENT, log.place(Span::point(0)), "there are no events in this log");
            reading.findings.push(finding);
        }
        reading
    }

    fn wrong(&mut self, log: &SourceFile, span: Span, message: impl Into<String>, help: &str) {
        self.findings.push(Finding::new(&LOG_EVENT, log.place(span), message).help(help));
    }

    fn event(&mut self, log: &SourceFile, span: Span, fields: &Fields, sources: &Sources) {
        let object = match serde_json::from_str(log.slice(span)) {
            Ok(Json::Object(object)) => object,
            Ok(_) => {
                let message = "an event is a JSON object, and this is not";
                return self.wrong(
                    log,
                    span,
                    message,
                    "write one object on each line: {\"action\": \"Send\", \"x\": 1}",
                );
            }
            Err(error) => {
                let at = Span::point(
                    (span.start as usize + error.column().saturating_sub(1)).min(span.end as usize),
                );
                let message = format!("this is not JSON: {error}");
                return self.wrong(
                    log,
                    at,
                    message,
                    "write one object on each line: {\"action\": \"Send\", \"x\": 1}",
                );
            }
        };
        let place = log.place(span);
        let mut event = Event { place, action: None, parameters: Vec::new(), values: Vec::new() };
        for (field, value) in object {
            if fields.ignored.contains(&field) {
                continue;
            }
            if let Some(why) = without_value(&value) {
                let message = format!("the field `{field}` holds {why}, which is not a value of TLA+");
                return self.wrong(log, span, message, &format!("leave it out with --ignore '{field}'"));
            }
            match value {
                Json::String(name) if field == fields.action => event.action = Some(name),
                _ if field == fields.action => {
                    let message = format!("the field `{field}` names an action, and this is not a string");
                    return self.wrong(log, span, message, "--action says which field names the action");
                }
                Json::Object(parameters) if field == fields.parameters => {
                    event.parameters = parameters.into_iter().collect();
                }
                _ if field == fields.parameters => {
                    let message = format!(
                        "the field `{field}` gives the parameters of the action, and this is not an object"
                    );
                    return self.wrong(
                        log,
                        span,
                        message,
                        "--parameters says which field gives the parameters",
                    );
                }
                value => event.values.push((self.expression(&field, fields, sources), value)),
            }
        }
        if event.action.is_none() && event.parameters.is_empty() && event.values.is_empty() {
            let message = "this event says nothing about the specification";
            return self.wrong(log, span, message, "remove it from the log, or ignore fewer fields");
        }
        self.events.push(event);
    }

    /// The number of the expression that a field gives the value of.
    fn expression(&mut self, field: &str, fields: &Fields, sources: &Sources) -> usize {
        if let Some(index) = self.fields.get(field) {
            return *index;
        }
        let text = fields.mapped.get(field).map_or(field, String::as_str);
        let file = sources.add(format!("field `{field}` of the log"), text).id();
        self.expressions.push(Expression { file, user: "a field of a log", highest: Level::State });
        self.files.insert(file, field.to_owned());
        let index = self.expressions.len() - 1;
        self.fields.insert(field.to_owned(), index);
        index
    }
}

/// The part of a JSON value that is no value of TLA+, if there is one.
fn without_value(value: &Json) -> Option<String> {
    match value {
        Json::Null => Some("`null`".to_owned()),
        Json::Number(number) if number.as_i64().is_none() => Some(format!("the number {number}")),
        Json::Array(items) => items.iter().find_map(without_value),
        Json::Object(fields) => fields.values().find_map(without_value),
        _ => None,
    }
}

fn judge(
    document: &TlaDocument,
    log: &Arc<SourceFile>,
    fields: &Fields,
    gaps: u32,
    whole: bool,
    request: &Request<'_>,
) -> Judgement {
    let mut reading = Reading::of(log, fields, request.sources);
    if !reading.findings.is_empty() {
        return Judgement { findings: reading.findings, ..Judgement::default() };
    }
    let expressions = std::mem::take(&mut reading.expressions);
    let asked = Log { events: &reading.events, gaps };
    let result = match document.explain_log(expressions, &asked, request) {
        Ok(result) => result,
        Err(answer) => {
            let mut judgement = document.judgement(&answer, request);
            // A field that means nothing is most often one that the specification need not know.
            for finding in &mut judgement.findings {
                if let Some(field) = reading.files.get(&finding.primary.place.file) {
                    let help = format!(
                        "leave the field out with --ignore '{field}', or say what it is with --map '{field}=EXPRESSION'"
                    );
                    *finding = finding.clone().help(help);
                }
            }
            return judgement;
        }
    };
    let mut judgement = said(&result, log, &reading.events, gaps, request.sources);
    judgement.attachments.push(Attachment {
        kind: "log",
        text: pieces(&result, &reading.events, whole, request.sources),
        json: as_json(&result, &reading.events, request.sources),
    });
    judgement
}

/// The findings of a comparison with a log.
fn said(result: &LogResult, log: &SourceFile, events: &[Event], gaps: u32, sources: &Sources) -> Judgement {
    let mut judgement = Judgement::default();
    match &result.outcome {
        LogOutcome::Explained => {}
        LogOutcome::Unfinished(why) => {
            let why = format!("the search for a behaviour was not finished: {why}");
            judgement.unanswered.push(Unanswered { why, nothing_to_check: false });
        }
        LogOutcome::Failed(failed) => {
            judgement.findings.extend(languages::verdict_findings(failed, log));
            let unanswered = failed.unfinished.clone();
            judgement.unanswered.extend(unanswered.map(|why| Unanswered { why, nothing_to_check: false }));
        }
        LogOutcome::UnknownAction(at, known) => {
            let event = &events[*at];
            let name = event.action.as_deref().unwrap_or_default();
            let message = format!("the specification has no action `{name}`");
            let near = words::nearest(name, known.iter().map(|name| (name.as_str(), name)));
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("its actions are {}", known.join(", ")),
            };
            judgement.findings.push(Finding::new(&LOG_EVENT, event.place, message).help(help));
        }
        LogOutcome::Unexplained { allowed, more } => {
            let event = &events[result.explained];
            let number = result.explained + 1;
            let message = format!("no behaviour of the specification explains event {number} of the log");
            let mut finding = Finding::new(&LOG_UNEXPLAINED, event.place, message);
            finding = finding.label(match result.candidates {
                0 => "the specification has no initial state".to_owned(),
                count => format!("before it, the specification can be in {}", counted(count, "state")),
            });
            for step in allowed {
                finding = finding.note(possible(step, sources));
            }
            if allowed.is_empty() && result.candidates > 0 {
                finding = finding.note("no step is possible there");
            }
            if *more > 0 {
                finding = finding.note(format!("{more} more steps are possible"));
            }
            let help = match gaps {
                0 => "if the log leaves out steps, say with --gaps how many in a row".to_owned(),
                gaps => format!("if the log leaves out more than {gaps} steps in a row, say so with --gaps"),
            };
            judgement.findings.push(finding.help(help));
        }
    }
    judgement
}

/// A step that is possible, and how it differs from the event.
fn possible(step: &Allowed, sources: &Sources) -> String {
    let name = step.action.as_ref().map_or("nothing changes".to_owned(), |action| {
        let parameters: Vec<_> =
            action.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let list = if parameters.is_empty() { String::new() } else { format!("({})", parameters.join(", ")) };
        let name = if action.name.is_empty() { sources.describe(action.place) } else { action.name.clone() };
        format!("{name}{list}")
    });
    let mut text = format!("{name} is possible");
    for (index, (what, value, logged)) in step.differences.iter().enumerate() {
        let joint = if index == 0 { ", with" } else { " and" };
        let _ = write!(text, "{joint} {what} = {value} where the log has {logged}");
    }
    text
}

/// For people: the behaviour, and how much was looked at.
fn pieces(result: &LogResult, events: &[Event], whole: bool, sources: &Sources) -> Vec<Piece> {
    let mut pieces: Vec<Piece> =
        result.printed.iter().map(|line| Piece::plain(format!("{line}\n"))).collect();
    let is_explained = matches!(result.outcome, LogOutcome::Explained);
    let is_shown = whole || matches!(result.outcome, LogOutcome::Unexplained { .. });
    if is_shown && !result.behaviour.is_empty() {
        let what = match result.explained {
            _ if is_explained => "A behaviour that explains the log:".to_owned(),
            0 => "An initial state:".to_owned(),
            count => format!("A behaviour that explains the first {}:", counted(count, "event")),
        };
        pieces.push(Piece::plain(format!("{what}\n\n")));
        for (index, (step, event)) in result.behaviour.iter().enumerate() {
            let event = match event {
                Some(event) => {
                    format!("  <- event {}, {}", event + 1, sources.describe(events[*event].place))
                }
                None if index > 0 => "  (not in the log)".to_owned(),
                None => String::new(),
            };
            let title = format!("{:>4}  {}{event}", index + 1, languages::title(step, index, sources));
            pieces.push(Piece { tone: Tone::Strong, text: title });
            pieces.push(Piece::plain("\n"));
            languages::state(&mut pieces, step, index, whole);
        }
        pieces.push(Piece::plain("\n"));
    }
    let seconds = result.elapsed.as_secs_f64();
    let ok = if is_explained { "ok: a behaviour of the specification explains the log; " } else { "" };
    let text = format!(
        "{ok}{} of {}, {} states generated, in {seconds:.2} s\n",
        result.explained,
        counted(events.len(), "event"),
        result.generated
    );
    pieces.push(Piece { tone: Tone::Aside, text });
    pieces
}

/// For programs, as `docs/output.md` says.
fn as_json(result: &LogResult, events: &[Event], sources: &Sources) -> Json {
    let verdict = match result.outcome {
        LogOutcome::Explained => "ok",
        LogOutcome::Unexplained { .. } => "unexplained",
        LogOutcome::UnknownAction(..) => "unknown-action",
        LogOutcome::Unfinished(_) => "incomplete",
        LogOutcome::Failed(_) => "evaluation",
    };
    let (allowed, more): (Vec<Json>, usize) = match &result.outcome {
        LogOutcome::Unexplained { allowed, more } => {
            let allowed = allowed.iter().map(|step| {
                let differences = step.differences.iter();
                let differences = differences
                    .map(|(what, value, logged)| json!({ "what": what, "value": value, "logged": logged }));
                json!({
                    "action": step.action.as_ref().map(|action| languages::json_action(action, sources)),
                    "other_action": step.is_other_action,
                    "differences": differences.collect::<Vec<_>>(),
                })
            });
            (allowed.collect(), *more)
        }
        _ => (Vec::new(), 0),
    };
    let behaviour = result.behaviour.iter().enumerate().map(|(index, (step, event))| {
        let mut step = serde_json::to_value(languages::json_step(index, step, sources)).unwrap_or_default();
        step["event"] = json!(event.map(|event| event + 1));
        step
    });
    json!({
        "verdict": verdict,
        "events": events.len(),
        "explained": result.explained,
        "candidates": result.candidates,
        "trace": behaviour.collect::<Vec<_>>(),
        "allowed": allowed,
        "more_allowed": more,
        "generated": result.generated,
        "seconds": result.elapsed.as_secs_f64(),
        "printed": result.printed,
    })
}
