//! A file against what is deployed: for `locus plan --name`, and for plans that are written to a file and done later.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use locus_deploy::{PlanFile, ReadWith, goal_of, update};
use locus_engine::{Phase, State};
use locus_language::Language;
use locus_language::options::Takes;
use locus_plan::Pivot;
use locus_store::Stored;

use super::args::Kept;
use super::describe::{self, Choices, Described};
use super::way::{self, Old};
use super::{Home, up};
use crate::args::{Given, Plan, Raw, Reading, TextFormat};
use crate::languages;
use crate::output;
use crate::projects::Parts;
use crate::session::Session;
use crate::terminal::Terminal;

/// A file, what is deployed, and the way from that to the file.
pub(crate) struct Against {
    described: Described,
    old: Old,
    path: locus_deploy::Path,
    /// The deployment; none if there is none.
    stored: Option<Stored>,
    reading: ReadWith,
}

/// Plans the way from what is deployed to what a file describes; none if something is wrong with the file, which was
/// said.
pub(crate) fn against(
    command: &Plan,
    reading: &Reading,
    file: &Path,
    terminal: &Terminal,
) -> anyhow::Result<Option<Against>> {
    let kept = Kept { store: command.store.clone(), lease: 30, format: TextFormat::Human };
    // A plan that is written is for a deployment of this store, be it one that is yet to be made.
    let home = if command.out.is_some() { Home::open(&kept)? } else { Home::read(&kept)? };
    let mut simulate = command.simulate;
    if let (None, Some(name)) = (simulate, &command.name)
        && let Some(stored) = home.store.load(name)?
        && let Some(goal) = goal_of(&stored.state)?
    {
        // What was built by a simulated cloud is changed by it.
        let seed = goal.driver.settings.get("seed").filter(|_| goal.driver.driver == "simulated");
        simulate = seed.and_then(|seed| seed.parse().ok());
    }
    let choices = Choices {
        name: command.name.as_deref(),
        simulate,
        sites: command.sites.as_deref(),
        timeouts: &[],
        settings: &[],
        done: "planned",
    };
    let Some(mut described) = describe::describe(&choices, reading, file, terminal)? else { return Ok(None) };
    let name = up::name_of(command.name.as_deref(), file, described.own_name.clone())?;
    if super::sites::keeps_traces(&described.goal)? {
        described.goal.place.clone_from(&home.mark);
    }
    let stored = match &command.out {
        Some(_) => Some(home.newest(&name)?),
        None => home.store.load(&name)?,
    };
    let nothing = State::default();
    let state = stored.as_ref().map_or(&nothing, |stored| &stored.state);
    if state.phase != Phase::Idle {
        bail!("{name} is {}, and goes on: 'locus up' or 'locus down' ends that first", state.status.as_str());
    }
    if state.status.is_lost() {
        bail!("{name} is {}, and is deleted first: 'locus down {name}' does that", state.status.as_str());
    }
    let before = goal_of(state)?.filter(|_| state.nodes.values().any(|node| node.present));
    if before.is_some_and(|before| before.driver != described.goal.driver) {
        bail!("{name} was built by another driver; take it down first");
    }
    let path = update(state, &described.goal.nodes)?;
    let old = match &stored {
        _ if described.has_parts() => Old::Unknown(way::PARTS),
        Some(stored) => way::old(&home, stored, &described.session)?,
        None => Old::Nothing,
    };
    let reading = read_with(reading, file, command.name.clone(), simulate, command.sites.as_deref())?;
    Ok(Some(Against { described, old, path, stored, reading }))
}

impl Against {
    pub(crate) fn session(&self) -> &Session {
        &self.described.session
    }

    pub(crate) fn file(&self) -> &locus_source::SourceFile {
        self.described.file()
    }

    /// All that becomes of each thing.
    pub(crate) fn pivot(&self) -> &Pivot {
        self.path.pivot()
    }

    /// The documents of what is there and of what is to be, for the judge.
    pub(crate) fn documents(&self) -> [Option<locus_judge::Asked<'_>>; 2] {
        [self.old.asked(&self.described.session), Some(self.described.asked())]
    }

