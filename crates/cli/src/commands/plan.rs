//! `locus plan`: in which order a configuration is built, changed or taken down.

mod hot;
mod json;

use std::collections::HashSet;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use locus_aeolus::{ComponentId, Configuration, Document, Universe, Want};
use locus_plan::{
    Answer, Checked, Choice, Difference, Fate, Limits, Others, Pivot, Problem, Thing, Wanted, render, shape,
};
use locus_source::render::{Style, human};
use locus_source::{Finding, Severity, SourceFile, Sources, Span};

use crate::Outcome;
use crate::args::{Plan, PlanFormat};
use crate::config::Config;
use crate::inputs::{self, Input};
use crate::language::{self, Language};
use crate::rulebook::rulebook;
use crate::templates;
use crate::terminal::Terminal;

/// How many configurations are counted for the answer; a plan with more says nothing of their number.
const COUNTED: u64 = 20_000;
/// The largest plan whose configurations are counted.
const COUNTED_STEPS: usize = 256;

pub(crate) fn run(command: &Plan, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let sources = Sources::new();
    let config = Config::load(&command.reading, &sources, &rulebook())?;
    let open = |path: &PathBuf| {
        let input = Input { path: path.clone(), named: true };
        inputs::read(&input, &command.reading.stdin_name, &sources, &config.limits)
    };
    let file = open(&command.paths[0])?;
    if is_aeolus(&file, &config.limits) {
        if command.paths.len() > 1 {
            bail!("{} is an Aeolus document; say where to start with --from", file.name());
        }
        let read = locus_aeolus::read(&file, &config.limits);
        let mut document = read.document;
        let mut findings = read.findings;
        if let Some(path) = &command.from {
            let file = open(path)?;
            let parsed = parse(&file, &config.limits);
            findings.extend(parsed.findings);
            if let Some(tree) = parsed.documents.first() {
                findings.extend(locus_aeolus::read_configuration(tree, &mut document));
            }
        }
        refuse_broken(&sources, &findings, &file, terminal)?;
        return aeolus(command, &document, &file, terminal);
    }
    if command.want.is_some() || command.from.is_some() {
        bail!("--want and --from are for Aeolus documents, and {} is not one", file.name());
    }
    let first = things(command, &file, &sources, &config, terminal)?;
    let pivot = match command.paths.get(1) {
        Some(_) if command.down => bail!("--down takes one file"),
        Some(path) => {
            let second = things(command, &open(path)?, &sources, &config, terminal)?;
            locus_plan::pivot(&first, &second)
        }
        None if command.down => locus_plan::pivot(&first, &[]),
        None => locus_plan::pivot(&[], &first),
    };
    of_pivot(command, pivot, &sources, &file, terminal)
}

fn parse(file: &Arc<SourceFile>, limits: &locus_source::Limits) -> locus_source::Parsed {
    use locus_source::{json, yaml};
    if file.name().to_ascii_lowercase().ends_with(".json") {
        json::parse(file, &json::JsonOptions { limits: limits.clone(), ..json::JsonOptions::default() })
    } else {
        yaml::parse(file, &yaml::YamlOptions { limits: limits.clone(), ..yaml::YamlOptions::default() })
    }
}

/// Whether a file is an Aeolus document, or one of Zephyrus or Metis.
fn is_aeolus(file: &Arc<SourceFile>, limits: &locus_source::Limits) -> bool {
    let name = file.name();
    let by_name = [".aeolus.yaml", ".aeolus.yml", ".aeolus.json"].iter().any(|ending| name.ends_with(ending));
    by_name || {
        let start = &file.text()[..file.text().floor_char_boundary(64 << 10)];
        let key = |key: &str| {
            start.lines().any(|line| line.starts_with(key)) || start.contains(&format!("\"{key}\""))
        };
        let hints = ["aeolus:", "aeolus", "component_types", "u_cname"];
        hints.into_iter().any(key)
            && parse(file, limits).documents.first().is_some_and(locus_aeolus::is_aeolus)
    }
}

/// Writes findings of a text that was not understood, and ends.
fn refuse_broken(
    sources: &Sources,
    findings: &[Finding],
    file: &SourceFile,
    terminal: &Terminal,
) -> anyhow::Result<()> {
    if !findings.iter().any(|finding| finding.severity == Severity::Error) {
        return Ok(());
    }
    let style = Style { colour: terminal.colour(), width: terminal.width() };
    let texts: Vec<String> = findings.iter().map(|one| human(one, sources, style) + "\n\n").collect();
    terminal.result(&texts.concat())?;
    bail!("{} was not planned, because it could not be read", file.name());
}

