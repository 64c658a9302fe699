//! PlusCal: algorithms in comments of modules, and their translation into TLA+.
//!
//! The translation has the tokens that the `pcal` translator of the TLA+ tools gives; its lines are broken in their own
//! way.
//!
//! - [`lines`], [`lexer`], [`parser`]: from the text to trees ([`ast`]), with expressions as tokens in columns
//!   ([`expr`]);
//! - [`options`]: options in the file;
//! - [`macros`], [`labels`]: macros expanded, labels added, statements cut into steps;
//! - [`names`]: names that would clash;
//! - [`explode`], [`generate`], [`whole`]: steps as actions, and all of it as text;
//! - [`origins`]: from places in the translation back to those in the algorithm;
//! - here: where in a file all of this stands, and whether what stands there is up to date.

mod ast;
mod explode;
mod expr;
mod generate;
mod labels;
mod lexer;
mod lines;
mod macros;
mod names;
mod options;
mod origins;
mod parser;
mod whole;

use std::sync::Arc;

use locus_source::{FileId, Finding, Place, Severity, SourceFile, Sources, Span};

use crate::rules::{PLUSCAL, TRANSLATION};
use crate::syntax::ast::UnitKind;
use crate::syntax::parse_module;
use ast::{Algorithm, Body, Kind, Labeled, Procedure, Statement};
use generate::{Generator, Whole};
use labels::Labels;
use lexer::{Lexeme, Lexer};
use lines::{Line, Lines, Spot};
use options::Options;
pub(crate) use origins::Origins;
use parser::{Parsed, ParsedBody, Parser};

/// An error in an algorithm, and its place.
#[derive(Debug)]
struct Wrong {
    message: String,
    spot: Spot,
    others: Vec<(&'static str, Spot)>,
}

impl Wrong {
    fn new(message: impl Into<String>, spot: Spot) -> Self {
        Self { message: message.into(), spot, others: Vec::new() }
    }

    fn also(mut self, what: &'static str, spot: Spot) -> Self {
        self.others.push((what, spot));
        self
    }

    fn finding(self, file: FileId, lines: &Lines) -> Finding {
        let place = |spot: Spot| {
            let at = lines.offset(spot);
            Place::new(file, Span::new(at, at))
        };
        let mut finding = Finding::new(&PLUSCAL, place(self.spot), self.message);
        for (what, spot) in self.others {
            finding = finding.also(place(spot), what);
        }
        finding
    }
}

/// Labels that were added, and where.
type Added = Vec<(String, Spot)>;

/// A translation.
struct Translation {
    lines: Vec<Line>,
    added: Added,
    labels: Vec<names::Label>,
}

/// A step of an algorithm: what stands from one label to the next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabeledStep {
    /// Its label.
    pub label: String,
    /// The name of its action in the translation.
    pub action: String,
    /// The process or procedure that it is in, such as `process P`; nothing if the algorithm has none.
    pub within: String,
    /// Where it stands in the algorithm.
    pub place: Place,
    /// The file that the translation stands in.
    pub file: FileId,
}

/// A module with the translation of its algorithm.
#[derive(Debug)]
pub struct Translated {
    /// The text of the file, in which the translation stands.
    pub text: String,
    /// Labels that were added, and the statements they were added to.
    pub labels: Vec<(String, Place)>,
    /// All the steps.
    pub steps: Vec<LabeledStep>,
    /// Whether the file had the same translation before, token for token.
    pub is_same: bool,
    /// Where what stands in the translation comes from.
    origins: Origins,
}

/// Translates the algorithm in a file. Nothing, if there is none.
///
/// # Errors
/// What is wrong with the algorithm.
pub fn translate(file: &SourceFile) -> Result<Option<Translated>, Box<Finding>> {
    let Some(found) = Found::in_text(file.text()) else { return Ok(None) };
    match found.translation() {
        Ok(Translation { lines, added, labels }) => {
            let place = |spot: Spot| {
                let at = found.lines.offset(spot);
                Place::new(file.id(), Span::new(at, at))
            };
            let (text, origins) = found.with(file, &lines);
            Ok(Some(Translated {
                text,
                origins,
                labels: added.into_iter().map(|(label, spot)| (label, place(spot))).collect(),
                steps: labels
                    .into_iter()
                    .map(|label| LabeledStep {
                        label: label.name,
                        action: label.used,
                        within: label.within,
                        place: place(label.spot),
                        file: file.id(),
                    })
                    .collect(),
                is_same: found.has(&lines),
            }))
        }
        Err(wrong) => Err(Box::new(wrong.finding(file.id(), &found.lines))),
    }
}

