//! Fractal: definitions of components in the Fractal ADL, section 3 of the report.
//!
//! [`read`] makes a [`Reading`] of a file: everything that is wrong with its form, and the components that it means
//! once it is merged with the definitions that it names. Those have a [meaning](Reading::meaning), which rules,
//! pictures and plans are made of, and a [canonical form](Reading::canonical).
//!
//! - `read`, `syntax`: XML to what a definition says, by the document types of the ADL
//! - `values`: the texts that have a structure of their own: arguments, lists of definitions, ends of bindings
//! - `types`: definitions in other files, merging
//! - `assembly`: each component once, those that are shared with several parents
//! - `meaning`: locations, roles, the order of starting, and what rules see
//! - `checks`: what is wrong with the components as a whole
//! - `rules`, `library`: rules as text, and those in Alloy
//! - `report`: findings, and arguments without a value
//! - `write`: the canonical form
//!
//! Out of scope: any reading of files, which come by a [`Loader`](locus_source::Loader); classes of Java;
//! rules about how components fit together, which are Alloy.

mod assembly;
mod checks;
mod language;
pub mod library;
mod meaning;
mod read;
mod report;
mod rules;
mod syntax;
mod types;
mod values;
mod write;

use std::sync::Arc;

use locus_language::Ruled;
use locus_meaning::Meaning;
use locus_source::{Finding, NoFiles, Place, SourceFile, Sources, Span, words};

pub use locus_language::Inputs;

pub use self::language::Fractal;
pub use self::rules::RULES;

use self::assembly::Assembly;
use self::library::CARRIED;
use self::report::Report;
use self::syntax::Formal;
use self::types::Surroundings;

/// Rules look at components with so many interfaces, bindings or components, and no more.
const MOST_IN_ONE: usize = 3_000;

/// The module that they are written over.
const CORE: &str = "fractal/core";

/// The result of reading a file.
#[derive(Debug, Default)]
pub struct Reading {
    /// The faults of this file and of those of its definitions.
    pub findings: Vec<Finding>,
    /// The comments of the file.
    pub comments: Vec<Span>,
    /// The files of its definitions, with their comments.
    pub parts: Vec<(Arc<SourceFile>, Vec<Span>)>,
    /// Where arguments without a value are used, and their names.
    pub open: Vec<(Place, Arc<str>)>,
    /// The components; none if the file is no definition.
    whole: Option<Whole>,
}

/// The components of a definition.
#[derive(Debug)]
struct Whole {
    assembly: Assembly,
    arguments: Vec<Formal>,
    document_type: Option<Arc<str>>,
    /// Why it cannot be built, if it cannot.
    broken: Option<String>,
}

/// Reads a file. Never fails: what is wrong is among the findings.
pub fn read(sources: &Sources, file: &Arc<SourceFile>, inputs: &Inputs<'_>) -> Reading {
    let report = Report::default();
    let own = read::read(file, &inputs.limits, &report);
    let mut reading = Reading { comments: own.comments, ..Reading::default() };
    if let Some(definition) = own.definition {
        let surroundings = Surroundings {
            sources,
            loader: inputs.loader.unwrap_or(&NoFiles),
            limits: &inputs.limits,
            libraries: &inputs.libraries,
            report: &report,
        };
        name_of_file(file, &definition, &report);
        unused(&definition, &inputs.parameters, &report);
        let whole = types::whole(file, &definition, &inputs.parameters, surroundings);
        let assembly = Assembly::new(whole.body, &report);
        checks::check(&assembly, &report);
        let broken = if whole.is_broken || assembly.is_broken {
            Some("its definitions go in a circle, or are too many".to_owned())
        } else if assembly.is_circular() {
            Some("a component in it is inside itself".to_owned())
        } else {
            None
        };
        reading.whole = Some(Whole {
            assembly,
            arguments: definition.arguments.clone(),
            document_type: definition.document_type.clone(),
            broken,
        });
        reading.parts = whole.parts.into_iter().map(|part| (part.source, part.comments)).collect();
    }
    (reading.findings, reading.open) = report.finish();
    locus_source::sort_and_dedup(&mut reading.findings, sources);
    reading
}

