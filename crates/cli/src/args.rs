//! The options of the command line, and the help that teaches them.

mod choices;
mod given;

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

pub(crate) use self::choices::{Executor, FailOn, PlanFormat};
pub(crate) use self::given::{Given, GivenToDraw, Raw};
use crate::loader::Allowed;

/// Find out, before you build it, whether a cloud configuration is right.
#[derive(Parser, Debug)]
#[command(name = "locus", version, propagate_version = true)]
#[command(after_help = "\
Examples:
  locus check stack.lg.yaml              check one file
  locus check .                          check every file below this folder that Locus knows
  locus check --format json . | jq .     the same, for a program
  locus show stack.lg.yaml               what it means
  locus graph stack.lg.yaml -o s.svg     draw it
  locus plan stack.lg.yaml               in which order it is built
  locus explain LG002                    what a finding means and what to do

Exit codes: 0 clean, 1 findings, 2 could not run.")]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) global: Global,
}

/// Options of every command.
#[derive(ClapArgs, Debug)]
pub(crate) struct Global {
    /// When to use colour
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(crate) color: Color,
    /// Print only findings, no summary
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Also print what was read and how it was understood
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
pub(crate) enum Color {
    /// On a terminal that has colour, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Check(Check),
    Show(crate::commands::Show),
    Graph(Graph),
    Plan(Plan),
    /// Analyse Alloy models
    #[command(subcommand)]
    Alloy(AlloyCommand),
    /// See what Docker Compose makes of files
    #[command(subcommand)]
    Compose(crate::commands::ComposeCommand),
    /// Check TLA+ specifications
    #[command(subcommand)]
    Tla(TlaCommand),
    Up(crate::commands::Up),
    Down(crate::commands::Down),
    Status(crate::commands::Status),
    Events(crate::commands::Events),
    Cancel(crate::commands::Cancel),
    Resolve(crate::commands::Resolve),
    Forget(crate::commands::Forget),
    Import(crate::commands::Import),
    Output(crate::commands::Output),
    Drift(crate::commands::Drift),
    Engine(crate::commands::Engine),
    Rules(Rules),
    Explain(Explain),
    Completions(Completions),
}

/// Check files: is what they describe right?
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  locus check stack.lg.yaml other.lg.json
  locus check 'envs/**/*.lg.yaml'        a glob, also where the shell has none
  locus check .                          a folder: what .gitignore names is left out
  generate | locus check -               standard input
  locus check stack.yaml -e env.yaml -P key=mine    a HOT template with its environment
  locus check -f compose.yaml -f prod.yaml --profile web    Compose files as one project
  locus check stack.yaml --rules my.als  with rules of your own
  locus check --fail-on warning .        exit 1 on warnings too
  locus check --format sarif . > out.sarif
  locus check --format github .          annotations on a pull request
  locus check --write-baseline known.json .    then --baseline known.json: only what is new fails

A comment silences a finding:  # locus: ignore LG002 -- why
A project's own word on rules goes into locus.toml: see 'locus explain LOC010'.")]
pub(crate) struct Check {
    /// Files, folders, globs, or - for standard input [default: this folder]
    #[arg(conflicts_with = "file")]
    pub(crate) paths: Vec<PathBuf>,
    /// How to write the findings
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
    /// Exit with 1 if there is a finding of at least this severity
    #[arg(long, value_enum, default_value_t = FailOn::Error, value_name = "SEVERITY")]
    pub(crate) fail_on: FailOn,
    /// Ignore the findings that are in this file: only new ones count
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write the findings to this file, for use with --baseline
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub(crate) write_baseline: Option<PathBuf>,
    /// Rules of your own, in Alloy
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Vec<PathBuf>,
    /// Ask the Docker engine ($DOCKER_HOST) what Compose files leave open: health checks and ports of images, external
    /// networks and volumes, ports and names that are taken
    #[arg(long)]
    pub(crate) engine: bool,
    /// Suggest small changes that remove findings, and show them as a diff
    #[arg(long)]
    pub(crate) suggest: bool,
    /// Apply the corrections that are certain to the files, and show the remaining findings
    #[arg(long, conflicts_with_all = ["write_baseline", "suggest"])]
    pub(crate) fix: bool,
    /// Give up on each file after this time: 30s, 5m; of an Alloy model, on each command [default: 10s for models and
    /// specifications found in a folder or by a glob, no limit for other files]
    #[arg(long, value_name = "TIME", value_parser = crate::quantities::duration)]
    pub(crate) timeout: Option<std::time::Duration>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// How files are read.
#[derive(ClapArgs, Clone, Debug)]
pub(crate) struct Reading {
    /// Read the files as this language instead of detecting it
    #[arg(long, value_name = "LANGUAGE", help_heading = "Reading")]
    pub(crate) language: Option<String>,
    #[command(flatten)]
    pub(crate) given: Given,
    #[command(flatten)]
    pub(crate) project: crate::projects::Parts,
    /// The file name to use for standard input, in messages and to detect its language
    #[arg(long, value_name = "NAME", default_value = "<stdin>", help_heading = "Reading")]
    pub(crate) stdin_name: String,
    /// The configuration [default: locus.toml here or in the nearest folder above]
    #[arg(long, value_name = "FILE", conflicts_with = "no_config", help_heading = "Reading")]
    pub(crate) config: Option<PathBuf>,
    /// Use no locus.toml
    #[arg(long, help_heading = "Reading")]
    pub(crate) no_config: bool,
    #[command(flatten)]
    pub(crate) limits: ReadingLimits,
    #[command(flatten)]
    pub(crate) access: Access,
}

/// The files and variables that may be read beyond the project.
#[derive(ClapArgs, Clone, Debug)]
pub(crate) struct Access {
    /// Allow reading this file or folder although it is outside of the project
    #[arg(long, value_name = "PATH", help_heading = "Access")]
    pub(crate) allow_read: Vec<PathBuf>,
    /// Allow specifications to read environment variables
    #[arg(long, help_heading = "Access")]
    pub(crate) allow_env: bool,
}

impl Access {
    pub(crate) fn allowed(&self) -> Allowed {
        Allowed { read: self.allow_read.clone(), environment: self.allow_env }
    }
}

/// How long a command may take.
#[derive(ClapArgs, Clone, Copy, Default, Debug)]
pub(crate) struct TimeLimit {
    /// Give up after this time: 30s, 5m
    #[arg(long, value_name = "TIME", value_parser = crate::quantities::duration)]
    pub(crate) timeout: Option<std::time::Duration>,
}

/// Limits beyond which files are refused.
#[derive(ClapArgs, Clone, Copy, Default, Debug)]
#[expect(clippy::struct_field_names, reason = "these are the names of the options")]
pub(crate) struct ReadingLimits {
    /// Refuse files with more bytes than this
    #[arg(long, value_name = "BYTES", help_heading = "Reading")]
    pub(crate) max_file_bytes: Option<usize>,
    /// Refuse files nested deeper than this
    #[arg(long, value_name = "LEVELS", help_heading = "Reading")]
    pub(crate) max_depth: Option<usize>,
    /// Refuse files with more nodes than this, counting what aliases repeat
    #[arg(long, value_name = "NODES", help_heading = "Reading")]
    pub(crate) max_nodes: Option<usize>,
}

/// Draw what a file describes
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  locus graph stack.lg.yaml -o stack.svg      a picture, for light and dark
  locus graph stack.lg.yaml -o stack.dot      for Graphviz
  locus graph stack.lg.yaml -o stack.json     the location graph itself
  locus graph stack.lg.yaml --to svg > s.svg

Exit codes: 0 drawn, 1 drawn as far as it was understood, with errors, 2 not drawn.")]
pub(crate) struct Graph {
    /// The file, or - for standard input [default: the Compose project of this folder]
    #[arg(conflicts_with = "file")]
    pub(crate) path: Option<PathBuf>,
    /// Where to write; the ending says what: .svg, .dot, .json, .yaml or .als
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The format to write [default: by the ending of the output, else svg]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) to: Option<Picture>,
    #[command(flatten)]
    pub(crate) given: GivenToDraw,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(crate) limit: TimeLimit,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq, Debug)]
