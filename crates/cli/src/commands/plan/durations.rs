//! How long steps take: `--durations`.
//!
//! A file says so by the names of components or of types, with the state that is entered (`deleted` for a deletion) or
//! without: `OS::Nova::Server: 90s`, `web healthy: 20s`. The most special entry counts, and `default` is for all
//! others. New components and bindings are entries in books and take no time.
//!
//! With `--typical` there are rough figures by type for what the file does not say.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use locus_aeolus::{Action, ComponentId, Universe};
use locus_meaning::things::MILESTONE;
use locus_plan::Plan;
use locus_source::yaml::{self, YamlOptions};
use locus_source::{Severity, SourceFile};

use crate::quantities;
use crate::session::Session;

/// Times by name.
#[derive(Default)]
pub(super) struct Durations {
    times: HashMap<String, Duration>,
    /// Whether [`TYPICAL`] counts for what has no time.
    is_typical: bool,
}

/// The typical duration of making something, by its type, in seconds. These are orders of magnitude, which depend on
/// the platform and on what is installed: use `--durations` for measured values. Anything else takes a few seconds.
const TYPICAL: &[(&str, u64)] = &[
    ("OS::Nova::Server", 60),
    ("OS::Cinder::Volume", 15),
    ("OS::Cinder::VolumeAttachment", 10),
    ("OS::Octavia::LoadBalancer", 120),
    ("OS::Octavia::Listener", 10),
    ("OS::Octavia::Pool", 10),
    ("OS::Octavia::PoolMember", 10),
    ("OS::Octavia::HealthMonitor", 10),
    ("OS::Trove::Instance", 300),
    ("OS::Magnum::Cluster", 600),
    ("OS::Sahara::Cluster", 600),
    ("OS::Heat::SoftwareDeployment", 60),
    ("OS::Heat::StructuredDeployment", 60),
    ("OS::Heat::WaitCondition", 180),
    ("OS::Manila::Share", 30),
    ("container created", 1),
    ("container started", 2),
    ("container healthy", 15),
    ("container completed", 30),
    ("tosca.nodes.Compute created", 60),
    ("tosca.nodes.SoftwareComponent created", 60),
    ("tosca.nodes.DBMS created", 90),
    ("tosca.nodes.WebServer created", 60),
];

/// The duration of a step whose type is not in the table, in seconds.
const USUAL: u64 = 5;

impl Durations {
    pub(super) fn read(file: &Arc<SourceFile>, session: &Session) -> anyhow::Result<Self> {
        let limits = session.config.limits.clone();
        let parsed = yaml::parse(file, &YamlOptions { limits, ..YamlOptions::default() });
        if let Some(wrong) = parsed.findings.iter().find(|one| one.severity == Severity::Error) {
            bail!("{}: {}", session.sources.describe(wrong.primary.place), wrong.message);
        }
        let mut times = HashMap::new();
        let Some(tree) = parsed.documents.first().filter(|tree| tree.root().is_mapping()) else {
            bail!(
                "{}: durations are a mapping from names to times, such as `OS::Nova::Server: 90s`",
                file.name()
            );
        };
        for entry in tree.root().entries() {
            let place = session.sources.describe(entry.value.place());
            let (Some(name), true) = (entry.key.as_str(), entry.value.is_scalar()) else {
                bail!("{place}: a duration is a name with a time, such as `OS::Nova::Server: 90s`");
            };
            let time = quantities::duration(entry.value.raw()).map_err(|error| error.context(place))?;
            times.insert(name.to_owned(), time);
        }
        Ok(Self { times, is_typical: false })
    }

    /// The same with typical times for what is not said.
    pub(super) fn typical(self) -> Self {
        Self { is_typical: true, ..self }
    }

    /// How long each step of a plan takes, in milliseconds.
    pub(super) fn of(&self, universe: &Universe, plan: &Plan) -> Vec<u64> {
        let one = |id: ComponentId, state: &str| {
            let component = &plan.components[id.index()];
            let kind = universe.kind(component.kind).shown();
            // The second component of a replacement has the times of the first.
            let name = component.name.strip_suffix(" (new)").unwrap_or(&component.name);
            let (exact, of_kind) = (format!("{name} {state}"), format!("{kind} {state}"));
            let given = [&exact, name, &of_kind, kind].into_iter().find_map(|name| self.times.get(name));
            let given = given.or_else(|| self.times.get("default")).copied();
            if kind == MILESTONE {
                return 0;
            }
            let usual = || {
                let known = TYPICAL.iter().find(|(name, _)| *name == of_kind || *name == kind);
                // Nothing typical is known of deletions but that they are quick.
                let seconds = known.filter(|_| state != "deleted").map_or(USUAL, |&(_, seconds)| seconds);
                Duration::from_secs(if self.is_typical { seconds } else { 0 })
            };
            let time = given.unwrap_or_else(usual);
            u64::try_from(time.as_millis()).unwrap_or(u64::MAX / 1_000_000)
        };
        let step = |action: &Action| match action {
            Action::Change(changes) => changes
                .iter()
                .map(|change| {
                    let kind = universe.kind(plan.components[change.component.index()].kind);
                    one(change.component, &kind.state(change.to).name)
                })
                .max()
                .unwrap_or(0),
            Action::Delete(id) => one(*id, "deleted"),
            Action::New(..) | Action::Bind(_) | Action::Unbind(_) => 0,
        };
        plan.steps.iter().map(|planned| step(&planned.action)).collect()
    }
}

/// A time as people read it: `1 h 2 min`, `3 min 20 s`, `1.5 s`.
pub(super) fn in_words(milliseconds: u64) -> String {
    let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000);
    let (hours, minutes, left) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes) {
        (0, 0) if rest > 0 => format!("{left}.{rest:03} s"),
        (0, 0) => format!("{left} s"),
        (0, _) => format!("{minutes} min {left} s"),
        _ => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn times_are_readable() {
        assert_eq!(in_words(1_500), "1.500 s");
        assert_eq!(in_words(90_000), "1 min 30 s");
        assert_eq!(in_words(3_720_000), "1 h 2 min");
        assert_eq!(in_words(0), "0 s");
    }
}