/// What a file describes, as things that are made and removed.
fn things(
    command: &Plan,
    file: &Arc<SourceFile>,
    sources: &Sources,
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<Vec<Thing>> {
    let language = match &command.reading.language {
        Some(id) => Language::by_id(id)?,
        None => language::detect(file)?,
    };
    match language {
        Language::LocationGraph => {
            let read = locus_graph::text::read(file, &config.limits);
            let mut findings = read.findings;
            findings.extend(locus_graph::check(&read.graph, file.place(Span::point(0))));
            refuse_broken(sources, &findings, file, terminal)?;
            Ok(locus_plan::things(&read.graph, |_| false))
        }
        Language::Hot => {
            let read = templates::read(file, &command.reading, sources, &config.limits)?;
            let things = read.template.as_ref().map(|template| hot::things(template, sources));
            things.ok_or_else(|| anyhow!("{} could not be read; `locus check` says why", file.name()))
        }
        Language::Alloy | Language::Tla => {
            bail!("{} describes nothing that could be deployed: it is in {}", file.name(), language.name())
        }
    }
}

/// A question for the planner with everything that its answer is told with.
struct Question<'a> {
    universe: &'a Universe,
    start: &'a Configuration,
    names: &'a [String],
    wanted: Vec<Wanted>,
    others: Others,
    /// Whether no configuration that is wanted costs less, as far as that was asked.
    optimal: Option<bool>,
    /// What must hold at the end.
    want: Option<Want>,
    /// What becomes of the things of a language.
    differences: Vec<Difference>,
}

impl Question<'_> {
    /// How many components there are at the end, if there are no others than asked for.
    fn components(&self) -> usize {
        let named: HashSet<ComponentId> = self.wanted.iter().filter_map(|wanted| wanted.existing).collect();
        let stays =
            self.start.components.keys().filter(|id| self.others == Others::Keep && !named.contains(id));
        self.wanted.iter().filter(|wanted| !wanted.then_delete).count() + stays.count()
    }
}

fn aeolus(
    command: &Plan,
    document: &Document,
    file: &Arc<SourceFile>,
    terminal: &Terminal,
) -> anyhow::Result<Outcome> {
    let (universe, start) = (&document.universe, &document.configuration);
    if let Some(violation) = start.violations(universe).first() {
        bail!(
            "the configuration that is deployed is not correct: {}",
            locus_plan::violation_in_words(document, violation)
        );
    }
    let (wanted, others, optimal, want) = if command.down {
        (Vec::new(), Others::Delete, None, None)
    } else {
        let want = match (&command.want, &document.want) {
            (Some(text), _) => Want::parse(universe, text).map_err(|error| {
                let help = error.help.map_or(String::new(), |help| format!("; {help}"));
                anyhow!("--want, column {}: {}{help}", error.at + 1, error.message)
            })?,
            (None, Some((want, _))) => want.clone(),
            (None, None) => bail!("{} does not say what is wanted; say it with --want", file.name()),
        };
        match locus_plan::choose(universe, start, &want) {
            Choice::Chosen(chosen) => {
                let (wanted, others) = locus_plan::wanted(universe, start, &want, &chosen);
                (wanted, others, Some(chosen.at_least.is_none()), Some(want))
            }
            Choice::None(reasons) => return refused(command, &reasons, terminal),
            Choice::Unknown(bound) => {
                return unknown(command, &format!("no configuration was found {bound}"), terminal);
            }
        }
    };
    let question = Question {
        universe,
        start,
        names: &document.names,
        wanted,
        others,
        optimal,
        want,
        differences: Vec::new(),
    };
    answer(command, &question, &[], file, terminal)
}