pub(crate) enum Picture {
    /// A picture
    Svg,
    /// The language of Graphviz
    Dot,
    /// The location graph as JSON
    Json,
    /// The location graph as YAML
    Yaml,
    /// An Alloy module over that of the language's rules
    Alloy,
    /// The file itself in its canonical form: merged with those that it is made of
    Canonical,
}

/// In which order something is built, changed or taken down, and whether every step on the way is safe
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  locus plan stack.yaml                  build it, from nothing
  locus plan old.yaml new.yaml           the update from one version to another
  locus plan --down stack.yaml           take it down
  locus plan app.aeolus.yaml --want 'wordpress@running >= 2 and mysql = 1'
  locus plan universe.json --from now.json --want 'A@s3 >= 1'
  locus plan shop.yaml --name shop       the update of what 'locus up' has deployed under this name
  locus plan shop.yaml --out next.plan   the same, to be done exactly so: 'locus up next.plan'
  locus plan -f compose.yaml -f new.yaml --old-file compose.yaml --old-file old.yaml
  locus plan --verify old.yaml new.yaml  can it go wrong half-way?
  locus plan stack.yaml --format svg > plan.svg
  locus plan stack.yaml --format tla > Plan.tla && locus tla check Plan.tla --invariant Correct

Exit codes: 0 there is a plan, 1 there is none or it is not safe, 2 that could not be told.")]
pub(crate) struct Plan {
    /// The file to build, or the old version and the new one; - for standard input [default: the Compose project of
    /// this folder]
    #[arg(num_args = 0..=2, value_name = "FILE", conflicts_with = "file")]
    pub(crate) paths: Vec<PathBuf>,
    /// The target of an Aeolus document, instead of its own
    #[arg(long, value_name = "CONDITION", conflicts_with = "down")]
    pub(crate) want: Option<String>,
    /// The configuration to start from, for an Aeolus document: one of ours, or of Zephyrus
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,
    /// Take down what the file describes
    #[arg(long)]
    pub(crate) down: bool,
    /// Plan from what is deployed under this name to the file
    #[arg(long, value_name = "NAME", conflicts_with_all = ["down", "want", "from", "old_file"])]
    pub(crate) name: Option<String>,
    /// Plan from what is deployed to the file, and write the plan to FILE.plan, for 'locus up FILE.plan'
    #[arg(long, value_name = "FILE.plan", conflicts_with_all = ["down", "want", "from", "old_file"])]
    pub(crate) out: Option<PathBuf>,
    /// With --file: the old version of the Compose project, later files put over earlier ones; may be repeated
    #[arg(long, value_name = "FILE", requires = "file", conflicts_with = "down")]
    pub(crate) old_file: Vec<PathBuf>,
    /// With --name or --out: where deployments are kept, as for 'locus up'
    #[arg(long, value_name = "STORE")]
    pub(crate) store: Option<String>,
    /// With --name or --out: the number of the simulated cloud, as for 'locus up'
    #[arg(long, value_name = "SEED")]
    pub(crate) simulate: Option<u64>,
    /// With --name or --out: the file that says which nodes are made elsewhere, as for 'locus up'
    #[arg(long, value_name = "FILE")]
    pub(crate) sites: Option<PathBuf>,
    /// How long steps take, by component or type: a YAML file such as `OS::Nova::Server: 90s`
    #[arg(long, value_name = "FILE")]
    pub(crate) durations: Option<PathBuf>,
    /// Steps of which --durations says nothing take a typical time for their type: rough figures
    #[arg(long)]
    pub(crate) typical: bool,
    /// Explore every way in which it can go when steps fail, are tried again, are taken back or are cancelled
    #[arg(long)]
    pub(crate) verify: bool,
    /// With --verify: how often a step that fails is tried again
    #[arg(long, value_name = "N", default_value_t = 1, requires = "verify", value_parser = clap::value_parser!(u8).range(0..=100))]
    pub(crate) retries: u8,
    /// Plan in the order of another program that executes the update, for Heat templates; otherwise in one that breaks
    /// no rule on the way, if there is one
    #[arg(long = "as", value_enum, value_name = "PROGRAM")]
    pub(crate) executor: Option<Executor>,
    /// Show the steps that only prepare and bind, too
    #[arg(long)]
    pub(crate) steps: bool,
    /// How to write the plan
    #[arg(long, value_enum, default_value_t = PlanFormat::Human)]
    pub(crate) format: PlanFormat,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(crate) limit: TimeLimit,
}

