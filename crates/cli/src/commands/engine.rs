//! The engine at work: `locus up`, `down`, `status`, `events`, `cancel`, `resolve`, `forget`, `import`,
//! `output`, `drift` and `engine`.
//!
//! Here is what they share: where deployments are kept, who works on them, and how a run is reported. [`describe`] says
//! what is to be deployed, `locus-deploy` how to get there, [`show`] what there is.

mod against;
mod args;
mod describe;
mod keys;
mod outputs;
mod show;
mod sites;
mod take_over;
mod timeline;
mod up;
mod way;
mod ways_out;
mod workers;

use std::fs::{File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, anyhow, bail};
use locus_deploy::{Back, Goal, goal_of};
use locus_drivers::{Driver, End, Runner, Settings, Site, Sites, Surroundings, Variables};
use locus_engine::{Effect, Input, Phase, Refusal, Time};
use locus_store::{Memory, Postgres, Sqlite, Store, Stored, StoredEvent};

use crate::interrupt;
use crate::memory;
use crate::terminal::Terminal;

pub(crate) use against::against;
pub(crate) use args::{Cancel, Down, Drift, Engine, Events, Forget, Import, Output, Resolve, Status, Up};
pub(crate) use describe::usual;
pub(crate) use outputs::output;
pub(crate) use show::{cancel, drift, events, status};
pub(crate) use take_over::import;
pub(crate) use up::{down, up};
pub(crate) use ways_out::{forget, resolve};
pub(crate) use workers::engine;

/// How long a program may run.
const LONGEST_PROGRAM: Duration = Duration::from_hours(1);

/// Where deployments are kept, unless somebody says otherwise.
const FOLDER: &str = ".locus";

fn now() -> Time {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as Time)
}