/// Says that the name of a definition is another than that of its file.
fn name_of_file(file: &SourceFile, definition: &syntax::Definition, report: &Report) {
    let base = file.name().rsplit(['/', '\\']).next().unwrap_or_default();
    let Some(stem) = base.strip_suffix(".fractal") else { return };
    let name = &definition.body.name;
    if name.text.rsplit('.').next() != Some(stem) {
        let message =
            format!("`{}` is defined in the file `{}`", words::short(&name.text), words::short(base));
        let finding = Finding::new(&rules::FILE_NAME, name.place, message);
        report.add(finding.help("let the last part of the name be that of the file: others do not find it"));
    }
}

/// Says that values are given for arguments that there are not.
fn unused(definition: &syntax::Definition, parameters: &[(String, String)], report: &Report) {
    for (name, _) in parameters {
        if !definition.arguments.iter().any(|formal| *formal.name.text == **name) {
            let shown = words::short(name);
            let message = format!("`{}` has no argument `{shown}`", words::short(&definition.body.name.text));
            let finding = Finding::new(&rules::VALUE_UNUSED, definition.body.name.place, message);
            let names = definition.arguments.iter().map(|formal| (&*formal.name.text, &*formal.name.text));
            report.add(match words::nearest(name, names) {
                Some(near) => finding.help(format!("did you mean `{near}`?")),
                None => finding.help(format!("leave out `--parameter {shown}=…`")),
            });
        }
    }
}

impl Reading {
    /// Whether the file is a definition.
    pub fn is_definition(&self) -> bool {
        self.whole.is_some()
    }

    /// Why nothing can be made of the definition, if so.
    pub fn broken(&self) -> Option<&str> {
        self.whole.as_ref()?.broken.as_deref()
    }

    /// Why rules do not look at the definition, if it is too large for them: they compare what is in a component with
    /// each other.
    pub fn too_many(&self) -> Option<String> {
        let mut kells = self.whole.iter().flat_map(|whole| &whole.assembly.kells);
        let sizes = |kell: &assembly::Kell| {
            let says = &kell.says;
            let inside = kell.sc.len().max(kell.membrane.len());
            let attributes = says.attributes.as_ref().map_or(0, |attributes| attributes.list.len());
            says.interfaces
                .len()
                .max(says.bindings.len())
                .max(inside)
                .max(attributes)
                .max(says.exported.len())
        };
        let large = kells.find(|kell| sizes(kell) > MOST_IN_ONE)?;
        let shown = words::short(&large.says.name.text);
        Some(format!(
            "`{shown}` has more than {MOST_IN_ONE} parts of one kind, so it was not checked by rules"
        ))
    }

    /// How many components and bindings there are.
    pub fn counts(&self) -> (usize, usize) {
        let kells = self.whole.iter().flat_map(|whole| &whole.assembly.kells);
        kells.fold((0, 0), |(components, bindings), kell| {
            (components + 1, bindings + kell.says.bindings.len())
        })
    }

    /// The meaning; without elements if the file is no definition.
    pub fn meaning(&self) -> Meaning<'static> {
        self.whole.as_ref().map(|whole| meaning::meaning(&whole.assembly)).unwrap_or_default()
    }

    /// The definition merged with those that it names, as a file of the Fractal ADL. Definitions that are not known
    /// stay named.
    pub fn canonical(&self) -> Option<String> {
        let Whole { assembly, arguments, document_type, .. } = self.whole.as_ref()?;
        Some(write::write(assembly, arguments, document_type.as_deref()))
    }

    /// The rules that come with Locus, about the components; none if those are too many.
    pub fn ruled(&self, everywhere: Place) -> Option<Ruled<'_>> {
        self.too_many().is_none().then(|| self.whole_ruled(everywhere)).flatten()
    }

    /// The same however large it is.
    pub(crate) fn whole_ruled(&self, everywhere: Place) -> Option<Ruled<'_>> {
        self.whole.is_some().then(|| Ruled {
            rules: &CARRIED,
            modules: ["bindings", "gates", "structure"].map(str::to_owned).into(),
            everywhere,
            instance: Box::new(move |rules| self.meaning().parts_instance(rules, CORE, everywhere, true)),
        })
    }
}
