//! HOT templates: their environments, parameters, and the files that they name.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;
use locus_hot::{Inputs, Reading as Read};
use locus_source::{Limits, LoadError, Loader, SourceFile, Sources};

use crate::args::Reading;
use crate::inputs::{self, Input};

/// Reads files beside the one that names them.
struct Beside<'a> {
    limits: &'a Limits,
}

impl Loader for Beside<'_> {
    fn bytes(&self, from: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        let path = Path::new(from.name()).parent().unwrap_or(Path::new("")).join(path);
        if !path.is_file() {
            return Err(LoadError::Missing);
        }
        let name = path.display().to_string();
        let unreadable =
            |error: std::io::Error| LoadError::Unreadable(format!("cannot read {name}: {error}"));
        let mut bytes = Vec::new();
        let file = std::fs::File::open(&path).map_err(unreadable)?;
        file.take(self.limits.file_bytes as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() > self.limits.file_bytes {
            return Err(LoadError::Unreadable(format!(
                "{name} is larger than {} bytes",
                self.limits.file_bytes
            )));
        }
        Ok((name, bytes))
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
    let loader = Beside { limits };
    let inputs = Inputs { environments, parameters, loader: Some(&loader), limits: limits.clone() };
    Ok(locus_hot::read(sources, file, &inputs))
}