/// The user and the machine that ask, as the system has them.
fn who() -> String {
    let user = ["USER", "LOGNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    let machine = std::fs::read_to_string("/etc/hostname").ok();
    let clean = |text: String| text.trim().replace(char::is_control, "");
    match (user.map(clean), machine.map(clean)) {
        (Some(user), Some(machine)) => format!("{user}@{machine}"),
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => String::new(),
    }
}

/// Where deployments are kept, and the folder for what belongs to this machine.
struct Home {
    folder: PathBuf,
    store: Box<dyn Store>,
    lease: Duration,
    /// The prefix of the names of the workers whose files are in this folder.
    mark: String,
}

/// The identifier that distinguishes a folder from those of other machines and projects. It is made once.
fn mark(folder: &Path) -> anyhow::Result<String> {
    let path = folder.join("id");
    if !path.exists() {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        let since = SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos();
        write!(file, "{:x}{:x}", since, std::process::id())?;
        // Whoever comes second takes what is there.
        let _ = file.persist_noclobber(&path);
    }
    Ok(std::fs::read_to_string(path)?)
}

/// Makes a folder that only its owner can read. One that is there is made so only if it is ours alone.
fn private_folder(path: &Path, is_ours: bool) -> std::io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    if is_ours && std::fs::metadata(path)?.permissions().mode() & 0o077 != 0 {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

impl args::Kept {
    /// The store that is meant.
    fn named(&self) -> String {
        let named = self.store.clone().or_else(|| std::env::var("LOCUS_STORE").ok());
        named.unwrap_or_else(|| FOLDER.to_owned())
    }
}

fn is_server(named: &str) -> bool {
    ["postgres://", "postgresql://"].iter().any(|scheme| named.starts_with(scheme))
}

impl Home {
    fn open(kept: &args::Kept) -> anyhow::Result<Self> {
        let named = kept.named();
        let is_server = is_server(&named);
        let folder = PathBuf::from(if is_server { FOLDER } else { &named });
        let cannot = || format!("{}: the store cannot be made", folder.display());
        private_folder(&folder, false).with_context(cannot)?;
        // The names of steps say what is deployed.
        for own in ["workers", "runs"] {
            private_folder(&folder.join(own), true).with_context(cannot)?;
        }
        let ignore = folder.join(".gitignore");
        if !ignore.exists() {
            std::fs::write(ignore, "*\n")?;
        }
        let folder = folder.canonicalize()?;
        let store: Box<dyn Store> = if is_server {
            // The address may have a password, so it is not shown.
            Box::new(Postgres::connect(&named).context("the store in PostgreSQL")?)
        } else {
            Box::new(Sqlite::open(&folder.join("store.db")).with_context(|| folder.display().to_string())?)
        };
        let mark = mark(&folder)?;
        Ok(Self { folder, store, lease: Duration::from_secs(kept.lease), mark })
    }

    /// For commands that only read: nothing is made, and nothing need be writable.
    fn read(kept: &args::Kept) -> anyhow::Result<Self> {
        let named = kept.named();
        if is_server(&named) {
            return Self::open(kept);
        }
        let folder = PathBuf::from(&named);
        let path = folder.join("store.db");
        let store: Box<dyn Store> = if path.exists() {
            match Sqlite::read(&path).with_context(|| folder.display().to_string())? {
                Some(store) => Box::new(store),
                None => return Self::open(kept),
            }
        } else {
            Box::new(Memory::default())
        };
        let mark = std::fs::read_to_string(folder.join("id")).unwrap_or_default();
        Ok(Self { folder, store, lease: Duration::from_secs(kept.lease), mark })
    }

    /// The newest deployment with a name.
    fn deployment(&self, name: &str) -> anyhow::Result<Stored> {
        self.store.load(name)?.ok_or_else(|| {
            anyhow!("there is no deployment {} in {}", name.escape_debug(), self.folder.display())
        })
    }

    /// The deployment with a name that is not deleted: a new one, if there is none. Of several who make one at the same
    /// time all get the same.
    fn newest(&self, name: &str) -> anyhow::Result<Stored> {
        loop {
            let newest = self.store.load(name)?;
            if let Some(stored) =
                newest.as_ref().filter(|one| one.state.status != locus_engine::Status::DeleteComplete)
            {
                return Ok(stored.clone());
            }
            match self.store.create(name, newest.as_ref()) {
                Err(locus_store::Error::Conflict) => {}
                made => return Ok(made?),
            }
        }
    }

    fn driver(&self, goal: &Goal, name: &str) -> anyhow::Result<Arc<dyn Driver>> {
        let ssh = std::env::var("LOCUS_SSH").unwrap_or_else(|_| "ssh".to_owned());
        let around = Surroundings {
            folder: self.folder.clone(),
            deployment: name.to_owned(),
            base: PathBuf::from(&goal.base),
            variables: variables(&goal.base),
            ssh: ssh.split_whitespace().map(str::to_owned).collect(),
            mark: self.mark.clone(),
            longest: LONGEST_PROGRAM,
            timeouts: goal.timeouts.clone(),
        };
        let open = |site: &Site| -> anyhow::Result<Arc<dyn Driver>> {
            let maker = site.maker().map_err(|reason| anyhow!(reason))?;
            if maker.runs_programs {
                // The programs inherit it.
                memory::large_pages();
            }
            locus_drivers::open(site, &around).map_err(|reason| anyhow!(reason))
        };
        let own = open(&goal.driver)?;
        let others = goal.sites.iter().map(|(name, site)| Ok((name.clone(), open(site)?)));
        Ok(Arc::new(Sites::new(own, others.collect::<anyhow::Result<_>>()?)))
    }
}

/// The variables that the secrets and configs of a Compose project may be: those of the environment, then those of its
/// `.env`. They are looked up when they are needed, and stored nowhere.
fn variables(folder: &str) -> Variables {
    let file = Path::new(folder).join(".env");
    Arc::new(move |name| {
        let own = || {
            let text = std::fs::read_to_string(&file).ok()?;
            let environment: Vec<(String, String)> = std::env::vars().collect();
            let environment: Vec<(&str, &str)> =
                environment.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            locus_compose::variables_of(&text, &environment).ok()?.get(name).cloned()
        };
        std::env::var(name).ok().or_else(own)
    })
}

/// This process as a worker. Others know that it is gone when its file is not locked any more.
struct Worker {
    name: String,
    path: PathBuf,
    _lock: File,
}

impl Worker {
    fn new(home: &Home) -> anyhow::Result<Self> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos();
        let name = format!("{}-{}-{since}", home.mark, std::process::id());
        let path = home.folder.join("workers").join(&name);
        let lock = File::create(&path)?;
        lock.lock()?;
        Ok(Self { name, path, _lock: lock })
    }

    /// Whether a worker of this store is gone.
    fn is_gone(home: &Home, name: &str) -> bool {
        if !name.starts_with(&home.mark) {
            // It is elsewhere: only its lease tells.
            return false;
        }
        match File::open(home.folder.join("workers").join(name)) {
            // It makes its file before its first claim, and removes it after its last.
            Err(error) => error.kind() == std::io::ErrorKind::NotFound,
            Ok(file) => match file.try_lock() {
                Ok(()) => true,
                Err(TryLockError::WouldBlock | TryLockError::Error(_)) => false,
            },
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Puts an input into a deployment now, and keeps what comes of it.
fn put(
    store: &dyn Store,
    stored: &mut Stored,
    input: &Input,
) -> anyhow::Result<Result<Vec<Effect>, Refusal>> {
    Ok(locus_deploy::put(store, stored, input, now())?)
}

/// Goes on with a deployment until nothing goes on any more, and tells who watches.
fn run(home: &Home, stored: &mut Stored, parallel: usize, tell: Option<&Terminal>) -> anyhow::Result<End> {
    let flag = interrupt::flag();
    work(home, stored, parallel, tell, &|| usize::from(flag.load(Ordering::Relaxed)))
}

/// The same, with another meaning of interrupts.
fn work(
    home: &Home,
    stored: &mut Stored,
    parallel: usize,
    tell: Option<&Terminal>,
    interrupts: &dyn Fn() -> usize,
) -> anyhow::Result<End> {
    let goal = goal_of(&stored.state)?.ok_or_else(|| anyhow!("nothing was ever to be deployed"))?;
    if !goal.place.is_empty() && goal.place != home.mark {
        bail!(
            "{} can only be worked on in the folder {}, where its steps leave their traces",
            stored.name,
            goal.base
        );
    }
    let worker = Worker::new(home)?;
    let mut seen = stored.events;
    let mut says_what_is_awaited = true;
    let mut watch = |stored: &Stored| {
        let Some(terminal) = tell else { return };
        let state = &stored.state;
        let awaits = matches!(state.phase, Phase::DrainToUndo | Phase::DrainToRest) && !state.is_drained();
        if awaits && std::mem::take(&mut says_what_is_awaited) {
            let claimed = state.claimed().map(|place| &state.steps[place as usize].planned);
            let steps: Vec<String> =
                claimed.map(|step| format!("{} {}", step.operation, step.node)).collect();
            let steps = if steps.is_empty() { "what was begun".to_owned() } else { steps.join(", ") };
            terminal
                .remark(&format!("nothing more is begun; waiting for {steps}; Ctrl-C leaves it as it is"));
        }
        for event in home.store.events(stored, seen).unwrap_or_default() {
            seen = event.happened.sequence;
            if let Some(line) = progress(&event) {
                terminal.remark(&line);
            }
        }
    };
    let mut runner = Runner {
        store: &*home.store,
        driver: home.driver(&goal, &stored.name)?,
        settings: Settings {
            worker: worker.name.clone(),
            parallel,
            lease: home.lease,
            deadline: home.lease * 2 / 3,
        },
        planner: &Back,
        is_gone: &|name| Worker::is_gone(home, name),
        clock: &now,
        watch: &mut watch,
        interrupts,
    };
    Ok(runner.run(stored)?)
}

/// A line about an event, if it is worth one.
fn progress(event: &StoredEvent) -> Option<String> {
    use locus_engine::About;
    let why = if event.reason.is_empty() { String::new() } else { format!(": {}", event.reason) };
    match &event.happened.about {
        About::Deployment => Some(format!("{}{why}", event.happened.status)),
        About::Request(_) => None,
        About::Node(name) => Some(format!("  {name} is {}{why}", event.happened.status)),
        About::Step(_) => {
            let what = match event.happened.status.as_str() {
                "done" => "done".to_owned(),
                "failed" => format!("failed{why}"),
                "again" => format!("will be tried again{why}"),
                "unknown" => format!("cannot be told{why}"),
                "released" => format!("taken over{why}"),
                _ => return None,
            };
            Some(format!("  {} {}: {what}", event.operation, event.node))
        }
    }
}
