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
//! Known differences: two collections are the same key only if they are written the same. For PyYAML, U+0085, U+2028
//! and U+2029 end a line; here, as in YAML 1.2, they do not, which is reported where PyYAML's reading is asked for.
//! libyaml also refuses an unknown directive, `...` at the start of the text, a block scalar that is not indented,
//! and an empty key at the start of a line.

mod events;
mod libyaml;
mod messages;
mod rules;
mod syntax;
mod tabs;

use std::collections::HashMap;
use std::sync::Arc;

use self::events::{Content, Event, Events, Tag};
use self::libyaml::{Amended, Missing};
pub use self::rules::RULES;
use self::tabs::{Tabs, Token};
pub use crate::tree::Schema;
use crate::tree::{Builder, MOST_PROBLEMS, Parsed, Problem, Shape, Style};
use crate::{Finding, Limits, Report, SourceFile, Span};

/// How to read YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlOptions {
    /// The schema that gives plain scalars their types.
    pub schema: Schema,
    /// Whether a key `<<` merges its value into the mapping. YAML 1.2 does not speak of it any more, but
    /// nearly all programs still do it.
    pub merge_keys: bool,
    /// Whether a value in brackets may follow the colon of a key within brackets at once, as in `{a:[b]}`. YAML 1.2 and
    /// libyaml forbid it, PyYAML's reader in Python and SnakeYAML allow it. It is a warning, else an error.
    pub adjacent_values: bool,
    /// The limits above which a text is refused.
    pub limits: Limits,
}

impl Default for YamlOptions {
    fn default() -> Self {
        Self { schema: Schema::Core, merge_keys: true, adjacent_values: false, limits: Limits::default() }
    }
}

impl YamlOptions {
    /// Returns the options with which YAML is read as PyYAML reads it.
    pub fn pyyaml() -> Self {
        Self { schema: Schema::PyYaml, ..Self::default() }
    }
}

/// Reads a file.
pub fn parse(file: &Arc<SourceFile>, options: &YamlOptions) -> Parsed {
    // The event parser takes a NUL for the end of the text and would not see what follows.
    if let Some(at) = file.text().bytes().position(|byte| byte == 0) {
        let mut reader = Reader::new(file, options);
        let place = file.place(Span::new(at, at + 1));
        let finding = Finding::new(&rules::SYNTAX, place, "the file contains a NUL byte; it is not a text");
        reader.report(finding);
        return reader.finish();
    }
    let mut amended = Amended::new(file.text());
    let mut adjacent = Vec::new();
    loop {
        let mut reader = Reader::new(file, options);
        let missing = reader.read(&amended);
        if missing.is_empty() {
            for at in adjacent {
                reader.report(messages::adjacent_value(file, at));
            }
            return reader.finish();
        }
        if options.adjacent_values {
            adjacent.extend(missing.iter().map(|(at, _)| amended.offset(*at)));
        }
        amended.add(missing);
    }
}

struct Reader<'s> {
    file: &'s Arc<SourceFile>,
    options: &'s YamlOptions,
    builder: Builder,
    comments: Vec<Span>,
    findings: Report,
    /// Whether the current document has an error that makes its tree useless.
    broken: bool,
    /// Whether the event parser gave up somewhere.
    refused: bool,
    /// The node of the last event, for its anchor.
    last: Option<u32>,
    /// The anchors of the current document.
    anchors: HashMap<&'s str, Span>,
    /// How many documents have begun.
    documents: usize,
    /// The tokens, if there are tabs between which libyaml may refuse.
    tabs: Option<Tabs>,
}

impl<'s> Reader<'s> {
    fn new(file: &'s Arc<SourceFile>, options: &'s YamlOptions) -> Self {
        Self {
            file,
            options,
            builder: Builder::new(file, options.schema, &options.limits, options.merge_keys),
            comments: Vec::new(),
            findings: Report::new(MOST_PROBLEMS),
            broken: false,
            refused: false,
            last: None,
            anchors: HashMap::new(),
            documents: 0,
            tabs: (options.schema == Schema::PyYaml && file.text().contains('\t')).then(Tabs::default),
        }
    }

    fn finish(mut self) -> Parsed {
        if let Some(finding) = messages::old_line_break(self.file, self.options.schema) {
            self.report(finding);
        }
        if !self.refused
            && let Some(tab) = self.tabs.take().and_then(|tabs| tabs.refused(self.file.text()))
        {
            self.report(syntax::tab(self.file, tab));
        }
        let mut findings = self.findings.into_vec();
        findings.sort_by_key(|finding| finding.primary.place.span);
        Parsed { documents: self.builder.finish(), comments: self.comments, findings }
    }