/// The module to check.
pub(crate) struct Current {
    /// The file given, or if its algorithm has no translation or is newer, one with that.
    pub(crate) file: Arc<SourceFile>,
    /// Which it is, where that needs saying.
    pub(crate) findings: Vec<Finding>,
    /// The steps of the algorithm that it is the translation of.
    pub(crate) steps: Vec<LabeledStep>,
    /// The way back from places in that file to those in the algorithm.
    pub(crate) origins: Option<Origins>,
}

/// Finds the module to check.
pub(crate) fn current(sources: &Sources, file: &Arc<SourceFile>) -> Current {
    let same = |findings| Current { file: Arc::clone(file), findings, steps: Vec::new(), origins: None };
    let Some(found) = Found::in_text(file.text()) else { return same(Vec::new()) };
    if found.region.is_none() && found.end.is_none() {
        return same(Vec::new());
    }
    let at = found.lines.offset(found.begin);
    let place = Place::new(file.id(), Span::new(at, at));
    let warn = |message: &str, help: &str| Finding::new(&TRANSLATION, place, message).help(help);
    if found.region.is_none() && has_behaviour(file) {
        let message = "the algorithm has no translation; the definitions of the module are checked instead";
        return same(vec![warn(message, "`locus tla translate` adds the translation to the file")]);
    }
    let is_edited = found.is_edited(file.text());
    let translated = match translate(file) {
        Ok(Some(translated)) => translated,
        Ok(None) => return same(Vec::new()),
        Err(mut finding) if found.region.is_some() => {
            finding.severity = Severity::Warning;
            return same(vec![finding.note("the translation that stands in the file is checked")]);
        }
        Err(finding) => return same(vec![*finding]),
    };
    let Translated { text, steps, is_same, origins, .. } = translated;
    let anew = |findings, mut steps: Vec<LabeledStep>, origins: Origins| {
        let file = sources.add(format!("{} (with its translation)", file.name()), text);
        for step in &mut steps {
            step.file = file.id();
        }
        let origins = Some(origins.within(file.id()));
        Current { file, findings, steps, origins }
    };
    if found.region.is_none() {
        return anew(Vec::new(), steps, origins);
    }
    match (is_edited, is_same) {
        (Some(true), is_same) => {
            let rest =
                if is_same { "yet it still fits the algorithm" } else { "and does not fit the algorithm" };
            let message = format!(
                "the translation is not the one that its checksum belongs to, {rest}; it is checked as it stands"
            );
            let (steps, origins) =
                if is_same { (steps, found.origins_here(file, &origins)) } else { (Vec::new(), None) };
            Current { steps, origins, ..same(vec![warn(&message, "`locus tla translate` writes it anew")]) }
        }
        (_, true) => {
            let origins = found.origins_here(file, &origins);
            Current { steps, origins, ..same(Vec::new()) }
        }
        (Some(false), false) => {
            let message = "the algorithm has changed since it was translated; what it means now is checked";
            let finding = warn(message, "`locus tla translate` writes the new translation into the file");
            anew(vec![finding], steps, origins)
        }
        (None, false) => {
            let message = "the translation does not fit the algorithm; it is checked as it stands";
            same(vec![warn(message, "`locus tla translate` writes it anew")])
        }
    }
}

/// Whether a module declares variables or defines a behaviour of its own.
fn has_behaviour(file: &SourceFile) -> bool {
    let Some(tree) = parse_module(file.id(), file.text()).tree else { return false };
    tree.units.iter().any(|unit| match &unit.kind {
        UnitKind::Variables(_) => true,
        UnitKind::Definition(definition) => matches!(&*definition.name.text, "Init" | "Next" | "Spec"),
        _ => false,
    })
}

