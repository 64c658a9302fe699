//! A question for the planner, and its answer in every format.

use std::collections::HashSet;
use std::fmt::Write;

use anyhow::anyhow;
use locus_aeolus::{ComponentId, Configuration, Document, Universe, Want};
use locus_meaning::things::Thing;
use locus_plan::{
    Answer, Checked, Difference, Limits, Others, Pivot, Placing, Problem, Used, Wanted, Why, render, shape,
};
use locus_source::{SourceFile, Sources};

use super::durations::in_words;
use super::on_the_way::OnTheWay;
use super::safety::Safety;
use super::summary::{Order, summary};
use super::{Asked, json};
use crate::Outcome;
use crate::args::PlanFormat;
use crate::page::Page;

/// How many configurations are counted for the answer; a plan with more says nothing of their number.
const COUNTED: u64 = 20_000;
/// The largest plan whose configurations are counted.
const COUNTED_STEPS: usize = 256;

/// A question for the planner with everything that its answer is told with.
pub(super) struct Question<'a> {
    pub(super) universe: &'a Universe,
    pub(super) start: &'a Configuration,
    pub(super) names: &'a [String],
    pub(super) wanted: Vec<Wanted>,
    pub(super) others: Others,
    /// The cost of the chosen configuration with its machines, and a lower bound of the cost of any that is wanted.
    pub(super) cost: Option<(u64, u64)>,
    /// The condition that must hold at the end.
    pub(super) want: Option<Want>,
    /// The changes of the things of a language.
    pub(super) pivot: Option<&'a Pivot>,
    /// The documents of what is there and of what is to be, for the rules that hold always.
    pub(super) documents: [Option<locus_judge::Asked<'a>>; 2],
    /// The things that these describe.
    pub(super) things: [&'a [Thing]; 2],
    /// Why the way cannot be judged, if the document of what is there is not known.
    pub(super) not_judged: Option<&'a str>,
    /// The document with the machines, and the conditions that must hold on none of them.
    pub(super) machines: Option<(&'a Document, Vec<Want>)>,
}

impl<'a> Question<'a> {
    /// The question for the changes of things that documents describe.
    pub(super) fn of(pivot: &'a Pivot, documents: [Option<locus_judge::Asked<'a>>; 2]) -> Self {
        Question {
            universe: &pivot.universe,
            start: &pivot.start,
            names: &pivot.names,
            wanted: pivot.wanted.clone(),
            others: Pivot::OTHERS,
            cost: None,
            want: None,
            pivot: Some(pivot),
            documents,
            things: [&[], &[]],
            not_judged: None,
            machines: None,
        }
    }

    /// The same question with another order.
    fn about<'b>(&'b self, pivot: &'b Pivot) -> Question<'b> {
        Question {
            others: self.others,
            cost: self.cost,
            want: self.want.clone(),
            things: self.things,
            not_judged: self.not_judged,
            ..Question::of(pivot, self.documents)
        }
    }

    /// How many components there are at the end, if there are no others than asked for.
    pub(super) fn components(&self) -> usize {
        let named: HashSet<ComponentId> = self.wanted.iter().filter_map(|wanted| wanted.existing).collect();
        let stays =
            self.start.components.keys().filter(|id| self.others == Others::Keep && !named.contains(id));
        self.wanted.iter().filter(|wanted| !wanted.then_delete).count() + stays.count()
    }
}

/// Where the components of a plan run.
pub(super) struct Placed {
    pub(super) machines: Vec<Used>,
    pub(super) cost: u64,
    pub(super) at_least: u64,
}

impl Placed {
    /// For people.
    fn lines(&self, plan: &locus_plan::Plan) -> Vec<String> {
        let machine = |used: &Used| {
            let names: Vec<&str> = used.components.iter().map(|&id| render::component(plan, id)).collect();
            format!("on {}: {}", used.name, names.join(", "))
        };
        let mut lines: Vec<String> = self.machines.iter().map(machine).collect();
        let proven = if self.cost == self.at_least {
            "no placement costs less".to_owned()
        } else {
            format!("any placement costs at least {}", self.at_least)
        };
        lines.push(format!("the machines cost {}; {proven}", self.cost));
        lines
    }
}

/// Where the components of a plan run, if there are machines; or why that could not be told.
fn placed(question: &Question<'_>, plan: &locus_plan::Plan) -> Result<Option<Placed>, String> {
    let Some((document, never)) = &question.machines else { return Ok(None) };
    match locus_plan::place(document, &plan.end, never) {
        Placing::Placed { machines, cost, at_least } => Ok(Some(Placed { machines, cost, at_least })),
        Placing::None(why) => {
            Err(format!("the plan that was found needs more than what can be placed: {why}"))
        }
        Placing::Unknown(bound) => Err(format!("no placement was found {bound}")),
    }
}

/// The remarks about a plan beside its steps.
struct Told<'t> {
    checked: Checked,
    way: &'t OnTheWay,
    order: Order<'t>,
    safety: Option<&'t Safety>,
    placed: Option<&'t Placed>,
}