    /// Reads all documents. If libyaml takes what the event parser stops at, this is what has to be put in first.
    fn read(&mut self, amended: &Amended<'_>) -> Vec<Missing> {
        let mut events = Events::new(amended, self.limits());
        while let Some(event) = events.next() {
            let problem = match event {
                Ok((event, span)) => match self.event(event, span) {
                    Ok(()) => continue,
                    Err(problem) => messages::problem(self.file, self.limits(), &problem),
                },
                Err(error) => {
                    if self.options.adjacent_values {
                        let missing = amended.blank(&error);
                        if !missing.is_empty() {
                            return missing;
                        }
                    }
                    if self.options.schema == Schema::PyYaml {
                        let innermost = self.builder.innermost();
                        let bracket = innermost.filter(|(_, style)| *style == Style::Flow);
                        let bracket = bracket.map(|(span, _)| span.start as usize);
                        let missing = amended.missing(&error, events.cursor(), bracket);
                        if !missing.is_empty() {
                            return missing;
                        }
                    }
                    self.refused = true;
                    let open = self.builder.innermost();
                    syntax::finding(self.file, self.limits(), &error, events.stopped(&error), open)
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
                    let finding =
                        syntax::finding(self.file, self.limits(), &error, events.stopped(&error), None);
                    self.report(finding);
                    break;
                }
            }
        }
        // A document that breaks off without an error of the event parser does not exist; be safe.
        if self.builder.depth() > 0 {
            self.builder.abandon_document();
        }
        Vec::new()
    }

    fn limits(&self) -> &'s Limits {
        &self.options.limits
    }

    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), Problem> {
        if let (Some(tabs), Some(token)) = (&mut self.tabs, token(&event, span)) {
            tabs.see(span, token);
        }
        match event {
            Event::Node(content, tag) => {
                let shape = match &content {
                    Content::Absent => Shape::Absent,
                    Content::Scalar(text, style) => Shape::Scalar(text, *style),
                    Content::Sequence(style) => Shape::Sequence(*style),
                    Content::Mapping(style) => Shape::Mapping(*style),
                };
                if self.options.schema == Schema::PyYaml {
                    self.refused_by_pyyaml(&content, tag.as_ref(), span);
                }
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
                if self.options.schema == Schema::PyYaml
                    && let Some(first) = self.anchors.insert(self.file.slice(span), span)
                {
                    self.report(messages::repeated_anchor(self.file, first, span));
                }
                if let Some(node) = self.last {
                    self.builder.anchor(node, id, span);
                }
            }
            Event::Alias(id) => match self.builder.alias(id, span) {
                Err(problem @ Problem::Cycle { .. }) => {
                    self.dangling(messages::problem(self.file, self.limits(), &problem), span)?;
                }
                result => drop(result?),
            },
            Event::UnknownAlias(name) => {
                self.dangling(messages::unknown_alias(self.file, &name, span), span)?;
            }
            Event::End => self.builder.close((!span.is_empty()).then_some(span.end)),
            Event::Comment => self.comments.push(span),
            Event::DocumentStart { explicit } => {
                if self.options.schema == Schema::PyYaml && !explicit && self.documents > 0 {
                    self.report(messages::no_document_start(self.file, span));
                }
                self.documents += 1;
            }
            Event::DocumentEnd => self.end_document(),
        }
        Ok(())
    }

    /// Reports a node that YAML allows and PyYAML's safe loader refuses.
    fn refused_by_pyyaml(&mut self, content: &Content<'_>, tag: Option<&Tag>, span: Span) {
        let is_key = self.builder.expects_key();
        let finding = match (content, tag) {
            (_, Some(tag)) => messages::unknown_tag(self.file, &tag.name, tag.span, is_key),
            (Content::Sequence(_) | Content::Mapping(_), None) if is_key => {
                Some(messages::collection_as_key(self.file, span))
            }
            (Content::Scalar(text, Style::Plain), None) if !is_key => {
                messages::special_value(self.file, text, span)
            }
            _ => None,
        };
        if let Some(finding) = finding {
            self.report(finding);
        }
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
            let finding = messages::problem(self.file, self.limits(), &problem);
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
        self.anchors.clear();
    }

    fn report(&mut self, finding: Finding) {
        self.findings.add(finding);
    }
}

/// Returns the token that an event is for the search for tabs.
fn token(event: &Event<'_>, span: Span) -> Option<Token> {
    match event {
        Event::Node(Content::Scalar(_, Style::Plain), _) => Some(Token::Plain),
        Event::Node(Content::Scalar(..), _) | Event::Comment => Some(Token::Text),
        Event::Node(Content::Sequence(Style::Flow) | Content::Mapping(Style::Flow), _)
            if !span.is_empty() =>
        {
            Some(Token::Open)
        }
        Event::End if !span.is_empty() => Some(Token::Close),
        _ => None,
    }
}
