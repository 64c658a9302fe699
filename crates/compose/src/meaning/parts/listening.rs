//! The ports that services publish, and at which they listen.

use locus_meaning::{Related, Subject};
use locus_source::Place;

use super::{ANY_SERVICE, Filling, SERVICE, list};
use crate::meaning::mentions::mentions;
use crate::read::project::Project;
use crate::values::datum::Datum;
use crate::values::ports::{self, range_text};

/// The ports at which ranges of a project are looked at: the first of each range, and those that something mentions.
/// Two ranges have a port in common exactly if they have one of these in common, so these stand for all.
pub(super) struct Points(Vec<i64>);

impl Points {
    pub(super) fn of(project: &Project) -> Self {
        let mut points = Vec::new();
        for (_, service) in project.section("services").chain(project.disabled.iter()) {
            let ports = ports::of(service);
            points.extend(ports.iter().map(|ports| ports.target.0));
            points.extend(ports.iter().filter_map(|ports| Some(ports.taken()?.0)));
            points.extend(ports::exposed(service).map(|(range, _)| range.0));
            points.extend(mentions(service).iter().filter_map(|mention| mention.port.map(i64::from)));
        }
        points.sort_unstable();
        points.dedup();
        Self(points)
    }

    /// Those within a range.
    pub(super) fn within(&self, (first, last): (i64, i64)) -> &[i64] {
        let at = |number: i64| self.0.partition_point(|point| *point < number);
        &self.0[at(first)..at(last + 1)]
    }
}

impl Filling<'_, '_> {
    pub(super) fn ports(&mut self, of: Subject, service: &Datum) {
        let is_host = service.get("network_mode").and_then(Datum::as_str) == Some("host");
        for ports in ports::of(service) {
            let file = self.files.sources.get(ports.place.file).name().to_owned();
            let target = ports.target;
            let role = self.part("Port", range_text(target), ports.place);
            self.put(of, ANY_SERVICE, "ports", Related::To(role), ports.place);
            self.put(role, "Port", "of", Related::To(of), ports.place);
            self.put(role, "Port", "target", Related::Int(target.0), ports.place);
            self.put_points(role, ("Port", "opens"), target, ports.place);
            self.put_text(role, "Port", "host", ports.host.as_ref());
            self.put_text(role, "Port", "protocol", ports.protocol.as_ref());
            self.put(role, "Port", "written", Related::text(&file), ports.place);
            // With the network of the host nothing is published.
            if is_host {
                continue;
            }
            if let Some((first, last)) = ports.taken() {
                self.put(role, "Port", "published", Related::Int(first), ports.published_at);
                self.put_points(role, ("Port", "takes"), (first, last), ports.published_at);
            }
            if let Some(choices) = ports.choices() {
                self.put(role, "Port", "choices", Related::Int(choices), ports.published_at);
            }
        }
    }

    /// All that of a range of ports the rest of the file can meet.
    fn put_points(
        &mut self,
        owner: Subject,
        (sig, field): (&'static str, &'static str),
        range: (i64, i64),
        place: Place,
    ) {
        for point in self.points.within(range).to_vec() {
            self.put(owner, sig, field, Related::Int(point), place);
        }
    }

    /// The ports at which a service listens.
    pub(super) fn listens(&mut self, of: Subject, service: &Datum) {
        for ports in ports::of(service) {
            self.put_points(of, (SERVICE, "listens"), ports.target, ports.place);
        }
        for (range, place) in ports::exposed(service) {
            self.put_points(of, (SERVICE, "listens"), range, place);
        }
        for value in list(service, &["ports"]) {
            let written = self.written(value.place);
            if is_base_sixty(&written) {
                self.flag(of, "sixty", &written, value.place);
            }
        }
    }
}

/// Whether YAML 1.1 reads a plain text as a number of base 60.
fn is_base_sixty(written: &str) -> bool {
    let mut parts = written.split(':');
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let first = parts.next().is_some_and(digits);
    let mut rest = parts.peekable();
    first && rest.peek().is_some() && rest.all(|part| digits(part) && part.len() <= 2 && part < "60")
}
