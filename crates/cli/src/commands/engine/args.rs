//! The options of the engine's commands.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::keys::{self, Named};
use crate::args::{Reading, TextFormat};

/// A number of steps side by side: with none, nothing would ever be done.
fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("at least 1 step must be done at a time".to_owned()),
        Ok(number) => Ok(number),
        Err(error) => Err(error.to_string()),
    }
}

#[expect(clippy::unnecessary_wraps, reason = "clap asks for it")]
fn named(text: &str) -> Result<Named, String> {
    Ok(text.into())
}

/// An operation, or none for all, and a number of seconds.
fn step_timeout(text: &str) -> Result<(String, u64), String> {
    let (operation, seconds) = text.rsplit_once('=').unwrap_or(("", text));
    match seconds.parse() {
        Ok(0) => Err("a program needs more than 0 seconds".to_owned()),
        Ok(seconds) => Ok((operation.to_owned(), seconds)),
        Err(error) => Err(error.to_string()),
    }
}

/// Where deployments are kept, and how to answer.
#[derive(ClapArgs, Debug)]
pub(crate) struct Kept {
    /// The folder in which deployments are kept, or postgres://USER@HOST/DATABASE [default: $LOCUS_STORE, or .locus in
    /// this folder]
    #[arg(long, value_name = "STORE")]
    pub(crate) store: Option<String>,
    /// For how long a worker may be silent before others take over what it does
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) lease: u64,
    /// How to write the answer
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    pub(crate) format: TextFormat,
}

/// The treatment of completed steps when something fails.
#[derive(Clone, Copy, ValueEnum, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// It is undone
    Rollback,
    /// It is kept, to be looked at
    Stop,
    /// All of it is deleted, if it was a creation
    Delete,
}

/// Build what a file describes, or change what was built from it
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  locus up service.yaml                       show what would be done, ask, and do it
  locus up service.yaml --yes --format json   for a program
  locus up stack.yaml --cloud mine            build a Heat template in a cloud of clouds.yaml
  locus up stack.yaml --simulate 7            rehearse it on a simulated cloud that fails now and then
  locus up service.yaml --on-failure stop     keep what was done when something fails
  locus up service.yaml --revert-drift        make again what is gone, put right what was changed
  locus up shop.plan                          do exactly what 'locus plan --out shop.plan' has shown, without asking

Run it again with a changed file to update. Whatever was interrupted goes on first.
Ctrl-C once undoes what was begun; twice leaves it as it is, and the next 'locus up' or 'locus down' goes on.
Exit codes: 0 done, 1 failed and rolled back, or findings, 2 could not tell.")]
pub(crate) struct Up {
    /// The files, each a deployment of its own; all are checked before the first is begun; or a plan, FILE.plan, that
    /// 'locus plan --out' has made [default: the Compose project of this folder]
    #[arg(value_name = "FILE", conflicts_with = "file")]
    pub(crate) paths: Vec<PathBuf>,
    /// The name of the deployment [default: that of the Compose project, or of the file without its ending]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
    /// Delete or replace also what has data in it, which is lost
    #[arg(long)]
    pub(crate) allow_data_loss: bool,
    /// How to treat completed steps when something fails
    #[arg(long, value_enum, default_value_t = Failure::Rollback, value_name = "WHAT")]
    pub(crate) on_failure: Failure,
    /// Go on where it cannot be told whether a rule is broken on the way
    #[arg(long)]
    pub(crate) unjudged: bool,
    /// Look for what is gone or has changed since, and make it as described again
    #[arg(long)]
    pub(crate) revert_drift: bool,
    /// Use a simulated cloud whose failures depend on this number; 0 never fails
    #[arg(long, value_name = "SEED")]
    pub(crate) simulate: Option<u64>,
    /// Build a Heat template in this cloud of clouds.yaml, without Heat [default: $OS_CLOUD, or the other variables
    /// OS_…]
    #[arg(long, value_name = "NAME", conflicts_with = "simulate")]
    pub(crate) cloud: Option<String>,
    /// The region of the cloud, if it is not the one that is configured
    #[arg(long, value_name = "NAME", conflicts_with = "simulate")]
    pub(crate) region: Option<String>,
    /// Take something that exists for a node instead of making it; a node is named as 'locus import' has it
    #[arg(long, value_name = "NODE=ID", value_parser = keys::taken)]
    pub(crate) import: Vec<(Named, String)>,
    /// Make some nodes elsewhere: a TOML file with a table for each place, with its driver, settings and nodes
    #[arg(long, value_name = "FILE")]
    pub(crate) sites: Option<PathBuf>,
    /// For how long a program may run, or the programs of one operation: --step-timeout start=30
    #[arg(long, value_name = "[OPERATION=]SECONDS", value_parser = step_timeout)]
    pub(crate) step_timeout: Vec<(String, u64)>,
    /// How many steps are done side by side
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = at_least_one)]
    pub(crate) parallel: usize,
    /// Keep what programs wrote in .locus/runs when all that they built is deleted
    #[arg(long)]
    pub(crate) keep_logs: bool,
    /// Begin nothing if reading and planning take longer than this: 30s, 5m; what was begun takes as long as it takes
    #[arg(long, value_name = "TIME", value_parser = crate::quantities::duration)]
    pub(crate) timeout: Option<std::time::Duration>,
    #[command(flatten)]
    pub(crate) kept: Kept,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Take down what was built
