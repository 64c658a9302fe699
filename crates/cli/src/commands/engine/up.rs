//! `locus up` and `locus down`.

use std::cell::Cell;
use std::io::{BufRead, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{anyhow, bail};
use locus_deploy::{Asked, Error, Path, PlanFile, Return, begin, goal_of, path, update};
use locus_drivers::{End, Script, Seen, shown};
use locus_engine::{Input, Kind, OnFailure, Phase, RequestStatus, Status};
use locus_plan::Fate;
use locus_source::policy::Policy;
use locus_store::Stored;

use super::against;
use super::args::{Down, Failure, Up};
use super::describe::{self, Choices, Described};
use super::way::{self, Judged};
use super::{Home, now, put, run, who};
use crate::Outcome;
use crate::args::{Global, TextFormat};
use crate::commands::destroyed;
use crate::deadline;
use crate::languages;
use crate::memory;
use crate::page::Page;
use crate::report::counted;
use crate::session::{Session, Setup};
use crate::terminal::Terminal;

/// How often what is to be done is planned anew because somebody else was quicker.
const TRIES: usize = 3;

/// How a deployment is changed.
struct How<'a> {
    on_failure: OnFailure,
    /// Whether it is also done where the judge cannot tell.
    unjudged: bool,
    /// The plan that is to be done, if it was made before.
    plan: Option<&'a PlanFile>,
}

impl Up {
    /// The settings of the driver that were given.
    fn settings(&self) -> Vec<(&'static str, String)> {
        let given = [("cloud", &self.cloud), ("region", &self.region)];
        given.into_iter().filter_map(|(name, value)| Some((name, value.clone()?))).collect()
    }

    fn on_failure(&self) -> OnFailure {
        match self.on_failure {
            Failure::Rollback => OnFailure::RollBack,
            Failure::Stop => OnFailure::Keep,
            Failure::Delete => OnFailure::Delete,
        }
    }
}

/// One command that changes a deployment.
struct Doing<'a> {
    /// None for who asked to delete all of it.
    guard: Option<Guard<'a>>,
    home: &'a Home,
    terminal: &'a Terminal,
    quiet: bool,
    yes: bool,
    parallel: usize,
    keep_logs: bool,
    /// How long planning may take.
    timeout: Option<Duration>,
    format: TextFormat,
    /// Whether the judge could not be asked about what was done.
    is_unjudged: Cell<bool>,
}

/// The things that must not be destroyed.
struct Guard<'a> {
    policy: &'a Policy,
    allow_data_loss: bool,
}

impl Guard<'_> {
    /// Why a change is not begun that destroys something.
    fn refuses(&self, path: &Path) -> Option<String> {
        let kept = destroyed::kept(self.policy, path.differences());
        if !kept.is_empty() {
            return Some(format!("not begun: {}", kept.join("; ")));
        }
        let lost = destroyed::lost(path.differences());
        (!lost.is_empty() && !self.allow_data_loss).then(|| {
            format!(
                "not begun, since what is in {} would be lost; '--allow-data-loss' does it",
                lost.join(", ")
            )
        })
    }
}

