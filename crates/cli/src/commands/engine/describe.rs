//! From a file to what is to be deployed, and from what is kept with a deployment to the file that it was made from.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use locus_compose::ENV_FILE;
use locus_deploy::{Document as Kept, Given, Goal, Node, Recorder, Replayed, VERSION};
use locus_drivers::{Maker, Site};
use locus_language::options::{PARAMETER, Values};
use locus_language::{Document, Effort, Language, NoGraph, Options, Request};
use locus_meaning::Key;
use locus_meaning::things::{Programs, Thing};
use locus_source::{Loader, Severity, SourceFile};

use super::sites;
use crate::args::{Raw, Reading};
use crate::inputs::Input;
use crate::languages;
use crate::loader::Allowed;
use crate::session::{Session, Setup};
use crate::terminal::Terminal;

/// A file, and what is to be deployed of it.
pub(super) struct Described {
    pub(super) goal: Goal,
    /// The name that the file gives to it, if it gives one.
    pub(super) own_name: Option<String>,
    pub(super) session: Session,
    file: Arc<SourceFile>,
    language: &'static dyn Language,
    document: Box<dyn Document>,
    recorder: Arc<Recorder>,
    loader: Arc<dyn Loader>,
    effort: Effort,
}

/// How a file is to be deployed, beside what it says itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choices<'a> {
    /// The name of the deployment, if it was given one.
    pub(super) name: Option<&'a str>,
    /// The number of the simulated cloud, if it is one.
    pub(super) simulate: Option<u64>,
    /// The file that says which nodes are made elsewhere.
    pub(super) sites: Option<&'a Path>,
    /// For how long programs may run.
    pub(super) timeouts: &'a [(String, u64)],
    /// The settings of the driver that were given.
    pub(super) settings: &'a [(&'static str, String)],
    /// The word for it, in messages.
    pub(super) done: &'static str,
}

