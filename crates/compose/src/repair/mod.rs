//! Suggestions: changes of a file after which less is wrong, where there is one right change.
//!
//! A finding offers at most one change: the one that it carries itself, which is not found here, the declaration of a
//! network or volume that nothing declares, `CMD` before the words of a health check, or the name and port by which a
//! service is reached. They are made and judged by `locus_language::suggest::one_by_one`.
//!
//! Out of scope: findings with several right changes, such as two services on one port.

use std::sync::Arc;

use locus_source::edit::Edit;
use locus_source::tree::{Node, Style};
use locus_source::yaml::{self, YamlOptions};
use locus_source::{Finding, SourceFile, words};

use crate::meaning::mentions::{Mention, mentions};
use crate::values::datum::Datum;
use crate::values::ports;
use crate::{Project, Reading, Undeclared};

/// The one right change for a finding, if there is one.
pub(crate) fn change(finding: &Finding, file: &Arc<SourceFile>, reading: &Reading) -> Option<Vec<Edit>> {
    let place = finding.primary.place;
    if place.file != file.id() {
        return None;
    }
    let edit = match finding.code.as_str() {
        "CMP020" => {
            let undeclared = reading.undeclared.iter().find(|one| one.place == place)?;
            declaration(file, undeclared)
        }
        "CMP027" => shell_word(file.text(), place.span.range().start),
        "CMP131" | "CMP133" | "CMP134" => host(finding, file, reading),
        _ => None,
    };
    edit.map(|edit| vec![edit])
}

/// A network or volume declared at the top of a file with one document.
fn declaration(file: &Arc<SourceFile>, undeclared: &Undeclared) -> Option<Edit> {
    let Undeclared { section, name, .. } = undeclared;
    let is_plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b));
    let text = file.text();
    let parsed = yaml::parse(file, &YamlOptions::default());
    let [document] = parsed.documents.as_slice() else { return None };
    let root = document.root();
    if !is_plain || root.style() != Style::Block {
        return None;
    }
    let insert = |at: usize, text: String| Some(Edit { range: at..at, text });
    let Some(entry) = root.get_entry(section) else {
        let line = if text.ends_with('\n') { "" } else { "\n" };
        return insert(text.len(), format!("{line}{section}:\n  {name}:\n"));
    };
    let value: Node<'_> = entry.value;
    if value.alias().is_some() || value.anchor().is_some() || value.tag().is_some() {
        return None;
    }
    match (value.is_mapping(), value.style()) {
        (true, Style::Block) => {
            let first = value.written_entries().next()?.key.span().range().start;
            let line = text[..first].rfind('\n').map_or(0, |at| at + 1);
            let indent = &text[line..first];
            indent.bytes().all(|b| b == b' ').then(|| insert(line, format!("{indent}{name}:\n")))?
        }
        (true, Style::Flow) => {
            let end = if value.is_empty() { " " } else { "," };
            insert(value.span().range().start + 1, format!(" {name}: {{}}{end}"))
        }
        _ => None,
    }
}

/// `CMD` before the first word of a health check, which starts at an offset.
fn shell_word(text: &str, at: usize) -> Option<Edit> {
    let line = text.get(..at)?.rfind('\n').map_or(0, |at| at + 1);
    let before = &text[line..at];
    let added = match before.trim_end().chars().last()? {
        '[' => "CMD, ".to_owned(),
        '-' if before.trim() == "-" => format!("CMD\n{before}"),
        _ => return None,
    };
    Some(Edit { range: at..at, text: added })
}

/// The host, or its port, as it is in the network.
fn host(finding: &Finding, file: &SourceFile, reading: &Reading) -> Option<Edit> {
    let project = reading.project.as_ref()?;
    let place = finding.primary.place;
    let start = place.span.range().start;
    let written = file.slice(place.span);
    project.section("services").find_map(|(name, service)| {
        mentions(service).into_iter().filter(|mention| mention.place == place).find_map(|mention| {
            let (old, new) = meant(finding.code.as_str(), project, name, &mention)?;
            let at = only_word(written, &old)?;
            Some(Edit { range: start + at..start + at + old.len(), text: new })
        })
    })
}

/// All that stands there, and what is meant.
fn meant(code: &str, project: &Project, service: &str, mention: &Mention) -> Option<(String, String)> {
    let Mention { host, port, .. } = mention;
    match code {
        "CMP133" => {
            let names = project.section("services").map(|(name, _)| (name, name));
            Some((host.clone(), words::nearest(host, names)?.to_owned()))
        }
        "CMP131" if mention.is_loopback() => {
            let mut others = project
                .section("services")
                .filter(|(name, other)| *name != service && port.is_some_and(|port| listens(other, port)));
            let (other, _) = others.next()?;
            others.next().is_none().then(|| (host.clone(), other.to_owned()))
        }
        "CMP134" => {
            let (_, other) = project.section("services").find(|(name, _)| name == host)?;
            let port = (*port)?;
            let target = ports::of(other).into_iter().find_map(|ports| {
                let (first, last) = ports.taken()?;
                let number = i64::from(port);
                (first <= number && number <= last).then(|| number - first + ports.target.0)
            })?;
            Some((format!("{host}:{port}"), format!("{host}:{target}")))
        }
        _ => None,
    }
}

/// Whether a service publishes or exposes a port of its container.
fn listens(service: &Datum, port: u16) -> bool {
    let number = i64::from(port);
    let within = |(first, last): (i64, i64)| first <= number && number <= last;
    ports::of(service).iter().any(|ports| within(ports.target))
        || ports::exposed(service).any(|(range, _)| within(range))
}

/// Where a word stands in a text, if it does once and nowhere as a part of another one.
fn only_word(text: &str, word: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let mut found = text.match_indices(word).map(|(at, _)| at);
    let at = found.next()?;
    let is_alone = !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part);
    (is_alone && found.next().is_none()).then_some(at)
}