    /// Why the way from what is there cannot be judged, if it cannot.
    pub(crate) fn not_judged(&self) -> Option<&'static str> {
        self.old.not_judged()
    }

    /// Writes the plan to a file, for `locus up` to do exactly so.
    pub(crate) fn write(&self, out: &Path) -> anyhow::Result<()> {
        let stored = self.stored.as_ref().context("a plan that is written is for a deployment")?;
        let plan = PlanFile::new(stored, &self.described.goal, &self.path.steps, self.reading.clone())?;
        output::refuse_input(out, &self.described.session.sources)?;
        output::write_whole(out, &plan.text())
    }
}

fn text(path: &Path) -> anyhow::Result<String> {
    path.to_str().map(str::to_owned).ok_or_else(|| anyhow!("the path {} is not UTF-8", path.display()))
}

fn texts(paths: &[PathBuf]) -> anyhow::Result<Vec<String>> {
    paths.iter().map(|path| text(path)).collect()
}

fn read_with(
    reading: &Reading,
    file: &Path,
    named: Option<String>,
    simulate: Option<u64>,
    sites: Option<&Path>,
) -> anyhow::Result<ReadWith> {
    if crate::inputs::is_stdin(file) {
        bail!("standard input cannot be read again when the plan is done; name a file");
    }
    let mut with = ReadWith {
        file: text(file)?,
        project: texts(&reading.project.file)?,
        named,
        language: reading.language.clone(),
        env_files: texts(&reading.project.env_file)?,
        profiles: reading.project.profile.clone(),
        simulate,
        sites: sites.map(text).transpose()?,
        ..ReadWith::default()
    };
    for (choice, raw) in &reading.given.0 {
        let values = match raw {
            Raw::Flag => Vec::new(),
            // A value may be a secret.
            Raw::Texts(pairs) if choice.takes == Takes::Pairs => {
                let names = pairs.iter().filter_map(|pair| pair.split('=').next());
                with.parameters.extend(names.map(str::to_owned));
                continue;
            }
            Raw::Texts(texts) => texts.clone(),
            Raw::Paths(paths) => texts(paths)?,
        };
        with.options.insert(choice.name.to_owned(), values);
    }
    Ok(with)
}

/// The options about reading that a plan was made with; names with values are given anew.
pub(super) fn reading_of(plan: &PlanFile, given: &Reading) -> anyhow::Result<Reading> {
    let paths = |texts: &[String]| texts.iter().map(PathBuf::from).collect();
    let with = &plan.reading;
    let mut all: Vec<_> =
        given.given.0.iter().filter(|(choice, _)| choice.takes == Takes::Pairs).cloned().collect();
    for (name, values) in &with.options {
        let mut choices = languages::ALL.iter().flat_map(Language::options);
        let choice = choices.find(|choice| choice.name == name);
        let choice =
            *choice.ok_or_else(|| anyhow!("the plan has the option --{name}, which there is not"))?;
        let raw = match choice.takes {
            Takes::Nothing => Raw::Flag,
            Takes::Texts | Takes::Pairs => Raw::Texts(values.clone()),
            Takes::Files | Takes::Folders => Raw::Paths(paths(values)),
        };
        all.push((choice, raw));
    }
    Ok(Reading {
        language: with.language.clone(),
        given: Given(all),
        project: Parts {
            file: paths(&with.project),
            env_file: paths(&with.env_files),
            profile: with.profiles.clone(),
        },
        ..given.clone()
    })
}

/// The plan in a file, if it is called as one.
pub(super) fn plan_in(paths: &[PathBuf]) -> anyhow::Result<Option<PlanFile>> {
    let is_plan = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "plan");
    match paths {
        [path] if is_plan(path) => {
            let bytes = crate::inputs::bytes(path, &locus_source::Limits::default())?;
            let text = String::from_utf8(bytes).map_err(|_| anyhow!("{} is not a text", path.display()))?;
            Ok(Some(PlanFile::parse(&text).with_context(|| path.display().to_string())?))
        }
        paths if paths.iter().any(is_plan) => bail!("a plan is done alone"),
        _ => Ok(None),
    }
}
