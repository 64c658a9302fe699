//! HOT templates: their environments, parameters, and the files that they name.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;
use locus_hot::{Inputs, LoadError, Loader, Reading as Read};
use locus_source::{Limits, SourceFile, Sources};

use crate::args::Reading;
use crate::inputs::{self, Input};

/// Reads files beside the one that names them.
struct Beside<'a> {
    sources: &'a Sources,
    limits: &'a Limits,
}

impl Loader for Beside<'_> {
    fn load(&self, from: &SourceFile, path: &str) -> Result<Arc<SourceFile>, LoadError> {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let path = Path::new(from.name()).parent().unwrap_or(Path::new("")).join(path);
        if !path.is_file() {
            return Err(LoadError::Missing);
        }
        let input = Input { path, named: true };
        inputs::read(&input, "", self.sources, self.limits).map_err(|_| LoadError::NotText)
    }
}

/// Reads a template with what the command line gives it.
pub(crate) fn read(
    file: &Arc<SourceFile>,
    reading: &Reading,
    sources: &Sources,
    limits: &Limits,
) -> anyhow::Result<Read> {
    let mut environments = Vec::new();
    for path in &reading.environment {
        let input = Input { path: PathBuf::clone(path), named: true };
        environments.push(inputs::read(&input, "<stdin>", sources, limits)?);
    }
    let parameters = reading.parameter.iter().map(|parameter| {
        let (name, value) = parameter
            .split_once('=')
            .ok_or_else(|| anyhow!("`-P {parameter}` has no `=`; write -P NAME=VALUE"))?;
        Ok((name.to_owned(), value.to_owned()))
    });
    let parameters: Vec<_> = parameters.collect::<anyhow::Result<_>>()?;
    let loader = Beside { sources, limits };
    let inputs = Inputs { environments, parameters, loader: Some(&loader), limits: limits.clone() };
    Ok(locus_hot::read(sources, file, &inputs))
}