/// Explain a finding's code
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  locus explain LG002
  locus explain role-provided-twice
  locus explain HOT131 --format json

'locus rules' lists all codes.")]
pub(crate) struct Explain {
    /// The code, such as LG002, or the name of the rule
    pub(crate) code: String,
    /// How to write it
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    pub(crate) format: TextFormat,
}

/// List the rules, and how each is configured here
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  locus rules                            all rules, with what locus.toml says of them
  locus rules HOT1                       those whose codes begin so
  locus rules --rules my.als             with rules of your own
  locus rules --type OS::Neutron::Port   a resource type as Alloy, to write rules over
  locus rules test my.als                rules of your own, run on the examples beside them")]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Rules {
    #[command(subcommand)]
    pub(crate) command: Option<RulesCommand>,
    /// Only codes that begin with one of these
    pub(crate) codes: Vec<String>,
    /// Write the Alloy module of a type instead, of each language that has it
    #[arg(long = "type", value_name = "TYPE", conflicts_with_all = ["codes", "format", "own"])]
    pub(crate) resource_type: Option<String>,
    /// Rules of your own, in Alloy
    #[arg(long = "rules", value_name = "FILE")]
    pub(crate) own: Vec<PathBuf>,
    /// How to write them
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    pub(crate) format: TextFormat,
    /// The configuration [default: locus.toml here or in the nearest folder above]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limit: TimeLimit,
}

