//! Which configuration: a `.cfg` file, what the command line adds, and what to take where neither says anything.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use locus_source::{Limits, SourceFile, Sources};
use locus_tla::semantic::Specification;

use crate::args::TlaModel;
use crate::inputs::{self, Input};

/// A configuration and where it comes from.
pub(super) struct Configured {
    pub(super) file: Arc<SourceFile>,
    /// Where in the text of the file begins what the command line says, which goes before what the file says.
    pub(super) added: usize,
    pub(super) remark: String,
}

/// Finds or makes the configuration.
pub(super) fn configure(
    command: &TlaModel,
    file: &SourceFile,
    specification: &Specification,
    sources: &Sources,
) -> anyhow::Result<Configured> {
    let added = from_command_line(command);
    let beside = command.path.with_extension("cfg");
    let path: Option<PathBuf> = match &command.config {
        Some(path) => Some(path.clone()),
        None if beside.is_file() => Some(beside),
        None => None,
    };
    let section = || locus_tla::config::section(file.text(), &stem(&command.path));
    // A module without a file beside it may have its configuration within it.
    let path = path.or_else(|| section().is_some().then(|| command.path.clone()));
    if let Some(path) = path {
        let input = Input { path: path.clone(), named: true };
        let mut read = inputs::read(&input, "<stdin>", sources, &Limits::default())?;
        if path.extension().is_some_and(|extension| extension == "tla") {
            let name = stem(&path);
            let Some(text) = locus_tla::config::section(read.text(), &name) else {
                bail!("{}: this file has no section `---- CONFIG {name} ----`", path.display())
            };
            read = sources.add(path.display().to_string(), text);
        }
        if added.is_empty() {
            let remark = format!("configured by {}", path.display());
            return Ok(Configured { added: read.text().len(), file: read, remark });
        }
        let name = format!("{} with the command line", path.display());
        let text = format!("{}\n{added}", read.text());
        return Ok(Configured {
            file: sources.add(name.clone(), text),
            added: read.text().len(),
            remark: format!("configured by {name}"),
        });
    }
    let mut text = added;
    if command.spec.is_none() && command.init.is_none() && command.next.is_none() {
        text.push_str(&behaviour(file, specification)?);
    }
    let remark = format!("configured by the command line and by names: {}", text.trim().replace('\n', "; "));
    Ok(Configured { file: sources.add("<configuration>", text), added: 0, remark })
}

/// The name of a file without its extension.
fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// What to explore if nobody says: `Spec`, else `Init` and `Next`.
fn behaviour(file: &SourceFile, specification: &Specification) -> anyhow::Result<String> {
    let defined = |name: &str| specification.definition(name).is_some();
    if defined("Spec") {
        Ok("SPECIFICATION Spec\n".to_owned())
    } else if defined("Init") && defined("Next") {
        Ok("INIT Init\nNEXT Next\n".to_owned())
    } else if specification.program().variables.is_empty() {
        // Only assumptions.
        Ok(String::new())
    } else {
        bail!(
            "{}: there is no configuration, and neither `Spec` nor `Init` and `Next` are defined, so it is not \
             known what to check; write a .cfg file or say --spec, or --init and --next",
            file.name()
        )
    }
}

/// The options of the command line as the text of a configuration.
fn from_command_line(command: &TlaModel) -> String {
    let mut text = String::new();
    let single = [("SPECIFICATION", &command.spec), ("INIT", &command.init), ("NEXT", &command.next)];
    for (section, name) in single {
        if let Some(name) = name {
            let _ = writeln!(text, "{section} {name}");
        }
    }
    let many = [
        ("INVARIANT", &command.invariant),
        ("PROPERTY", &command.property),
        ("_POSSIBLE", &command.possible),
    ];
    for (section, names) in many {
        for name in names {
            let _ = writeln!(text, "{section} {name}");
        }
    }
    for constant in &command.constant {
        let _ = writeln!(text, "CONSTANT {constant}");
    }
    text
}
