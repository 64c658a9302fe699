//! TOSCA as one of the languages of Locus: what the command needs of this crate.

use std::sync::Arc;

use locus_language::options::{ENVIRONMENT, LIBRARY, PARAMETER, RULES, SUGGEST, Scope, Takes};
use locus_language::{
    Choice, Document, Judgement, Language, NoGraph, Request, RuleSet, Ruled, Unanswered, Unknown,
    has_top_level_key,
};
use locus_meaning::{Meaning, Relationships};
use locus_source::{Finding, Rule, SourceFile, Span};

use crate::meaning::copies;
use crate::read::csar::{self, Archive};
use crate::report::short;
use crate::{Inputs, Reading, Surroundings, Topology, library, rules, verdict};

/// TOSCA files and archives.
#[derive(Clone, Copy, Debug)]
pub struct Tosca;

/// Whether relationships are locations of their own in the location graph.
pub const RELATIONSHIPS: Choice = Choice {
    scope: Scope::Picture,
    ..Choice::new(
        "relationships-as-locations",
        Takes::Nothing,
        "",
        "Make relationships locations of their own, with a role for each requirement and capability (TOSCA)",
    )
};

/// The text that an archive that is refused becomes, with the reason after it.
const REFUSED: &str = "# TOSCA archive, refused: ";

impl Language for Tosca {
    fn id(&self) -> &'static str {
        "tosca"
    }

    fn name(&self) -> &'static str {
        "TOSCA file"
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".tosca.yaml", ".tosca.yml", ".csar"]
    }

    fn driver(&self) -> Option<&'static str> {
        Some("script")
    }

    fn endings_if_named(&self) -> &'static [&'static str] {
        &[".zip", ".tar", ".tar.gz", ".tgz"]
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["yaml", "yml", "csar"]
    }

    fn recognise(&self, text: &str) -> Result<(), &'static str> {
        if has_top_level_key(text, "tosca_definitions_version") {
            Ok(())
        } else {
            Err("it has no key `tosca_definitions_version` at the top")
        }
    }

    fn options(&self) -> &'static [Choice] {
        &[ENVIRONMENT, PARAMETER, RULES, SUGGEST, LIBRARY, RELATIONSHIPS]
    }

    fn native_rules(&self) -> Vec<Rule> {
        crate::RULES.iter().map(|rule| (*rule).clone()).collect()
    }

    fn carried(&self) -> Option<&'static RuleSet> {
        Some(&library::CARRIED)
    }

    fn decode(&self, bytes: Vec<u8>) -> Vec<u8> {
        if !csar::is_archive(&bytes) {
            return bytes;
        }
        let text = match csar::unpack(&bytes) {
            Ok(archive) => archive.to_text(),
            Err(why) => format!("{REFUSED}{}\n", why.replace('\n', " ")),
        };
        text.into_bytes()
    }

    fn read(&self, file: &Arc<SourceFile>, request: &Request<'_>) -> Box<dyn Document> {
        let relationships = if request.options.has(RELATIONSHIPS) {
            Relationships::Locations
        } else {
            Relationships::Bindings
        };
        Box::new(ToscaDocument { file: Arc::clone(file), reading: read(file, request), relationships })
    }
}

fn read(file: &Arc<SourceFile>, request: &Request<'_>) -> Reading {
    let inputs = Inputs::of(request);
    if let Some(why) = file.text().strip_prefix(REFUSED) {
        return refused(file, why.trim_end());
    }
    match Archive::from_text(file.text()) {
        Some(archive) => read_archive(file, &archive, request, inputs),
        None => crate::read(request.sources, file, &inputs),
    }
}

fn read_archive(
    file: &Arc<SourceFile>,
    archive: &Archive,
    request: &Request<'_>,
    inputs: Inputs<'_>,
) -> Reading {
    let entry = match archive.entry() {
        Ok(entry) => entry,
        Err(why) => return refused(file, &why),
    };
    let loader = archive.loader(file.name(), &**request.loader, request.options.texts(LIBRARY));
    let mut libraries = archive.profiles();
    libraries.extend(inputs.libraries);
    let without_meta = !archive.has_meta();
    let inputs = Inputs { loader: Some(&loader), libraries, ..inputs };
    let main = Surroundings { is_archive: true, without_meta, substituted: Vec::new() };
    let others = match archive.others() {
        Ok(others) => others,
        Err(why) => return refused(file, &why),
    };
    let load = |path: &str| locus_source::Loader::load(&loader, request.sources, file, &format!("/{path}"));
    let mut reading = match load(entry) {
        Ok(file) => crate::read_in(&main, request.sources, &file, &inputs),
        Err(error) => return refused(file, &format!("`{entry}` cannot be read: {error}")),
    };
    // The comments are those of another file than the one that the command knows.
    reading.comments.clear();
    // What is given for inputs is given for those of the main template.
    let nodes = reading.topology.iter().flat_map(|topology| &topology.nodes);
    let substituted = nodes.filter(|node| node.substituted).cloned().collect();
    let inputs = Inputs { environments: Vec::new(), parameters: Vec::new(), ..inputs };
    let inside = Surroundings { is_archive: true, without_meta: false, substituted };
    let mut substitutes = Vec::new();
    for path in others.iter().filter(|path| *path != entry) {
        match load(path) {
            Ok(other) => {
                let other = crate::read_in(&inside, request.sources, &other, &inputs);
                reading.findings.extend(other.findings);
                substitutes.extend(other.topology.filter(|one| !one.substitutes.is_empty()).map(Arc::new));
            }
            Err(error) => return refused(file, &format!("`{path}` cannot be read: {error}")),
        }
    }
    if !others.is_empty() {
        substitute(&mut reading, &substitutes);
    }
    locus_source::sort_and_dedup(&mut reading.findings, request.sources);
    reading
}