/// Commands for rules
#[derive(Subcommand, Debug)]
pub(crate) enum RulesCommand {
    /// Run rules on their examples
    Test(RulesTest),
}

/// Run rules on their examples
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
The examples of a rule are beside its file, or in a folder `examples` there. OWN001.bad.yaml must break the rule OWN001,
OWN001.good.yaml must not; there may be more, such as OWN001.bad.nested.yaml.")]
pub(crate) struct RulesTest {
    /// Files with rules
    #[arg(required = true, value_name = "FILE")]
    pub(crate) paths: Vec<PathBuf>,
    /// How to write the outcome
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    pub(crate) format: TextFormat,
    #[command(flatten)]
    pub(crate) limit: TimeLimit,
}

/// Write a completion script for a shell
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  locus completions bash > ~/.local/share/bash-completion/completions/locus
  locus completions zsh > ~/.zfunc/_locus
  locus completions fish > ~/.config/fish/completions/locus.fish")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Subcommand, Debug)]
pub(crate) enum AlloyCommand {
    Run(AlloyRun),
    Eval(AlloyEval),
    Repl(AlloyRepl),
}

/// Execute the commands of an Alloy model
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  locus alloy run Model.als                       all commands, a verdict each
  locus alloy run Model.als -c Consistent         one command, with its instance
  locus alloy run Model.als -c 2 --format svg > instance.svg
  locus alloy run Model.als --format xml -c 0     for Alloy's own visualiser
  locus alloy run Model.als --timeout 60s --format json

Exit codes: 0 all as expected, 1 findings, such as an `expect` or a check that fails, 2 the answer is not known.")]
pub(crate) struct AlloyRun {
    /// The model
    pub(crate) path: PathBuf,
    /// Only the command with this name or index
    #[arg(short, long, value_name = "NAME|INDEX")]
    pub(crate) command: Option<String>,
    /// How to write the answer
    #[arg(long, value_enum, default_value_t = AlloyFormat::Human)]
    pub(crate) format: AlloyFormat,
    /// Exit with 1 if there is a finding of at least this severity
    #[arg(long, value_enum, default_value_t = FailOn::Error, value_name = "SEVERITY")]
    pub(crate) fail_on: FailOn,
    #[command(flatten)]
    pub(crate) access: Access,
    #[command(flatten)]
    pub(crate) solving: AlloySolving,
}

/// How to solve.
#[derive(ClapArgs, Debug)]
pub(crate) struct AlloySolving {
    /// Give up after this time: 30s, 5m
    #[arg(long, value_name = "TIME", value_parser = crate::quantities::duration, help_heading = "Solving")]
    pub(crate) timeout: Option<std::time::Duration>,
    /// Say which parts of the model contradict each other when there is no instance
    #[arg(long, help_heading = "Solving")]
    pub(crate) core: bool,
    /// Instances in which no integer overflows, instead of wrapping around
    #[arg(long, help_heading = "Solving")]
    pub(crate) prevent_overflow: bool,
    /// How hard to avoid instances that differ only in names; 0 for all instances
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = "Solving")]
    pub(crate) symmetry: usize,
    /// How often predicates and functions may call themselves
    #[arg(long, value_name = "N", help_heading = "Solving")]
    pub(crate) unrolls: Option<u32>,
    /// A folder with further modules; may be given several times
    #[arg(long, value_name = "DIR")]
    pub(crate) library: Vec<PathBuf>,
}