/// An algorithm in a file.
struct Found {
    /// The lines as they are, and with the comments in the algorithm blank.
    lines: Lines,
    blank: Result<Lines, Wrong>,
    /// Where it begins, behind `--algorithm` or `--fair`.
    begin: Spot,
    is_fair: bool,
    /// The line in which its comment ends.
    end: Option<usize>,
    /// The lines that begin and end the translation.
    region: Option<(usize, usize)>,
}

impl Found {
    fn in_text(text: &str) -> Option<Self> {
        const PLAIN: &str = "--algorithm";
        const FAIR: &str = "--fair";
        if !text.contains(PLAIN) && !text.contains(FAIR) {
            return None;
        }
        let lines = Lines::new(text);
        let (begin, is_fair) = (0..lines.len()).find_map(|line| {
            let plain = lines.find(line, PLAIN).map(|column| ((line, column + PLAIN.len()), false));
            plain.or_else(|| lines.find(line, FAIR).map(|column| ((line, column + FAIR.len()), true)))
        })?;
        let region = lines
            .find_pair(0, "BEGIN", "TRANSLATION")
            .and_then(|from| lines.find_pair(from + 1, "END", "TRANSLATION").map(|to| (from, to)));
        let mut blank = lines.clone();
        let (blank, end) = match blank.uncomment(begin) {
            Ok(end) => (Ok(blank), end),
            Err(wrong) => (Err(wrong), Some(begin.0)),
        };
        Some(Self { lines, blank, begin, is_fair, end, region })
    }

    /// The translation.
    fn translation(&self) -> Result<Translation, Wrong> {
        let blank = match &self.blank {
            Ok(blank) => blank,
            Err(wrong) => return Err(Wrong::new(wrong.message.clone(), wrong.spot)),
        };
        if self.region.is_none() && self.end.is_none() {
            return Err(Wrong::new("the comment with the algorithm does not end", self.begin));
        }
        let options = Options::read(&self.lines)?;
        let parsed = Parser::new(blank, self.begin, &options).algorithm(self.is_fair)?;
        let (mut algorithm, added, mut whole) = prepared(parsed, &options)?;
        whole.is_fair |= self.is_fair;
        if self.is_fair && matches!(algorithm.body, Body::Single(_)) {
            "wf".clone_into(&mut whole.fairness);
        }
        let names = names::settle(&mut algorithm)?;
        if whole.has_default
            && let Some(spot) = names.is_used("defaultInitValue")
        {
            return Err(Wrong::new(
                "`defaultInitValue` is the name of the initial value of other variables",
                spot,
            ));
        }
        explode::explode(&mut algorithm, whole.no_pc)?;
        let generated = Generator::new(&algorithm, &whole).generate();
        let labels = names.labels().collect();
        let mut lines: Vec<Line> = names.changes.into_iter().map(Line::from).collect();
        lines.extend(generated.map_err(|wrong| {
            if wrong.spot == (0, 0) { Wrong::new(wrong.message, self.begin) } else { wrong }
        })?);
        Ok(Translation { lines, added, labels })
    }

    /// The tokens of the translation that stands in the file.
    fn has(&self, translation: &[Line]) -> bool {
        let Some((from, to)) = self.region else { return false };
        let here: Vec<String> = (from + 1..to).map(|line| self.lines.text(line)).collect();
        let there: Vec<&str> = translation.iter().map(|line| line.text.as_str()).collect();
        tokens(&here.join("\n")).eq(tokens(&there.join("\n")))
    }

    /// The way back from the translation that stands in the file and has the same tokens as ours.
    fn origins_here(&self, file: &SourceFile, ours: &Origins) -> Option<Origins> {
        let (from, to) = self.region?;
        let span = Span::new(self.lines.offset((from + 1, 0)), self.lines.offset((to, 0)));
        ours.moved(file, span)
    }

    /// Whether the translation is another one than its checksum belongs to, if it has one.
    fn is_edited(&self, text: &str) -> Option<bool> {
        let (from, to) = self.region?;
        let lines: Vec<&str> = text.lines().collect();
        let stated = checksum_in(lines.get(from)?)?;
        Some(stated.to_lowercase() != checksum(lines.get(from + 1..to)?))
    }

