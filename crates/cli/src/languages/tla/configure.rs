//! Which configuration: a `.cfg` file, what the command line adds, and what to take where neither says anything.

use std::path::Path;
use std::sync::Arc;

use locus_language::Request;
use locus_source::{LoadError, SourceFile};
use locus_tla::semantic::Specification;

use super::Settings;

/// A configuration and where it comes from.
pub(super) struct Configured {
    pub(super) file: Arc<SourceFile>,
    /// Where in the text of the file begins what the command line says, which goes before what the file says.
    pub(super) added: usize,
    /// Whether there is no file.
    pub(super) made_up: bool,
    pub(super) remark: String,
}

/// Finds or makes the configuration.
///
/// # Errors
/// Why there is none, in a sentence.
pub(super) fn configure(
    settings: &Settings,
    file: &SourceFile,
    specification: &Specification,
    request: &Request<'_>,
) -> Result<Configured, String> {
    let added = &settings.added;
    let given = match &settings.config {
        // A module may have its configuration within it.
        Some(given) if is_module(given) => Some(within(given, request).ok_or_else(|| {
            let name = stem(given);
            format!("{} has no section `---- CONFIG {name} ----`", given.name())
        })?),
        Some(given) => Some(Arc::clone(given)),
        None => beside(file, request)?.or_else(|| within(file, request)),
    };
    if let Some(read) = given {
        if added.is_empty() {
            let remark = format!("configured by {}", read.name());
            return Ok(Configured { added: read.text().len(), file: read, made_up: false, remark });
        }
        let name = format!("{} with the command line", read.name());
        let text = format!("{}\n{added}", read.text());
        return Ok(Configured {
            remark: format!("configured by {name}"),
            file: request.sources.add(name, text),
            added: read.text().len(),
            made_up: false,
        });
    }
    let mut text = added.clone();
    if !settings.has_behaviour {
        text.push_str(behaviour(specification)?);
    }
    let remark = format!("configured by the command line and by names: {}", text.trim().replace('\n', "; "));
    let made_up = added.is_empty();
    Ok(Configured { file: request.sources.add("<configuration>", text), added: 0, made_up, remark })
}

fn is_module(file: &SourceFile) -> bool {
    Path::new(file.name()).extension().is_some_and(|extension| extension == "tla")
}

/// The name of a file without folder and extension.
fn stem(file: &SourceFile) -> String {
    Path::new(file.name()).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The configuration within a module, if it has one.
fn within(file: &SourceFile, request: &Request<'_>) -> Option<Arc<SourceFile>> {
    let text = locus_tla::config::section(file.text(), &stem(file))?;
    Some(request.sources.add(file.name(), text))
}

/// The `.cfg` beside the specification, if there is one.
fn beside(file: &SourceFile, request: &Request<'_>) -> Result<Option<Arc<SourceFile>>, String> {
    let path = Path::new(file.name()).with_extension("cfg");
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return Ok(None) };
    match request.loader.load(request.sources, file, name) {
        Ok(file) => Ok(Some(file)),
        Err(LoadError::Missing) => Ok(None),
        Err(error) => Err(format!("its configuration {name} cannot be read: {error}")),
    }
}

/// The behaviour to explore by default: `Spec`, else `Init` and `Next`.
fn behaviour(specification: &Specification) -> Result<&'static str, String> {
    let defined = |name: &str| specification.definition(name).is_some();
    if defined("Spec") {
        Ok("SPECIFICATION Spec\n")
    } else if defined("Init") && defined("Next") {
        Ok("INIT Init\nNEXT Next\n")
    } else if specification.program().variables.is_empty() {
        // Only assumptions.
        Ok("")
    } else {
        Err("there is no configuration, and neither `Spec` nor `Init` and `Next` are defined, so it is not known \
             what to check; write a .cfg file, or use `locus tla check` with --spec, or --init and --next"
            .to_owned())
    }
}