/// Evaluate an expression on an instance of a model
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  locus alloy eval Model.als 'Node.next'
  locus alloy eval Model.als -c Consistent '#Node'")]
pub(crate) struct AlloyEval {
    /// The model
    pub(crate) path: PathBuf,
    /// An expression or formula of Alloy
    pub(crate) expression: String,
    /// The command whose instance is meant [default: the first that has one]
    #[arg(short, long, value_name = "NAME|INDEX")]
    pub(crate) command: Option<String>,
    #[command(flatten)]
    pub(crate) solving: AlloySolving,
    #[command(flatten)]
    pub(crate) access: Access,
}

/// Ask questions about an instance of a model, one a line
#[derive(ClapArgs, Debug)]
pub(crate) struct AlloyRepl {
    /// The model
    pub(crate) path: PathBuf,
    /// The command whose instance is meant [default: the first that has one]
    #[arg(short, long, value_name = "NAME|INDEX")]
    pub(crate) command: Option<String>,
    #[command(flatten)]
    pub(crate) solving: AlloySolving,
    #[command(flatten)]
    pub(crate) access: Access,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq, Debug)]
pub(crate) enum AlloyFormat {
    /// Text
    Human,
    /// Complete JSON, see docs/output.md
    Json,
    /// An instance as Alloy's visualiser reads it
    Xml,
    /// An instance in the language of Graphviz
    Dot,
    /// An instance as a picture
    Svg,
}

#[derive(Subcommand, Debug)]
pub(crate) enum TlaCommand {
    Check(TlaCheck),
    Simulate(TlaSimulate),
    Trace(TlaTrace),
    Translate(TlaTranslate),
}

/// Translate the PlusCal algorithm in a module, in place
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  locus tla translate Spec.tla           between `BEGIN TRANSLATION` and `END TRANSLATION`, or behind the algorithm
  locus tla translate Spec.tla --print   leave the file alone, and write the new one to the terminal

`locus tla check` translates an algorithm that has no translation by itself.
Exit codes: 0 translated, 1 something is wrong with the algorithm, 2 there is none.")]
pub(crate) struct TlaTranslate {
    /// The module
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,
    /// Write the module with its translation to the output, and leave the file as it is
    #[arg(long)]
    pub(crate) print: bool,
    #[command(flatten)]
    pub(crate) limit: TimeLimit,
}

/// Explore every state of a TLA+ specification
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  locus tla check Spec.tla                        with Spec.cfg beside it, if there is one
  locus tla check Spec.tla --config Small.cfg --workers 4
  locus tla check Spec.tla --constant 'N = 3' --constant 'Nodes = {a, b}' --invariant TypeOK
  locus tla check Spec.tla --library ../modules   with modules of another folder
  locus tla check Spec.tla --timeout 5m --max-memory 4G
  locus tla check Spec.tla --format json | jq .verdict
  locus tla check Spec.tla --trace-expr 'Cardinality(msgs)' --trace-expr 'x + y'
  locus tla check Spec.tla --format svg > Spec.svg          the state graph, if it is small