/// Reads what a file describes; none if something is wrong with it, which was said.
pub(super) fn describe(
    choices: &Choices<'_>,
    reading: &Reading,
    path: &Path,
    terminal: &Terminal,
) -> anyhow::Result<Option<Described>> {
    let input = Input { path: path.to_owned(), named: true };
    let mut setup = Setup::reading(reading);
    if choices.simulate.is_none() {
        // What is built is built with the rights of who asks for it, and from all that they may read.
        setup.allowed = Allowed::everything();
    }
    let mut session = Session::new(languages::ALL, &setup)?;
    let mut file = session.read(&input, &reading.stdin_name)?;
    let mut language = session.language(reading.language(), &file)?;
    if let (Some(name), Some(parameter)) = (choices.name, language.naming_parameter()) {
        setup.add(PARAMETER, Raw::Texts(vec![format!("{parameter}={name}")]));
        session = Session::new(languages::ALL, &setup)?;
        file = session.read(&input, &reading.stdin_name)?;
        language = session.language(reading.language(), &file)?;
    }
    if let Some(choice) = session.refused(language).first() {
        let what = format!("{}: a file in the language {}", file.name(), language.id());
        return Err(session.refusal(*choice, &what));
    }
    let files = session.files(&input.path);
    let recorder = Arc::new(Recorder::new(Arc::clone(&files) as _));
    let loader: Arc<dyn Loader> = Arc::clone(&recorder) as _;
    let effort = session.effort(None, 1);
    let request = session.request(&loader, &effort);
    let document = language.read(&file, &request);
    let judged = document.judge(&request);
    let unanswered = judged.unanswered.first().map(|unanswered| unanswered.why.clone());
    let mut errors = session.settled(&file, language, &*document, judged, &files);
    errors.retain(|finding| finding.severity == Severity::Error);
    for finding in &errors {
        terminal.remark_finding(finding, &session.sources);
    }
    if !errors.is_empty() {
        let (file, done) = (file.name(), choices.done);
        terminal.remark(&format!("{file} was not {done}, because something is wrong with it"));
        return Ok(None);
    }
    if let Some(why) = unanswered {
        bail!("{} was not {}: {why}", file.name(), choices.done);
    }
    let built = if choices.simulate.is_some() {
        document.things(&request)
    } else {
        // Where what is planned as one consists of several, its driver makes these.
        document.built(&request)
    };
    let things = match built.map(without_milestones) {
        Ok(things) => things,
        Err(NoGraph::NotThisLanguage(_)) => {
            bail!("{}: {} describes nothing that could be deployed", file.name(), language.name())
        }
        Err(NoGraph::NotUnderstood) => bail!("{} could not be read", file.name()),
        Err(NoGraph::NotBuildable(why)) => bail!("{} cannot be built: {why}", file.name()),
    };
    let mut nodes = Node::of_all(&things);
    let driver = match (choices.simulate, language.driver()) {
        (Some(seed), _) => Site::new("simulated", [("seed", seed.to_string())]),
        (None, Some(driver)) => usual(driver, choices.settings)?,
        (None, None) => bail!(
            "{}: there is no driver for {} yet; rehearse it with --simulate SEED",
            file.name(),
            language.name()
        ),
    };
    let maker = driver.maker().map_err(|reason| anyhow!(reason))?;
    refuse(maker, &nodes, file.name())?;
    resolve(maker, &driver, &nodes, file.name())?;
    if maker.runs_programs {
        nodes = made_by_programs(nodes, &things, file.name())?;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let base = folder.unwrap_or(Path::new(".")).canonicalize()?;
    let sites = sites::chosen(choices.sites, &mut nodes)?;
    let timeouts = choices.timeouts.iter().cloned().collect();
    let (base, place) = (base.display().to_string(), String::new());
    let mut goal = Goal { version: VERSION, driver, base, sites, timeouts, place, nodes };
    goal.suit()?;
    goal.check()?;
    // A file whose name ends as those of its language do is called by what stands before that.
    let file_name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let before = language.endings().iter().find_map(|ending| file_name.strip_suffix(ending));
    let named = || before.filter(|before| !before.is_empty()).map(str::to_owned);
    let own_name = document.own_name().or_else(named);
    Ok(Some(Described { goal, own_name, session, file, language, document, recorder, loader, effort }))
}

/// The things without milestones, which nobody makes.
fn without_milestones(things: Vec<Thing>) -> Vec<Thing> {
    locus_meaning::things::without_milestones(things, usize::MAX)
}

/// Says at once all that a driver cannot make.
fn refuse(maker: &Maker, nodes: &[Node], file: &str) -> anyhow::Result<()> {
    let none = serde_json::Value::Null;
    let own = nodes.iter().filter(|node| node.site.is_none());
    let refused = own.filter_map(|node| {
        let why = (maker.refuses)(&node.sort, node.specification.as_ref().unwrap_or(&none))?;
        Some(format!("\n  {}: {why}", node.name))
    });
    let refused: String = refused.collect();
    if refused.is_empty() {
        return Ok(());
    }
    bail!("{file} cannot be built whole, so nothing was begun:{refused}")
}

/// Says at once all that nodes name and that is not where they are made.
fn resolve(maker: &Maker, site: &Site, nodes: &[Node], file: &str) -> anyhow::Result<()> {
    let own = nodes.iter().filter(|node| node.site.is_none());
    let named = own.filter_map(|node| Some((&*node.name, &*node.sort, node.specification.as_ref()?)));
    let missing = (maker.missing)(site, &named.collect::<Vec<_>>()).map_err(|reason| anyhow!(reason))?;
    if missing.is_empty() {
        return Ok(());
    }
    let missing: Vec<String> = missing.iter().map(|(node, why)| format!("\n  {node}: {why}")).collect();
    bail!("{file} names what is not there, so nothing was begun:{}", missing.concat())
}

/// The nodes with the programs that make them.
fn made_by_programs(nodes: Vec<Node>, things: &[Thing], file: &str) -> anyhow::Result<Vec<Node>> {
    let programs = || things.iter().map(|thing| thing.programs.as_deref());
    if let Some(unknown) = programs().flatten().find_map(|programs| programs.unknown.first()) {
        bail!("{file} was not deployed, because something that programs are told is not known: {unknown}");
    }
    let with = |(node, programs): (Node, Option<&Programs>)| match programs {
        Some(programs) => node.with(programs),
        None => node,
    };
    Ok(nodes.into_iter().zip(programs()).map(with).collect())
}

/// A driver with what the environment tells it, and other settings that were given.
pub(crate) fn usual(driver: &str, settings: &[(&'static str, String)]) -> anyhow::Result<Site> {
    let given = |setting: &str| settings.iter().find(|(name, _)| *name == setting);
    let variable = |name: &str| std::env::var(name).ok();
    let is_set = settings.iter().map(|(name, _)| *name).collect::<Vec<_>>();
    let mut site = Site::usual(driver, &variable, &is_set).map_err(|reason| anyhow!(reason))?;
    let known = site.maker().map_err(|reason| anyhow!(reason))?.settings;
    if let Some((name, _)) = settings.iter().find(|(name, _)| known.iter().all(|(known, _)| known != name)) {
        bail!("--{name} is not for what the driver {driver} makes");
    }
    for (name, _) in known {
        if let Some((_, value)) = given(name) {
            site.settings.insert((*name).to_owned(), value.clone());
        }
    }
    Ok(site)
}

impl Described {
    /// Whether what the document has as one thing is made as several.
    pub(super) fn has_parts(&self) -> bool {
        let known: BTreeSet<Key> = self.goal.nodes.iter().map(Node::key).collect();
        let things = self.document.things(&self.request()).map(without_milestones).unwrap_or_default();
        things.iter().any(|thing| !known.contains(&thing.key))
    }

    pub(super) fn file(&self) -> &SourceFile {
        &self.file
    }

    fn request(&self) -> Request<'_> {
        self.session.request(&self.loader, &self.effort)
    }

    /// The document, for the judge.
    pub(super) fn asked(&self) -> locus_judge::Asked<'_> {
        locus_judge::Asked { document: &*self.document, request: self.request() }
    }

    /// The document as it is kept with the deployment.
    pub(super) fn kept(&self) -> String {
        let request = self.request();
        let mut kept = Kept::new(self.language.id(), self.file.name(), self.file.text());
        let own = request.options.all().filter(|(choice, _)| self.language.options().contains(choice));
        let text = |file: &Arc<SourceFile>| (file.name().to_owned(), file.text().to_owned());
        kept.options = own
            .map(|(choice, values)| {
                let given = match values {
                    Values::Flag => Given::Flag,
                    Values::Texts(texts) => Given::Texts(texts.clone()),
                    Values::Pairs(pairs) => Given::Pairs(pairs.clone()),
                    Values::Files(files) => Given::Files(files.iter().map(text).collect()),
                };
                (choice.name.to_owned(), given)
            })
            .collect();
        let variables = request.options.texts(ENV_FILE);
        self.recorder.complete(kept, &self.goal.text(), variables).stored()
    }
}

/// A document that is kept with a deployment, read again.
pub(super) struct Before {
    document: Box<dyn Document>,
    options: Options,
    loader: Arc<dyn Loader>,
    effort: Effort,
}

impl Before {
    /// Reads it as one of the sources of a session; none if it cannot be read now as it was read then. Its files are
    /// shown below this folder.
    pub(super) fn read(kept: &Kept, session: &Session, folder: &str) -> Option<(Self, Vec<Node>)> {
        let language = session.languages.by_id(&kept.language).ok()?;
        let add = |name: &str, text: &str| session.sources.add(Kept::shown(folder, name), text);
        let file = add(&kept.name, kept.text.as_deref()?);
        let replayed: Arc<Replayed> = Arc::new(kept.loader(folder));
        let loader: Arc<dyn Loader> = Arc::clone(&replayed) as _;
        let mut options = Options::default();
        for (name, given) in &kept.options {
            let choice = language.options().iter().find(|choice| choice.name == name)?;
            let values = match given {
                Given::Flag => Values::Flag,
                Given::Texts(texts) => Values::Texts(texts.clone()),
                Given::Pairs(pairs) => Values::Pairs(pairs.clone()),
                Given::Files(files) => {
                    Values::Files(files.iter().map(|(name, text)| add(name, text)).collect())
                }
            };
            options.set(*choice, values, true);
        }
        let effort = session.effort(None, 1);
        let request = Request { options: &options, ..session.request(&loader, &effort) };
        let document = language.read(&file, &request);
        let nodes = Node::of_all(&without_milestones(document.things(&request).ok()?));
        (!replayed.misses()).then_some((Self { document, options, loader, effort }, nodes))
    }

    /// The document, for the judge.
    pub(super) fn asked<'b>(&'b self, session: &'b Session) -> locus_judge::Asked<'b> {
        let request = Request { options: &self.options, ..session.request(&self.loader, &self.effort) };
        locus_judge::Asked { document: &*self.document, request }
    }
}