    /// The text of the file with a translation, and the way back from there.
    fn with(&self, file: &SourceFile, translation: &[Line]) -> (String, Origins) {
        let text = file.text();
        let ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let parts: Vec<&str> = translation.iter().map(|line| line.text.as_str()).collect();
        let begin = format!(
            "\\* BEGIN TRANSLATION (chksum(pcal) \\in STRING /\\ chksum(tla) = \"{}\"){ending}",
            checksum(&parts)
        );
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let (before, after) = self.region.unwrap_or_else(|| {
            let behind = self.end.map_or(lines.len(), |end| end + 1);
            (behind, behind)
        });
        let mut result: String = lines[..before.min(lines.len())].concat();
        if !result.ends_with('\n') {
            result.push_str(ending);
        }
        result.push_str(&begin);
        let start = result.len();
        for line in parts {
            result.push_str(line);
            result.push_str(ending);
        }
        let region = Span::new(start, result.len());
        if self.region.is_none() {
            result.push_str("\\* END TRANSLATION");
            result.push_str(ending);
        }
        let behind = lines[after.min(lines.len())..].concat();
        result.push_str(&behind);
        let origins = Origins::new(file, &self.lines, translation, &result, region, behind.len());
        (result, origins)
    }
}

/// Macros expanded, labels added, and what is known of the whole.
fn prepared(parsed: Parsed, options: &Options) -> Result<(Algorithm, Added, Whole), Wrong> {
    let Parsed { variables, definitions, mut macros, procedures, body, labels: known, goes, .. } = parsed;
    for at in 0..macros.len() {
        if let Some(first) = macros[..at].iter().find(|first| first.name == macros[at].name) {
            let message = format!("the macro `{}` is defined twice", first.name);
            return Err(Wrong::new(message, macros[at].spot).also("defined here too", first.spot));
        }
        let mut own = std::mem::take(&mut macros[at].body);
        macros::expand(&mut own, &macros[..at])?;
        macros[at].body = own;
    }
    let names = |variables: &[ast::Variable]| variables.iter().map(|v| v.name.clone()).collect::<Vec<_>>();
    let locals: Vec<String> =
        procedures.iter().flat_map(|p| [names(&p.params), names(&p.variables)].concat()).collect();
    let mut adder =
        Labels { root: &options.root, known: &known, next: 1, added: Vec::new(), locals: &locals };
    let has_procedures = !procedures.is_empty();
    let routines = |adder: &mut Labels<'_>| {
        procedures
            .iter()
            .map(|routine| {
                let mut body = routine.body.clone();
                macros::expand(&mut body, &macros)?;
                let body = adder.steps(body, Some(&routine.name))?;
                let (params, variables) = (routine.params.clone(), routine.variables.clone());
                let (name, marks) = (routine.name.clone(), routine.marks.clone());
                Ok(Procedure { name, params, variables, marks, body, spot: routine.spot })
            })
            .collect::<Result<Vec<Procedure>, Wrong>>()
    };
    let mut shape = Shape {
        no_pc: !has_procedures && !parsed.has_modifier && !options.is_old,
        is_endless: !options.is_old,
    };
    let is_single = matches!(body, ParsedBody::Single(_));
    let (procedures, body) = match body {
        ParsedBody::Single(mut statements) => {
            macros::expand(&mut statements, &macros)?;
            let procedures = routines(&mut adder)?;
            let steps = adder.steps(statements, None)?;
            if goes.to_done {
                shape = Shape { no_pc: false, is_endless: false };
            } else {
                shape.look(&steps);
            }
            (procedures, Body::Single(steps))
        }
        ParsedBody::Processes(processes) => {
            let mut made = Vec::new();
            let mut is_endless = false;
            for (mut process, mut statements) in processes {
                macros::expand(&mut statements, &macros)?;
                process.body = adder.steps(statements, None)?;
                shape.is_endless = !options.is_old;
                shape.look(&process.body);
                is_endless |= shape.is_endless;
                made.push(process);
            }
            shape.is_endless = is_endless && !goes.to_done;
            shape.no_pc &= !goes.to_done;
            (routines(&mut adder)?, Body::Processes(made))
        }
    };
    shape.no_pc &= !goes.anywhere;
    let added = adder.added;
    if !added.is_empty() && !options.may_label && (!is_single || !known.is_empty()) {
        let mut wrong = Wrong::new("a label is missing here", added[0].1);
        for (_, spot) in &added[1..] {
            wrong = wrong.also("a label is missing here too", *spot);
        }
        return Err(wrong);
    }
    let mut fairness = options.fairness.clone();
    if parsed.is_fair {
        "wf".clone_into(&mut fairness);
    }
    let whole = Whole {
        no_pc: shape.no_pc,
        no_done: options.no_done,
        is_endless: shape.is_endless,
        has_default: parsed.has_default,
        is_fair: false,
        fairness,
    };
    Ok((Algorithm { variables, definitions, procedures, body }, added, whole))
}