Without a configuration, `Spec` is checked, or else `Init` and `Next`.
Exit codes: 0 no error, 1 findings, such as a violation, 2 the answer is not known.")]
pub(crate) struct TlaCheck {
    #[command(flatten)]
    pub(crate) model: TlaModel,
    /// Stop after this time: 30s, 5m, 2h
    #[arg(long, value_name = "TIME", value_parser = crate::quantities::duration, help_heading = "Limits")]
    pub(crate) timeout: Option<std::time::Duration>,
    /// Use no more memory than this (512M, 4G): what is more is kept on disk
    #[arg(long, value_name = "BYTES", value_parser = crate::quantities::bytes, help_heading = "Limits")]
    pub(crate) max_memory: Option<usize>,
    /// Keep no more than this on disk; 0 stops where memory ends
    #[arg(long, value_name = "BYTES", value_parser = crate::quantities::bytes, help_heading = "Limits")]
    pub(crate) max_disk: Option<usize>,
    /// Save the search in this folder every ten minutes, and when it is stopped or its time is up
    #[arg(long, value_name = "DIR", help_heading = "Limits")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Go on with the search that was saved there
    #[arg(long, requires = "checkpoint", help_heading = "Limits")]
    pub(crate) resume: bool,
    /// Stop after this many distinct states
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) max_states: Option<u64>,
    /// Continue after the first violation, and report every one
    #[arg(long = "continue")]
    pub(crate) go_on: bool,
    /// Evaluate everything in each state anew, without packed states: slower, to be compared with
    #[arg(long)]
    pub(crate) interpret: bool,
    /// Report how states were kept: packed into words, and in which way, or as values, and why
    #[arg(long)]
    pub(crate) explain_packing: bool,
    /// Report how often each action was taken and each part of the specification evaluated
    #[arg(long)]
    pub(crate) coverage: bool,
    /// Show the value of this expression in every state of a behaviour; may be given several times
    #[arg(long, value_name = "EXPRESSION")]
    pub(crate) trace_expr: Vec<String>,
    /// Write every state and every step to this file, whose name ends in .dot, .json or .ndjson
    #[arg(long, value_name = "FILE")]
    pub(crate) dump: Option<PathBuf>,
    /// How to write the answer
    #[arg(long, value_enum, default_value_t = TlaFormat::Human)]
    pub(crate) format: TlaFormat,
}

/// Walk through random behaviours of a TLA+ specification
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  locus tla simulate Spec.tla                     1000 behaviours of at most 100 states
  locus tla simulate Spec.tla --seed 7 --traces 1 --depth 20
  locus tla simulate Spec.tla --timeout 5m        as many behaviours as there is time for

A simulation looks for violations; it never shows that there are none. Assumptions, invariants,
deadlock and properties of initial states and of steps are checked; temporal properties are checked of
behaviours that return to a state within one walk, or stay in one, and it says what was not looked at.
Exit codes: 0 all was walked through and no violation met, 1 findings, 2 the answer is not known.")]
pub(crate) struct TlaSimulate {
    #[command(flatten)]
    pub(crate) model: TlaModel,
    /// The seed of the random numbers: the same seed gives the same behaviours [default: a different one each time]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// How many behaviours [default: 1000, or with --timeout as many as there is time for]
    #[arg(long, value_name = "N")]
    pub(crate) traces: Option<u64>,
    /// The maximum number of states of a behaviour
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: u32,
    /// Show the value of this expression in every state of a behaviour; may be given several times
    #[arg(long, value_name = "EXPRESSION")]
    pub(crate) trace_expr: Vec<String>,
    /// Stop after this time: 30s, 5m, 2h
    #[arg(long, value_name = "TIME", value_parser = crate::quantities::duration)]
    pub(crate) timeout: Option<std::time::Duration>,
    /// How to write the answer
    #[arg(long, value_enum, default_value_t = TlaFormat::Human)]
    pub(crate) format: TlaFormat,
}

/// Say whether a log of a real system is a behaviour of a TLA+ specification
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
A log has one JSON object per line, for example
  {\"action\": \"Send\", \"parameters\": {\"n\": 2}, \"Cardinality(msgs)\": 1, \"term[n1]\": 4}
Every field but `action` and `parameters` is an expression with its value after the step. What the log
does not speak of is hidden: the search finds values for it.

Examples:
  locus tla trace Spec.tla --log events.ndjson
  locus tla trace Spec.tla --log events.ndjson --gaps 2         up to 2 steps between events are not logged
  locus tla trace Spec.tla --log events.ndjson --ignore time --map 'leader=CHOOSE n \\in Nodes: role[n] = \"leader\"'
  service | locus tla trace Spec.tla --log -

Fairness and constraints are not looked at.
Exit codes: 0 a behaviour explains the log, 1 none does, or findings, 2 the answer is not known.")]
pub(crate) struct TlaTrace {
    #[command(flatten)]
    pub(crate) model: TlaModel,
    /// The log, or - for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) log: PathBuf,
    /// The most steps between two events that are not in the log
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) gaps: u32,
    /// Leave this field of the events out; may be given several times
    #[arg(long, value_name = "FIELD")]
    pub(crate) ignore: Vec<String>,
    /// The expression that a field gives the value of; may be given several times
    #[arg(long, value_name = "FIELD=EXPRESSION")]
    pub(crate) map: Vec<String>,
    /// The field that names the action
    #[arg(long, value_name = "FIELD", default_value = "action")]
    pub(crate) action: String,
    /// The field that gives the parameters of the action
    #[arg(long, value_name = "FIELD", default_value = "parameters")]
    pub(crate) parameters: String,
    /// Stop after this time: 30s, 5m, 2h
    #[arg(long, value_name = "TIME", value_parser = crate::quantities::duration, help_heading = "Limits")]
    pub(crate) timeout: Option<std::time::Duration>,
    /// Stop before using more memory than this: 512M, 4G
    #[arg(long, value_name = "BYTES", value_parser = crate::quantities::bytes, help_heading = "Limits")]
    pub(crate) max_memory: Option<usize>,
    /// Stop after this many distinct states
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) max_states: Option<u64>,
    /// How to write the answer
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    pub(crate) format: TextFormat,
}