fn of_pivot(
    command: &Plan,
    pivot: Pivot,
    sources: &Sources,
    file: &Arc<SourceFile>,
    terminal: &Terminal,
) -> anyhow::Result<Outcome> {
    let mut remarks = Vec::new();
    for difference in &pivot.differences {
        let verb = match difference.fate {
            Fate::Change => "changed",
            Fate::Replace => "replaced",
            Fate::Keep | Fate::Add | Fate::Remove => continue,
        };
        for why in &difference.why {
            let places: Vec<String> =
                [why.old, why.new].into_iter().flatten().map(|place| sources.describe(place)).collect();
            remarks.push(format!("{} is {verb}: {} ({})", difference.name, why.text, places.join(" and ")));
        }
    }
    remarks.push(format!(
        "{} to add, {} to change, {} to replace, {} to remove",
        pivot.count(Fate::Add),
        pivot.count(Fate::Change),
        pivot.count(Fate::Replace),
        pivot.count(Fate::Remove),
    ));
    let question = Question {
        universe: &pivot.universe,
        start: &pivot.start,
        names: &pivot.names,
        wanted: pivot.wanted,
        others: Pivot::OTHERS,
        optimal: None,
        want: None,
        differences: pivot.differences,
    };
    answer(command, &question, &remarks, file, terminal)
}

fn answer(
    command: &Plan,
    question: &Question<'_>,
    remarks: &[String],
    file: &Arc<SourceFile>,
    terminal: &Terminal,
) -> anyhow::Result<Outcome> {
    let problem = Problem {
        universe: question.universe,
        start: question.start,
        names: question.names,
        wanted: question.wanted.clone(),
        others: question.others,
    };
    let (answer, checked) = locus_plan::solve(&problem, Limits::default());
    match answer {
        Answer::Plan(plan) => {
            let checked = checked.expect("every plan was checked");
            if question
                .want
                .as_ref()
                .is_some_and(|want| !locus_plan::holds(question.universe, &plan.end, want))
            {
                return unknown(
                    command,
                    "the plan that was found ends with more than what is wanted",
                    terminal,
                );
            }
            let text = written(command, question, &plan, checked, remarks, file)?;
            terminal.result(&text)?;
            Ok(Outcome::Clean)
        }
        Answer::None(reasons) => {
            let reasons = render::explain(question.universe, &reasons);
            refused(command, &reasons, terminal)
        }
        Answer::Unknown(bound) => unknown(command, &format!("no plan was found {bound}"), terminal),
    }
}

fn written(
    command: &Plan,
    question: &Question<'_>,
    plan: &locus_plan::Plan,
    checked: Checked,
    remarks: &[String],
    file: &SourceFile,
) -> anyhow::Result<String> {
    let Question { universe, start, .. } = question;
    let shape = shape(plan, None);
    let configurations = checked
        .configurations
        .or_else(|| (plan.steps.len() <= COUNTED_STEPS).then(|| locus_plan::count(plan, COUNTED)).flatten());
    Ok(match command.format {
        PlanFormat::Json => json::plan(universe, plan, &shape, question, checked.method, configurations)?,
        PlanFormat::Human => {
            let mut text = render::human(universe, plan, &shape);
            for remark in remarks {
                text.push_str(remark);
                text.push('\n');
            }
            let number = configurations.map_or("all".to_owned(), |number| format!("all {number}"));
            let _ =
                writeln!(text, "{number} configurations on the way are correct, in every order of the steps");
            text
        }
        PlanFormat::Markdown => {
            let mut text = render::markdown(universe, plan, &shape);
            for remark in remarks {
                let _ = write!(text, "\n{remark}\n");
            }
            text
        }
        PlanFormat::Svg => render::svg(universe, start, plan, &shape, file.name())
            .ok_or_else(|| anyhow!("the plan is too large for a picture; --format dot has no limit"))?,
        PlanFormat::Dot => render::dot(universe, plan, &shape),
        PlanFormat::Tla => render::tla(universe, start, plan, "Plan"),
    })
}

fn refused(command: &Plan, reasons: &[String], terminal: &Terminal) -> anyhow::Result<Outcome> {
    let text = if command.format == PlanFormat::Json {
        json::none("none", reasons)?
    } else {
        let mut text = String::from("there is no plan:\n");
        for reason in reasons {
            let _ = writeln!(text, "  {reason}");
        }
        text
    };
    terminal.result(&text)?;
    Ok(Outcome::Findings)
}

fn unknown(command: &Plan, why: &str, terminal: &Terminal) -> anyhow::Result<Outcome> {
    if command.format == PlanFormat::Json {
        terminal.result(&json::none("unknown", &[why.to_owned()])?)?;
    } else {
        terminal.result(&format!("could not tell: {why}\n"))?;
    }
    Ok(Outcome::CouldNotRun)
}
