//! `locus show`: what a file means, which is what everything else is made of.
//!
//! [`json`] and [`text`] write the meaning itself; the form `lg` is a location graph with lifecycles, which the other
//! commands read.

mod json;
mod text;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use locus_graph::text::write_yaml;
use locus_language::{Document, NoGraph};
use locus_meaning::lifecycle::{self, Unsaid};
use locus_meaning::shown::Masker;
use locus_meaning::{Meaning, OnChange, Relationships};
use locus_source::{Finding, Place, Sources, Span};

use crate::Outcome;
use crate::args::{GivenToDraw, Global, Reading, TimeLimit};
use crate::deadline;
use crate::opened::Opened;
use crate::output;
use crate::page::Page;
use crate::report::counted;
use crate::session::Session;
use crate::terminal::Terminal;

/// Show what a file means: its elements with types, values, roles, counts and lifecycles
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  locus show stack.yaml                       the meaning, for people
  locus show stack.yaml --format json         the same for programs (docs/schema/meaning.schema.json)
  locus show stack.yaml --format lg -o stack.lg.yaml && locus plan stack.lg.yaml
                                              as a location graph, which the other commands read
  locus show stack.yaml --key digest.key      digests of secrets that can be compared with those of other runs

Secrets are never shown. Without --key they have numbers, the same for the same value.

Exit codes: 0 shown, 1 shown as far as it was understood, with errors, 2 not shown.")]
pub(crate) struct Show {
    /// The file, or - for standard input [default: the Compose project of this folder]
    #[arg(conflicts_with = "file")]
    path: Option<PathBuf>,
    /// How to write it
    #[arg(long, value_enum, default_value_t = Form::Human)]
    format: Form,
    /// Where to write it, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Show secrets as HMAC-SHA-256 with the bytes of this file as key
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    #[command(flatten)]
    given: GivenToDraw,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    limit: TimeLimit,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq, Debug)]
enum Form {
    /// Text for people
    Human,
    /// Stable JSON, see docs/output.md
    Json,
    /// A location graph with lifecycles, see docs/location-graphs.md
    Lg,
}

/// A file that was read, and how it is shown.
struct Shown<'s> {
    name: &'s str,
    language: (&'s str, &'s str),
    meaning: &'s Meaning<'s>,
    relationships: Relationships,
    sources: &'s Sources,
    /// The start of the file: the place of what is said nowhere in particular.
    start: Place,
    errors: &'s [Finding],
}

impl Shown<'_> {
    /// A place, if something is written there.
    fn place(&self, place: Place) -> Option<Place> {
        (place != self.start).then_some(place)
    }

    /// How many things a deployment makes.
    fn things(&self) -> u64 {
        let planned = self.meaning.elements().filter(|(_, element)| element.is_planned());
        planned.map(|(_, element)| u64::from(element.copies.count)).sum()
    }

    /// How many locations the graph has.
    fn locations(&self) -> usize {
        self.meaning.graph(self.relationships).len()
    }
}

/// The shortest key: digests with a shorter one could be made of all keys.
const SHORTEST_KEY: usize = 16;

/// The longest key. No file that is longer is meant to be one.
const LONGEST_KEY: u64 = 1 << 20;

fn masker(key: Option<&Path>) -> anyhow::Result<Masker> {
    let Some(path) = key else { return Ok(Masker::numbering()) };
    let name = path.display();
    let length = path.metadata().with_context(|| format!("cannot read the key {name}"))?.len();
    if length > LONGEST_KEY {
        bail!("the key {name} has {length} bytes, more than any key; name another file");
    }
    let key = std::fs::read(path).with_context(|| format!("cannot read the key {name}"))?;
    if key.len() < SHORTEST_KEY {
        bail!(
            "the key {name} has {} bytes, fewer than {SHORTEST_KEY}; make one with `openssl rand -out {name} 32`",
            key.len()
        );
    }
    Ok(Masker::with_key(&key))
}

