//! OCCI: extensions and configurations of the Open Cloud Computing Interface, section 4 of the report.
//!
//! [`read`] makes a [`Reading`] of a file: everything that is wrong with its form, the categories that it defines, and
//! the resources and links that it describes, which have a [meaning](Reading::meaning).
//!
//! - `read`, `syntax`: the renderings (XMI of OCCIware, JSON, text) to what a file says
//! - `catalogue`: kinds and mixins, those that come with Locus in `data` and those of extensions in other files
//! - `values`: values of attributes and their types
//! - `meaning`: locations, roles, the order of starting, and what rules see
//! - `checks`: what is wrong with entities beside their form
//! - `rules`, `library`: rules as text, and those in Alloy
//!
//! Out of scope: any reading of files, which come by a [`Loader`](locus_source::Loader); the protocol
//! over HTTP; rules about how entities fit together, which are Alloy.

mod catalogue;
mod checks;
mod language;
pub mod library;
mod meaning;
mod read;
mod rules;
mod syntax;
mod values;

use std::sync::Arc;

use locus_language::Ruled;
use locus_meaning::Meaning;
use locus_source::{Finding, NoFiles, Place, SharedReport, SourceFile, Sources, Span};

pub use locus_language::Inputs;

pub use self::language::Occi;
pub use self::rules::RULES;

use self::catalogue::{Catalogue, Surroundings};
use self::library::CARRIED;

/// Rules look at so many entities and categories, and no more.
const MOST: usize = 2_000;

/// The module that they are written over.
const CORE: &str = "occi/core";

/// The result of reading a file.
#[derive(Debug, Default)]
pub struct Reading {
    /// The faults of it.
    pub findings: Vec<Finding>,
    /// The comments of the file.
    pub comments: Vec<Span>,
    /// The files of extensions, with their comments.
    pub parts: Vec<(Arc<SourceFile>, Vec<Span>)>,
    /// Whether the file was understood.
    pub is_read: bool,
    /// How many resources, links, kinds and mixins there are.
    pub counts: [usize; 4],
    /// The most attributes that one of them has.
    most_attributes: usize,
    meaning: Meaning<'static>,
}

/// Reads a file. Never fails: what is wrong is among the findings.
pub fn read(sources: &Sources, file: &Arc<SourceFile>, inputs: &Inputs<'_>) -> Reading {
    let report = SharedReport::default();
    let own = read::read(file, &inputs.limits, &report);
    let mut reading = Reading { comments: own.comments, ..Reading::default() };
    if let Some(model) = own.model {
        let model = Arc::new(model);
        let links = model.entities.iter().filter(|entity| entity.is_link).count();
        let (kinds, mixins) = (model.extension.kinds.len(), model.extension.mixins.len());
        reading.counts = [model.entities.len() - links, links, kinds, mixins];
        let given = model.entities.iter().map(|entity| entity.attributes.len());
        let kinds = model.extension.kinds.iter().map(|kind| kind.category.attributes.len());
        let mixins = model.extension.mixins.iter().map(|mixin| mixin.category.attributes.len());
        reading.most_attributes = given.chain(kinds).chain(mixins).max().unwrap_or(0);
        let surroundings = Surroundings {
            sources,
            loader: inputs.loader.unwrap_or(&NoFiles),
            limits: &inputs.limits,
            libraries: &inputs.libraries,
            report: &report,
        };
        let mut catalogue = Catalogue::new(file, Arc::clone(&model), surroundings);
        checks::check(&model, &mut catalogue, &report);
        reading.meaning = meaning::meaning(&model, &mut catalogue);
        let parts = catalogue.into_loaded().into_iter().filter(|one| !one.is_house);
        reading.parts = parts.filter_map(|one| Some((one.source?, one.comments))).collect();
        reading.is_read = true;
    }
    reading.findings = report.into_vec();
    locus_source::sort_and_dedup(&mut reading.findings, sources);
    reading
}

impl Reading {
    /// The meaning; without elements if the file was not understood.
    pub fn meaning(&self) -> &Meaning<'static> {
        &self.meaning
    }

    /// Why rules do not look at the file, if it is too large for them: they compare entities with each other.
    pub fn too_many(&self) -> Option<String> {
        let count: usize = self.counts.iter().sum();
        let is_large = count > MOST || self.most_attributes > MOST;
        is_large.then(|| format!("the file has more than {MOST} entities, categories or attributes of one of them, so it was not checked by rules"))
    }

    /// The rules that come with Locus, about what the file describes; none if that is too much.
    pub fn ruled(&self, everywhere: Place) -> Option<Ruled<'_>> {
        self.too_many().is_none().then(|| self.whole_ruled(everywhere)).flatten()
    }

    /// The same however large it is.
    pub(crate) fn whole_ruled(&self, everywhere: Place) -> Option<Ruled<'_>> {
        self.is_read.then(|| Ruled {
            rules: &CARRIED,
            modules: ["categories", "entities", "infrastructure"].map(str::to_owned).into(),
            everywhere,
            instance: Box::new(move |rules| self.meaning.parts_instance(rules, CORE, everywhere, true)),
        })
    }
}
