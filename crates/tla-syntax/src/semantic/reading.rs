//! The order in which the names of a specification are read: TLC's, which decides how it orders strings.
//!
//! Modules are read from the root on: those that one extends, in order, then what these need, one after the other; then
//! likewise those that it instantiates.

use locus_source::{FileId, Sources, Span};
use rustc_hash::FxHashMap;

use crate::syntax::{Kind, Word, lex_fragment};

use super::Program;

/// The names that are read with a module: those in it, and the modules that it needs.
#[derive(Default)]
struct Reading {
    names: Vec<String>,
    extends: Vec<String>,
    instances: Vec<String>,
}

/// Standard and community modules: the names of each in the order in which TLC's own text has them, the modules that it
/// extends, and those that it instantiates.
const STANDARD: &str = include_str!("reading.txt");

/// All names of a program, in the order in which its modules are read. A name may come several times.
pub fn names_as_read(sources: &Sources, program: &Program) -> Vec<String> {
    Order::of(sources, program).names
}

/// The names in modules, in the order in which they are read.
struct Order<'a> {
    sources: &'a Sources,
    /// Where modules in files stand, by name.
    files: FxHashMap<&'a str, (FileId, Span)>,
    read: FxHashMap<String, Reading>,
    names: Vec<String>,
}

impl<'a> Order<'a> {
    fn of(sources: &'a Sources, program: &'a Program) -> Self {
        let mut files = FxHashMap::default();
        for module in program.modules.iter().filter(|module| !module.standard) {
            files.entry(program.text(module.name)).or_insert((module.place.file, module.place.span));
        }
        let mut order = Self { sources, files, read: FxHashMap::default(), names: Vec::new() };
        if let Some(root) = program.root {
            let root = program.text(program.modules[root.index()].name).to_owned();
            order.read(&root);
            order.needed(&root);
        }
        order
    }

    /// Reads a module, unless it was read before.
    fn read(&mut self, name: &str) -> bool {
        if self.read.contains_key(name) {
            return false;
        }
        let mut reading = match self.files.get(name) {
            Some((file, span)) => lexed(self.sources, *file, *span),
            None => standard(name),
        };
        self.names.append(&mut reading.names);
        self.read.insert(name.to_owned(), reading);
        true
    }

    /// Reads what a module needs.
    fn needed(&mut self, name: &str) {
        let Some(reading) = self.read.get_mut(name) else { return };
        for modules in [std::mem::take(&mut reading.extends), std::mem::take(&mut reading.instances)] {
            let new: Vec<String> = modules.into_iter().filter(|module| self.read(module)).collect();
            for module in new {
                self.needed(&module);
            }
        }
    }
}

/// The names in a module of a file, and the modules that it says it needs.
fn lexed(sources: &Sources, file: FileId, span: Span) -> Reading {
    let source = sources.get(file);
    let text = source.text();
    let mut reading = Reading::default();
    let tokens = lex_fragment(file, text, span).tokens;
    let ident = |i: usize| {
        tokens
            .get(i)
            .filter(|token| token.kind == Kind::Ident)
            .map(|token| text[token.span.start as usize..token.span.end as usize].to_owned())
    };
    for (i, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Ident => reading.names.extend(ident(i)),
            Kind::Word(Word::Extends) => {
                let mut at = i + 1;
                while let Some(name) = ident(at) {
                    reading.extends.push(name);
                    at += 2;
                    if tokens.get(at - 1).is_none_or(|token| token.kind != Kind::Comma) {
                        break;
                    }
                }
            }
            Kind::Word(Word::Instance) => reading.instances.extend(ident(i + 1)),
            _ => {}
        }
    }
    reading
}

fn standard(name: &str) -> Reading {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    for line in STANDARD.lines().filter(|line| !line.starts_with('#')) {
        let mut parts = line.split('|');
        if parts.next().is_some_and(|module| module.trim() == name) {
            let mut next = || words(parts.next().unwrap_or_default());
            return Reading { names: next(), extends: next(), instances: next() };
        }
    }
    Reading::default()
}