pub(crate) fn run(command: &Show, _: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let mut masker = masker(command.key.as_deref())?;
    deadline::watch(command.limit.timeout, terminal)?;
    let opened = Opened::read(command.path.as_ref(), &command.given, &command.reading)?;
    let Opened { session, file, language, document, .. } = &opened;
    let name = file.name();
    let start = file.place(Span::point(0));
    let errors: Vec<Finding> = opened.errors().cloned().collect();
    let meaning = match document.shown(start) {
        Ok(meaning) => meaning,
        Err(NoGraph::NotThisLanguage(why) | NoGraph::NotBuildable(why)) => bail!("{name}: {why}"),
        Err(NoGraph::NotUnderstood) => {
            for finding in document.findings() {
                terminal.remark_finding(finding, &session.sources);
            }
            bail!("{name} was not shown, because it could not be read");
        }
    };
    let shown = Shown {
        name,
        language: (language.id(), language.name()),
        meaning: &meaning,
        relationships: document.relationships(),
        sources: &session.sources,
        start,
        errors: &errors,
    };
    // What could be understood is shown; that it is not all is said.
    for finding in &errors {
        terminal.remark_finding(finding, &session.sources);
    }
    let style =
        if command.output.is_some() { locus_source::render::Style::default() } else { terminal.style() };
    match command.format {
        Form::Human => {
            let mut page = Page::new(style);
            text::write(&shown, &mut masker, &mut page);
            match &command.output {
                Some(path) => write(path, page.as_str(), session)?,
                None => terminal.page(&page)?,
            }
        }
        Form::Json => {
            let json = json::write(&shown, &mut masker, &session.rules)?;
            match &command.output {
                Some(path) => write(path, &(json + "\n"), session)?,
                None => terminal.json(json)?,
            }
        }
        Form::Lg => {
            let text = location_graph(&**document, &shown, &mut masker)?;
            match &command.output {
                Some(path) => write(path, &text, session)?,
                None => terminal.text(&text)?,
            }
        }
    }
    Ok(if errors.is_empty() { Outcome::Clean } else { Outcome::Findings })
}

fn write(path: &Path, text: &str, session: &Session) -> anyhow::Result<()> {
    output::refuse_input(path, &session.sources)?;
    output::write_whole(path, text)
}

/// The meaning as a location graph, which begins with what it does not say.
fn location_graph(document: &dyn Document, shown: &Shown<'_>, masker: &mut Masker) -> anyhow::Result<String> {
    let name = shown.name;
    if !shown.errors.is_empty() {
        // Other commands would take it for the whole.
        let count = counted(shown.errors.len(), "error");
        bail!(
            "{name} was not written as a location graph, because of {count} in it: what could not be understood would \
             be missing; the other formats show the rest"
        );
    }
    let mut head =
        vec![format!("the meaning of {name}, in the language {}, by `locus show`", shown.language.0)];
    // A location graph, or a document that has one and no meaning beside it.
    let graph = if let Err(NoGraph::NotThisLanguage(_)) = document.meaning() {
        let Ok(graph) = document.graph() else { bail!("{name}: it has no location graph") };
        if shown.language.0 != "location-graph" {
            head.push("not said: what plans of this language go by".to_owned());
        }
        lifecycle::masked(&graph, masker)
    } else {
        let pivot = shown.meaning.pivot(shown.relationships, masker);
        let pivot = pivot.with_context(|| format!("{name} was not written as a location graph"))?;
        head.push(
            "not said: what the rules of this language are about; check the file itself by them".to_owned(),
        );
        head.extend(pivot.unsaid.iter().map(|(what, names)| unsaid(*what, names)));
        pivot.graph
    };
    let comment = |line: &String| format!("# {}\n", line.replace(['\n', '\r'], " "));
    let head: Vec<String> = head.iter().map(comment).collect();
    Ok(head.concat() + &write_yaml(&graph))
}

/// A line about something that a location graph does not say of some elements.
fn unsaid(what: Unsaid, names: &[Arc<str>]) -> String {
    /// So many are named.
    const NAMED: usize = 5;
    if names.is_empty() {
        return format!("not said: {what}");
    }
    let mut shown: Vec<&str> = names.iter().take(NAMED).map(|name| &**name).collect();
    let more = format!("{} more", names.len().saturating_sub(NAMED));
    if names.len() > NAMED {
        shown.push(&more);
    }
    format!("not said: {what} {}", shown.join(", "))
}

/// The consequence of a change of an attribute, as a word.
fn on_change(one: OnChange) -> &'static str {
    match one {
        OnChange::InPlace => "in-place",
        OnChange::Grow => "grow",
        OnChange::Replace => "replace",
        OnChange::Refuse => "refuse",
    }
}
