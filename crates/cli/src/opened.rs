//! One file that a command reads by itself: the session for it, its language and its document.
//!
//! Out of scope: several files, and the judgement of a document, which are the session's.

use std::path::PathBuf;
use std::sync::Arc;

use locus_language::{Document, Effort, Language, Request};
use locus_source::{Finding, Loader, Severity, SourceFile};

use crate::args::{GivenToDraw, Reading};
use crate::inputs::Input;
use crate::languages;
use crate::session::{Session, Setup};

/// A file that was read.
pub(crate) struct Opened {
    pub(crate) session: Session,
    pub(crate) file: Arc<SourceFile>,
    pub(crate) language: &'static dyn Language,
    pub(crate) document: Box<dyn Document>,
    loader: Arc<dyn Loader>,
    effort: Effort,
}

impl Opened {
    /// Reads the file that is named, or the project of this folder.
    pub(crate) fn read(
        path: Option<&PathBuf>,
        given: &GivenToDraw,
        reading: &Reading,
    ) -> anyhow::Result<Self> {
        let reading = reading.of_some_file(path.is_some())?;
        let mut setup = Setup::reading(&reading);
        setup.given.extend(given.0.iter().cloned());
        let session = Session::new(languages::ALL, &setup)?;
        let path = path.or(reading.project.file.first()).expect("a file is named or was found");
        let input = Input { path: path.clone(), named: true };
        let file = session.read(&input, &reading.stdin_name)?;
        let language = session.language(reading.language(), &file)?;
        if let Some(choice) = session.refused(language).first() {
            let what = format!("{}: a file in the language {}", file.name(), language.id());
            return Err(session.refusal(*choice, &what));
        }
        let loader: Arc<dyn Loader> = session.files(&input.path);
        let effort = session.effort(None, 1);
        let document = language.read(&file, &session.request(&loader, &effort));
        Ok(Self { session, file, language, document, loader, effort })
    }

    /// The request that the document was read with.
    pub(crate) fn request(&self) -> Request<'_> {
        self.session.request(&self.loader, &self.effort)
    }

    /// The errors of reading it.
    pub(crate) fn errors(&self) -> impl Iterator<Item = &Finding> {
        self.document.findings().iter().filter(|finding| finding.severity == Severity::Error)
    }
}
