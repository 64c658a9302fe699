//! From a text in one of the renderings to what it says. The first character tells which rendering it is.

mod json;
mod rendering;
mod xmi;

use std::sync::Arc;

use locus_source::{Limits, SharedReport, SourceFile, Span};

use crate::syntax::Model;

/// A file that was read.
pub(crate) struct Read {
    /// Its content; nothing if it was not understood.
    pub(crate) model: Option<Model>,
    pub(crate) comments: Vec<Span>,
}

/// Reads a file.
pub(crate) fn read(file: &Arc<SourceFile>, limits: &Limits, report: &SharedReport) -> Read {
    match file.text().trim_start().chars().next() {
        Some('<') => xmi::read(file, limits, report),
        Some('{' | '[') => json::read(file, limits, report),
        _ => rendering::read(file, report),
    }
}