pub(crate) fn up(command: &Up, global: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    if command.name.is_some() && command.paths.len() > 1 {
        bail!("--name is for one file");
    }
    let plan = against::plan_in(&command.paths)?;
    let reading = match &plan {
        None => command.reading.of_some_file(!command.paths.is_empty())?,
        Some(plan) => against::reading_of(plan, &command.reading)?,
    };
    let planned = plan.as_ref().map(|plan| [PathBuf::from(&plan.reading.file)]);
    let paths = match &planned {
        Some(planned) => &planned[..],
        None if command.paths.is_empty() => &reading.project.file[..1],
        None => &command.paths,
    };
    let settings = command.settings();
    let choices = choices(command, plan.as_ref(), &settings)?;
    let mut goals = Vec::new();
    for path in paths {
        let describe = || describe::describe(&choices, &reading, path, terminal);
        let Some(described) = deadline::guarded(command.timeout, terminal, describe)?? else {
            return Ok(Outcome::Findings);
        };
        let name = match &plan {
            Some(plan) => plan.name.clone(),
            None => name_of(command.name.as_deref(), path, described.own_name.clone())?,
        };
        if goals.iter().any(|(other, _)| *other == name) {
            bail!("two files would be the deployment {name}");
        }
        goals.push((name, described));
    }
    let session = Session::new(languages::ALL, &Setup::reading(&reading))?;
    let home = Home::open(&command.kept)?;
    let doing = Doing {
        guard: Some(Guard { policy: &session.config.policy, allow_data_loss: command.allow_data_loss }),
        home: &home,
        terminal,
        quiet: global.quiet,
        yes: command.yes,
        parallel: command.parallel,
        keep_logs: command.keep_logs,
        timeout: command.timeout,
        format: command.kept.format,
        is_unjudged: Cell::new(false),
    };
    for (name, mut described) in goals {
        if super::sites::keeps_traces(&described.goal)? {
            described.goal.place.clone_from(&home.mark);
        }
        doing.is_unjudged.set(false);
        let outcome = match &plan {
            Some(plan) => doing.planned(command, plan, described)?,
            None => doing.up(command, &name, described)?,
        };
        if outcome != Outcome::Clean {
            return Ok(outcome);
        }
    }
    Ok(Outcome::Clean)
}

/// How files are to be deployed: as the command says, or as the plan that is to be done.
fn choices<'a>(
    command: &'a Up,
    plan: Option<&'a PlanFile>,
    settings: &'a [(&'static str, String)],
) -> anyhow::Result<Choices<'a>> {
    let own = Choices {
        name: command.name.as_deref(),
        simulate: command.simulate,
        sites: command.sites.as_deref(),
        timeouts: &command.step_timeout,
        settings,
        done: "deployed",
    };
    let Some(plan) = plan else { return Ok(own) };
    let is_more = own.name.is_some() || own.simulate.is_some() || own.sites.is_some();
    if is_more || command.revert_drift || !command.import.is_empty() {
        bail!(
            "a plan is done as it was made: without --name, --simulate, --sites, --import and --revert-drift"
        );
    }
    let with = &plan.reading;
    let sites = with.sites.as_deref().map(std::path::Path::new);
    Ok(Choices { name: with.named.as_deref(), simulate: with.simulate, sites, ..own })
}

/// How the deployment of a file is called.
pub(super) fn name_of(
    given: Option<&str>,
    path: &std::path::Path,
    own: Option<String>,
) -> anyhow::Result<String> {
    let name = if let Some(name) = given.map(str::to_owned).or(own) {
        name
    } else {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        stem.ok_or_else(|| anyhow!("say how to call the deployment with --name"))?
    };
    if name.is_empty()
        || name.contains(['/', '\\'])
        || name.contains(char::is_control)
        || name.starts_with('.')
    {
        bail!("`{}` cannot be the name of a deployment", name.escape_debug());
    }
    Ok(name)
}

pub(crate) fn down(command: &Down, global: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let home = Home::open(&command.kept)?;
    let doing = Doing {
        guard: None,
        home: &home,
        terminal,
        quiet: global.quiet,
        yes: command.yes,
        parallel: command.parallel,
        keep_logs: command.keep_logs,
        timeout: command.timeout,
        format: command.kept.format,
        is_unjudged: Cell::new(false),
    };
    let mut stored = home.deployment(&command.name)?;
    if stored.state.status == Status::CreateInProgress && stored.state.phase == Phase::Forward {
        // A creation that is not wanted any more is not finished first.
        doing.confirm(&format!("Stop the creation of {} and delete it?", stored.name))?;
        let _ = put(&*home.store, &mut stored, &Input::Cancel { discard: true })?;
    }
    if let Some(outcome) = doing.finish(&mut stored)? {
        return Ok(outcome);
    }
    if matches!(stored.state.status, Status::DeleteComplete | Status::Absent) {
        return doing.report(&stored, None, "nothing is deployed");
    }
    let present = stored.state.nodes.values().filter(|node| node.present).count();
    doing.confirm(&format!("Delete {} with {}?", stored.name, counted(present, "node")))?;
    match doing.delete(&mut stored)? {
        Some(outcome) => Ok(outcome),
        None => doing.report(&stored, None, "deleted"),
    }
}

