//! Reading YAML.
//!
//! [`parse`] makes [trees](crate::tree) of a file, one for each document. What is wrong becomes findings;
//! their rules are [`RULES`]. The event parser underneath is `granit-parser`; the trees, the meaning of
//! scalars, aliases, merge keys and repeated keys are ours.
//!
//! ```
//! use locus_source::{Sources, yaml};
//!
//! let file = Sources::new().add("example.yaml", "servers:\n- name: web\n  port: 80\n");
//! let parsed = yaml::parse(&file, &yaml::YamlOptions::default());
//! assert!(!parsed.has_errors());
//! let server = parsed.documents[0].root().get("servers").unwrap().items().next().unwrap();
//! let port = server.get("port").unwrap();
//! assert_eq!(port.as_i64(), Some(80));
//! assert_eq!(file.line_column(port.span().start as usize).to_string(), "3:9");
//! ```
//!
//! Known differences: two collections are the same key only if they are written the same. For PyYAML, U+0085, U+2028 and U+2029 end a line; here, as in YAML 1.2, they do not, which is reported
//! where PyYAML's reading is asked for.

mod events;
mod messages;
mod rules;
mod syntax;

use std::sync::Arc;

use self::events::{Content, Event, Events};
pub use self::rules::RULES;
pub use crate::tree::Schema;
use crate::tree::{Builder, MOST_PROBLEMS, Parsed, Problem, Shape};
use crate::{Collected, Finding, Limits, SourceFile, Span};

/// How to read YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlOptions {
    /// What plain scalars mean.
    pub schema: Schema,
    /// Whether a key `<<` merges its value into the mapping. YAML 1.2 does not speak of it any more, but
    /// nearly all programs still do it.
    pub merge_keys: bool,
    /// What to refuse.
    pub limits: Limits,
}

impl Default for YamlOptions {
    fn default() -> Self {
        Self { schema: Schema::Core, merge_keys: true, limits: Limits::default() }
    }
}

impl YamlOptions {
    /// What users of PyYAML get.
    pub fn pyyaml() -> Self {
        Self { schema: Schema::PyYaml, ..Self::default() }
    }
}

/// Reads a file.
pub fn parse(file: &Arc<SourceFile>, options: &YamlOptions) -> Parsed {
    let mut reader = Reader {
        file,
        limits: &options.limits,
        builder: Builder::new(file, options.schema, &options.limits, options.merge_keys),
        comments: Vec::new(),
        findings: Collected::new(MOST_PROBLEMS),
        broken: false,
        last: None,
    };
    // The event parser takes a NUL for the end of the text and would not see what follows.
    if let Some(at) = file.text().bytes().position(|byte| byte == 0) {
        let place = file.place(Span::new(at, at + 1));
        reader.report(Finding::new(&rules::SYNTAX, place, "the file contains a NUL byte; it is not a text"));
    } else {
        reader.read();
        if let Some(finding) = messages::old_line_break(file, options.schema) {
            reader.report(finding);
        }
    }
    let Reader { builder, comments, findings, .. } = reader;
    let mut findings = findings.into_vec();
    findings.sort_by_key(|finding| finding.primary.place.span);
    Parsed { documents: builder.finish(), comments, findings }
}

struct Reader<'s> {
    file: &'s Arc<SourceFile>,
    limits: &'s Limits,
    builder: Builder,
    comments: Vec<Span>,
    findings: Collected,
    /// Whether the current document has an error that makes its tree useless.
    broken: bool,
    /// The node of the last event, for its anchor.
    last: Option<u32>,
}

impl Reader<'_> {
    fn read(&mut self) {
        let mut events = Events::new(self.file.text(), self.limits);
        while let Some(event) = events.next() {
            let problem = match event {
                Ok((event, span)) => match self.event(event, span) {
                    Ok(()) => continue,
                    Err(problem) => messages::problem(self.file, self.limits, &problem),
                },
                Err(error) => {
                    let open = self.builder.innermost();
                    syntax::finding(self.file, self.limits, &error, events.cursor(), open)
                }
            };
            self.report(problem);
            self.broken = true;
            self.end_document();
            // The next document may be well, unless there are too many that are not.
            if self.findings.is_full() {
                break;
            }
            match events.next_document() {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    let finding = syntax::finding(self.file, self.limits, &error, events.cursor(), None);
                    self.report(finding);
                    break;
                }
            }
        }
        // A document that breaks off without an error of the event parser does not exist; be safe.
        if self.builder.depth() > 0 {
            self.builder.abandon_document();
        }
    }

    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), Problem> {
        match event {
            Event::Node(content, tag) => {
                let shape = match &content {
                    Content::Absent => Shape::Absent,
                    Content::Scalar(text, style) => Shape::Scalar(text, *style),
                    Content::Sequence(style) => Shape::Sequence(*style),
                    Content::Mapping(style) => Shape::Mapping(*style),
                };
                let node = self.builder.add(shape, span)?;
                if let Some(tag) = tag {
                    self.builder.tag(node, &tag.name, tag.span);
                    if let Some(finding) = messages::tag(self.file, self.builder.node(node)) {
                        self.report(finding);
                    }
                }
                self.last = Some(node);
            }
            Event::Anchor(id) => {
                if let Some(node) = self.last {
                    self.builder.anchor(node, id, span);
                }
            }
            Event::Alias(id) => match self.builder.alias(id, span) {
                Err(problem @ Problem::Cycle { .. }) => {
                    self.dangling(messages::problem(self.file, self.limits, &problem), span)?;
                }
                result => drop(result?),
            },
            Event::UnknownAlias(name) => {
                self.dangling(messages::unknown_alias(self.file, &name, span), span)?;
            }
            Event::End => self.builder.close((!span.is_empty()).then_some(span.end)),
            Event::Comment => self.comments.push(span),
            Event::DocumentStart => {}
            Event::DocumentEnd => self.end_document(),
        }
        Ok(())
    }

    /// An alias that means nothing: the document is of no use, but there may be more to say about it.
    fn dangling(&mut self, finding: Finding, span: Span) -> Result<(), Problem> {
        self.report(finding);
        self.broken = true;
        self.builder.add(Shape::Absent, Span { start: span.end, end: span.end }).map(drop)
    }

    fn end_document(&mut self) {
        for problem in std::mem::take(&mut self.builder.problems) {
            // An alias that means nothing has been reported; that it cannot be merged goes without saying.
            if self.broken && matches!(problem, Problem::BadMerge { .. }) {
                continue;
            }
            let finding = messages::problem(self.file, self.limits, &problem);
            self.report(finding);
        }
        self.findings.add_more(std::mem::take(&mut self.builder.more_problems));
        if self.broken {
            self.builder.abandon_document();
        } else {
            self.builder.end_document();
        }
        self.broken = false;
        self.last = None;
    }

    fn report(&mut self, finding: Finding) {
        self.findings.add(|| finding);
    }
}