#[derive(ClapArgs, Debug)]
pub(crate) struct Down {
    /// The deployment
    pub(crate) name: String,
    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
    /// How many steps are done side by side
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = at_least_one)]
    pub(crate) parallel: usize,
    /// Keep what programs wrote in .locus/runs when all that they built is deleted
    #[arg(long)]
    pub(crate) keep_logs: bool,
    /// Begin nothing if reading and planning take longer than this: 30s, 5m; what was begun takes as long as it takes
    #[arg(long, value_name = "TIME", value_parser = crate::quantities::duration)]
    pub(crate) timeout: Option<std::time::Duration>,
    #[command(flatten)]
    pub(crate) kept: Kept,
}

/// Say what is deployed, and what is going on
#[derive(ClapArgs, Debug)]
pub(crate) struct Status {
    /// The deployment [default: all]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) kept: Kept,
}

/// List what happened to a deployment
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  locus events shop                  all events
  locus events shop --follow         and those to come, until nothing goes on
  locus events shop --verify         check them against the rules of the engine
  locus events shop --svg > run.svg  a picture of what was done when

Exit codes of --verify: 0 they can have happened so, 1 they cannot.")]
pub(crate) struct Events {
    /// The deployment
    pub(crate) name: String,
    /// Wait for more, until nothing goes on
    #[arg(long)]
    pub(crate) follow: bool,
    /// Check that the events can have happened so
    #[arg(long, conflicts_with = "follow")]
    pub(crate) verify: bool,
    /// Draw them: nodes as rows, steps as bars from intent to outcome
    #[arg(long, conflicts_with_all = ["follow", "verify"])]
    pub(crate) svg: bool,
    #[command(flatten)]
    pub(crate) kept: Kept,
}

/// Work on whatever goes on in a store, until it is interrupted
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  locus engine --store postgres://locus@db/locus       one of several that share the work
  locus engine --once                                  end as soon as nothing goes on

Several may run at once, on several machines if the store is in PostgreSQL. Ctrl-C leaves what is under way to others.")]
pub(crate) struct Engine {
    /// End as soon as nothing goes on
    #[arg(long)]
    pub(crate) once: bool,
    /// How many steps are done side by side
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = at_least_one)]
    pub(crate) parallel: usize,
    #[command(flatten)]
    pub(crate) kept: Kept,
}

/// Undo what is going on
#[derive(ClapArgs, Debug)]
pub(crate) struct Cancel {
    /// The deployment
    pub(crate) name: String,
    /// How many steps are done side by side
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = at_least_one)]
    pub(crate) parallel: usize,
    #[command(flatten)]
    pub(crate) kept: Kept,
}

/// Say whether a step was done that the engine cannot tell
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  locus resolve shop web --adopt i-0123     it was done, and this is what the world calls it
  locus resolve shop web --absent           it was not done
  locus resolve shop --all --absent         nothing that is in doubt was done

Then 'locus up' or 'locus down' goes on.")]
pub(crate) struct Resolve {
    /// The deployment
    pub(crate) name: String,
    /// The node, by the name that 'locus status' shows or by its key
    #[arg(required_unless_present = "all", conflicts_with = "all", value_parser = named)]
    pub(crate) node: Option<Named>,
    /// Every node that is in doubt
    #[arg(long, requires = "absent")]
    pub(crate) all: bool,
    /// It was done, and the world calls the node so
    #[arg(long, value_name = "ID", required_unless_present = "absent", conflicts_with_all = ["absent", "all"])]
    pub(crate) adopt: Option<String>,
    /// It was not done
    #[arg(long)]
    pub(crate) absent: bool,
    #[command(flatten)]
    pub(crate) kept: Kept,
}

/// Forget a deployment, and leave what was built as it is
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  locus forget shop          say what would be left, ask, and forget it
  locus forget shop --yes    do not ask

Use it when 'locus down' cannot come to an end: what the deployment built is not looked at, and is yours to remove.")]
pub(crate) struct Forget {
    /// The deployment
    pub(crate) name: String,
    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) kept: Kept,
}

/// Take something that exists for a node of a deployment
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  locus import shop db i-0123              the node db, which is described and not there, is i-0123
  locus up shop.yaml --import db=i-0123    the same before anything of the file was built
  locus import shop '[\"web\",0]' i-0123     the first copy of web, where something else is called web[0]

Nothing is changed in the world. What is different from the description is changed by the next 'locus up'.")]
pub(crate) struct Import {
    /// The deployment
    pub(crate) name: String,
    /// The node, by its name or by its key: a list of texts and numbers, as JSON writes it
    #[arg(value_parser = named)]
    pub(crate) node: Named,
    /// Its id in the world
    pub(crate) id: String,
    #[command(flatten)]
    pub(crate) kept: Kept,
}

/// Say what the nodes of a deployment put out
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  locus output shop            all outputs
  locus output shop web.url    the value of one, for a script")]
pub(crate) struct Output {
    /// The deployment
    pub(crate) name: String,
    /// Only this one: NODE.OUTPUT
    pub(crate) key: Option<String>,
    #[command(flatten)]
    pub(crate) kept: Kept,
}

/// Compare what was built with what is there
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Exit codes: 0 all is there, 1 something is not, 2 that cannot be told.")]
pub(crate) struct Drift {
    /// The deployment
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) kept: Kept,
}
