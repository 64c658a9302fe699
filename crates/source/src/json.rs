//! Reading JSON, strictly: what RFC 8259 allows and nothing else, except where [`JsonOptions`] says so.
//!
//! [`parse`] makes a [tree](crate::tree) of a file. What is wrong becomes findings; their rules are
//! [`RULES`]. The reader is our own, because it is small and because readers that build a tree of their own
//! first take several times the memory: this one writes straight into ours, without recursion.

mod lexer;
mod rules;

use std::sync::Arc;

use self::lexer::Lexer;
pub use self::rules::RULES;
use crate::tree::{Builder, Parsed, Problem, Schema, Shape, Style, quote_key};
use crate::{Finding, Limits, Rule, SourceFile, Span};

/// How to read JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JsonOptions {
    /// Whether `// …` and `/* … */` are allowed.
    pub comments: bool,
    /// Whether a comma may stand after the last item or entry.
    pub trailing_commas: bool,
    /// The limits above which a text is refused.
    pub limits: Limits,
}

/// Reads a file.
pub fn parse(file: &Arc<SourceFile>, options: &JsonOptions) -> Parsed {
    let mut reader = Reader {
        lexer: Lexer::new(file, options),
        options,
        file,
        builder: Builder::new(file, Schema::Json, &options.limits, false),
    };
    let result = reader.document();
    let Reader { mut lexer, mut builder, .. } = reader;
    for problem in std::mem::take(&mut builder.problems) {
        lexer.report(from_problem(file, options, &problem));
    }
    match result {
        Ok(()) => builder.end_document(),
        Err(finding) => {
            lexer.report(*finding);
            builder.abandon_document();
        }
    }
    lexer.findings.add_more(builder.more_problems);
    let mut findings = lexer.findings.into_vec();
    findings.sort_by_key(|finding| finding.primary.place.span);
    Parsed { documents: builder.finish(), comments: lexer.comments, findings }
}

/// Where the reader is in a collection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// A value must come.
    Value,
    /// After `[`: a value or the end.
    FirstItem,
    /// After `{`: a key or the end.
    FirstKey,
    /// After a comma in `{`: a key.
    Key,
    /// After a value: a comma or the end of what is open.
    After,
}

struct Reader<'s> {
    lexer: Lexer<'s>,
    options: &'s JsonOptions,
    file: &'s Arc<SourceFile>,
    builder: Builder,
}