/// Asks, unless the answer is known to be yes.
pub(super) fn confirm(yes: bool, question: &str, terminal: &Terminal) -> anyhow::Result<()> {
    if yes {
        return Ok(());
    }
    if !std::io::stdin().is_terminal() {
        bail!("nobody can be asked; say --yes");
    }
    terminal.remark(&format!("{question} [y/N]"));
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    if matches!(answer.trim(), "y" | "Y" | "yes") { Ok(()) } else { bail!("nothing was done") }
}

impl Doing<'_> {
    fn remark(&self, text: &str) {
        if !self.quiet {
            self.terminal.remark(text);
        }
    }

    /// Asks, unless that is not wanted.
    fn confirm(&self, question: &str) -> anyhow::Result<()> {
        confirm(self.yes, question, self.terminal)
    }

    fn run(&self, stored: &mut Stored) -> anyhow::Result<End> {
        run(self.home, stored, self.parallel, (!self.quiet).then_some(self.terminal))
    }

    /// Builds what is wanted, or changes what is there.
    fn up(&self, command: &Up, name: &str, described: Described) -> anyhow::Result<Outcome> {
        let mut stored = self.home.newest(name)?;
        if let Some(outcome) = self.go_on(&mut stored)? {
            return Ok(outcome);
        }
        if stored.state.status.is_lost() {
            self.remark(&format!("{} is first deleted, since it is {}", name, stored.state.status.as_str()));
            if let Some(outcome) = self.delete(&mut stored)? {
                return Ok(outcome);
            }
        }
        if stored.state.status == Status::DeleteComplete {
            stored = self.home.newest(name)?;
        }
        for (node, id) in &command.import {
            let differs = super::take_over::take_over(self.home, &mut stored, &described.goal, node, id)?;
            self.remark(&format!(
                "{node} is {id}{}",
                differs.map_or_else(String::new, |what| format!(": {what}"))
            ));
        }
        if command.revert_drift {
            self.note_drift(&mut stored)?;
        }
        let on_failure = command.on_failure();
        self.deploy(
            &mut stored,
            described,
            &How { on_failure, unjudged: command.unjudged, plan: None },
            TRIES,
        )
    }

    /// Does what was planned before, exactly so.
    fn planned(&self, command: &Up, plan: &PlanFile, described: Described) -> anyhow::Result<Outcome> {
        let stored = self.home.store.load(&plan.name)?;
        let mut stored = stored.ok_or_else(|| {
            anyhow!("there is no deployment {} in this store, for which the plan was made", plan.name)
        })?;
        plan.is_for(&stored)?;
        let how = How { on_failure: command.on_failure(), unjudged: command.unjudged, plan: Some(plan) };
        self.deploy(&mut stored, described, &how, 0)
    }

    /// Ends what was interrupted. The outcome is that of this command only if nothing more can be done.
    fn finish(&self, stored: &mut Stored) -> anyhow::Result<Option<Outcome>> {
        if stored.state.phase == Phase::Idle {
            return Ok(None);
        }
        self.remark(&format!("{} goes on: {}", stored.name, stored.state.status.as_str()));
        match self.run(stored)? {
            End::Rests => Ok(None),
            end => self.report(stored, Some(&end), "").map(Some),
        }
    }

    /// Ends what was interrupted, and what could not be undone.
    fn go_on(&self, stored: &mut Stored) -> anyhow::Result<Option<Outcome>> {
        if let Some(outcome) = self.finish(stored)? {
            return Ok(Some(outcome));
        }
        if stored.state.status != Status::UpdateRollbackFailed {
            return Ok(None);
        }
        self.remark("the update before could not be undone, which is tried again first");
        let _ = put(&*self.home.store, stored, &Input::RollBack)?;
        if let Some(outcome) = self.finish(stored)? {
            return Ok(Some(outcome));
        }
        let is_undone = stored.state.status.is_usable();
        if is_undone { Ok(None) } else { self.report(stored, None, "").map(Some) }
    }

    /// Takes note of what is not as it was left, so that the next plan puts it right.
    fn note_drift(&self, stored: &mut Stored) -> anyhow::Result<()> {
        if stored.state.nodes.values().all(|node| !node.present) {
            return Ok(());
        }
        for (node, seen) in super::show::look(self.home, stored)?.nodes {
            let (is_there, reason) = match seen {
                Seen::There => continue,
                Seen::Gone => (false, String::new()),
                Seen::Changed(what) => (true, what),
                Seen::Unsure(reason) => {
                    self.remark(&format!("whether {node} is as it was left cannot be told: {reason}"));
                    continue;
                }
            };
            let word = if is_there { format!("has changed: {reason}") } else { "is gone".to_owned() };
            self.remark(&format!("{node} {word}"));
            let noted = put(&*self.home.store, stored, &Input::Drift { node, is_there, reason })?;
            noted.map_err(|_| anyhow!("somebody else has begun to change {}", stored.name))?;
        }
        Ok(())
    }

    fn delete(&self, stored: &mut Stored) -> anyhow::Result<Option<Outcome>> {
        let plan = |stored: &Stored| path(&stored.state, &[]).map(Path::into_steps);
        let planned = deadline::guarded(self.timeout, self.terminal, || plan(stored))?;
        let (is_for, mut planned) = (stored.state.nodes.clone(), Some(planned));
        let steps = |stored: &Stored| match planned.take() {
            Some(planned) if stored.state.nodes == is_for => planned,
            _ => plan(stored),
        };
        let by = who();
        let asked = Asked { kind: Kind::Delete, on_failure: OnFailure::Keep, by: &by, document: None };
        begin(&*self.home.store, stored, asked, None, &now, steps)?;
        let end = self.run(stored)?;
        if stored.state.status == Status::DeleteComplete {
            self.remove_logs(stored);
            return Ok(None);
        }
        self.report(stored, Some(&end), "").map(Some)
    }

    /// Removes what the programs of a deployment wrote, when nothing of it is left. Those of before tokens had a random
    /// part cannot be told from those of others, and stay.
    fn remove_logs(&self, stored: &Stored) {
        if self.keep_logs || stored.origin.is_empty() {
            return;
        }
        if let Err(error) = Script::remove_runs(&self.home.folder.join("runs"), &stored.token("")) {
            self.remark(&format!("the logs cannot be removed: {error}"));
        }
    }

    /// Plans what is to be done, shows it, and does it: once more for as often as `left` says, if another process is
    /// quicker.
    fn deploy(
        &self,
        stored: &mut Stored,
        described: Described,
        how: &How<'_>,
        left: usize,
    ) -> anyhow::Result<Outcome> {
        let (goal, on_failure) = (&described.goal, how.on_failure);
        let plan = || -> anyhow::Result<_> {
            let path = update(&stored.state, &goal.nodes)?;
            if let Some(plan) = how.plan {
                plan.is_of(stored, goal, &path.steps)?;
            }
            let is_done = path.steps.is_empty() && stored.state.status.is_usable();
            let back = (on_failure != OnFailure::Keep && !is_done).then(|| path.back());
            let judge = || way::judge(self.home, stored, &described, &path);
            let judged = if is_done { None } else { Some(judge()?) };
            Ok((path, back, judged))
        };
        let (path, back, judged) = deadline::guarded(self.timeout, self.terminal, plan)??;
        let before = goal_of(&stored.state)?;
        if before.as_ref().is_some_and(|before| before.driver != goal.driver)
            && !stored.state.nodes.is_empty()
        {
            bail!("{} was built by another driver; take it down first", stored.name);
        }
        if path.steps.is_empty() && stored.state.status.is_usable() {
            return self.report(stored, None, "nothing to do");
        }
        self.summary(&path)?;
        if let Some(why) = self.guard.as_ref().and_then(|guard| guard.refuses(&path)) {
            return super::show::said(stored, &why, self.format, self.terminal, Outcome::Findings);
        }
        if let Some(judged) = judged
            && let Some(outcome) = self.judged(stored, &described, &path, &judged, how.unjudged)?
        {
            return Ok(outcome);
        }
        if let Some(outcome) = back.map_or(Ok(None), |back| self.prove(stored, back))? {
            return Ok(outcome);
        }
        if how.plan.is_none() {
            self.confirm("Do it?")?;
        }
        // What was planned is good as long as nobody else has changed anything; only the requests are ours.
        let (is_for, mut steps) = (stored.state.nodes.clone(), Some(path.into_steps()));
        let wanted = |stored: &Stored| match steps.take().filter(|_| stored.state.nodes == is_for) {
            Some(steps) => Ok(steps),
            None if how.plan.is_some() => Err(Error::Moved(format!("{} has changed since", stored.name))),
            None => update(&stored.state, &goal.nodes).map(Path::into_steps),
        };
        let (by, kept) = (who(), described.kept());
        let asked = Asked { kind: Kind::Deploy, on_failure, by: &by, document: Some(&kept) };
        let begun = begin(&*self.home.store, stored, asked, Some(goal), &now, wanted);
        if let Err(error) = begun {
            // Whoever was quicker goes on first; what is left to do is planned anew.
            if left == 0 || !matches!(error, Error::Busy { .. }) {
                return Err(error.into());
            }
            self.remark(&format!("{} is being changed by somebody else, which goes on first", stored.name));
            if let Some(outcome) = self.go_on(stored)? {
                return Ok(outcome);
            }
            return self.deploy(stored, described, how, left - 1);
        }
        // The engine needs far less than reading and planning did.
        drop((described, kept));
        memory::give_back();
        let end = self.run(stored)?;
        self.report(stored, Some(&end), "")
    }

    /// Says what the judge of the way has found; nothing is begun that breaks a rule on the way, or of which that
    /// cannot be told. The outcome is that of the command if it is so.
    fn judged(
        &self,
        stored: &Stored,
        described: &Described,
        path: &Path,
        judged: &Judged,
        unjudged: bool,
    ) -> anyhow::Result<Option<Outcome>> {
        if let Some(why) = judged.not_asked() {
            self.remark(&format!("whether a rule is broken on the way was not judged: {why}"));
            self.is_unjudged.set(true);
            return Ok(None);
        }
        let (outcome, word) = match judged.open() {
            _ if !judged.is_right() => (
                Outcome::Findings,
                "not begun, since a rule is broken on the way; change it in several updates".to_owned(),
            ),
            Some(why) if unjudged => {
                self.remark(&format!("whether a rule is broken on the way is not known: {why}"));
                return Ok(None);
            }
            Some(why) => (
                Outcome::CouldNotRun,
                format!(
                    "not begun, since it is not known whether a rule is broken on the way: {why}; '--unjudged' does \
                     it all the same"
                ),
            ),
            None => return Ok(None),
        };
        let mut answer = super::show::answer(stored, &word, outcome);
        if self.format == TextFormat::Json {
            answer["on_the_way"] = judged.json(described).into();
            self.terminal.json(answer.to_string())?;
            return Ok(Some(outcome));
        }
        let mut page = Page::new(self.terminal.style());
        judged.show(described, path, &mut page);
        self.terminal.page(&page)?;
        super::show::said(stored, &word, self.format, self.terminal, outcome).map(Some)
    }

    /// Shows, before the first step, that all of it can be undone; nothing is begun that may end part-way. The outcome
    /// is that of the command if this is not shown.
    fn prove(&self, stored: &Stored, back: Return) -> anyhow::Result<Option<Outcome>> {
        let keep = "'--on-failure stop' does it without a way back";
        let (outcome, word) = match back {
            Return::Open { cleans_up } => {
                let until =
                    if cleans_up { ", until what is no longer needed is deleted at the end" } else { "" };
                self.remark(&format!("whatever fails, it can be undone{until}"));
                return Ok(None);
            }
            Return::Closed(why) => {
                (Outcome::Findings, format!("not begun, since it cannot be undone: {why}; {keep}"))
            }
            Return::Unknown(why) => (
                Outcome::CouldNotRun,
                format!("not begun, since it is not known whether it can be undone: {why}; {keep}"),
            ),
        };
        super::show::said(stored, &word, self.format, self.terminal, outcome).map(Some)
    }

    fn summary(&self, path: &Path) -> anyhow::Result<()> {
        if self.quiet || self.format == TextFormat::Json {
            return Ok(());
        }
        let mut page = Page::new(self.terminal.style());
        for difference in path.differences() {
            let what = match difference.fate {
                Fate::Keep => continue,
                Fate::Add => "add",
                Fate::Change => "change",
                Fate::Replace => "replace",
                Fate::Remove => "remove",
                Fate::Leave => "leave",
            };
            page.line(&format!("{what:>8} {}", difference.name));
            if difference.loses_data {
                page.line("         what is in it is lost");
            }
            for why in &difference.why {
                page.line(&format!("         because {why}"));
            }
        }
        for assumption in path.assumptions() {
            page.line(assumption);
        }
        let count = |fate| path.count(fate);
        page.line(&format!(
            "{}: {} added, {} changed, {} replaced, {} removed, {} kept",
            counted(path.steps.len(), "step"),
            count(Fate::Add),
            count(Fate::Change),
            count(Fate::Replace),
            count(Fate::Remove),
            count(Fate::Keep)
        ));
        self.terminal.page(&page)
    }

    /// Says how it ended.
    fn report(&self, stored: &Stored, end: Option<&End>, word: &str) -> anyhow::Result<Outcome> {
        let state = &stored.state;
        let last = state.requests.last().map(|request| request.status);
        let (outcome, word) = match (end, last) {
            (Some(End::Unknown(nodes)), _) => (
                Outcome::CouldNotRun,
                format!("cannot be told: {}; see 'locus resolve --help'", nodes.join(", ")),
            ),
            (Some(End::Left), _) => (Outcome::CouldNotRun, "left as it is; 'locus up' goes on".to_owned()),
            (_, Some(RequestStatus::RolledBack)) if word.is_empty() => {
                (Outcome::Findings, "failed and rolled back".to_owned())
            }
            (_, Some(RequestStatus::Kept)) if word.is_empty() => {
                (Outcome::Findings, "failed, and what was done is kept".to_owned())
            }
            (_, Some(RequestStatus::RollbackFailed)) if word.is_empty() => (
                Outcome::Findings,
                "failed, and could not be undone; 'locus up' or 'locus down' goes on".to_owned(),
            ),
            (_, Some(RequestStatus::Failure)) if word.is_empty() => {
                (Outcome::Findings, "has no plan".to_owned())
            }
            _ if !word.is_empty() => (Outcome::Clean, word.to_owned()),
            _ if self.is_unjudged.get() => (Outcome::Clean, "done, and its way was not judged".to_owned()),
            _ => (Outcome::Clean, "done".to_owned()),
        };
        super::show::said(stored, &word, self.format, self.terminal, outcome)?;
        if outcome == Outcome::Clean && self.format == TextFormat::Human {
            let mut page = Page::new(self.terminal.style());
            for (name, node) in state.nodes.iter().filter(|(_, node)| node.present) {
                for (key, value) in
                    node.outputs.iter().filter(|(key, _)| *key != "id" && !key.starts_with('.'))
                {
                    page.line(&format!("  {name}.{key} = {}", shown(value)));
                }
            }
            self.terminal.page(&page)?;
        }
        Ok(outcome)
    }
}