/// Finds which of the other templates of an archive takes the place of each node that has the directive: the only one
/// that is for its type and whose filter holds of it.
fn substitute(reading: &mut Reading, substitutes: &[Arc<Topology>]) {
    let nodes = reading.topology.iter_mut().flat_map(|topology| &mut topology.nodes);
    for (at, node) in nodes.filter(|node| node.substituted).enumerate() {
        let Some(name) = node.types.first() else { continue };
        let of_type: Vec<_> = substitutes.iter().filter(|one| one.substitutes.contains(name)).collect();
        let holds = |one: &Topology| one.accepts.get(at).copied().flatten();
        let fitting: Vec<_> = of_type.iter().filter(|one| holds(one) != Some(false)).collect();
        match fitting.as_slice() {
            [one] => node.inside = (holds(one) == Some(true)).then(|| Arc::clone(one)),
            [_, _, ..] => {}
            [] => {
                let why = if of_type.is_empty() {
                    String::new()
                } else {
                    ": no `substitution_filter` holds of it".to_owned()
                };
                let message = format!(
                    "none of the Other-Definitions of the archive substitutes the node `{}`, which is a `{}`{why}",
                    short(&node.name.text),
                    short(name)
                );
                reading.findings.push(Finding::new(&rules::NO_SUBSTITUTE, node.name.place, message));
            }
        }
    }
}

/// A reading of an archive that is not read.
fn refused(file: &Arc<SourceFile>, why: &str) -> Reading {
    let place = file.place(Span::new(0, 0));
    Reading { findings: vec![Finding::new(&rules::ARCHIVE, place, why)], ..Reading::default() }
}

/// A file that was read.
struct ToscaDocument {
    file: Arc<SourceFile>,
    reading: Reading,
    /// How the location graph shows relationships.
    relationships: Relationships,
}

impl ToscaDocument {
    /// The topology, if it has no more nodes than are looked at.
    fn counted(&self) -> Result<&Topology, NoGraph> {
        let topology = self.reading.topology.as_ref().ok_or(NoGraph::NotUnderstood)?;
        copies::too_many(topology).map_or(Ok(topology), |why| Err(NoGraph::NotBuildable(why)))
    }
}

impl Document for ToscaDocument {
    fn findings(&self) -> &[Finding] {
        &self.reading.findings
    }

    fn comments(&self) -> &[Span] {
        &self.reading.comments
    }

    fn summary(&self) -> String {
        match &self.reading.topology {
            None => "it could not be read".to_owned(),
            Some(topology) if topology.nodes.is_empty() => "no node templates".to_owned(),
            Some(topology) => {
                let bound = topology.relationships.iter().filter(|one| one.target.is_some()).count();
                format!("{} node templates, {bound} relationships", topology.nodes.len())
            }
        }
    }

    fn unknowns(&self) -> Vec<Unknown> {
        let unknowns = self.reading.unknowns.iter();
        unknowns.map(|unknown| Unknown { place: unknown.place, why: unknown.why.to_string() }).collect()
    }

    fn meaning(&self) -> Result<Meaning<'_>, NoGraph> {
        self.counted().map(crate::meaning)
    }

    fn relationships(&self) -> Relationships {
        self.relationships
    }

    fn ruled<'d>(&'d self, _request: &Request<'d>) -> Option<Ruled<'d>> {
        let topology = self.reading.topology.as_ref()?;
        verdict::ruled(topology, self.file.place(Span::new(0, 0)))
    }

    fn judge(&self, request: &Request<'_>) -> Judgement {
        let Some(topology) = self.reading.topology.as_ref().filter(|one| !one.nodes.is_empty()) else {
            return Judgement::default();
        };
        let unanswered = self.unanswered();
        if !unanswered.is_empty() {
            return Judgement { unanswered, ..Judgement::default() };
        }
        let everything = self.file.place(Span::new(0, 0));
        let mut judged = verdict::judge(topology, everything);
        for rules in request.own_rules {
            judged.add(verdict::judge_by(rules, topology, everything));
        }
        judged.into()
    }

    fn unanswered(&self) -> Vec<Unanswered> {
        let topology = self.reading.topology.iter();
        topology.filter_map(copies::too_many).map(Unanswered::new).collect()
    }
}