/// The specification to check: a module and its configuration.
#[derive(ClapArgs, Debug)]
pub(crate) struct TlaModel {
    /// The root module, or - for standard input
    pub(crate) path: PathBuf,
    /// The configuration [default: the .cfg beside the module]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// A folder with further modules; may be given several times (TLC's -DTLA-Library)
    #[arg(long, value_name = "DIR")]
    pub(crate) library: Vec<PathBuf>,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) workers: Option<u16>,
    /// Do not report deadlocks: states without a successor
    #[arg(long)]
    pub(crate) no_deadlock: bool,
    /// Give a constant a value, any TLA+ expression: 'N = 3', 'Op <- Definition'; this takes precedence over the
    /// configuration
    #[arg(long, value_name = "NAME = VALUE", help_heading = "Instead of a configuration, or beside it")]
    pub(crate) constant: Vec<String>,
    /// The specification, a temporal formula
    #[arg(long, value_name = "NAME", conflicts_with_all = ["init", "next"], help_heading = "Instead of a configuration, or beside it")]
    pub(crate) spec: Option<String>,
    /// The initial predicate
    #[arg(
        long,
        value_name = "NAME",
        requires = "next",
        help_heading = "Instead of a configuration, or beside it"
    )]
    pub(crate) init: Option<String>,
    /// The next-state action
    #[arg(
        long,
        value_name = "NAME",
        requires = "init",
        help_heading = "Instead of a configuration, or beside it"
    )]
    pub(crate) next: Option<String>,
    /// A predicate that must hold in every state
    #[arg(long, value_name = "NAME", help_heading = "Instead of a configuration, or beside it")]
    pub(crate) invariant: Vec<String>,
    /// A predicate that must hold in some state, or an action that some step must be
    #[arg(long, value_name = "NAME", help_heading = "Instead of a configuration, or beside it")]
    pub(crate) possible: Vec<String>,
    /// A formula that must hold of every behaviour
    #[arg(long, value_name = "NAME", help_heading = "Instead of a configuration, or beside it")]
    pub(crate) property: Vec<String>,
    /// Exit with 1 if there is a finding of at least this severity
    #[arg(long, value_enum, default_value_t = FailOn::Error, value_name = "SEVERITY")]
    pub(crate) fail_on: FailOn,
    #[command(flatten)]
    pub(crate) access: Access,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq, Debug)]
pub(crate) enum TlaFormat {
    /// Text
    Human,
    /// Stable JSON, see docs/output.md
    Json,
    /// The behaviour as a TLA+ module that extends the specification and can be checked
    Tla,
    /// The verdict and the behaviour as Markdown
    Markdown,
    /// The state graph in the language of Graphviz, if it is small
    Dot,
    /// The state graph as a picture, if it is small
    Svg,
    /// The whole run as one page
    Html,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// Excerpts of the source with carets
    Human,
    /// Stable JSON, see docs/output.md
    Json,
    /// SARIF 2.1.0, for code scanners
    Sarif,
    /// Workflow commands, for GitHub Actions
    Github,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq, Debug)]
pub(crate) enum TextFormat {
    /// Text
    Human,
    /// Stable JSON, see docs/output.md
    Json,
}