/// Whether an algorithm needs `pc`, and whether it terminates.
#[derive(Clone, Copy)]
struct Shape {
    no_pc: bool,
    is_endless: bool,
}

impl Shape {
    /// A body that is one endless loop without labels in it needs no `pc`.
    fn look(&mut self, steps: &[Labeled]) {
        let [Labeled { statements, .. }] = steps else {
            if !steps.is_empty() {
                *self = Self { no_pc: false, is_endless: false };
            }
            return;
        };
        let [Statement { kind: Kind::While(test, body, labeled), .. }] = statements.as_slice() else {
            *self = Self { no_pc: false, is_endless: false };
            return;
        };
        let mut test = test.tokens();
        if !(test.next().is_some_and(|token| token.text == "TRUE") && test.next().is_none()) {
            *self = Self { no_pc: false, is_endless: false };
            return;
        }
        if !labeled.is_empty() || body.iter().any(has_labels) {
            self.no_pc = false;
        }
    }
}

/// Whether there are labels within a statement.
fn has_labels(statement: &Statement) -> bool {
    let branch =
        |branch: &ast::Branch| !branch.labeled.is_empty() || branch.statements.iter().any(has_labels);
    match &statement.kind {
        Kind::If(_, then, other) => branch(then) || branch(other),
        Kind::Either(branches) => branches.iter().any(branch),
        _ => false,
    }
}

/// The tokens of a text, without comments; what is no token stands for itself.
fn tokens(text: &str) -> impl Iterator<Item = String> {
    lexemes(text).into_iter().map(|(lexeme, _)| {
        if lexeme.sort == lexer::Sort::Text { format!("\"{}\"", lexeme.text) } else { lexeme.text }
    })
}

/// The tokens of a text, without comments, and where they stand in it.
fn lexemes(text: &str) -> Vec<(Lexeme, Span)> {
    // A comment that is not closed hides the rest: it does in TLA+ too.
    let mut lines = Lines::new(&format!("{text}\n"));
    let _ = lines.uncomment((0, 0));
    let mut lexer = Lexer::new(&lines, (0, 0));
    let mut lexemes = Vec::new();
    while let Ok(lexeme) = lexer.next() {
        let (line, column) = lexeme.spot;
        let quotes = if lexeme.sort == lexer::Sort::Text { 2 } else { 0 };
        let end = (line, column + lexeme.text.chars().count() + quotes);
        let span = Span::new(lines.offset(lexeme.spot), lines.offset(end));
        lexemes.push((lexeme, span));
    }
    lexemes
}

/// The checksum of a translation, in a line that begins one.
fn checksum_in(line: &str) -> Option<String> {
    let rest = line.split_once("BEGIN TRANSLATION")?.1;
    let at = ["chksum(tla", "checksum(tla"].iter().find_map(|word| rest.to_lowercase().find(word))?;
    let (sign, quoted) = rest[at..].split_once(')')?.1.trim_start().split_at_checked(1)?;
    let digits = quoted.trim_start().strip_prefix('"')?.split('"').next()?;
    (sign == "=" && digits.bytes().all(|b| b.is_ascii_hexdigit())).then(|| digits.to_owned())
}

/// The checksum of lines: CRC-32, without leading zeros.
fn checksum(lines: &[&str]) -> String {
    let mut crc = u32::MAX;
    for byte in lines.iter().flat_map(|line| line.trim_end_matches('\r').bytes()) {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    format!("{:x}", !crc)
}

#[cfg(test)]
mod tests;