/// An answer without a plan.
pub(super) enum Said {
    /// There is none, for these reasons.
    None(Vec<String>),
    /// That could not be told.
    Unknown(String),
}

/// Why things change, each with its places in both versions: those for which `verb` has a word.
pub(super) fn reasons(
    pivot: &Pivot,
    sources: &Sources,
    verb: impl Fn(&Difference, &Why) -> Option<&'static str>,
) -> Vec<String> {
    let mut reasons = Vec::new();
    for difference in &pivot.differences {
        for why in &difference.why {
            let Some(verb) = verb(difference, why) else { continue };
            let places: Vec<String> =
                [why.old, why.new].into_iter().flatten().map(|place| sources.describe(place)).collect();
            reasons.push(format!("{} {verb}: {why} ({})", difference.name, places.join(" and ")));
        }
    }
    reasons
}

impl Asked<'_> {
    pub(super) fn answer(&self, question: &Question<'_>, file: &SourceFile) -> anyhow::Result<Outcome> {
        let problem = Problem {
            universe: question.universe,
            start: question.start,
            names: question.names,
            wanted: question.wanted.clone(),
            others: question.others,
        };
        let solve = if question.pivot.is_some() { locus_plan::solve_late } else { locus_plan::solve };
        let (answer, checked) = solve(&problem, Limits::default());
        let plan = match answer {
            Answer::Plan(plan) => plan,
            Answer::None(reasons) => {
                return self.say(&Said::None(render::explain(question.universe, &reasons)));
            }
            Answer::Unknown(bound) => {
                return self.say(&Said::Unknown(format!("no plan was found {bound}")));
            }
        };
        let checked = checked.expect("every plan was checked");
        let holds = |want: &Want| locus_plan::holds(question.universe, &plan.end, want);
        if !question.want.as_ref().is_none_or(holds) {
            let why = "the plan that was found ends with more than what is wanted";
            return self.say(&Said::Unknown(why.to_owned()));
        }
        let way = OnTheWay::new(question, &plan);
        if way.is_right() {
            return self.finish(question, &plan, checked, &way, Order::Found, file);
        }
        let found = way.in_turn(question);
        match (&found, self.command.executor) {
            (Some(found), None) => {
                let question = question.about(&found.pivot);
                let way = OnTheWay::default();
                self.finish(&question, &found.plan, found.checked, &way, Order::InTurn(found), file)
            }
            (found, _) => self.finish(question, &plan, checked, &way, Order::Refused(found.as_ref()), file),
        }
    }

    /// Writes a plan that was judged.
    fn finish(
        &self,
        question: &Question<'_>,
        plan: &locus_plan::Plan,
        checked: Checked,
        way: &OnTheWay,
        order: Order<'_>,
        file: &SourceFile,
    ) -> anyhow::Result<Outcome> {
        let placed = match placed(question, plan) {
            Ok(placed) => placed,
            Err(why) => return self.say(&Said::Unknown(why)),
        };
        let verify = self.command.verify && way.is_right();
        let safety = verify.then(|| Safety::new(question, plan, self.command.retries));
        let told = Told { checked, way, order, safety: safety.as_ref(), placed: placed.as_ref() };
        self.write(question, plan, &told, file)?;
        Ok(way.outcome().max(safety.map_or(Outcome::Clean, |safety| safety.outcome())))
    }

    fn write(
        &self,
        question: &Question<'_>,
        plan: &locus_plan::Plan,
        &Told { checked, way, order, safety, placed }: &Told<'_>,
        file: &SourceFile,
    ) -> anyhow::Result<()> {
        let Question { universe, start, .. } = question;
        let times = self.durations.as_ref().map(|durations| durations.of(universe, plan));
        let shape = shape(plan, times.as_deref());
        let counted = || (plan.steps.len() <= COUNTED_STEPS).then(|| locus_plan::count(plan, COUNTED));
        let configurations = checked.configurations.or_else(|| counted().flatten());
        let summary = question.pivot.map_or_else(Vec::new, |pivot| summary(pivot, &self.session.sources));
        let mut remarks = question.pivot.map_or_else(Vec::new, |pivot| pivot.assumptions.clone());
        remarks.extend(order.remarks());
        let helpers = locus_plan::helpers(plan);
        remarks.extend(helpers.iter().map(|helper| render::helper(universe, plan, helper)));
        remarks.extend(placed.iter().flat_map(|placed| placed.lines(plan)));
        if let Some((cost, at_least)) = question.cost.filter(|(cost, at_least)| at_least < cost) {
            remarks.push(format!(
                "the configuration costs {cost}; any that is wanted costs at least {at_least}"
            ));
        }
        match self.command.format {
            PlanFormat::Json => {
                let sources = &self.session.sources;
                self.terminal.json(json::plan(&json::Told {
                    question,
                    way,
                    plan,
                    shape: &shape,
                    times: times.as_deref(),
                    checked: Checked { configurations, ..checked },
                    safety,
                    placed,
                    in_turn: order.remarks(),
                    sources,
                })?)
            }
            PlanFormat::Human => {
                let mut page = Page::new(self.terminal.style());
                for line in &summary {
                    page.line(line);
                }
                if !summary.is_empty() {
                    page.line("");
                }
                let is_whole = self.command.steps || question.pivot.is_none();
                page.text(&render::human(universe, plan, &shape, is_whole));
                if times.is_some() {
                    let assumed =
                        if self.command.typical { ", by assumed times where none are given" } else { "" };
                    let length = in_words(shape.length);
                    page.line(&format!("it takes {length}, along the critical path{assumed}"));
                }
                for remark in remarks {
                    page.line(&remark);
                }
                let number = configurations.map_or("all".to_owned(), |number| format!("all {number}"));
                if way.is_right() {
                    page.line(&format!(
                        "{number} configurations on the way are correct, in every order of the steps"
                    ));
                }
                way.show(question.universe, plan, &mut page, &self.session.sources);
                for line in safety.iter().flat_map(|safety| safety.lines(question, plan)) {
                    page.line(&line);
                }
                self.terminal.page(&page)
            }
            PlanFormat::Markdown => {
                let lines: Vec<String> = summary.iter().map(|line| format!("    {line}\n")).collect();
                let mut text = lines.concat();
                if !summary.is_empty() {
                    text.push('\n');
                }
                text.push_str(&render::markdown(universe, plan, &shape));
                let said = safety.iter().flat_map(|safety| safety.lines(question, plan));
                let wrong = way.lines(question.universe, plan, &self.session.sources);
                for remark in remarks.into_iter().chain(wrong).chain(said) {
                    let _ = write!(text, "\n{remark}\n");
                }
                self.terminal.text(&text)
            }
            PlanFormat::Svg => {
                let picture = render::svg(universe, start, plan, &shape, file.name());
                let large = || anyhow!("the plan is too large for a picture; --format dot has no limit");
                self.terminal.text(&picture.ok_or_else(large)?)
            }
            PlanFormat::Dot => self.terminal.text(&render::dot(universe, plan, &shape)),
            PlanFormat::Tla => self.terminal.text(&match safety {
                Some(safety) => safety.tla(question, plan),
                None => render::tla(universe, start, plan, "Plan"),
            }),
        }
    }

    /// Says that there is no plan, or none that was found.
    pub(super) fn say(&self, said: &Said) -> anyhow::Result<Outcome> {
        let (verdict, title, reasons, outcome) = match said {
            Said::None(reasons) => ("none", "there is no plan:", reasons.as_slice(), Outcome::Findings),
            Said::Unknown(why) => {
                ("unknown", "could not tell:", std::slice::from_ref(why), Outcome::CouldNotRun)
            }
        };
        if self.command.format == PlanFormat::Json {
            self.terminal.json(json::without_plan(verdict, reasons)?)?;
        } else {
            let mut page = Page::new(self.terminal.style());
            page.line(title);
            for reason in reasons {
                page.line(&format!("  {reason}"));
            }
            self.terminal.page(&page)?;
        }
        Ok(outcome)
    }
}
