//! Baselines: findings that are known and do not fail a run, so that a project can start today and correct the rest
//! later.
//!
//! A finding is known by its code, its file, its message and the text of its line, so that it stays known when lines
//! above it come and go.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, bail};
use locus_source::{Finding, Limits, Sources};
use serde::{Deserialize, Serialize};

use crate::{config, inputs};

/// The version of the form of the file.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct File {
    version: u32,
    findings: Vec<Known>,
}

/// Findings that look alike.
#[derive(Serialize, Deserialize)]
struct Known {
    #[serde(flatten)]
    looks: Looks,
    /// How many there are.
    count: usize,
    /// How many more there are in the file, which are not listed.
    #[serde(default, skip_serializing_if = "is_zero")]
    more: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The fields by which two findings are equal.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Looks {
    file: String,
    code: String,
    message: String,
    line: String,
}

impl Looks {
    fn of(finding: &Finding, sources: &Sources, folder: &Path) -> Self {
        let file = sources.get(finding.primary.place.file);
        let line = file.line_column(finding.primary.place.span.start as usize).line;
        let line = file.line_span(line).map_or("", |span| file.slice(span)).trim();
        Self {
            file: config::relative(folder, file.name()),
            code: finding.code.to_string(),
            message: finding.message.clone(),
            line: line.to_owned(),
        }
    }
}

/// Writes down the findings of a run.
pub(crate) fn write(path: &Path, findings: &[Finding], sources: &Sources) -> anyhow::Result<()> {
    let is_new = path.metadata().map_or(true, |there| there.len() == 0);
    if !is_new && read(path).is_err() {
        bail!("{} is there and is not a baseline; name another file to write", path.display());
    }
    let folder = folder(path);
    let mut known: BTreeMap<Looks, (usize, usize)> = BTreeMap::new();
    for finding in findings {
        let (count, more) = known.entry(Looks::of(finding, sources, folder)).or_default();
        *count += 1;
        *more += finding.more;
    }
    let findings = known.into_iter().map(|(looks, (count, more))| Known { looks, count, more }).collect();
    let text = serde_json::to_string_pretty(&File { version: VERSION, findings })? + "\n";
    crate::output::write_whole(path, &text)
}

fn read(path: &Path) -> anyhow::Result<File> {
    let bytes = inputs::bytes(path, &Limits::default())?;
    serde_json::from_slice(&bytes).with_context(|| format!("{} is not a baseline", path.display()))
}

/// Removes the findings that a baseline has, and says how many these were.
pub(crate) fn apply(path: &Path, findings: &mut Vec<Finding>, sources: &Sources) -> anyhow::Result<usize> {
    let file = read(path)?;
    if file.version != VERSION {
        let (name, version) = (path.display(), file.version);
        bail!("{name} is a baseline of version {version}; this is for version {VERSION}");
    }
    let folder = folder(path);
    let mut known: BTreeMap<Looks, (usize, usize)> =
        file.findings.into_iter().map(|one| (one.looks, (one.count, one.more))).collect();
    let before = findings.len();
    findings.retain(|finding| match known.get_mut(&Looks::of(finding, sources, folder)) {
        // More that are not listed than there were: some of them are new.
        Some((_, more)) if finding.more > *more => true,
        Some((count, _)) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    Ok(before - findings.len())
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