impl Reader<'_> {
    fn document(&mut self) -> Result<(), Box<Finding>> {
        let mut state = State::Value;
        loop {
            self.lexer.skip_blanks()?;
            let open = self.builder.innermost().map(|(span, _)| span);
            let next = self.lexer.peek();
            state = match (state, open, next) {
                (State::After, None, None) => return Ok(()),
                (State::After, None, Some(_)) => {
                    return Err(self.lexer.unexpected("the file goes on after its value").into());
                }
                (_, Some(open), None) => return Err(self.lexer.unclosed(open).into()),
                (State::FirstItem, _, Some(b']')) | (State::FirstKey, _, Some(b'}')) => self.close(),
                (State::Value | State::FirstItem, ..) => self.value()?,
                (State::FirstKey | State::Key, ..) => self.key()?,
                (State::After, Some(open), Some(next)) => self.after(open, next)?,
            };
        }
    }

    fn close(&mut self) -> State {
        self.lexer.bump();
        self.builder.close(Some(self.lexer.offset() as u32));
        State::After
    }

    /// After a value in a collection.
    fn after(&mut self, open: Span, next: u8) -> Result<State, Box<Finding>> {
        let is_mapping = self.lexer.byte(open.start) == Some(b'{');
        let (end, what) = if is_mapping { (b'}', "entry") } else { (b']', "item") };
        if next == end {
            return Ok(self.close());
        }
        if next != b',' {
            let message = format!("a comma or `{}` must follow an {what}", char::from(end));
            let finding = self.lexer.unexpected(&message);
            return Err(finding
                .also(self.file.place(Span { start: open.start, end: open.start + 1 }), "opened here")
                .into());
        }
        let comma = self.lexer.offset();
        self.lexer.bump();
        self.lexer.skip_blanks()?;
        if self.lexer.peek() == Some(end) {
            if !self.options.trailing_commas {
                let place = self.file.place(Span::new(comma, comma + 1));
                let finding = Finding::new(
                    &rules::TRAILING_COMMA,
                    place,
                    format!("JSON allows no comma after the last {what}"),
                );
                self.lexer.report(finding.help("remove the comma"));
            }
            return Ok(self.close());
        }
        Ok(if is_mapping { State::Key } else { State::Value })
    }

    fn key(&mut self) -> Result<State, Box<Finding>> {
        if self.lexer.peek() != Some(b'"') {
            return Err(self.lexer.bad_key().into());
        }
        self.string()?;
        self.lexer.skip_blanks()?;
        if self.lexer.peek() != Some(b':') {
            return Err(self.lexer.unexpected("a colon must follow a key").into());
        }
        self.lexer.bump();
        Ok(State::Value)
    }

    fn value(&mut self) -> Result<State, Box<Finding>> {
        let start = self.lexer.offset();
        let bracket = Span::new(start, (start + 1).min(self.file.text().len()));
        match self.lexer.peek() {
            Some(b'{') => {
                self.add(Shape::Mapping(Style::Flow), bracket)?;
                self.lexer.bump();
                return Ok(State::FirstKey);
            }
            Some(b'[') => {
                self.add(Shape::Sequence(Style::Flow), bracket)?;
                self.lexer.bump();
                return Ok(State::FirstItem);
            }
            Some(b'"') => self.string()?,
            Some(_) => {
                let span = self.lexer.word()?;
                self.add(Shape::Scalar(self.file.slice(span), Style::Plain), span)?;
            }
            None => return Err(self.lexer.unexpected("a value must stand here").into()),
        }
        Ok(State::After)
    }

    fn string(&mut self) -> Result<(), Box<Finding>> {
        let (text, span) = self.lexer.string()?;
        self.add(Shape::Scalar(&text, Style::DoubleQuoted), span)
    }

    fn add(&mut self, shape: Shape<'_>, span: Span) -> Result<(), Box<Finding>> {
        match self.builder.add(shape, span) {
            Ok(_) => Ok(()),
            Err(problem) => Err(from_problem(self.file, self.options, &problem).into()),
        }
    }
}

fn from_problem(file: &SourceFile, options: &JsonOptions, problem: &Problem) -> Finding {
    let finding = |rule: &Rule, span: Span, message| Finding::new(rule, file.place(span), message);
    match problem {
        Problem::TooDeep(span) => {
            let message = format!("collections are nested more than {} levels deep", options.limits.depth);
            finding(&rules::TOO_DEEP, *span, message)
                .help("flatten the file, or raise the limit if it is meant")
        }
        Problem::TooManyNodes(span) => {
            let message = format!("the file has more than {} nodes", options.limits.nodes);
            finding(&rules::TOO_MANY_NODES, *span, message).help("raise the limit if the file is meant")
        }
        Problem::Repeated { key, first, again } => {
            let message = format!("{} is already in this object", quote_key(key));
            finding(&rules::REPEATED_KEY, *again, message)
                .label("again")
                .also(file.place(*first), "first here")
                .help("remove or rename one of the two")
        }
        Problem::Cycle { alias: span, .. } | Problem::BadMerge { value: span, .. } => {
            unreachable!("JSON has neither aliases nor merge keys, yet there is one at {span:?}")
        }
    }
}

impl Lexer<'_> {
    /// Keeps a finding, unless there are too many already.
    fn report(&mut self, finding: Finding) {
        self.findings.add(finding);
    }
}
